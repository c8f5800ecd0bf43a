// SPDX-License-Identifier: Apache-2.0
// One inference, with the program's fallback to the CPU.
#include "core/graph/invoke.h"

#include "core/base/parallel.h"
#include "core/graph/allocate.h"
#include "core/graph/apply.h"
#include "core/graph/delegate.h"
#include "core/graph/graph.h"
#include "core/graph/run.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"
#include "core/graph/telemetry.h"
#include "core/graph/watch.h"

static bool has_delegates(const LiteInterpreter* interpreter) {
    for (int i = 0; i < interpreter->subgraph_count; i++) {
        if (interpreter->subgraphs[i]->delegate_count > 0) return true;
    }
    return false;
}

// After an invoke of `subgraph` has returned `failure`: runs it again without any delegate. Returns
// kTfLiteDelegateError when that succeeds, and `failure` when there is no delegate to remove.
static TfLiteStatus fall_back(LiteSubgraph* subgraph, TfLiteStatus failure) {
    LiteInterpreter* interpreter = subgraph->interpreter;
    if (failure == kTfLiteOk || failure == kTfLiteCancelled || !has_delegates(interpreter)) return failure;
    if (lite_cancellation_check(&interpreter->cancellation)) return failure;
    lite_subgraph_fail(subgraph, "Invoke() failed in the presence of delegation. Retrying without.");
    LITE_TRY(lite_delegate_keep_inputs(subgraph));
    LITE_TRY(lite_delegate_remove_everywhere(interpreter));
    LITE_TRY(lite_subgraph_allocate(subgraph));
    LITE_TRY(lite_subgraph_run(subgraph));
    return kTfLiteDelegateError;
}

// What the calling thread works for while an inference runs.
static LiteCancelScope scope_of(LiteInterpreter* interpreter) {
    const bool possible = lite_cancellation_is_possible(&interpreter->cancellation);
    return (LiteCancelScope){possible ? &interpreter->cancellation : NULL, possible};
}

static TfLiteStatus invoke(LiteSubgraph* subgraph) {
    LiteInterpreter* interpreter = subgraph->interpreter;
    if (subgraph->is_inconsistent) {
        return lite_subgraph_fail(subgraph, "Invoke called on model that is not consistent.");
    }
    if (!subgraph->ready) return lite_subgraph_fail(subgraph, "Invoke called on model that is not ready.");
    const bool outermost = interpreter->depth == 0;
    if (!outermost) return lite_subgraph_run(subgraph);
    lite_cancellation_begin(&interpreter->cancellation);
    const LiteCancelScope before = lite_cancel_set_scope(scope_of(interpreter));
    lite_parallel_enter();
    const uint64_t began = LITE_HAS_TRIAL ? lite_watch_begin(subgraph) : 0;
    TfLiteStatus status = lite_subgraph_run(subgraph);
    if (LITE_HAS_TRIAL && status == kTfLiteOk) lite_watch_end(subgraph, began);
    if (interpreter->delegate_fallback) status = fall_back(subgraph, status);
    lite_parallel_leave();
    lite_cancel_set_scope(before);
    return status;
}

TfLiteStatus lite_subgraph_invoke(LiteSubgraph* subgraph) {
    LITE_TRY(lite_interpreter_check_idle(subgraph->interpreter));
    const TfLiteStatus status = invoke(subgraph);
    lite_telemetry_invoked(subgraph, status);
    return status;
}
