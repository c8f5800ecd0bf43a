// SPDX-License-Identifier: Apache-2.0
// TfLiteExecutionTask*: buffers and synchronization objects of one execution.
#include "tensorflow/lite/async/c/task.h"

#include "core/base/async.h"
#include "core/base/memory.h"

static int find_tensor(const TfLiteExecutionTask* task, TfLiteIoType io_type, const char* name) {
    return task && name ? task->find(task, io_type, name) : -1;
}

static LiteTaskEntry* find_entry(const TfLiteExecutionTask* task, int tensor) {
    if (task == NULL) return NULL;
    for (int i = 0; i < task->entry_count; i++) {
        if (task->entries[i].tensor == tensor) return &task->entries[i];
    }
    return NULL;
}

// The entry of a tensor, made if need be. NULL when the graph has no such tensor, or when out of memory.
static LiteTaskEntry* make_entry(TfLiteExecutionTask* task, int tensor) {
    if (task == NULL || tensor < 0 || tensor >= task->tensor_count) return NULL;
    LiteTaskEntry* entry = find_entry(task, tensor);
    if (entry != NULL) return entry;
    LiteTaskEntry* entries = lite_realloc(task->entries, ((size_t)task->entry_count + 1) * sizeof *entries);
    if (entries == NULL) return NULL;
    task->entries = entries;
    entry = &entries[task->entry_count++];
    *entry = (LiteTaskEntry){tensor, kTfLiteNullBufferHandle, NULL};
    return entry;
}

TfLiteStatus TfLiteExecutionTaskSetBufferByIndex(TfLiteExecutionTask* task, int tensor_index,
                                                 TfLiteBufferHandle handle) {
    LiteTaskEntry* entry = make_entry(task, tensor_index);
    if (entry == NULL) return kTfLiteError;
    entry->buffer = handle;
    return kTfLiteOk;
}

TfLiteStatus TfLiteExecutionTaskSetBuffer(TfLiteExecutionTask* task, TfLiteIoType io_type,
                                          const char* tensor_signature_name, TfLiteBufferHandle handle) {
    const int tensor = find_tensor(task, io_type, tensor_signature_name);
    return TfLiteExecutionTaskSetBufferByIndex(task, tensor, handle);
}

TfLiteBufferHandle TfLiteExecutionTaskGetBufferByIndex(const TfLiteExecutionTask* task, int tensor_index) {
    const LiteTaskEntry* entry = find_entry(task, tensor_index);
    return entry ? entry->buffer : kTfLiteNullBufferHandle;
}

TfLiteBufferHandle TfLiteExecutionTaskGetBufferByName(const TfLiteExecutionTask* task, TfLiteIoType io_type,
                                                      const char* tensor_signature_name) {
    return TfLiteExecutionTaskGetBufferByIndex(task, find_tensor(task, io_type, tensor_signature_name));
}

TfLiteStatus TfLiteExecutionTaskSetSyncByIndex(TfLiteExecutionTask* task, int tensor_index,
                                               TfLiteSynchronization* sync) {
    LiteTaskEntry* entry = make_entry(task, tensor_index);
    if (entry == NULL) return kTfLiteError;
    entry->sync = sync;
    return kTfLiteOk;
}

TfLiteStatus TfLiteExecutionTaskSetSync(TfLiteExecutionTask* task, TfLiteIoType io_type,
                                        const char* tensor_signature_name, TfLiteSynchronization* sync) {
    const int tensor = find_tensor(task, io_type, tensor_signature_name);
    return TfLiteExecutionTaskSetSyncByIndex(task, tensor, sync);
}

TfLiteSynchronization* TfLiteExecutionTaskGetSyncByIndex(const TfLiteExecutionTask* task, int tensor_index) {
    const LiteTaskEntry* entry = find_entry(task, tensor_index);
    return entry ? entry->sync : NULL;
}

TfLiteSynchronization* TfLiteExecutionTaskGetSyncByName(const TfLiteExecutionTask* task, TfLiteIoType io_type,
                                                        const char* tensor_signature_name) {
    return TfLiteExecutionTaskGetSyncByIndex(task, find_tensor(task, io_type, tensor_signature_name));
}

// One delegate runs the whole graph, so there is one kernel that can have data.

void* TfLiteExecutionTaskGetDelegateExecutionData(const TfLiteExecutionTask* task,
                                                  TfLiteAsyncKernel* kernel) {
    (void)kernel;
    return task ? task->delegate_data : NULL;
}

void TfLiteExecutionTaskSetDelegateExecutionData(TfLiteExecutionTask* task, TfLiteAsyncKernel* kernel,
                                                 void* data) {
    (void)kernel;
    if (task) task->delegate_data = data;
}

TfLiteStatus TfLiteExecutionTaskGetStatus(const TfLiteExecutionTask* task) {
    return task ? (TfLiteStatus)atomic_load(&task->status) : kTfLiteError;
}

void TfLiteExecutionTaskSetStatus(TfLiteExecutionTask* task, TfLiteStatus status) {
    if (task) atomic_store(&task->status, (int)status);
}
