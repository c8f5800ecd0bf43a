// SPDX-License-Identifier: Apache-2.0
// The GPU delegate under the name that programs for TensorFlow Lite use; it is the OpenCL delegate of
// oclite/opencl.h, and lives in the library liboclite_opencl.
#ifndef TENSORFLOW_LITE_DELEGATES_GPU_DELEGATE_H_
#define TENSORFLOW_LITE_DELEGATES_GPU_DELEGATE_H_

#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/delegates/gpu/delegate_options.h"

#ifdef __cplusplus
extern "C" {
#endif

// A delegate with these options, NULL for the defaults. Deleted by the caller after the interpreters that use
// it. NULL when it cannot be made.
TFL_CAPI_EXPORT extern TfLiteDelegate* TfLiteGpuDelegateV2Create(const TfLiteGpuDelegateOptionsV2* options);

// Accepts NULL.
TFL_CAPI_EXPORT extern void TfLiteGpuDelegateV2Delete(TfLiteDelegate* delegate);

// The same delegate, which supports asynchronous execution (tensorflow/lite/async, oclite/opencl.h) in any
// case.
TFL_CAPI_EXPORT extern TfLiteDelegate*
TfLiteGpuDelegateV2CreateAsync(const TfLiteGpuDelegateOptionsV2* options);

#ifdef __cplusplus
}
#endif

#endif
