// SPDX-License-Identifier: Apache-2.0
// OpenCL as a table of functions, opened at run time, so that the tools also start without it.
#ifndef TOOLS_COMMON_OPENCL_H_
#define TOOLS_COMMON_OPENCL_H_

#include <stdbool.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "tools/common/status.h"

typedef struct ToolOpencl {
#define CL_FUNCTION(name) __typeof__(name)* name;
#include "tools/common/opencl.def"
} ToolOpencl;

// Has the delegate look for drivers, once, which leaves out those that would end the program that lists them.
void tool_opencl_screen(void);

// Opens the OpenCL library, after tool_opencl_screen(); it remains open until the program ends. Returns
// kToolLoad, with a message, when there is none.
ToolStatus tool_opencl_load(ToolOpencl* cl, ToolMessage* message);

// Returns kToolOk for CL_SUCCESS; otherwise kToolFile, with a message about what failed.
ToolStatus tool_opencl_check(const char* what, cl_int error, ToolMessage* message);

// Returns whether a list of extensions, separated by spaces, has this one.
bool tool_opencl_has(const char* extensions, const char* name);

// Returns a text of the device, which the caller frees; NULL when there is none.
char* tool_opencl_text(const ToolOpencl* cl, cl_device_id device, cl_device_info what);
// Returns a number of the device, of 1, 4 or 8 bytes; 0 when there is none.
cl_ulong tool_opencl_number(const ToolOpencl* cl, cl_device_id device, cl_device_info what);

// A device, whose index is the one by which the delegate's option `device` counts it.
typedef struct ToolOpenclDevice {
    cl_platform_id platform;
    cl_device_id id;
} ToolOpenclDevice;

enum { kToolOpenclDevices = 64 };

// Lists all devices of all platforms, in OpenCL's order, and returns their number. When it is 0, `reason`
// says why.
int tool_opencl_devices(const ToolOpencl* cl, ToolOpenclDevice devices[kToolOpenclDevices],
                        ToolMessage* reason);

#endif
