#ifndef TENSORFLOW_LITE_DELEGATES_EXTERNAL_EXTERNAL_DELEGATE_INTERFACE_H_
#define TENSORFLOW_LITE_DELEGATES_EXTERNAL_EXTERNAL_DELEGATE_INTERFACE_H_

#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

TFL_CAPI_EXPORT extern TfLiteDelegate * tflite_plugin_create_delegate(const char * const *options_keys, const char * const *options_values, size_t num_options, void (*report_error)(const char *));

TFL_CAPI_EXPORT extern void tflite_plugin_destroy_delegate(TfLiteDelegate *delegate);

#ifdef __cplusplus
}
#endif

#endif
