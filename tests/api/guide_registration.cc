// SPDX-License-Identifier: Apache-2.0
// The C++ listings of the guide's earlier editions. In C++20, for the initialisers of a TfLiteRegistration.
#include <cmath>

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/api/guide.h"

// "Define the kernel in the runtime": Atan.

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

} // anonymous namespace

TfLiteRegistrationExternal* AtanOpRegistrationExternal() {
    // Singleton instance, intentionally never destroyed.
    static TfLiteRegistrationExternal* atan_op = [] {
        auto* r = TfLiteRegistrationExternalCreate(kTfLiteBuiltinCustom, "ATAN", /*version=*/1);
        TfLiteRegistrationExternalSetPrepare(r, AtanPrepare);
        TfLiteRegistrationExternalSetInvoke(r, AtanEval);
        return r;
    }();
    return atan_op;
}

static const TfLiteRegistration AtanOpRegistration() {
    static const TfLiteRegistration atan_op{
        .registration_external = AtanOpRegistrationExternal(),
    };
    return atan_op;
}

} // namespace atan_op

// "Create and register the operator": names in a namespace, and MyCustomOp.

namespace my_namespace::my_custom_op {
namespace {

void* Init(TfLiteOpaqueContext*, const char*, size_t) {
    guide_calls.init++;
    return new char;
}
void Free(TfLiteOpaqueContext*, void* buffer) {
    guide_calls.free++;
    delete static_cast<char*>(buffer);
}
TfLiteStatus Prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    guide_calls.prepare++;
    return atan_op::AtanPrepare(context, node);
}
TfLiteStatus Invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    guide_calls.invoke++;
    return atan_op::AtanEval(context, node);
}

} // namespace

TfLiteRegistrationExternal* MyCustomOpRegistrationExternal() {
    // Singleton instance, intentionally never destroyed.
    static TfLiteRegistrationExternal* my_custom_op = [] {
        TfLiteRegistrationExternal* r =
            TfLiteRegistrationExternalCreate(kTfLiteBuiltinCustom, "MyCustomOp", /*version=*/1);
        TfLiteRegistrationExternalSetInit(r, Init);
        TfLiteRegistrationExternalSetFree(r, Free);
        TfLiteRegistrationExternalSetPrepare(r, Prepare);
        TfLiteRegistrationExternalSetInvoke(r, Invoke);
        return r;
    }();
    return my_custom_op;
}

const TfLiteRegistration* MyCustomOpRegistration() {
    static const TfLiteRegistration my_custom_op{
        .registration_external = MyCustomOpRegistrationExternal(),
    };
    return &my_custom_op;
}

} // namespace my_namespace::my_custom_op

// "Best practices": a tensor for the time of an inference. What its "..." leave out computes atan by way of
// it.

namespace my_op_data {
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
} // namespace my_op_data

// For the tests.

TfLiteRegistrationExternal* guide_cc_custom_external() {
    return my_namespace::my_custom_op::MyCustomOpRegistrationExternal();
}

TfLiteRegistrationExternal* guide_cc_atan_external() {
    return atan_op::AtanOpRegistrationExternal();
}

const TfLiteRegistration* guide_cc_custom_registration() {
    return my_namespace::my_custom_op::MyCustomOpRegistration();
}

const TfLiteRegistration guide_cc_atan_registration() {
    return atan_op::AtanOpRegistration();
}

TfLiteRegistrationExternal* guide_cc_temporary_external() {
    static TfLiteRegistrationExternal* op = [] {
        auto* r = TfLiteRegistrationExternalCreate(kTfLiteBuiltinCustom, "Atan", /*version=*/1);
        TfLiteRegistrationExternalSetInit(r, my_op_data::Init);
        TfLiteRegistrationExternalSetFree(r, my_op_data::Free);
        TfLiteRegistrationExternalSetPrepare(r, my_op_data::Prepare);
        TfLiteRegistrationExternalSetInvoke(r, my_op_data::Invoke);
        return r;
    }();
    return op;
}
