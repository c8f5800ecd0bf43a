// SPDX-License-Identifier: Apache-2.0
// A custom operator consists of two functions. Prepare is called whenever an input has a new shape: it checks
// the inputs and sets the shape of the output. Invoke is called once per inference: it computes the output.
#include "examples/custom_atan/atan_operator.h"

#include <math.h>

#include "tensorflow/lite/c/c_api_opaque.h"

static TfLiteStatus atan_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    TF_LITE_OPAQUE_ENSURE_EQ(context, TfLiteOpaqueNodeNumberOfInputs(node), 1);
    TF_LITE_OPAQUE_ENSURE_EQ(context, TfLiteOpaqueNodeNumberOfOutputs(node), 1);
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
    TF_LITE_OPAQUE_ENSURE_TYPES_EQ(context, TfLiteOpaqueTensorType(input), kTfLiteFloat32);
    TF_LITE_OPAQUE_ENSURE_TYPES_EQ(context, TfLiteOpaqueTensorType(output), kTfLiteFloat32);

    // The output has the input's shape. All checks come before: from here on a return would leak memory.
    const int rank = TfLiteOpaqueTensorNumDims(input);
    TfLiteIntArray* shape = TfLiteIntArrayCreate(rank);
    if (shape == NULL) return kTfLiteError;
    for (int i = 0; i < rank; i++) shape->data[i] = TfLiteOpaqueTensorDim(input, i);
    return TfLiteOpaqueContextResizeTensor(context, output, shape); // takes the array over
}

static TfLiteStatus atan_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
    const float* x = TfLiteOpaqueTensorData(input);
    float* y = TfLiteOpaqueTensorData(output);
    const size_t count = TfLiteOpaqueTensorByteSize(output) / sizeof(float);
    for (size_t i = 0; i < count; i++) y[i] = atanf(x[i]);
    return kTfLiteOk;
}

TfLiteOperator* atan_operator_create(void) {
    // The name must be exactly that in the model.
    TfLiteOperator* op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Atan", 1);
    if (op == NULL) return NULL;
    TfLiteOperatorSetPrepare(op, atan_prepare);
    TfLiteOperatorSetInvoke(op, atan_invoke);
    return op;
}
