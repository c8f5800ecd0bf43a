// SPDX-License-Identifier: Apache-2.0
#include "tests/api/async_backend.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/attributes.h"
#include "tensorflow/lite/async/c/task.h"
#include "tensorflow/lite/async/interop/c/constants.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/api/cmocka_setup.h"

// Fences.

struct BackendFence {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool signalled;
};

BackendFence* backend_fence_create(void) {
    BackendFence* fence = calloc(1, sizeof *fence);
    pthread_mutex_init(&fence->lock, NULL);
    pthread_cond_init(&fence->changed, NULL);
    return fence;
}

void backend_fence_signal(BackendFence* fence) {
    pthread_mutex_lock(&fence->lock);
    fence->signalled = true;
    pthread_cond_broadcast(&fence->changed);
    pthread_mutex_unlock(&fence->lock);
}

void backend_fence_wait(BackendFence* fence) {
    pthread_mutex_lock(&fence->lock);
    while (!fence->signalled) pthread_cond_wait(&fence->changed, &fence->lock);
    pthread_mutex_unlock(&fence->lock);
}

void backend_fence_close(BackendFence* fence) {
    pthread_mutex_destroy(&fence->lock);
    pthread_cond_destroy(&fence->changed);
    free(fence);
}

// The kernel: one input, one output.

enum { kMostBuffers = 16, kInput = 0, kOutput = 1 };

typedef struct Buffer {
    bool used;
    TfLiteBufferHandle handle;
    TfLiteBufferHandle pool; // of a slice; kTfLiteNullBufferHandle
    unsigned char* data;
    size_t size;
} Buffer;

// One execution. Freed by the task's finish, or by the next eval of the same task.
typedef struct Job {
    const float* x;
    float* y;
    size_t count;
    float factor;
    BackendFence* ready; // closed when it has signalled; NULL: none
    BackendFence* done;  // of the program; NULL: none
    BackendFence* ended; // ours
    TfLiteStatus status;
    struct Job* next;
} Job;

typedef struct Kernel {
    Backend* backend;
    TfLiteAsyncKernel* async;
    int nodes;
    int tensors[2]; // kInput, kOutput
    size_t bytes[2];
    bool fences[2]; // agreed on
    bool prepared;
    Buffer buffers[kMostBuffers];
    pthread_t worker;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    Job* first; // waiting
    bool stopping;
} Kernel;

static void run(Job* job) {
    if (job->ready != NULL) {
        backend_fence_wait(job->ready);
        backend_fence_close(job->ready);
    }
    for (size_t i = 0; i < job->count; i++) job->y[i] = job->factor * job->x[i];
    if (job->done != NULL) backend_fence_signal(job->done);
    backend_fence_signal(job->ended);
}

static void* work(void* argument) {
    Kernel* kernel = argument;
    pthread_mutex_lock(&kernel->lock);
    for (;;) {
        while (kernel->first == NULL && !kernel->stopping) pthread_cond_wait(&kernel->wake, &kernel->lock);
        Job* job = kernel->first;
        if (job == NULL) break;
        kernel->first = job->next;
        pthread_mutex_unlock(&kernel->lock);
        run(job);
        pthread_mutex_lock(&kernel->lock);
    }
    pthread_mutex_unlock(&kernel->lock);
    return NULL;
}

static Kernel* kernel_of(const TfLiteAsyncKernel* async) {
    return TfLiteAsyncKernelGetKernelData(async);
}

static int side_of(const Kernel* kernel, int tensor) {
    assert_true(tensor == kernel->tensors[kInput] || tensor == kernel->tensors[kOutput]);
    return tensor == kernel->tensors[kInput] ? kInput : kOutput;
}

// Buffers.

static Buffer* find_buffer(Kernel* kernel, TfLiteBufferHandle handle) {
    for (int i = 0; i < kMostBuffers; i++) {
        if (kernel->buffers[i].used && kernel->buffers[i].handle == handle) return &kernel->buffers[i];
    }
    return NULL;
}

static TfLiteStatus add_buffer(Kernel* kernel, Buffer buffer) {
    if (find_buffer(kernel, buffer.handle) != NULL) return kTfLiteError;
    for (int i = 0; i < kMostBuffers; i++) {
        if (kernel->buffers[i].used) continue;
        kernel->buffers[i] = buffer;
        kernel->backend->buffers++;
        return kTfLiteOk;
    }
    return kTfLiteError;
}

static TfLiteStatus register_buffer(TfLiteAsyncKernel* async, TfLiteOpaqueContext* context,
                                    TfLiteIoType io_type, const TfLiteBackendBuffer* buffer,
                                    const TfLiteAttributeMap* attrs, TfLiteBufferHandle handle) {
    (void)io_type;
    assert_non_null(context);
    Kernel* kernel = kernel_of(async);
    const char* type;
    if (kernel->backend->register_status != kTfLiteOk) return kernel->backend->register_status;
    if (!TfLiteAttributeMapGetStringBufferAttr(attrs, kTfLiteBufferAttrKeyResourceTypeName, &type) ||
        strcmp(type, BACKEND_MEMORY) != 0) {
        return kTfLiteError;
    }
    const BackendMemory* memory = TfLiteBackendBufferGetPtr(buffer);
    return add_buffer(kernel, (Buffer){true, handle, kTfLiteNullBufferHandle, memory->data, memory->size});
}

static TfLiteStatus register_slice(TfLiteAsyncKernel* async, TfLiteOpaqueContext* context,
                                   TfLiteBufferHandle pool, const TfLiteAttributeMap* attrs,
                                   TfLiteBufferHandle handle) {
    assert_non_null(context);
    Kernel* kernel = kernel_of(async);
    const Buffer* whole = find_buffer(kernel, pool);
    size_t offset = 0;
    size_t size;
    if (whole == NULL || whole->pool != kTfLiteNullBufferHandle) return kTfLiteError;
    (void)TfLiteAttributeMapGetSizeTBufferAttr(attrs, kTfLiteBufferAttrKeyOffset, &offset);
    if (!TfLiteAttributeMapGetSizeTBufferAttr(attrs, kTfLiteBufferAttrKeySize, &size)) return kTfLiteError;
    if (offset > whole->size || size > whole->size - offset) return kTfLiteError;
    return add_buffer(kernel, (Buffer){true, handle, pool, whole->data + offset, size});
}

static TfLiteStatus unregister_buffer(TfLiteAsyncKernel* async, TfLiteOpaqueContext* context,
                                      TfLiteBufferHandle handle) {
    assert_non_null(context);
    Kernel* kernel = kernel_of(async);
    Buffer* buffer = find_buffer(kernel, handle);
    if (buffer == NULL) return kTfLiteError;
    buffer->used = false;
    kernel->backend->buffers--;
    return kTfLiteOk;
}

// Agreement.

static void buffer_types(const TfLiteAsyncKernel* async, TfLiteIoType io_type, const char* const** types,
                         size_t* n_types) {
    static const char* const names[] = {BACKEND_MEMORY};
    (void)async;
    (void)io_type;
    *types = names;
    *n_types = 1;
}

static void sync_types(const TfLiteAsyncKernel* async, TfLiteIoType io_type, const char* const** types,
                       size_t* n_types) {
    static const char* const names[] = {kTfLiteSyncTypeNoSyncObj, BACKEND_FENCE};
    (void)async;
    (void)io_type;
    *types = names;
    *n_types = 2;
}

// The kernel's own attributes.
static TfLiteAttributeMap* demands(const Kernel* kernel, int side, const TfLiteAttributeMap* offered) {
    const bool buffer = TfLiteAttributeMapIsBufferAttributeMap(offered);
    TfLiteAttributeMap* map =
        TfLiteAttributeMapCreate(buffer ? kTfLiteAttrMapTypeBuffer : kTfLiteAttrMapTypeSync);
    if (buffer) {
        TfLiteAttributeMapSetStringBufferAttr(map, kTfLiteBufferAttrKeyResourceTypeName, BACKEND_MEMORY);
        TfLiteAttributeMapSetSizeTBufferAttr(map, kTfLiteBufferAttrKeyAlignment, kBackendAlignment);
        TfLiteAttributeMapSetSizeTBufferAttr(map, kTfLiteBufferAttrKeySize, kernel->bytes[side]);
    }
    return map;
}

static bool names_known_sync(const TfLiteAttributeMap* attrs, const char** type) {
    *type = kTfLiteSyncTypeNoSyncObj;
    if (!TfLiteAttributeMapIsSyncAttributeMap(attrs)) return false;
    (void)TfLiteAttributeMapGetStringSyncAttr(attrs, kTfLiteSynchronizationAttrKeyObjectTypeName, type);
    return strcmp(*type, kTfLiteSyncTypeNoSyncObj) == 0 || strcmp(*type, BACKEND_FENCE) == 0;
}

static bool reconcile(const TfLiteAsyncKernel* async, const TfLiteOpaqueContext* context,
                      const TfLiteOpaqueNode* node, int tensor_index, const TfLiteAttributeMap* attrs,
                      TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict) {
    assert_true(context != NULL && node != NULL);
    const Kernel* kernel = kernel_of(async);
    TfLiteAttributeMap* own = demands(kernel, side_of(kernel, tensor_index), attrs);
    bool good = lite_attributes_reconcile(own, attrs, merged, conflict);
    TfLiteAttributeMapDelete(own);
    const char* type;
    if (good && TfLiteAttributeMapIsSyncAttributeMap(attrs) && !names_known_sync(attrs, &type)) {
        good = false;
        if (conflict) {
            TfLiteAttributeMapSetStringSyncAttr(conflict, kTfLiteSynchronizationAttrKeyObjectTypeName, type);
        }
    }
    return good;
}

static TfLiteStatus set_attributes(TfLiteAsyncKernel* async, TfLiteOpaqueContext* context,
                                   TfLiteOpaqueNode* node, int tensor_index,
                                   const TfLiteAttributeMap* attrs) {
    assert_true(context != NULL && node != NULL);
    Kernel* kernel = kernel_of(async);
    const int side = side_of(kernel, tensor_index);
    const char* type;
    kernel->prepared = false;
    if (TfLiteAttributeMapIsBufferAttributeMap(attrs)) {
        TfLiteAttributeMap* own = demands(kernel, side, attrs);
        const bool good = lite_attributes_cover(attrs, own, NULL);
        TfLiteAttributeMapDelete(own);
        return good ? kTfLiteOk : kTfLiteError;
    }
    if (!names_known_sync(attrs, &type)) return kTfLiteError;
    kernel->fences[side] = strcmp(type, BACKEND_FENCE) == 0;
    return kTfLiteOk;
}

static TfLiteStatus async_prepare(TfLiteAsyncKernel* async, TfLiteOpaqueContext* context,
                                  TfLiteOpaqueNode* node) {
    assert_true(context != NULL && node != NULL);
    kernel_of(async)->prepared = true;
    kernel_of(async)->backend->prepares++;
    return kTfLiteOk;
}

// Execution.

static BackendFence* fence_of(const Kernel* kernel, const TfLiteExecutionTask* task, int side) {
    const TfLiteSynchronization* sync = TfLiteExecutionTaskGetSyncByIndex(task, kernel->tensors[side]);
    return kernel->fences[side] && sync ? TfLiteSynchronizationGetPtr(sync) : NULL;
}

// A fence of the program's for the output.
static BackendFence* make_output_fence(const Kernel* kernel, const TfLiteExecutionTask* task) {
    TfLiteSynchronization* sync = TfLiteExecutionTaskGetSyncByIndex(task, kernel->tensors[kOutput]);
    if (!kernel->fences[kOutput] || sync == NULL) return NULL;
    BackendFence* fence = backend_fence_create();
    TfLiteSynchronizationSetPtr(sync, fence);
    return fence;
}

static void free_job(Job* job) {
    if (job == NULL) return;
    backend_fence_wait(job->ended);
    backend_fence_close(job->ended);
    free(job);
}

static TfLiteStatus eval(TfLiteAsyncKernel* async, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                         TfLiteExecutionTask* task) {
    assert_true(context != NULL && node != NULL);
    Kernel* kernel = kernel_of(async);
    if (kernel->backend->eval_status != kTfLiteOk) return kernel->backend->eval_status;
    const Buffer* buffers[2];
    for (int side = 0; side < 2; side++) {
        const TfLiteBufferHandle handle = TfLiteExecutionTaskGetBufferByIndex(task, kernel->tensors[side]);
        buffers[side] = find_buffer(kernel, handle);
        if (buffers[side] == NULL || buffers[side]->size < kernel->bytes[side]) return kTfLiteError;
    }
    if (!kernel->prepared) return kTfLiteError;
    free_job(TfLiteExecutionTaskGetDelegateExecutionData(task, async));
    Job* job = calloc(1, sizeof *job);
    *job = (Job){.x = (const float*)(const void*)buffers[kInput]->data,
                 .y = (float*)(void*)buffers[kOutput]->data,
                 .count = kernel->bytes[kInput] / sizeof(float),
                 .factor = (float)(1 << kernel->nodes),
                 .ready = fence_of(kernel, task, kInput),
                 .done = make_output_fence(kernel, task),
                 .ended = backend_fence_create(),
                 .status = kernel->backend->run_status};
    TfLiteExecutionTaskSetDelegateExecutionData(task, async, job);
    pthread_mutex_lock(&kernel->lock);
    Job** last = &kernel->first;
    while (*last != NULL) last = &(*last)->next;
    *last = job;
    pthread_cond_signal(&kernel->wake);
    pthread_mutex_unlock(&kernel->lock);
    return kTfLiteOk;
}

static TfLiteStatus wait_for(TfLiteAsyncKernel* async, TfLiteOpaqueContext* context,
                             TfLiteExecutionTask* task) {
    assert_non_null(context);
    __atomic_fetch_add(&kernel_of(async)->backend->waits, 1, __ATOMIC_RELAXED);
    Job* job = TfLiteExecutionTaskGetDelegateExecutionData(task, async);
    if (job == NULL) return kTfLiteError;
    backend_fence_wait(job->ended);
    return job->status;
}

static TfLiteStatus finish(TfLiteAsyncKernel* async, TfLiteOpaqueContext* context,
                           TfLiteExecutionTask* task) {
    assert_non_null(context);
    __atomic_fetch_add(&kernel_of(async)->backend->finishes, 1, __ATOMIC_RELAXED);
    free_job(TfLiteExecutionTaskGetDelegateExecutionData(task, async));
    TfLiteExecutionTaskSetDelegateExecutionData(task, async, NULL);
    return kernel_of(async)->backend->finish_status;
}

// The delegate.

static TfLiteAsyncKernel* create_async(Kernel* kernel) {
    TfLiteAsyncKernel* async = TfLiteAsyncKernelCreate(kernel);
    assert_ptr_equal(TfLiteAsyncKernelGetKernelData(async), kernel);
    if (kernel->backend->form == kBackendEmpty) return async;
    TfLiteAsyncKernelSetRegisterBuffer(async, register_buffer);
    TfLiteAsyncKernelSetRegisterBufferSlice(async, register_slice);
    TfLiteAsyncKernelSetUnregisterBuffer(async, unregister_buffer);
    TfLiteAsyncKernelSetSupportedBufferTypes(async, buffer_types);
    TfLiteAsyncKernelSetSupportedSynchronizations(async, sync_types);
    TfLiteAsyncKernelSetReconcileRestrictions(async, reconcile);
    TfLiteAsyncKernelSetSetAttributes(async, set_attributes);
    TfLiteAsyncKernelSetPrepare(async, async_prepare);
    TfLiteAsyncKernelSetEval(async, eval);
    TfLiteAsyncKernelSetWait(async, wait_for);
    TfLiteAsyncKernelSetFinish(async, finish);
    return async;
}

static void* create_kernel(Backend* backend, int nodes) {
    Kernel* kernel = calloc(1, sizeof *kernel);
    kernel->backend = backend;
    kernel->nodes = nodes;
    kernel->async = create_async(kernel);
    pthread_mutex_init(&kernel->lock, NULL);
    pthread_cond_init(&kernel->wake, NULL);
    pthread_create(&kernel->worker, NULL, work, kernel);
    backend->kernels++;
    return kernel;
}

static void* kernel_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    (void)length;
    const TfLiteOpaqueDelegateParams* params = (const TfLiteOpaqueDelegateParams*)(const void*)buffer;
    return create_kernel(params->delegate_data, params->nodes_to_replace->size);
}

static void kernel_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    Kernel* kernel = data;
    pthread_mutex_lock(&kernel->lock);
    kernel->stopping = true;
    pthread_cond_signal(&kernel->wake);
    pthread_mutex_unlock(&kernel->lock);
    pthread_join(kernel->worker, NULL);
    pthread_mutex_destroy(&kernel->lock);
    pthread_cond_destroy(&kernel->wake);
    for (int i = 0; i < kMostBuffers; i++) kernel->backend->buffers -= kernel->buffers[i].used;
    kernel->backend->kernels--;
    TfLiteAsyncKernelDelete(kernel->async);
    free(kernel);
}

static TfLiteStatus kernel_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Kernel* kernel = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
    TfLiteIntArray* shape = TfLiteIntArrayCreate(1);
    shape->data[0] = TfLiteOpaqueTensorDim(input, 0);
    TF_LITE_OPAQUE_ENSURE_STATUS(TfLiteOpaqueContextResizeTensor(context, output, shape));
    kernel->tensors[kInput] = TfLiteOpaqueNodeGetInputTensorIndex(node, 0);
    kernel->tensors[kOutput] = TfLiteOpaqueNodeGetOutputTensorIndex(node, 0);
    kernel->bytes[kInput] = TfLiteOpaqueTensorByteSize(input);
    kernel->bytes[kOutput] = TfLiteOpaqueTensorByteSize(output);
    return kTfLiteOk;
}

static TfLiteStatus kernel_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const Kernel* kernel = TfLiteOpaqueNodeGetUserData(node);
    const float* x = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetInput(context, node, 0));
    float* y = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetOutput(context, node, 0));
    const size_t count = kernel->bytes[kInput] / sizeof(float);
    for (size_t i = 0; i < count; i++) y[i] = (float)(1 << kernel->nodes) * x[i];
    return kTfLiteOk;
}

static TfLiteAsyncKernel* give_async(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    (void)context;
    Kernel* kernel = TfLiteOpaqueNodeGetUserData(node);
    kernel->backend->asked++;
    return kernel->async;
}

static TfLiteAsyncKernel* give_async_with_data(void* user_data, TfLiteOpaqueContext* context,
                                               TfLiteOpaqueNode* node) {
    const Kernel* kernel = TfLiteOpaqueNodeGetUserData(node);
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
    return create_kernel(params->delegate->data_, params->nodes_to_replace->size);
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
