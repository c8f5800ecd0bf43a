// SPDX-License-Identifier: Apache-2.0
// Asynchronous execution: the kernel, its buffers and its tasks.
#include "core/graph/async.h"

#include "core/base/lock.h"
#include "core/graph/graph.h"
#include "core/graph/signature.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"
#include "tensorflow/lite/async/c/task.h"

typedef struct LiteTask {
    TfLiteExecutionTask task; // first: a TfLiteExecutionTask* is a LiteTask*
    LiteAsync* async;         // a reference
    const LiteModelSignature* signature;
    TfLiteAsyncKernel* kernel; // NULL: there was none, or it is gone
    atomic_bool scheduled;     // and nobody has waited for it since
    unsigned cancellations;    // of the interpreter when it was scheduled
    struct LiteTask* next;
} LiteTask;

struct LiteAsync {
    LiteSubgraph* subgraph;
    atomic_int references;
    atomic_int next_handle;
    LiteLock lock; // of what follows, since tasks may be used by different threads
    TfLiteAsyncKernel* kernel;
    LiteNode* node; // whose kernel it is
    LiteTask* tasks;
};

// The kernel.

static TfLiteAsyncKernel* ask_node(LiteSubgraph* subgraph, LiteNode* node) {
    TfLiteOpaqueContext* context = lite_subgraph_context(subgraph);
    TfLiteOpaqueNode* opaque_node = (TfLiteOpaqueNode*)&node->node;
    const TfLiteOperator* op = &node->methods->op;
    if (op->async_kernel_with_data != NULL) {
        return op->async_kernel_with_data(op->user_data, context, opaque_node);
    }
    if (op->async_kernel != NULL) return op->async_kernel(context, opaque_node);
    if (node->methods->registration.async_kernel == NULL) return NULL;
    return node->methods->registration.async_kernel(&subgraph->context, &node->node);
}

static void look_up(LiteAsync* async) {
    LiteSubgraph* subgraph = async->subgraph;
    LiteNode* node = subgraph->plan->size == 1 ? subgraph->nodes[subgraph->plan->data[0]] : NULL;
    if (node == NULL || node->node.delegate == NULL) {
        lite_subgraph_fail(subgraph, "Model is not fully delegated by 1 backend.");
        return;
    }
    async->node = node;
    async->kernel = ask_node(subgraph, node);
    if (async->kernel == NULL) {
        lite_subgraph_fail(subgraph, "Backend does not support asynchronous execution.");
    }
}

// NULL after a message, if there is somebody to report to.
static TfLiteAsyncKernel* get_kernel(LiteAsync* async) {
    if (async->subgraph == NULL || lite_interpreter_check_idle(async->subgraph->interpreter) != kTfLiteOk)
        return NULL;
    lite_lock(&async->lock);
    if (async->kernel == NULL) look_up(async);
    TfLiteAsyncKernel* kernel = async->kernel;
    lite_unlock(&async->lock);
    return kernel;
}

static TfLiteStatus check_method(const LiteAsync* async, const char* name, bool present) {
    if (present) return kTfLiteOk;
    return lite_subgraph_fail(async->subgraph, "the asynchronous kernel has no function '%s'", name);
}
#define CHECK_METHOD(async, kernel, method) check_method(async, #method, (kernel)->method != NULL)

static TfLiteOpaqueContext* context_of(const LiteAsync* async) {
    return lite_subgraph_context(async->subgraph);
}

static TfLiteOpaqueNode* node_of(const LiteAsync* async) {
    return (TfLiteOpaqueNode*)&async->node->node;
}

// References.

LiteAsync* lite_async_open(LiteSubgraph* subgraph) {
    LiteAsync* async = subgraph->async;
    if (async == NULL) {
        async = lite_calloc(1, sizeof *async);
        if (async == NULL) {
            lite_subgraph_fail(subgraph, "out of memory");
            return NULL;
        }
        lite_lock_init(&async->lock);
        async->subgraph = subgraph;
        atomic_init(&async->references, 1);
        atomic_init(&async->next_handle, 0);
        subgraph->async = async;
    }
    atomic_fetch_add(&async->references, 1);
    (void)get_kernel(async);
    return async;
}

void lite_async_release(LiteAsync* async) {
    if (async == NULL || atomic_fetch_sub(&async->references, 1) > 1) return;
    lite_lock_destroy(&async->lock);
    lite_free(async);
}

LiteSubgraph* lite_async_subgraph(const LiteAsync* async) {
    return async->subgraph;
}

// Agreement.

static TfLiteStatus check_io_type(const LiteAsync* async, TfLiteIoType io_type) {
    if (io_type == kTfLiteIoTypeInput || io_type == kTfLiteIoTypeOutput) return kTfLiteOk;
    return lite_subgraph_fail(async->subgraph, "%d is neither input nor output", (int)io_type);
}

static TfLiteStatus check_tensor(const LiteAsync* async, int tensor) {
    if (lite_subgraph_tensor(async->subgraph, tensor) != NULL) return kTfLiteOk;
    return lite_subgraph_fail(async->subgraph, "there is no tensor %d", tensor);
}

TfLiteStatus lite_async_buffer_types(LiteAsync* async, TfLiteIoType io_type, const char* const** types,
                                     size_t* count) {
    const TfLiteAsyncKernel* kernel = get_kernel(async);
    if (kernel == NULL) return kTfLiteError;
    LITE_TRY(CHECK_METHOD(async, kernel, supported_buffer_types));
    LITE_TRY(check_io_type(async, io_type));
    *types = NULL;
    *count = 0;
    kernel->supported_buffer_types(kernel, io_type, types, count);
    return kTfLiteOk;
}

TfLiteStatus lite_async_sync_types(LiteAsync* async, TfLiteIoType io_type, const char* const** types,
                                   size_t* count) {
    const TfLiteAsyncKernel* kernel = get_kernel(async);
    if (kernel == NULL) return kTfLiteError;
    LITE_TRY(CHECK_METHOD(async, kernel, supported_synchronizations));
    LITE_TRY(check_io_type(async, io_type));
    *types = NULL;
    *count = 0;
    kernel->supported_synchronizations(kernel, io_type, types, count);
    return kTfLiteOk;
}

TfLiteStatus lite_async_reconcile(LiteAsync* async, int tensor, const TfLiteAttributeMap* attrs,
                                  TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict) {
    const TfLiteAsyncKernel* kernel = get_kernel(async);
    if (kernel == NULL) return kTfLiteError;
    LITE_TRY(CHECK_METHOD(async, kernel, reconcile_restrictions));
    LITE_TRY(check_tensor(async, tensor));
    const bool good = kernel->reconcile_restrictions(kernel, context_of(async), node_of(async), tensor, attrs,
                                                     merged, conflict);
    return good ? kTfLiteOk : kTfLiteError;
}

TfLiteStatus lite_async_set_attributes(LiteAsync* async, int tensor, const TfLiteAttributeMap* attrs) {
    TfLiteAsyncKernel* kernel = get_kernel(async);
    if (kernel == NULL) return kTfLiteError;
    LITE_TRY(CHECK_METHOD(async, kernel, set_attributes));
    LITE_TRY(check_tensor(async, tensor));
    return kernel->set_attributes(kernel, context_of(async), node_of(async), tensor, attrs);
}

TfLiteStatus lite_async_prepare(LiteAsync* async) {
    TfLiteAsyncKernel* kernel = get_kernel(async);
    if (kernel == NULL) return kTfLiteError;
    LITE_TRY(CHECK_METHOD(async, kernel, prepare));
    return kernel->prepare(kernel, context_of(async), node_of(async));
}

// Buffers.

static TfLiteStatus check_buffer_attributes(const LiteAsync* async, const TfLiteAttributeMap* attrs) {
    if (TfLiteAttributeMapIsBufferAttributeMap(attrs)) return kTfLiteOk;
    return lite_subgraph_fail(async->subgraph, "a buffer is registered with attributes of something else");
}

static TfLiteStatus choose_handle(LiteAsync* async, TfLiteBufferHandle* handle) {
    *handle = atomic_fetch_add(&async->next_handle, 1);
    if (*handle >= 0) return kTfLiteOk;
    return lite_subgraph_fail(async->subgraph, "there are no more buffer handles");
}

TfLiteStatus lite_async_register_buffer(LiteAsync* async, TfLiteIoType io_type,
                                        const TfLiteBackendBuffer* buffer, const TfLiteAttributeMap* attrs,
                                        TfLiteBufferHandle* handle) {
    TfLiteAsyncKernel* kernel = get_kernel(async);
    if (kernel == NULL) return kTfLiteError;
    LITE_TRY(CHECK_METHOD(async, kernel, register_buffer));
    LITE_TRY(check_io_type(async, io_type));
    LITE_TRY(check_buffer_attributes(async, attrs));
    TfLiteBufferHandle chosen;
    LITE_TRY(choose_handle(async, &chosen));
    LITE_TRY(kernel->register_buffer(kernel, context_of(async), io_type, buffer, attrs, chosen));
    *handle = chosen;
    return kTfLiteOk;
}

TfLiteStatus lite_async_register_slice(LiteAsync* async, TfLiteBufferHandle pool,
                                       const TfLiteAttributeMap* attrs, TfLiteBufferHandle* handle) {
    TfLiteAsyncKernel* kernel = get_kernel(async);
    if (kernel == NULL) return kTfLiteError;
    LITE_TRY(CHECK_METHOD(async, kernel, register_buffer_slice));
    LITE_TRY(check_buffer_attributes(async, attrs));
    TfLiteBufferHandle chosen;
    LITE_TRY(choose_handle(async, &chosen));
    LITE_TRY(kernel->register_buffer_slice(kernel, context_of(async), pool, attrs, chosen));
    *handle = chosen;
    return kTfLiteOk;
}

TfLiteStatus lite_async_unregister_buffer(LiteAsync* async, TfLiteBufferHandle handle) {
    TfLiteAsyncKernel* kernel = get_kernel(async);
    if (kernel == NULL) return kTfLiteError;
    LITE_TRY(CHECK_METHOD(async, kernel, unregister_buffer));
    return kernel->unregister_buffer(kernel, context_of(async), handle);
}

// Tasks.

static int find_tensor(const TfLiteExecutionTask* handle, TfLiteIoType io_type, const char* name) {
    const LiteTask* task = (const LiteTask*)handle;
    // Signatures may die with the interpreter.
    if (task->async->subgraph == NULL) return -1;
    if (io_type == kTfLiteIoTypeInput) return lite_signature_input(task->signature, name);
    if (io_type == kTfLiteIoTypeOutput) return lite_signature_output(task->signature, name);
    return -1;
}

TfLiteExecutionTask* lite_async_create_task(LiteAsync* async, const LiteModelSignature* signature) {
    if (async->subgraph == NULL) return NULL;
    LiteTask* task = lite_calloc(1, sizeof *task);
    if (task == NULL) {
        lite_subgraph_fail(async->subgraph, "out of memory");
        return NULL;
    }
    task->task.tensor_count = lite_subgraph_tensor_count(async->subgraph);
    task->task.find = find_tensor;
    atomic_init(&task->task.status, kTfLiteOk);
    atomic_init(&task->scheduled, false);
    task->signature = signature;
    task->kernel = get_kernel(async);
    task->async = async;
    atomic_fetch_add(&async->references, 1);
    lite_lock(&async->lock);
    task->next = async->tasks;
    async->tasks = task;
    lite_unlock(&async->lock);
    return &task->task;
}

// Fails for a task that cannot be run by the kernel that is there now.
static TfLiteStatus check_task(const LiteAsync* async, const LiteTask* task) {
    if (async->subgraph == NULL) return kTfLiteError;
    if (task->async != async) return lite_subgraph_fail(async->subgraph, "the task is one of another graph");
    if (task->kernel != NULL) return kTfLiteOk;
    return lite_subgraph_fail(async->subgraph, "the task has no delegate, or it is gone: make a new task");
}

TfLiteStatus lite_async_invoke(LiteAsync* async, TfLiteExecutionTask* handle) {
    LiteTask* task = (LiteTask*)handle;
    LITE_TRY(check_task(async, task));
    TfLiteAsyncKernel* kernel = task->kernel;
    LITE_TRY(CHECK_METHOD(async, kernel, eval));
    if (atomic_exchange(&task->scheduled, true)) {
        return lite_subgraph_fail(async->subgraph, "The task has already been scheduled for execution.");
    }
    task->cancellations = atomic_load(&async->subgraph->interpreter->cancellation.count);
    const TfLiteStatus status = kernel->eval(kernel, context_of(async), node_of(async), handle);
    TfLiteExecutionTaskSetStatus(handle, status);
    return status;
}

// For a task that is scheduled.
static TfLiteStatus wait_for(LiteTask* task) {
    const LiteAsync* async = task->async;
    TfLiteAsyncKernel* kernel = task->kernel;
    LITE_TRY(CHECK_METHOD(async, kernel, wait));
    TfLiteStatus status = kernel->wait(kernel, context_of(async), &task->task);
    const unsigned cancellations = atomic_load(&async->subgraph->interpreter->cancellation.count);
    if (status == kTfLiteOk && task->cancellations != cancellations) status = kTfLiteCancelled;
    TfLiteExecutionTaskSetStatus(&task->task, status);
    atomic_store(&task->scheduled, false);
    return status;
}

TfLiteStatus lite_async_wait(LiteAsync* async, TfLiteExecutionTask* handle) {
    LiteTask* task = (LiteTask*)handle;
    if (async->subgraph == NULL) return kTfLiteError;
    if (task->async != async) return check_task(async, task);
    // Nothing was scheduled, or another thread has waited for it: the latest status.
    if (!atomic_load(&task->scheduled)) return TfLiteExecutionTaskGetStatus(handle);
    return wait_for(task);
}

static TfLiteStatus finish_in_kernel(LiteTask* task) {
    const LiteAsync* async = task->async;
    TfLiteAsyncKernel* kernel = task->kernel;
    task->kernel = NULL;
    if (kernel == NULL) return kTfLiteError;
    LITE_TRY(CHECK_METHOD(async, kernel, finish));
    const TfLiteStatus status = kernel->finish(kernel, context_of(async), &task->task);
    if (status != kTfLiteOk) lite_subgraph_fail(async->subgraph, "Failed to finish task.");
    return status;
}

static void unlink_task(LiteAsync* async, const LiteTask* task) {
    lite_lock(&async->lock);
    LiteTask** link = &async->tasks;
    while (*link != task) link = &(*link)->next;
    *link = task->next;
    lite_unlock(&async->lock);
}

TfLiteStatus lite_async_finish(TfLiteExecutionTask* handle) {
    LiteTask* task = (LiteTask*)handle;
    unlink_task(task->async, task);
    const TfLiteStatus status = finish_in_kernel(task);
    lite_async_release(task->async);
    lite_free(task->task.entries);
    lite_free(task);
    return status;
}

// The end of a kernel.

void lite_async_drop_kernel(LiteSubgraph* subgraph) {
    LiteAsync* async = subgraph->async;
    if (async == NULL) return;
    for (LiteTask* task = async->tasks; task != NULL; task = task->next) {
        if (task->kernel == NULL) continue;
        if (atomic_load(&task->scheduled)) (void)wait_for(task);
        atomic_store(&task->scheduled, false);
        (void)finish_in_kernel(task);
    }
    async->kernel = NULL;
    async->node = NULL;
}

void lite_async_detach(LiteSubgraph* subgraph) {
    if (subgraph->async == NULL) return;
    lite_async_drop_kernel(subgraph);
    subgraph->async->subgraph = NULL;
    lite_async_release(subgraph->async);
    subgraph->async = NULL;
}
