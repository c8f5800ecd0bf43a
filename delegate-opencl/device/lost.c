// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/lost.h"

// The functions look at none of their arguments.
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define FAILS(name, parameters)                                                                              \
    static cl_int CL_API_CALL lost_##name parameters {                                                       \
        return LITE_CL_FORKED;                                                                               \
    }
#define ASKS(name, object, info) FAILS(name, (object o, info what, size_t size, void* value, size_t* used))
// The object stays as it is: counting its references may need a lock of the driver.
#define COUNTS(name, object)                                                                                 \
    static cl_int CL_API_CALL lost_##name(object o) {                                                        \
        return CL_SUCCESS;                                                                                   \
    }
#define CREATES(name, type, parameters)                                                                      \
    static type CL_API_CALL lost_##name parameters {                                                         \
        if (error != NULL) *error = LITE_CL_FORKED;                                                          \
        return NULL;                                                                                         \
    }
#define COPIES(name, pointer)                                                                                \
    FAILS(name, (cl_command_queue q, cl_mem m, cl_bool wait, size_t offset, size_t size, pointer host,       \
                 cl_uint n, const cl_event* events, cl_event* event))

typedef void(CL_CALLBACK* ContextCallback)(const char*, const void*, size_t, void*);
typedef void(CL_CALLBACK* ProgramCallback)(cl_program, void*);

FAILS(clGetPlatformIDs, (cl_uint n, cl_platform_id* ids, cl_uint* count))
FAILS(clGetDeviceIDs, (cl_platform_id p, cl_device_type type, cl_uint n, cl_device_id* ids, cl_uint* count))
ASKS(clGetPlatformInfo, cl_platform_id, cl_platform_info)
ASKS(clGetDeviceInfo, cl_device_id, cl_device_info)
ASKS(clGetContextInfo, cl_context, cl_context_info)
ASKS(clGetCommandQueueInfo, cl_command_queue, cl_command_queue_info)
ASKS(clGetMemObjectInfo, cl_mem, cl_mem_info)
ASKS(clGetProgramInfo, cl_program, cl_program_info)
ASKS(clGetKernelInfo, cl_kernel, cl_kernel_info)
ASKS(clGetEventInfo, cl_event, cl_event_info)
ASKS(clGetEventProfilingInfo, cl_event, cl_profiling_info)
FAILS(clGetProgramBuildInfo,
      (cl_program p, cl_device_id d, cl_program_build_info what, size_t size, void* value, size_t* used))
FAILS(clGetKernelArgInfo,
      (cl_kernel k, cl_uint index, cl_kernel_arg_info what, size_t size, void* value, size_t* used))
FAILS(clGetKernelWorkGroupInfo,
      (cl_kernel k, cl_device_id d, cl_kernel_work_group_info what, size_t size, void* value, size_t* used))
FAILS(clBuildProgram, (cl_program p, cl_uint n, const cl_device_id* devices, const char* options,
                       ProgramCallback notify, void* data))
FAILS(clCompileProgram,
      (cl_program p, cl_uint n, const cl_device_id* devices, const char* options, cl_uint headers,
       const cl_program* programs, const char** names, ProgramCallback notify, void* data))
FAILS(clSetKernelArgSVMPointer, (cl_kernel k, cl_uint index, const void* address))
FAILS(clSetKernelArg, (cl_kernel k, cl_uint index, size_t size, const void* value))
FAILS(clEnqueueNDRangeKernel,
      (cl_command_queue q, cl_kernel k, cl_uint rank, const size_t* offset, const size_t* global,
       const size_t* local, cl_uint n, const cl_event* events, cl_event* event))
COPIES(clEnqueueReadBuffer, void*)
COPIES(clEnqueueWriteBuffer, const void*)
FAILS(clEnqueueUnmapMemObject,
      (cl_command_queue q, cl_mem m, void* mapped, cl_uint n, const cl_event* events, cl_event* event))
FAILS(clEnqueueBarrierWithWaitList, (cl_command_queue q, cl_uint n, const cl_event* events, cl_event* event))
FAILS(clEnqueueMarkerWithWaitList, (cl_command_queue q, cl_uint n, const cl_event* events, cl_event* event))
FAILS(clEnqueueMarker, (cl_command_queue q, cl_event* event))
FAILS(clWaitForEvents, (cl_uint n, const cl_event* events))
FAILS(clFlush, (cl_command_queue q))
FAILS(clFinish, (cl_command_queue q))

COUNTS(clRetainContext, cl_context)
COUNTS(clReleaseContext, cl_context)
COUNTS(clRetainCommandQueue, cl_command_queue)
COUNTS(clReleaseCommandQueue, cl_command_queue)
COUNTS(clRetainMemObject, cl_mem)
COUNTS(clReleaseMemObject, cl_mem)
COUNTS(clRetainEvent, cl_event)
COUNTS(clReleaseEvent, cl_event)
COUNTS(clReleaseProgram, cl_program)
COUNTS(clReleaseKernel, cl_kernel)

CREATES(clCreateContext, cl_context,
        (const cl_context_properties* properties, cl_uint n, const cl_device_id* devices,
         ContextCallback notify, void* data, cl_int* error))
CREATES(clCreateCommandQueue, cl_command_queue,
        (cl_context c, cl_device_id d, cl_command_queue_properties properties, cl_int* error))
CREATES(clCreateCommandQueueWithProperties, cl_command_queue,
        (cl_context c, cl_device_id d, const cl_bitfield* properties, cl_int* error))
CREATES(clCreateBuffer, cl_mem, (cl_context c, cl_mem_flags flags, size_t size, void* host, cl_int* error))
CREATES(clCreateSubBuffer, cl_mem,
        (cl_mem m, cl_mem_flags flags, cl_buffer_create_type type, const void* region, cl_int* error))
CREATES(clCreateProgramWithBinary, cl_program,
        (cl_context c, cl_uint n, const cl_device_id* devices, const size_t* sizes,
         const unsigned char** binaries, cl_int* fits, cl_int* error))
CREATES(clCreateProgramWithSource, cl_program,
        (cl_context c, cl_uint n, const char** texts, const size_t* lengths, cl_int* error))
CREATES(clLinkProgram, cl_program,
        (cl_context c, cl_uint n, const cl_device_id* devices, const char* options, cl_uint count,
         const cl_program* programs, ProgramCallback notify, void* data, cl_int* error))
CREATES(clCreateKernel, cl_kernel, (cl_program p, const char* name, cl_int* error))
CREATES(clEnqueueMapBuffer, void*,
        (cl_command_queue q, cl_mem m, cl_bool wait, cl_map_flags flags, size_t offset, size_t size,
         cl_uint n, const cl_event* events, cl_event* event, cl_int* error))

static void* CL_API_CALL lost_clSVMAlloc(cl_context c, cl_bitfield flags, size_t size, cl_uint alignment) {
    return NULL;
}
// The memory stays: the driver's list of it may be half changed.
static void CL_API_CALL lost_clSVMFree(cl_context c, void* address) {}

const LiteCl lite_cl_lost = {
#define CL_FUNCTION(name) .name = lost_##name,
#include "delegate-opencl/device/functions.def"
    .clCompileProgram = lost_clCompileProgram,
    .clLinkProgram = lost_clLinkProgram,
    .clSVMAlloc = lost_clSVMAlloc,
    .clSVMFree = lost_clSVMFree,
    .clSetKernelArgSVMPointer = lost_clSetKernelArgSVMPointer,
    .clEnqueueMarker = lost_clEnqueueMarker,
    .clCreateCommandQueueWithProperties = lost_clCreateCommandQueueWithProperties,
};
