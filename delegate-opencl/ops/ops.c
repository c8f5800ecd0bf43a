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

size_t lite_cl_vector_items(const LiteClDevice* device, int channels, int vector) {
    return device->class == kLiteClGpu ? lite_cl_chunks(channels, vector) : 1;
}
