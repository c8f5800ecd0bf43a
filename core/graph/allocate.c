// SPDX-License-Identifier: Apache-2.0
// Preparing nodes and giving tensors memory; resizing inputs.
#include <string.h>

#include "core/graph/graph.h"

// A small file can have subgraphs call each other so that the last one would be prepared 2^60 times. Between
// nodes that run, where an inference can be cancelled, honest models come to a few times their number of
// nodes.
enum { kMostNestedPrepares = 1 << 16 };

static TfLiteStatus count_prepare(LiteSubgraph* subgraph) {
    LiteInterpreter* interpreter = subgraph->interpreter;
    if (interpreter->depth <= 1 || ++interpreter->nested_prepares <= kMostNestedPrepares) return kTfLiteOk;
    return lite_subgraph_fail(subgraph, "subgraphs call each other too often to be prepared: %d nodes so far",
                              kMostNestedPrepares);
}

TfLiteStatus lite_prepare_steps(LiteSubgraph* subgraph, const TfLiteIntArray* plan, int first, int* end) {
    *end = first;
    for (int step = first; step < plan->size; step++) {
        LiteNode* node = subgraph->nodes[plan->data[step]];
        LITE_TRY(count_prepare(subgraph));
        LITE_TRY(lite_delegate_propagate_shapes(subgraph, node));
        const TfLiteStatus status = lite_node_prepare(subgraph, node);
        const bool shape_unknown = status == kTfLiteOutputShapeNotKnown;
        if (status != kTfLiteOk && !shape_unknown) {
            // A delegate's kernel that has the program to blame is not undone.
            const bool stays = node->source == NULL && status == kTfLiteApplicationError;
            if (!stays) subgraph->failed_step = step;
            lite_subgraph_fail(subgraph, "Node number %d (%s) failed to prepare.", plan->data[step],
                               lite_node_name(node));
            return stays ? kTfLiteError : status;
        }
        *end = step + 1;
        if (shape_unknown || lite_node_has_dynamic_output(subgraph, node)) break;
    }
    return kTfLiteOk;
}

TfLiteStatus lite_allocate_segment(LiteSubgraph* subgraph, int first) {
    int end;
    subgraph->failed_step = -1;
    lite_memory_retract(subgraph, first);
    lite_join_forget(subgraph, first);
    lite_memory_lifetimes(subgraph); // and again when placing, as nodes add temporaries
    LITE_TRY(lite_prepare_steps(subgraph, subgraph->plan, first, &end));
    LITE_TRY(lite_join_steps(subgraph, first, end));
    LITE_TRY(lite_memory_place(subgraph, first, end));
    subgraph->prepared = end;
    return kTfLiteOk;
}

TfLiteStatus lite_allocate(LiteSubgraph* subgraph) {
    TfLiteStatus status;
    subgraph->ready = false;
    do {
        subgraph->failed_step = -1;
        status = lite_delegate_reapply(subgraph);
        if (status == kTfLiteOk) status = lite_allocate_segment(subgraph, 0);
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
    if (subgraph->ready && !has_dynamic_input(subgraph)) return kTfLiteOk;
    LITE_TRY(lite_subgraph_enter(subgraph));
    const TfLiteStatus status = lite_allocate(subgraph);
    lite_subgraph_leave(subgraph);
    LITE_TRY(status);
    return lite_subgraph_reset_variables(subgraph);
}

TfLiteStatus lite_subgraph_reset_variables(LiteSubgraph* subgraph) {
    TfLiteStatus status = kTfLiteOk;
    for (int i = 0; i < subgraph->variables.count; i++) {
        const int index = subgraph->variables.data[i];
        TfLiteTensor* tensor = &subgraph->context.tensors[index];
        if (tensor->bytes == 0 || tensor->allocation_type == kTfLiteCustom) continue;
        if (tensor->data.raw == NULL) {
            status = lite_subgraph_fail(subgraph, "variable %d of subgraph %d has no memory yet", index,
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
    tensor->data.data = allocation->data;
    subgraph->slots[index].custom_bytes = allocation->bytes;
    // Memory that suffices takes effect at once; the next allocation says what is wrong with other.
    if (allocation->bytes < tensor->bytes) subgraph->ready = false;
    return kTfLiteOk;
}
