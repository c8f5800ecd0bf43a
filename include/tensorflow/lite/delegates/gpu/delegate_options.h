#ifndef TENSORFLOW_LITE_DELEGATES_GPU_DELEGATE_OPTIONS_H_
#define TENSORFLOW_LITE_DELEGATES_GPU_DELEGATE_OPTIONS_H_

#include <stdint.h>
#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TfLiteGpuInferenceUsage {
    TFLITE_GPU_INFERENCE_PREFERENCE_FAST_SINGLE_ANSWER = 0,
    TFLITE_GPU_INFERENCE_PREFERENCE_SUSTAINED_SPEED = 1,
    TFLITE_GPU_INFERENCE_PREFERENCE_BALANCED = 2,
} TfLiteGpuInferenceUsage;

typedef enum TfLiteGpuInferencePriority {
    TFLITE_GPU_INFERENCE_PRIORITY_AUTO = 0,
    TFLITE_GPU_INFERENCE_PRIORITY_MAX_PRECISION = 1,
    TFLITE_GPU_INFERENCE_PRIORITY_MIN_LATENCY = 2,
    TFLITE_GPU_INFERENCE_PRIORITY_MIN_MEMORY_USAGE = 3,
} TfLiteGpuInferencePriority;

typedef enum TfLiteGpuExperimentalFlags {
    TFLITE_GPU_EXPERIMENTAL_FLAGS_NONE = 0,
    TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_QUANT = 1,
    TFLITE_GPU_EXPERIMENTAL_FLAGS_CL_ONLY = 2,
    TFLITE_GPU_EXPERIMENTAL_FLAGS_GL_ONLY = 4,
    TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_SERIALIZATION = 8,
} TfLiteGpuExperimentalFlags;

typedef struct TfLiteGpuDelegateOptionsV2 {
    int32_t is_precision_loss_allowed;
    int32_t inference_preference;
    int32_t inference_priority1;
    int32_t inference_priority2;
    int32_t inference_priority3;
    int64_t experimental_flags;
    int32_t max_delegated_partitions;
    const char *serialization_dir;
    const char *model_token;
} TfLiteGpuDelegateOptionsV2;

TFL_CAPI_EXPORT extern TfLiteGpuDelegateOptionsV2 TfLiteGpuDelegateOptionsV2Default(void);

#ifdef __cplusplus
}
#endif

#endif
