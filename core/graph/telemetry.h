// SPDX-License-Identifier: Apache-2.0
// What the program's telemetry profiler is told. Without a profiler these functions do nothing.
#ifndef CORE_GRAPH_TELEMETRY_H_
#define CORE_GRAPH_TELEMETRY_H_

#include "core/graph/types.h"

TfLiteStatus lite_telemetry_created(LiteInterpreter* interpreter);              // all subgraphs are there
void lite_telemetry_applied(const LiteSubgraph* subgraph, TfLiteStatus status); // a delegate
void lite_telemetry_invoked(const LiteSubgraph* subgraph, TfLiteStatus status);
// Around a node's invoke.
uint32_t lite_telemetry_begin_node(const LiteSubgraph* subgraph, const LiteNode* node, int index);
void lite_telemetry_end_node(const LiteSubgraph* subgraph, uint32_t event);

#endif
