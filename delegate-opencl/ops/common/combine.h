// SPDX-License-Identifier: Apache-2.0
// Rows that are combined at places which indices name (kernels-cl/combine_rows.cl).
#ifndef DELEGATE_OPENCL_OPS_COMMON_COMBINE_H_
#define DELEGATE_OPENCL_OPS_COMMON_COMBINE_H_

#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/plan/plan.h"
#include "kernels-cl/args/coordinates.h"

typedef enum LiteClCombine {
    kLiteClSum,
    kLiteClProduct,
    kLiteClMaximum,
    kLiteClMinimum,
} LiteClCombine;

// Fills the output with what leaves any row as it is, then combines each row with what its place holds.
TfLiteStatus lite_cl_combine_rows(LiteClPlan* plan, const LiteClNode* node, LiteClCombine combine,
                                  LiteClTensor* rows, LiteClTensor* indices,
                                  const LiteClCoordinatesArgs* args);

#endif
