// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/ops.h"

bool lite_cl_window(TfLitePadding padding, int in, int filter, int stride, int dilation, LiteWindow* window,
                    LiteClReason* reason) {
    if (padding != kTfLitePaddingSame && padding != kTfLitePaddingValid) {
        return lite_cl_refuse(reason, "padding %d", (int)padding);
    }
    // Upper limits so that kernels may add and multiply these without overflow.
    if (filter < 1 || stride < 1 || stride > 1 << 20 || dilation < 1 ||
        (int64_t)(filter - 1) * dilation >= INT32_MAX / 4) {
        return lite_cl_refuse(reason, "filter length %d, stride %d, dilation %d", filter, stride, dilation);
    }
    *window = lite_window(padding, in, filter, stride, dilation);
    if (window->out < 1 && in > 0)
        return lite_cl_refuse(reason, "filter length %d exceeds input length %d", filter, in);
    return true;
}

bool lite_cl_check_bias(const LiteClNode* node, int index, int channels, LiteClReason* reason) {
    const LiteClTensor* bias = lite_cl_input(node, index);
    if (bias == NULL) return true;
    if (bias->data == NULL) return lite_cl_refuse(reason, "the bias is not constant");
    if (lite_shape_elements(&bias->shape) != channels) {
        return lite_cl_refuse(reason, "the bias has %lld elements for %d outputs",
                              (long long)lite_shape_elements(&bias->shape), channels);
    }
    return true;
}

bool lite_cl_check_filter(const LiteClNode* node, LiteClReason* reason) {
    const LiteClTensor* input = node->inputs[0];
    const LiteClTensor* filter = node->inputs[1];
    if (input->shape.rank != 4 || filter->shape.rank != 4) {
        return lite_cl_refuse(reason, "input and filter have %d and %d dimensions, not 4", input->shape.rank,
                              filter->shape.rank);
    }
    if (filter->data == NULL) return lite_cl_refuse(reason, "the filter is not constant");
    return true;
}

bool lite_cl_conv_windows(const LiteClNode* node, const LiteClConvParams* params, LiteWindow* h,
                          LiteWindow* w, LiteClReason* reason) {
    const int32_t* in = node->inputs[0]->shape.dims;
    const int32_t* filter = node->inputs[1]->shape.dims;
    return lite_cl_window(params->padding, in[1], filter[1], params->stride_h, params->dilation_h, h,
                          reason) &&
           lite_cl_window(params->padding, in[2], filter[2], params->stride_w, params->dilation_w, w, reason);
}

bool lite_cl_conv_infer(const LiteClNode* node, const LiteClConvParams* params, int out_channels,
                        LiteShape* output, LiteClReason* reason) {
    float low, high;
    LiteWindow h, w;
    if (!lite_cl_activation(params->activation, &low, &high, reason)) return false;
    if (!lite_cl_check_bias(node, 2, out_channels, reason)) return false;
    if (!lite_cl_conv_windows(node, params, &h, &w, reason)) return false;
    *output = (LiteShape){4, {node->inputs[0]->shape.dims[0], h.out, w.out, out_channels}};
    return true;
}

TfLiteStatus lite_cl_launch_unary(LiteClPlan* plan, const LiteClNode* node, const LiteClLaunch* launch) {
    LiteClLaunch whole = *launch;
    whole.buffer_count = 2;
    whole.buffers[0] = lite_cl_plan_tensor(plan, node->inputs[0]);
    whole.buffers[1] = lite_cl_plan_tensor(plan, node->outputs[0]);
    return lite_cl_plan_launch(plan, &whole);
}

size_t lite_cl_vector_items(const LiteClDevice* device, int channels, int vector) {
    return device->class == kLiteClGpu ? lite_cl_chunks(channels, vector) : 1;
}
