// SPDX-License-Identifier: Apache-2.0
// Loads delegates from shared libraries that implement external_delegate_interface.h.
#ifndef TENSORFLOW_LITE_DELEGATES_EXTERNAL_EXTERNAL_DELEGATE_H_
#define TENSORFLOW_LITE_DELEGATES_EXTERNAL_EXTERNAL_DELEGATE_H_

#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// The library, and options for its delegate as pairs of strings. The strings are not copied: they must remain
// valid until the delegate has been created.
typedef struct TfLiteExternalDelegateOptions {
    const char* lib_path; // the argument of dlopen
    int count;
    const char* keys[256];
    const char* values[256];
    // TfLiteExternalDelegateOptionsInsert
    TfLiteStatus (*insert)(struct TfLiteExternalDelegateOptions* options, const char* key, const char* value);
} TfLiteExternalDelegateOptions;

// Adds a pair. Returns kTfLiteError when there are 256 pairs already.
TFL_CAPI_EXPORT extern TfLiteStatus
TfLiteExternalDelegateOptionsInsert(TfLiteExternalDelegateOptions* options, const char* key,
                                    const char* value);

// Returns options without pairs.
TFL_CAPI_EXPORT extern TfLiteExternalDelegateOptions
TfLiteExternalDelegateOptionsDefault(const char* lib_path);

// Loads the library and creates its delegate. Returns NULL when either fails. The caller deletes the delegate
// after the interpreters that use it. The library remains loaded.
TFL_CAPI_EXPORT extern TfLiteDelegate*
TfLiteExternalDelegateCreate(const TfLiteExternalDelegateOptions* options);

// Accepts NULL.
TFL_CAPI_EXPORT extern void TfLiteExternalDelegateDelete(TfLiteDelegate* delegate);

#ifdef __cplusplus
}
#endif

#endif
