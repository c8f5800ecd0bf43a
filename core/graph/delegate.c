// SPDX-License-Identifier: Apache-2.0
// Delegates: they are applied one on top of the other and undone in the opposite order. Undoing one restores
// the plan that was there before it and frees its kernels; the nodes it replaced are never touched.
#include <limits.h>
#include <string.h>

#include "core/graph/graph.h"
#include "tensorflow/lite/c/operator.h"

// A delegate comes in two forms: functions of its own, or a builder with functions on the opaque API.

static const TfLiteOpaqueDelegateBuilder* builder_of(const TfLiteDelegate* delegate) {
    return delegate->opaque_delegate_builder;
}

static int64_t delegate_flags(const TfLiteDelegate* delegate) {
    return builder_of(delegate) ? builder_of(delegate)->flags : delegate->flags;
}

static bool is_static(const TfLiteDelegate* delegate) {
    return !(delegate_flags(delegate) & kTfLiteDelegateFlagsAllowDynamicTensors);
}

static TfLiteStatus call_prepare(LiteSubgraph* subgraph, TfLiteDelegate* delegate) {
    const TfLiteOpaqueDelegateBuilder* builder = builder_of(delegate);
    TfLiteStatus status;
    subgraph->delegate_context = true;
    subgraph->replaceable = true;
    if (builder != NULL && builder->Prepare != NULL) {
        status = builder->Prepare(lite_subgraph_context(subgraph), delegate, builder->data);
    } else if (delegate->Prepare != NULL) {
        status = delegate->Prepare(&subgraph->context, delegate);
    } else {
        status = lite_subgraph_fail(subgraph, "the delegate has no Prepare function");
    }
    subgraph->delegate_context = false;
    subgraph->replaceable = false;
    return status;
}

static TfLiteStatus copy_from_handle(LiteSubgraph* subgraph, TfLiteTensor* tensor) {
    TfLiteDelegate* delegate = tensor->delegate;
    const TfLiteOpaqueDelegateBuilder* builder = builder_of(delegate);
    if (builder != NULL && builder->CopyFromBufferHandle != NULL) {
        return builder->CopyFromBufferHandle(lite_subgraph_context(subgraph), delegate, builder->data,
                                             tensor->buffer_handle, (TfLiteOpaqueTensor*)tensor);
    }
    if (delegate->CopyFromBufferHandle == NULL) {
        return lite_subgraph_fail(subgraph, "the delegate has no CopyFromBufferHandle function");
    }
    return delegate->CopyFromBufferHandle(&subgraph->context, delegate, tensor->buffer_handle, tensor);
}

void lite_delegate_free_handle(LiteSubgraph* subgraph, TfLiteTensor* tensor) {
    TfLiteDelegate* delegate = tensor->delegate;
    if (delegate == NULL || tensor->buffer_handle == kTfLiteNullBufferHandle) return;
    const TfLiteOpaqueDelegateBuilder* builder = builder_of(delegate);
    if (builder != NULL && builder->FreeBufferHandle != NULL) {
        builder->FreeBufferHandle(lite_subgraph_context(subgraph), delegate, builder->data,
                                  &tensor->buffer_handle);
    } else if (delegate->FreeBufferHandle != NULL) {
        delegate->FreeBufferHandle(&subgraph->context, delegate, &tensor->buffer_handle);
    }
    tensor->buffer_handle = kTfLiteNullBufferHandle;
}

TfLiteStatus lite_subgraph_make_readable(LiteSubgraph* subgraph, int index) {
    TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, index);
    if (tensor == NULL) return lite_subgraph_fail(subgraph, "there is no tensor %d", index);
    if (!tensor->data_is_stale) return kTfLiteOk;
    if (tensor->delegate == NULL || tensor->buffer_handle == kTfLiteNullBufferHandle) {
        return lite_subgraph_fail(subgraph, "tensor %d has no delegate buffer to read from", index);
    }
    LITE_TRY(copy_from_handle(subgraph, tensor));
    tensor->data_is_stale = false;
    return kTfLiteOk;
}

TfLiteStatus lite_subgraph_set_buffer_handle(LiteSubgraph* subgraph, int index, TfLiteBufferHandle handle,
                                             TfLiteDelegate* delegate) {
    TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, index);
    if (tensor == NULL) return lite_subgraph_fail(subgraph, "there is no tensor %d", index);
    if (tensor->delegate != NULL && tensor->delegate != delegate) {
        return lite_subgraph_fail(subgraph, "tensor %d belongs to another delegate", index);
    }
    lite_delegate_free_handle(subgraph, tensor);
    tensor->delegate = delegate;
    tensor->buffer_handle = handle;
    return kTfLiteOk;
}

// Replacing nodes by delegate kernels.

static TfLiteStatus own_operator(LiteSubgraph* subgraph, TfLiteOperator* op) {
    for (int i = 0; i < subgraph->owned_count; i++) {
        if (subgraph->owned_operators[i] == op) return kTfLiteOk;
    }
    const size_t bytes = ((size_t)subgraph->owned_count + 1) * sizeof op;
    TfLiteOperator** owned = lite_realloc(subgraph->owned_operators, bytes);
    if (owned == NULL) {
        TfLiteOperatorDelete(op);
        return lite_subgraph_fail(subgraph, "out of memory");
    }
    subgraph->owned_operators = owned;
    owned[subgraph->owned_count++] = op;
    return kTfLiteOk;
}

// Moves the subset's lists into a delegate kernel's parameters and copies them for the node.
static LiteNode* create_kernel(const TfLiteRegistration* registration, TfLiteDelegate* delegate,
                               LiteSubset* subset) {
    LiteNode* kernel = lite_calloc(1, sizeof *kernel);
    if (kernel == NULL) return NULL;
    lite_node_set_registration(kernel, registration);
    kernel->resolved = true;
    if (kernel->is_operator) {
        kernel->params.opaque = (TfLiteOpaqueDelegateParams){delegate, TfLiteOpaqueDelegateGetData(delegate),
                                                             subset->nodes, subset->inputs, subset->outputs};
    } else {
        kernel->params.plain =
            (TfLiteDelegateParams){delegate, subset->nodes, subset->inputs, subset->outputs};
    }
    TfLiteNode* node = &kernel->node;
    node->builtin_data = &kernel->params;
    node->delegate = delegate;
    node->inputs = TfLiteIntArrayCopy(subset->inputs);
    node->outputs = TfLiteIntArrayCopy(subset->outputs);
    node->intermediates = TfLiteIntArrayCreate(0);
    node->temporaries = TfLiteIntArrayCreate(0);
    *subset = (LiteSubset){.delegated = true};
    return kernel;
}

static TfLiteStatus add_kernel(LiteSubgraph* subgraph, const TfLiteRegistration* registration,
                               TfLiteDelegate* delegate, LiteSubset* subset) {
    LiteNode* kernel = create_kernel(registration, delegate, subset);
    if (kernel == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    const TfLiteNode* node = &kernel->node;
    const bool complete = node->inputs && node->outputs && node->intermediates && node->temporaries;
    if (!complete || lite_subgraph_add_node(subgraph, kernel) != kTfLiteOk) {
        lite_node_destroy(subgraph, kernel);
        return lite_subgraph_fail(subgraph, "out of memory for a delegate kernel");
    }
    for (int i = 0; i < node->outputs->size; i++) {
        TfLiteTensor* tensor = &subgraph->context.tensors[node->outputs->data[i]];
        if (tensor->delegate != NULL && tensor->delegate != delegate) {
            return lite_subgraph_fail(subgraph, "tensor %d belongs to another delegate",
                                      node->outputs->data[i]);
        }
        tensor->delegate = delegate;
    }
    kernel->node.might_have_side_effect = lite_node_has_side_effects(subgraph, kernel);
    lite_node_init(subgraph, kernel);
    return kTfLiteOk;
}

static TfLiteStatus replace_subsets(LiteSubgraph* subgraph, const TfLiteRegistration* registration,
                                    TfLiteDelegate* delegate, LiteSubset* subsets, int count) {
    TfLiteIntArray* plan = TfLiteIntArrayCreate(subgraph->plan->size); // room for the worst case
    if (plan == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    TfLiteStatus status = kTfLiteOk;
    int size = 0;
    for (int i = 0; i < count && status == kTfLiteOk; i++) {
        if (subsets[i].delegated) {
            status = add_kernel(subgraph, registration, delegate, &subsets[i]);
            plan->data[size++] = subgraph->node_count - 1;
        } else {
            const TfLiteIntArray* nodes = subsets[i].nodes;
            memcpy(plan->data + size, nodes->data, (size_t)nodes->size * sizeof *nodes->data);
            size += nodes->size;
        }
    }
    if (status != kTfLiteOk) {
        TfLiteIntArrayFree(plan);
        return status;
    }
    plan->size = size;
    TfLiteIntArrayFree(subgraph->plan);
    subgraph->plan = plan;
    subgraph->ready = false;
    return kTfLiteOk;
}

TfLiteStatus lite_delegate_replace(LiteSubgraph* subgraph, const TfLiteRegistration* registration,
                                   const TfLiteIntArray* nodes, TfLiteDelegate* delegate) {
    TfLiteRegistration kernel = *registration;
    kernel.builtin_code = kTfLiteBuiltinDelegate;
    if (kernel.registration_external != NULL) {
        // The delegate gave it away.
        LITE_TRY(own_operator(subgraph, kernel.registration_external));
        if (kernel.custom_name == NULL) kernel.custom_name = kernel.registration_external->custom_name;
    }
    if (nodes == NULL || nodes->size == 0) return kTfLiteOk;
    LiteSubset* subsets;
    int count;
    LITE_TRY(lite_subsets_create(subgraph, nodes, &subsets, &count));
    const TfLiteStatus status = replace_subsets(subgraph, &kernel, delegate, subsets, count);
    lite_subsets_destroy(subsets, count);
    return status;
}

// Undo.

// Tensors of a delegate that is gone become ordinary ones.
static void release_tensors(LiteSubgraph* subgraph, const TfLiteDelegate* delegate) {
    for (size_t i = 0; i < subgraph->context.tensors_size; i++) {
        TfLiteTensor* tensor = &subgraph->context.tensors[i];
        if (tensor->allocation_type == kTfLiteNonCpu) {
            tensor->allocation_type = kTfLiteArenaRw;
            tensor->data.raw = NULL;
        }
        if (tensor->delegate != delegate) continue;
        lite_delegate_free_handle(subgraph, tensor);
        tensor->delegate = NULL;
        tensor->data_is_stale = false;
    }
}

static void undo_last(LiteSubgraph* subgraph) {
    LiteApplied* applied = &subgraph->delegates[--subgraph->applied_count];
    while (subgraph->node_count > applied->nodes_before) {
        lite_node_destroy(subgraph, subgraph->nodes[--subgraph->node_count]);
    }
    TfLiteIntArrayFree(subgraph->plan);
    subgraph->plan = applied->plan_before;
    applied->plan_before = NULL;
    release_tensors(subgraph, applied->delegate);
    subgraph->ready = false;
}

void lite_delegate_undo(LiteSubgraph* subgraph, int keep) {
    while (subgraph->applied_count > keep) undo_last(subgraph);
}

static void forget(LiteSubgraph* subgraph, int index) {
    LiteApplied* delegates = subgraph->delegates;
    subgraph->delegate_count--;
    memmove(&delegates[index], &delegates[index + 1],
            (size_t)(subgraph->delegate_count - index) * sizeof *delegates);
}

bool lite_delegate_drop_failed(LiteSubgraph* subgraph) {
    if (subgraph->failed_step < 0 || subgraph->failed_step >= subgraph->plan->size) return false;
    const LiteNode* node = subgraph->nodes[subgraph->plan->data[subgraph->failed_step]];
    subgraph->failed_step = -1;
    int index = 0;
    while (index < subgraph->applied_count && subgraph->delegates[index].delegate != node->node.delegate)
        index++;
    if (node->source != NULL || index == subgraph->applied_count) return false;
    // What the inference starts from may be in the delegate's buffers only.
    const LiteModelInts inputs = subgraph->source->inputs;
    for (int i = 0; i < inputs.count; i++) {
        if (inputs.data[i] >= 0) (void)lite_subgraph_make_readable(subgraph, inputs.data[i]);
    }
    lite_subgraph_fail(subgraph, "A delegate failed and has been removed: the CPU runs its %d subset%s",
                       subgraph->node_count - subgraph->delegates[index].nodes_before,
                       subgraph->node_count - subgraph->delegates[index].nodes_before == 1 ? "" : "s");
    lite_delegate_undo(subgraph, index);
    forget(subgraph, index);
    return true;
}

int lite_delegate_first_static(const LiteSubgraph* subgraph) {
    int i = 0;
    while (i < subgraph->applied_count && !is_static(subgraph->delegates[i].delegate)) i++;
    return i;
}

bool lite_delegate_wants_shapes(const LiteSubgraph* subgraph) {
    for (int i = 0; i < subgraph->applied_count; i++) {
        const int64_t flags = delegate_flags(subgraph->delegates[i].delegate);
        if (flags & kTfLiteDelegateFlagsRequirePropagatedShapes) return true;
    }
    return false;
}

// Apply.

// A delegate that relies on fixed sizes sees them, and is refused where there are none.
static TfLiteStatus check_static(LiteSubgraph* subgraph) {
    int end;
    subgraph->ready = false;
    LITE_TRY(lite_prepare_steps(subgraph, subgraph->plan, 0, &end));
    const bool stopped = end < subgraph->plan->size;
    const bool last_dynamic =
        end > 0 && lite_node_has_dynamic_output(subgraph, subgraph->nodes[subgraph->plan->data[end - 1]]);
    if (!stopped && !last_dynamic) return kTfLiteOk;
    lite_subgraph_fail(subgraph,
                       "Attempting to use a delegate that only supports static-sized tensors with a "
                       "graph that has dynamic-sized tensors.");
    return kTfLiteApplicationError;
}

// Applies the delegate at position applied_count of the list. kTfLiteApplicationError and
// kTfLiteDelegateError are the delegate's fault, other errors are not.
static TfLiteStatus attach(LiteSubgraph* subgraph) {
    LiteApplied* entry = &subgraph->delegates[subgraph->applied_count];
    TfLiteDelegate* delegate = entry->delegate;
    if (is_static(delegate)) LITE_TRY(check_static(subgraph));
    entry->plan_before = TfLiteIntArrayCopy(subgraph->plan);
    entry->nodes_before = subgraph->node_count;
    if (entry->plan_before == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    subgraph->applied_count++;
    if (call_prepare(subgraph, delegate) == kTfLiteOk) return kTfLiteOk;
    undo_last(subgraph);
    lite_subgraph_fail(subgraph, "Restored original execution plan after delegate application failure.");
    return kTfLiteDelegateError;
}

TfLiteStatus lite_delegate_reapply(LiteSubgraph* subgraph) {
    while (subgraph->applied_count < subgraph->delegate_count) {
        const TfLiteStatus status = attach(subgraph);
        if (status == kTfLiteOk) continue;
        if (status != kTfLiteApplicationError && status != kTfLiteDelegateError) return status;
        forget(subgraph, subgraph->applied_count);
    }
    return kTfLiteOk;
}

static bool is_applied(const LiteSubgraph* subgraph, const TfLiteDelegate* delegate) {
    for (int i = 0; i < subgraph->applied_count; i++) {
        if (subgraph->delegates[i].delegate == delegate) return true;
    }
    return false;
}

// The graph with the delegate at position `index` gets its memory, or the delegate is removed.
static TfLiteStatus allocate_with(LiteSubgraph* subgraph, const TfLiteDelegate* delegate, int index) {
    const TfLiteStatus status = lite_subgraph_allocate(subgraph);
    if (status == kTfLiteOk && is_applied(subgraph, delegate)) return kTfLiteOk;
    if (is_applied(subgraph, delegate)) {
        lite_delegate_undo(subgraph, index);
        forget(subgraph, index);
    }
    lite_subgraph_fail(subgraph, "Restored original execution plan after delegate application failure.");
    return kTfLiteDelegateError;
}

TfLiteStatus lite_delegate_apply(LiteSubgraph* subgraph, TfLiteDelegate* delegate) {
    if (subgraph->skip_delegation) return kTfLiteOk;
    if (subgraph->running) return lite_subgraph_fail(subgraph, "cannot apply a delegate during an invoke");
    const size_t bytes = ((size_t)subgraph->delegate_count + 1) * sizeof *subgraph->delegates;
    LiteApplied* delegates = lite_realloc(subgraph->delegates, bytes);
    if (delegates == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    subgraph->delegates = delegates;
    LITE_TRY(lite_delegate_reapply(subgraph));
    const bool was_ready = subgraph->ready;
    const int index = subgraph->applied_count;
    delegates[subgraph->delegate_count++] = (LiteApplied){.delegate = delegate};
    TfLiteStatus status = attach(subgraph);
    if (status != kTfLiteOk) {
        forget(subgraph, index);
    } else if (was_ready || is_static(delegate)) {
        // A graph with a delegate for fixed sizes can run as soon as that is applied: clients rely on it.
        status = allocate_with(subgraph, delegate, index);
    }
    if (was_ready && status != kTfLiteOk) (void)lite_subgraph_allocate(subgraph);
    return status;
}

void lite_delegate_destroy(LiteSubgraph* subgraph) {
    for (int i = 0; i < subgraph->applied_count; i++) TfLiteIntArrayFree(subgraph->delegates[i].plan_before);
    lite_free(subgraph->delegates);
    for (int i = 0; i < subgraph->owned_count; i++) TfLiteOperatorDelete(subgraph->owned_operators[i]);
    lite_free(subgraph->owned_operators);
}
