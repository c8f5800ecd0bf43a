// SPDX-License-Identifier: Apache-2.0
// Functions that copy, which are counted, and functions that a version of OpenCL does not have.
#include <stdatomic.h>
#include <stdio.h>

#include "tests/support/cl_layer/profile.h"

typedef struct Copies {
    atomic_size_t count;
    atomic_size_t bytes;
} Copies;
static Copies reads, writes, maps, copies;
static Copies lent; // of the maps, those of buffers that are the host's memory: nothing is copied

// The delegate measures the memory of GPUs with so many bytes, and some less (device/memory.c). No tensor of
// a recorded case has as many.
enum { MEASURED = (4 << 20) - 64 };

static void count(Copies* of, size_t bytes) {
    if (bytes >= MEASURED) return;
    atomic_fetch_add(&of->count, 1);
    atomic_fetch_add(&of->bytes, bytes);
}

void profile_tell_copies(char* text, size_t size) {
    snprintf(
        text, size,
        "copied: %zu reads %zu bytes, %zu writes %zu bytes, %zu maps %zu bytes, %zu copies %zu bytes, %zu "
        "lent %zu bytes\n",
        reads.count, reads.bytes, writes.count, writes.bytes, maps.count, maps.bytes, copies.count,
        copies.bytes, lent.count, lent.bytes);
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                      size_t size, void* to, cl_uint n, const cl_event* events,
                                      cl_event* event) {
    count(&reads, size);
    return below->clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to, n, events, event);
}

static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                       size_t size, const void* from, cl_uint n, const cl_event* events,
                                       cl_event* event) {
    count(&writes, size);
    return below->clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, from, n, events, event);
}

static cl_int CL_API_CALL copy_buffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                      size_t to_offset, size_t size, cl_uint n, const cl_event* events,
                                      cl_event* event) {
    count(&copies, size);
    return below->clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, size, n, events, event);
}

static bool is_of_host(cl_mem buffer) {
    cl_mem_flags flags = 0;
    return below->clGetMemObjectInfo(buffer, CL_MEM_FLAGS, sizeof flags, &flags, NULL) == CL_SUCCESS &&
           (flags & CL_MEM_USE_HOST_PTR) != 0;
}

static void* CL_API_CALL map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                    cl_map_flags flags, size_t offset, size_t size, cl_uint n,
                                    const cl_event* events, cl_event* event, cl_int* error) {
    count(&maps, size);
    if (is_of_host(buffer)) count(&lent, size);
    if (profile->version < 120 && (flags & CL_MAP_WRITE_INVALIDATE_REGION) != 0) {
        const cl_int found =
            refuse("clEnqueueMapBuffer", CL_INVALID_VALUE, "flags %#lx", (unsigned long)flags);
        if (error != NULL) *error = found;
        return NULL;
    }
    return below->clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, n, events, event, error);
}

// REFUSED(version, name, parameters): a function that returns an error; REFUSED_NEW: one that makes an object
// and tells the error by its last parameter.
#define REFUSED(since, name, parameters)                                                                     \
    static cl_int CL_API_CALL refused_##name parameters {                                                    \
        return refuse(#name, CL_INVALID_OPERATION, "OpenCL %d, the device has %d", since, profile->version); \
    }
#define REFUSED_NEW(since, name, type, parameters)                                                           \
    static type CL_API_CALL refused_##name parameters {                                                      \
        const cl_int found =                                                                                 \
            refuse(#name, CL_INVALID_OPERATION, "OpenCL %d, the device has %d", since, profile->version);    \
        if (error != NULL) *error = found;                                                                   \
        return NULL;                                                                                         \
    }
#include "tests/support/cl_layer/later.def"

void profile_install_commands(cl_icd_dispatch* table) {
    table->clEnqueueReadBuffer = read_buffer;
    table->clEnqueueWriteBuffer = write_buffer;
    table->clEnqueueCopyBuffer = copy_buffer;
    table->clEnqueueMapBuffer = map_buffer;
#define REFUSED(since, name, parameters)                                                                     \
    if (profile->version < (since)) table->name = refused_##name;
#define REFUSED_NEW(since, name, type, parameters) REFUSED(since, name, parameters)
#include "tests/support/cl_layer/later.def"
}
