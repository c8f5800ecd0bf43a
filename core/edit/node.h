// SPDX-License-Identifier: Apache-2.0
// What the tables of a node say.
#ifndef CORE_EDIT_NODE_H_
#define CORE_EDIT_NODE_H_

#include "core/model/model.h"
#include "core/model/schema.h"

// "CONV_2D", or a custom operator's name.
const char* lite_edit_name(const LiteModelOperator* node);

// The schema of the options that the operator has in the union `id` (kOperatorBuiltinOptions or
// kOperatorBuiltinOptions2); NULL when there are none.
const LiteFlatSchema* lite_edit_options(LiteFlatTable op, int id);

// A subgraph that the options of a node name: field `id` of the table in the union `union_id` of the
// operator, element `element` of a vector, which is -1 for a scalar.
typedef struct LiteEditCall {
    int union_id;
    int id;
    int element;
    int subgraph;
} LiteEditCall;
typedef TfLiteStatus (*LiteEditVisit)(void* argument, LiteEditCall call);
// Calls `visit` for each of them.
TfLiteStatus lite_edit_visit_calls(LiteFlatTable node, LiteEditVisit visit, void* argument);

#endif
