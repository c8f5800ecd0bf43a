// SPDX-License-Identifier: Apache-2.0
// The GPU delegate under its name in TensorFlow Lite. It is the OpenCL delegate of oclite/opencl.h, in the
// library liboclite_opencl.
#ifndef TENSORFLOW_LITE_DELEGATES_GPU_DELEGATE_H_
#define TENSORFLOW_LITE_DELEGATES_GPU_DELEGATE_H_

#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/delegates/gpu/delegate_options.h"

#ifdef __cplusplus
extern "C" {
#endif

// Creates a delegate with these options; NULL means the defaults. Returns NULL on failure:
// oclite_opencl_last_error (oclite/opencl.h) says why. The caller deletes the delegate after the interpreters
// that use it.
TFL_CAPI_EXPORT extern TfLiteDelegate* TfLiteGpuDelegateV2Create(const TfLiteGpuDelegateOptionsV2* options);

// Accepts NULL.
TFL_CAPI_EXPORT extern void TfLiteGpuDelegateV2Delete(TfLiteDelegate* delegate);

// Creates the same delegate: it supports asynchronous execution (tensorflow/lite/async, oclite/opencl.h) in
// any case.
TFL_CAPI_EXPORT extern TfLiteDelegate*
TfLiteGpuDelegateV2CreateAsync(const TfLiteGpuDelegateOptionsV2* options);

#ifdef __cplusplus
}
#endif

#endif
