// SPDX-License-Identifier: Apache-2.0
// OpenCL as a table of functions, opened at run time: the tools start without it, too.
#ifndef TOOLS_OPENCL_H_
#define TOOLS_OPENCL_H_

#include <stdbool.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "tools/status.h"

typedef struct ToolOpencl {
#define CL_FUNCTION(name) __typeof__(name)* name;
#include "tools/opencl.def"
} ToolOpencl;

// The library stays open until the program ends. kToolLoad and a message when there is none.
ToolStatus tool_opencl_load(ToolOpencl* cl, ToolMessage* message);

// kToolOk for CL_SUCCESS; else kToolFile, and a message that says what failed.
ToolStatus tool_opencl_check(const char* what, cl_int error, ToolMessage* message);

// Whether a list of extensions, separated by spaces, has this one.
bool tool_opencl_has(const char* extensions, const char* name);

// A text of the device's, to be released with free(); NULL when there is none.
char* tool_opencl_text(const ToolOpencl* cl, cl_device_id device, cl_device_info what);
// A number of the device's: of 1, 4 or 8 bytes; 0 when there is none.
cl_ulong tool_opencl_number(const ToolOpencl* cl, cl_device_id device, cl_device_info what);

#endif
