// SPDX-License-Identifier: Apache-2.0
// What operators ask of their tensors: classes of types, quantization, elements of constants.
#ifndef DELEGATE_OPENCL_OPS_COMMON_TENSOR_H_
#define DELEGATE_OPENCL_OPS_COMMON_TENSOR_H_

#include <string.h>

#include "delegate-opencl/graph/support.h"

static inline bool lite_cl_is_byte(TfLiteType type) {
    return type == kTfLiteInt8 || type == kTfLiteUInt8;
}

// One of the quantized types that can be multiplied.
static inline bool lite_cl_is_quantized(TfLiteType type) {
    return lite_cl_is_byte(type) || type == kTfLiteInt16;
}

static inline bool lite_cl_is_float(TfLiteType type) {
    return type == kTfLiteFloat32 || type == kTfLiteFloat16 || type == kTfLiteBFloat16;
}

// Has the output the type that the parameters say? The CPU kernels give it that type, a delegate cannot.
bool lite_cl_is_output_type(const LiteClNode* node, TfLiteType type, LiteClReason* reason);

// Is the tensor quantized as a whole, with a scale and a zero point that its type can hold?
bool lite_cl_check_quantized(const LiteClTensor* tensor, LiteClReason* reason);
// The same, and INT16 has no zero point.
bool lite_cl_check_symmetric(const LiteClTensor* tensor, LiteClReason* reason);
bool lite_cl_same_quantization(const LiteClTensor* a, const LiteClTensor* b, LiteClReason* reason);

// Can values of these tensors be moved from one to the other as they are?
static inline bool lite_cl_same_elements(const LiteClTensor* a, const LiteClTensor* b, LiteClReason* reason) {
    return !lite_cl_is_quantized(a->type) || lite_cl_same_quantization(a, b, reason);
}

// Element i of a float constant (the model's bytes may be unaligned).
static inline float lite_cl_constant_float(const LiteClTensor* tensor, size_t i) {
    float value;
    memcpy(&value, (const char*)tensor->data + i * sizeof value, sizeof value);
    return value;
}

#endif
