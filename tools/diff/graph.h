// SPDX-License-Identifier: Apache-2.0
// The main graph of a model, and which of its nodes the sides compute at once. Such nodes form a group; the
// tensors between them cannot be read. A node that is computed alone is a group of its own.
#ifndef TOOLS_DIFF_GRAPH_H_
#define TOOLS_DIFF_GRAPH_H_

#include <stdbool.h>

#include "oclite/oclite.h"
#include "tools/common/session.h"
#include "tools/diff/side.h"

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

// Learn what a model computes at once. Call diff_graph_watch before an inference, which fills `ran`, of
// graph->node_count elements, and diff_graph_learn after it, which joins groups. At the end diff_graph_finish
// completes the groups: all nodes between two nodes of a group belong to it.
void diff_graph_watch(DiffModel* model, bool* ran, int count);
void diff_graph_learn(DiffGraph* graph, DiffModel* model);
ToolStatus diff_graph_finish(DiffGraph* graph, ToolMessage* message);

// Adds to a set, by node, all nodes between two nodes of it.
ToolStatus diff_graph_close_set(const DiffGraph* graph, bool* set, bool* changed, ToolMessage* message);

// Stores the nodes of the group whose first node is `first`, in order, in `nodes`, which has room for all.
// Returns their number; 0 when that node is not the first of a group.
int diff_graph_group(const DiffGraph* graph, int first, int* nodes);

// Returns whether other nodes, or the caller of the model, see the tensor that one of these nodes writes.
bool diff_graph_leaves(const DiffGraph* graph, int tensor, const int* nodes, int count);

// Returns whether the contents can be read: the tensor is neither a variable nor a handle.
bool diff_graph_has_contents(const DiffGraph* graph, int tensor);

// Return whether a node's results depend on more than its inputs: because it generates random numbers, or
// because it keeps a state between inferences.
bool diff_graph_is_random(const DiffGraph* graph, int node);
bool diff_graph_is_stateful(const DiffGraph* graph, int node);
// Returns whether the node runs other graphs of the model.
bool diff_graph_is_control(const DiffGraph* graph, int node);

#endif
