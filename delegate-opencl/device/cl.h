// SPDX-License-Identifier: Apache-2.0
// OpenCL, opened at run time: a machine without OpenCL can load the delegate too.
#ifndef DELEGATE_OPENCL_DEVICE_CL_H_
#define DELEGATE_OPENCL_DEVICE_CL_H_

#include <stdbool.h>

#include "core/base/status.h"
#include "delegate-opencl/device/table.h"

// The table of the process. The first call opens the library, which then stays open. Returns NULL after a
// report when there is no OpenCL. Thread safe.
const LiteCl* lite_cl_load(const LiteReporter* reporter);

// Has a call of it succeeded?
bool lite_cl_is_loaded(void);

// "CL_OUT_OF_RESOURCES"; "unknown error" for codes outside OpenCL 1.2. Never NULL.
const char* lite_cl_error_name(cl_int error);

// Was this process forked from one that used OpenCL? Drivers do not survive that: their threads are gone, and
// their locks may be held by nobody. From then on the functions of the table call no driver: what releases or
// retains an object does nothing, everything else fails with LITE_CL_FORKED.
bool lite_cl_is_forked(void);
// What to tell whoever wanted OpenCL there.
extern const char lite_cl_forked_text[];

// Returns kTfLiteOk for CL_SUCCESS. Otherwise reports what failed and returns kTfLiteDelegateError, so that
// callers can tell failures of OpenCL from all others.
TfLiteStatus lite_cl_check(const LiteReporter* reporter, const char* what, cl_int error);

#endif
