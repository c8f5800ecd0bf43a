// SPDX-License-Identifier: Apache-2.0
// The operators by the C++ headers, in a program that links the shared libraries: test_custom_ops_cxx MODEL
// MODEL adds something small and computes the custom operator Atan, in whose place others are put.
#include <memory>
#include <set>

#include "tflite/interpreter.h"
#include "tflite/kernels/custom_ops_register.h"
#include "tflite/kernels/perception/perception_ops.h"
#include "tflite/kernels/register.h"
#include "tflite/model.h"

#include "tests/api/cmocka_setup.h"

// As programs declare them that include no header for it.
namespace tflite {
namespace ops {
namespace custom {
TfLiteRegistration* Register_AUDIO_SPECTROGRAM();
TfLiteRegistration* Register_DETECTION_POSTPROCESS();
TfLiteRegistration* Register_HADAMARD_ROTATION();
TfLiteRegistration* Register_MFCC();
TfLiteRegistration* Register_NUMERIC_VERIFY();
TfLiteRegistration* Register_TABLE();
TfLiteRegistration* Register_UNIDIRECTIONAL_SEQUENCE_GRU();
} // namespace custom
} // namespace ops
} // namespace tflite

namespace {

namespace custom = tflite::ops::custom;

const char* model_path;

void ExpectRegistration(const TfLiteRegistration* registration) {
    assert_non_null(registration);
    assert_true(registration->prepare != nullptr);
    assert_true(registration->invoke != nullptr);
}

void each_has_a_registration(void**) {
    const std::set<TfLiteRegistration*> registrations = {custom::Register_ATAN2(),
                                                         custom::Register_AVG_POOL_3D(),
                                                         custom::Register_IRFFT2D(),
                                                         custom::Register_MAX_POOL_3D(),
                                                         custom::Register_MULTINOMIAL(),
                                                         custom::Register_RANDOM_STANDARD_NORMAL(),
                                                         custom::Register_RANDOM_UNIFORM(),
                                                         custom::Register_RANDOM_UNIFORM_INT(),
                                                         custom::Register_ROLL(),
                                                         custom::Register_SIGN(),
                                                         custom::Register_TABLE(),
                                                         custom::Register_UNIDIRECTIONAL_SEQUENCE_GRU(),
                                                         custom::RegisterDenseImageWarp(),
                                                         custom::RegisterMaxPoolWithArgmax(),
                                                         custom::RegisterMaxUnpooling2D(),
                                                         custom::Register_AUDIO_SPECTROGRAM(),
                                                         custom::Register_DETECTION_POSTPROCESS(),
                                                         custom::Register_HADAMARD_ROTATION(),
                                                         custom::Register_MFCC(),
                                                         custom::Register_NUMERIC_VERIFY()};
    assert_int_equal(registrations.size(), 20);
    for (const TfLiteRegistration* registration : registrations) ExpectRegistration(registration);
    assert_string_equal(custom::Register_HADAMARD_ROTATION()->custom_name, "aeq.hadamard_rotation");
}

void a_resolver_gets_the_perception_operators(void**) {
    tflite::MutableOpResolver resolver;
    custom::AddPerceptionOps(&resolver);
    ExpectRegistration(resolver.FindOp("DenseImageWarp"));
    ExpectRegistration(resolver.FindOp("MaxPoolWithArgmax"));
    ExpectRegistration(resolver.FindOp("MaxUnpooling2D"));
    assert_null(resolver.FindOp("Roll"));
}

std::unique_ptr<tflite::Interpreter> Build(const tflite::FlatBufferModel& model,
                                           const TfLiteRegistration* registration) {
    tflite::ops::builtin::BuiltinOpResolver resolver;
    resolver.AddCustom("Atan", registration);
    std::unique_ptr<tflite::Interpreter> interpreter;
    assert_int_equal(tflite::InterpreterBuilder(model, resolver)(&interpreter), kTfLiteOk);
    return interpreter;
}

void an_interpreter_runs_one(void**) {
    const auto model = tflite::FlatBufferModel::BuildFromFile(model_path);
    assert_true(model != nullptr);
    auto interpreter = Build(*model, custom::Register_SIGN());
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    float* x = interpreter->typed_input_tensor<float>(0);
    const size_t count = interpreter->input_tensor(0)->bytes / sizeof(float);
    for (size_t i = 0; i < count; i++) x[i] = i < 2 ? -100.0f : 100.0f;
    assert_int_equal(interpreter->Invoke(), kTfLiteOk);
    const float* y = interpreter->typed_output_tensor<float>(0);
    for (size_t i = 0; i < count; i++) assert_true(y[i] == (i < 2 ? -1.0f : 1.0f));
}

// Options that are made by init, and a node that does not fit.
void an_interpreter_refuses_one(void**) {
    const auto model = tflite::FlatBufferModel::BuildFromFile(model_path);
    assert_true(model != nullptr);
    assert_int_equal(Build(*model, custom::Register_MAX_POOL_3D())->AllocateTensors(), kTfLiteError);
    assert_int_equal(Build(*model, custom::Register_ROLL())->AllocateTensors(), kTfLiteError);
}

} // namespace

int main(int argc, char** argv) {
    model_path = argc > 1 ? argv[1] : "";
    const CMUnitTest tests[] = {
        cmocka_unit_test(each_has_a_registration),
        cmocka_unit_test(a_resolver_gets_the_perception_operators),
        cmocka_unit_test(an_interpreter_runs_one),
        cmocka_unit_test(an_interpreter_refuses_one),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
