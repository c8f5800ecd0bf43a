// SPDX-License-Identifier: Apache-2.0
// Executions: enqueuing them, waiting for them, ending them.
#ifndef DELEGATE_OPENCL_ASYNC_TASKS_H_
#define DELEGATE_OPENCL_ASYNC_TASKS_H_

#include "delegate-opencl/async/state.h"
#include "tensorflow/lite/async/c/task.h"

// Frees all jobs. Only when nobody waits for one.
void lite_cl_async_free_jobs(LiteClAsync* async);

// Functions of the kernel.

TfLiteStatus lite_cl_async_eval(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                TfLiteOpaqueNode* node, TfLiteExecutionTask* task);
TfLiteStatus lite_cl_async_wait(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                TfLiteExecutionTask* task);
TfLiteStatus lite_cl_async_finish(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                  TfLiteExecutionTask* task);

#endif
