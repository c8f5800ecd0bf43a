// SPDX-License-Identifier: Apache-2.0
// What an interpreter consists of, and what it is doing.
#ifndef CORE_GRAPH_STATE_H_
#define CORE_GRAPH_STATE_H_

#include "core/base/status.h"
#include "core/graph/types.h"

const LiteModel* lite_interpreter_model(const LiteInterpreter* interpreter);
const LiteReporter* lite_interpreter_reporter(const LiteInterpreter* interpreter);
int lite_interpreter_subgraph_count(const LiteInterpreter* interpreter);
// NULL when there is no such subgraph.
LiteSubgraph* lite_interpreter_subgraph(const LiteInterpreter* interpreter, int index);

// The calling thread is the one that runs the interpreter's asynchronous inferences.
bool lite_interpreter_is_own_thread(const LiteInterpreter* interpreter);
// Everything that would change an interpreter asks this first. kTfLiteError, after a message, while an
// asynchronous inference runs or waits and the calling thread is not the one that runs it.
TfLiteStatus lite_interpreter_check_idle(const LiteInterpreter* interpreter);

// Around an allocation or invoke. Fails for a subgraph that contains itself, and for too many levels.
TfLiteStatus lite_subgraph_enter(LiteSubgraph* subgraph);
void lite_subgraph_leave(LiteSubgraph* subgraph);

#endif
