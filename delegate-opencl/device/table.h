// SPDX-License-Identifier: Apache-2.0
// OpenCL as a table of functions.
#ifndef DELEGATE_OPENCL_DEVICE_TABLE_H_
#define DELEGATE_OPENCL_DEVICE_TABLE_H_

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

// Series are not in builds of selected operators, which are small for it.
#ifndef LITE_CL_HAS_SERIES
#define LITE_CL_HAS_SERIES 1
#endif

typedef struct LiteCl {
#define CL_FUNCTION(name) __typeof__(name)* name;
#include "delegate-opencl/device/functions.def"
    // Of OpenCL 1.1, and deprecated later; NULL where the library has none.
    cl_int(CL_API_CALL* clEnqueueMarker)(cl_command_queue queue, cl_event* event);
    // Of OpenCL 2.0; NULL where the library has none.
    cl_command_queue(CL_API_CALL* clCreateCommandQueueWithProperties)(cl_context context, cl_device_id device,
                                                                      const cl_bitfield* properties,
                                                                      cl_int* error);
    // What series need (plan/series.h), of OpenCL 1.2 and 2.0; NULL where the library has none.
    __typeof__(clCompileProgram)* clCompileProgram;
    __typeof__(clLinkProgram)* clLinkProgram;
    void*(CL_API_CALL* clSVMAlloc)(cl_context context, cl_bitfield flags, size_t size, cl_uint alignment);
    void(CL_API_CALL* clSVMFree)(cl_context context, void* address);
    cl_int(CL_API_CALL* clSetKernelArgSVMPointer)(cl_kernel kernel, cl_uint index, const void* address);
} LiteCl;

// What functions return whose driver is lost (lite_cl_is_forked); none of OpenCL's own codes.
#define LITE_CL_FORKED (-9999)

#endif
