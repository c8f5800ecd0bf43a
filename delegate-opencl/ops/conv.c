// SPDX-License-Identifier: Apache-2.0
#include "kernels-cl/args/conv.h"
#include "core/semantics/quant.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/conv/conv_depthwise.h"
#include "delegate-opencl/ops/conv/gemm.h"
#include "delegate-opencl/ops/conv/hybrid.h"
#include "delegate-opencl/ops/conv/params.h"
#include "delegate-opencl/ops/conv/quantization.h"
#include "delegate-opencl/ops/conv/tail.h"
#include "delegate-opencl/ops/conv/two_products.h"

// A hybrid filter in groups.
static bool has_channel_scales(const LiteClNode* node, int channels, LiteClReason* reason) {
    const TfLiteAffineQuantization* affine = node->inputs[1]->affine;
    return !lite_cl_is_hybrid(node->inputs[0], node->inputs[1]) ||
           (affine != NULL && affine->scale != NULL && affine->scale->size == channels) ||
           lite_cl_refuse(reason, "a filter in groups without a scale for each of %d channels", channels);
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    // The reference wants a bias.
    if (node->input_count != 3) return lite_cl_refuse(reason, "%d inputs", node->input_count);
    if (!lite_cl_check_filter(node, reason) ||
        !lite_cl_check_weight_type(node, 0, LITE_TYPES_BYTE | LITE_TYPE(Int4),
                                   LITE_TYPE(Int8) | LITE_TYPE(Int4), reason)) {
        return false;
    }
    const TfLiteConvParams* params = node->params;
    const int32_t* filter = node->inputs[1]->shape.dims;
    const int in_channels = node->inputs[0]->shape.dims[3], out_channels = filter[0];
    const int group_in = filter[3];
    if (group_in < 1 || in_channels % group_in != 0 || in_channels == 0 ||
        out_channels % (in_channels / group_in) != 0) {
        return lite_cl_refuse(reason, "%d input channels, filter of %d x %d channels", in_channels,
                              out_channels, group_in);
    }
    if (in_channels != group_in && !has_channel_scales(node, out_channels, reason)) return false;
    return lite_cl_conv_infer(node, &LITE_CL_CONV_PARAMS(params), out_channels, output, reason);
}

// As in the reference: different scales per channel, or groups, make the inputs asymmetric.
static bool is_asymmetric(const LiteClTensor* filter, int groups) {
    const TfLiteFloatArray* scales = filter->affine->scale;
    bool asymmetric = groups != 1;
    for (int i = 1; i < scales->size; i++) asymmetric = asymmetric || scales->data[i] != scales->data[0];
    return asymmetric;
}

static TfLiteStatus make_gemm(LiteClPlan* plan, const LiteClNode* node, LiteClGemm* gemm) {
    const TfLiteConvParams* params = node->params;
    const int32_t* in = node->inputs[0]->shape.dims;
    const int32_t* filter = node->inputs[1]->shape.dims;
    const int32_t* out = node->outputs[0]->shape.dims;
    LiteClReason reason;
    LiteAxisPadding h, w;
    if (!lite_cl_conv_windows(node, &LITE_CL_CONV_PARAMS(params), &h, &w, &reason))
        return lite_report(plan->reporter, "%s: %s", node->name, reason.text);
    const int groups = in[3] / filter[3];
    *gemm = (LiteClGemm){.groups = groups,
                         .filter = node->inputs[1],
                         .bias = lite_cl_input(node, 2),
                         .activation = params->activation,
                         .owner = node};
    if (lite_cl_is_hybrid(node->inputs[0], node->inputs[1]))
        gemm->asymmetric = is_asymmetric(node->inputs[1], groups);
    gemm->args = (LiteClConvArgs){
        .pixels = out[0] * out[1] * out[2],
        .images = out[0],
        .out_h = out[1],
        .out_w = out[2],
        .out_c = out[3],
        .in_h = in[1],
        .in_w = in[2],
        .in_c = in[3],
        .group_in = filter[3],
        .group_out = out[3] / groups,
        .kernel_h = filter[1],
        .kernel_w = filter[2],
        .stride_h = params->stride_height,
        .stride_w = params->stride_width,
        .dilation_h = params->dilation_height_factor,
        .dilation_w = params->dilation_width_factor,
        .pad_top = h.before,
        .pad_left = w.before,
    };
    return kTfLiteOk;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClGemm gemm;
    LITE_TRY(make_gemm(plan, node, &gemm));
    return lite_cl_gemm_lower(plan, node, &gemm);
}

// With another product, with what gemm_join has, or with a depthwise convolution.
static TfLiteStatus join(LiteClPlan* plan, const LiteClNode* node, const LiteClFollowers* followers,
                         int* joined) {
    LiteClGemm gemm;
    if (LITE_CL_HAS_GATES) LITE_TRY(lite_cl_join_products(plan, node, followers, joined));
    if (*joined > 0) return kTfLiteOk;
    LITE_TRY(make_gemm(plan, node, &gemm));
    LITE_TRY(lite_cl_gemm_join(plan, node, &gemm, followers, joined));
    return *joined > 0 ? kTfLiteOk : lite_cl_join_depthwise(plan, node, &gemm, followers, joined);
}

const LiteClOp lite_cl_op_CONV_2D = {
    .rounds = kLiteClRoundsFilter,
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteConvParams, dilation_height_factor),
    .bias_type = offsetof(TfLiteConvParams, quantized_bias_type),
    .bias_type_version = 8,
    .min_inputs = 2,
    .max_inputs = 3,
    .inputs = "Tw.",
    .types = LITE_TYPE(Float32) | LITE_TYPES_BYTE | LITE_TYPE(Int16),
    .float16 = true,
    .infer = infer,
    .lower = lower,
    .join = join,
};
