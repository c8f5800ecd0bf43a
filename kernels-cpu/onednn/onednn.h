// SPDX-License-Identifier: Apache-2.0
// Convolutions and products by oneDNN, where it is built in, present and asked for by name. A kernel asks
// when it is prepared; whatever oneDNN cannot do is done by the kernel's own loops.
#ifndef KERNELS_CPU_ONEDNN_ONEDNN_H_
#define KERNELS_CPU_ONEDNN_ONEDNN_H_

#include "kernels-cpu/onednn/onednn_problem.h"

// With scratch_tensor -1 and all else 0 it is empty; lite_onednn_free accepts it.
typedef struct LiteOnednn {
    struct LiteOnednnPlan* plan; // not NULL: oneDNN computes the node
    int scratch_tensor;          // temporary's number, -1 before the first plan
} LiteOnednn;

// Decides, and if oneDNN is to compute the node makes the plan, in which constant weights are packed, and
// sizes the temporary, which the caller puts in the node's list. Errors are only those of the temporary.
TfLiteStatus lite_onednn_prepare(TfLiteOpaqueContext* context, LiteOnednn* onednn,
                                 const LiteOnednnProblem* problem);
void lite_onednn_free(LiteOnednn* onednn);

TfLiteStatus lite_onednn_run(TfLiteOpaqueContext* context, const char* op, const LiteOnednn* onednn,
                             const LiteOnednnData* data);

#endif
