// SPDX-License-Identifier: Apache-2.0
// Running the plan.
#ifndef CORE_GRAPH_RUN_H_
#define CORE_GRAPH_RUN_H_

#include "core/graph/types.h"

// Runs the plan once, as lite_subgraph_invoke does, but without the program's fallback.
TfLiteStatus lite_subgraph_run(LiteSubgraph* subgraph);

#endif
