// SPDX-License-Identifier: Apache-2.0
// Delegates are applied to all subgraphs of an interpreter, and removed from all of them.
#include "core/graph/apply.h"

#include <string.h>

#include "core/graph/allocate.h"
#include "core/graph/delegate.h"
#include "core/graph/graph.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"
#include "core/graph/telemetry.h"

void lite_subgraph_skip_delegation(LiteSubgraph* subgraph) {
    subgraph->skip_delegation = true;
}

// Gives the graph its memory after a delegate was added. A delegate that cannot be prepared leaves the list,
// so the list is shorter then.
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
    const bool was_static = lite_delegate_has_static(subgraph);
    const int index = subgraph->delegate_count;
    delegates[subgraph->delegate_count++] = (LiteApplied){.delegate = delegate};
    const TfLiteStatus status = lite_delegate_attach(subgraph);
    if (status == kTfLiteOk) {
        // A graph with a delegate for fixed sizes can run as soon as that is applied: clients rely on it.
        return was_ready || lite_delegate_has_static(subgraph) ? allocate_with(subgraph, index + 1)
                                                               : kTfLiteOk;
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
        lite_telemetry_applied(interpreter->subgraphs[0], status);
    }
    int done = 0;
    while (done < interpreter->subgraph_count && status == kTfLiteOk) {
        LiteSubgraph* subgraph = interpreter->subgraphs[done];
        if (!is_left_out(subgraph)) {
            status = apply(subgraph, delegate);
            lite_telemetry_applied(subgraph, status);
        }
        if (status == kTfLiteOk) done++;
    }
    if (status == kTfLiteDelegateError) LITE_TRY(lite_delegate_remove_everywhere(interpreter));
    if (status == kTfLiteOk || status == kTfLiteDelegateError) return status;
    // Another failure removes only this delegate.
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
