// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/conv/conv_node.h"

#include <string.h>

#include "kernels-cpu/support/selected.h"

TfLiteStatus lite_conv_views(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op, int input,
                             int bias, LiteConvViews* views) {
    LITE_TRY(lite_kernel_input(context, node, op, input, &views->input));
    LITE_TRY(lite_kernel_input(context, node, op, 1, &views->filter));
    views->has_bias = bias >= 0;
    memset(&views->bias, 0, sizeof(views->bias));
    if (views->has_bias) LITE_TRY(lite_kernel_input(context, node, op, bias, &views->bias));
    return lite_kernel_output(context, node, op, 0, &views->output);
}

static bool contains(const TfLiteType* types, TfLiteType type) {
    for (; *types != kTfLiteNoType; types++) {
        if (*types == type) return true;
    }
    return false;
}

TfLiteStatus lite_conv_check_types(TfLiteOpaqueContext* context, const char* op, const LiteConvTypes* types,
                                   const LiteConvViews* views) {
    const TfLiteType input = views->input.type, filter = views->filter.type;
    bool right = false;
    if (input == kTfLiteFloat32) {
        right = contains(types->with_float, filter);
    } else if (input == kTfLiteUInt8) {
        right = filter == kTfLiteUInt8;
    } else if (input == kTfLiteInt8 || input == kTfLiteInt16) {
        right = contains(types->with_int, filter);
    }
    if (right && views->output.type == input) return kTfLiteOk;
    return lite_fail(context, "%s: %s input, %s %s and %s output do not go together", op,
                     TfLiteTypeGetName(input), TfLiteTypeGetName(filter), types->filter,
                     TfLiteTypeGetName(views->output.type));
}

void lite_conv_node_init(LiteConvNode* conv) {
    conv->onednn.scratch_tensor = -1;
    conv->hybrid.values = conv->hybrid.scales = conv->hybrid.zero_points = -1;
}

void lite_conv_node_free(LiteConvNode* conv) {
    lite_onednn_free(&conv->onednn);
    lite_conv_quant_free(&conv->quant);
}

TfLiteStatus lite_conv_node_prepare(TfLiteOpaqueContext* context, const char* op, LiteConvNode* conv,
                                    const LiteConvViews* views, TfLiteFusedActivation activation,
                                    int32_t channels) {
    const bool is_float = lite_is_float32(views->input.type);
    conv->epilogue = NULL;
    conv->is_hybrid = is_float && views->filter.type != kTfLiteFloat32;
    if (is_float) return kTfLiteOk;
    return lite_conv_quant_prepare(context, op, &conv->quant, &views->input, &views->filter,
                                   views->has_bias ? &views->bias : NULL, &views->output, activation,
                                   channels);
}

LiteOnednnProblem lite_conv_node_problem(const LiteConvViews* views, const LiteConvShape* shape,
                                         TfLiteFusedActivation activation) {
    LiteOnednnProblem problem = {.shape = shape,
                                 .input = &views->input,
                                 .weights = &views->filter,
                                 .bias = views->has_bias ? &views->bias : NULL,
                                 .output = &views->output};
    lite_onednn_set_strides(&problem);
    lite_activation_range_f32(activation, &problem.low, &problem.high);
    return problem;
}

TfLiteStatus lite_conv_node_run_onednn(TfLiteOpaqueContext* context, const char* op, const LiteConvNode* conv,
                                       const LiteConvViews* views) {
    const LiteRequantization scale = lite_conv_quant_from(&conv->quant, 0);
    const LiteOnednnData run = {.input = views->input.data,
                                .bias = views->bias.data,
                                .scale = &scale,
                                .output = views->output.data,
                                .epilogue = conv->epilogue};
    return lite_onednn_run(context, op, &conv->onednn, &run);
}

TfLiteStatus lite_conv_node_temporaries(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                        LiteConvNode* conv, const LiteView* input, int scratch) {
    int temporaries[4] = {scratch};
    if (LITE_HAS_HYBRID && conv->is_hybrid) {
        LITE_TRY(lite_hybrid_prepare(context, op, &conv->hybrid, input->shape.dims[0], input->count,
                                     temporaries + 1));
    }
    return lite_kernel_set_temporaries(node, temporaries, conv->is_hybrid ? 4 : 1);
}

void lite_conv_node_quantize(TfLiteOpaqueContext* context, const LiteConvNode* conv, const LiteView* input,
                             bool asymmetric, LiteHybridInput* quantized) {
    const int32_t batches = input->shape.dims[0];
    lite_hybrid_input(context, &conv->hybrid, input->data, batches, batches > 0 ? input->count / batches : 0,
                      asymmetric, quantized);
}
