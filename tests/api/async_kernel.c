// SPDX-License-Identifier: Apache-2.0
#include "tests/api/async_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/attributes.h"
#include "tensorflow/lite/async/c/task.h"
#include "tensorflow/lite/async/interop/c/constants.h"
#include "tests/api/cmocka_setup.h"

// One execution. Freed by the task's finish, or by the next eval of the same task.
typedef struct BackendJob {
    const float* x;
    float* y;
    size_t count;
    float factor;
    BackendFence* ready; // closed when it has signalled; NULL: none
    BackendFence* done;  // of the program; NULL: none
    BackendFence* ended; // ours
    TfLiteStatus status;
    struct BackendJob* next;
} BackendJob;

static void run(BackendJob* job) {
    if (job->ready != NULL) {
        backend_fence_wait(job->ready);
        backend_fence_close(job->ready);
    }
    for (size_t i = 0; i < job->count; i++) job->y[i] = job->factor * job->x[i];
    if (job->done != NULL) backend_fence_signal(job->done);
    backend_fence_signal(job->ended);
}

static void* work(void* argument) {
    BackendKernel* kernel = argument;
    pthread_mutex_lock(&kernel->lock);
    for (;;) {
        while (kernel->first == NULL && !kernel->stopping) pthread_cond_wait(&kernel->wake, &kernel->lock);
        BackendJob* job = kernel->first;
        if (job == NULL) break;
        kernel->first = job->next;
        pthread_mutex_unlock(&kernel->lock);
        run(job);
        pthread_mutex_lock(&kernel->lock);
    }
    pthread_mutex_unlock(&kernel->lock);
    return NULL;
}

static BackendKernel* kernel_of(const TfLiteAsyncKernel* async) {
    return TfLiteAsyncKernelGetKernelData(async);
}

static int side_of(const BackendKernel* kernel, int tensor) {
    assert_true(tensor == kernel->tensors[kBackendInput] || tensor == kernel->tensors[kBackendOutput]);
    return tensor == kernel->tensors[kBackendInput] ? kBackendInput : kBackendOutput;
}

// Buffers.

static BackendBuffer* find_buffer(BackendKernel* kernel, TfLiteBufferHandle handle) {
    for (int i = 0; i < kBackendMostBuffers; i++) {
        if (kernel->buffers[i].used && kernel->buffers[i].handle == handle) return &kernel->buffers[i];
    }
    return NULL;
}

static TfLiteStatus add_buffer(BackendKernel* kernel, BackendBuffer buffer) {
    if (find_buffer(kernel, buffer.handle) != NULL) return kTfLiteError;
    for (int i = 0; i < kBackendMostBuffers; i++) {
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
    BackendKernel* kernel = kernel_of(async);
    const char* type;
    if (kernel->backend->register_status != kTfLiteOk) return kernel->backend->register_status;
    if (!TfLiteAttributeMapGetStringBufferAttr(attrs, kTfLiteBufferAttrKeyResourceTypeName, &type) ||
        strcmp(type, BACKEND_MEMORY) != 0) {
        return kTfLiteError;
    }
    const BackendMemory* memory = TfLiteBackendBufferGetPtr(buffer);
    return add_buffer(kernel,
                      (BackendBuffer){true, handle, kTfLiteNullBufferHandle, memory->data, memory->size});
}

static TfLiteStatus register_slice(TfLiteAsyncKernel* async, TfLiteOpaqueContext* context,
                                   TfLiteBufferHandle pool, const TfLiteAttributeMap* attrs,
                                   TfLiteBufferHandle handle) {
    assert_non_null(context);
    BackendKernel* kernel = kernel_of(async);
    const BackendBuffer* whole = find_buffer(kernel, pool);
    size_t offset = 0;
    size_t size;
    if (whole == NULL || whole->pool != kTfLiteNullBufferHandle) return kTfLiteError;
    (void)TfLiteAttributeMapGetSizeTBufferAttr(attrs, kTfLiteBufferAttrKeyOffset, &offset);
    if (!TfLiteAttributeMapGetSizeTBufferAttr(attrs, kTfLiteBufferAttrKeySize, &size)) return kTfLiteError;
    if (offset > whole->size || size > whole->size - offset) return kTfLiteError;
    return add_buffer(kernel, (BackendBuffer){true, handle, pool, whole->data + offset, size});
}

static TfLiteStatus unregister_buffer(TfLiteAsyncKernel* async, TfLiteOpaqueContext* context,
                                      TfLiteBufferHandle handle) {
    assert_non_null(context);
    BackendKernel* kernel = kernel_of(async);
    BackendBuffer* buffer = find_buffer(kernel, handle);
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
static TfLiteAttributeMap* demands(const BackendKernel* kernel, int side, const TfLiteAttributeMap* offered) {
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
    const BackendKernel* kernel = kernel_of(async);
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
    BackendKernel* kernel = kernel_of(async);
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

static BackendFence* fence_of(const BackendKernel* kernel, const TfLiteExecutionTask* task, int side) {
    const TfLiteSynchronization* sync = TfLiteExecutionTaskGetSyncByIndex(task, kernel->tensors[side]);
    return kernel->fences[side] && sync ? TfLiteSynchronizationGetPtr(sync) : NULL;
}

// A fence of the program's for the output.
static BackendFence* make_output_fence(const BackendKernel* kernel, const TfLiteExecutionTask* task) {
    TfLiteSynchronization* sync = TfLiteExecutionTaskGetSyncByIndex(task, kernel->tensors[kBackendOutput]);
    if (!kernel->fences[kBackendOutput] || sync == NULL) return NULL;
    BackendFence* fence = backend_fence_create();
    TfLiteSynchronizationSetPtr(sync, fence);
    return fence;
}

static void free_job(BackendJob* job) {
    if (job == NULL) return;
    backend_fence_wait(job->ended);
    backend_fence_close(job->ended);
    free(job);
}

static TfLiteStatus eval(TfLiteAsyncKernel* async, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                         TfLiteExecutionTask* task) {
    assert_true(context != NULL && node != NULL);
    BackendKernel* kernel = kernel_of(async);
    if (kernel->backend->eval_status != kTfLiteOk) return kernel->backend->eval_status;
    const BackendBuffer* buffers[2];
    for (int side = 0; side < 2; side++) {
        const TfLiteBufferHandle handle = TfLiteExecutionTaskGetBufferByIndex(task, kernel->tensors[side]);
        buffers[side] = find_buffer(kernel, handle);
        if (buffers[side] == NULL || buffers[side]->size < kernel->bytes[side]) return kTfLiteError;
    }
    if (!kernel->prepared) return kTfLiteError;
    free_job(TfLiteExecutionTaskGetDelegateExecutionData(task, async));
    BackendJob* job = calloc(1, sizeof *job);
    *job = (BackendJob){.x = (const float*)(const void*)buffers[kBackendInput]->data,
                        .y = (float*)(void*)buffers[kBackendOutput]->data,
                        .count = kernel->bytes[kBackendInput] / sizeof(float),
                        .factor = (float)(1 << kernel->nodes),
                        .ready = fence_of(kernel, task, kBackendInput),
                        .done = make_output_fence(kernel, task),
                        .ended = backend_fence_create(),
                        .status = kernel->backend->run_status};
    TfLiteExecutionTaskSetDelegateExecutionData(task, async, job);
    pthread_mutex_lock(&kernel->lock);
    BackendJob** last = &kernel->first;
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
    BackendJob* job = TfLiteExecutionTaskGetDelegateExecutionData(task, async);
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

// Creation.

static TfLiteAsyncKernel* create_async(BackendKernel* kernel) {
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

BackendKernel* backend_kernel_create(Backend* backend, int nodes) {
    BackendKernel* kernel = calloc(1, sizeof *kernel);
    kernel->backend = backend;
    kernel->nodes = nodes;
    kernel->async = create_async(kernel);
    pthread_mutex_init(&kernel->lock, NULL);
    pthread_cond_init(&kernel->wake, NULL);
    pthread_create(&kernel->worker, NULL, work, kernel);
    backend->kernels++;
    return kernel;
}

void backend_kernel_destroy(BackendKernel* kernel) {
    pthread_mutex_lock(&kernel->lock);
    kernel->stopping = true;
    pthread_cond_signal(&kernel->wake);
    pthread_mutex_unlock(&kernel->lock);
    pthread_join(kernel->worker, NULL);
    pthread_mutex_destroy(&kernel->lock);
    pthread_cond_destroy(&kernel->wake);
    for (int i = 0; i < kBackendMostBuffers; i++) kernel->backend->buffers -= kernel->buffers[i].used;
    kernel->backend->kernels--;
    TfLiteAsyncKernelDelete(kernel->async);
    free(kernel);
}
