// SPDX-License-Identifier: Apache-2.0
// Delegates on the opaque API, what they can ask the context, and delegates out of shared libraries.
//
//   test_delegate PLUGIN
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oclite/oclite.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tensorflow/lite/delegates/external/external_delegate.h"
#include "tests/api/cmocka_setup.h"
#include "tests/api/fixture.h"

static const char* plugin_path;

static int reset(void** state) {
    (void)state;
    fixture_reset();
    return 0;
}

// A delegate that takes all nodes of a chain of "Twice" and multiplies by 2 for each at once.
typedef struct Taker {
    bool fail;
    int nodes; // that the kernel replaces
    int kernels;
    void (*look)(TfLiteOpaqueContext* context);
} Taker;

static void* kernel_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    assert_int_equal(length, sizeof(TfLiteOpaqueDelegateParams));
    const TfLiteOpaqueDelegateParams* params = (const TfLiteOpaqueDelegateParams*)(const void*)buffer;
    Taker* taker = params->delegate_data;
    assert_ptr_equal(TfLiteOpaqueDelegateGetData(params->delegate), taker);
    taker->nodes = params->nodes_to_replace->size;
    taker->kernels++;
    return taker;
}

static TfLiteStatus kernel_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    TfLiteIntArray* shape = TfLiteIntArrayCreate(1);
    shape->data[0] = TfLiteOpaqueTensorDim(input, 0);
    return TfLiteOpaqueContextResizeTensor(context, TfLiteOpaqueNodeGetOutput(context, node, 0), shape);
}

static TfLiteStatus kernel_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const Taker* taker = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    const float* x = TfLiteOpaqueTensorData(input);
    float* y = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetOutput(context, node, 0));
    for (size_t i = 0; i < TfLiteOpaqueTensorByteSize(input) / sizeof(float); i++) {
        y[i] = x[i] * (float)(1 << taker->nodes);
    }
    return kTfLiteOk;
}

static TfLiteStatus taker_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate, void* data) {
    Taker* taker = data;
    if (taker->look) taker->look(context);
    if (taker->fail) {
        TfLiteOpaqueContextReportError(context, "does not feel like it");
        return kTfLiteError;
    }
    TfLiteIntArray* plan;
    TF_LITE_OPAQUE_ENSURE_STATUS(TfLiteOpaqueContextGetExecutionPlan(context, &plan));
    TfLiteOperator* kernel = TfLiteOperatorCreate(kTfLiteBuiltinDelegate, "Taker", 1);
    TfLiteOperatorSetInit(kernel, kernel_init);
    TfLiteOperatorSetPrepare(kernel, kernel_prepare);
    TfLiteOperatorSetInvoke(kernel, kernel_invoke);
    return TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(context, kernel, plan, delegate);
}

static TfLiteOpaqueDelegate* create_taker(Taker* taker) {
    const TfLiteOpaqueDelegateBuilder builder = {.data = taker, .Prepare = taker_prepare};
    return TfLiteOpaqueDelegateCreate(&builder);
}

static TfLiteInterpreter* open_with(TfLiteOpaqueDelegate* delegate, int nodes) {
    TfLiteInterpreterOptions* options = fixture_options();
    TfLiteInterpreterOptionsAddDelegate(options, delegate);
    TfLiteModel* model = fixture_model(nodes);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteModelDelete(model);
    TfLiteInterpreterOptionsDelete(options);
    return interpreter;
}

static void takes_the_graph(void** state) {
    (void)state;
    Taker taker = {0};
    TfLiteOpaqueDelegate* delegate = create_taker(&taker);
    TfLiteInterpreter* interpreter = open_with(delegate, 3);
    fixture_check_run(interpreter, 8.0f);
    assert_int_equal(taker.nodes, 3);
    assert_int_equal(taker.kernels, 1);
    assert_int_equal(fixture_calls.invoke, 0);
    OcliteNode node;
    assert_int_equal(oclite_interpreter_node(interpreter, 0, 3, &node), kTfLiteOk);
    assert_true(node.is_delegate && node.in_plan);
    assert_string_equal(node.op, "Taker");
    assert_int_equal(node.replaced_count, 3);
    assert_int_equal(oclite_interpreter_node(interpreter, 0, 1, &node), kTfLiteOk);
    assert_int_equal(node.delegate_node, 3);
    TfLiteInterpreterDelete(interpreter);
    TfLiteOpaqueDelegateDelete(delegate);
}

static void applied_later(void** state) {
    (void)state;
    Taker taker = {0};
    TfLiteOpaqueDelegate* delegate = create_taker(&taker);
    TfLiteInterpreter* interpreter = open_with(NULL, 2);
    fixture_check_run(interpreter, 4.0f);
    assert_int_equal(TfLiteInterpreterModifyGraphWithDelegate(interpreter, NULL), kTfLiteError);
    assert_int_equal(TfLiteInterpreterModifyGraphWithDelegate(interpreter, delegate), kTfLiteOk);
    fixture_check_run(interpreter, 4.0f);
    assert_int_equal(taker.kernels, 1);
    assert_int_equal(fixture_calls.invoke, 2);
    TfLiteInterpreterDelete(interpreter);
    TfLiteOpaqueDelegateDelete(delegate);
}

static void failing_delegate_leaves_the_cpu(void** state) {
    (void)state;
    Taker taker = {.fail = true};
    TfLiteOpaqueDelegate* delegate = create_taker(&taker);
    TfLiteInterpreter* interpreter = open_with(delegate, 2);
    fixture_check_run(interpreter, 4.0f);
    assert_int_equal(fixture_calls.invoke, 2);
    assert_non_null(strstr(fixture_messages, "does not feel like it"));
    assert_int_not_equal(TfLiteInterpreterModifyGraphWithDelegate(interpreter, delegate), kTfLiteOk);
    fixture_check_run(interpreter, 4.0f);
    TfLiteInterpreterDelete(interpreter);
    TfLiteOpaqueDelegateDelete(delegate);
}

// What a delegate may ask while it is prepared.
static void look(TfLiteOpaqueContext* context) {
    const int* list;
    int count;
    assert_int_equal(TfLiteOpaqueContextGetInputs(context, &list, &count), kTfLiteOk);
    assert_true(count == 1 && list[0] == 0);
    assert_int_equal(TfLiteOpaqueContextGetOutputs(context, &list, &count), kTfLiteOk);
    assert_true(count == 1 && list[0] == 2);
    assert_int_equal(TfLiteOpaqueContextGetVariables(context, &list, &count), kTfLiteOk);
    assert_int_equal(count, 0);
    assert_int_equal(TfLiteOpaqueContextGetInputs(context, NULL, &count), kTfLiteError);
    assert_int_equal(TfLiteOpaqueContextGetNumNodes(context), 2);
    assert_int_equal(TfLiteOpaqueContextGetNumTensors(context), 3);
    assert_non_null(TfLiteOpaqueContextGetName(context));

    TfLiteOpaqueNode* node;
    TfLiteOperator* op;
    assert_int_equal(TfLiteOpaqueContextGetNodeAndRegistration(context, 1, &node, &op), kTfLiteOk);
    assert_int_equal(TfLiteOperatorGetBuiltInCode(op), kTfLiteBuiltinCustom);
    assert_string_equal(TfLiteOperatorGetCustomName(op), "Twice");
    assert_int_equal(TfLiteOperatorGetVersion(op), 1);
    assert_int_equal(TfLiteOpaqueNodeGetInputTensorIndex(node, 0), 1);
    const void* data;
    assert_int_equal(TfLiteOpaqueNodeGetCustomInitialData(node, &data, &count), kTfLiteOk);
    assert_int_equal(count, 3);
    assert_int_equal(TfLiteOpaqueContextGetNodeAndRegistration(context, 2, &node, &op), kTfLiteError);

    const char* text;
    size_t bytes;
    assert_int_equal(TfLiteOpaqueContextGetMetadata(context, "note", &text, &bytes), kTfLiteOk);
    assert_int_equal(bytes, 5);
    assert_memory_equal(text, "hello", 5);
    assert_int_not_equal(TfLiteOpaqueContextGetMetadata(context, "other", &text, &bytes), kTfLiteOk);

    TfLiteOpaqueContext* same;
    assert_int_equal(TfLiteOpaqueContextAcquireSubgraphContext(context, 0, &same), kTfLiteOk);
    assert_ptr_equal(same, context);
    assert_int_equal(TfLiteOpaqueContextReleaseSubgraphContext(context, 0), kTfLiteOk);
    assert_int_not_equal(TfLiteOpaqueContextAcquireSubgraphContext(context, 7, &same), kTfLiteOk);
    assert_int_not_equal(TfLiteOpaqueContextMarkSubgraphAsDelegationSkippable(context, 7), kTfLiteOk);

    int fd;
    int64_t offset, size;
    assert_int_equal(TfLiteOpaqueContextGetNodeInitDataMmapInfo(context, node, &fd, &offset, &size),
                     kTfLiteError); // the model is in memory
}

static void what_a_delegate_sees(void** state) {
    (void)state;
    Taker taker = {.look = look};
    TfLiteOpaqueDelegate* delegate = create_taker(&taker);
    TfLiteInterpreter* interpreter = open_with(delegate, 2);
    assert_int_equal(taker.kernels, 1);
    TfLiteInterpreterDelete(interpreter);
    TfLiteOpaqueDelegateDelete(delegate);
}

static void external_delegate(void** state) {
    (void)state;
    TfLiteExternalDelegateOptions options = TfLiteExternalDelegateOptionsDefault(plugin_path);
    assert_int_equal(options.insert(&options, "factor", "5"), kTfLiteOk);
    TfLiteDelegate* delegate = TfLiteExternalDelegateCreate(&options);
    assert_non_null(delegate);
    TfLiteInterpreter* interpreter = open_with(delegate, 2);
    fixture_check_run(interpreter, 5.0f);
    TfLiteInterpreterDelete(interpreter);
    TfLiteExternalDelegateDelete(delegate);
}

static void no_external_delegate(void** state) {
    (void)state;
    TfLiteExternalDelegateOptions options = TfLiteExternalDelegateOptionsDefault(plugin_path);
    assert_int_equal(TfLiteExternalDelegateOptionsInsert(&options, "fail", ""), kTfLiteOk);
    assert_null(TfLiteExternalDelegateCreate(&options));
    while (options.count < 256) {
        assert_int_equal(TfLiteExternalDelegateOptionsInsert(&options, "k", "v"), kTfLiteOk);
    }
    assert_int_equal(TfLiteExternalDelegateOptionsInsert(&options, "k", "v"), kTfLiteError);
    assert_int_equal(TfLiteExternalDelegateOptionsInsert(NULL, "k", "v"), kTfLiteError);
    options = TfLiteExternalDelegateOptionsDefault("/no/such/library.so");
    assert_null(TfLiteExternalDelegateCreate(&options));
    options = TfLiteExternalDelegateOptionsDefault("libm.so.6"); // which offers no delegate
    assert_null(TfLiteExternalDelegateCreate(&options));
    assert_null(TfLiteExternalDelegateCreate(NULL));
    TfLiteExternalDelegateDelete(NULL);
}

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    plugin_path = argv[1];
#define TEST(name) cmocka_unit_test_setup_teardown(name, reset, reset)
    const struct CMUnitTest tests[] = {
        TEST(takes_the_graph),      TEST(applied_later),     TEST(failing_delegate_leaves_the_cpu),
        TEST(what_a_delegate_sees), TEST(external_delegate), TEST(no_external_delegate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
