// SPDX-License-Identifier: Apache-2.0
// What a changed model consists of, in terms of the model that it is made from ("the source"). Whoever
// changes a model says which subgraphs, nodes, inputs and outputs there are; the plan finds out which
// tensors, buffers and operator codes that takes, gives them their numbers, and writes the file. All memory
// is in its arena.
#ifndef CORE_EDIT_PLAN_H_
#define CORE_EDIT_PLAN_H_

#include "core/base/memory.h"
#include "core/edit/tree.h"
#include "core/model/model.h"
#include "core/model/schema.h"
#include "oclite/edit.h"

typedef struct LitePlanSubgraph {
    int source;
    int node_count;
    const int* nodes; // the source's, in the order in which they run; ~k: the k-th new one
    LiteModelInts inputs, outputs;
    int tensor_count;
    int* tensors; // by the source's number: the new one, -1 for what is left out
} LitePlanSubgraph;

// A new node: the source's tensors.
typedef struct LitePlanNode {
    LiteModelInts inputs, outputs;
} LitePlanNode;

typedef struct LitePlan {
    LiteArena arena;
    const LiteReporter* reporter;
    const LiteModel* source;
    LiteFlatTable root; // of the source
    // All of the source that the changes do not make superfluous; else nothing but what the subgraphs need.
    bool whole;
    int subgraph_count;
    LitePlanSubgraph* subgraphs;
    int* subgraph_numbers; // by the source's number: of the subgraph that is taken over as a whole, or -1
    int node_count;        // new ones: all of `op`
    LitePlanNode* nodes;
    const OcliteEditOperator* op;
    // By the source's number, then of the new operator: the new number, -1 for what is left out.
    int* buffers;
    int* codes;
} LitePlan;

// A plan without subgraphs, but room for all that may come. lite_plan_free accepts any state.
TfLiteStatus lite_plan_begin(LitePlan* plan, const LiteModel* source, bool whole,
                             const LiteReporter* reporter);
void lite_plan_free(LitePlan* plan);
// Zeroed; NULL, reported, when there is no memory.
void* lite_plan_alloc(LitePlan* plan, size_t count, size_t size);

// The file's tables.
LiteFlatTable lite_plan_subgraph_table(const LitePlan* plan, int subgraph);
LiteFlatTable lite_plan_node_table(const LitePlan* plan, int subgraph, int node);

// Appends a subgraph as it is in the source.
TfLiteStatus lite_plan_add(LitePlan* plan, int source, LitePlanSubgraph** added);

// Calls `visit` for each subgraph that a node's options name: field `id` of the table in the union `union_id`
// of the operator, element `element` of a vector, which is -1 for a scalar.
typedef struct LitePlanCall {
    int union_id;
    int id;
    int element;
    int subgraph;
} LitePlanCall;
typedef TfLiteStatus (*LitePlanVisit)(void* argument, LitePlanCall call);
TfLiteStatus lite_plan_visit_calls(LiteFlatTable node, LitePlanVisit visit, void* argument);

// The tensors that hold scales and zero points of a tensor's quantization; -1 for none.
void lite_plan_scales(const LiteModelTensor* tensor, int* scales, int* zero_points);

// Numbers everything and writes the file, to be released with lite_free.
TfLiteStatus lite_plan_write(LitePlan* plan, uint8_t** data, size_t* size);

// plan.c for write.c: fills in the numbers.
TfLiteStatus lite_plan_number(LitePlan* plan);

#endif
