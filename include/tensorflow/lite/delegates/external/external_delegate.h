// SPDX-License-Identifier: Apache-2.0
// Delegates out of shared libraries that implement external_delegate_interface.h.
#ifndef TENSORFLOW_LITE_DELEGATES_EXTERNAL_EXTERNAL_DELEGATE_H_
#define TENSORFLOW_LITE_DELEGATES_EXTERNAL_EXTERNAL_DELEGATE_H_

#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// Which library, and options for its delegate as pairs of strings. None of the strings is copied: they must
// stay until the delegate has been created.
typedef struct TfLiteExternalDelegateOptions {
    const char* lib_path; // as dlopen takes it
    int count;
    const char* keys[256];
    const char* values[256];
    // TfLiteExternalDelegateOptionsInsert
    TfLiteStatus (*insert)(struct TfLiteExternalDelegateOptions* options, const char* key, const char* value);
} TfLiteExternalDelegateOptions;

// Adds a pair; kTfLiteError when there are 256 already.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteExternalDelegateOptionsInsert(TfLiteExternalDelegateOptions* options, const char* key,
                                    const char* value);

// No pairs yet.
TFL_CAPI_EXPORT extern TfLiteExternalDelegateOptions
TfLiteExternalDelegateOptionsDefault(const char* lib_path);

// Loads the library and creates its delegate. NULL when either fails. Deleted by the caller after the
// interpreters that use it; the library stays loaded.
TFL_CAPI_EXPORT extern TfLiteDelegate*
TfLiteExternalDelegateCreate(const TfLiteExternalDelegateOptions* options);

// Accepts NULL.
TFL_CAPI_EXPORT extern void TfLiteExternalDelegateDelete(TfLiteDelegate* delegate);

#ifdef __cplusplus
}
#endif

#endif
