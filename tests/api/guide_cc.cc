// SPDX-License-Identifier: Apache-2.0
#include "tests/api/guide.h"

#include <cmath>

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_opaque.h"

namespace atan_op {
namespace {

TfLiteStatus AtanPrepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
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

TfLiteStatus AtanEval(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);

    float* input_data = static_cast<float*>(TfLiteOpaqueTensorData(input));
    float* output_data = static_cast<float*>(TfLiteOpaqueTensorData(output));

    size_t count = 1;
    int num_dims = TfLiteOpaqueTensorNumDimensions(input);
    for (int i = 0; i < num_dims; ++i) {
        count *= TfLiteOpaqueTensorDim(input, i);
    }

    for (size_t i = 0; i < count; ++i) {
        output_data[i] = atan(input_data[i]);
    }
    return kTfLiteOk;
}

} // namespace

TfLiteOperator* AtanOperator() {
    // Singleton instance, intentionally never destroyed.
    static TfLiteOperator* atan_op = [] {
        auto* r = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Atan", /*version=*/1);
        TfLiteOperatorSetPrepare(r, AtanPrepare);
        TfLiteOperatorSetInvoke(r, AtanEval);
        return r;
    }();
    return atan_op;
}

TfLiteRegistrationExternal* AtanOpRegistrationExternal() {
    static TfLiteRegistrationExternal* atan_op = [] {
        auto* r = TfLiteRegistrationExternalCreate(kTfLiteBuiltinCustom, "Atan", /*version=*/1);
        TfLiteRegistrationExternalSetPrepare(r, AtanPrepare);
        TfLiteRegistrationExternalSetInvoke(r, AtanEval);
        return r;
    }();
    return atan_op;
}

} // namespace atan_op

// The guide's listing about temporaries; what its "..." leave out computes atan by way of the temporary.
namespace my_custom_op {
namespace {

struct MyOpData {
    int temp_tensor_index;
};

void* Init(TfLiteOpaqueContext*, const char*, size_t) {
    auto* op_data = new MyOpData{};
    return op_data;
}

void Free(TfLiteOpaqueContext*, void* buffer) {
    delete reinterpret_cast<MyOpData*>(buffer);
}

TfLiteStatus Prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    auto* op_data = reinterpret_cast<MyOpData*>(TfLiteOpaqueNodeGetUserData(node));
    const int num_temporaries = 1;
    int temporary_tensor_indices[num_temporaries];
    TfLiteOpaqueTensorBuilder* builder = TfLiteOpaqueTensorBuilderCreate();
    TfLiteOpaqueTensorBuilderSetType(builder, kTfLiteFloat32);
    TfLiteOpaqueTensorBuilderSetAllocationType(builder, kTfLiteArenaRw);
    TfLiteOpaqueContextAddTensor(context, builder, &temporary_tensor_indices[0]);
    TfLiteOpaqueTensorBuilderDelete(builder);
    TfLiteOpaqueNodeSetTemporaries(node, temporary_tensor_indices, num_temporaries);
    op_data->temp_tensor_index = temporary_tensor_indices[0];

    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    TfLiteIntArray* size = TfLiteIntArrayCreate(1);
    size->data[0] = static_cast<int>(TfLiteOpaqueTensorByteSize(input) / sizeof(float));
    TfLiteOpaqueTensor* temp = TfLiteOpaqueContextGetOpaqueTensor(context, op_data->temp_tensor_index);
    TF_LITE_ENSURE_STATUS(TfLiteOpaqueContextResizeTensor(context, temp, size));
    return atan_op::AtanPrepare(context, node);
}

TfLiteStatus Invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    auto* op_data = reinterpret_cast<MyOpData*>(TfLiteOpaqueNodeGetUserData(node));
    TfLiteOpaqueTensor* temp_tensor = TfLiteOpaqueContextGetOpaqueTensor(context, op_data->temp_tensor_index);
    TF_LITE_OPAQUE_ENSURE(context, TfLiteTensorType(temp_tensor) == kTfLiteFloat32);
    TF_LITE_OPAQUE_ENSURE(context, TfLiteTensorGetAllocationType(temp_tensor) == kTfLiteArenaRw);
    void* temp_data = TfLiteTensorData(temp_tensor);
    TF_LITE_OPAQUE_ENSURE(context, temp_data != nullptr);

    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
    const size_t bytes = TfLiteOpaqueTensorByteSize(input);
    auto* values = static_cast<float*>(temp_data);
    TF_LITE_ENSURE_STATUS(TfLiteOpaqueTensorCopyToBuffer(input, values, bytes));
    for (size_t i = 0; i < bytes / sizeof(float); ++i) values[i] = std::atan(values[i]);
    return TfLiteOpaqueTensorCopyFromBuffer(output, values, bytes);
}

} // namespace
} // namespace my_custom_op

TfLiteOperator* guide_cc_operator() {
    return atan_op::AtanOperator();
}

TfLiteRegistrationExternal* guide_cc_registration_external() {
    return atan_op::AtanOpRegistrationExternal();
}

TfLiteOperator* guide_cc_operator_with_temporary() {
    static TfLiteOperator* my_custom_op = [] {
        TfLiteOperator* r = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Atan", /*version=*/1, nullptr);
        TfLiteOperatorSetInit(r, my_custom_op::Init);
        TfLiteOperatorSetFree(r, my_custom_op::Free);
        TfLiteOperatorSetPrepare(r, my_custom_op::Prepare);
        TfLiteOperatorSetInvoke(r, my_custom_op::Invoke);
        return r;
    }();
    return my_custom_op;
}
