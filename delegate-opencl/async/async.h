// SPDX-License-Identifier: Apache-2.0
// Asynchronous execution of a partition on the program's own buffers (see oclite/opencl.h).
#ifndef DELEGATE_OPENCL_ASYNC_ASYNC_H_
#define DELEGATE_OPENCL_ASYNC_ASYNC_H_

#include "delegate-opencl/async/state.h"

// The partition has to outlive it. NULL after a report. Destroy accepts NULL.
LiteClAsync* lite_cl_async_create(LiteClPartition* partition, const LiteReporter* reporter);
void lite_cl_async_destroy(LiteClAsync* async);
TfLiteAsyncKernel* lite_cl_async_kernel(const LiteClAsync* async);

#endif
