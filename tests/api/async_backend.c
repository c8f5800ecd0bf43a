// SPDX-License-Identifier: Apache-2.0
#include "tests/api/async_backend.h"

#include <stdlib.h>

#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/api/cmocka_setup.h"

static void* kernel_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    (void)length;
    const TfLiteOpaqueDelegateParams* params = (const TfLiteOpaqueDelegateParams*)(const void*)buffer;
    return backend_kernel_create(params->delegate_data, params->nodes_to_replace->size);
}

static void kernel_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    backend_kernel_destroy(data);
}

static TfLiteStatus kernel_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    BackendKernel* kernel = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
    TfLiteIntArray* shape = TfLiteIntArrayCreate(1);
    shape->data[0] = TfLiteOpaqueTensorDim(input, 0);
    TF_LITE_OPAQUE_ENSURE_STATUS(TfLiteOpaqueContextResizeTensor(context, output, shape));
    kernel->tensors[kBackendInput] = TfLiteOpaqueNodeGetInputTensorIndex(node, 0);
    kernel->tensors[kBackendOutput] = TfLiteOpaqueNodeGetOutputTensorIndex(node, 0);
    kernel->bytes[kBackendInput] = TfLiteOpaqueTensorByteSize(input);
    kernel->bytes[kBackendOutput] = TfLiteOpaqueTensorByteSize(output);
    return kTfLiteOk;
}

static TfLiteStatus kernel_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const BackendKernel* kernel = TfLiteOpaqueNodeGetUserData(node);
    const float* x = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetInput(context, node, 0));
    float* y = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetOutput(context, node, 0));
    const size_t count = kernel->bytes[kBackendInput] / sizeof(float);
    for (size_t i = 0; i < count; i++) y[i] = (float)(1 << kernel->nodes) * x[i];
    return kTfLiteOk;
}

static TfLiteAsyncKernel* give_async(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    (void)context;
    BackendKernel* kernel = TfLiteOpaqueNodeGetUserData(node);
    kernel->backend->asked++;
    return kernel->async;
}

static TfLiteAsyncKernel* give_async_with_data(void* user_data, TfLiteOpaqueContext* context,
                                               TfLiteOpaqueNode* node) {
    const BackendKernel* kernel = TfLiteOpaqueNodeGetUserData(node);
    assert_ptr_equal(user_data, kernel->backend);
    return give_async(context, node);
}

static TfLiteStatus opaque_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate, void* data) {
    Backend* backend = data;
    TfLiteIntArray* plan;
    TF_LITE_OPAQUE_ENSURE_STATUS(TfLiteOpaqueContextGetExecutionPlan(context, &plan));
    TfLiteIntArray* taken = TfLiteIntArrayCopy(plan);
    if (backend->most_nodes > 0 && taken->size > backend->most_nodes) taken->size = backend->most_nodes;
    TfLiteOperator* op = TfLiteOperatorCreate(kTfLiteBuiltinDelegate, "Backend", 1, backend);
    TfLiteOperatorSetInit(op, kernel_init);
    TfLiteOperatorSetFree(op, kernel_free);
    TfLiteOperatorSetPrepare(op, kernel_prepare);
    TfLiteOperatorSetInvoke(op, kernel_invoke);
    if (backend->form == kBackendOperator || backend->form == kBackendEmpty) {
        TfLiteOperatorSetAsyncKernel(op, give_async);
    }
    if (backend->form == kBackendWithData) TfLiteOperatorSetAsyncKernelWithData(op, give_async_with_data);
    const TfLiteStatus status =
        TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(context, op, taken, delegate);
    TfLiteIntArrayFree(taken);
    return status;
}

// The same with the plain types: an opaque context is a context.

static void* plain_init(TfLiteContext* context, const char* buffer, size_t length) {
    (void)context;
    (void)length;
    const TfLiteDelegateParams* params = (const TfLiteDelegateParams*)(const void*)buffer;
    return backend_kernel_create(params->delegate->data_, params->nodes_to_replace->size);
}
static void plain_free(TfLiteContext* context, void* data) {
    kernel_free((TfLiteOpaqueContext*)context, data);
}
static TfLiteStatus plain_prepare(TfLiteContext* context, TfLiteNode* node) {
    return kernel_prepare((TfLiteOpaqueContext*)context, (TfLiteOpaqueNode*)node);
}
static TfLiteStatus plain_invoke(TfLiteContext* context, TfLiteNode* node) {
    return kernel_invoke((TfLiteOpaqueContext*)context, (TfLiteOpaqueNode*)node);
}
static TfLiteAsyncKernel* plain_give(TfLiteContext* context, TfLiteNode* node) {
    return give_async((TfLiteOpaqueContext*)context, (TfLiteOpaqueNode*)node);
}

static TfLiteStatus plain_delegate_prepare(TfLiteContext* context, TfLiteDelegate* delegate) {
    const TfLiteRegistration registration = {.init = plain_init,
                                             .free = plain_free,
                                             .prepare = plain_prepare,
                                             .invoke = plain_invoke,
                                             .custom_name = "Backend",
                                             .version = 1,
                                             .async_kernel = plain_give};
    TfLiteIntArray* plan;
    TF_LITE_OPAQUE_ENSURE_STATUS(context->GetExecutionPlan(context, &plan));
    return context->ReplaceNodeSubsetsWithDelegateKernels(context, registration, plan, delegate);
}

TfLiteDelegate* backend_create_delegate(Backend* backend) {
    if (backend->form == kBackendRegistration) {
        TfLiteDelegate* delegate = calloc(1, sizeof *delegate);
        *delegate = TfLiteDelegateCreate();
        delegate->data_ = backend;
        delegate->Prepare = plain_delegate_prepare;
        return delegate;
    }
    const TfLiteOpaqueDelegateBuilder builder = {.data = backend, .Prepare = opaque_prepare};
    return TfLiteOpaqueDelegateCreate(&builder);
}

void backend_delete_delegate(TfLiteDelegate* delegate) {
    if (delegate->opaque_delegate_builder == NULL) {
        free(delegate);
    } else {
        TfLiteOpaqueDelegateDelete(delegate);
    }
}
