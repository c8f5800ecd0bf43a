// SPDX-License-Identifier: Apache-2.0
// Names that all delegates with asynchronous execution know.
#ifndef TENSORFLOW_LITE_ASYNC_INTEROP_C_CONSTANTS_H_
#define TENSORFLOW_LITE_ASYNC_INTEROP_C_CONSTANTS_H_

#ifdef __cplusplus
extern "C" {
#endif

// The type that means "no synchronization object", which is the default. An input's buffer must be ready when
// TfLiteAsyncSignatureRunnerInvokeAsync is called; an output's buffer is ready when
// TfLiteAsyncSignatureRunnerWait has returned. Synchronization objects that a task has for such a tensor are
// ignored.
static const char kTfLiteSyncTypeNoSyncObj[] = "no_sync_obj";

#ifdef __cplusplus
}
#endif

#endif
