// SPDX-License-Identifier: Apache-2.0
// Convolutions and products by oneDNN, where it is built in, present and at least as fast as our own kernels.
// A kernel asks when it is prepared; whatever oneDNN cannot do is done by the kernel's own loops.
#ifndef KERNELS_CPU_ONEDNN_H_
#define KERNELS_CPU_ONEDNN_H_

#include "kernels-cpu/conv_quant.h"

// What a node computes: input, weights and output of FLOAT32, or of INT8 with symmetric weights.
typedef struct LiteOnednnProblem {
    const LiteConvShape* shape; // of two dimensions
    bool transposed;            // TRANSPOSE_CONV: strides are between outputs, pad_* is cut off from them
    const LiteView* input;
    const LiteView* weights;
    const LiteView* bias; // NULL: none
    const LiteView* output;
    // Elements of the weights from one output channel, input channel of a group, row and column to the next.
    int64_t out_step;
    int64_t in_step;
    int64_t row_step;
    int64_t column_step;
    float low; // range of FLOAT32 outputs
    float high;
} LiteOnednnProblem;

// Weights [output channels, rows, columns, input channels].
static inline void lite_onednn_set_steps(LiteOnednnProblem* problem) {
    problem->in_step = 1;
    problem->column_step = problem->shape->in_c / problem->shape->groups;
    problem->row_step = problem->shape->filter_w * problem->column_step;
    problem->out_step = problem->shape->filter_h * problem->row_step;
}

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

// Where a run reads and writes. oneDNN sums INT8 in 32 bits, and each part's sums are then scaled as our own
// kernels do it: to `output`, or where there is no scale by `sink`.
typedef struct LiteOnednnData {
    const void* input;
    const void* bias; // FLOAT32, or INT32 that is part of the sums; NULL: none, for FLOAT32 as in the problem
    const LiteRequantization* scale;
    LiteTileSink sink;
    const void* argument;
    void* output;
} LiteOnednnData;

TfLiteStatus lite_onednn_run(TfLiteOpaqueContext* context, const char* op, const LiteOnednn* onednn,
                             const LiteOnednnData* data);

#endif
