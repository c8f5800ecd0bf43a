// SPDX-License-Identifier: Apache-2.0
// Options of the GPU delegate.
#ifndef TENSORFLOW_LITE_DELEGATES_GPU_DELEGATE_OPTIONS_H_
#define TENSORFLOW_LITE_DELEGATES_GPU_DELEGATE_OPTIONS_H_

#include <stdint.h>

#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// How the program calls the interpreter. It makes no difference here: there is one way to prepare and run.
typedef enum TfLiteGpuInferenceUsage {
    TFLITE_GPU_INFERENCE_PREFERENCE_FAST_SINGLE_ANSWER = 0, // few inferences: the first one should end soon
    TFLITE_GPU_INFERENCE_PREFERENCE_SUSTAINED_SPEED = 1,    // many inferences: the start may take longer
    TFLITE_GPU_INFERENCE_PREFERENCE_BALANCED = 2,
} TfLiteGpuInferenceUsage;

// What the delegate optimizes, in the order of inference_priority1 to 3. Each but AUTO stands there at most
// once, and AUTO only behind those that are named; any other order is an error. With MAX_PRECISION first the
// delegate computes in float32, otherwise it stores intermediate tensors and weights in float16 and computes
// with them in float32. Latency and memory make no further difference.
typedef enum TfLiteGpuInferencePriority {
    TFLITE_GPU_INFERENCE_PRIORITY_AUTO = 0,
    TFLITE_GPU_INFERENCE_PRIORITY_MAX_PRECISION = 1,
    TFLITE_GPU_INFERENCE_PRIORITY_MIN_LATENCY = 2,
    TFLITE_GPU_INFERENCE_PRIORITY_MIN_MEMORY_USAGE = 3,
} TfLiteGpuInferencePriority;

// Bits of experimental_flags.
typedef enum TfLiteGpuExperimentalFlags {
    TFLITE_GPU_EXPERIMENTAL_FLAGS_NONE = 0,
    TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_QUANT = 1, // take quantized operators (always so here: same bits)
    TFLITE_GPU_EXPERIMENTAL_FLAGS_CL_ONLY = 2,      // OpenCL (always so here)
    TFLITE_GPU_EXPERIMENTAL_FLAGS_GL_ONLY = 4,      // OpenGL: an error without CL_ONLY, there is none here
    TFLITE_GPU_EXPERIMENTAL_FLAGS_ENABLE_SERIALIZATION = 8, // keep compiled programs in serialization_dir
} TfLiteGpuExperimentalFlags;

typedef struct TfLiteGpuDelegateOptionsV2 {
    int32_t is_precision_loss_allowed; // -1: the priorities say so; 0: no; others: yes, whatever they say
    int32_t inference_preference;      // TfLiteGpuInferenceUsage
    int32_t inference_priority1;       // TfLiteGpuInferencePriority
    int32_t inference_priority2;
    int32_t inference_priority3;
    int64_t experimental_flags;
    int32_t max_delegated_partitions; // the most partitions that the delegate takes; 0 or less: all
    // A folder for compiled programs (OcliteOpenclDelegateOptions.cache_dir, oclite/opencl.h), and a name for
    // the model. Both, and the flag ENABLE_SERIALIZATION, are needed; files are found by their contents.
    const char* serialization_dir;
    const char* model_token;
} TfLiteGpuDelegateOptionsV2;

// Returns the defaults: -1, FAST_SINGLE_ANSWER, the priorities MAX_PRECISION, AUTO and AUTO, ENABLE_QUANT,
// one partition, no folder. Programs start from these, because the struct may grow.
TFL_CAPI_EXPORT extern TfLiteGpuDelegateOptionsV2 TfLiteGpuDelegateOptionsV2Default(void);

#ifdef __cplusplus
}
#endif

#endif
