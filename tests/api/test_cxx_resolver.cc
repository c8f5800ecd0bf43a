// SPDX-License-Identifier: Apache-2.0
// Resolvers and operators of the C++ API: classic ones (TfLiteRegistration) and opaque ones (TfLiteOperator).
#include "tensorflow/lite/create_op_resolver.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tests/api/cxx.h"

using tflite::BuiltinOperator;
using tflite::MutableOpResolver;
using BuiltinOpResolver = tflite::ops::builtin::BuiltinOpResolver;

namespace {

// ---- Twice: a classic operator ----

int states; // of nodes, now

void* TwiceInit(TfLiteContext*, const char*, size_t) {
    states++;
    return new int(0);
}
void TwiceFree(TfLiteContext*, void* buffer) {
    states--;
    delete static_cast<int*>(buffer);
}
TfLiteStatus TwicePrepare(TfLiteContext* context, TfLiteNode* node) {
    TF_LITE_ENSURE_EQ(context, tflite::NumInputs(node), 1);
    TF_LITE_ENSURE_EQ(context, tflite::NumOutputs(node), 1);
    const TfLiteTensor* input;
    TF_LITE_ENSURE_OK(context, tflite::GetInputSafe(context, node, 0, &input));
    TfLiteTensor* output;
    TF_LITE_ENSURE_OK(context, tflite::GetOutputSafe(context, node, 0, &output));
    TF_LITE_ENSURE_TYPES_EQ(context, input->type, kTfLiteFloat32);
    return context->ResizeTensor(context, output, TfLiteIntArrayCopy(input->dims));
}
TfLiteStatus TwiceInvoke(TfLiteContext* context, TfLiteNode* node) {
    ++*static_cast<int*>(node->user_data);
    const TfLiteTensor* input = tflite::GetInput(context, node, 0);
    const float* x = tflite::GetTensorData<float>(input);
    float* y = tflite::GetTensorData<float>(tflite::GetOutput(context, node, 0));
    for (int64_t i = 0; i < tflite::NumElements(input); i++) y[i] = 2 * x[i];
    return kTfLiteOk;
}

TfLiteRegistration* Register_TWICE() {
    static TfLiteRegistration registration = {};
    registration.init = TwiceInit;
    registration.free = TwiceFree;
    registration.prepare = TwicePrepare;
    registration.invoke = TwiceInvoke;
    return &registration;
}

// ---- Negate: an opaque one ----

TfLiteStatus NegatePrepare(TfLiteOpaqueContext*, TfLiteOpaqueNode*) {
    return kTfLiteOk; // the output has its shape from the model
}
TfLiteStatus NegateInvoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    const auto* x = static_cast<const float*>(TfLiteOpaqueTensorData(input));
    auto* y = static_cast<float*>(TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetOutput(context, node, 0)));
    for (size_t i = 0; i < TfLiteOpaqueTensorByteSize(input) / sizeof(float); i++) y[i] = -x[i];
    return kTfLiteOk;
}

TfLiteOperator* NegateOperator() {
    static TfLiteOperator* op = [] {
        TfLiteOperator* r = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Negate", 1);
        TfLiteOperatorSetPrepare(r, NegatePrepare);
        TfLiteOperatorSetInvoke(r, NegateInvoke);
        return r;
    }();
    return op;
}

void both_kinds_in_one_model(void**) {
    TestModel test(cxx_model_customs("Twice", "Negate", 1));
    std::unique_ptr<tflite::Interpreter> interpreter;
    {
        MutableOpResolver resolver;
        resolver.AddCustom("Twice", Register_TWICE());
        tflite::AddOp(&resolver, NegateOperator());
        interpreter = test.Build(resolver);
    }
    assert_int_equal(states, 1);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    ExpectRun(interpreter.get(), {1, 2, 3}, {-2, -4, -6});
    assert_string_equal(interpreter->node_and_registration(0)->second.custom_name, "Twice");
    interpreter.reset();
    assert_int_equal(states, 0);
    assert_string_equal(test.reporter.messages.c_str(), "");
}

void name_and_version_of_the_addition_count(void**) {
    TfLiteRegistration registration = *Register_TWICE();
    registration.custom_name = "SomethingElse";
    registration.builtin_code = 7;
    registration.version = 9;
    MutableOpResolver resolver;
    {
        const std::string name = "Twice"; // copied
        resolver.AddCustom(name.c_str(), &registration);
    }
    resolver.AddCustom("Negate",
                       TfLiteRegistration{nullptr, nullptr, nullptr, nullptr, nullptr, 0, nullptr, 0,
                                          NegateOperator(), nullptr, 0},
                       2, 4);
    const TfLiteRegistration* found = resolver.FindOp("Twice", 1);
    assert_string_equal(found->custom_name, "Twice");
    static const char own_name[] = "Own"; // a registration's own is kept, also in copies
    TfLiteRegistration named = registration;
    named.custom_name = own_name;
    resolver.AddCustom(own_name, &named);
    assert_ptr_equal(MutableOpResolver(resolver).FindOp("Own", 1)->custom_name, own_name);
    assert_int_equal(found->builtin_code, tflite::BuiltinOperator_CUSTOM);
    assert_int_equal(found->version, 1);
    assert_ptr_equal(resolver.FindOp("Twice"), found);
    assert_null(resolver.FindOp("Twice", 9));
    assert_null(resolver.FindOp("SomethingElse", 9));
    assert_null(resolver.FindOp(static_cast<const char*>(nullptr), 1));
    for (int version = 1; version <= 5; version++) {
        assert_int_equal(resolver.FindOp("Negate", version) != nullptr, version >= 2 && version <= 4);
    }
    const MutableOpResolver copy = resolver;
    MutableOpResolver assigned;
    assigned = copy;
    resolver = MutableOpResolver();
    assert_null(resolver.FindOp("Twice", 1));
    assert_string_equal(assigned.FindOp("Twice", 1)->custom_name, "Twice");

    TestModel test(cxx_model_customs("Twice", "Negate", 3));
    const auto interpreter = test.Build(assigned);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    ExpectRun(interpreter.get(), {1, 2, 3}, {-2, -4, -6});
}

// ---- The library's operators ----

void every_builtin_is_found(void**) {
    const BuiltinOpResolver resolver;
    const auto* add = resolver.FindOp(tflite::BuiltinOperator_ADD, 1);
    assert_non_null(add);
    assert_true(add->prepare != nullptr && add->invoke != nullptr);
    assert_int_equal(add->builtin_code, tflite::BuiltinOperator_ADD);
    assert_null(resolver.FindOp(tflite::BuiltinOperator_ADD, 1000));
    assert_null(resolver.FindOp(tflite::BuiltinOperator_CUSTOM, 1));
    assert_null(resolver.FindOp("Atan", 1));
    assert_non_null(resolver.FindOp("TFLite_Detection_PostProcess", 1));
    for (int i = 0; i < oclite_operator_count(); i++) {
        const TfLiteRegistration* op = oclite_operator(i);
        const auto code = static_cast<BuiltinOperator>(op->builtin_code);
        const TfLiteRegistration* found = op->custom_name ? resolver.FindOp(op->custom_name, op->version)
                                                          : resolver.FindOp(code, op->version);
        assert_non_null(found);
        assert_true(found->invoke == op->invoke && found->prepare == op->prepare);
        assert_true(tflite::EnumNameBuiltinOperator(code)[0] != '\0');
    }
    assert_null(oclite_operator(-1));
    assert_null(oclite_operator(oclite_operator_count()));
    assert_string_equal(tflite::EnumNameBuiltinOperator(tflite::BuiltinOperator_CONV_2D), "CONV_2D");
    assert_string_equal(tflite::EnumNameBuiltinOperator(static_cast<BuiltinOperator>(9999)), "");
    const tflite::ops::builtin::BuiltinOpResolverWithoutDefaultDelegates without;
    assert_non_null(without.FindOp(tflite::BuiltinOperator_MUL, 1));
    assert_non_null(tflite::CreateOpResolver()->FindOp(tflite::BuiltinOperator_MUL, 1));
}

void single_builtins(void**) {
    MutableOpResolver resolver;
    resolver.AddBuiltin(tflite::BuiltinOperator_ADD, tflite::ops::builtin::Register_ADD(), 1, 3);
    resolver.AddBuiltin(tflite::BuiltinOperator_CALL, tflite::ops::builtin::Register_CALL()); // there is none
    assert_null(tflite::ops::builtin::Register_CALL());
    assert_null(resolver.FindOp(tflite::BuiltinOperator_CALL, 1));
    assert_null(resolver.FindOp(tflite::BuiltinOperator_MUL, 1));
    TestModel test(cxx_model_adds());
    const auto interpreter = test.Build(resolver);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    ExpectRun(interpreter.get(), {1, 2, 3}, {8, 16, 24});
}

// An ADD that counts, around the library's.
const TfLiteRegistration* inner_add;
int additions;

TfLiteStatus CountingAddInvoke(TfLiteContext* context, TfLiteNode* node) {
    additions++;
    return inner_add->invoke(context, node);
}

void builtins_are_wrapped(void**) {
    BuiltinOpResolver library;
    inner_add = library.FindOp(tflite::BuiltinOperator_ADD, 1);
    TfLiteRegistration counting = *inner_add;
    counting.invoke = CountingAddInvoke;
    MutableOpResolver resolver;
    resolver.AddAll(library);
    resolver.AddBuiltin(tflite::BuiltinOperator_ADD, &counting, 1, 3);
    TestModel test(cxx_model_adds());
    const auto interpreter = test.Build(resolver);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    additions = 0;
    ExpectRun(interpreter.get(), {1, 2, 3}, {8, 16, 24});
    assert_int_equal(additions, 3);
}

TfLiteStatus SubtractInvoke(TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* input = tflite::GetInput(context, node, 0);
    const float* a = tflite::GetTensorData<float>(input);
    const float* b = tflite::GetTensorData<float>(tflite::GetInput(context, node, 1));
    float* y = tflite::GetTensorData<float>(tflite::GetOutput(context, node, 0));
    for (int64_t i = 0; i < tflite::NumElements(input); i++) y[i] = a[i] - b[i];
    return kTfLiteOk;
}

void builtins_are_replaced(void**) {
    TestModel test(cxx_model_adds());
    TfLiteRegistration subtract = {};
    subtract.prepare = [](TfLiteContext*, TfLiteNode* node) {
        // A builtin operator's parameters are there for whoever implements it.
        return node->builtin_data != nullptr ? kTfLiteOk : kTfLiteError;
    };
    subtract.invoke = SubtractInvoke;
    BuiltinOpResolver resolver;
    resolver.AddBuiltin(tflite::BuiltinOperator_ADD,
                        subtract); // by value, as the guide's functions return it
    const auto interpreter = test.Build(resolver);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    ExpectRun(interpreter.get(), {1, 2, 3}, {0, 0, 0});
    // An opaque operator may implement a builtin too, and the library's operator another's name.
    TfLiteOperator* opaque = TfLiteOperatorCreate(kTfLiteBuiltinAdd, nullptr, 1);
    TfLiteOperatorSetPrepare(opaque, NegatePrepare);
    TfLiteOperatorSetInvoke(opaque, NegateInvoke);
    tflite::AddOp(&resolver, opaque, 1, 2);
    const auto negating = test.Build(resolver);
    assert_int_equal(negating->AllocateTensors(), kTfLiteOk);
    ExpectRun(negating.get(), {1, 2, 3}, {-1, -2, -3});
    TfLiteOperatorDelete(opaque);
    TestModel customs(cxx_model_customs("Relu", "MyAbs", 1));
    MutableOpResolver borrowed;
    borrowed.AddCustom("Relu", BuiltinOpResolver().FindOp(tflite::BuiltinOperator_RELU, 1));
    borrowed.AddCustom("MyAbs", BuiltinOpResolver().FindOp(tflite::BuiltinOperator_ABS, 1));
    const auto third = customs.Build(borrowed);
    assert_int_equal(third->AllocateTensors(), kTfLiteOk);
    ExpectRun(third.get(), {-1, 2, -3}, {0, 2, 0});
}

// ---- What is missing ----

void missing_operators(void**) {
    TestModel adds(cxx_model_adds());
    const MutableOpResolver empty;
    assert_true(adds.Build(empty) == nullptr);
    assert_true(adds.reporter.Has("Didn't find op for builtin opcode 'ADD' version '1'"));
    assert_true(adds.reporter.Has("Registration failed."));

    TestModel customs(cxx_model_customs("Twice", "Negate", 2));
    MutableOpResolver resolver;
    resolver.AddCustom("TWICE", Register_TWICE());
    resolver.AddCustom("Negate", TfLiteRegistration(*Register_TWICE()), 3, 5);
    resolver.AddCustom("Ignored", static_cast<const TfLiteRegistration*>(nullptr));
    resolver.AddBuiltin(tflite::BuiltinOperator_ADD, nullptr);
    auto interpreter = customs.Build(resolver);
    assert_int_not_equal(interpreter->AllocateTensors(), kTfLiteOk);
    assert_true(customs.reporter.Has("Encountered unresolved custom op: Twice."));
    assert_true(customs.reporter.Has("'TWICE'"));
    resolver.AddCustom("Twice", Register_TWICE());
    interpreter = customs.Build(resolver);
    assert_int_not_equal(interpreter->AllocateTensors(), kTfLiteOk);
    assert_true(customs.reporter.Has("Encountered unresolved custom op: Negate."));
    assert_true(customs.reporter.Has("needs version 2"));
}

// ---- Resolvers of one's own ----

class OwnResolver : public tflite::OpResolver {
  public:
    const TfLiteRegistration* FindOp(BuiltinOperator, int) const override { return nullptr; }
    const TfLiteRegistration* FindOp(const char* op, int version) const override {
        asked += std::string(op) + std::to_string(version) + ";";
        return Register_TWICE();
    }
    mutable std::string asked;
};

class ChainedResolver : public BuiltinOpResolver {
  public:
    explicit ChainedResolver(const OpResolver* other) { ChainOpResolver(other); }
};

void own_resolvers(void**) {
    TestModel test(cxx_model_customs("A", "B", 4));
    OwnResolver own;
    auto interpreter = test.Build(own);
    assert_string_equal(own.asked.c_str(), "A1;B4;");
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    ExpectRun(interpreter.get(), {1, 2, 3}, {4, 8, 12});

    ChainedResolver chained(&own);
    tflite::AddOp(&chained, TfLiteRegistration{nullptr, nullptr, nullptr, nullptr, nullptr, 0, nullptr, 0,
                                               NegateOperator(), nullptr, 0});
    chained.AddCustom("B", chained.FindOp("Negate", 1), 4);
    assert_non_null(chained.FindOp(tflite::BuiltinOperator_ADD, 1));
    MutableOpResolver all;
    all.AddAll(chained);
    interpreter = test.Build(all);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    ExpectRun(interpreter.get(), {1, 2, 3}, {-2, -4, -6});
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(both_kinds_in_one_model), cmocka_unit_test(name_and_version_of_the_addition_count),
        cmocka_unit_test(every_builtin_is_found),  cmocka_unit_test(single_builtins),
        cmocka_unit_test(builtins_are_wrapped),    cmocka_unit_test(builtins_are_replaced),
        cmocka_unit_test(missing_operators),       cmocka_unit_test(own_resolvers),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
