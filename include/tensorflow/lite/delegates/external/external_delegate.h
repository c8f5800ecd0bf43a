#ifndef TENSORFLOW_LITE_DELEGATES_EXTERNAL_EXTERNAL_DELEGATE_H_
#define TENSORFLOW_LITE_DELEGATES_EXTERNAL_EXTERNAL_DELEGATE_H_

#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteExternalDelegateOptions {
    const char *lib_path;
    int count;
    const char *keys[256];
    const char *values[256];
    TfLiteStatus (*insert)(struct TfLiteExternalDelegateOptions *options, const char *key, const char *value);
} TfLiteExternalDelegateOptions;

TFL_CAPI_EXPORT extern TfLiteStatus TfLiteExternalDelegateOptionsInsert(TfLiteExternalDelegateOptions *options, const char *key, const char *value);

TFL_CAPI_EXPORT extern TfLiteExternalDelegateOptions TfLiteExternalDelegateOptionsDefault(const char *lib_path);

TFL_CAPI_EXPORT extern TfLiteDelegate * TfLiteExternalDelegateCreate(const TfLiteExternalDelegateOptions *options);

TFL_CAPI_EXPORT extern void TfLiteExternalDelegateDelete(TfLiteDelegate *delegate);

#ifdef __cplusplus
}
#endif

#endif
