// SPDX-License-Identifier: Apache-2.0
// c_api.h and c_api_experimental.h as a program uses them, and as it should not.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"
#include "tests/api/cmocka_setup.h"
#include "tests/api/fixture.h"
#include "tests/support/absent.h"

static int reset(void** state) {
    (void)state;
    fixture_reset();
    return 0;
}

static TfLiteInterpreter* open_model(TfLiteModel* model, TfLiteInterpreterOptions* options) {
    assert_non_null(model);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteModelDelete(model); // the interpreter keeps what it needs
    TfLiteInterpreterOptionsDelete(options);
    return interpreter;
}

static void versions(void** state) {
    (void)state;
    int major, minor, patch;
    assert_int_equal(sscanf(TfLiteVersion(), "%d.%d.%d", &major, &minor, &patch), 3);
    assert_int_equal(major, 2);
    assert_non_null(TfLiteExtensionApisVersion());
    assert_int_equal(TfLiteSchemaVersion(), 3);
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", OCLITE_VERSION_MAJOR, OCLITE_VERSION_MINOR, OCLITE_VERSION_PATCH);
    assert_string_equal(text, OCLITE_VERSION_STRING);
    assert_string_equal(oclite_version(), OCLITE_VERSION_STRING);
    assert_string_equal(oclite_version(), OCLITE_PROJECT_VERSION);
}

static void no_model(void** state) {
    (void)state;
    assert_null(TfLiteModelCreate(NULL, 10));
    assert_null(TfLiteModelCreate("nonsense", 8));
    assert_null(TfLiteModelCreate("", 0));
    assert_null(TfLiteModelCreateFromFile(NULL));
    assert_null(TfLiteModelCreateFromFileWithErrorReporter(absent_path(), fixture_report, NULL));
    assert_string_not_equal(fixture_messages, "");
    TfLiteModelDelete(NULL);
    assert_null(TfLiteInterpreterCreate(NULL, NULL));
}

static void no_interpreter(void** state) {
    (void)state;
    int handle;
    TfLiteOpaqueDelegate* delegate;
    TfLiteInterpreterDelete(NULL);
    assert_int_equal(TfLiteInterpreterGetInputTensorCount(NULL), 0);
    assert_null(TfLiteInterpreterInputTensorIndices(NULL));
    assert_null(TfLiteInterpreterGetInputTensor(NULL, 0));
    assert_int_equal(TfLiteInterpreterGetOutputTensorCount(NULL), 0);
    assert_null(TfLiteInterpreterOutputTensorIndices(NULL));
    assert_null(TfLiteInterpreterGetOutputTensor(NULL, 0));
    assert_null(TfLiteInterpreterGetTensor(NULL, 0));
    assert_int_equal(TfLiteInterpreterResizeInputTensor(NULL, 0, NULL, 0), kTfLiteError);
    assert_int_equal(TfLiteInterpreterAllocateTensors(NULL), kTfLiteError);
    assert_int_equal(TfLiteInterpreterInvoke(NULL), kTfLiteError);
    assert_int_equal(TfLiteInterpreterCancel(NULL), kTfLiteError);
    assert_int_equal(TfLiteInterpreterGetSignatureCount(NULL), 0);
    assert_null(TfLiteInterpreterGetSignatureKey(NULL, 0));
    assert_null(TfLiteInterpreterGetSignatureRunner(NULL, NULL));
    assert_int_equal(TfLiteInterpreterResetVariableTensors(NULL), kTfLiteError);
    assert_int_equal(TfLiteInterpreterGetVariableTensorCount(NULL), 0);
    assert_null(TfLiteInterpreterGetVariableTensor(NULL, 0));
    assert_int_equal(TfLiteInterpreterModifyGraphWithDelegate(NULL, NULL), kTfLiteError);
    assert_int_equal(TfLiteInterpreterGetInputTensorIndex(NULL, 0), -1);
    assert_int_equal(TfLiteInterpreterGetOutputTensorIndex(NULL, 0), -1);
    assert_int_equal(TfLiteInterpreterSetCustomAllocationForTensor(NULL, 0, NULL, 0), kTfLiteError);
    assert_int_equal(TfLiteInterpreterSetBufferHandle(NULL, NULL, 0, NULL), kTfLiteError);
    assert_int_equal(TfLiteInterpreterGetBufferHandle(NULL, 0, &handle, &delegate), kTfLiteError);
    assert_int_equal(TfLiteInterpreterEnsureTensorDataIsReadable(NULL, 0), kTfLiteError);
    TfLiteSetAllowBufferHandleOutput(NULL, true);
    assert_int_equal(oclite_interpreter_subgraph_count(NULL), 0);
    assert_int_equal(oclite_interpreter_memory(NULL), 0);
    oclite_interpreter_set_profile(NULL, NULL, NULL);
    oclite_interpreter_set_num_threads(NULL, 2);
}

static void no_tensor_runner_or_options(void** state) {
    (void)state;
    char byte;
    assert_int_equal(TfLiteTensorType(NULL), kTfLiteNoType);
    assert_int_equal(TfLiteTensorNumDims(NULL), -1);
    assert_int_equal(TfLiteTensorDim(NULL, 0), -1);
    assert_int_equal(TfLiteTensorByteSize(NULL), 0);
    assert_null(TfLiteTensorData(NULL));
    assert_null(TfLiteTensorName(NULL));
    assert_true(TfLiteTensorQuantizationParams(NULL).scale == 0.0f);
    assert_int_equal(TfLiteTensorCopyFromBuffer(NULL, &byte, 1), kTfLiteError);
    assert_int_equal(TfLiteTensorCopyToBuffer(NULL, &byte, 1), kTfLiteError);
    TfLiteSignatureRunnerDelete(NULL);
    assert_int_equal(TfLiteSignatureRunnerGetInputCount(NULL), 0);
    assert_null(TfLiteSignatureRunnerGetInputName(NULL, 0));
    assert_null(TfLiteSignatureRunnerGetInputTensor(NULL, "x"));
    assert_null(TfLiteSignatureRunnerGetOutputTensor(NULL, "x"));
    assert_int_equal(TfLiteSignatureRunnerResizeInputTensor(NULL, "x", NULL, 0), kTfLiteError);
    assert_int_equal(TfLiteSignatureRunnerAllocateTensors(NULL), kTfLiteError);
    assert_int_equal(TfLiteSignatureRunnerInvoke(NULL), kTfLiteError);
    assert_int_equal(TfLiteSignatureRunnerCancel(NULL), kTfLiteError);
    TfLiteInterpreterOptionsDelete(NULL);
    assert_null(TfLiteInterpreterOptionsCopy(NULL));
    TfLiteInterpreterOptionsSetNumThreads(NULL, 1);
    TfLiteInterpreterOptionsAddDelegate(NULL, NULL);
    TfLiteInterpreterOptionsAddOperator(NULL, NULL);
    TfLiteInterpreterOptionsSetErrorReporter(NULL, NULL, NULL);
    TfLiteInterpreterOptionsAddCustomOp(NULL, NULL, NULL, 1, 1);
    TfLiteInterpreterOptionsSetOpResolver(NULL, NULL, NULL, NULL);
    assert_int_equal(TfLiteInterpreterOptionsEnableCancellation(NULL, true), kTfLiteError);
}

static void life_of_an_operator(void** state) {
    (void)state;
    TfLiteInterpreter* interpreter = open_model(fixture_model(3), fixture_options());
    assert_int_equal(fixture_calls.init, 3);
    assert_int_equal(fixture_calls.buffer_length, 3);
    fixture_check_run(interpreter, 8.0f);
    assert_int_equal(fixture_calls.prepare, 3);
    assert_int_equal(fixture_calls.invoke, 3);
    const int dims[] = {2, 5};
    assert_int_equal(TfLiteInterpreterResizeInputTensor(interpreter, 0, dims, 2), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteError); // not allocated
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    assert_int_equal(fixture_calls.prepare, 6);
    assert_int_equal(TfLiteTensorByteSize(TfLiteInterpreterGetOutputTensor(interpreter, 0)), 40);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    assert_int_equal(fixture_calls.free, 0);
    TfLiteInterpreterDelete(interpreter);
    assert_int_equal(fixture_calls.init, 3);
    assert_int_equal(fixture_calls.free, 3);
}

static void tensors(void** state) {
    (void)state;
    TfLiteInterpreter* interpreter = open_model(fixture_model(1), fixture_options());
    assert_int_equal(TfLiteInterpreterGetInputTensorCount(interpreter), 1);
    assert_int_equal(TfLiteInterpreterInputTensorIndices(interpreter)[0], 0);
    assert_int_equal(TfLiteInterpreterGetInputTensorIndex(interpreter, 0), 0);
    assert_int_equal(TfLiteInterpreterGetOutputTensorIndex(interpreter, 0), 1);
    assert_int_equal(TfLiteInterpreterOutputTensorIndices(interpreter)[0], 1);
    assert_ptr_equal(TfLiteInterpreterGetTensor(interpreter, 0),
                     TfLiteInterpreterGetInputTensor(interpreter, 0));
    assert_null(TfLiteInterpreterGetInputTensor(interpreter, 1));
    assert_null(TfLiteInterpreterGetInputTensor(interpreter, -1));
    assert_null(TfLiteInterpreterGetOutputTensor(interpreter, 1));
    assert_null(TfLiteInterpreterGetTensor(interpreter, 99));
    fixture_check_run(interpreter, 2.0f);
    TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
    float values[kLength + 1];
    assert_int_equal(TfLiteTensorNumDims(input), 1);
    assert_int_equal(TfLiteTensorDim(input, 0), kLength);
    assert_int_equal(TfLiteTensorDim(input, 1), -1);
    assert_string_equal(TfLiteTensorName(input), "t0");
    assert_int_equal(TfLiteTensorCopyFromBuffer(input, values, sizeof values), kTfLiteError);
    assert_string_equal(oclite_tensor_copy_error(), "tensor \"t0\": has 12 bytes, the buffer 16");
    assert_int_equal(TfLiteTensorCopyToBuffer(input, values, 4), kTfLiteError);
    assert_string_equal(oclite_tensor_copy_error(), "tensor \"t0\": has 12 bytes, the buffer 4");
    assert_int_equal(TfLiteTensorCopyToBuffer(input, NULL, sizeof(float) * kLength), kTfLiteError);
    assert_string_equal(oclite_tensor_copy_error(), "tensor \"t0\": the buffer is NULL");
    assert_int_equal(TfLiteTensorCopyToBuffer(input, values, sizeof(float) * kLength), kTfLiteOk);
    assert_string_equal(oclite_tensor_copy_error(), "");
    const int negative[] = {-1};
    assert_int_equal(TfLiteInterpreterResizeInputTensor(interpreter, 0, negative, 1), kTfLiteError);
    assert_int_equal(TfLiteInterpreterResizeInputTensor(interpreter, 1, negative, 1), kTfLiteError);
    assert_int_equal(TfLiteInterpreterResizeInputTensor(interpreter, 0, NULL, 1), kTfLiteError);
    assert_int_equal(TfLiteInterpreterResizeInputTensor(interpreter, 0, negative, -1), kTfLiteError);
    TfLiteInterpreterDelete(interpreter);
}

static void signatures(void** state) {
    (void)state;
    TfLiteInterpreter* interpreter = open_model(fixture_model(2), fixture_options());
    assert_int_equal(TfLiteInterpreterGetSignatureCount(interpreter), 1);
    assert_string_equal(TfLiteInterpreterGetSignatureKey(interpreter, 0), "main");
    assert_null(TfLiteInterpreterGetSignatureKey(interpreter, 1));
    assert_null(TfLiteInterpreterGetSignatureRunner(interpreter, "other"));
    TfLiteSignatureRunner* runner = TfLiteInterpreterGetSignatureRunner(interpreter, "main");
    assert_int_equal(TfLiteSignatureRunnerGetInputCount(runner), 1);
    assert_string_equal(TfLiteSignatureRunnerGetInputName(runner, 0), "x");
    assert_null(TfLiteSignatureRunnerGetInputName(runner, 1));
    assert_int_equal(TfLiteSignatureRunnerGetOutputCount(runner), 1);
    assert_string_equal(TfLiteSignatureRunnerGetOutputName(runner, 0), "y");
    assert_null(TfLiteSignatureRunnerGetOutputName(runner, -1));
    assert_null(TfLiteSignatureRunnerGetInputTensor(runner, "y"));
    assert_null(TfLiteSignatureRunnerGetOutputTensor(runner, NULL));
    const int dims[] = {2};
    const float x[] = {1.0f, -1.0f};
    float y[2];
    assert_int_equal(TfLiteSignatureRunnerResizeInputTensor(runner, "z", dims, 1), kTfLiteError);
    assert_int_equal(TfLiteSignatureRunnerResizeInputTensor(runner, "x", dims, 1), kTfLiteOk);
    assert_int_equal(TfLiteSignatureRunnerAllocateTensors(runner), kTfLiteOk);
    TfLiteTensor* input = TfLiteSignatureRunnerGetInputTensor(runner, "x");
    assert_int_equal(TfLiteTensorCopyFromBuffer(input, x, sizeof x), kTfLiteOk);
    assert_int_equal(TfLiteSignatureRunnerInvoke(runner), kTfLiteOk);
    const TfLiteTensor* output = TfLiteSignatureRunnerGetOutputTensor(runner, "y");
    assert_int_equal(TfLiteTensorCopyToBuffer(output, y, sizeof y), kTfLiteOk);
    assert_float_equal(y[1], -4.0f, 0.0f);
    assert_int_equal(TfLiteSignatureRunnerCancel(runner), kTfLiteError); // not enabled
    TfLiteSignatureRunnerDelete(runner);
    TfLiteInterpreterDelete(interpreter);
}

static void variables(void** state) {
    (void)state;
    TfLiteInterpreter* interpreter = open_model(fixture_variable_model(), fixture_options());
    assert_int_equal(TfLiteInterpreterGetVariableTensorCount(interpreter), 1);
    const TfLiteTensor* variable = TfLiteInterpreterGetVariableTensor(interpreter, 0);
    assert_ptr_equal(variable, TfLiteInterpreterGetTensor(interpreter, 1));
    assert_null(TfLiteInterpreterGetVariableTensor(interpreter, 1));
    fixture_check_run(interpreter, 1.0f);
    fixture_check_run(interpreter, 2.0f);
    assert_int_equal(TfLiteInterpreterResetVariableTensors(interpreter), kTfLiteOk);
    fixture_check_run(interpreter, 1.0f);
    TfLiteInterpreterDelete(interpreter);
}

static TfLiteInterpreter* cancelled_interpreter;

static void cancel(void) {
    TfLiteInterpreterCancel(cancelled_interpreter);
}

static void cancellation(void** state) {
    (void)state;
    TfLiteInterpreterOptions* options = fixture_options();
    assert_int_equal(TfLiteInterpreterOptionsEnableCancellation(options, true), kTfLiteOk);
    TfLiteInterpreter* interpreter = open_model(fixture_model(2), options);
    fixture_check_run(interpreter, 4.0f);
    fixture_calls.invoke = 0;
    cancelled_interpreter = interpreter;
    fixture_on_invoke = cancel;
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteCancelled);
    assert_int_equal(fixture_calls.invoke, 1);
    fixture_on_invoke = NULL;
    fixture_check_run(interpreter, 4.0f);
    TfLiteInterpreterDelete(interpreter);
}

static void custom_allocation(void** state) {
    (void)state;
    _Alignas(64) float memory[kLength + 16] = {0};
    TfLiteInterpreter* interpreter = open_model(fixture_model(1), fixture_options());
    const TfLiteCustomAllocation whole = {memory, sizeof memory};
    const TfLiteCustomAllocation small = {memory, 4}, odd = {memory + 1, kLength * sizeof(float)};
    assert_int_equal(TfLiteInterpreterSetCustomAllocationForTensor(interpreter, 0, NULL, 0), kTfLiteError);
    assert_int_equal(TfLiteInterpreterSetCustomAllocationForTensor(interpreter, 99, &whole, 0), kTfLiteError);
    assert_int_equal(TfLiteInterpreterSetCustomAllocationForTensor(interpreter, 0, &odd, 0), kTfLiteError);
    assert_int_equal(TfLiteInterpreterSetCustomAllocationForTensor(interpreter, 0, &small, 0), kTfLiteOk);
    // Too small: nothing is written to it, and allocating says so.
    const float values[kLength + 17] = {0};
    TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
    assert_null(TfLiteTensorData(input));
    assert_int_equal(TfLiteTensorCopyFromBuffer(input, values, kLength * sizeof(float)), kTfLiteError);
    assert_int_not_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterSetCustomAllocationForTensor(interpreter, 0, &whole, 0), kTfLiteOk);
    fixture_check_run(interpreter, 2.0f);
    assert_float_equal(memory[2], 3.0f, 0.0f);
    // The tensor grows out of its memory, and comes back.
    const int lengths[] = {kLength + 17, kLength};
    assert_int_equal(TfLiteInterpreterResizeInputTensor(interpreter, 0, lengths, 1), kTfLiteOk);
    assert_int_equal(TfLiteTensorCopyFromBuffer(input, values, (kLength + 17) * sizeof(float)), kTfLiteError);
    assert_int_not_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterResizeInputTensor(interpreter, 0, lengths + 1, 1), kTfLiteOk);
    fixture_check_run(interpreter, 2.0f);
    assert_ptr_equal(TfLiteTensorData(input), memory);
    TfLiteInterpreterDelete(interpreter);
}

static void look_inside(void** state) {
    (void)state;
    TfLiteInterpreter* interpreter = open_model(fixture_model(2), fixture_options());
    fixture_check_run(interpreter, 4.0f);
    assert_int_equal(oclite_interpreter_subgraph_count(interpreter), 1);
    assert_non_null(oclite_interpreter_subgraph_name(interpreter, 0));
    assert_null(oclite_interpreter_subgraph_name(interpreter, 1));
    assert_int_equal(oclite_interpreter_tensor_count(interpreter, 0), 3);
    assert_non_null(oclite_interpreter_tensor(interpreter, 0, 2));
    assert_null(oclite_interpreter_tensor(interpreter, 0, 3));
    assert_int_equal(oclite_interpreter_node_count(interpreter, 0), 2);
    OcliteNode node;
    assert_int_equal(oclite_interpreter_node(interpreter, 0, 1, &node), kTfLiteOk);
    assert_string_equal(node.op, "Twice");
    assert_true(node.in_plan && node.resolved && !node.is_delegate && node.delegate_node == -1);
    assert_int_equal(node.input_count, 1);
    assert_int_equal(node.inputs[0], 1);
    assert_int_equal(node.outputs[0], 2);
    assert_int_equal(oclite_interpreter_node(interpreter, 0, 2, &node), kTfLiteError);
    const int* plan;
    int count;
    assert_int_equal(oclite_interpreter_plan(interpreter, 0, &plan, &count), kTfLiteOk);
    assert_int_equal(count, 2);
    assert_int_equal(plan[1], 1);
    assert_true(oclite_interpreter_memory(interpreter) >= 2 * kLength * sizeof(float));
    TfLiteInterpreterDelete(interpreter);
}

static void count_profile(void* user_data, int subgraph, int node, uint64_t begin_ns, uint64_t end_ns) {
    assert_int_equal(subgraph, 0);
    assert_true(begin_ns <= end_ns);
    *(int*)user_data += 1 + node;
}

static void profile(void** state) {
    (void)state;
    int sum = 0;
    TfLiteInterpreter* interpreter = open_model(fixture_model(2), fixture_options());
    oclite_interpreter_set_profile(interpreter, count_profile, &sum);
    fixture_check_run(interpreter, 4.0f);
    assert_int_equal(sum, 1 + 2);
    oclite_interpreter_set_profile(interpreter, NULL, NULL);
    fixture_check_run(interpreter, 4.0f);
    assert_int_equal(sum, 1 + 2);
    TfLiteInterpreterDelete(interpreter);
}

// Each path computes; an unknown one changes nothing.
static void cpu_paths(void** state) {
    (void)state;
    assert_string_equal(oclite_cpu_path(), "auto");
    assert_string_equal(oclite_available_cpu_path(0), "auto");
    assert_null(oclite_available_cpu_path(-1));
    assert_null(oclite_available_cpu_path(100));
    TfLiteModel* model = fixture_add_model();
    for (int i = 0; oclite_available_cpu_path(i) != NULL; i++) {
        assert_int_equal(oclite_set_cpu_path(oclite_available_cpu_path(i)), kTfLiteOk);
        assert_int_equal(oclite_set_cpu_path("abacus"), kTfLiteError);
        assert_int_equal(oclite_set_cpu_path(NULL), kTfLiteError);
        assert_string_equal(oclite_cpu_path(), oclite_available_cpu_path(i));
        TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, NULL);
        fixture_check_run(interpreter, 2.0f);
        TfLiteInterpreterDelete(interpreter);
    }
    assert_int_equal(oclite_set_cpu_path("auto"), kTfLiteOk);
    TfLiteModelDelete(model);
}

static void winograd(void** state) {
    (void)state;
    static const char* const choices[] = {"off", "2x2", "4x4", "auto"};
    assert_string_equal(oclite_winograd(), "auto");
    for (int i = 0; i < 4; i++) {
        assert_int_equal(oclite_set_winograd(choices[i]), kTfLiteOk);
        assert_int_equal(oclite_set_winograd("abacus"), kTfLiteError);
        assert_int_equal(oclite_set_winograd(NULL), kTfLiteError);
        assert_string_equal(oclite_winograd(), choices[i]);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, reset, reset)
    const struct CMUnitTest tests[] = {
        TEST(versions),
        TEST(no_model),
        TEST(no_interpreter),
        TEST(no_tensor_runner_or_options),
        TEST(life_of_an_operator),
        TEST(tensors),
        TEST(signatures),
        TEST(variables),
        TEST(cancellation),
        TEST(custom_allocation),
        TEST(look_inside),
        TEST(profile),
        cmocka_unit_test(cpu_paths),
        cmocka_unit_test(winograd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
