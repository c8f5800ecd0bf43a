// SPDX-License-Identifier: Apache-2.0
// The two functions that a shared library exports to offer a delegate (external_delegate.h, and
// load_delegate() in Python).
#ifndef TENSORFLOW_LITE_DELEGATES_EXTERNAL_EXTERNAL_DELEGATE_INTERFACE_H_
#define TENSORFLOW_LITE_DELEGATES_EXTERNAL_EXTERNAL_DELEGATE_INTERFACE_H_

#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// Creates a delegate with `num_options` pairs of strings, which are valid during the call. Returns NULL on
// failure and passes the reason to report_error, which may be NULL.
TFL_CAPI_EXPORT extern TfLiteDelegate* tflite_plugin_create_delegate(const char* const* options_keys,
                                                                     const char* const* options_values,
                                                                     size_t num_options,
                                                                     void (*report_error)(const char*));

// Deletes the delegate. It is called after all interpreters that use the delegate are deleted.
TFL_CAPI_EXPORT extern void tflite_plugin_destroy_delegate(TfLiteDelegate* delegate);

#ifdef __cplusplus
}
#endif

#endif
