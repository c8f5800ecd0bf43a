// SPDX-License-Identifier: Apache-2.0
// Delegates through the C API: what programs see of them, and what they can ask the context.
#include <string.h>

#include "oclite/oclite.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/api/cmocka_setup.h"
#include "tests/api/fixture.h"

static int reset(void** state) {
    (void)state;
    fixture_reset();
    return 0;
}

// A delegate that takes all nodes of a chain of "Twice" and multiplies by 2 for each at once.
typedef struct Taker {
    bool fail;
    TfLiteStatus invoke_status;
    bool leaves_in_buffer; // outputs are in handle 7 only
    int nodes;             // that the kernel replaces
    int kernels;
    int invokes;
    int copies;
    int freed_handles;
    void (*look)(TfLiteOpaqueContext* context);
} Taker;

static void* kernel_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    assert_int_equal(length, 0);
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
    Taker* taker = TfLiteOpaqueNodeGetUserData(node);
    taker->invokes++;
    if (taker->invoke_status != kTfLiteOk) return taker->invoke_status;
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
    const float* x = TfLiteOpaqueTensorData(input);
    float* y = TfLiteOpaqueTensorData(output);
    for (size_t i = 0; i < TfLiteOpaqueTensorByteSize(input) / sizeof(float); i++) {
        y[i] = x[i] * (float)(1 << taker->nodes);
    }
    if (taker->leaves_in_buffer) ((TfLiteTensor*)output)->data_is_stale = true;
    return kTfLiteOk;
}

static TfLiteStatus taker_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate, void* data) {
    Taker* taker = data;
    if (taker->look != NULL) taker->look(context);
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

static TfLiteStatus taker_copy(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate, void* data,
                               TfLiteBufferHandle handle, TfLiteOpaqueTensor* tensor) {
    (void)context, (void)delegate;
    assert_int_equal(handle, 7);
    ((Taker*)data)->copies++;
    float* values = TfLiteOpaqueTensorData(tensor);
    for (int i = 0; i < kLength; i++) values[i] = 42.0f;
    return kTfLiteOk;
}

static void taker_free(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate, void* data,
                       TfLiteBufferHandle* handle) {
    (void)context, (void)delegate;
    assert_int_equal(*handle, 7);
    ((Taker*)data)->freed_handles++;
}

static TfLiteOpaqueDelegate* create_taker(Taker* taker) {
    const TfLiteOpaqueDelegateBuilder builder = {.data = taker,
                                                 .Prepare = taker_prepare,
                                                 .CopyFromBufferHandle = taker_copy,
                                                 .FreeBufferHandle = taker_free};
    return TfLiteOpaqueDelegateCreate(&builder);
}

static TfLiteInterpreter* open_with_options(TfLiteInterpreterOptions* options, int nodes) {
    TfLiteModel* model = fixture_model(nodes);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteModelDelete(model);
    TfLiteInterpreterOptionsDelete(options);
    return interpreter;
}

static TfLiteInterpreter* open_with(TfLiteOpaqueDelegate* delegate, int nodes) {
    TfLiteInterpreterOptions* options = fixture_options();
    TfLiteInterpreterOptionsAddDelegate(options, delegate);
    return open_with_options(options, nodes);
}

// With the fallback, by way of a copy of the options.
static TfLiteInterpreter* open_with_fallback(TfLiteOpaqueDelegate* delegate, int nodes) {
    TfLiteInterpreterOptions* options = fixture_options();
    TfLiteInterpreterOptionsAddDelegate(options, delegate);
    TfLiteInterpreterOptionsSetEnableDelegateFallback(options, true);
    TfLiteInterpreterOptionsSetEnableDelegateFallback(NULL, true);
    TfLiteInterpreterOptions* copy = TfLiteInterpreterOptionsCopy(options);
    TfLiteInterpreterOptionsDelete(options);
    return open_with_options(copy, nodes);
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

// An operator without methods is a name for delegates. Without one it cannot be run.
static void takes_what_has_no_methods(void** state) {
    (void)state;
    Taker taker = {0};
    TfLiteOpaqueDelegate* delegate = create_taker(&taker);
    const TfLiteRegistration nothing = {0};
    for (int later = 0; later < 3; later++) {
        TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
        TfLiteInterpreterOptionsSetErrorReporter(options, fixture_report, NULL);
        TfLiteInterpreterOptionsAddCustomOp(options, "Twice", &nothing, 1, 1);
        if (later == 0) TfLiteInterpreterOptionsAddDelegate(options, delegate);
        TfLiteInterpreter* interpreter = open_with_options(options, 3);
        assert_non_null(interpreter);
        if (later == 2) {
            assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
            assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteError);
            assert_non_null(strstr(fixture_messages, "Twice: the operator has no Invoke method"));
        }
        if (later != 0) {
            assert_int_equal(TfLiteInterpreterModifyGraphWithDelegate(interpreter, delegate), kTfLiteOk);
        }
        fixture_check_run(interpreter, 8.0f);
        assert_int_equal(taker.nodes, 3);
        TfLiteInterpreterDelete(interpreter);
    }
    TfLiteOpaqueDelegateDelete(delegate);
}

static void applied_later(void** state) {
    (void)state;
    Taker taker = {0};
    TfLiteOpaqueDelegate* delegate = create_taker(&taker);
    TfLiteInterpreter* interpreter = open_with(NULL, 2);
    fixture_check_run(interpreter, 4.0f);
    assert_int_equal(TfLiteInterpreterModifyGraphWithDelegate(interpreter, NULL), kTfLiteDelegateError);
    assert_int_equal(TfLiteInterpreterModifyGraphWithDelegate(interpreter, delegate), kTfLiteOk);
    fixture_check_run(interpreter, 4.0f);
    assert_int_equal(taker.kernels, 1);
    assert_int_equal(fixture_calls.invoke, 2);
    TfLiteInterpreterDelete(interpreter);
    TfLiteOpaqueDelegateDelete(delegate);
}

static void a_delegate_that_fails_prevents_the_interpreter(void** state) {
    (void)state;
    Taker taker = {.fail = true};
    TfLiteOpaqueDelegate* delegate = create_taker(&taker);
    assert_null(open_with(delegate, 2));
    assert_non_null(strstr(fixture_messages, "does not feel like it"));
    assert_int_equal(fixture_calls.init, fixture_calls.free);
    TfLiteInterpreter* interpreter = open_with(NULL, 2);
    assert_int_equal(TfLiteInterpreterModifyGraphWithDelegate(interpreter, delegate), kTfLiteDelegateError);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk); // it is ready
    fixture_check_run(interpreter, 4.0f);
    TfLiteInterpreterDelete(interpreter);
    TfLiteOpaqueDelegateDelete(delegate);
}

static void with_fallback_the_cpu_runs_the_model(void** state) {
    (void)state;
    Taker taker = {.fail = true};
    TfLiteOpaqueDelegate* delegate = create_taker(&taker);
    TfLiteInterpreter* interpreter = open_with_fallback(delegate, 2);
    fixture_check_run(interpreter, 4.0f);
    assert_int_equal(fixture_calls.invoke, 2);
    TfLiteInterpreterDelete(interpreter);
    TfLiteOpaqueDelegateDelete(delegate);
}

static void invoke_four_times(TfLiteInterpreter* interpreter, TfLiteStatus first, TfLiteStatus others) {
    const float x[kLength] = {1.0f, 2.0f, 3.0f};
    float y[kLength];
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    assert_int_equal(TfLiteTensorCopyFromBuffer(TfLiteInterpreterGetInputTensor(interpreter, 0), x, sizeof x),
                     kTfLiteOk);
    for (int i = 0; i < 4; i++) {
        const TfLiteStatus status = i == 0 ? first : others;
        assert_int_equal(TfLiteInterpreterInvoke(interpreter), status);
        if (status == kTfLiteError) continue;
        const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
        assert_int_equal(TfLiteTensorCopyToBuffer(output, y, sizeof y), kTfLiteOk);
        for (int k = 0; k < kLength; k++) assert_float_equal(y[k], 4 * x[k], 0);
    }
}

static void an_inference_that_fails(void** state) {
    (void)state;
    Taker taker = {.invoke_status = kTfLiteError};
    TfLiteOpaqueDelegate* delegate = create_taker(&taker);
    TfLiteInterpreter* interpreter = open_with(delegate, 2);
    invoke_four_times(interpreter, kTfLiteError, kTfLiteError);
    assert_int_equal(taker.invokes, 4);
    TfLiteInterpreterDelete(interpreter);
    interpreter = open_with_fallback(delegate, 2);
    invoke_four_times(interpreter, kTfLiteDelegateError, kTfLiteOk);
    assert_int_equal(taker.invokes, 5);
    TfLiteInterpreterDelete(interpreter);
    TfLiteOpaqueDelegateDelete(delegate);
}

static void a_device_that_fails(void** state) {
    (void)state;
    Taker taker = {.invoke_status = kTfLiteDelegateError};
    TfLiteOpaqueDelegate* delegate = create_taker(&taker);
    TfLiteInterpreter* interpreter = open_with(delegate, 2);
    invoke_four_times(interpreter, kTfLiteOk, kTfLiteOk);
    assert_int_equal(taker.invokes, 1);
    assert_non_null(strstr(fixture_messages, "A delegate failed and has been removed"));
    TfLiteInterpreterDelete(interpreter);
    interpreter = open_with_fallback(delegate, 2);
    invoke_four_times(interpreter, kTfLiteDelegateError, kTfLiteOk);
    TfLiteInterpreterDelete(interpreter);
    TfLiteOpaqueDelegateDelete(delegate);
}

static void signatures_fall_back_too(void** state) {
    (void)state;
    Taker taker = {.invoke_status = kTfLiteError};
    TfLiteOpaqueDelegate* delegate = create_taker(&taker);
    for (int fallback = 0; fallback < 2; fallback++) {
        TfLiteInterpreter* interpreter = fallback ? open_with_fallback(delegate, 2) : open_with(delegate, 2);
        TfLiteSignatureRunner* runner = TfLiteInterpreterGetSignatureRunner(interpreter, "main");
        assert_int_equal(TfLiteSignatureRunnerAllocateTensors(runner), kTfLiteOk);
        const float x[kLength] = {5.0f};
        assert_int_equal(
            TfLiteTensorCopyFromBuffer(TfLiteSignatureRunnerGetInputTensor(runner, "x"), x, sizeof x),
            kTfLiteOk);
        assert_int_equal(TfLiteSignatureRunnerInvoke(runner), fallback ? kTfLiteDelegateError : kTfLiteError);
        const float* y = TfLiteTensorData(TfLiteSignatureRunnerGetOutputTensor(runner, "y"));
        if (fallback) assert_float_equal(y[0], 20.0f, 0);
        TfLiteSignatureRunnerDelete(runner);
        TfLiteInterpreterDelete(interpreter);
    }
    TfLiteOpaqueDelegateDelete(delegate);
}

// A plain delegate for one node: y = 3 x.
static TfLiteStatus triple_invoke(TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* x = &context->tensors[node->inputs->data[0]];
    for (int i = 0; i < kLength; i++) {
        context->tensors[node->outputs->data[0]].data.f[i] = 3.0f * x->data.f[i];
    }
    return kTfLiteOk;
}

static TfLiteStatus triple_prepare(TfLiteContext* context, TfLiteDelegate* delegate) {
    const TfLiteRegistration kernel = {.invoke = triple_invoke, .custom_name = "Triple"};
    TfLiteIntArray* first = TfLiteIntArrayCreate(1);
    first->data[0] = *(int*)delegate->data_;
    const TfLiteStatus status =
        context->ReplaceNodeSubsetsWithDelegateKernels(context, kernel, first, delegate);
    TfLiteIntArrayFree(first);
    return status;
}

static void plain_and_opaque_ones_in_order(void** state) {
    (void)state;
    int nodes[] = {1, 2};
    TfLiteDelegate triples[2];
    for (int i = 0; i < 2; i++) {
        triples[i] = TfLiteDelegateCreate();
        triples[i].data_ = &nodes[i];
        triples[i].Prepare = triple_prepare;
        triples[i].flags = i ? kTfLiteDelegateFlagsAllowDynamicTensors : kTfLiteDelegateFlagsNone;
    }
    TfLiteInterpreterOptions* options = fixture_options();
    for (int i = 0; i < 2; i++) TfLiteInterpreterOptionsAddDelegate(options, &triples[i]);
    TfLiteInterpreterOptionsAddDelegate(options, NULL);
    TfLiteInterpreter* interpreter = open_with_options(options, 4);
    fixture_check_run(interpreter, 2 * 3 * 3 * 2);
    assert_int_equal(fixture_calls.invoke, 2);
    // One that asks for the others' kernels fails, and takes them with it.
    Taker taker = {0};
    TfLiteOpaqueDelegate* all = create_taker(&taker);
    assert_int_equal(TfLiteInterpreterModifyGraphWithDelegate(interpreter, all), kTfLiteDelegateError);
    fixture_check_run(interpreter, 16.0f);
    assert_int_equal(TfLiteInterpreterModifyGraphWithDelegate(interpreter, all), kTfLiteOk);
    fixture_check_run(interpreter, 16.0f);
    assert_int_equal(taker.invokes, 1);
    TfLiteInterpreterDelete(interpreter);
    TfLiteOpaqueDelegateDelete(all);
}

static void buffers(void** state) {
    (void)state;
    Taker taker = {.leaves_in_buffer = true};
    TfLiteOpaqueDelegate* delegate = create_taker(&taker);
    TfLiteInterpreter* interpreter = open_with(delegate, 1);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    TfLiteTensor* output = TfLiteInterpreterGetTensor(interpreter, 1);
    assert_int_equal(TfLiteInterpreterSetBufferHandle(interpreter, output, 7, delegate), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    assert_int_equal(taker.copies, 1);
    assert_float_equal(output->data.f[0], 42.0f, 0);
    TfLiteSetAllowBufferHandleOutput(interpreter, true);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    assert_int_equal(taker.copies, 1);
    assert_int_equal(TfLiteInterpreterEnsureTensorDataIsReadable(interpreter, 1), kTfLiteOk);
    assert_int_equal(taker.copies, 2);
    TfLiteBufferHandle handle;
    TfLiteOpaqueDelegate* owner;
    assert_int_equal(TfLiteInterpreterGetBufferHandle(interpreter, 1, &handle, &owner), kTfLiteOk);
    assert_int_equal(handle, 7);
    assert_ptr_equal(owner, delegate);
    assert_int_equal(TfLiteInterpreterGetBufferHandle(interpreter, 9, &handle, &owner), kTfLiteError);
    assert_int_equal(TfLiteInterpreterSetBufferHandle(interpreter, output, 7, delegate), kTfLiteOk);
    assert_int_equal(taker.freed_handles, 1);
    TfLiteInterpreterDelete(interpreter);
    assert_int_equal(taker.freed_handles, 2);
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

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, reset, reset)
    const struct CMUnitTest tests[] = {
        TEST(takes_the_graph),
        TEST(takes_what_has_no_methods),
        TEST(applied_later),
        TEST(a_delegate_that_fails_prevents_the_interpreter),
        TEST(with_fallback_the_cpu_runs_the_model),
        TEST(an_inference_that_fails),
        TEST(a_device_that_fails),
        TEST(signatures_fall_back_too),
        TEST(plain_and_opaque_ones_in_order),
        TEST(buffers),
        TEST(what_a_delegate_sees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
