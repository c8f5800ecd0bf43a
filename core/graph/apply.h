// SPDX-License-Identifier: Apache-2.0
// Delegates are applied to all subgraphs of an interpreter, and removed from all of them.
#ifndef CORE_GRAPH_APPLY_H_
#define CORE_GRAPH_APPLY_H_

#include "core/graph/types.h"

// Applies a delegate to all subgraphs. It must outlive the interpreter. Failures come with a message:
//   kTfLiteDelegateError: the delegate has failed. All delegates are removed, as in the reference. What could
//     run can still run.
//   kTfLiteApplicationError: the delegate does not go together with this graph, or with delegates that were
//     applied before.
//   Others: the graph cannot be prepared. The plan is as before.
TfLiteStatus lite_interpreter_apply_delegate(LiteInterpreter* interpreter, TfLiteDelegate* delegate);
// Removes all delegates from all subgraphs. What was ready to run is so afterwards, and subgraph 0 in any
// case.
TfLiteStatus lite_delegate_remove_everywhere(LiteInterpreter* interpreter);
// Delegates applied to the interpreter later or again are not applied to this subgraph.
void lite_subgraph_skip_delegation(LiteSubgraph* subgraph);

#endif
