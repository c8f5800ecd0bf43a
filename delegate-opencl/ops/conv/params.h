// SPDX-License-Identifier: Apache-2.0
// What convolutions, and in part products, check in the same way.
#ifndef DELEGATE_OPENCL_OPS_CONV_PARAMS_H_
#define DELEGATE_OPENCL_OPS_CONV_PARAMS_H_

#include "core/base/shape.h"
#include "delegate-opencl/graph/support.h"

// What CONV_2D and DEPTHWISE_CONV_2D have in common, although their parameter structs differ.
typedef struct LiteClConvParams {
    TfLitePadding padding;
    TfLiteFusedActivation activation;
    int stride_h, stride_w;
    int dilation_h, dilation_w;
} LiteClConvParams;
#define LITE_CL_CONV_PARAMS(p)                                                                               \
    ((LiteClConvParams){(p)->padding, (p)->activation, (p)->stride_height, (p)->stride_width,                \
                        (p)->dilation_height_factor, (p)->dilation_width_factor})

// Input `index` as the bias of `channels` outputs: absent, or a vector.
bool lite_cl_check_bias(const LiteClNode* node, int index, int channels, LiteClReason* reason);
// The same of a convolution, whose bias has no zero point.
bool lite_cl_check_conv_bias(const LiteClNode* node, int index, int channels, LiteClReason* reason);

// Input 1 as the filter of input 0: 4 dimensions each.
bool lite_cl_check_filter(const LiteClNode* node, LiteClReason* reason);

// The windows of a convolution in both dimensions.
bool lite_cl_conv_windows(const LiteClNode* node, const LiteClConvParams* params, LiteAxisPadding* h,
                          LiteAxisPadding* w, LiteClReason* reason);

// The output's shape of a convolution whose filter and channels are checked; checks bias, quantization and
// windows.
bool lite_cl_conv_infer(const LiteClNode* node, const LiteClConvParams* params, int out_channels,
                        LiteShape* output, LiteClReason* reason);

#endif
