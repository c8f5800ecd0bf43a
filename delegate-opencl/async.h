// SPDX-License-Identifier: Apache-2.0
// Asynchronous execution of a partition on the program's own buffers (see oclite/opencl.h).
//
// Executions are enqueued in the plan's queue and in order, so they can share intermediate tensors. Memory of
// the host is copied from and to the device by the queue; a program's cl_mem is what the kernels work on.
#ifndef DELEGATE_OPENCL_ASYNC_H_
#define DELEGATE_OPENCL_ASYNC_H_

#include <pthread.h>

#include "delegate-opencl/buffer.h"
#include "delegate-opencl/partition.h"
#include "tensorflow/lite/async/c/async_kernel.h"
#include "tensorflow/lite/async/c/task.h"

// What was agreed on for an input or output of the partition.
typedef struct LiteClAsyncTensor {
    LiteClTensor* tensor;
    bool is_output;
    bool has_event;
    LiteClMemoryType type; // kLiteClMemoryTypes: any
    size_t agreed_bytes;
    cl_mem staging; // where host memory is copied to or from
    size_t staging_bytes;
} LiteClAsyncTensor;

// An execution. It belongs to its task, until that is enqueued again or finished, and to those who wait for
// it.
typedef struct LiteClJob {
    struct LiteClJob* next;
    int references;
    cl_event done;    // NULL: there is nothing to wait for
    cl_event* events; // of all commands; PoCL 3.1 crashes when one fails to which nobody has a reference
    cl_uint event_count;
    TfLiteStatus status;     // of enqueuing
    bool waited;             // for it; its buffers may be gone
    LiteClBuffer* buffers[]; // of the tensors; NULL for empty tensors
} LiteClJob;

typedef struct LiteClAsync {
    LiteClPartition* partition;
    TfLiteAsyncKernel* kernel;
    int tensor_count;
    LiteClAsyncTensor* tensors; // inputs, then outputs
    pthread_mutex_t mutex;      // guards what follows, tasks' jobs, and the plan while a job is enqueued
    LiteClBuffer* buffers;
    LiteClJob* jobs;
    bool prepared;
    int build; // of the plan, for which it is prepared
} LiteClAsync;

// For a partition that outlives it. NULL after a report. Destroy accepts NULL.
LiteClAsync* lite_cl_async_create(LiteClPartition* partition, const LiteReporter* reporter);
void lite_cl_async_destroy(LiteClAsync* async);
TfLiteAsyncKernel* lite_cl_async_kernel(const LiteClAsync* async);

static inline LiteClAsync* lite_cl_async_of(const TfLiteAsyncKernel* kernel) {
    return TfLiteAsyncKernelGetKernelData(kernel);
}

// The functions of the kernel, by file.

// async_attributes.c
// The type of this name, and how addresses or offsets of its buffers are aligned.
LiteClMemoryType lite_cl_memory_type(const char* name); // kLiteClMemoryTypes when there is none
size_t lite_cl_memory_alignment(const LiteClAsync* async, LiteClMemoryType type);
void lite_cl_async_buffer_types(const TfLiteAsyncKernel* kernel, TfLiteIoType io_type,
                                const char* const** types, size_t* n_types);
void lite_cl_async_synchronizations(const TfLiteAsyncKernel* kernel, TfLiteIoType io_type,
                                    const char* const** types, size_t* n_types);
bool lite_cl_async_reconcile(const TfLiteAsyncKernel* kernel, const TfLiteOpaqueContext* context,
                             const TfLiteOpaqueNode* node, int tensor_index, const TfLiteAttributeMap* attrs,
                             TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict);
TfLiteStatus lite_cl_async_set_attributes(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                          TfLiteOpaqueNode* node, int tensor_index,
                                          const TfLiteAttributeMap* attrs);

// async_buffer.c
LiteClBuffer* lite_cl_buffer_find(LiteClAsync* async, TfLiteBufferHandle handle); // NULL: unknown
TfLiteStatus lite_cl_async_register_buffer(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                           TfLiteIoType io_type, const TfLiteBackendBuffer* buffer,
                                           const TfLiteAttributeMap* attrs, TfLiteBufferHandle handle);
TfLiteStatus lite_cl_async_register_slice(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                          TfLiteBufferHandle pool, const TfLiteAttributeMap* attrs,
                                          TfLiteBufferHandle handle);
TfLiteStatus lite_cl_async_unregister_buffer(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                             TfLiteBufferHandle handle);

// async_task.c
void lite_cl_jobs_free(LiteClAsync* async);
TfLiteStatus lite_cl_async_eval(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                TfLiteOpaqueNode* node, TfLiteExecutionTask* task);
TfLiteStatus lite_cl_async_wait(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                TfLiteExecutionTask* task);
TfLiteStatus lite_cl_async_finish(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                  TfLiteExecutionTask* task);

#endif
