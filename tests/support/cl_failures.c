// SPDX-License-Identifier: Apache-2.0
#include "tests/support/cl_failures.h"

#include <stddef.h>

cl_mem cl_fail_buffer(cl_context context, cl_mem_flags flags, size_t size, void* host, cl_int* error) {
    (void)context, (void)flags, (void)size, (void)host;
    *error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

cl_int cl_fail_argument(cl_kernel kernel, cl_uint index, size_t size, const void* value) {
    (void)kernel, (void)index, (void)size, (void)value;
    return CL_INVALID_ARG_SIZE;
}

cl_int cl_fail_launch(cl_command_queue queue, cl_kernel kernel, cl_uint rank, const size_t* offset,
                      const size_t* global, const size_t* local, cl_uint count, const cl_event* events,
                      cl_event* event) {
    (void)queue, (void)kernel, (void)rank, (void)offset, (void)global, (void)local;
    (void)count, (void)events, (void)event;
    return CL_OUT_OF_RESOURCES;
}
