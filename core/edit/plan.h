// SPDX-License-Identifier: Apache-2.0
// What a changed model consists of, in terms of the model that it is made from ("the source"). Whoever
// changes a model says which subgraphs, nodes, inputs and outputs there are. Then number.h finds out which
// tensors, buffers and operator codes that takes and gives them their numbers, and write.h writes the file.
// All memory is in the plan's arena.
//
// The files of this folder, each of which uses only those before it:
//
//   tree, tree_write   a FlatBuffer as a tree of tables, and as a file
//   error              the message of the last call that failed
//   node               what the tables of a node say
//   plan               what a changed model consists of
//   number             what that takes of the source
//   types              which types its tensors have
//   write              the plan as a file
//   edit               models are opened, and become those of plans
//   border, order      groups of nodes that become one node
//   extract, replace   changes of a model
//   contents, find     what a model holds
//   text, parameters   values as text
#ifndef CORE_EDIT_PLAN_H_
#define CORE_EDIT_PLAN_H_

#include "core/base/memory.h"
#include "core/model/model.h"
#include "core/model/schema.h"
#include "oclite/edit.h"

typedef struct LiteEditSubgraph {
    int source;
    int node_count;
    const int* nodes; // the source's, in the order in which they run; ~k: the k-th new one
    LiteModelInts inputs, outputs;
    int tensor_count;
    int* tensors; // by the source's number: the new one, -1 for what is left out
} LiteEditSubgraph;

// A new node: the source's tensors.
typedef struct LiteEditNode {
    LiteModelInts inputs, outputs;
} LiteEditNode;

typedef struct LiteEditPlan {
    LiteArena arena;
    const LiteReporter* reporter;
    const LiteModel* source;
    LiteFlatTable root; // of the source
    // All of the source that the changes do not make superfluous; else nothing but what the subgraphs need.
    bool whole;
    int subgraph_count;
    LiteEditSubgraph* subgraphs;
    int* subgraph_numbers; // by the source's number: of the subgraph that is taken over as a whole, or -1
    int node_count;        // new ones: all of `op`
    LiteEditNode* nodes;
    const OcliteEditOperator* op;
    // By the source's number, then of the new operator: the new number, -1 for what is left out.
    int* buffers;
    int* codes;
} LiteEditPlan;

// A plan without subgraphs, but room for all that may come. lite_edit_plan_free accepts any state.
TfLiteStatus lite_edit_plan_begin(LiteEditPlan* plan, const LiteModel* source, bool whole,
                                  const LiteReporter* reporter);
void lite_edit_plan_free(LiteEditPlan* plan);
// Zeroed; NULL, reported, when there is no memory.
void* lite_edit_plan_alloc(LiteEditPlan* plan, size_t count, size_t size);

// The file's tables.
LiteFlatTable lite_edit_plan_subgraph_table(const LiteEditPlan* plan, int subgraph);
LiteFlatTable lite_edit_plan_node_table(const LiteEditPlan* plan, int subgraph, int node);

// Appends a subgraph as it is in the source.
TfLiteStatus lite_edit_plan_add(LiteEditPlan* plan, int source, LiteEditSubgraph** added);

#endif
