// SPDX-License-Identifier: Apache-2.0
// The custom operator "AtanOffset", y = atan(x + offset), by which `oclite fuse` replaces ADD and Atan, as a
// library for `oclite run --operators` (oclite/operators.h). x is float32 of any shape; offset is one number.
#include <math.h>

#include "oclite/operators.h"
#include "tensorflow/lite/c/c_api_opaque.h"

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    TF_LITE_OPAQUE_ENSURE_EQ(context, TfLiteOpaqueNodeNumberOfInputs(node), 2);
    TF_LITE_OPAQUE_ENSURE_EQ(context, TfLiteOpaqueNodeNumberOfOutputs(node), 1);
    const TfLiteOpaqueTensor* x = TfLiteOpaqueNodeGetInput(context, node, 0);
    const TfLiteOpaqueTensor* offset = TfLiteOpaqueNodeGetInput(context, node, 1);
    TfLiteOpaqueTensor* y = TfLiteOpaqueNodeGetOutput(context, node, 0);
    TF_LITE_OPAQUE_ENSURE_TYPES_EQ(context, TfLiteOpaqueTensorType(x), kTfLiteFloat32);
    TF_LITE_OPAQUE_ENSURE_TYPES_EQ(context, TfLiteOpaqueTensorType(offset), kTfLiteFloat32);
    TF_LITE_OPAQUE_ENSURE_TYPES_EQ(context, TfLiteOpaqueTensorType(y), kTfLiteFloat32);
    TF_LITE_OPAQUE_ENSURE_EQ(context, TfLiteOpaqueTensorByteSize(offset), sizeof(float));

    const int rank = TfLiteOpaqueTensorNumDims(x);
    TfLiteIntArray* shape = TfLiteIntArrayCreate(rank);
    if (shape == NULL) return kTfLiteError;
    for (int i = 0; i < rank; i++) shape->data[i] = TfLiteOpaqueTensorDim(x, i);
    return TfLiteOpaqueContextResizeTensor(context, y, shape); // takes the array over
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const float* x = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetInput(context, node, 0));
    const float* offset = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetInput(context, node, 1));
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
    float* y = TfLiteOpaqueTensorData(output);
    const size_t count = TfLiteOpaqueTensorByteSize(output) / sizeof(float);
    for (size_t i = 0; i < count; i++) y[i] = atanf(x[i] + *offset);
    return kTfLiteOk;
}

TfLiteStatus oclite_add_operators(TfLiteInterpreterOptions* options) {
    static TfLiteOperator* op; // made once, and the library's from then on
    if (op == NULL) op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "AtanOffset", 1);
    if (op == NULL) return kTfLiteError;
    TfLiteOperatorSetPrepare(op, prepare);
    TfLiteOperatorSetInvoke(op, invoke);
    TfLiteInterpreterOptionsAddOperator(options, op);
    return kTfLiteOk;
}
