// SPDX-License-Identifier: Apache-2.0
// One inference, with the program's fallback to the CPU.
#include "core/graph/invoke.h"

#include "core/graph/allocate.h"
#include "core/graph/apply.h"
#include "core/graph/delegate.h"
#include "core/graph/graph.h"
#include "core/graph/run.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"
#include "core/graph/telemetry.h"

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
    if (lite_interpreter_program_cancels(interpreter)) return failure;
    lite_subgraph_fail(subgraph, "Invoke() failed in the presence of delegation. Retrying without.");
    LITE_TRY(lite_delegate_keep_inputs(subgraph));
    LITE_TRY(lite_delegate_remove_everywhere(interpreter));
    LITE_TRY(lite_subgraph_allocate(subgraph));
    LITE_TRY(lite_subgraph_run(subgraph));
    return kTfLiteDelegateError;
}

static TfLiteStatus invoke(LiteSubgraph* subgraph) {
    LiteInterpreter* interpreter = subgraph->interpreter;
    if (subgraph->is_inconsistent) {
        return lite_subgraph_fail(subgraph, "Invoke called on model that is not consistent.");
    }
    if (!subgraph->ready) return lite_subgraph_fail(subgraph, "Invoke called on model that is not ready.");
    const bool outermost = interpreter->depth == 0;
    if (outermost) atomic_store(&interpreter->cancellation.asked, false);
    const TfLiteStatus status = lite_subgraph_run(subgraph);
    return outermost && interpreter->delegate_fallback ? fall_back(subgraph, status) : status;
}

TfLiteStatus lite_subgraph_invoke(LiteSubgraph* subgraph) {
    LITE_TRY(lite_interpreter_check_idle(subgraph->interpreter));
    const TfLiteStatus status = invoke(subgraph);
    lite_telemetry_invoked(subgraph, status);
    return status;
}
