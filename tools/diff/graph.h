// SPDX-License-Identifier: Apache-2.0
// The main graph of a model, and which of its nodes the sides compute at once: those are a group, and the
// tensors between them are not to be had. A node that is computed by itself is a group of its own.
#ifndef TOOLS_DIFF_GRAPH_H_
#define TOOLS_DIFF_GRAPH_H_

#include <stdbool.h>

#include "oclite/oclite.h"
#include "tools/diff/side.h"
#include "tools/session.h"

typedef struct DiffGraph {
    ToolSession session; // the model without a delegate, never allocated
    int node_count;
    int tensor_count;
    int* group;  // by node: the group's first node
    int* writer; // by tensor: the node that writes it, -1 for none
    bool* is_output;
} DiffGraph;

// `messages` must outlive the graph. diff_graph_close accepts {0} and graphs that are half open.
ToolStatus diff_graph_open(const char* model, DiffGraph* graph, ToolMessage* messages);
void diff_graph_close(DiffGraph* graph);

OcliteNode diff_graph_node(const DiffGraph* graph, int node);
const TfLiteTensor* diff_graph_tensor(const DiffGraph* graph, int tensor);

// What a model computes at once: diff_graph_watch before an inference, which fills `ran`, of
// graph->node_count elements, and diff_graph_learn behind it, which joins groups. When all is learnt
// diff_graph_finish makes groups whole: what lies between two nodes of a group belongs to it.
void diff_graph_watch(DiffModel* model, bool* ran, int count);
void diff_graph_learn(DiffGraph* graph, DiffModel* model);
ToolStatus diff_graph_finish(DiffGraph* graph, ToolMessage* message);

// Adds to a set, by node, what lies between two nodes of it.
ToolStatus diff_graph_close_set(const DiffGraph* graph, bool* set, bool* changed, ToolMessage* message);

// The nodes of the group whose first node is `first`, in order, into `nodes`, which has room for all. Returns
// their number, 0 when that node is not the first of a group.
int diff_graph_group(const DiffGraph* graph, int first, int* nodes);

// Whether nodes other than these, or the caller of the model, see the tensor that one of them writes.
bool diff_graph_leaves(const DiffGraph* graph, int tensor, const int* nodes, int count);

// Whether the contents can be looked at: neither a variable nor a handle.
bool diff_graph_has_contents(const DiffGraph* graph, int tensor);

// Whether the results of a node depend on more than its inputs: generators of random numbers,
bool diff_graph_is_random(const DiffGraph* graph, int node);
// and what keeps a state from one inference to the next.
bool diff_graph_is_stateful(const DiffGraph* graph, int node);
// Whether the node runs other graphs of the model.
bool diff_graph_is_control(const DiffGraph* graph, int node);

#endif
