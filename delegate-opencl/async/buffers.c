// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/async/buffers.h"

#include "delegate-opencl/async/attributes.h"
#include "delegate-opencl/graph/report.h"
#include "oclite/opencl.h"

static const char* const type_list = "\"" OCLITE_OPENCL_HOST_MEMORY "\" or \"" OCLITE_OPENCL_CL_MEM "\"";

LiteClBuffer* lite_cl_async_find_buffer(LiteClAsync* async, TfLiteBufferHandle handle) {
    return *lite_cl_buffer_link(&async->buffers, handle);
}

static size_t size_attribute(const TfLiteAttributeMap* attrs, TfLiteBufferAttrKey key) {
    size_t value = 0;
    (void)TfLiteAttributeMapGetSizeTBufferAttr(attrs, key, &value);
    return value;
}

// Checks what the attributes say of the buffer, which is complete but for `memory`.
static TfLiteStatus check_claims(const LiteClAsync* async, const LiteClBuffer* buffer,
                                 const TfLiteAttributeMap* attrs, const LiteReporter* reporter) {
    const size_t padding = size_attribute(attrs, kTfLiteBufferAttrKeyPadding);
    if (padding != 0 && buffer->bytes % padding != 0) {
        return lite_report(reporter, "OpenCL: the size %zu of a buffer is not a multiple of its padding %zu",
                           buffer->bytes, padding);
    }
    LITE_TRY(lite_cl_buffer_check_alignment(buffer, lite_cl_async_alignment(async, buffer->type), reporter));
    return lite_cl_buffer_check_alignment(buffer, size_attribute(attrs, kTfLiteBufferAttrKeyAlignment),
                                          reporter);
}

// Narrows the buffer to the part that the attributes name.
static TfLiteStatus cut(LiteClBuffer* buffer, const TfLiteAttributeMap* attrs, const LiteReporter* reporter) {
    return lite_cl_buffer_cut(buffer, size_attribute(attrs, kTfLiteBufferAttrKeyOffset),
                              size_attribute(attrs, kTfLiteBufferAttrKeySize), reporter);
}

// Adds a buffer that is complete but for references to the list.
static TfLiteStatus enter(LiteClAsync* async, const LiteClBuffer* described, const LiteReporter* reporter) {
    LiteClBuffer* buffer = lite_cl_buffer_create(async->partition->device, described, reporter);
    if (buffer == NULL) return kTfLiteError;
    lite_lock(&async->mutex);
    buffer->next = async->buffers;
    async->buffers = buffer;
    lite_unlock(&async->mutex);
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

static TfLiteStatus describe(const LiteClAsync* async, LiteClBuffer* buffer, TfLiteIoType io_type,
                             void* pointer, const TfLiteAttributeMap* attrs, const LiteReporter* reporter) {
    const char* name = NULL;
    (void)TfLiteAttributeMapGetStringBufferAttr(attrs, kTfLiteBufferAttrKeyResourceTypeName, &name);
    if (name == NULL) return lite_report(reporter, "OpenCL: a buffer without type: %s", type_list);
    buffer->type = lite_cl_async_memory_type(name);
    if (buffer->type == kLiteClMemoryTypes) {
        return lite_report(reporter, "OpenCL: buffers of type \"%s\" are not known: %s", name, type_list);
    }
    if (pointer == NULL) return lite_report(reporter, "OpenCL: a buffer that is NULL");
    const bool is_output = io_type == kTfLiteIoTypeOutput;
    buffer->writable = true;
    if (buffer->type == kLiteClHostMemory) {
        LITE_TRY(describe_host(buffer, pointer, attrs, reporter));
    } else {
        LITE_TRY(lite_cl_buffer_describe(async->partition->device, buffer, pointer, reporter));
    }
    LITE_TRY(lite_cl_buffer_check_use(buffer, is_output, reporter));
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
    lite_lock(&async->mutex);
    const LiteClBuffer* whole = lite_cl_async_find_buffer(async, pool);
    LiteClBuffer slice = whole != NULL ? *whole : (LiteClBuffer){0};
    lite_unlock(&async->mutex);
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
    LiteClBuffer** link = lite_cl_buffer_link(&async->buffers, handle);
    LiteClBuffer* buffer = *link;
    if (buffer == NULL) return lite_report(reporter, "OpenCL: there is no buffer %d", handle);
    if (has_slices(async, handle)) return lite_report(reporter, "OpenCL: buffer %d has slices", handle);
    if (in_flight(async, buffer)) {
        return lite_report(reporter, "OpenCL: buffer %d is used by a task that was not waited for", handle);
    }
    *link = buffer->next;
    lite_cl_buffer_destroy(async->partition->device, buffer);
    return kTfLiteOk;
}

TfLiteStatus lite_cl_async_unregister_buffer(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                             TfLiteBufferHandle handle) {
    LiteClAsync* async = lite_cl_async_of(kernel);
    const LiteReporter reporter = lite_cl_context_reporter((TfLiteContext*)context);
    lite_lock(&async->mutex);
    const TfLiteStatus status = unregister(async, handle, &reporter);
    lite_unlock(&async->mutex);
    return status;
}
