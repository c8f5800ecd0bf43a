// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/buffer.h"

#include "core/base/memory.h"

TfLiteStatus lite_cl_buffer_describe(const LiteClDevice* device, LiteClBuffer* buffer, cl_mem memory,
                                     const LiteReporter* reporter) {
    cl_mem_object_type type = 0;
    cl_context context = NULL;
    cl_mem_flags flags = 0;
    cl_mem parent = NULL;
#define ASK(what, value)                                                                                     \
    LITE_TRY(lite_cl_check(reporter, "clGetMemObjectInfo of a buffer (" #what ")",                           \
                           device->cl->clGetMemObjectInfo(memory, what, sizeof(value), &(value), NULL)))
    ASK(CL_MEM_TYPE, type);
    ASK(CL_MEM_CONTEXT, context);
    if (type != CL_MEM_OBJECT_BUFFER) return lite_report(reporter, "OpenCL: the cl_mem is no buffer");
    if (context != device->context) {
        return lite_report(reporter, "OpenCL: the cl_mem is of another context than the delegate's "
                                     "(oclite_opencl_delegate_context)");
    }
    ASK(CL_MEM_FLAGS, flags);
    ASK(CL_MEM_SIZE, buffer->bytes);
    ASK(CL_MEM_ASSOCIATED_MEMOBJECT, parent);
    if (parent != NULL) ASK(CL_MEM_OFFSET, buffer->offset);
#undef ASK
    buffer->type = kLiteClDeviceMemory;
    buffer->root = parent != NULL ? parent : memory;
    buffer->readable = (flags & CL_MEM_WRITE_ONLY) == 0;
    buffer->writable = (flags & CL_MEM_READ_ONLY) == 0;
    return kTfLiteOk;
}

TfLiteStatus lite_cl_buffer_check_use(const LiteClBuffer* buffer, bool as_output,
                                      const LiteReporter* reporter) {
    if (as_output ? buffer->writable : buffer->readable) return kTfLiteOk;
    return lite_report(reporter, "OpenCL: kernels cannot %s the cl_mem, by its flags",
                       as_output ? "write" : "read");
}

TfLiteStatus lite_cl_buffer_cut(LiteClBuffer* buffer, size_t offset, size_t size,
                                const LiteReporter* reporter) {
    if (offset > buffer->bytes || size > buffer->bytes - offset) {
        return lite_report(reporter, "OpenCL: %zu bytes at offset %zu are not within the buffer's %zu bytes",
                           size, offset, buffer->bytes);
    }
    buffer->bytes = size != 0 ? size : buffer->bytes - offset;
    buffer->offset += offset;
    if (buffer->host != NULL) buffer->host += offset;
    return kTfLiteOk;
}

TfLiteStatus lite_cl_buffer_check_alignment(const LiteClBuffer* buffer, size_t alignment,
                                            const LiteReporter* reporter) {
    const bool on_host = buffer->type == kLiteClHostMemory;
    const size_t place = on_host ? (size_t)(uintptr_t)buffer->host : buffer->offset;
    if (alignment == 0 || place % alignment == 0) return kTfLiteOk;
    return lite_report(reporter, "OpenCL: the %s %zu of a buffer is not aligned to %zu bytes",
                       on_host ? "address" : "offset", place, alignment);
}

// Takes a reference to the root, and creates the part that kernels get.
static TfLiteStatus create_memory(const LiteClDevice* device, LiteClBuffer* buffer,
                                  const LiteReporter* reporter) {
    const LiteCl* cl = device->cl;
    cl_int error = cl->clRetainMemObject(buffer->root);
    if (error != CL_SUCCESS) buffer->root = NULL;
    LITE_TRY(lite_cl_check(reporter, "clRetainMemObject", error));
    if (buffer->offset == 0) {
        LITE_TRY(lite_cl_check(reporter, "clRetainMemObject", cl->clRetainMemObject(buffer->root)));
        buffer->memory = buffer->root;
        return kTfLiteOk;
    }
    const cl_buffer_region region = {buffer->offset, buffer->bytes};
    buffer->memory = cl->clCreateSubBuffer(buffer->root, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    return lite_cl_check(reporter, "clCreateSubBuffer", error);
}

LiteClBuffer* lite_cl_buffer_create(const LiteClDevice* device, const LiteClBuffer* described,
                                    const LiteReporter* reporter) {
    LiteClBuffer* buffer = lite_malloc(sizeof *buffer);
    if (buffer == NULL) {
        lite_report(reporter, "OpenCL: out of memory");
        return NULL;
    }
    *buffer = *described;
    buffer->memory = NULL;
    if (buffer->root == NULL || create_memory(device, buffer, reporter) == kTfLiteOk) return buffer;
    lite_cl_buffer_destroy(device, buffer);
    return NULL;
}

void lite_cl_buffer_destroy(const LiteClDevice* device, LiteClBuffer* buffer) {
    if (buffer->memory != NULL) device->cl->clReleaseMemObject(buffer->memory);
    if (buffer->root != NULL) device->cl->clReleaseMemObject(buffer->root);
    lite_free(buffer);
}

void lite_cl_buffers_destroy(const LiteClDevice* device, LiteClBuffer** list) {
    while (*list != NULL) {
        LiteClBuffer* buffer = *list;
        *list = buffer->next;
        lite_cl_buffer_destroy(device, buffer);
    }
}

LiteClBuffer** lite_cl_buffer_link(LiteClBuffer** list, TfLiteBufferHandle handle) {
    while (*list != NULL && (*list)->handle != handle) list = &(*list)->next;
    return list;
}

bool lite_cl_buffers_overlap(const LiteClBuffer* a, const LiteClBuffer* b) {
    if (a->type != b->type || a->root != b->root) return false;
    const bool on_host = a->type == kLiteClHostMemory;
    const uintptr_t first = on_host ? (uintptr_t)a->host : a->offset;
    const uintptr_t second = on_host ? (uintptr_t)b->host : b->offset;
    return first < second ? second - first < a->bytes : first - second < b->bytes;
}
