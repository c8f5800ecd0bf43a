// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/async/attributes.h"

#include <string.h>

#include "core/base/attributes.h"
#include "delegate-opencl/graph/report.h"
#include "delegate-opencl/partition/prepare.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/async/interop/c/constants.h"

static const char* const memory_names[] = {OCLITE_OPENCL_HOST_MEMORY, OCLITE_OPENCL_CL_MEM};
static const char* const sync_names[] = {kTfLiteSyncTypeNoSyncObj, OCLITE_OPENCL_CL_EVENT};
enum { kSyncTypes = sizeof sync_names / sizeof *sync_names };

// The index of `name` in the list; `count` when it is not there.
static size_t find_name(const char* const* names, size_t count, const char* name) {
    size_t i = 0;
    while (i < count && strcmp(names[i], name) != 0) i++;
    return i;
}

LiteClMemoryType lite_cl_async_memory_type(const char* name) {
    return (LiteClMemoryType)find_name(memory_names, kLiteClMemoryTypes, name);
}

size_t lite_cl_async_alignment(const LiteClAsync* async, LiteClMemoryType type) {
    // Host memory is aligned like the interpreter's custom allocations, although the device copies it.
    return type == kLiteClDeviceMemory ? async->partition->device->alignment : 64;
}

void lite_cl_async_buffer_types(const TfLiteAsyncKernel* kernel, TfLiteIoType io_type,
                                const char* const** types, size_t* n_types) {
    (void)kernel;
    (void)io_type;
    *types = memory_names;
    *n_types = kLiteClMemoryTypes;
}

void lite_cl_async_synchronizations(const TfLiteAsyncKernel* kernel, TfLiteIoType io_type,
                                    const char* const** types, size_t* n_types) {
    (void)kernel;
    (void)io_type;
    *types = sync_names;
    *n_types = kSyncTypes;
}

static LiteClAsyncTensor* find_tensor(const LiteClAsync* async, int index) {
    for (int t = 0; t < async->tensor_count; t++) {
        if (async->tensors[t].tensor->index == index) return &async->tensors[t];
    }
    return NULL;
}

// Tensors that no node uses may have any buffers. Those inside the graph have none.
static TfLiteStatus check_tensor(const LiteClAsync* async, int index, const LiteReporter* reporter) {
    const LiteClTensor* inside = lite_cl_graph_tensor(&async->partition->graph, index);
    if (find_tensor(async, index) != NULL || inside == NULL) return kTfLiteOk;
    return lite_report(reporter, "OpenCL: tensor %d is %s", index,
                       inside->data != NULL ? "a constant" : "neither input nor output of the graph");
}

// The type in the list that the map names; the first one when it names none or an unknown one.
static size_t named_type(const TfLiteAttributeMap* attrs, const char* const* names, size_t count) {
    // The key is the same in maps of both kinds.
    const LiteAttributeValue* value =
        lite_attributes_get(attrs, NULL, (uint32_t)kTfLiteBufferAttrKeyResourceTypeName);
    const bool named = value != NULL && value->type == kLiteAttributeString && value->as_string != NULL;
    const size_t type = named ? find_name(names, count, value->as_string) : count;
    return type < count ? type : 0;
}

// Makes the attributes that are demanded of a buffer of `bytes` bytes or of a synchronization object. NULL
// after a report.
static TfLiteAttributeMap* create_demands(const LiteClAsync* async, const TfLiteAttributeMap* attrs,
                                          size_t bytes, const LiteReporter* reporter) {
    TfLiteAttributeMap* map = TfLiteAttributeMapCreate(attrs->type);
    bool good;
    if (attrs->type == kTfLiteAttrMapTypeBuffer) {
        const size_t type = named_type(attrs, memory_names, kLiteClMemoryTypes);
        const size_t alignment = lite_cl_async_alignment(async, (LiteClMemoryType)type);
        good = TfLiteAttributeMapSetStringBufferAttr(map, kTfLiteBufferAttrKeyResourceTypeName,
                                                     memory_names[type]) &&
               TfLiteAttributeMapSetSizeTBufferAttr(map, kTfLiteBufferAttrKeyAlignment, alignment) &&
               TfLiteAttributeMapSetSizeTBufferAttr(map, kTfLiteBufferAttrKeyPadding, sizeof(float)) &&
               TfLiteAttributeMapSetSizeTBufferAttr(map, kTfLiteBufferAttrKeySize, bytes);
    } else {
        good = TfLiteAttributeMapSetStringSyncAttr(map, kTfLiteSynchronizationAttrKeyObjectTypeName,
                                                   sync_names[named_type(attrs, sync_names, kSyncTypes)]);
    }
    if (good) return map;
    lite_report(reporter, "OpenCL: out of memory, or attributes neither of a buffer nor for synchronization");
    TfLiteAttributeMapDelete(map);
    return NULL;
}

// The same for a tensor with its present shape.
static TfLiteAttributeMap* create_tensor_demands(const LiteClAsync* async, TfLiteOpaqueContext* context,
                                                 int index, const TfLiteAttributeMap* attrs,
                                                 const LiteReporter* reporter) {
    if (check_tensor(async, index, reporter) != kTfLiteOk) return NULL;
    if (lite_cl_partition_prepare(async->partition, (TfLiteContext*)context) != kTfLiteOk) return NULL;
    const TfLiteOpaqueTensor* tensor = TfLiteOpaqueContextGetOpaqueTensor(context, index);
    return create_demands(async, attrs, TfLiteOpaqueTensorByteSize(tensor), reporter);
}

// Rounds the size up to a multiple of the padding, which may be a common multiple of two paddings.
static bool pad_size(TfLiteAttributeMap* merged) {
    size_t padding = 0;
    size_t size = 0;
    (void)TfLiteAttributeMapGetSizeTBufferAttr(merged, kTfLiteBufferAttrKeyPadding, &padding);
    (void)TfLiteAttributeMapGetSizeTBufferAttr(merged, kTfLiteBufferAttrKeySize, &size);
    if (padding == 0 || size % padding == 0) return true;
    const size_t missing = padding - size % padding;
    if (missing > SIZE_MAX - size) return false;
    return TfLiteAttributeMapSetSizeTBufferAttr(merged, kTfLiteBufferAttrKeySize, size + missing);
}

bool lite_cl_async_reconcile(const TfLiteAsyncKernel* kernel, const TfLiteOpaqueContext* context,
                             const TfLiteOpaqueNode* node, int tensor_index, const TfLiteAttributeMap* attrs,
                             TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict) {
    (void)node;
    TfLiteOpaqueContext* host = (TfLiteOpaqueContext*)(uintptr_t)context;
    const LiteReporter reporter = lite_cl_context_reporter((TfLiteContext*)host);
    TfLiteAttributeMap* demands =
        create_tensor_demands(lite_cl_async_of(kernel), host, tensor_index, attrs, &reporter);
    if (demands == NULL) return false;
    const bool good = lite_attributes_reconcile(demands, attrs, merged, conflict) && pad_size(merged);
    TfLiteAttributeMapDelete(demands);
    return good;
}

static void note(LiteClAsync* async, int index, const TfLiteAttributeMap* attrs) {
    LiteClAsyncTensor* tensor = find_tensor(async, index);
    if (tensor == NULL) return;
    lite_lock(&async->mutex);
    async->prepared = false;
    if (attrs->type == kTfLiteAttrMapTypeSync) {
        tensor->has_event = named_type(attrs, sync_names, kSyncTypes) != 0;
    } else {
        tensor->type = (LiteClMemoryType)named_type(attrs, memory_names, kLiteClMemoryTypes);
        (void)TfLiteAttributeMapGetSizeTBufferAttr(attrs, kTfLiteBufferAttrKeySize, &tensor->agreed_bytes);
    }
    lite_unlock(&async->mutex);
}

// Says what the attributes of tensor `index` should have been.
static TfLiteStatus refuse(const TfLiteAttributeMap* demands, int index, const LiteReporter* reporter) {
    if (demands->type == kTfLiteAttrMapTypeSync) {
        return lite_report(reporter, "OpenCL: tensor %d: synchronization is by \"%s\" or \"%s\"", index,
                           sync_names[0], sync_names[1]);
    }
    const char* type = NULL;
    size_t alignment = 0;
    size_t size = 0;
    (void)TfLiteAttributeMapGetStringBufferAttr(demands, kTfLiteBufferAttrKeyResourceTypeName, &type);
    (void)TfLiteAttributeMapGetSizeTBufferAttr(demands, kTfLiteBufferAttrKeyAlignment, &alignment);
    (void)TfLiteAttributeMapGetSizeTBufferAttr(demands, kTfLiteBufferAttrKeySize, &size);
    return lite_report(reporter,
                       "OpenCL: tensor %d: attributes of its buffer do not cover type \"%s\", alignment %zu, "
                       "padding %zu, size %zu",
                       index, type, alignment, sizeof(float), size);
}

TfLiteStatus lite_cl_async_set_attributes(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                          TfLiteOpaqueNode* node, int tensor_index,
                                          const TfLiteAttributeMap* attrs) {
    (void)node;
    LiteClAsync* async = lite_cl_async_of(kernel);
    const LiteReporter reporter = lite_cl_context_reporter((TfLiteContext*)context);
    TfLiteAttributeMap* demands = create_tensor_demands(async, context, tensor_index, attrs, &reporter);
    if (demands == NULL) return kTfLiteError;
    const TfLiteStatus status =
        lite_attributes_cover(attrs, demands, NULL) ? kTfLiteOk : refuse(demands, tensor_index, &reporter);
    TfLiteAttributeMapDelete(demands);
    if (status == kTfLiteOk) note(async, tensor_index, attrs);
    return status;
}
