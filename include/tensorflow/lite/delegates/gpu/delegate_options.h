// SPDX-License-Identifier: Apache-2.0
// Options of the GPU delegate.
#ifndef TENSORFLOW_LITE_DELEGATES_GPU_DELEGATE_OPTIONS_H_
#define TENSORFLOW_LITE_DELEGATES_GPU_DELEGATE_OPTIONS_H_

#include <stdint.h>

#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// How the program calls the interpreter.
typedef enum TfLiteGpuInferenceUsage {
    TFLITE_GPU_INFERENCE_PREFERENCE_FAST_SINGLE_ANSWER = 0, // few inferences: the first one should end soon
    TFLITE_GPU_INFERENCE_PREFERENCE_SUSTAINED_SPEED = 1,    // many inferences: the start may take longer
    TFLITE_GPU_INFERENCE_PREFERENCE_BALANCED = 2,
} TfLiteGpuInferenceUsage;

// What the delegate optimizes, in the order of inference_priority1 to 3.
typedef enum TfLiteGpuInferencePriority {
    TFLITE_GPU_INFERENCE_PRIORITY_AUTO = 0,
    TFLITE_GPU_INFERENCE_PRIORITY_MAX_PRECISION = 1,
    TFLITE_GPU_INFERENCE_PRIORITY_MIN_LATENCY = 2,
    TFLITE_GPU_INFERENCE_PRIORITY_MIN_MEMORY_USAGE = 3,
} TfLiteGpuInferencePriority;

// Bits of experimental_flags.
typedef enum TfLiteGpuExperimentalFlags {
    TFLITE_GPU_EXPERIMENTAL_FLAGS_NONE = 0,
    TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_QUANT = 1,         // also take quantized operators
    TFLITE_GPU_EXPERIMENTAL_FLAGS_CL_ONLY = 2,              // OpenCL (always so here)
    TFLITE_GPU_EXPERIMENTAL_FLAGS_GL_ONLY = 4,              // OpenGL (there is none here)
    TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_SERIALIZATION = 8, // keep compiled programs in serialization_dir
} TfLiteGpuExperimentalFlags;

typedef struct TfLiteGpuDelegateOptionsV2 {
    int32_t is_precision_loss_allowed; // not 0: float16 may be used
    int32_t inference_preference;      // TfLiteGpuInferenceUsage
    int32_t inference_priority1;       // TfLiteGpuInferencePriority
    int32_t inference_priority2;
    int32_t inference_priority3;
    int64_t experimental_flags;
    int32_t max_delegated_partitions; // the most partitions of a graph that the delegate takes
    const char* serialization_dir;    // NULL: none
    const char* model_token;          // the name of the model in that folder
} TfLiteGpuDelegateOptionsV2;

// Returns the defaults. Programs start from these, because the struct may grow.
TFL_CAPI_EXPORT extern TfLiteGpuDelegateOptionsV2 TfLiteGpuDelegateOptionsV2Default(void);

#ifdef __cplusplus
}
#endif

#endif
