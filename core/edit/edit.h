// SPDX-License-Identifier: Apache-2.0
// What the files of the public API share.
#ifndef CORE_EDIT_EDIT_H_
#define CORE_EDIT_EDIT_H_

#include "core/edit/plan.h"
#include "oclite/edit.h"

// The model is as immutable as any: a change makes another one.
struct OcliteEdit {
    LiteModel* model;
    uint8_t* bytes; // of the model, when they are not the caller's or a file's
};

// Messages go to oclite_edit_last_error, which lite_edit_begin clears: every public function that can fail
// begins with it.
extern const LiteReporter lite_edit_reporter;
void lite_edit_begin(void);
#define lite_edit_fail(...) lite_report(&lite_edit_reporter, __VA_ARGS__)

// The subgraph; NULL, reported, when there is none of that number.
const LiteModelSubgraph* lite_edit_subgraph(const OcliteEdit* edit, int subgraph);
// Each index is that of a node, and each is there once. `groups` gets, per node of the subgraph, one more
// than the number of the group of `group_size` that it is in; 0 for the others.
TfLiteStatus lite_edit_check_nodes(const LiteModelSubgraph* subgraph, const int* nodes, int group_size,
                                   int count, int* groups);
// "CONV_2D", or a custom operator's name.
const char* lite_edit_name(const LiteModelOperator* node);

// A model of the plan.
OcliteEdit* lite_edit_create_planned(LitePlan* plan);
// The model becomes that of the plan.
TfLiteStatus lite_edit_apply(OcliteEdit* edit, LitePlan* plan);
// A plan of the model as it is.
TfLiteStatus lite_edit_plan(const OcliteEdit* edit, LitePlan* plan);

// What the nodes of a group read, make and leave to others.
typedef struct LiteEditBorder {
    LiteModelInts inputs;  // not made by the group, each once, in the order of their first use
    LiteModelInts outputs; // needed outside; if none is, not read inside
} LiteEditBorder;
// `groups` as above; `group` is one more than the number. Memory is the plan's.
TfLiteStatus lite_edit_border(LitePlan* plan, int subgraph, const int* groups, int group,
                              LiteEditBorder* border);

// The nodes (~g: the new one of group g) in an order in which each group is one node. Fails when there is
// none.
TfLiteStatus lite_edit_order(LitePlan* plan, int subgraph, const int* groups, int group_count,
                             LitePlanSubgraph* result);

#endif
