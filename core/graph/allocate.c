// SPDX-License-Identifier: Apache-2.0
// Giving tensors memory; resizing inputs.
#include "core/graph/allocate.h"

#include <string.h>

#include "core/graph/delegate.h"
#include "core/graph/graph.h"
#include "core/graph/memory_plan.h"
#include "core/graph/prepare.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"
#include "core/graph/tensor.h"
#include "core/graph/watch.h"

TfLiteStatus lite_allocate(LiteSubgraph* subgraph) {
    TfLiteStatus status;
    subgraph->ready = subgraph->released = false;
    do {
        subgraph->failed_step = -1;
        status = lite_delegate_reapply(subgraph);
        if (status == kTfLiteOk) status = lite_prepare_segment(subgraph, 0);
    } while (status != kTfLiteOk && lite_delegate_drop_failed(subgraph));
    subgraph->ready = status == kTfLiteOk;
    return status;
}

static bool has_dynamic_input(const LiteSubgraph* subgraph) {
    const LiteModelInts inputs = subgraph->source->inputs;
    for (int i = 0; i < inputs.count; i++) {
        const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, inputs.data[i]);
        if (tensor != NULL && tensor->allocation_type == kTfLiteDynamic) return true;
    }
    return false;
}

TfLiteStatus lite_subgraph_allocate(LiteSubgraph* subgraph) {
    LITE_TRY(lite_interpreter_check_idle(subgraph->interpreter));
    if (subgraph->is_inconsistent) {
        return lite_subgraph_fail(subgraph, "AllocateTensors() called on inconsistent model.");
    }
    if (subgraph->ready && !has_dynamic_input(subgraph)) return kTfLiteOk;
    const bool keep_variables = subgraph->released;
    LITE_TRY(lite_subgraph_enter(subgraph));
    TfLiteStatus status = LITE_HAS_TRIAL && !keep_variables ? lite_watch_renew(subgraph) : kTfLiteOk;
    if (status == kTfLiteOk) status = lite_allocate(subgraph);
    lite_subgraph_leave(subgraph);
    LITE_TRY(status);
    return keep_variables ? kTfLiteOk : lite_subgraph_reset_variables(subgraph);
}

TfLiteStatus lite_subgraph_release_memory(LiteSubgraph* subgraph) {
    LITE_TRY(lite_interpreter_check_idle(subgraph->interpreter));
    if (subgraph->running) return lite_subgraph_fail(subgraph, "subgraph %d is in use", subgraph->index);
    if (!subgraph->ready) return kTfLiteOk;
    lite_memory_release(subgraph);
    subgraph->ready = false;
    subgraph->released = true;
    return kTfLiteOk;
}

TfLiteStatus lite_subgraph_reset_variables(LiteSubgraph* subgraph) {
    TfLiteStatus status = kTfLiteOk;
    for (size_t i = 0; i < subgraph->context.tensors_size; i++) {
        TfLiteTensor* tensor = &subgraph->context.tensors[i];
        if (!tensor->is_variable || tensor->bytes == 0 || tensor->allocation_type == kTfLiteCustom) continue;
        if (tensor->data.raw == NULL) {
            status = lite_subgraph_fail(subgraph, "variable %d of subgraph %d has no memory yet", (int)i,
                                        subgraph->index);
            continue;
        }
        // A quantized zero is its zero point; other types than this one have always been set to 0.
        const int zero = tensor->type == kTfLiteInt8 ? tensor->params.zero_point : 0;
        memset(tensor->data.raw, zero, tensor->bytes);
    }
    return status;
}

static bool has_dims(const TfLiteTensor* tensor, const int* dims, int rank) {
    return tensor->dims != NULL && TfLiteIntArrayEqualsArray(tensor->dims, rank, dims);
}

TfLiteStatus lite_subgraph_resize_input(LiteSubgraph* subgraph, int index, const int* dims, int rank) {
    LITE_TRY(lite_interpreter_check_idle(subgraph->interpreter));
    TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, index);
    if (tensor == NULL) return lite_subgraph_fail(subgraph, "there is no tensor %d", index);
    if (rank < 0 || (rank > 0 && dims == NULL)) {
        return lite_subgraph_fail(subgraph, "tensor %d cannot have %d dimensions", index, rank);
    }
    if (subgraph->running) return lite_subgraph_fail(subgraph, "subgraph %d is in use", subgraph->index);
    const bool has_memory = subgraph->ready && tensor->allocation_type != kTfLiteDynamic;
    if ((has_memory || tensor->data.raw != NULL) && has_dims(tensor, dims, rank)) return kTfLiteOk;
    if (tensor->allocation_type == kTfLiteMmapRo) {
        return lite_subgraph_fail(subgraph,
                                  "Attempting to resize a fixed-size tensor: '%s' is a constant of the model",
                                  tensor->name);
    }
    TfLiteIntArray* copy = lite_ints_copy(dims, rank);
    if (copy == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    size_t bytes;
    if (lite_tensor_size(subgraph, tensor, copy, &bytes) != kTfLiteOk) {
        TfLiteIntArrayFree(copy);
        return kTfLiteError;
    }
    lite_delegate_undo(subgraph,
                       lite_delegate_first_static(subgraph)); // applied again by the next allocation
    LITE_TRY(lite_tensor_resize(subgraph, tensor, copy));
    subgraph->ready = subgraph->released = false;
    return kTfLiteOk;
}

TfLiteStatus lite_subgraph_retype_input(LiteSubgraph* subgraph, int index, TfLiteType type) {
    TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, index);
    if (tensor == NULL) return lite_subgraph_fail(subgraph, "there is no tensor %d", index);
    if (subgraph->running) return lite_subgraph_fail(subgraph, "subgraph %d is in use", subgraph->index);
    LiteSlot* slot = &subgraph->slots[index];
    const bool owned = tensor->allocation_type == kTfLiteArenaRw || tensor->allocation_type == kTfLiteDynamic;
    const bool is_handle = type == kTfLiteResource || type == kTfLiteVariant;
    if (!slot->is_input || !owned || is_handle || tensor->is_variable) {
        return lite_subgraph_fail(subgraph,
                                  "tensor %d of subgraph %d is of type %s, and cannot be %s instead", index,
                                  subgraph->index, TfLiteTypeGetName(tensor->type), TfLiteTypeGetName(type));
    }
    TfLiteTensorDataFree(tensor); // if it is its own
    tensor->allocation_type = lite_tensor_has_fixed_size(type) ? kTfLiteArenaRw : kTfLiteDynamic;
    tensor->bytes = 0;
    tensor->type = slot->type = type;
    subgraph->ready = false;
    return kTfLiteOk;
}

TfLiteStatus lite_subgraph_resize_input_strict(LiteSubgraph* subgraph, int index, const int* dims, int rank) {
    const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, index);
    if (tensor == NULL) return lite_subgraph_fail(subgraph, "there is no tensor %d", index);
    const TfLiteIntArray* signature = TfLiteTensorGetDimsSignature(tensor);
    if (rank != signature->size || (rank > 0 && dims == NULL)) {
        return lite_subgraph_fail(subgraph, "tensor %d has %d dimensions, it cannot be resized to %d", index,
                                  signature->size, rank);
    }
    for (int i = 0; i < rank; i++) {
        if (signature->data[i] == -1 || signature->data[i] == dims[i]) continue;
        return lite_subgraph_fail(subgraph,
                                  "Attempting to resize dimension %d of tensor %d with value %d to %d. "
                                  "ResizeInputTensorStrict only allows mutating unknown dimensions "
                                  "identified by -1.",
                                  i, index, signature->data[i], dims[i]);
    }
    return lite_subgraph_resize_input(subgraph, index, dims, rank);
}

TfLiteStatus lite_subgraph_set_custom_allocation(LiteSubgraph* subgraph, int index,
                                                 const TfLiteCustomAllocation* allocation, int64_t flags) {
    LITE_TRY(lite_interpreter_check_idle(subgraph->interpreter));
    TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, index);
    if (tensor == NULL) return lite_subgraph_fail(subgraph, "there is no tensor %d", index);
    if (tensor->allocation_type != kTfLiteArenaRw && tensor->allocation_type != kTfLiteArenaRwPersistent &&
        tensor->allocation_type != kTfLiteCustom) {
        return lite_subgraph_fail(subgraph, "tensor %d cannot live in the caller's memory", index);
    }
    if (allocation == NULL || allocation->data == NULL) {
        return lite_subgraph_fail(subgraph, "custom allocation of tensor %d is NULL", index);
    }
    const bool check_alignment = !(flags & kTfLiteCustomAllocationFlagsSkipAlignCheck);
    if (check_alignment && (uintptr_t)allocation->data % 64 != 0) {
        return lite_subgraph_fail(subgraph, "custom allocation of tensor %d is not aligned to 64 bytes",
                                  index);
    }
    tensor->allocation_type = kTfLiteCustom;
    subgraph->slots[index].custom = allocation->data;
    subgraph->slots[index].custom_bytes = allocation->bytes;
    lite_tensor_place_custom(subgraph, tensor);
    // Memory that is large enough takes effect at once. For other memory the next allocation reports the
    // error.
    if (allocation->bytes < tensor->bytes) subgraph->ready = false;
    return kTfLiteOk;
}
