// SPDX-License-Identifier: Apache-2.0
// tflite::SignatureRunner, and what Interpreter tells of signatures.
#include "tensorflow/lite/optional_debug_tools.h"
#include "tensorflow/lite/signature_runner.h"
#include "tests/api/cxx.h"

namespace {

void what_the_interpreter_knows(void**) {
    TestModel test(cxx_model_signatures());
    const auto interpreter = test.Build();
    const auto keys = interpreter->signature_keys();
    assert_int_equal(keys.size(), 2);
    assert_string_equal(keys[0]->c_str(), "double");
    assert_string_equal(keys[1]->c_str(), "square");
    assert_int_equal(interpreter->GetSubgraphIndexFromSignature("double"), 0);
    assert_int_equal(interpreter->GetSubgraphIndexFromSignature("square"), 1);
    assert_int_equal(interpreter->GetSubgraphIndexFromSignature("cube"), -1);
    assert_int_equal(interpreter->GetSubgraphIndexFromSignature(nullptr), -1);
    assert_int_equal(interpreter->signature_inputs("square").at("v"), 1);
    assert_int_equal(interpreter->signature_outputs("square").at("r"), 0);
    assert_true(interpreter->signature_inputs("cube").empty());
    assert_true(interpreter->signature_outputs(nullptr).empty());
    assert_int_equal(interpreter->subgraphs_size(), 2);
    assert_string_equal(interpreter->subgraph(1)->GetName().c_str(), "second");
    assert_ptr_equal(interpreter->input_tensor_by_signature("v", "square"),
                     interpreter->subgraph(1)->tensor(1));
    assert_ptr_equal(interpreter->output_tensor_by_signature("r", "square"),
                     interpreter->subgraph(1)->tensor(0));
    assert_null(interpreter->input_tensor_by_signature("x", "square"));
    assert_null(interpreter->output_tensor_by_signature(nullptr, "square"));
    assert_null(interpreter->input_tensor_by_signature("x", "cube"));
}

void runners(void**) {
    TestModel test(cxx_model_signatures());
    const auto interpreter = test.Build();
    tflite::SignatureRunner* square = interpreter->GetSignatureRunner("square");
    assert_non_null(square);
    assert_ptr_equal(interpreter->GetSignatureRunner("square"), square);
    assert_null(interpreter->GetSignatureRunner("cube"));
    assert_null(interpreter->GetSignatureRunner(""));
    assert_string_equal(square->signature_key().c_str(), "square");
    assert_int_equal(square->input_size(), 1);
    assert_int_equal(square->output_size(), 1);
    assert_string_equal(square->input_names()[0], "v");
    assert_string_equal(square->output_names()[0], "r");
    assert_null(square->input_tensor("x"));
    assert_null(square->output_tensor("v"));

    assert_int_equal(square->ResizeInputTensor("v", {3}), kTfLiteOk);
    assert_int_equal(square->ResizeInputTensorStrict("v", {4}), kTfLiteOk);
    assert_int_equal(square->ResizeInputTensorStrict("v", {2, 2}), kTfLiteError);
    assert_int_equal(square->ResizeInputTensor("x", {3}), kTfLiteError);
    assert_int_equal(square->AllocateTensors(), kTfLiteOk);
    for (int i = 0; i < 4; i++) square->input_tensor("v")->data.f[i] = static_cast<float>(i);
    assert_int_equal(square->Invoke(), kTfLiteOk);
    for (int i = 0; i < 4; i++)
        assert_true(square->output_tensor("r")->data.f[i] == static_cast<float>(i * i));

    // The first signature, by its name and without one; the model's size may change by the plain resizing
    // only.
    tflite::SignatureRunner* twice = interpreter->GetSignatureRunner("double");
    assert_ptr_equal(interpreter->GetSignatureRunner(nullptr), twice);
    assert_int_equal(twice->ResizeInputTensorStrict("x", {1}), kTfLiteError);
    assert_int_equal(twice->ResizeInputTensor("x", {1}), kTfLiteOk);
    assert_int_equal(twice->AllocateTensors(), kTfLiteOk);
    twice->input_tensor("x")->data.f[0] = 21;
    assert_int_equal(twice->Invoke(), kTfLiteOk);
    assert_true(twice->output_tensor("y")->data.f[0] == 42);
    assert_int_equal(twice->Cancel(), kTfLiteError);
    interpreter->EnableCancellation();
    assert_int_equal(twice->Cancel(), kTfLiteOk);
}

void memory_of_the_program(void**) {
    TestModel test(cxx_model_signatures());
    const auto interpreter = test.Build();
    tflite::SignatureRunner* square = interpreter->GetSignatureRunner("square");
    alignas(64) float v[16] = {3, 4};
    alignas(64) float r[16] = {};
    assert_int_equal(square->SetCustomAllocationForInputTensor("v", {v, sizeof v}), kTfLiteOk);
    assert_int_equal(square->SetCustomAllocationForOutputTensor("r", {r, sizeof r}), kTfLiteOk);
    assert_int_equal(square->SetCustomAllocationForInputTensor("r", {r, sizeof r}), kTfLiteError);
    assert_int_equal(square->SetCustomAllocationForOutputTensor("v", {v, sizeof v}), kTfLiteError);
    square->SetAllowBufferHandleOutput(true);
    assert_int_equal(square->AllocateTensors(), kTfLiteOk);
    assert_int_equal(square->Invoke(), kTfLiteOk);
    assert_true(r[0] == 9 && r[1] == 16);
}

// A model without signatures has one runner, for the whole of it.
void no_signatures(void**) {
    TestModel test(cxx_model_adds());
    const auto interpreter = test.Build();
    assert_true(interpreter->signature_keys().empty());
    assert_null(interpreter->GetSignatureRunner("main"));
    assert_null(interpreter->GetSignatureRunner("<placeholder signature>")); // there is none yet
    tflite::SignatureRunner* runner = interpreter->GetSignatureRunner(nullptr);
    assert_non_null(runner);
    assert_ptr_equal(interpreter->GetSignatureRunner(nullptr), runner);
    assert_string_equal(runner->signature_key().c_str(), "<placeholder signature>");
    assert_ptr_equal(interpreter->GetSignatureRunner("<placeholder signature>"), runner);
    assert_null(interpreter->GetSignatureRunner("main"));
    assert_int_equal(runner->AllocateTensors(), kTfLiteOk);
    runner->input_tensor("x")->data.f[2] = 1;
    assert_int_equal(runner->Invoke(), kTfLiteOk);
    assert_true(runner->output_tensor("y")->data.f[2] == 8);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(what_the_interpreter_knows),
        cmocka_unit_test(runners),
        cmocka_unit_test(memory_of_the_program),
        cmocka_unit_test(no_signatures),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
