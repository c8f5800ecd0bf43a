// SPDX-License-Identifier: Apache-2.0
// Calls of a node's operator, and what is known about a node.
#ifndef CORE_GRAPH_NODE_H_
#define CORE_GRAPH_NODE_H_

#include "core/base/row_product.h"
#include "core/graph/types.h"

// A node with copies of these lists, and none of temporaries; `size` zeroed bytes begin with it. NULL when
// out of memory. lite_node_destroy.
LiteNode* lite_node_create(size_t size, LiteModelInts inputs, LiteModelInts outputs,
                           LiteModelInts intermediates);
// Gives it an empty list of temporaries, for operators that are not the library's: they replace the list
// themselves. False when out of memory.
bool lite_node_own_temporaries(LiteNode* node);
void lite_node_fill_methods(LiteMethods* methods, const TfLiteRegistration* registration);
void lite_node_init(LiteSubgraph* subgraph, LiteNode* node);
TfLiteStatus lite_node_prepare(LiteSubgraph* subgraph, LiteNode* node);
TfLiteStatus lite_node_invoke(LiteSubgraph* subgraph, LiteNode* node);
// Lets `reader` take an input from `writer`, some of it at a time, if both want that.
TfLiteStatus lite_node_join(LiteSubgraph* subgraph, LiteNode* reader, int input, LiteNode* writer,
                            bool* joined);
// Asks a node whether it computes some rows of a product at a time, and lets it get ready for that.
TfLiteStatus lite_node_product(LiteSubgraph* subgraph, LiteNode* node, LiteRowProduct* product);
// Frees what init made; accepts NULL.
void lite_node_destroy(LiteSubgraph* subgraph, LiteNode* node);

const char* lite_node_name(const LiteNode* node);
const TfLiteIntArray* lite_node_replaced(const LiteNode* node); // the nodes that a delegate kernel runs
// To be called whenever the plan has changed: notes in each node whether, and by which kernel, it runs.
void lite_node_note_plan(LiteSubgraph* subgraph);
// The node acts on more than its tensors: on variables, tables and lists behind handles.
bool lite_node_has_side_effects(const LiteSubgraph* subgraph, const LiteNode* node);
bool lite_node_has_dynamic_output(const LiteSubgraph* subgraph, const LiteNode* node);

#endif
