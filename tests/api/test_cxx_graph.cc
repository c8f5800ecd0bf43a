// SPDX-License-Identifier: Apache-2.0
// Graphs that a program builds through tflite::Interpreter and tflite::Subgraph.
#include <cstdlib>

#include "tensorflow/lite/kernels/builtin_op_kernels.h"
#include "tensorflow/lite/kernels/kernel_util.h"
#include "tests/api/cxx.h"

using tflite::Interpreter;
using tflite::Subgraph;

// The reference's class for tests looks inside an interpreter; so does this one, of the same name.
namespace tflite {
class InterpreterTest {
  public:
    static TfLiteContext* Context(Interpreter& i) { return i.context_; }
    static bool HasDelegates(Interpreter& i) { return i.HasDelegates(); }
    static bool IsFullyDelegated(const Interpreter& i) { return i.IsFullyDelegated(); }
    static TfLiteStatus Apply(Interpreter& i) { return i.ApplyLazyDelegateProviders(); }
    static Interpreter::TfLiteDelegateCreators* Providers(Interpreter* i) {
        return &i->lazy_delegate_providers_;
    }
    static void SetSignature(Interpreter& i, const internal::SignatureDef& signature) {
        i.SetSignatureDef({signature});
    }
};
} // namespace tflite
using tflite::InterpreterTest;

namespace {

// Tensors 0 to count - 1: float32 [3].
void AddVectors(Subgraph* graph, int count) {
    int first = -1;
    assert_int_equal(graph->AddTensors(count, &first), kTfLiteOk);
    for (int i = first; i < first + count; i++) {
        const TfLiteQuantization none{kTfLiteNoQuantization, nullptr};
        assert_int_equal(graph->SetTensorParametersReadWrite(i, kTfLiteFloat32, "v", {3}, none), kTfLiteOk);
    }
}

template <class Params> Params* NewParams() {
    return static_cast<Params*>(std::calloc(1, sizeof(Params)));
}

// ---- An operator of the program's own ----

std::vector<int> runs; // what was invoked, by builtin_data

TfLiteStatus CopyPrepare(TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* input = tflite::GetInput(context, node, 0);
    return context->ResizeTensor(context, tflite::GetOutput(context, node, 0),
                                 TfLiteIntArrayCopy(input->dims));
}
TfLiteStatus CopyInvoke(TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* input = tflite::GetInput(context, node, 0);
    std::copy_n(input->data.f, input->bytes / sizeof(float), tflite::GetOutput(context, node, 0)->data.f);
    if (node->builtin_data != nullptr) runs.push_back(*static_cast<int*>(node->builtin_data));
    return kTfLiteOk;
}
TfLiteRegistration Copy() {
    TfLiteRegistration registration{};
    registration.prepare = CopyPrepare;
    registration.invoke = CopyInvoke;
    return registration;
}

void AddCopy(Interpreter* interpreter, int input, int output, int number) {
    const TfLiteRegistration copy = Copy();
    int* data = NewParams<int>();
    *data = number;
    assert_int_equal(interpreter->AddNodeWithParameters({input}, {output}, nullptr, 0, data, &copy),
                     kTfLiteOk);
}

// ---- Tests ----

void nothing_in_it(void**) {
    RecordingReporter reporter;
    Interpreter interpreter(&reporter);
    assert_int_equal(interpreter.tensors_size(), 0);
    assert_int_equal(interpreter.nodes_size(), 0);
    assert_int_equal(interpreter.Invoke(), kTfLiteError);
    assert_string_equal(reporter.messages.c_str(), "Invoke called on model that is not ready.\n");
    assert_int_equal(interpreter.SetInputs({}), kTfLiteOk);
    assert_int_equal(interpreter.AllocateTensors(), kTfLiteOk);
    assert_int_equal(interpreter.Invoke(), kTfLiteOk);
    assert_ptr_equal(Interpreter(nullptr).error_reporter(), tflite::DefaultErrorReporter());
    assert_ptr_equal(InterpreterTest::Context(interpreter), interpreter.primary_subgraph().context());
}

void operators_of_the_library(void**) {
    Interpreter interpreter;
    int first = -1;
    assert_int_equal(interpreter.AddTensors(2, &first), kTfLiteOk);
    assert_int_equal(first, 0);
    assert_int_equal(interpreter.AddTensors(2, &first), kTfLiteOk);
    assert_int_equal(first, 2);
    const float ten[] = {10, 10, 10};
    TfLiteQuantizationParams none{};
    static const char* const name = "in";
    for (int i : {0, 2, 3}) {
        assert_int_equal(interpreter.SetTensorParametersReadWrite(i, kTfLiteFloat32, name, {3}, none),
                         kTfLiteOk);
    }
    assert_int_equal(interpreter.SetTensorParametersReadOnly(1, kTfLiteFloat32, "c", {3}, none,
                                                             reinterpret_cast<const char*>(ten), sizeof ten),
                     kTfLiteOk);
    assert_int_equal(interpreter.SetInputs({0}), kTfLiteOk);
    assert_int_equal(interpreter.SetOutputs({3, 2}), kTfLiteOk);
    assert_true(interpreter.outputs() == std::vector<int>({3, 2}));
    assert_ptr_equal(interpreter.GetInputName(0), name);
    auto* add = NewParams<TfLiteAddParams>();
    int node = -1;
    assert_int_equal(interpreter.AddNodeWithParameters({0, 1}, {2}, nullptr, 0, add,
                                                       tflite::ops::builtin::Register_ADD(), &node),
                     kTfLiteOk);
    assert_int_equal(node, 0);
    assert_int_equal(interpreter.AddNodeWithParameters({2}, {3}, nullptr, 0, nullptr,
                                                       tflite::ops::builtin::Register_NEG()),
                     kTfLiteOk);
    assert_true(interpreter.execution_plan() == std::vector<int>({0, 1}));
    assert_ptr_equal(tflite::ops::builtin::Register_CONVOLUTION_REF(),
                     tflite::ops::builtin::Register_CONV_2D());
    assert_int_equal(interpreter.node_and_registration(1)->second.builtin_code, kTfLiteBuiltinNeg);
    const auto& nodes = interpreter.primary_subgraph().nodes_and_registration();
    assert_int_equal(nodes.size(), 2);
    assert_ptr_equal(nodes[0].first.builtin_data, add);
    assert_int_equal(interpreter.AllocateTensors(), kTfLiteOk);
    ExpectRun(&interpreter, {1, 2, 3}, {-11, -12, -13});
    assert_int_equal(interpreter.ResizeInputTensorStrict(0, {4}), kTfLiteError);
    // All tensors can be read when that is asked for afterwards.
    tflite::InterpreterOptions options;
    options.SetPreserveAllTensors();
    assert_int_equal(interpreter.ApplyOptions(&options), kTfLiteOk);
    ExpectRun(&interpreter, {1, 2, 3}, {-11, -12, -13});
    assert_true(interpreter.typed_tensor<float>(2)[2] == 13);
}

void what_is_refused(void**) {
    RecordingReporter reporter;
    Interpreter interpreter(&reporter);
    TfLiteQuantizationParams none{};
    assert_int_equal(interpreter.AddTensors(1), kTfLiteOk);
    assert_int_equal(
        interpreter.SetTensorParametersReadWrite(0, kTfLiteFloat32, "", {1 << 30, 1 << 30, 4}, none),
        kTfLiteError);
    assert_true(reporter.Has("BytesRequired number of bytes overflowed.\n"));
    assert_int_equal(interpreter.SetTensorParametersReadWrite(1, kTfLiteFloat32, "", {1}, none),
                     kTfLiteError);
    auto* sparsity = NewParams<TfLiteSparsity>();
    assert_int_equal(interpreter.primary_subgraph().SetTensorParametersReadOnly(
                         0, kTfLiteFloat32, "", {1}, TfLiteQuantization{}, "1234", 4, nullptr, sparsity),
                     kTfLiteError);
    assert_true(reporter.Has("sparse constants come with models only"));
    assert_int_equal(interpreter.SetInputs({0, 1}), kTfLiteError);
    assert_true(interpreter.inputs().empty());
    assert_int_equal(interpreter.AllocateTensors(), kTfLiteError);
    assert_true(reporter.Has("AllocateTensors() called on inconsistent model."));
}

void quantization(void**) {
    Interpreter interpreter;
    interpreter.AddTensors(2);
    interpreter.SetInputs({0});
    TfLiteQuantizationParams params{};
    params.scale = 0.15f;
    params.zero_point = -3;
    assert_int_equal(interpreter.SetTensorParametersReadWrite(0, kTfLiteInt8, "", {4}, params), kTfLiteOk);
    const TfLiteTensor* tensor = interpreter.tensor(0);
    assert_int_equal(tensor->quantization.type, kTfLiteAffineQuantization);
    assert_true(tensor->params.scale == 0.15f && tensor->params.zero_point == -3);
    params.scale = NAN; // programs leave what they do not use uninitialised
    assert_int_equal(interpreter.SetTensorParametersReadWrite(1, kTfLiteInt8, "", {4}, params, true),
                     kTfLiteOk);
    assert_int_equal(interpreter.tensor(1)->quantization.type, kTfLiteNoQuantization);
    assert_int_equal(interpreter.SetVariables({1}), kTfLiteOk);
    assert_true(interpreter.variables() == std::vector<int>({1}));
    assert_int_equal(interpreter.AllocateTensors(), kTfLiteOk);
    assert_int_equal(interpreter.tensor(1)->data.int8[3], 0);
}

void plans(void**) {
    runs.clear();
    Interpreter interpreter;
    AddVectors(&interpreter.primary_subgraph(), 4);
    interpreter.SetInputs({0, 1});
    interpreter.SetOutputs({2, 3});
    AddCopy(&interpreter, 0, 2, 0);
    AddCopy(&interpreter, 1, 3, 1);
    assert_int_equal(interpreter.AllocateTensors(), kTfLiteOk);
    assert_int_equal(interpreter.Invoke(), kTfLiteOk);
    assert_int_equal(interpreter.SetExecutionPlan({1, 0}), kTfLiteOk);
    assert_int_equal(interpreter.Invoke(), kTfLiteOk);
    assert_int_equal(interpreter.SetExecutionPlan({1}), kTfLiteOk);
    assert_int_equal(interpreter.Invoke(), kTfLiteOk);
    assert_true(runs == std::vector<int>({0, 1, 1, 0, 1}));
    assert_int_equal(interpreter.ReleaseNonPersistentMemory(), kTfLiteOk);
    assert_int_equal(interpreter.Invoke(), kTfLiteError);
    assert_int_equal(interpreter.ResizeInputTensor(1, {4}), kTfLiteOk);
    assert_int_equal(interpreter.AllocateTensors(), kTfLiteOk);
    assert_int_equal(interpreter.Invoke(), kTfLiteOk);
    assert_int_equal(interpreter.tensor(3)->bytes, 4 * sizeof(float));
}

// WHILE(i < limit) i = i + i, with a condition and a body that are graphs of their own.
void graphs_that_call_others(void**) {
    Interpreter interpreter;
    int first = 0;
    interpreter.AddSubgraphs(1, &first);
    interpreter.AddSubgraphs(1);
    assert_int_equal(first, 1);
    assert_int_equal(interpreter.subgraphs_size(), 3);
    static const float limit = 20;
    for (int i = 0; i < 3; i++) {
        Subgraph* graph = interpreter.subgraph(i);
        assert_int_equal(graph->GetSubgraphIndex(), i);
        assert_int_equal(graph->GetSubgraphs()->size(), 3);
        assert_int_equal(graph->AddTensors(3), kTfLiteOk);
        const TfLiteQuantization none{};
        graph->SetTensorParametersReadWrite(0, kTfLiteFloat32, "i", 0, nullptr, none);
        graph->SetTensorParametersReadWrite(1, i == 1 ? kTfLiteBool : kTfLiteFloat32, "o", 0, nullptr, none);
        graph->SetTensorParametersReadOnly(2, kTfLiteFloat32, "limit", 0, nullptr, none,
                                           reinterpret_cast<const char*>(&limit), sizeof limit);
        graph->SetInputs({0});
        graph->SetOutputs({1});
        assert_int_equal(graph->IsPrimarySubgraph(), i == 0);
    }
    interpreter.subgraph(1)->SetName("condition");
    assert_string_equal(interpreter.subgraph(1)->GetName().c_str(), "condition");
    auto* loop = NewParams<TfLiteWhileParams>();
    *loop = {1, 2};
    assert_int_equal(
        interpreter.AddNodeWithParameters({0}, {1}, nullptr, 0, loop, tflite::ops::builtin::Register_WHILE()),
        kTfLiteOk);
    assert_int_equal(interpreter.subgraph(1)->AddNodeWithParameters({0, 2}, {1}, {}, nullptr, 0, nullptr,
                                                                    tflite::ops::builtin::Register_LESS()),
                     kTfLiteOk);
    assert_int_equal(interpreter.subgraph(2)->AddNodeWithParameters({0, 0}, {1}, {}, nullptr, 0,
                                                                    NewParams<TfLiteAddParams>(),
                                                                    tflite::ops::builtin::Register_ADD()),
                     kTfLiteOk);
    assert_int_equal(interpreter.AllocateTensors(), kTfLiteOk);
    ExpectRun(&interpreter, {3}, {24});
    assert_int_equal(interpreter.subgraph(2)->AllocateTensors(), kTfLiteOk);
    interpreter.subgraph(2)->tensor(0)->data.f[0] = 5;
    assert_int_equal(interpreter.subgraph(2)->Invoke(), kTfLiteOk);
    assert_true(interpreter.subgraph(2)->tensor(1)->data.f[0] == 10);
}

void inputs_that_nobody_uses(void**) {
    Interpreter interpreter;
    Subgraph& graph = interpreter.primary_subgraph();
    AddVectors(&graph, 4);
    graph.SetInputs({0, 1, 2});
    graph.SetOutputs({1, 3});
    graph.AddNodeWithParameters({2}, {3}, {}, nullptr, 0, nullptr, tflite::ops::builtin::Register_NEG());
    assert_int_equal(graph.RemoveUnusedInputs(), kTfLiteOk);
    assert_true(graph.inputs() == std::vector<int>({-1, 1, 2}));
    assert_int_equal(interpreter.AllocateTensors(), kTfLiteOk);
    assert_int_equal(interpreter.Invoke(), kTfLiteOk);
}

void other_graphs(void**) {
    Interpreter interpreter;
    interpreter.AddSubgraphs(1);
    Subgraph& graph = interpreter.primary_subgraph();
    TfLiteContext* context = nullptr;
    assert_int_equal(graph.AcquireSubgraphContext(-1, &context), kTfLiteError);
    assert_int_equal(graph.AcquireSubgraphContext(2, &context), kTfLiteError);
    assert_null(context);
    assert_int_equal(graph.AcquireSubgraphContext(1, &context), kTfLiteOk);
    assert_ptr_equal(context, interpreter.subgraph(1)->context());
    assert_int_equal(graph.ReleaseSubgraphContext(1), kTfLiteOk);
    assert_int_equal(graph.MarkSubgraphAsDelegationSkippable(0), kTfLiteError);
    assert_int_equal(graph.MarkSubgraphAsDelegationSkippable(2), kTfLiteError);
    assert_int_equal(graph.MarkSubgraphAsDelegationSkippable(1), kTfLiteOk);
    assert_true(interpreter.subgraph(1)->IsDelegationSkippable());
    // A graph of no interpreter can do nothing.
    Subgraph alone(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    assert_int_equal(alone.AddTensors(1), kTfLiteError);
    assert_int_equal(alone.AllocateTensors(), kTfLiteError);
    assert_int_equal(alone.nodes_size() + alone.tensors_size() + alone.execution_plan().size(), 0);
    assert_int_equal(alone.GetSubgraphIndex(), Subgraph::kInvalidSubgraphIndex);
}

void signatures(void**) {
    Interpreter interpreter;
    AddVectors(&interpreter.primary_subgraph(), 2);
    tflite::internal::SignatureDef signature;
    signature.signature_key = "method";
    signature.inputs = {{"x", 0}};
    signature.outputs = {{"y", 1}, {"none", 9}};
    InterpreterTest::SetSignature(interpreter, signature);
    assert_string_equal(interpreter.signature_keys().at(0)->c_str(), "method");
    assert_true(interpreter.signature_outputs("method") == signature.outputs);
    assert_ptr_equal(interpreter.input_tensor_by_signature("x", "method"), interpreter.tensor(0));
    assert_null(interpreter.output_tensor_by_signature("none", "method"));
    assert_null(interpreter.output_tensor_by_signature("y", "other"));
}

// ---- Delegates that a resolver brings along ----

TfLiteStatus TakeAll(TfLiteContext* context, TfLiteDelegate* delegate) {
    TfLiteIntArray* plan = nullptr;
    if (context->GetExecutionPlan(context, &plan) != kTfLiteOk) return kTfLiteError;
    TfLiteRegistration kernel = Copy();
    if (delegate->data_ != nullptr) kernel.prepare = [](TfLiteContext*, TfLiteNode*) { return kTfLiteError; };
    return context->ReplaceNodeSubsetsWithDelegateKernels(context, kernel, plan, delegate);
}

void lazy_delegates(void**) {
    for (bool fails : {false, true}) {
        Interpreter interpreter;
        AddVectors(&interpreter.primary_subgraph(), 2);
        interpreter.SetInputs({0});
        interpreter.SetOutputs({1});
        AddCopy(&interpreter, 0, 1, 7);
        InterpreterTest::Providers(&interpreter)->push_back([fails](TfLiteContext*) {
            auto* delegate = new TfLiteDelegate(TfLiteDelegateCreate());
            delegate->Prepare = TakeAll;
            delegate->data_ = fails ? delegate : nullptr;
            return Interpreter::TfLiteDelegatePtr(delegate, [](TfLiteDelegate* owned) { delete owned; });
        });
        assert_false(InterpreterTest::HasDelegates(interpreter));
        if (fails) assert_int_equal(InterpreterTest::Apply(interpreter), kTfLiteDelegateError);
        assert_int_equal(interpreter.AllocateTensors(), kTfLiteOk);
        assert_true(InterpreterTest::Providers(&interpreter)->empty());
        assert_int_equal(InterpreterTest::HasDelegates(interpreter), !fails);
        assert_int_equal(InterpreterTest::IsFullyDelegated(interpreter), !fails);
        ExpectRun(&interpreter, {1, 2, 3}, {1, 2, 3});
    }
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(nothing_in_it),
        cmocka_unit_test(operators_of_the_library),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(quantization),
        cmocka_unit_test(plans),
        cmocka_unit_test(graphs_that_call_others),
        cmocka_unit_test(inputs_that_nobody_uses),
        cmocka_unit_test(other_graphs),
        cmocka_unit_test(signatures),
        cmocka_unit_test(lazy_delegates),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
