// SPDX-License-Identifier: Apache-2.0
// precision=auto: finds by measuring which nodes of a partition may store float16, so that its outputs stay
// within an error budget.
//
// A partition begins in float32. The first inference with telling inputs (not all of one value, as in a
// warm-up with zeros) is its sample. It is computed in float32, and then again with more and more nodes
// storing float16. A set of nodes that breaks the budget is divided in two, again and again, until the nodes
// are found that break it; these stay float32. So do the others if together they make no inference faster,
// which is measured, too. The error is the largest difference of a FLOAT32 output, relative to the largest of
// its values; outputs of other types must have the same bits. The result holds for later inferences, whatever
// their shapes. Only an inference whose results are not finite is measured again, and that can only turn
// nodes back to float32.
#ifndef DELEGATE_OPENCL_PARTITION_BUDGET_H_
#define DELEGATE_OPENCL_PARTITION_BUDGET_H_

#include "delegate-opencl/partition/partition.h"

// Does the measuring before an inference, if it is due. Afterwards the plan is built for the nodes'
// precisions.
TfLiteStatus lite_cl_budget_before(LiteClPartition* partition, const TfLiteOpaqueContext* context,
                                   const LiteReporter* reporter);

// The same after an inference. *again: the plan has changed, and the inference has to be done again.
TfLiteStatus lite_cl_budget_after(LiteClPartition* partition, const TfLiteOpaqueContext* context, bool* again,
                                  const LiteReporter* reporter);

#endif
