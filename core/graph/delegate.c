// SPDX-License-Identifier: Apache-2.0
// Delegates: they are applied one on top of the other and undone in the opposite order. Undoing one restores
// the plan that was there before it and frees its kernels; the nodes it replaced are never touched.
#include <string.h>

#include "core/graph/graph.h"

// A delegate comes in two forms: functions of its own, or a builder with functions on the opaque API.
// Programs from the time before there were builders have anything in the builder's place, but a Prepare
// function.
const TfLiteOpaqueDelegateBuilder* lite_delegate_builder(const TfLiteDelegate* delegate) {
    return delegate->Prepare == NULL ? delegate->opaque_delegate_builder : NULL;
}

int64_t lite_delegate_flags(const TfLiteDelegate* delegate) {
    const TfLiteOpaqueDelegateBuilder* builder = lite_delegate_builder(delegate);
    return builder != NULL ? builder->flags : delegate->flags;
}

static bool is_static(const TfLiteDelegate* delegate) {
    return !(lite_delegate_flags(delegate) & kTfLiteDelegateFlagsAllowDynamicTensors);
}

static TfLiteStatus call_prepare(LiteSubgraph* subgraph, TfLiteDelegate* delegate) {
    const TfLiteOpaqueDelegateBuilder* builder = lite_delegate_builder(delegate);
    TfLiteStatus status;
    subgraph->delegate_contexts++;
    subgraph->replaceable = true;
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

// Delegates may have pointed nodes that they left alone at other inputs.
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
    // What the inference starts from may be in the delegate's buffers only.
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

static bool has_static(const LiteSubgraph* subgraph) {
    return lite_delegate_first_static(subgraph) < subgraph->applied_count;
}

// Apply.

// Prepares the whole plan. *dynamic: sizes are not all known then.
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

// A delegate that relies on fixed sizes sees them, and is refused where there are none.
static TfLiteStatus check_static(LiteSubgraph* subgraph) {
    bool dynamic;
    LITE_TRY(prepare_all(subgraph, &dynamic));
    if (!dynamic) return kTfLiteOk;
    lite_subgraph_fail(subgraph,
                       "Attempting to use a delegate that only supports static-sized tensors with a "
                       "graph that has dynamic-sized tensors.");
    return kTfLiteApplicationError;
}

// What a delegate has made of the graph must suit those applied before, and keep what it promised.
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

static const char kTelemetryEvent[] = "ModifyGraphWithDelegate";

// Applies the delegate at position applied_count of the list. kTfLiteApplicationError and
// kTfLiteDelegateError are the delegate's fault, other errors are not.
static TfLiteStatus attach(LiteSubgraph* subgraph) {
    LiteApplied* entry = &subgraph->delegates[subgraph->applied_count];
    TfLiteDelegate* delegate = entry->delegate;
    const int64_t flags = lite_delegate_flags(delegate);
    const bool was_static = has_static(subgraph);
    const int64_t unchecked =
        kTfLiteDelegateFlagsAllowDynamicTensors | kTfLiteDelegateFlagsHintFullyDelegatedToSingleDelegate;
    if (!was_static && !(flags & unchecked)) LITE_TRY(check_static(subgraph));
    entry->plan_before = TfLiteIntArrayCopy(subgraph->plan);
    entry->nodes_before = subgraph->node_count;
    entry->operators_before = subgraph->owned_count;
    if (entry->plan_before == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    subgraph->applied_count++;
    TfLiteStatus status = call_prepare(subgraph, delegate) == kTfLiteOk ? kTfLiteOk : kTfLiteDelegateError;
    if (status == kTfLiteOk) status = check_applied(subgraph, flags, was_static);
    if (status == kTfLiteOk) return kTfLiteOk;
    undo_last(subgraph);
    lite_subgraph_fail(subgraph, "Restored original execution plan after delegate application failure.");
    return status;
}

TfLiteStatus lite_delegate_reapply(LiteSubgraph* subgraph) {
    while (subgraph->applied_count < subgraph->delegate_count) {
        const TfLiteStatus status = attach(subgraph);
        lite_telemetry_ended(subgraph, kTelemetryEvent, status);
        if (status == kTfLiteOk) continue;
        if (status != kTfLiteApplicationError && status != kTfLiteDelegateError) return status;
        forget(subgraph, subgraph->applied_count);
    }
    return kTfLiteOk;
}

// The graph with the delegates, of which the last is new, gets its memory. A delegate that cannot be prepared
// has left the list then.
static TfLiteStatus allocate_with(LiteSubgraph* subgraph, int delegate_count) {
    const TfLiteStatus status = lite_subgraph_allocate(subgraph);
    if (status == kTfLiteOk && subgraph->delegate_count == delegate_count) return kTfLiteOk;
    lite_subgraph_fail(subgraph, "Restored original execution plan after delegate application failure.");
    return kTfLiteDelegateError;
}

static bool is_left_out(const LiteSubgraph* subgraph) {
    static const char prefix[] = "VALIDATION:"; // graphs that check others, as the reference names them
    const char* name = subgraph->source->name;
    return subgraph->skip_delegation || (name != NULL && strncmp(name, prefix, sizeof prefix - 1) == 0);
}

static TfLiteStatus apply(LiteSubgraph* subgraph, TfLiteDelegate* delegate) {
    const size_t bytes = ((size_t)subgraph->delegate_count + 1) * sizeof *subgraph->delegates;
    LiteApplied* delegates = lite_realloc(subgraph->delegates, bytes);
    if (delegates == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    subgraph->delegates = delegates;
    const bool was_ready = subgraph->ready;
    LITE_TRY(lite_delegate_reapply(subgraph));
    const bool was_static = has_static(subgraph);
    const int index = subgraph->delegate_count;
    delegates[subgraph->delegate_count++] = (LiteApplied){.delegate = delegate};
    const TfLiteStatus status = attach(subgraph);
    if (status == kTfLiteOk) {
        // A graph with a delegate for fixed sizes can run as soon as that is applied: clients rely on it.
        return was_ready || has_static(subgraph) ? allocate_with(subgraph, index + 1) : kTfLiteOk;
    }
    const bool application = status == kTfLiteApplicationError;
    lite_delegate_remove(subgraph, was_static && application ? 0 : index);
    if (was_ready || application) (void)lite_subgraph_allocate(subgraph);
    return status;
}

TfLiteStatus lite_delegate_remove_everywhere(LiteInterpreter* interpreter) {
    for (int i = 0; i < interpreter->subgraph_count; i++) {
        LiteSubgraph* subgraph = interpreter->subgraphs[i];
        const bool was_ready = subgraph->ready;
        lite_delegate_remove(subgraph, 0);
        subgraph->skip_delegation = false;
        // Clients go on without allocating again.
        if (was_ready || i == 0) LITE_TRY(lite_subgraph_allocate(subgraph));
    }
    return kTfLiteOk;
}

TfLiteStatus lite_interpreter_apply_delegate(LiteInterpreter* interpreter, TfLiteDelegate* delegate) {
    LITE_TRY(lite_interpreter_check_idle(interpreter));
    TfLiteStatus status = kTfLiteOk;
    if (interpreter->depth > 0) {
        return lite_report(&interpreter->reporter, "cannot apply a delegate during an invoke");
    }
    if (delegate == NULL) {
        lite_report(&interpreter->reporter, "Null delegate.");
        status = kTfLiteDelegateError;
        lite_telemetry_ended(interpreter->subgraphs[0], kTelemetryEvent, status);
    }
    int done = 0;
    while (done < interpreter->subgraph_count && status == kTfLiteOk) {
        LiteSubgraph* subgraph = interpreter->subgraphs[done];
        if (!is_left_out(subgraph)) {
            status = apply(subgraph, delegate);
            lite_telemetry_ended(subgraph, kTelemetryEvent, status);
        }
        if (status == kTfLiteOk) done++;
    }
    if (status == kTfLiteDelegateError) LITE_TRY(lite_delegate_remove_everywhere(interpreter));
    if (status == kTfLiteOk || status == kTfLiteDelegateError) return status;
    // Another failure costs no delegate but this one.
    for (int i = 0; i < done; i++) {
        LiteSubgraph* subgraph = interpreter->subgraphs[i];
        const int last = subgraph->delegate_count - 1;
        if (last < 0 || subgraph->delegates[last].delegate != delegate) continue;
        const bool was_ready = subgraph->ready;
        lite_delegate_remove(subgraph, last);
        if (was_ready) (void)lite_subgraph_allocate(subgraph);
    }
    return status;
}

static bool has_delegates(const LiteInterpreter* interpreter) {
    for (int i = 0; i < interpreter->subgraph_count; i++) {
        if (interpreter->subgraphs[i]->delegate_count > 0) return true;
    }
    return false;
}

TfLiteStatus lite_delegate_fall_back(LiteSubgraph* subgraph, TfLiteStatus failure) {
    LiteInterpreter* interpreter = subgraph->interpreter;
    if (failure == kTfLiteOk || failure == kTfLiteCancelled || !has_delegates(interpreter)) return failure;
    if (interpreter->is_cancelled != NULL && interpreter->is_cancelled(interpreter->cancellation_data)) {
        return failure;
    }
    lite_subgraph_fail(subgraph, "Invoke() failed in the presence of delegation. Retrying without.");
    LITE_TRY(lite_delegate_keep_inputs(subgraph));
    LITE_TRY(lite_delegate_remove_everywhere(interpreter));
    LITE_TRY(lite_subgraph_allocate(subgraph));
    LITE_TRY(lite_subgraph_run(subgraph));
    return kTfLiteDelegateError;
}

void lite_delegate_destroy(LiteSubgraph* subgraph) {
    for (int i = 0; i < subgraph->applied_count; i++) TfLiteIntArrayFree(subgraph->delegates[i].plan_before);
    lite_free(subgraph->delegates);
    lite_delegate_drop_operators(subgraph, 0);
    lite_free(subgraph->owned_operators);
}
