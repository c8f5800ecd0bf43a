// SPDX-License-Identifier: Apache-2.0
// The state of asynchronous execution of a partition.
//
// Executions are enqueued in the plan's queue, in order, so they can share intermediate tensors. The queue
// copies host memory to and from the device; on a program's cl_mem the kernels work directly.
#ifndef DELEGATE_OPENCL_ASYNC_STATE_H_
#define DELEGATE_OPENCL_ASYNC_STATE_H_

#include "core/base/lock.h"
#include "delegate-opencl/device/buffer.h"
#include "delegate-opencl/partition/partition.h"
#include "tensorflow/lite/async/c/async_kernel.h"

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

// An execution. It belongs to its task, until the task is enqueued again or finished, and to those who wait
// for it.
typedef struct LiteClJob {
    struct LiteClJob* next;
    int references;
    cl_event done;    // NULL: there is nothing to wait for
    cl_event* events; // of all commands; PoCL 3.1 crashes when a command fails to whose event nobody has a
                      // reference
    cl_uint event_count;
    TfLiteStatus status;     // of enqueuing
    bool waited;             // somebody has waited for it; its buffers may be gone
    LiteClBuffer* buffers[]; // of the tensors; NULL for empty tensors
} LiteClJob;

typedef struct LiteClAsync {
    LiteClPartition* partition;
    TfLiteAsyncKernel* kernel;
    int tensor_count;
    LiteClAsyncTensor* tensors; // inputs, then outputs
    LiteLock mutex;             // guards what follows, tasks' jobs, and the plan while a job is enqueued
    LiteClBuffer* buffers;
    LiteClJob* jobs;
    bool prepared;
    int build; // the build of the plan that it is prepared for
} LiteClAsync;

static inline LiteClAsync* lite_cl_async_of(const TfLiteAsyncKernel* kernel) {
    return TfLiteAsyncKernelGetKernelData(kernel);
}

#endif
