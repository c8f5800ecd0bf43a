// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/conv/params.h"

#include "delegate-opencl/ops/common/tensor.h"
#include "delegate-opencl/ops/common/window.h"
#include "delegate-opencl/ops/conv/quantization.h"

// Sums of INT16 have the type that the parameters declare, of which the bias has to be.
static bool check_declared_bias(const LiteClNode* node, const LiteClTensor* bias, LiteClReason* reason) {
    const TfLiteType declared = node->bias_type;
    if (declared == kTfLiteNoType || declared == kTfLiteFloat32) return true;
    if (declared != kTfLiteInt32 && declared != kTfLiteInt64)
        return lite_cl_refuse(reason, "a bias declared as %s", TfLiteTypeGetName(declared));
    return bias == NULL || bias->type == declared ||
           lite_cl_refuse(reason, "a bias of type %s, declared as %s", TfLiteTypeGetName(bias->type),
                          TfLiteTypeGetName(declared));
}

bool lite_cl_check_bias(const LiteClNode* node, int index, int channels, LiteClReason* reason) {
    const LiteClTensor* bias = lite_cl_input(node, index);
    const TfLiteType type = lite_cl_element_type(node);
    if (type == kTfLiteInt16 && !check_declared_bias(node, bias, reason)) return false;
    if (bias == NULL) return true;
    if (bias->data == NULL && node->as_float16) return lite_cl_refuse(reason, "the bias is not constant");
    const bool is_long = type == kTfLiteInt16 && bias->type == kTfLiteInt64;
    if (bias->type != (lite_cl_is_float(type) ? kTfLiteFloat32 : kTfLiteInt32) && !is_long)
        return lite_cl_refuse(reason, "bias of type %s", TfLiteTypeGetName(bias->type));
    if (lite_shape_elements(&bias->shape) != channels) {
        return lite_cl_refuse(reason, "the bias has %lld elements for %d outputs",
                              (long long)lite_shape_elements(&bias->shape), channels);
    }
    return true;
}

bool lite_cl_check_conv_bias(const LiteClNode* node, int index, int channels, LiteClReason* reason) {
    const LiteClTensor* bias = lite_cl_input(node, index);
    if (!lite_cl_check_bias(node, index, channels, reason)) return false;
    return bias == NULL || bias->type == kTfLiteFloat32 || bias->zero_point == 0 ||
           lite_cl_refuse(reason, "a bias with zero point %d", (int)bias->zero_point);
}

bool lite_cl_check_filter(const LiteClNode* node, LiteClReason* reason) {
    const LiteClTensor* input = node->inputs[0];
    const LiteClTensor* filter = node->inputs[1];
    if (input->shape.rank != 4 || filter->shape.rank != 4) {
        return lite_cl_refuse(reason, "input and filter have %d and %d dimensions, not 4", input->shape.rank,
                              filter->shape.rank);
    }
    return true;
}

bool lite_cl_conv_windows(const LiteClNode* node, const LiteClConvParams* params, LiteAxisPadding* h,
                          LiteAxisPadding* w, LiteClReason* reason) {
    const int32_t* in = node->inputs[0]->shape.dims;
    const int32_t* filter = node->inputs[1]->shape.dims;
    return lite_cl_window(params->padding, in[1], filter[1], params->stride_h, params->dilation_h, h,
                          reason) &&
           lite_cl_window(params->padding, in[2], filter[2], params->stride_w, params->dilation_w, w, reason);
}

bool lite_cl_conv_infer(const LiteClNode* node, const LiteClConvParams* params, int out_channels,
                        LiteShape* output, LiteClReason* reason) {
    LiteAxisPadding h, w; // activations that are not a range are not applied
    if (node->input_count > 2 && node->inputs[2] == NULL)
        return lite_cl_refuse(reason, "input 2, the bias, is absent");
    if (!lite_cl_check_conv_bias(node, 2, out_channels, reason)) return false;
    if (!lite_cl_conv_windows(node, params, &h, &w, reason)) return false;
    if (!lite_cl_check_conv_quantization(node->inputs[0], node->inputs[1], lite_cl_input(node, 2),
                                         node->outputs[0], out_channels, reason)) {
        return false;
    }
    *output = (LiteShape){4, {node->inputs[0]->shape.dims[0], h.out, w.out, out_channels}};
    return true;
}
