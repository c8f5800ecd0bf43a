// SPDX-License-Identifier: Apache-2.0
// Attribute maps, and asynchronous execution by a delegate that takes both ABS of a graph.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tensorflow/lite/async/c/async_kernel.h"
#include "tensorflow/lite/async/c/async_signature_runner.h"
#include "tensorflow/lite/async/c/task.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/memory/scenario.h"

static const char kHostMemory[] = "host_memory"; // a TfLiteBackendBuffer that points to floats

enum { kLength = 3, kMaxBuffers = 2 };

// ---- The kernel: it computes in eval ----

typedef struct Kernel {
    TfLiteAsyncKernel* async;
    int input, output; // tensors
    struct {
        TfLiteBufferHandle handle;
        float* data;
    } buffers[kMaxBuffers];
    int buffer_count;
} Kernel;

static Kernel* kernel_of(const TfLiteAsyncKernel* async) {
    return TfLiteAsyncKernelGetKernelData(async);
}

static TfLiteStatus register_buffer(TfLiteAsyncKernel* async, TfLiteOpaqueContext* context,
                                    TfLiteIoType io_type, const TfLiteBackendBuffer* buffer,
                                    const TfLiteAttributeMap* attrs, TfLiteBufferHandle handle) {
    (void)context, (void)io_type, (void)attrs;
    Kernel* kernel = kernel_of(async);
    if (kernel->buffer_count == kMaxBuffers) return kTfLiteError;
    kernel->buffers[kernel->buffer_count].handle = handle;
    kernel->buffers[kernel->buffer_count++].data = TfLiteBackendBufferGetPtr(buffer);
    return kTfLiteOk;
}

static float* find_buffer(const Kernel* kernel, TfLiteBufferHandle handle) {
    for (int i = 0; i < kernel->buffer_count; i++) {
        if (kernel->buffers[i].handle == handle) return kernel->buffers[i].data;
    }
    return NULL;
}

static TfLiteStatus unregister_buffer(TfLiteAsyncKernel* async, TfLiteOpaqueContext* context,
                                      TfLiteBufferHandle handle) {
    (void)context;
    return find_buffer(kernel_of(async), handle) != NULL ? kTfLiteOk : kTfLiteError;
}

static void supported_types(const TfLiteAsyncKernel* async, TfLiteIoType io_type, const char* const** types,
                            size_t* n_types) {
    static const char* const names[] = {kHostMemory};
    (void)async, (void)io_type;
    *types = names;
    *n_types = 1;
}

static bool reconcile(const TfLiteAsyncKernel* async, const TfLiteOpaqueContext* context,
                      const TfLiteOpaqueNode* node, int tensor_index,
                      const TfLiteAttributeMap* user_provided_attributes, TfLiteAttributeMap* merged,
                      TfLiteAttributeMap* conflict) {
    (void)async, (void)context, (void)node, (void)tensor_index, (void)conflict;
    size_t size;
    TfLiteAttributeMapCopy(user_provided_attributes, merged);
    // Where memory ran out the copy is empty.
    return TfLiteAttributeMapGetSizeTBufferAttr(merged, kTfLiteBufferAttrKeySize, &size) &&
           TfLiteAttributeMapSetSizeTBufferAttr(merged, kTfLiteBufferAttrKeyAlignment, 4);
}

static TfLiteStatus set_attributes(TfLiteAsyncKernel* async, TfLiteOpaqueContext* context,
                                   TfLiteOpaqueNode* node, int tensor_index,
                                   const TfLiteAttributeMap* attrs) {
    (void)async, (void)context, (void)node, (void)tensor_index;
    return TfLiteAttributeMapIsBufferAttributeMap(attrs) ? kTfLiteOk : kTfLiteError;
}

static TfLiteStatus prepare_async(TfLiteAsyncKernel* async, TfLiteOpaqueContext* context,
                                  TfLiteOpaqueNode* node) {
    (void)async, (void)context, (void)node;
    return kTfLiteOk;
}

static TfLiteStatus eval(TfLiteAsyncKernel* async, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                         TfLiteExecutionTask* task) {
    (void)context, (void)node;
    const Kernel* kernel = kernel_of(async);
    const float* x = find_buffer(kernel, TfLiteExecutionTaskGetBufferByIndex(task, kernel->input));
    float* y = find_buffer(kernel, TfLiteExecutionTaskGetBufferByIndex(task, kernel->output));
    if (x == NULL || y == NULL) return kTfLiteError;
    for (int i = 0; i < kLength; i++) y[i] = fabsf(x[i]);
    return kTfLiteOk;
}

static TfLiteStatus end_task(TfLiteAsyncKernel* async, TfLiteOpaqueContext* context,
                             TfLiteExecutionTask* task) {
    (void)async, (void)context, (void)task;
    return kTfLiteOk;
}

// ---- The delegate ----

static void* kernel_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    Kernel* kernel = calloc(1, sizeof *kernel);
    if (kernel == NULL) exit(1);
    kernel->async = TfLiteAsyncKernelCreate(kernel);
    if (kernel->async == NULL) {
        free(kernel);
        return TfLiteKernelInitFailed();
    }
    TfLiteAsyncKernelSetRegisterBuffer(kernel->async, register_buffer);
    TfLiteAsyncKernelSetUnregisterBuffer(kernel->async, unregister_buffer);
    TfLiteAsyncKernelSetSupportedBufferTypes(kernel->async, supported_types);
    TfLiteAsyncKernelSetReconcileRestrictions(kernel->async, reconcile);
    TfLiteAsyncKernelSetSetAttributes(kernel->async, set_attributes);
    TfLiteAsyncKernelSetPrepare(kernel->async, prepare_async);
    TfLiteAsyncKernelSetEval(kernel->async, eval);
    TfLiteAsyncKernelSetWait(kernel->async, end_task);
    TfLiteAsyncKernelSetFinish(kernel->async, end_task);
    return kernel;
}

static void kernel_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    Kernel* kernel = data;
    if (data == NULL || data == TfLiteKernelInitFailed()) return;
    TfLiteAsyncKernelDelete(kernel->async);
    free(kernel);
}

static TfLiteStatus kernel_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Kernel* kernel = TfLiteOpaqueNodeGetUserData(node);
    kernel->input = TfLiteOpaqueNodeGetInputTensorIndex(node, 0);
    kernel->output = TfLiteOpaqueNodeGetOutputTensorIndex(node, 0);
    TfLiteIntArray* shape = TfLiteIntArrayCreate(1);
    if (shape == NULL) return kTfLiteError;
    shape->data[0] = kLength;
    return TfLiteOpaqueContextResizeTensor(context, TfLiteOpaqueNodeGetOutput(context, node, 0), shape);
}

static TfLiteStatus kernel_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    (void)context, (void)node;
    return kTfLiteError; // it is for asynchronous execution only
}

static TfLiteAsyncKernel* give_async(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    (void)context;
    return ((Kernel*)TfLiteOpaqueNodeGetUserData(node))->async;
}

static TfLiteStatus delegate_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate,
                                     void* data) {
    (void)data;
    TfLiteIntArray* plan;
    TF_LITE_OPAQUE_ENSURE_STATUS(TfLiteOpaqueContextGetExecutionPlan(context, &plan));
    TfLiteOperator* kernel = TfLiteOperatorCreate(kTfLiteBuiltinDelegate, "Abs", 1, NULL);
    if (kernel == NULL) return kTfLiteError;
    TfLiteOperatorSetInit(kernel, kernel_init);
    TfLiteOperatorSetFree(kernel, kernel_free);
    TfLiteOperatorSetPrepare(kernel, kernel_prepare);
    TfLiteOperatorSetInvoke(kernel, kernel_invoke);
    TfLiteOperatorSetAsyncKernel(kernel, give_async);
    return TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(context, kernel, plan, delegate);
}

// ---- The program ----

static bool agree(TfLiteAsyncSignatureRunner* runner, int tensor) {
    TfLiteAttributeMap* wish = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    TfLiteAttributeMap* merged = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    TfLiteAttributeMap* conflict = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    const bool complete =
        wish != NULL && merged != NULL && conflict != NULL &&
        TfLiteAttributeMapSetSizeTBufferAttr(wish, kTfLiteBufferAttrKeySize, kLength * sizeof(float)) &&
        TfLiteAsyncSignatureRunnerReconcileRestrictionsByIndex(runner, tensor, wish, merged, conflict) &&
        TfLiteAsyncSignatureRunnerSetAttributesByIndex(runner, tensor, merged) == kTfLiteOk;
    TfLiteAttributeMapDelete(wish);
    TfLiteAttributeMapDelete(merged);
    TfLiteAttributeMapDelete(conflict);
    return complete;
}

static bool register_memory(TfLiteAsyncSignatureRunner* runner, TfLiteIoType io_type, float* data,
                            TfLiteBufferHandle* handle) {
    TfLiteBackendBuffer* buffer = TfLiteBackendBufferCreate();
    TfLiteAttributeMap* attrs = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    TfLiteBackendBufferSetPtr(buffer, data);
    const bool complete =
        buffer != NULL && attrs != NULL &&
        TfLiteAttributeMapSetStringBufferAttr(attrs, kTfLiteBufferAttrKeyResourceTypeName, kHostMemory) &&
        TfLiteAsyncSignatureRunnerRegisterBuffer(runner, io_type, buffer, attrs, handle) == kTfLiteOk;
    TfLiteBackendBufferDelete(buffer);
    TfLiteAttributeMapDelete(attrs);
    return complete;
}

static bool execute(TfLiteAsyncSignatureRunner* runner, TfLiteExecutionTask* task, int input, int output) {
    float x[kLength] = {1, -2, 3}, y[kLength] = {0};
    TfLiteBufferHandle from, to;
    if (!register_memory(runner, kTfLiteIoTypeInput, x, &from)) return false;
    if (!register_memory(runner, kTfLiteIoTypeOutput, y, &to)) return false;
    TfLiteSynchronization* sync = TfLiteSynchronizationCreate();
    const bool complete = sync != NULL &&
                          TfLiteExecutionTaskSetBufferByIndex(task, input, from) == kTfLiteOk &&
                          TfLiteExecutionTaskSetBufferByIndex(task, output, to) == kTfLiteOk &&
                          TfLiteExecutionTaskSetSyncByIndex(task, output, sync) == kTfLiteOk &&
                          TfLiteAsyncSignatureRunnerInvokeAsync(runner, task) == kTfLiteOk &&
                          TfLiteAsyncSignatureRunnerWait(runner, task) == kTfLiteOk;
    if (complete) observe(y, sizeof y);
    TfLiteSynchronizationDelete(sync);
    return complete && TfLiteAsyncSignatureRunnerUnregisterBuffer(runner, from) == kTfLiteOk;
}

static bool use_runner(TfLiteAsyncSignatureRunner* runner) {
    if (runner == NULL) return false;
    const int input = TfLiteAsyncSignatureRunnerInputTensorIndices(runner)[0];
    const int output = TfLiteAsyncSignatureRunnerOutputTensorIndices(runner)[0];
    if (!agree(runner, input) || !agree(runner, output)) return false;
    if (TfLiteAsyncSignatureRunnerPrepareBackends(runner) != kTfLiteOk) return false;
    TfLiteExecutionTask* task = TfLiteAsyncSignatureRunnerCreateTask(runner);
    if (task == NULL) return false;
    const bool complete = execute(runner, task, input, output);
    return TfLiteAsyncSignatureRunnerFinish(runner, task) == kTfLiteOk && complete;
}

static bool run_async(const void* data) {
    (void)data;
    const TfLiteOpaqueDelegateBuilder builder = {.Prepare = delegate_prepare};
    size_t size;
    uint8_t* bytes = model_of_abs(&size);
    TfLiteOpaqueDelegate* delegate = TfLiteOpaqueDelegateCreate(&builder);
    TfLiteModel* model = TfLiteModelCreate(bytes, size);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options, report_message, NULL);
    TfLiteInterpreterOptionsAddDelegate(options, delegate);
    TfLiteInterpreter* interpreter = delegate != NULL ? TfLiteInterpreterCreate(model, options) : NULL;
    TfLiteInterpreterOptionsDelete(options);
    bool complete = TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk;
    if (complete) {
        TfLiteAsyncSignatureRunner* runner = TfLiteInterpreterGetAsyncSignatureRunner(interpreter, NULL);
        complete = use_runner(runner);
        TfLiteAsyncSignatureRunnerDelete(runner);
    }
    TfLiteInterpreterDelete(interpreter);
    TfLiteModelDelete(model);
    TfLiteOpaqueDelegateDelete(delegate);
    free(bytes);
    return complete;
}

// ---- Attribute maps by themselves ----

static bool run_attributes(const void* data) {
    (void)data;
    TfLiteAttributeMap* map = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    TfLiteAttributeMap* copy = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    for (int i = 0; i < 20; i++) {
        const char name[] = {(char)('a' + i), 0};
        TfLiteAttributeMapSetCustomIntAttr(map, name, i);
        TfLiteAttributeMapSetSizeTAttr(map, (uint32_t)(100 + i), 7);
    }
    TfLiteAttributeMapSetCustomStringAttr(map, "text", "value");
    TfLiteAttributeMapSetCustomBoolAttr(map, "flag", true);
    TfLiteAttributeMapCopy(map, copy);
    // The setters say nothing: what is there, is right.
    int number;
    const char* text;
    bool complete = copy != NULL, flag;
    for (int i = 0; i < 20; i++) {
        const char name[] = {(char)('a' + i), 0};
        const bool found = TfLiteAttributeMapGetCustomIntAttr(copy, name, &number);
        if (found) require(number == i, "another number");
        complete = complete && found;
    }
    complete = complete && TfLiteAttributeMapGetCustomStringAttr(copy, "text", &text) &&
               TfLiteAttributeMapGetCustomBoolAttr(copy, "flag", &flag);
    if (complete) require(strcmp(text, "value") == 0 && flag, "another value");
    TfLiteAttributeMapDelete(map);
    TfLiteAttributeMapDelete(copy);
    return complete;
}

const Scenario async_scenarios[] = {
    {"attribute maps", run_attributes, NULL, kNoOpenCl},
    {"asynchronous execution", run_async, NULL, kNoOpenCl},
};
const int async_scenario_count = sizeof async_scenarios / sizeof *async_scenarios;
