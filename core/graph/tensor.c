// SPDX-License-Identifier: Apache-2.0
// Sizes of tensors, and how they change.
#include "core/graph/tensor.h"

#include <string.h>

#include "core/base/shape.h"
#include "core/graph/graph.h"
#include "core/graph/memory_limit.h"
#include "core/graph/subgraph.h"

TfLiteIntArray* lite_ints_copy(const int* data, int count) {
    TfLiteIntArray* copy = count < 0 ? NULL : TfLiteIntArrayCreate(count);
    if (copy != NULL && count > 0) memcpy(copy->data, data, (size_t)count * sizeof *data);
    return copy;
}

bool lite_tensor_has_fixed_size(TfLiteType type) {
    return type != kTfLiteString && type != kTfLiteResource && type != kTfLiteVariant;
}

TfLiteStatus lite_tensor_size(LiteSubgraph* subgraph, const TfLiteTensor* tensor, const TfLiteIntArray* dims,
                              size_t* bytes) {
    *bytes = 0;
    int64_t count;
    if (!lite_shape_count(dims->data, dims->size, &count)) {
        return lite_subgraph_fail(
            subgraph,
            "tensor '%s': its dimensions are negative or too large: BytesRequired number of "
            "elements overflowed.\n",
            tensor->name ? tensor->name : "");
    }
    if (!lite_tensor_has_fixed_size(tensor->type)) return kTfLiteOk;
    if (!lite_tensor_bytes(tensor->type, count, bytes)) {
        return lite_subgraph_fail(subgraph, "tensor '%s': no size is known for type %s",
                                  tensor->name ? tensor->name : "", TfLiteTypeGetName(tensor->type));
    }
    return kTfLiteOk;
}

// Of a tensor that owns its data.
static TfLiteStatus resize_owned(LiteSubgraph* subgraph, TfLiteTensor* tensor, size_t bytes) {
    const int index = lite_subgraph_tensor_index(subgraph, tensor);
    // Where less is needed, the tensor keeps the memory that it has.
    if (index >= 0 && (tensor->data.raw == NULL || bytes > tensor->bytes)) {
        LITE_TRY(lite_memory_charge(subgraph, tensor, bytes, &subgraph->slots[index].dynamic_bytes, bytes));
    }
    if (bytes <= PTRDIFF_MAX && TfLiteTensorRealloc(bytes, tensor) == kTfLiteOk) return kTfLiteOk;
    return lite_subgraph_fail(subgraph, "out of memory for %zu bytes of tensor '%s'", bytes,
                              tensor->name ? tensor->name : "");
}

// Whether a node reads the tensor before another writes it, as with graph inputs and variables. Its reader
// was prepared for the size that it has. (Programs resize graph inputs between inferences, where this is
// false.)
static bool is_read_before_written(const LiteSubgraph* subgraph, const TfLiteTensor* tensor) {
    const int index = lite_subgraph_tensor_index(subgraph, tensor);
    if (index < 0 || !subgraph->running) return false;
    return subgraph->slots[index].read_first && subgraph->slots[index].first_write >= 0;
}

TfLiteStatus lite_tensor_make_persistent(LiteSubgraph* subgraph, TfLiteTensor* tensor) {
    tensor->data.raw = NULL;
    tensor->allocation_type = kTfLitePersistentRo;
    const TfLiteStatus status = resize_owned(subgraph, tensor, tensor->bytes);
    if (status != kTfLiteOk) lite_tensor_leave_persistent(subgraph, tensor);
    return status;
}

void lite_tensor_leave_persistent(LiteSubgraph* subgraph, TfLiteTensor* tensor) {
    const int index = lite_subgraph_tensor_index(subgraph, tensor);
    TfLiteTensorDataFree(tensor);
    tensor->allocation_type = kTfLiteArenaRw;
    (void)lite_memory_charge(subgraph, tensor, 0, &subgraph->slots[index].dynamic_bytes, 0);
}

TfLiteStatus lite_tensor_resize(LiteSubgraph* subgraph, TfLiteTensor* tensor, TfLiteIntArray* dims) {
    const bool has_size = lite_tensor_has_fixed_size(tensor->type);
    size_t bytes;
    if (lite_tensor_size(subgraph, tensor, dims, &bytes) != kTfLiteOk) {
        TfLiteIntArrayFree(dims);
        return kTfLiteError;
    }
    const bool changes = tensor->dims == NULL || !TfLiteIntArrayEqual(tensor->dims, dims);
    if (changes && is_read_before_written(subgraph, tensor)) {
        TfLiteIntArrayFree(dims);
        return lite_subgraph_fail(subgraph,
                                  "tensor '%s' is written by a node, but an earlier one reads it: its size "
                                  "cannot change",
                                  tensor->name ? tensor->name : "");
    }
    subgraph->resized |= changes;
    switch (tensor->allocation_type) {
    case kTfLiteDynamic:
    case kTfLitePersistentRo:
        if (has_size && resize_owned(subgraph, tensor, bytes) != kTfLiteOk) {
            TfLiteIntArrayFree(dims);
            return kTfLiteError;
        }
        break;
    case kTfLiteArenaRw:
    case kTfLiteArenaRwPersistent:
        tensor->data.raw = NULL; // placed when all shapes are known
        break;
    case kTfLiteCustom:
    case kTfLiteNonCpu:
        break;
    default:
        TfLiteIntArrayFree(dims);
        return lite_subgraph_fail(subgraph, "Attempting to resize a fixed-size tensor ('%s')",
                                  tensor->name ? tensor->name : "");
    }
    if (has_size) tensor->bytes = bytes;
    if (tensor->allocation_type == kTfLiteCustom) lite_tensor_place_custom(subgraph, tensor);
    TfLiteIntArrayFree(tensor->dims);
    tensor->dims = dims;
    return kTfLiteOk;
}

void lite_tensor_place_custom(LiteSubgraph* subgraph, TfLiteTensor* tensor) {
    const LiteSlot* slot = &subgraph->slots[tensor - subgraph->context.tensors];
    tensor->data.data = slot->custom_bytes >= tensor->bytes ? slot->custom : NULL;
}

TfLiteQuantizationParams lite_tensor_legacy_quantization(const TfLiteQuantization* quantization) {
    const TfLiteAffineQuantization* affine = quantization->params;
    if (quantization->type != kTfLiteAffineQuantization || affine == NULL || affine->scale == NULL ||
        affine->zero_point == NULL || affine->scale->size != 1 || affine->zero_point->size != 1) {
        return (TfLiteQuantizationParams){0};
    }
    return (TfLiteQuantizationParams){affine->scale->data[0], affine->zero_point->data[0]};
}
