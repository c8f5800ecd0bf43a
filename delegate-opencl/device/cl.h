// SPDX-License-Identifier: Apache-2.0
// OpenCL as a table of functions, opened at run time: a machine without OpenCL can load the delegate too.
#ifndef DELEGATE_OPENCL_DEVICE_CL_H_
#define DELEGATE_OPENCL_DEVICE_CL_H_

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "core/base/status.h"

typedef struct LiteCl {
#define CL_FUNCTION(name) __typeof__(name)* name;
#include "delegate-opencl/device/functions.def"
    // Of OpenCL 2.0; NULL where the library has none.
    cl_command_queue(CL_API_CALL* clCreateCommandQueueWithProperties)(cl_context context, cl_device_id device,
                                                                      const cl_bitfield* properties,
                                                                      cl_int* error);
} LiteCl;

// The table of the process. The first call opens the library, which then stays open. Returns NULL after a
// report when there is no OpenCL. Thread safe.
const LiteCl* lite_cl_load(const LiteReporter* reporter);

// "CL_OUT_OF_RESOURCES"; "unknown error" for codes outside OpenCL 1.2. Never NULL.
const char* lite_cl_error_name(cl_int error);

// Returns kTfLiteOk for CL_SUCCESS. Otherwise reports what failed and returns kTfLiteDelegateError, so that
// callers can tell failures of OpenCL from all others.
TfLiteStatus lite_cl_check(const LiteReporter* reporter, const char* what, cl_int error);

#endif
