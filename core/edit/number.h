// SPDX-License-Identifier: Apache-2.0
// What a plan takes of the source, and the new numbers of that.
#ifndef CORE_EDIT_NUMBER_H_
#define CORE_EDIT_NUMBER_H_

#include "core/edit/plan.h"

// Fills in the numbers of the plan: tensors, buffers and operator codes.
TfLiteStatus lite_edit_plan_number(LiteEditPlan* plan);

// The tensors that hold scales and zero points of a tensor's quantization; -1 for none.
void lite_edit_plan_scales(const LiteModelTensor* tensor, int* scales, int* zero_points);

#endif
