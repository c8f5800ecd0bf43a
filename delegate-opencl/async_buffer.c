// SPDX-License-Identifier: Apache-2.0
// Registered buffers.
#include "delegate-opencl/async.h"
#include "delegate-opencl/delegate.h"
#include "oclite/opencl.h"

static const char* const type_list = "\"" OCLITE_OPENCL_HOST_MEMORY "\" or \"" OCLITE_OPENCL_CL_MEM "\"";

// What points to the buffer; to NULL when there is none.
static LiteClBuffer** find_link(LiteClAsync* async, TfLiteBufferHandle handle) {
    LiteClBuffer** link = &async->buffers;
    while (*link != NULL && (*link)->handle != handle) link = &(*link)->next;
    return link;
}

LiteClBuffer* lite_cl_buffer_find(LiteClAsync* async, TfLiteBufferHandle handle) {
    return *find_link(async, handle);
}

static void free_buffer(const LiteClAsync* async, LiteClBuffer* buffer) {
    const LiteCl* cl = async->partition->device->cl;
    if (buffer->memory != NULL) cl->clReleaseMemObject(buffer->memory);
    if (buffer->root != NULL) cl->clReleaseMemObject(buffer->root);
    lite_free(buffer);
}

void lite_cl_buffers_free(LiteClAsync* async) {
    while (async->buffers != NULL) {
        LiteClBuffer* buffer = async->buffers;
        async->buffers = buffer->next;
        free_buffer(async, buffer);
    }
}

static size_t size_attribute(const TfLiteAttributeMap* attrs, TfLiteBufferAttrKey key) {
    size_t value = 0;
    (void)TfLiteAttributeMapGetSizeTBufferAttr(attrs, key, &value);
    return value;
}

// Checks what the attributes claim; the buffer is complete but for `memory`.
static TfLiteStatus check_claims(const LiteClAsync* async, const LiteClBuffer* buffer,
                                 const TfLiteAttributeMap* attrs, const LiteReporter* reporter) {
    const size_t padding = size_attribute(attrs, kTfLiteBufferAttrKeyPadding);
    if (padding != 0 && buffer->bytes % padding != 0) {
        return lite_report(reporter, "OpenCL: the size %zu of a buffer is not a multiple of its padding %zu",
                           buffer->bytes, padding);
    }
    const bool on_host = buffer->type == kLiteClHostMemory;
    const size_t place = on_host ? (size_t)(uintptr_t)buffer->host : buffer->offset;
    const size_t claimed = size_attribute(attrs, kTfLiteBufferAttrKeyAlignment);
    const size_t alignments[] = {lite_cl_memory_alignment(async, buffer->type), claimed};
    for (int i = 0; i < 2; i++) {
        if (alignments[i] == 0 || place % alignments[i] == 0) continue;
        return lite_report(reporter, "OpenCL: the %s %zu of a buffer is not aligned to %zu bytes",
                           on_host ? "address" : "offset", place, alignments[i]);
    }
    return kTfLiteOk;
}

// Cuts the part that the attributes say out of a buffer. A size of 0 stands for the rest.
static TfLiteStatus cut(LiteClBuffer* buffer, const TfLiteAttributeMap* attrs, const LiteReporter* reporter) {
    const size_t offset = size_attribute(attrs, kTfLiteBufferAttrKeyOffset);
    const size_t size = size_attribute(attrs, kTfLiteBufferAttrKeySize);
    if (offset > buffer->bytes || size > buffer->bytes - offset) {
        return lite_report(reporter, "OpenCL: %zu bytes at offset %zu are not within the buffer's %zu bytes",
                           size, offset, buffer->bytes);
    }
    buffer->bytes = size != 0 ? size : buffer->bytes - offset;
    buffer->offset += offset;
    if (buffer->host != NULL) buffer->host += offset;
    return kTfLiteOk;
}

// Gives the buffer a reference of its own to the root, and the part that kernels take.
static TfLiteStatus create_memory(const LiteClAsync* async, LiteClBuffer* buffer,
                                  const LiteReporter* reporter) {
    const LiteCl* cl = async->partition->device->cl;
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

// Enters a buffer that is complete but for references.
static TfLiteStatus enter(LiteClAsync* async, const LiteClBuffer* described, const LiteReporter* reporter) {
    LiteClBuffer* buffer = lite_malloc(sizeof *buffer);
    if (buffer == NULL) return lite_report(reporter, "OpenCL: out of memory");
    *buffer = *described;
    buffer->memory = NULL;
    if (buffer->root != NULL && create_memory(async, buffer, reporter) != kTfLiteOk) {
        free_buffer(async, buffer);
        return kTfLiteError;
    }
    pthread_mutex_lock(&async->mutex);
    buffer->next = async->buffers;
    async->buffers = buffer;
    pthread_mutex_unlock(&async->mutex);
    return kTfLiteOk;
}

static TfLiteStatus describe_host(LiteClBuffer* buffer, void* pointer, const TfLiteAttributeMap* attrs,
                                  const LiteReporter* reporter) {
    const size_t size = size_attribute(attrs, kTfLiteBufferAttrKeySize);
    const size_t offset = size_attribute(attrs, kTfLiteBufferAttrKeyOffset);
    if (size == 0) return lite_report(reporter, "OpenCL: attributes of a buffer in host memory have no size");
    if (offset > SIZE_MAX - size) return lite_report(reporter, "OpenCL: a buffer's size is too large");
    buffer->host = pointer;
    buffer->bytes = offset + size;
    buffer->readable = true;
    return kTfLiteOk;
}

// A cl_mem of the program, which may itself be a part of another one.
static TfLiteStatus describe_device(const LiteClAsync* async, LiteClBuffer* buffer, cl_mem memory,
                                    const LiteReporter* reporter) {
    const LiteClDevice* device = async->partition->device;
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
    buffer->root = parent != NULL ? parent : memory;
    buffer->readable = (flags & CL_MEM_WRITE_ONLY) == 0;
    buffer->writable = (flags & CL_MEM_READ_ONLY) == 0;
    return kTfLiteOk;
}

static TfLiteStatus describe(const LiteClAsync* async, LiteClBuffer* buffer, TfLiteIoType io_type,
                             void* pointer, const TfLiteAttributeMap* attrs, const LiteReporter* reporter) {
    const char* name = NULL;
    (void)TfLiteAttributeMapGetStringBufferAttr(attrs, kTfLiteBufferAttrKeyResourceTypeName, &name);
    if (name == NULL) return lite_report(reporter, "OpenCL: a buffer without type: %s", type_list);
    buffer->type = lite_cl_memory_type(name);
    if (buffer->type == kLiteClMemoryTypes) {
        return lite_report(reporter, "OpenCL: buffers of type \"%s\" are not known: %s", name, type_list);
    }
    if (pointer == NULL) return lite_report(reporter, "OpenCL: a buffer that is NULL");
    const bool is_output = io_type == kTfLiteIoTypeOutput;
    buffer->writable = true;
    if (buffer->type == kLiteClHostMemory) {
        LITE_TRY(describe_host(buffer, pointer, attrs, reporter));
    } else {
        LITE_TRY(describe_device(async, buffer, pointer, reporter));
    }
    if (is_output ? !buffer->writable : !buffer->readable) {
        return lite_report(reporter, "OpenCL: kernels cannot %s the cl_mem, by its flags",
                           is_output ? "write" : "read");
    }
    buffer->writable = is_output;
    LITE_TRY(cut(buffer, attrs, reporter));
    return check_claims(async, buffer, attrs, reporter);
}

TfLiteStatus lite_cl_async_register_buffer(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                           TfLiteIoType io_type, const TfLiteBackendBuffer* wrapper,
                                           const TfLiteAttributeMap* attrs, TfLiteBufferHandle handle) {
    LiteClAsync* async = lite_cl_async_of(kernel);
    const LiteReporter reporter = lite_cl_context_reporter((TfLiteContext*)context);
    LiteClBuffer buffer = {.handle = handle, .pool = kTfLiteNullBufferHandle};
    LITE_TRY(describe(async, &buffer, io_type, TfLiteBackendBufferGetPtr(wrapper), attrs, &reporter));
    return enter(async, &buffer, &reporter);
}

TfLiteStatus lite_cl_async_register_slice(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                          TfLiteBufferHandle pool, const TfLiteAttributeMap* attrs,
                                          TfLiteBufferHandle handle) {
    LiteClAsync* async = lite_cl_async_of(kernel);
    const LiteReporter reporter = lite_cl_context_reporter((TfLiteContext*)context);
    pthread_mutex_lock(&async->mutex);
    const LiteClBuffer* whole = lite_cl_buffer_find(async, pool);
    LiteClBuffer slice = whole != NULL ? *whole : (LiteClBuffer){0};
    pthread_mutex_unlock(&async->mutex);
    if (whole == NULL) return lite_report(&reporter, "OpenCL: there is no buffer %d", pool);
    if (slice.pool != kTfLiteNullBufferHandle) {
        return lite_report(&reporter, "OpenCL: buffer %d is itself a slice", pool);
    }
    if (size_attribute(attrs, kTfLiteBufferAttrKeySize) == 0) {
        return lite_report(&reporter, "OpenCL: the attributes of a slice have no size");
    }
    slice.handle = handle;
    slice.pool = pool;
    LITE_TRY(cut(&slice, attrs, &reporter));
    LITE_TRY(check_claims(async, &slice, attrs, &reporter));
    return enter(async, &slice, &reporter);
}

static bool in_flight(const LiteClAsync* async, const LiteClBuffer* buffer) {
    for (const LiteClJob* job = async->jobs; job != NULL; job = job->next) {
        if (job->waited) continue;
        for (int t = 0; t < async->tensor_count; t++) {
            if (job->buffers[t] == buffer) return true;
        }
    }
    return false;
}

static bool has_slices(const LiteClAsync* async, TfLiteBufferHandle handle) {
    for (const LiteClBuffer* buffer = async->buffers; buffer != NULL; buffer = buffer->next) {
        if (buffer->pool == handle) return true;
    }
    return false;
}

static TfLiteStatus unregister(LiteClAsync* async, TfLiteBufferHandle handle, const LiteReporter* reporter) {
    LiteClBuffer** link = find_link(async, handle);
    LiteClBuffer* buffer = *link;
    if (buffer == NULL) return lite_report(reporter, "OpenCL: there is no buffer %d", handle);
    if (has_slices(async, handle)) return lite_report(reporter, "OpenCL: buffer %d has slices", handle);
    if (in_flight(async, buffer)) {
        return lite_report(reporter, "OpenCL: buffer %d is used by a task that was not waited for", handle);
    }
    *link = buffer->next;
    free_buffer(async, buffer);
    return kTfLiteOk;
}

TfLiteStatus lite_cl_async_unregister_buffer(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                             TfLiteBufferHandle handle) {
    LiteClAsync* async = lite_cl_async_of(kernel);
    const LiteReporter reporter = lite_cl_context_reporter((TfLiteContext*)context);
    pthread_mutex_lock(&async->mutex);
    const TfLiteStatus status = unregister(async, handle, &reporter);
    pthread_mutex_unlock(&async->mutex);
    return status;
}
