// SPDX-License-Identifier: Apache-2.0
// Which types the tensors of a graph have when it runs: operators may give their outputs others than the
// model declares (core/base/output_type.h).
#ifndef CORE_EDIT_TYPES_H_
#define CORE_EDIT_TYPES_H_

#include "core/edit/plan.h"

// By the number of the source's tensor. NULL, reported, when there is no memory; the plan owns it.
const TfLiteType* lite_edit_plan_types(LiteEditPlan* plan, const LiteModelSubgraph* source);

#endif
