// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/conv/depthwise.h"

#include "core/semantics/quant.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "delegate-opencl/ops/conv/hybrid.h"
#include "delegate-opencl/ops/conv/params.h"

// Depthwise.cl is compiled for the filter's size, so that its tile stays in registers.
bool lite_cl_depthwise_is_small(const LiteClNode* node) {
    const TfLiteDepthwiseConvParams* builtin = node->params;
    const LiteClConvParams params = LITE_CL_CONV_PARAMS(builtin);
    const int32_t* filter = node->inputs[1]->shape.dims;
    const LiteClTensor* bias = lite_cl_input(node, 2);
    const TfLiteType type = node->inputs[0]->type;
    const int most = 7;
    // Constants of bytes are packed.
    const bool packs = lite_cl_is_byte(type);
    if (packs && (node->inputs[1]->data == NULL || (bias != NULL && bias->data == NULL))) return false;
    return type != kTfLiteInt16 && !lite_cl_is_hybrid(node->inputs[0], node->inputs[1]) &&
           filter[3] == node->inputs[0]->shape.dims[3] && params.stride_h == params.stride_w &&
           params.stride_h <= 2 && params.dilation_h == params.dilation_w &&
           (filter[1] - 1) * params.dilation_h < most && (filter[2] - 1) * params.dilation_w < most;
}

LiteClDepthwiseArgs lite_cl_depthwise_args(const LiteClNode* node) {
    const TfLiteDepthwiseConvParams* params = node->params;
    const int32_t *in = node->inputs[0]->shape.dims, *out = node->outputs[0]->shape.dims;
    LiteAxisPadding h, w;
    lite_cl_agreed(lite_cl_conv_windows(node, &LITE_CL_CONV_PARAMS(params), &h, &w, &(LiteClReason){0}));
    LiteClDepthwiseArgs args = {.images = out[0],
                                .channels = out[3],
                                .out_h = out[1],
                                .out_w = out[2],
                                .in_h = in[1],
                                .in_w = in[2],
                                .pad_top = h.before,
                                .pad_left = w.before,
                                .after = {.factor = 1.0f}};
    lite_activation_range_f32(params->activation, &args.low, &args.high);
    return args;
}

void lite_cl_depthwise_define(LiteClPrelude* prelude, const LiteClNode* node, const LiteClTune* tune) {
    const TfLiteDepthwiseConvParams* params = node->params;
    const int32_t* filter = node->inputs[1]->shape.dims;
    lite_cl_define(prelude, "TILE_H %d", tune->tile_height);
    lite_cl_define(prelude, "TILE_W %d", tune->tile_width);
    lite_cl_define(prelude, "KERNEL_H %d", filter[1]);
    lite_cl_define(prelude, "KERNEL_W %d", filter[2]);
    lite_cl_define(prelude, "STRIDE %d", params->stride_height);
    lite_cl_define(prelude, "DILATION %d", params->dilation_height_factor);
}
