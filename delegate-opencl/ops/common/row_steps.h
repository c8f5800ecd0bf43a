// SPDX-License-Identifier: Apache-2.0
// Computes nodes that follow each other in one launch, on CPUs: operators that give each element of their
// own, and such as join rows along the last dimension (LiteClFormula), where only they read what is between
// them. So layer norms, softmax and the like that converters spell out are one pass, in whichever order and
// form.
#ifndef DELEGATE_OPENCL_OPS_COMMON_ROW_STEPS_H_
#define DELEGATE_OPENCL_OPS_COMMON_ROW_STEPS_H_

#include "delegate-opencl/plan/plan.h"

// 0: left out, as in builds for selected models, which are to be small: then each node is a launch of its
// own.
#ifndef LITE_CL_HAS_ROW_STEPS
#define LITE_CL_HAS_ROW_STEPS 1
#endif

// Lowers as many nodes from *n on as can be, more than one, and makes *n the last of them. *joined stays
// false where that is none.
TfLiteStatus lite_cl_row_steps_lower(LiteClPlan* plan, const LiteClGraph* graph, int* n, bool* joined);

#endif
