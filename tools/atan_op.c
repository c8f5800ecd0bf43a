// SPDX-License-Identifier: Apache-2.0
#include "tools/atan_op.h"

#include <math.h>

#include "tensorflow/lite/c/c_api_opaque.h"

static TfLiteStatus atan_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    if (TfLiteOpaqueNodeNumberOfInputs(node) != 1 || TfLiteOpaqueNodeNumberOfOutputs(node) != 1) {
        TfLiteOpaqueContextReportError(context, "Atan: has %d inputs and %d outputs, expected one of each",
                                       TfLiteOpaqueNodeNumberOfInputs(node),
                                       TfLiteOpaqueNodeNumberOfOutputs(node));
        return kTfLiteError;
    }
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
    if (!input || !output || TfLiteOpaqueTensorType(input) != kTfLiteFloat32 ||
        TfLiteOpaqueTensorType(output) != kTfLiteFloat32) {
        TfLiteOpaqueContextReportError(context, "Atan: input and output must be float32 tensors");
        return kTfLiteError;
    }
    const int rank = TfLiteOpaqueTensorNumDims(input);
    TfLiteIntArray* size = TfLiteIntArrayCreate(rank);
    if (!size) return kTfLiteError;
    for (int i = 0; i < rank; ++i) size->data[i] = TfLiteOpaqueTensorDim(input, i);
    return TfLiteOpaqueContextResizeTensor(context, output, size); // which takes `size`
}

static TfLiteStatus atan_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
    const float* in = TfLiteOpaqueTensorData(input);
    float* out = TfLiteOpaqueTensorData(output);
    const size_t count = TfLiteOpaqueTensorByteSize(output) / sizeof(float);
    if (count > 0 && (!in || !out || TfLiteOpaqueTensorByteSize(input) < count * sizeof(float))) {
        TfLiteOpaqueContextReportError(context, "Atan: input or output has no data");
        return kTfLiteError;
    }
    for (size_t i = 0; i < count; ++i) out[i] = atanf(in[i]);
    return kTfLiteOk;
}

TfLiteOperator* tool_atan_operator(void) {
    TfLiteOperator* op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Atan", 1, NULL);
    if (!op) return NULL;
    TfLiteOperatorSetPrepare(op, atan_prepare);
    TfLiteOperatorSetInvoke(op, atan_invoke);
    return op;
}
