// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/memory/scenario.h"

// One operator that a kernel replaces.
typedef struct Step {
    int code;
    int inputs[2];
    int output;
} Step;

enum { kMaxSteps = 4 };

typedef struct Kernel {
    Step steps[kMaxSteps];
    int count;
    int temporary; // -1 until there is one
} Kernel;

static bool find_step(TfLiteOpaqueContext* context, int node_index, Step* step) {
    TfLiteOpaqueNode* node;
    TfLiteOperator* op;
    if (TfLiteOpaqueContextGetNodeAndRegistration(context, node_index, &node, &op) != kTfLiteOk) return false;
    step->code = TfLiteOperatorGetBuiltInCode(op);
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    if (step->code != kTfLiteBuiltinAdd && step->code != kTfLiteBuiltinReshape &&
        step->code != kTfLiteBuiltinCustom)
        return false;
    if (TfLiteOpaqueTensorType(input) != kTfLiteFloat32) return false;
    const int count = TfLiteOpaqueNodeNumberOfInputs(node);
    for (int i = 0; i < 2; i++) {
        step->inputs[i] = TfLiteOpaqueNodeGetInputTensorIndex(node, i < count ? i : 0);
    }
    step->output = TfLiteOpaqueNodeGetOutputTensorIndex(node, 0);
    return true;
}

static void* kernel_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)length;
    const TfLiteOpaqueDelegateParams* params = (const TfLiteOpaqueDelegateParams*)(const void*)buffer;
    const TfLiteIntArray* nodes = params->nodes_to_replace;
    Kernel* kernel = calloc(1, sizeof *kernel);
    if (kernel == NULL || nodes->size > kMaxSteps) exit(1);
    kernel->temporary = -1;
    for (int i = 0; i < nodes->size; i++) {
        if (find_step(context, nodes->data[i], &kernel->steps[kernel->count])) kernel->count++;
    }
    return kernel;
}

static void kernel_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    free(data);
}

static TfLiteIntArray* output_shape(TfLiteOpaqueContext* context, const Step* step) {
    const TfLiteOpaqueTensor* a = TfLiteOpaqueContextGetOpaqueTensor(context, step->inputs[0]);
    const TfLiteOpaqueTensor* b = TfLiteOpaqueContextGetOpaqueTensor(context, step->inputs[1]);
    if (step->code == kTfLiteBuiltinReshape) { // of batches
        TfLiteIntArray* shape = TfLiteIntArrayCreate(2);
        if (shape == NULL) return NULL;
        shape->data[0] = TfLiteOpaqueTensorDim(a, 0);
        shape->data[1] = (int)(TfLiteOpaqueTensorByteSize(a) / sizeof(float)) / shape->data[0];
        return shape;
    }
    const TfLiteOpaqueTensor* larger = TfLiteOpaqueTensorNumDims(a) > 0 ? a : b;
    TfLiteIntArray* shape = TfLiteIntArrayCreate(TfLiteOpaqueTensorNumDims(larger));
    for (int i = 0; shape != NULL && i < shape->size; i++) shape->data[i] = TfLiteOpaqueTensorDim(larger, i);
    return shape;
}

static TfLiteStatus add_temporary(TfLiteOpaqueContext* context, Kernel* kernel) {
    TfLiteOpaqueTensorBuilder* builder = TfLiteOpaqueTensorBuilderCreate();
    TfLiteOpaqueTensorBuilderSetType(builder, kTfLiteFloat32);
    TfLiteOpaqueTensorBuilderSetAllocationType(builder, kTfLiteArenaRw);
    const TfLiteStatus status = TfLiteOpaqueContextAddTensor(context, builder, &kernel->temporary);
    TfLiteOpaqueTensorBuilderDelete(builder);
    return status;
}

static TfLiteStatus resize_to_step(TfLiteOpaqueContext* context, const Step* step, int tensor) {
    TfLiteIntArray* shape = output_shape(context, step);
    if (shape == NULL) return kTfLiteError;
    return TfLiteOpaqueContextResizeTensor(context, TfLiteOpaqueContextGetOpaqueTensor(context, tensor),
                                           shape);
}

static TfLiteStatus kernel_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Kernel* kernel = TfLiteOpaqueNodeGetUserData(node);
    if (kernel->temporary < 0) TF_LITE_OPAQUE_ENSURE_STATUS(add_temporary(context, kernel));
    TF_LITE_OPAQUE_ENSURE_STATUS(TfLiteOpaqueNodeSetTemporaries(node, &kernel->temporary, 1));
    for (int i = 0; i < kernel->count; i++) {
        TF_LITE_OPAQUE_ENSURE_STATUS(resize_to_step(context, &kernel->steps[i], kernel->steps[i].output));
    }
    return resize_to_step(context, &kernel->steps[0], kernel->temporary);
}

static void compute(TfLiteOpaqueContext* context, const Step* step, float* y, size_t count) {
    const TfLiteOpaqueTensor* tensors[2];
    const float* x[2];
    size_t lengths[2];
    for (int i = 0; i < 2; i++) {
        tensors[i] = TfLiteOpaqueContextGetOpaqueTensor(context, step->inputs[i]);
        x[i] = TfLiteOpaqueTensorData(tensors[i]);
        lengths[i] = TfLiteOpaqueTensorByteSize(tensors[i]) / sizeof(float);
    }
    for (size_t i = 0; i < count; i++) {
        const float a = x[0][i % lengths[0]];
        y[i] = step->code == kTfLiteBuiltinAdd      ? a + x[1][i % lengths[1]]
               : step->code == kTfLiteBuiltinCustom ? atanf(a)
                                                    : a;
    }
}

static TfLiteStatus kernel_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const Kernel* kernel = TfLiteOpaqueNodeGetUserData(node);
    for (int i = 0; i < kernel->count; i++) {
        const Step* step = &kernel->steps[i];
        TfLiteOpaqueTensor* output = TfLiteOpaqueContextGetOpaqueTensor(context, step->output);
        TfLiteOpaqueTensor* temporary = TfLiteOpaqueContextGetOpaqueTensor(context, kernel->temporary);
        const size_t bytes = TfLiteOpaqueTensorByteSize(output);
        const bool fits = TfLiteOpaqueTensorByteSize(temporary) >= bytes;
        float* y = TfLiteOpaqueTensorData(fits ? temporary : output);
        compute(context, step, y, bytes / sizeof *y);
        if (fits) memcpy(TfLiteOpaqueTensorData(output), y, bytes);
    }
    return kTfLiteOk;
}

// The nodes of the plan that the delegate takes, in an array as long as the plan.
static TfLiteIntArray* find_nodes(TfLiteOpaqueContext* context, const TfLiteIntArray* plan) {
    TfLiteIntArray* nodes = TfLiteIntArrayCreate(plan->size);
    if (nodes == NULL) return NULL;
    nodes->size = 0;
    for (int i = 0; i < plan->size; i++) {
        Step step;
        if (find_step(context, plan->data[i], &step)) nodes->data[nodes->size++] = plan->data[i];
    }
    return nodes;
}

static TfLiteStatus delegate_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate,
                                     void* data) {
    (void)data;
    TfLiteIntArray* plan;
    TF_LITE_OPAQUE_ENSURE_STATUS(TfLiteOpaqueContextGetExecutionPlan(context, &plan));
    TfLiteIntArray* nodes = find_nodes(context, plan);
    TfLiteOperator* kernel = TfLiteOperatorCreate(kTfLiteBuiltinDelegate, "Test", 1, NULL);
    if (nodes == NULL || kernel == NULL) {
        TfLiteIntArrayFree(nodes);
        TfLiteOperatorDelete(kernel);
        return kTfLiteError;
    }
    TfLiteOperatorSetInit(kernel, kernel_init);
    TfLiteOperatorSetFree(kernel, kernel_free);
    TfLiteOperatorSetPrepare(kernel, kernel_prepare);
    TfLiteOperatorSetInvoke(kernel, kernel_invoke);
    const TfLiteStatus status =
        TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(context, kernel, nodes, delegate);
    TfLiteIntArrayFree(nodes);
    return status;
}

TfLiteOpaqueDelegate* test_delegate_create(void) {
    const TfLiteOpaqueDelegateBuilder builder = {.Prepare = delegate_prepare,
                                                 .flags = kTfLiteDelegateFlagsAllowDynamicTensors};
    return TfLiteOpaqueDelegateCreate(&builder);
}
