// SPDX-License-Identifier: Apache-2.0
// Delegates whose decisions depend on shapes and on how long inferences take: LiteTrialService.watch.
#ifndef CORE_GRAPH_WATCH_H_
#define CORE_GRAPH_WATCH_H_

#include "core/base/trial.h"
#include "core/graph/types.h"

// 0 in programs of selected operators, whose delegate does not ask.
#ifndef LITE_HAS_TRIAL
#define LITE_HAS_TRIAL 1
#endif

void lite_watch_ask(TfLiteContext* context, LiteIsOutdated is_outdated); // is LiteTrialService.watch

// The subgraph is about to be given memory: undoes what is outdated, which is applied again by that. Then the
// nodes that are left have been prepared, or fail, which is an error. Graphs that others call stay as they
// are.
TfLiteStatus lite_watch_renew(LiteSubgraph* subgraph);

// When an inference begins: the clock, or 0 where nobody wants to know. It has succeeded.
uint64_t lite_watch_begin(const LiteSubgraph* subgraph);
void lite_watch_end(LiteSubgraph* subgraph, uint64_t began);

#endif
