// SPDX-License-Identifier: Apache-2.0
// Functions in place of OpenCL's, which always fail.
#ifndef TESTS_SUPPORT_CL_FAILURES_H_
#define TESTS_SUPPORT_CL_FAILURES_H_

#include "delegate-opencl/device/cl.h"

cl_mem cl_fail_buffer(cl_context context, cl_mem_flags flags, size_t size, void* host, cl_int* error);
cl_int cl_fail_argument(cl_kernel kernel, cl_uint index, size_t size, const void* value);
cl_int cl_fail_launch(cl_command_queue queue, cl_kernel kernel, cl_uint rank, const size_t* offset,
                      const size_t* global, const size_t* local, cl_uint count, const cl_event* events,
                      cl_event* event);

#endif
