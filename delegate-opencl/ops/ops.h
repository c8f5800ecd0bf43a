// SPDX-License-Identifier: Apache-2.0
// What the families of ops/ share.
#ifndef DELEGATE_OPENCL_OPS_OPS_H_
#define DELEGATE_OPENCL_OPS_OPS_H_

#include <stdio.h>
#include <string.h>

#include "core/base/quant.h"
#include "delegate-opencl/support.h"
#include "delegate-opencl/tune.h"
#include "kernels-cl/args.h"

// Room for a prelude.
enum { LITE_CL_PRELUDE = 512 };

// A sliding window along one dimension of a checked shape; false with a reason when the parameters make none.
bool lite_cl_window(TfLitePadding padding, int in, int filter, int stride, int dilation, LiteWindow* window,
                    LiteClReason* reason);

// Input `index` as the bias of `channels` outputs: absent, or a constant vector.
bool lite_cl_check_bias(const LiteClNode* node, int index, int channels, LiteClReason* reason);

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

// Input 1 as the constant filter of input 0: 4 dimensions each.
bool lite_cl_check_filter(const LiteClNode* node, LiteClReason* reason);

// The windows of a convolution in both dimensions.
bool lite_cl_conv_windows(const LiteClNode* node, const LiteClConvParams* params, LiteWindow* h,
                          LiteWindow* w, LiteClReason* reason);

// The output of a convolution of which filter and channels are checked: bias, activation and windows are
// checked here.
bool lite_cl_conv_infer(const LiteClNode* node, const LiteClConvParams* params, int out_channels,
                        LiteShape* output, LiteClReason* reason);

// Launches a kernel that reads input 0 and writes the output: `launch` lacks the buffers only.
TfLiteStatus lite_cl_launch_unary(LiteClPlan* plan, const LiteClNode* node, const LiteClLaunch* launch);

// Element i of a float constant (the model's bytes may be unaligned).
static inline float lite_cl_constant_float(const LiteClTensor* tensor, size_t i) {
    float value;
    memcpy(&value, (const char*)tensor->data + i * sizeof value, sizeof value);
    return value;
}

// Items along dimension 0 for kernels that walk channel vectors: one on a CPU, which then does them all, a
// vector each elsewhere.
size_t lite_cl_vector_items(const LiteClDevice* device, int channels, int vector);

// Items for `count` elements, `chunk` each.
static inline size_t lite_cl_chunks(int count, int chunk) {
    return ((size_t)count + (size_t)chunk - 1) / (size_t)chunk;
}

// y[r * out_width + offset + i] = x[r * width + i] for `rows` rows: concatenation.c.
TfLiteStatus lite_cl_lower_copy(LiteClPlan* plan, LiteClTensor* input, LiteClTensor* output, int rows,
                                int width, int out_width, int offset);

// A convolution or matrix product on kernels-cl/conv.cl: conv.c. The lowering packs the weights, fills in the
// tile and launches. `filter` is [groups * group_out][depth].
typedef struct LiteClProduct {
    LiteClConvArgs args;
    int groups;
    const LiteClTensor* filter;
    const LiteClTensor* bias; // NULL: zeros
} LiteClProduct;
TfLiteStatus lite_cl_lower_product(LiteClPlan* plan, const LiteClNode* node, const LiteClProduct* product);

#endif
