// SPDX-License-Identifier: Apache-2.0
#include "tests/api/guide.h"

#include <math.h>

#include "third_party/tensorflow/lite/c/c_api.h"
#include "third_party/tensorflow/lite/c/c_api_opaque.h"

static TfLiteStatus AtanPrepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    TF_LITE_OPAQUE_ENSURE_EQ(context, TfLiteOpaqueNodeNumInputs(node), 1);
    TF_LITE_OPAQUE_ENSURE_EQ(context, TfLiteOpaqueNodeNumOutputs(node), 1);

    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);

    int num_dims = TfLiteOpaqueTensorNumDimensions(input);

    TfLiteIntArray* output_size = TfLiteIntArrayCreate(num_dims);
    for (int i = 0; i < num_dims; ++i) {
        output_size->data[i] = TfLiteOpaqueTensorDim(input, i);
    }

    return TfLiteOpaqueContextResizeTensor(context, output, output_size);
}

static TfLiteStatus AtanEval(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);

    float* input_data = TfLiteOpaqueTensorData(input);
    float* output_data = TfLiteOpaqueTensorData(output);

    size_t count = 1;
    int num_dims = TfLiteOpaqueTensorNumDimensions(input);
    for (int i = 0; i < num_dims; ++i) {
        count *= (size_t)TfLiteOpaqueTensorDim(input, i);
    }

    for (size_t i = 0; i < count; ++i) {
        output_data[i] = (float)atan(input_data[i]);
    }
    return kTfLiteOk;
}

static TfLiteOperator* AtanOpCreate(const char* name) {
    TfLiteOperator* r = TfLiteOperatorCreate(kTfLiteBuiltinCustom, name, /*version=*/1);
    TfLiteOperatorSetPrepare(r, AtanPrepare);
    TfLiteOperatorSetInvoke(r, AtanEval);
    return r;
}

TfLiteOperator* guide_c_operator(void) {
    // Singleton instance, intentionally never destroyed.
    static TfLiteOperator* atan_op = NULL;
    if (!atan_op) atan_op = AtanOpCreate("Atan");
    return atan_op;
}

TfLiteOperator* guide_c_operator_in_capitals(void) {
    static TfLiteOperator* atan_op = NULL;
    if (!atan_op) atan_op = AtanOpCreate("ATAN");
    return atan_op;
}

static TfLiteRegistrationExternal* AtanOpRegistrationExternalCreate(void) {
    TfLiteRegistrationExternal* r =
        TfLiteRegistrationExternalCreate(kTfLiteBuiltinCustom, "Atan", /*version=*/1);
    TfLiteRegistrationExternalSetPrepare(r, AtanPrepare);
    TfLiteRegistrationExternalSetInvoke(r, AtanEval);
    return r;
}

TfLiteRegistrationExternal* guide_c_registration_external(void) {
    static TfLiteRegistrationExternal* atan_op = NULL;
    if (!atan_op) atan_op = AtanOpRegistrationExternalCreate();
    return atan_op;
}
