// SPDX-License-Identifier: Apache-2.0
// What operators are written with in C++: kernel_util.h, string_util.h, util.h, types.
#include <complex>
#include <cstdlib>
#include <cstring>

#include "tensorflow/lite/kernels/internal/tensor_ctypes.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tensorflow/lite/string_util.h"
#include "tensorflow/lite/util.h"
#include "tests/api/cxx.h"

namespace {

// ---- Types ----

static_assert(tflite::typeToTfLiteType<float>() == kTfLiteFloat32, "");
static_assert(tflite::typeToTfLiteType<int>() == kTfLiteInt32, "");
static_assert(tflite::typeToTfLiteType<unsigned char>() == kTfLiteUInt8, "");
static_assert(tflite::typeToTfLiteType<std::complex<float>>() == kTfLiteComplex64, "");
static_assert(tflite::typeToTfLiteType<std::string>() == kTfLiteString, "");
static_assert(tflite::typeToTfLiteType<void*>() == kTfLiteNoType, "");
static_assert(std::is_same<tflite::TfLiteTypeToType<kTfLiteInt64>::Type, int64_t>::value, "");

// ---- kernel_util.h: Accumulate(x, variable) adds x to the variable and gives the sum ----

TfLiteStatus AccumulatePrepare(TfLiteContext* context, TfLiteNode* node) {
    TF_LITE_ENSURE_EQ(context, tflite::NumInputs(node), 2);
    TF_LITE_ENSURE_EQ(context, tflite::NumOutputs(node), 1);
    TF_LITE_ENSURE_EQ(context, tflite::NumIntermediates(node), 0);
    const TfLiteTensor* x = tflite::GetInput(context, node, 0);
    TF_LITE_ENSURE(context, tflite::GetVariableInput(context, node, 1) != nullptr);
    TF_LITE_ENSURE(context, tflite::GetVariableInput(context, node, 0) == nullptr);
    TF_LITE_ENSURE(context, tflite::GetOptionalInputTensor(context, node, 2) == nullptr);
    TF_LITE_ENSURE(context, tflite::GetOptionalInputTensor(context, node, 0) == x);
    TF_LITE_ENSURE(context, tflite::GetInput(context, node, -1) == nullptr);
    TF_LITE_ENSURE(context, tflite::GetOutput(context, node, 1) == nullptr);
    TF_LITE_ENSURE(context, tflite::GetTemporary(context, node, 0) == nullptr);
    TF_LITE_ENSURE(context, tflite::GetIntermediates(context, node, 0) == nullptr);
    const TfLiteTensor* missing;
    TfLiteTensor* missing_output;
    TF_LITE_ENSURE_EQ(context, tflite::GetInputSafe(context, node, 2, &missing), kTfLiteError);
    TF_LITE_ENSURE_EQ(context, tflite::GetOutputSafe(context, node, 1, &missing_output), kTfLiteError);
    TF_LITE_ENSURE_EQ(context, tflite::GetTemporarySafe(context, node, 0, &missing_output), kTfLiteError);
    TF_LITE_ENSURE(context, !tflite::IsConstantTensor(x) && !tflite::IsDynamicTensor(x));
    TF_LITE_ENSURE(context, !tflite::IsConstantOrPersistentTensor(x));
    TfLiteTensor* output;
    TF_LITE_ENSURE_OK(context, tflite::GetOutputSafe(context, node, 0, &output));
    TF_LITE_ENSURE(context, tflite::HaveSameShapes(x, output));
    tflite::SetTensorToDynamic(output);
    TF_LITE_ENSURE(context, tflite::IsDynamicTensor(output));
    return kTfLiteOk;
}

TfLiteStatus AccumulateInvoke(TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* input = tflite::GetInput(context, node, 0);
    TfLiteTensor* output = tflite::GetOutput(context, node, 0);
    TF_LITE_ENSURE_OK(context, context->ResizeTensor(context, output, TfLiteIntArrayCopy(input->dims)));
    const float* x = tflite::GetTensorData<float>(input);
    float* sum = tflite::GetTensorData<float>(tflite::GetVariableInput(context, node, 1));
    float* y = tflite::GetTensorData<float>(output);
    for (int i = 0; i < tflite::SizeOfDimension(input, 0); i++) y[i] = sum[i] += x[i];
    return kTfLiteOk;
}

void classic_operator_with_a_variable(void**) {
    TestModel test(cxx_model_variable());
    TfLiteRegistration registration = {};
    registration.prepare = AccumulatePrepare;
    registration.invoke = AccumulateInvoke;
    tflite::MutableOpResolver resolver;
    resolver.AddCustom("Accumulate", &registration);
    const auto interpreter = test.Build(resolver);
    assert_true(interpreter->variables() == std::vector<int>{2});
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    assert_true(test.reporter.Has("the node has no input 2"));
    assert_true(test.reporter.Has("the node has no output 1"));
    assert_true(test.reporter.Has("the node has no temporary 0"));
    ExpectRun(interpreter.get(), {1, 2, 3}, {1, 2, 3});
    ExpectRun(interpreter.get(), {1, 2, 3}, {2, 4, 6});
    assert_int_equal(interpreter->ResetVariableTensors(), kTfLiteOk);
    ExpectRun(interpreter.get(), {1, 2, 3}, {1, 2, 3});
}

// A tensor of a shape, outside of any interpreter.
struct Shaped {
    explicit Shaped(const std::vector<int>& dims, TfLiteType type = kTfLiteFloat32) {
        tensor.type = type;
        tensor.dims = tflite::ConvertVectorToTfLiteIntArray(dims);
    }
    Shaped(const Shaped&) = delete;
    Shaped& operator=(const Shaped&) = delete;
    ~Shaped() { TfLiteTensorFree(&tensor); }
    TfLiteTensor tensor = {};
};

std::string reported;
void Report(TfLiteContext*, const char* format, ...) {
    reported = format;
}

void broadcast_shapes(void**) {
    TfLiteContext context = {};
    context.ReportError = Report;
    const Shaped a({2, 1, 3}), b({4, 1}), c({3}), bad({5}), scalar({});
    TfLiteIntArray* shape = nullptr;
    assert_int_equal(tflite::CalculateShapeForBroadcast(&context, &a.tensor, &b.tensor, &shape), kTfLiteOk);
    const int all[] = {2, 4, 3};
    assert_true(tflite::EqualArrayAndTfLiteIntArray(shape, 3, all));
    TfLiteIntArrayFree(shape);
    assert_int_equal(
        tflite::CalculateShapeForBroadcast(&context, &c.tensor, &scalar.tensor, &b.tensor, &shape),
        kTfLiteOk);
    assert_true(tflite::EqualArrayAndTfLiteIntArray(shape, 2, all + 1));
    TfLiteIntArrayFree(shape);
    assert_int_equal(tflite::CalculateShapeForBroadcast(&context, &c.tensor, &bad.tensor, &shape),
                     kTfLiteError);
    assert_non_null(std::strstr(reported.c_str(), "are not broadcastable."));
    assert_int_equal(tflite::NumElements(&a.tensor), 6);
    assert_int_equal(tflite::NumElements(&scalar.tensor), 1);
    assert_int_equal(tflite::NumDimensions(&a.tensor), 3);
}

void activation_ranges(void**) {
    TfLiteContext context = {};
    context.ReportError = Report;
    float low = 0, high = 0;
    tflite::CalculateActivationRange(kTfLiteActReluN1To1, &low, &high);
    assert_true(low == -1 && high == 1);
    tflite::CalculateActivationRange(kTfLiteActNone, &low, &high);
    assert_true(low == std::numeric_limits<float>::lowest() && high == std::numeric_limits<float>::max());
    Shaped output({1}, kTfLiteInt8);
    output.tensor.params = {0.5f, -100};
    int32_t min = 0, max = 0;
    assert_int_equal(
        tflite::CalculateActivationRangeQuantized(&context, kTfLiteActRelu6, &output.tensor, &min, &max),
        kTfLiteOk);
    assert_true(min == -100 && max == -88);
    assert_int_equal(
        tflite::CalculateActivationRangeQuantized(&context, kTfLiteActNone, &output.tensor, &min, &max),
        kTfLiteOk);
    assert_true(min == -128 && max == 127);
    output.tensor.params.scale = 0;
    assert_int_equal(
        tflite::CalculateActivationRangeQuantized(&context, kTfLiteActNone, &output.tensor, &min, &max),
        kTfLiteError);
    output.tensor.type = kTfLiteFloat32;
    assert_int_equal(
        tflite::CalculateActivationRangeQuantized(&context, kTfLiteActNone, &output.tensor, &min, &max),
        kTfLiteError);
    const Shaped weight({1}, kTfLiteInt8), input({1});
    assert_true(tflite::IsHybridOp(&input.tensor, &weight.tensor));
    assert_false(tflite::IsHybridOp(&weight.tensor, &weight.tensor));
}

// ---- util.h ----

void arrays_and_sizes(void**) {
    const tflite::IntArrayUniquePtr array = tflite::BuildTfLiteArray({1, 2});
    assert_true(array->size == 2 && array->data[1] == 2);
    size_t bytes = 0;
    assert_int_equal(tflite::GetSizeOfType(nullptr, kTfLiteComplex128, &bytes), kTfLiteOk);
    assert_int_equal(bytes, 16);
    assert_int_equal(tflite::GetSizeOfType(nullptr, kTfLiteInt4, &bytes), kTfLiteError);
    TfLiteContext context = {};
    context.ReportError = Report;
    assert_int_equal(tflite::GetSizeOfType(&context, kTfLiteString, &bytes), kTfLiteError);
    assert_true(tflite::IsFlexOp("FlexErf"));
    assert_false(tflite::IsFlexOp("Atan"));
    assert_false(tflite::IsFlexOp(nullptr));
}

// ---- string_util.h: Join(x) gives the strings of x joined by ", ", and how many they were ----

TfLiteStatus JoinPrepare(TfLiteContext* context, TfLiteNode* node) {
    tflite::SetTensorToDynamic(tflite::GetOutput(context, node, 0));
    return kTfLiteOk;
}
TfLiteStatus JoinInvoke(TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* input = tflite::GetInput(context, node, 0);
    std::vector<tflite::StringRef> strings;
    strings.reserve(static_cast<size_t>(tflite::GetStringCount(input)));
    for (int i = 0; i < tflite::GetStringCount(input); i++) strings.push_back(tflite::GetString(input, i));
    tflite::DynamicBuffer result;
    TF_LITE_ENSURE_OK(context, result.AddJoinedString(strings, tflite::StringRef{", ", 2}));
    const std::string count = std::to_string(strings.size());
    TF_LITE_ENSURE_OK(context, result.AddString(count.data(), count.size()));
    result.WriteToTensorAsVector(tflite::GetOutput(context, node, 0));
    return kTfLiteOk;
}

std::string At(const TfLiteTensor* tensor, int index) {
    const tflite::StringRef ref = tflite::GetString(tensor, index);
    return std::string(ref.str, ref.len);
}

void strings(void**) {
    TestModel test(cxx_model_strings());
    TfLiteRegistration registration = {};
    registration.prepare = JoinPrepare;
    registration.invoke = JoinInvoke;
    tflite::MutableOpResolver resolver;
    resolver.AddCustom("Join", &registration);
    const auto interpreter = test.Build(resolver);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    tflite::DynamicBuffer input;
    for (const char* word : {"one", "", "three"}) {
        assert_int_equal(input.AddString(word, std::strlen(word)), kTfLiteOk);
    }
    input.WriteToTensor(interpreter->input_tensor(0), nullptr);
    assert_int_equal(interpreter->Invoke(), kTfLiteOk);
    const TfLiteTensor* output = interpreter->output_tensor(0);
    assert_int_equal(tflite::GetStringCount(output), 2);
    assert_string_equal(At(output, 0).c_str(), "one, , three");
    assert_string_equal(At(output, 1).c_str(), "3");
    assert_null(tflite::GetString(output, 2).str);
    assert_null(tflite::GetString(output, -1).str);
    // A shape of one's own.
    input.WriteToTensor(interpreter->input_tensor(0), tflite::ConvertVectorToTfLiteIntArray({3, 1}));
    assert_int_equal(interpreter->input_tensor(0)->dims->size, 2);
    assert_int_equal(interpreter->Invoke(), kTfLiteOk);
}

void strings_outside_of_tensors(void**) {
    tflite::DynamicBuffer limited(4);
    assert_int_equal(limited.AddString(tflite::StringRef{"abc", 3}), kTfLiteOk);
    assert_int_equal(limited.AddString("de", 2), kTfLiteError);
    assert_int_equal(limited.AddJoinedString({{"d", 1}}, '-'), kTfLiteOk);
    char* buffer = nullptr;
    assert_int_equal(limited.WriteToBuffer(&buffer), 20);
    const int32_t header[] = {2, 16, 19, 20};
    assert_memory_equal(buffer, header, sizeof header);
    assert_memory_equal(buffer + 16, "abcd", 4);
    std::free(buffer);
    // Not a tensor of strings: nothing happens, and the shape is released.
    Shaped floats({1});
    limited.WriteToTensor(&floats.tensor, tflite::ConvertVectorToTfLiteIntArray({2}));
    assert_int_equal(floats.tensor.dims->data[0], 1);
    assert_int_equal(tflite::GetStringCount(&floats.tensor), 0);
}

// ---- Messages ----

void messages(void**) {
    RecordingReporter reporter;
    TF_LITE_REPORT_ERROR(&reporter, "%s is %d", "x", 1);
    tflite::ErrorReporter* base = &reporter;
    base->Report("%s", "second");
    base->ReportError(nullptr, "third %d", 3);
    assert_string_equal(reporter.messages.c_str(), "x is 1\nsecond\nthird 3\n");
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(classic_operator_with_a_variable),
        cmocka_unit_test(broadcast_shapes),
        cmocka_unit_test(activation_ranges),
        cmocka_unit_test(arrays_and_sizes),
        cmocka_unit_test(strings),
        cmocka_unit_test(strings_outside_of_tensors),
        cmocka_unit_test(messages),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
