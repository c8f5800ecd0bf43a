#ifndef TENSORFLOW_LITE_DELEGATES_GPU_DELEGATE_H_
#define TENSORFLOW_LITE_DELEGATES_GPU_DELEGATE_H_

#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/delegates/gpu/delegate_options.h"

#ifdef __cplusplus
extern "C" {
#endif

TFL_CAPI_EXPORT extern TfLiteDelegate * TfLiteGpuDelegateV2Create(const TfLiteGpuDelegateOptionsV2 *options);

TFL_CAPI_EXPORT extern void TfLiteGpuDelegateV2Delete(TfLiteDelegate *delegate);

TFL_CAPI_EXPORT extern TfLiteDelegate * TfLiteGpuDelegateV2CreateAsync(const TfLiteGpuDelegateOptionsV2 *options);

#ifdef __cplusplus
}
#endif

#endif
