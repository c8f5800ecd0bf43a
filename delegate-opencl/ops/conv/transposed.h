// SPDX-License-Identifier: Apache-2.0
// Transposed convolutions, on the direct convolution: CONV_3D_TRANSPOSE and TRANSPOSE_CONV have their
// output's shape, the filter, the input and the bias as inputs.
#ifndef DELEGATE_OPENCL_OPS_CONV_TRANSPOSED_H_
#define DELEGATE_OPENCL_OPS_CONV_TRANSPOSED_H_

#include "delegate-opencl/ops/conv/direct.h"
#include "delegate-opencl/plan/plan.h"

enum { LITE_CL_SPACE = 3 }; // dimensions between batch and channels; the first may be of length 1

// The window over `wide` elements: the input of a convolution, the output of a transposed one.
bool lite_cl_conv_axis(LiteClConvAxis* axis, TfLitePadding padding, int wide, int filter, int stride,
                       int dilation, LiteClReason* reason);

// The output's shape, and what the parameters and the filter say: the axes are still those of the convolution
// from the output to the input.
typedef struct LiteClTransposed {
    LiteShape output;
    LiteClConvAxis axes[LITE_CL_SPACE];
    int out_c;
    int in_c;
    LiteClWeights weights;
    TfLiteFusedActivation activation;
} LiteClTransposed;

// The output's shape, which is input 0, and all tensors have `rank` dimensions.
bool lite_cl_transposed_shape(const LiteClNode* node, int rank, LiteShape* output, LiteClReason* reason);
// Do the tensors fit?
bool lite_cl_transposed_check(const LiteClNode* node, const LiteClTransposed* t, LiteClReason* reason);
TfLiteStatus lite_cl_transposed_lower(LiteClPlan* plan, const LiteClNode* node, const LiteClTransposed* t);

#endif
