// SPDX-License-Identifier: Apache-2.0
// The delegates of one subgraph: they are applied one on top of the other and undone in the opposite order.
// Undoing one restores the plan that was there before it and frees its kernels; the nodes that it replaced
// are never touched.
#include "core/graph/delegate.h"

#include <string.h>

#include "core/graph/async.h"
#include "core/graph/buffer_handle.h"
#include "core/graph/delegate_form.h"
#include "core/graph/delegate_kernel.h"
#include "core/graph/graph.h"
#include "core/graph/node.h"
#include "core/graph/overlap.h"
#include "core/graph/prepare.h"
#include "core/graph/subgraph.h"
#include "core/graph/telemetry.h"

static bool is_static(const TfLiteDelegate* delegate) {
    return !(lite_delegate_flags(delegate) & kTfLiteDelegateFlagsAllowDynamicTensors);
}

static TfLiteStatus call_prepare(LiteSubgraph* subgraph, TfLiteDelegate* delegate) {
    const TfLiteOpaqueDelegateBuilder* builder = lite_delegate_builder(delegate);
    TfLiteStatus status;
    subgraph->delegate_contexts++;
    subgraph->replaceable = true;
    subgraph->overlaps = false;
    if (builder != NULL && builder->Prepare != NULL) {
        status = builder->Prepare(lite_subgraph_context(subgraph), delegate, builder->data);
    } else if (delegate->Prepare != NULL) {
        status = delegate->Prepare(&subgraph->context, delegate);
    } else {
        status = lite_subgraph_fail(subgraph, "the delegate has no Prepare function");
    }
    subgraph->delegate_contexts--;
    subgraph->replaceable = false;
    return status;
}

// Undo.

// A delegate may have changed the inputs of nodes that it did not replace.
static void restore_inputs(LiteSubgraph* subgraph) {
    for (int i = 0; i < subgraph->node_count; i++) {
        const LiteModelInts inputs = subgraph->nodes[i]->source->inputs;
        TfLiteIntArray* present = subgraph->nodes[i]->node.inputs;
        if (inputs.count == 0 || present->size != inputs.count) continue;
        memcpy(present->data, inputs.data, (size_t)inputs.count * sizeof *present->data);
    }
}

static void undo_last(LiteSubgraph* subgraph) {
    lite_async_drop_kernel(subgraph);
    LiteApplied* applied = &subgraph->delegates[--subgraph->applied_count];
    lite_delegate_drop_kernels(subgraph, applied->nodes_before);
    lite_delegate_drop_operators(subgraph, applied->operators_before);
    TfLiteIntArrayFree(subgraph->plan);
    subgraph->plan = applied->plan_before;
    applied->plan_before = NULL;
    applied->is_outdated = NULL;
    lite_node_note_plan(subgraph);
    subgraph->ready = false;
    if (subgraph->applied_count == 0) restore_inputs(subgraph);
}

void lite_delegate_undo(LiteSubgraph* subgraph, int keep) {
    while (subgraph->applied_count > keep) undo_last(subgraph);
}

static bool is_listed(const LiteSubgraph* subgraph, const TfLiteDelegate* delegate) {
    for (int i = 0; i < subgraph->delegate_count; i++) {
        const LiteApplied* entry = &subgraph->delegates[i];
        if (entry->delegate == delegate || entry->kernels_delegate == delegate) return true;
    }
    return false;
}

// Takes a delegate that is not applied out of the list.
static void forget(LiteSubgraph* subgraph, int index) {
    const LiteApplied gone = subgraph->delegates[index];
    subgraph->delegate_count--;
    memmove(&subgraph->delegates[index], &subgraph->delegates[index + 1],
            (size_t)(subgraph->delegate_count - index) * sizeof *subgraph->delegates);
    if (!is_listed(subgraph, gone.delegate)) lite_delegate_release_tensors(subgraph, gone.delegate);
    if (!is_listed(subgraph, gone.kernels_delegate)) {
        lite_delegate_release_tensors(subgraph, gone.kernels_delegate);
    }
}

void lite_delegate_remove(LiteSubgraph* subgraph, int keep) {
    lite_delegate_undo(subgraph, keep);
    while (subgraph->delegate_count > keep) forget(subgraph, subgraph->delegate_count - 1);
}

// Which of the applied delegates a kernel belongs to; -1: a node of the model.
static int applied_index(const LiteSubgraph* subgraph, int node) {
    int i = subgraph->applied_count - 1;
    while (i >= 0 && subgraph->delegates[i].nodes_before > node) i--;
    return i;
}

bool lite_delegate_drop_failed(LiteSubgraph* subgraph) {
    const int step = subgraph->failed_step;
    if (step < 0 || step >= subgraph->plan->size) return false;
    const int index = applied_index(subgraph, subgraph->plan->data[step]);
    subgraph->failed_step = -1;
    if (index < 0) return false;
    // The inputs of the inference may be in the delegate's buffers only.
    (void)lite_delegate_keep_inputs(subgraph);
    const int kernels = subgraph->node_count - subgraph->delegates[index].nodes_before;
    lite_subgraph_fail(subgraph, "A delegate failed and has been removed: the CPU runs its %d subset%s",
                       kernels, kernels == 1 ? "" : "s");
    lite_delegate_undo(subgraph, index);
    forget(subgraph, index);
    return true;
}

TfLiteStatus lite_delegate_save_variables(const LiteSubgraph* subgraph, unsigned char** saved) {
    const LiteModelInts variables = subgraph->variables;
    size_t bytes = 0;
    *saved = NULL;
    if (subgraph->applied_count == 0 || variables.count == 0) return kTfLiteOk;
    for (int i = 0; i < variables.count; i++) bytes += subgraph->context.tensors[variables.data[i]].bytes;
    unsigned char* to = *saved = lite_malloc(bytes);
    if (to == NULL) return lite_report(&subgraph->interpreter->reporter, "out of memory for variables");
    for (int i = 0; i < variables.count; i++) {
        const TfLiteTensor* tensor = &subgraph->context.tensors[variables.data[i]];
        if (tensor->data.raw != NULL) memcpy(to, tensor->data.raw, tensor->bytes);
        to += tensor->bytes;
    }
    return kTfLiteOk;
}

void lite_delegate_restore_variables(const LiteSubgraph* subgraph, const unsigned char* saved) {
    const LiteModelInts variables = subgraph->variables;
    for (int i = 0; saved != NULL && i < variables.count; i++) {
        const TfLiteTensor* tensor = &subgraph->context.tensors[variables.data[i]];
        if (tensor->data.raw != NULL) memcpy(tensor->data.raw, saved, tensor->bytes);
        saved += tensor->bytes;
    }
}

TfLiteStatus lite_delegate_keep_inputs(LiteSubgraph* subgraph) {
    const LiteModelInts inputs = subgraph->source->inputs;
    for (int i = 0; i < inputs.count; i++) {
        if (inputs.data[i] >= 0) LITE_TRY(lite_subgraph_make_readable(subgraph, inputs.data[i]));
    }
    return kTfLiteOk;
}

int lite_delegate_first_static(const LiteSubgraph* subgraph) {
    int i = 0;
    while (i < subgraph->applied_count && !is_static(subgraph->delegates[i].delegate)) i++;
    return i;
}

bool lite_delegate_has_static(const LiteSubgraph* subgraph) {
    return lite_delegate_first_static(subgraph) < subgraph->applied_count;
}

// Apply.

// Prepares the whole plan. *dynamic tells whether some sizes are still unknown.
static TfLiteStatus prepare_all(LiteSubgraph* subgraph, bool* dynamic) {
    const LiteModelInts outputs = subgraph->source->outputs;
    int end;
    subgraph->ready = false;
    LITE_TRY(lite_prepare_steps(subgraph, subgraph->plan, 0, &end));
    *dynamic =
        end < subgraph->plan->size ||
        (end > 0 && lite_node_has_dynamic_output(subgraph, subgraph->nodes[subgraph->plan->data[end - 1]]));
    for (int i = 0; i < outputs.count; i++) {
        const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, outputs.data[i]);
        *dynamic |= tensor != NULL && tensor->allocation_type == kTfLiteDynamic;
    }
    return kTfLiteOk;
}

// A delegate that relies on fixed sizes sees the prepared graph. It fails where sizes are not fixed.
static TfLiteStatus check_static(LiteSubgraph* subgraph) {
    bool dynamic;
    LITE_TRY(prepare_all(subgraph, &dynamic));
    if (!dynamic) return kTfLiteOk;
    lite_subgraph_fail(subgraph,
                       "Attempting to use a delegate that only supports static-sized tensors with a "
                       "graph that has dynamic-sized tensors.");
    return kTfLiteApplicationError;
}

// The graph as the delegate has changed it must suit the delegates before it, and be what its flags promise.
static TfLiteStatus check_applied(LiteSubgraph* subgraph, int64_t flags, bool was_static) {
    if (flags & kTfLiteDelegateFlagsHintFullyDelegatedToSingleDelegate) {
        for (int i = 0; i < subgraph->plan->size; i++) {
            if (subgraph->nodes[subgraph->plan->data[i]]->source == NULL) continue;
            lite_subgraph_fail(subgraph, "Hint fully delegated to single delegate is set, but the graph is "
                                         "not fully delegated.");
            return kTfLiteApplicationError;
        }
    }
    if (!was_static || !(flags & kTfLiteDelegateFlagsAllowDynamicTensors)) return kTfLiteOk;
    bool dynamic;
    if (prepare_all(subgraph, &dynamic) != kTfLiteOk) return kTfLiteDelegateError;
    if (!dynamic) return kTfLiteOk;
    lite_subgraph_fail(subgraph, "Cannot allow dynamic tensors due to previous delegation, resetting to "
                                 "original execution plan.");
    return kTfLiteApplicationError;
}

TfLiteStatus lite_delegate_attach(LiteSubgraph* subgraph) {
    LiteApplied* entry = &subgraph->delegates[subgraph->applied_count];
    TfLiteDelegate* delegate = entry->delegate;
    const int64_t flags = lite_delegate_flags(delegate);
    const bool was_static = lite_delegate_has_static(subgraph);
    const int64_t unchecked =
        kTfLiteDelegateFlagsAllowDynamicTensors | kTfLiteDelegateFlagsHintFullyDelegatedToSingleDelegate;
    if (!was_static && !(flags & unchecked)) LITE_TRY(check_static(subgraph));
    entry->plan_before = TfLiteIntArrayCopy(subgraph->plan);
    entry->nodes_before = subgraph->node_count;
    entry->operators_before = subgraph->owned_count;
    if (entry->plan_before == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    subgraph->applied_count++;
    TfLiteStatus status = call_prepare(subgraph, delegate) == kTfLiteOk ? kTfLiteOk : kTfLiteDelegateError;
    if (LITE_HAS_OVERLAP && status == kTfLiteOk) status = lite_overlap_order(subgraph);
    if (status == kTfLiteOk) status = check_applied(subgraph, flags, was_static);
    if (status == kTfLiteOk) return kTfLiteOk;
    undo_last(subgraph);
    lite_subgraph_fail(subgraph, "Restored original execution plan after delegate application failure.");
    return status;
}

TfLiteStatus lite_delegate_reapply(LiteSubgraph* subgraph) {
    while (subgraph->applied_count < subgraph->delegate_count) {
        const TfLiteStatus status = lite_delegate_attach(subgraph);
        lite_telemetry_applied(subgraph, status);
        if (status == kTfLiteOk) continue;
        if (status != kTfLiteApplicationError && status != kTfLiteDelegateError) return status;
        forget(subgraph, subgraph->applied_count);
    }
    return kTfLiteOk;
}

void lite_delegate_destroy(LiteSubgraph* subgraph) {
    for (int i = 0; i < subgraph->applied_count; i++) TfLiteIntArrayFree(subgraph->delegates[i].plan_before);
    lite_free(subgraph->delegates);
    lite_delegate_drop_operators(subgraph, 0);
    lite_free(subgraph->owned_operators);
}
