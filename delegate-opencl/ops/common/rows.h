// SPDX-License-Identifier: Apache-2.0
// Kernels that go along one axis, an item for each row.
#ifndef DELEGATE_OPENCL_OPS_COMMON_ROWS_H_
#define DELEGATE_OPENCL_OPS_COMMON_ROWS_H_

#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/plan/plan.h"
#include "kernels-cl/args/rows.h"

// The rows along an axis.
LiteClAxisArgs lite_cl_rows(const LiteShape* shape, int axis);

// Launches a kernel of kernels-cl/<family>.cl that reads input 0 and writes the output.
TfLiteStatus lite_cl_launch_rows(LiteClPlan* plan, const LiteClNode* node, const LiteClSource* family,
                                 const char* kernel, const LiteClPrelude* prelude,
                                 const LiteClAxisArgs* args);

#endif
