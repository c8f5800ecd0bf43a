// SPDX-License-Identifier: Apache-2.0
// Products of matrices of floats that are both computed, on kernels-cl/matmul.cl: all of a batch in one
// launch.
#ifndef DELEGATE_OPENCL_OPS_CONV_MATMUL_H_
#define DELEGATE_OPENCL_OPS_CONV_MATMUL_H_

#include "core/base/shape.h"
#include "delegate-opencl/plan/plan.h"

enum { LITE_CL_MATMUL_RANK = 3 }; // dimensions of a batch

typedef struct LiteClMatmulOperand {
    int storage;
    bool swapped;    // the last two dimensions
    LiteShape batch; // of the dimensions before these; broadcast
} LiteClMatmulOperand;

typedef struct LiteClMatmul {
    const LiteClNode* node;
    int rows;
    int depth;
    int columns;
    LiteClMatmulOperand left, right;
    LiteShape batch; // the output's
    int output;      // storage
} LiteClMatmul;

TfLiteStatus lite_cl_matmul_lower(LiteClPlan* plan, const LiteClMatmul* matmul);

#endif
