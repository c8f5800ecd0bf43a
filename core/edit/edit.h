// SPDX-License-Identifier: Apache-2.0
// The model that a program changes.
#ifndef CORE_EDIT_EDIT_H_
#define CORE_EDIT_EDIT_H_

#include "core/edit/plan.h"
#include "core/model/model.h"
#include "oclite/edit.h"

// The model is as immutable as any: a change makes another one.
struct OcliteEdit {
    LiteModel* model;
    uint8_t* bytes; // of the model, when they are not the caller's or a file's
};

// The subgraph; NULL, reported, when there is none of that number.
const LiteModelSubgraph* lite_edit_subgraph(const OcliteEdit* edit, int subgraph);

// A plan of the model as it is.
TfLiteStatus lite_edit_plan(const OcliteEdit* edit, LiteEditPlan* plan);
// A model of the plan.
OcliteEdit* lite_edit_create_planned(LiteEditPlan* plan);
// The model becomes that of the plan.
TfLiteStatus lite_edit_apply(OcliteEdit* edit, LiteEditPlan* plan);

#endif
