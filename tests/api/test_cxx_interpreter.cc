// SPDX-License-Identifier: Apache-2.0
// tflite::FlatBufferModel, InterpreterBuilder and Interpreter.
#include <cstring>

#include "tensorflow/lite/optional_debug_tools.h"
#include "tests/api/cxx.h"
#include "tests/support/absent.h"

using tflite::FlatBufferModel;
using tflite::Interpreter;
using tflite::InterpreterBuilder;
using BuiltinOpResolver = tflite::ops::builtin::BuiltinOpResolver;

namespace {

// ---- Models ----

const char* Bytes(const CxxModel& model) {
    return reinterpret_cast<const char*>(model.bytes);
}

void models_that_cannot_be_read(void**) {
    RecordingReporter reporter;
    const char* absent = absent_path();
    assert_true(FlatBufferModel::BuildFromFile(absent, &reporter) == nullptr);
    assert_true(reporter.Has(absent));
    reporter.messages.clear();
    assert_true(FlatBufferModel::BuildFromFile(nullptr, &reporter) == nullptr);
    assert_false(reporter.messages.empty());
    reporter.messages.clear();
    assert_true(FlatBufferModel::BuildFromBuffer("no model at all", 15, &reporter) == nullptr);
    assert_false(reporter.messages.empty());
    assert_true(FlatBufferModel::BuildFromBuffer(nullptr, 0, &reporter) == nullptr);
    assert_true(FlatBufferModel::BuildFromModel(nullptr, &reporter) == nullptr);
    assert_true(FlatBufferModel::VerifyAndBuildFromFile(absent, nullptr, &reporter) == nullptr);
}

void models_and_their_metadata(void**) {
    TestModel test(cxx_model_adds());
    assert_true(test.model->initialized());
    assert_ptr_equal(test.model->error_reporter(), &test.reporter);
    const auto metadata = test.model->ReadAllMetadata();
    assert_int_equal(metadata.size(), 2);
    assert_string_equal(metadata.at("note").c_str(), "hello");
    assert_string_equal(test.model->GetMinimumRuntime().c_str(), "1.5.0");
    assert_int_equal(FlatBufferModel::ReadAllMetadata(test.model->GetModel()).size(), 2);
    assert_ptr_equal(test.model->allocation()->base(), test.bytes.bytes);
    assert_int_equal(test.model->allocation()->bytes(), test.bytes.size);
    const auto second = FlatBufferModel::BuildFromModel(test.model->GetModel(), nullptr);
    assert_null(second->allocation());
    assert_ptr_equal(second->GetModel(), test.model->GetModel());
    assert_ptr_equal(second->error_reporter(), tflite::DefaultErrorReporter());
}

class Verifier : public tflite::TfLiteVerifier {
  public:
    explicit Verifier(bool result) : result_(result) {}
    bool Verify(const char* data, int length, tflite::ErrorReporter* reporter) override {
        assert_memory_equal(data + 4, "TFL3", 4);
        seen = length;
        if (!result_) reporter->Report("refused for %s", "a test");
        return result_;
    }
    int seen = 0;

  private:
    bool result_;
};

void models_with_a_verifier(void**) {
    const CxxModel bytes = cxx_model_adds();
    RecordingReporter reporter;
    Verifier yes(true), no(false);
    assert_true(FlatBufferModel::VerifyAndBuildFromBuffer(Bytes(bytes), bytes.size, &yes, &reporter) !=
                nullptr);
    assert_int_equal(yes.seen, bytes.size);
    assert_true(FlatBufferModel::VerifyAndBuildFromBuffer(Bytes(bytes), bytes.size, &no, &reporter) ==
                nullptr);
    assert_true(reporter.Has("refused for a test"));
    assert_true(FlatBufferModel::VerifyAndBuildFromBuffer(Bytes(bytes), bytes.size) != nullptr);
    cxx_model_free(bytes);
}

// ---- Builder ----

void builder_arguments(void**) {
    TestModel test(cxx_model_adds());
    BuiltinOpResolver resolver;
    InterpreterBuilder builder(*test.model, resolver);
    assert_int_equal(builder(nullptr), kTfLiteError);
    assert_true(test.reporter.Has("Null output pointer"));
    assert_int_equal(builder.SetNumThreads(-2), kTfLiteError);
    assert_true(test.reporter.Has("num_threads"));
    std::unique_ptr<Interpreter> first, second;
    assert_int_equal(builder.SetNumThreads(2), kTfLiteOk);
    assert_int_equal(builder(&first), kTfLiteOk);
    assert_int_equal(builder(&second, 3), kTfLiteOk);
    assert_int_equal(first->primary_subgraph().context()->recommended_num_threads, 2);
    assert_int_equal(second->primary_subgraph().context()->recommended_num_threads, 3);
    assert_int_equal(builder(&second, -5), kTfLiteError);
    assert_true(second == nullptr);
    builder.AddDelegate(static_cast<TfLiteDelegate*>(nullptr));
    assert_true(test.reporter.Has("Null delegate."));
    assert_int_equal(InterpreterBuilder(test.model->GetModel(), resolver, &test.reporter)(&second),
                     kTfLiteOk);
    assert_int_equal(
        InterpreterBuilder(static_cast<const tflite::Model*>(nullptr), resolver, &test.reporter)(&second),
        kTfLiteError);
    assert_true(second == nullptr);
}

// The model, the resolver and the builder may go before the interpreter.
void interpreter_alone(void**) {
    const CxxModel bytes = cxx_model_adds();
    std::unique_ptr<Interpreter> interpreter;
    {
        auto model = FlatBufferModel::BuildFromBuffer(Bytes(bytes), bytes.size);
        BuiltinOpResolver resolver;
        assert_int_equal(InterpreterBuilder(*model, resolver)(&interpreter), kTfLiteOk);
    }
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    ExpectRun(interpreter.get(), {1, 2, 3}, {8, 16, 24});
    interpreter.reset();
    cxx_model_free(bytes);
}

// ---- Tensors ----

void tensors(void**) {
    TestModel test(cxx_model_adds());
    const auto interpreter = test.Build();
    const Interpreter& constant = *interpreter;
    assert_true(interpreter->inputs() == std::vector<int>{0});
    assert_true(interpreter->outputs() == std::vector<int>{3});
    assert_true(interpreter->variables().empty());
    assert_int_equal(interpreter->tensors_size(), 4);
    assert_string_equal(interpreter->GetInputName(0), "x");
    assert_string_equal(interpreter->GetOutputName(0), "y");
    assert_ptr_equal(interpreter->tensor(0), interpreter->input_tensor(0));
    assert_ptr_equal(constant.tensor(3), constant.output_tensor(0));
    assert_null(interpreter->typed_tensor<float>(0)); // not allocated
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    assert_ptr_equal(interpreter->typed_tensor<float>(0), interpreter->tensor(0)->data.f);
    assert_ptr_equal(constant.typed_tensor<float>(0), interpreter->tensor(0)->data.f);
    assert_ptr_equal(constant.typed_input_tensor<float>(0), interpreter->tensor(0)->data.f);
    assert_ptr_equal(constant.typed_output_tensor<float>(0), interpreter->tensor(3)->data.f);
    assert_null(interpreter->typed_tensor<int32_t>(0)); // another type
    // What does not exist.
    assert_null(interpreter->tensor(-1));
    assert_null(interpreter->tensor(4));
    assert_null(interpreter->input_tensor(1));
    assert_null(interpreter->output_tensor(1));
    assert_null(interpreter->typed_input_tensor<float>(-1));
    assert_null(interpreter->typed_output_tensor<float>(7));
    assert_null(interpreter->GetInputName(1));
    assert_null(interpreter->GetOutputName(-1));
    assert_ptr_equal(interpreter->error_reporter(), &test.reporter);
}

void resizing(void**) {
    TestModel test(cxx_model_adds());
    const auto interpreter = test.Build();
    assert_int_equal(interpreter->ResizeInputTensor(0, {2, 3}), kTfLiteOk);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    ExpectRun(interpreter.get(), {1, 2, 3, 4, 5, 6}, {8, 16, 24, 32, 40, 48});
    assert_int_equal(interpreter->ResizeInputTensor(0, {4}), kTfLiteOk); // another rank too
    assert_int_equal(interpreter->Invoke(), kTfLiteError);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    ExpectRun(interpreter.get(), {1, 1, 1, 1}, {8, 8, 8, 8});
    assert_int_equal(interpreter->ResizeInputTensorStrict(0, {1, 3}), kTfLiteOk);
    assert_int_equal(interpreter->ResizeInputTensorStrict(0, {1, 4}), kTfLiteError);
    assert_true(test.reporter.Has("ResizeInputTensorStrict only allows mutating unknown dimensions"));
    assert_int_equal(interpreter->ResizeInputTensorStrict(0, {3}), kTfLiteError);
    // No input: it gets its shape from its node again.
    assert_int_equal(interpreter->ResizeInputTensor(1, {1, 5}), kTfLiteOk);
    assert_int_equal(interpreter->ResizeInputTensor(-1, {1, 3}), kTfLiteError);
    assert_int_equal(interpreter->ResizeInputTensorStrict(99, {1, 3}), kTfLiteError);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    ExpectRun(interpreter.get(), {0, 1, 2}, {0, 8, 16});
}

void not_allocated(void**) {
    TestModel test(cxx_model_adds());
    assert_int_equal(test.Build()->Invoke(), kTfLiteError);
    assert_true(test.reporter.Has("Invoke called on model that is not ready"));
}

void preserved_tensors(void**) {
    TestModel test(cxx_model_adds());
    tflite::InterpreterOptions options;
    options.SetPreserveAllTensors();
    const auto interpreter = test.Build(BuiltinOpResolver(), &options);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    ExpectRun(interpreter.get(), {1, 2, 3}, {8, 16, 24});
    const float* a = interpreter->typed_tensor<float>(1);
    const float* b = interpreter->typed_tensor<float>(2);
    assert_true(a[0] == 2 && a[1] == 4 && a[2] == 6);
    assert_true(b[0] == 4 && b[1] == 8 && b[2] == 12);
}

void custom_allocations(void**) {
    TestModel test(cxx_model_adds());
    const auto interpreter = test.Build();
    alignas(64) float x[16] = {1, 2, 3};
    alignas(64) float y[16] = {};
    assert_int_equal(interpreter->SetCustomAllocationForTensor(0, {x, sizeof x}), kTfLiteOk);
    assert_int_equal(interpreter->SetCustomAllocationForTensor(3, {y, sizeof y}), kTfLiteOk);
    assert_int_equal(interpreter->SetCustomAllocationForTensor(3, {y + 1, 12}), kTfLiteError);
    assert_int_equal(interpreter->SetCustomAllocationForTensor(9, {y, sizeof y}), kTfLiteError);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    assert_int_equal(interpreter->Invoke(), kTfLiteOk);
    assert_true(y[0] == 8 && y[1] == 16 && y[2] == 24);
    assert_int_equal(
        interpreter->SetCustomAllocationForTensor(3, {y + 1, 12}, kTfLiteCustomAllocationFlagsSkipAlignCheck),
        kTfLiteOk);
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    assert_int_equal(interpreter->Invoke(), kTfLiteOk);
    assert_true(y[1] == 8 && y[2] == 16 && y[3] == 24);
}

// ---- Running ----

bool CountDown(void* data) {
    return --*static_cast<int*>(data) < 0;
}

void cancellation(void**) {
    TestModel test(cxx_model_adds());
    const auto interpreter = test.Build();
    assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    assert_int_equal(interpreter->Cancel(), kTfLiteError); // not enabled
    int remaining = 2;
    interpreter->SetCancellationFunction(&remaining, CountDown);
    assert_int_equal(interpreter->Invoke(), kTfLiteError);
    assert_int_equal(remaining, -1);
    assert_true(test.reporter.Has("Client requested cancel during Invoke()"));
    interpreter->SetCancellationFunction(nullptr, nullptr);
    assert_int_equal(interpreter->Invoke(), kTfLiteOk);
    // A call, here from inside an inference.
    assert_int_equal(interpreter->EnableCancellation(), kTfLiteOk);
    const auto cancel = [](void* data) {
        assert_int_equal(static_cast<Interpreter*>(data)->Cancel(), kTfLiteOk);
        return false;
    };
    interpreter->SetCancellationFunction(interpreter.get(), cancel);
    assert_int_equal(interpreter->Invoke(), kTfLiteCancelled);
    interpreter->SetCancellationFunction(nullptr, nullptr);
    assert_int_equal(interpreter->Invoke(), kTfLiteOk);
}

TfLiteStatus Refresh(TfLiteContext*) {
    return kTfLiteOk;
}

void threads_precision_and_contexts(void**) {
    TestModel test(cxx_model_adds());
    const auto interpreter = test.Build();
    TfLiteContext* context = interpreter->primary_subgraph().context();
    assert_int_equal(interpreter->SetNumThreads(4), kTfLiteOk);
    assert_int_equal(context->recommended_num_threads, 4);
    assert_int_equal(interpreter->SetNumThreads(-2), kTfLiteError);
    assert_false(interpreter->GetAllowFp16PrecisionForFp32());
    interpreter->SetAllowFp16PrecisionForFp32(true);
    assert_true(interpreter->GetAllowFp16PrecisionForFp32());
    assert_true(context->allow_fp32_relax_to_fp16);
    TfLiteExternalContext external = {kTfLiteEigenContext, Refresh};
    interpreter->SetExternalContext(kTfLiteEigenContext, &external);
    assert_ptr_equal(context->GetExternalContext(context, kTfLiteEigenContext), &external);
    assert_null(context->GetExternalContext(context, kTfLiteGemmLowpContext));
}

// ---- Inside ----

void nodes(void**) {
    TestModel test(cxx_model_adds());
    const auto interpreter = test.Build();
    assert_int_equal(interpreter->nodes_size(), 3);
    assert_true(interpreter->execution_plan() == (std::vector<int>{0, 1, 2}));
    const auto* node = interpreter->node_and_registration(1);
    assert_int_equal(node->second.builtin_code, tflite::BuiltinOperator_ADD);
    assert_int_equal(node->first.inputs->size, 2);
    assert_int_equal(node->first.outputs->data[0], 2);
    assert_null(interpreter->node_and_registration(3));
    assert_null(interpreter->node_and_registration(1, 0));
    assert_non_null(interpreter->node_and_registration(0, 2));
    assert_null(interpreter->OpProfilingString(node->second, &node->first));
    assert_int_equal(interpreter->subgraphs_size(), 1);
    assert_ptr_equal(interpreter->subgraph(0), &interpreter->primary_subgraph());
    assert_null(interpreter->subgraph(1));
    assert_null(interpreter->subgraph(-1));
}

// What a function prints to stdout.
template <typename Function> std::string Printed(Function function) {
    std::fflush(stdout);
    FILE* file = std::tmpfile();
    assert_non_null(file);
    FILE* const before = stdout;
    stdout = file;
    function();
    stdout = before;
    std::string text(static_cast<size_t>(std::ftell(file)), '\0');
    std::rewind(file);
    assert_int_equal(std::fread(&text[0], 1, text.size(), file), text.size());
    std::fclose(file);
    return text;
}

void printed_state(void**) {
    TestModel test(cxx_model_adds());
    const auto interpreter = test.Build();
    for (int i = 0; i < 2; i++) {
        const std::string text = Printed([&] { tflite::PrintInterpreterState(interpreter.get()); });
        for (const char* part : {"Interpreter has 1 subgraphs.", "has 4 tensors and 3 nodes", "1 Inputs: [0]",
                                 "1 Outputs: [3]", "FLOAT32", "kTfLiteArenaRw", "[1,3]", "operator 0 ADD",
                                 "2 Input Tensors: [1,1]", "Execution plan: [0,1,2]"}) {
            assert_non_null(std::strstr(text.c_str(), part));
        }
        assert_int_equal(interpreter->AllocateTensors(), kTfLiteOk);
    }
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(models_that_cannot_be_read),
        cmocka_unit_test(models_and_their_metadata),
        cmocka_unit_test(models_with_a_verifier),
        cmocka_unit_test(builder_arguments),
        cmocka_unit_test(interpreter_alone),
        cmocka_unit_test(tensors),
        cmocka_unit_test(resizing),
        cmocka_unit_test(not_allocated),
        cmocka_unit_test(preserved_tensors),
        cmocka_unit_test(custom_allocations),
        cmocka_unit_test(cancellation),
        cmocka_unit_test(threads_precision_and_contexts),
        cmocka_unit_test(nodes),
        cmocka_unit_test(printed_state),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
