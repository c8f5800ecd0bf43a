// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/common/tensor.h"

#include <math.h>

bool lite_cl_is_output_type(const LiteClNode* node, TfLiteType type, LiteClReason* reason) {
    const TfLiteType declared = node->outputs[0]->type;
    return declared == type || lite_cl_refuse(reason, "an output of type %s, parameters say %s",
                                              TfLiteTypeGetName(declared), TfLiteTypeGetName(type));
}

bool lite_cl_check_quantized(const LiteClTensor* tensor, LiteClReason* reason) {
    int32_t low, high;
    if (!(tensor->scale > 0.0f) || !isfinite(tensor->scale)) {
        return lite_cl_refuse(reason, "a tensor of type %s has no scale", TfLiteTypeGetName(tensor->type));
    }
    if (!lite_type_limits(tensor->type, &low, &high) || tensor->zero_point < low ||
        tensor->zero_point > high) {
        return lite_cl_refuse(reason, "zero point %d of type %s", (int)tensor->zero_point,
                              TfLiteTypeGetName(tensor->type));
    }
    return true;
}

bool lite_cl_check_symmetric(const LiteClTensor* tensor, LiteClReason* reason) {
    if (!lite_cl_check_quantized(tensor, reason)) return false;
    if (tensor->type != kTfLiteInt16 || tensor->zero_point == 0) return true;
    return lite_cl_refuse(reason, "zero point %d of type INT16", (int)tensor->zero_point);
}

bool lite_cl_same_quantization(const LiteClTensor* a, const LiteClTensor* b, LiteClReason* reason) {
    if (a->scale == b->scale && a->zero_point == b->zero_point) return true;
    return lite_cl_refuse(reason, "input and output differ in scale or zero point");
}
