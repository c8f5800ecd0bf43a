// SPDX-License-Identifier: Apache-2.0
// Types that the headers of asynchronous execution share. This is how they work together:
//
// A program gets a runner for a signature whose graph one delegate has taken completely
// (async_signature_runner.h). It agrees with the delegate on the buffers and synchronization objects of every
// input and output (interop/c/attribute_map.h) and registers its own buffers. Then it may have any number of
// tasks (task.h) in flight; each task names the buffers of one execution. A delegate supports this when its
// operator has an async kernel (async_kernel.h), whose functions do the work.
#ifndef TENSORFLOW_LITE_ASYNC_C_TYPES_H_
#define TENSORFLOW_LITE_ASYNC_C_TYPES_H_

#include "tensorflow/lite/c/common.h" // TfLiteAsyncKernel, TfLiteBufferHandle

#ifdef __cplusplus
extern "C" {
#endif

// A task: one execution, which can be scheduled repeatedly. It is used by one thread at a time, except where
// task.h says otherwise.
typedef struct TfLiteExecutionTask TfLiteExecutionTask;

// Whether a tensor or buffer is an input or an output of the signature.
typedef enum TfLiteIoType {
    kTfLiteIoTypeUnknown = 0,
    kTfLiteIoTypeInput = 1,
    kTfLiteIoTypeOutput = 2,
} TfLiteIoType;

#ifdef __cplusplus
}
#endif

#endif
