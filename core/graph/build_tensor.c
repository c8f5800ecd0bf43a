// SPDX-License-Identifier: Apache-2.0
// What the program says of a tensor. What the loader checks in a file is checked here.
#include "core/graph/build_tensor.h"

#include <math.h>
#include <string.h>

#include "core/base/shape.h"
#include "core/graph/build.h"
#include "core/graph/create.h"
#include "core/graph/graph.h"
#include "core/graph/memory_limit.h"
#include "core/graph/subgraph.h"
#include "core/graph/tensor.h"
#include "core/model/strings.h"

static TfLiteStatus check_dims(LiteSubgraph* subgraph, int index, const OcliteNewTensor* wanted) {
    const bool has_dims = wanted->rank == 0 || wanted->dims != NULL;
    const bool has_signature = wanted->signature_rank == 0 || wanted->dims_signature != NULL;
    if (wanted->rank < 0 || !has_dims) {
        return lite_subgraph_fail(subgraph, "tensor %d: %d dimensions%s", index, wanted->rank,
                                  has_dims ? "" : " at NULL");
    }
    if (!has_signature || (wanted->signature_rank != 0 && wanted->signature_rank != wanted->rank)) {
        return lite_subgraph_fail(subgraph, "tensor %d: a signature of %d dimensions for a tensor of %d%s",
                                  index, wanted->signature_rank, wanted->rank,
                                  has_signature ? "" : " at NULL");
    }
    for (int i = 0; i < wanted->rank; i++) {
        if (wanted->dims[i] >= 0) continue;
        return lite_subgraph_fail(subgraph, "tensor %d: dimension %d is %d", index, i, wanted->dims[i]);
    }
    return kTfLiteOk;
}

// Bytes of the elements; 0 for types without a fixed size. The words for an overflow are the reference's.
static TfLiteStatus required_bytes(LiteSubgraph* subgraph, int index, const OcliteNewTensor* wanted,
                                   size_t* count, size_t* bytes) {
    *count = 1;
    *bytes = 0;
    for (int i = 0; i < wanted->rank; i++) {
        if (lite_size_mul(*count, (size_t)wanted->dims[i], count) && *count <= INT64_MAX) continue;
        return lite_subgraph_fail(subgraph, "tensor %d: BytesRequired number of elements overflowed.\n",
                                  index);
    }
    // A tensor that says nothing of itself yet has no type either.
    if (!lite_tensor_has_fixed_size(wanted->type) || wanted->type == kTfLiteNoType) return kTfLiteOk;
    size_t one;
    if (!lite_tensor_bytes(wanted->type, 1, &one)) {
        return lite_subgraph_fail(subgraph, "tensor %d: no size is known for type %s", index,
                                  TfLiteTypeGetName(wanted->type));
    }
    if (lite_tensor_bytes(wanted->type, (int64_t)*count, bytes)) return kTfLiteOk;
    return lite_subgraph_fail(subgraph, "tensor %d: BytesRequired number of bytes overflowed.\n", index);
}

static TfLiteStatus check_values(LiteSubgraph* subgraph, int index, TfLiteType type,
                                 const TfLiteAffineQuantization* affine) {
    int32_t low, high;
    if (!lite_type_limits(type, &low, &high)) {
        low = INT32_MIN;
        high = INT32_MAX;
    }
    for (int i = 0; i < affine->scale->size; i++) {
        const float scale = affine->scale->data[i];
        const int zero_point = affine->zero_point->data[i];
        if (!isfinite(scale) || scale < 0) {
            return lite_subgraph_fail(subgraph, "tensor %d: quantization: scale[%d] is %g", index, i,
                                      (double)scale);
        }
        if (zero_point < low || zero_point > high) {
            return lite_subgraph_fail(subgraph,
                                      "tensor %d: quantization: zero_point[%d] is %d, not in [%d, %d]", index,
                                      i, zero_point, low, high);
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus check_quantization(LiteSubgraph* subgraph, int index, const OcliteNewTensor* wanted) {
    if (wanted->quantization.type == kTfLiteNoQuantization) return kTfLiteOk;
    TfLiteAffineQuantization* affine = wanted->quantization.params;
    if (wanted->quantization.type != kTfLiteAffineQuantization || affine == NULL) {
        return lite_subgraph_fail(subgraph, "tensor %d: quantization of type %d%s, expected an affine one",
                                  index, (int)wanted->quantization.type,
                                  affine == NULL ? " without parameters" : "");
    }
    if (affine->scale == NULL || affine->zero_point == NULL || affine->scale->size < 1 ||
        affine->zero_point->size != affine->scale->size) {
        return lite_subgraph_fail(subgraph, "tensor %d: quantization: %d scales, but %d zero points", index,
                                  affine->scale ? affine->scale->size : 0,
                                  affine->zero_point ? affine->zero_point->size : 0);
    }
    if (wanted->rank == 1) affine->quantized_dimension = 0; // as for a model's vectors
    const int dimension = affine->quantized_dimension;
    const int scales = affine->scale->size;
    if (dimension < 0 || (wanted->rank > 0 && dimension >= wanted->rank)) {
        return lite_subgraph_fail(
            subgraph, "tensor %d: quantization: quantized_dimension is %d, but the tensor has %d dimensions",
            index, dimension, wanted->rank);
    }
    if (scales > 1 && wanted->rank > 0 && wanted->dims[dimension] != scales) {
        return lite_subgraph_fail(subgraph,
                                  "tensor %d: quantization: %d scales for the %d channels of dimension %d",
                                  index, scales, wanted->dims[dimension], dimension);
    }
    return check_values(subgraph, index, wanted->type, affine);
}

// What both kinds of tensors have in common. The tensor is as before on failure.
static TfLiteStatus check(LiteSubgraph* subgraph, int index, const OcliteNewTensor* wanted, const char* what,
                          size_t* count, size_t* bytes) {
    LITE_TRY(lite_build_check_changeable(subgraph, what));
    if (lite_subgraph_tensor(subgraph, index) == NULL) {
        return lite_subgraph_fail(subgraph, "%s: there is no tensor %d: the subgraph has %d", what, index,
                                  lite_subgraph_tensor_count(subgraph));
    }
    LITE_TRY(check_dims(subgraph, index, wanted));
    LITE_TRY(required_bytes(subgraph, index, wanted, count, bytes));
    return check_quantization(subgraph, index, wanted);
}

// Replaces all that is known of the tensor. On failure `wanted` keeps its quantization.
static TfLiteStatus replace(LiteSubgraph* subgraph, int index, const OcliteNewTensor* wanted) {
    TfLiteIntArray* dims = lite_ints_copy(wanted->dims, wanted->rank);
    TfLiteIntArray* signature = lite_ints_copy(wanted->dims_signature, wanted->signature_rank);
    if (dims == NULL || signature == NULL) {
        TfLiteIntArrayFree(dims);
        TfLiteIntArrayFree(signature);
        return lite_subgraph_fail(subgraph, "out of memory");
    }
    TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, index);
    LiteSlot* slot = &subgraph->slots[index];
    lite_memory_charge(subgraph, tensor, 0, &slot->dynamic_bytes, 0);
    lite_subgraph_empty_tensor(subgraph, index);
    slot->is_built = true;
    slot->custom = NULL;
    slot->custom_bytes = 0;
    tensor->type = slot->type = wanted->type;
    tensor->name = wanted->name;
    tensor->dims = dims;
    tensor->dims_signature = signature;
    tensor->quantization = wanted->quantization;
    tensor->params = lite_tensor_legacy_quantization(&wanted->quantization);
    return kTfLiteOk;
}

static TfLiteStatus give_back(const OcliteNewTensor* wanted, TfLiteStatus status) {
    TfLiteQuantization quantization = wanted->quantization;
    TfLiteQuantizationFree(&quantization);
    return status;
}

TfLiteStatus lite_build_tensor(LiteSubgraph* subgraph, int index, const OcliteNewTensor* wanted) {
    size_t count, bytes;
    TfLiteStatus status = check(subgraph, index, wanted, "SetTensorParametersReadWrite", &count, &bytes);
    const bool is_dynamic = !lite_tensor_has_fixed_size(wanted->type);
    if (status == kTfLiteOk && is_dynamic && wanted->is_variable) {
        status = lite_subgraph_fail(subgraph, "tensor %d: a variable cannot be of type %s", index,
                                    TfLiteTypeGetName(wanted->type));
    }
    if (status == kTfLiteOk) status = replace(subgraph, index, wanted);
    if (status != kTfLiteOk) return give_back(wanted, status);
    TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, index);
    tensor->bytes = bytes;
    tensor->is_variable = wanted->is_variable;
    tensor->allocation_type = is_dynamic            ? kTfLiteDynamic
                              : wanted->is_variable ? kTfLiteArenaRwPersistent
                                                    : kTfLiteArenaRw;
    subgraph->ready = subgraph->released = false;
    return lite_build_settle(subgraph);
}

// Elements that are not aligned as their type wants it are copied.
static const void* align(LiteSubgraph* subgraph, TfLiteType type, const void* data, size_t bytes) {
    const size_t size = lite_type_size(type);
    const size_t alignment = type == kTfLiteString ? sizeof(int32_t) : size > 8 ? 8 : size < 1 ? 1 : size;
    if ((uintptr_t)data % alignment == 0) return data;
    void* copy = lite_arena_alloc(&subgraph->arena, bytes, 1);
    if (copy == NULL) return NULL;
    return memcpy(copy, data, bytes);
}

static TfLiteStatus check_contents(LiteSubgraph* subgraph, int index, const OcliteNewTensor* wanted,
                                   const void* data, size_t bytes, size_t count, size_t required) {
    char problem[128];
    if (wanted->is_variable || wanted->type == kTfLiteResource || wanted->type == kTfLiteVariant) {
        return lite_subgraph_fail(subgraph, "tensor %d of type %s%s cannot be a constant", index,
                                  TfLiteTypeGetName(wanted->type),
                                  wanted->is_variable ? ", a variable," : "");
    }
    if (data == NULL && (bytes > 0 || required > 0 || wanted->type == kTfLiteString)) {
        return lite_subgraph_fail(subgraph, "tensor %d: no contents for a constant", index);
    }
    if (bytes < required) {
        return lite_subgraph_fail(subgraph, "tensor %d: needs %zu bytes, but its buffer holds %zu", index,
                                  required, bytes);
    }
    if (wanted->type != kTfLiteString) return kTfLiteOk;
    if (lite_model_strings_check(data, bytes, (int64_t)count, problem, sizeof problem)) return kTfLiteOk;
    return lite_subgraph_fail(subgraph, "tensor %d: %s", index, problem);
}

TfLiteStatus lite_build_constant(LiteSubgraph* subgraph, int index, const OcliteNewTensor* wanted,
                                 const void* data, size_t bytes) {
    size_t count = 0, required = 0;
    TfLiteStatus status = check(subgraph, index, wanted, "SetTensorParametersReadOnly", &count, &required);
    if (status == kTfLiteOk) {
        status = check_contents(subgraph, index, wanted, data, bytes, count, required);
    }
    // Kernels copy whole tensors: what is too much is not seen.
    const size_t used = wanted->type == kTfLiteString ? bytes : required;
    const void* aligned =
        status == kTfLiteOk && data != NULL ? align(subgraph, wanted->type, data, used) : NULL;
    if (status == kTfLiteOk && data != NULL && aligned == NULL) {
        status = lite_subgraph_fail(subgraph, "out of memory");
    }
    const TfLiteTensor* before = lite_subgraph_tensor(subgraph, index);
    const bool is_alike = status == kTfLiteOk && before->type == wanted->type && before->dims != NULL &&
                          TfLiteIntArrayEqualsArray(before->dims, wanted->rank, wanted->dims);
    if (status == kTfLiteOk) status = replace(subgraph, index, wanted);
    if (status != kTfLiteOk) return give_back(wanted, status);
    TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, index);
    tensor->data.raw_const = aligned;
    tensor->bytes = used;
    tensor->allocation_type = kTfLiteMmapRo;
    // As in the reference other contents of the same type and shape leave the graph as it is. Kernels that
    // have packed the old ones are prepared again.
    if (!is_alike) subgraph->ready = subgraph->released = false;
    return lite_build_settle(subgraph);
}
