// SPDX-License-Identifier: Apache-2.0
#include "core/graph/watch.h"

#include "core/base/system.h"
#include "core/graph/delegate.h"
#include "core/graph/graph.h"
#include "core/graph/prepare.h"

void lite_watch_ask(TfLiteContext* context, LiteIsOutdated is_outdated) {
    const LiteSubgraph* subgraph = context->impl_;
    // One that wraps others may show their contexts at other times.
    if (subgraph->replaceable) subgraph->delegates[subgraph->applied_count - 1].is_outdated = is_outdated;
}

// What the first inferences show counts. Afterwards nobody looks at the clock, which takes a part of the time
// of small models.
static bool is_watched(const LiteSubgraph* subgraph) {
    if (subgraph->use.runs >= LITE_GRAPH_USE_MOST) return false;
    for (int i = 0; i < subgraph->applied_count; i++) {
        if (subgraph->delegates[i].is_outdated != NULL) return true;
    }
    return false;
}

// The first applied delegate that is outdated; applied_count: none is.
static int find_outdated(LiteSubgraph* subgraph) {
    int i = 0;
    for (; i < subgraph->applied_count; i++) {
        const LiteApplied* applied = &subgraph->delegates[i];
        if (applied->is_outdated == NULL) continue;
        subgraph->delegate_contexts++;
        const bool outdated = applied->is_outdated(&subgraph->context, applied->delegate, &subgraph->use);
        subgraph->delegate_contexts--;
        if (outdated) break;
    }
    return i;
}

static bool can_be_prepared(const LiteSubgraph* subgraph) {
    for (int i = 0; i < subgraph->operator_count; i++) {
        if (!subgraph->nodes[i]->resolved) return false;
    }
    return true;
}

TfLiteStatus lite_watch_renew(LiteSubgraph* subgraph) {
    if (subgraph->interpreter->depth > 1) return kTfLiteOk; // it is being allocated itself
    const int outdated = find_outdated(subgraph);
    subgraph->use = (LiteGraphUse){0};
    if (outdated == subgraph->applied_count) return kTfLiteOk;
    lite_delegate_undo(subgraph, outdated);
    // So that the tensors between nodes have the shapes that follow from the inputs'. Only a delegate may
    // know those of an operator that nobody else has.
    int end;
    return can_be_prepared(subgraph) ? lite_prepare_steps(subgraph, subgraph->plan, 0, &end) : kTfLiteOk;
}

uint64_t lite_watch_begin(const LiteSubgraph* subgraph) {
    return is_watched(subgraph) ? lite_clock_ns() : 0;
}

void lite_watch_end(LiteSubgraph* subgraph, uint64_t began) {
    if (began == 0) return;
    const int64_t ns = (int64_t)(lite_clock_ns() - began);
    LiteGraphUse* use = &subgraph->use;
    if (use->runs == 0 || ns < use->least_ns) use->least_ns = ns;
    use->runs++;
}
