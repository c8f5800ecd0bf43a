// SPDX-License-Identifier: Apache-2.0
// Subgraphs that the program builds by itself, or changes: their tensors, inputs and outputs, and their plan.
//
// All functions report what is wrong. Those that change a graph fail while it runs and while a delegate is
// applied to it. A graph that was allocated is allocated again where a change would otherwise leave memory as
// it does not suit: whoever could invoke before still can.
#ifndef CORE_GRAPH_BUILD_H_
#define CORE_GRAPH_BUILD_H_

#include "core/graph/types.h"

// Adds empty subgraphs; *first, if not NULL, receives the index of the first one.
TfLiteStatus lite_build_subgraphs(LiteInterpreter* interpreter, int count, int* first);
// The name is copied; NULL stands for none.
TfLiteStatus lite_build_set_name(LiteSubgraph* subgraph, const char* name);
// Adds tensors without type and contents, and with no dimensions. May move all tensors.
TfLiteStatus lite_build_tensors(LiteSubgraph* subgraph, int count, int* first);

typedef enum LiteBuildList { kLiteBuildInputs, kLiteBuildOutputs, kLiteBuildVariables } LiteBuildList;
// -1 stands for an absent tensor. An index that does not exist changes nothing, but makes the graph
// inconsistent: it can neither be allocated nor invoked from then on.
TfLiteStatus lite_build_set_list(LiteSubgraph* subgraph, LiteBuildList list, const int* tensors, int count);
// The same check for a list of a node.
TfLiteStatus lite_build_check_indices(LiteSubgraph* subgraph, const char* label, const int* tensors,
                                      int count, int lowest);

// Which nodes run, and in which order. Nodes of delegates are none of them.
TfLiteStatus lite_build_set_plan(LiteSubgraph* subgraph, const int* nodes, int count);

// Intermediate tensors keep memory of their own from now on, or share it.
TfLiteStatus lite_build_preserve_all_tensors(LiteInterpreter* interpreter, bool preserve);

// Dynamic tensors that are no outputs give their memory back within an inference from now on, or keep it.
TfLiteStatus lite_build_release_dynamic_tensors(LiteInterpreter* interpreter, bool release);

// What all changes begin with, and end with. `what` is for the message.
TfLiteStatus lite_build_check_changeable(LiteSubgraph* subgraph, const char* what);
TfLiteStatus lite_build_settle(LiteSubgraph* subgraph);

#endif
