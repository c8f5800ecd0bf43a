// SPDX-License-Identifier: Apache-2.0
// precision=auto: finds by measuring which nodes of a partition may store halves, so that its outputs stay
// within an error budget.
//
// A partition begins in float32. An inference whose inputs tell something (they are not all of one value, as
// those of a warm-up with zeros) is its sample: it is computed in float32, and then again with more and more
// nodes storing halves. What does not keep the budget is halved until the nodes are found that break it;
// these stay float32. An error is the largest difference of a FLOAT32 output, relative to the largest of its
// values; outputs of other types have to have the same bits. What was found holds for later inferences, of
// whatever shape. One whose results are no numbers is measured too, and can only take halves away.
#ifndef DELEGATE_OPENCL_BUDGET_H_
#define DELEGATE_OPENCL_BUDGET_H_

#include "delegate-opencl/partition.h"

// Does what there is to do before the partition's inference. The plan is then that of the nodes' precisions.
TfLiteStatus lite_cl_budget_before(LiteClPartition* partition, const TfLiteOpaqueContext* context,
                                   const LiteReporter* reporter);

// ... and behind it. *again: the plan has changed, and the inference is to be done again.
TfLiteStatus lite_cl_budget_behind(LiteClPartition* partition, const TfLiteOpaqueContext* context,
                                   bool* again, const LiteReporter* reporter);

#endif
