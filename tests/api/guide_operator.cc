// SPDX-License-Identifier: Apache-2.0
// The C++ listings of the guide's newest edition.
#include <cmath>

#include "tests/api/guide.h"
#include "third_party/tensorflow/lite/c/c_api.h"
#include "third_party/tensorflow/lite/c/c_api_opaque.h"

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

TfLiteOperator* AtanOperator() {
    // Singleton instance, intentionally never destroyed.
    static TfLiteOperator* atan_op = [] {
        auto* r = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "ATAN", /*version=*/1);
        TfLiteOperatorSetPrepare(r, AtanPrepare);
        TfLiteOperatorSetInvoke(r, AtanEval);
        return r;
    }();
    return atan_op;
}

} // namespace atan_op

// "Create and register the operator": names in a namespace, and MyCustomOp.

namespace my_namespace::my_custom_op {
namespace {

struct State {
    int invocations = 0;
};

void* Init(TfLiteOpaqueContext*, const char*, size_t) {
    guide_calls.init++;
    return new State;
}
void Free(TfLiteOpaqueContext*, void* buffer) {
    guide_calls.free++;
    delete static_cast<State*>(buffer);
}
TfLiteStatus Prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    guide_calls.prepare++;
    return atan_op::AtanPrepare(context, node);
}
TfLiteStatus Invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    guide_calls.invoke++;
    static_cast<State*>(TfLiteOpaqueNodeGetUserData(node))->invocations++;
    return atan_op::AtanEval(context, node);
}

} // namespace

TfLiteOperator* MyCustomOperator() {
    // Singleton instance, intentionally never destroyed.
    static TfLiteOperator* my_custom_op = [] {
        TfLiteOperator* r = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "MyCustomOp", /*version=*/1);
        TfLiteOperatorSetInit(r, Init);
        TfLiteOperatorSetFree(r, Free);
        TfLiteOperatorSetPrepare(r, Prepare);
        TfLiteOperatorSetInvoke(r, Invoke);
        return r;
    }();
    return my_custom_op;
}

} // namespace my_namespace::my_custom_op

// For the tests.

TfLiteOperator* guide_cc_custom() {
    return my_namespace::my_custom_op::MyCustomOperator();
}

TfLiteOperator* guide_cc_atan() {
    return atan_op::AtanOperator();
}
