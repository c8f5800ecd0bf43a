// SPDX-License-Identifier: Apache-2.0
// What a telemetry profiler (profiler.h) receives about a model, an interpreter and its delegates.
//
// The objects belong to the interpreter or delegate that reports them. For NULL the functions return 0 or
// NULL.
#ifndef TENSORFLOW_LITE_PROFILING_TELEMETRY_C_TELEMETRY_SETTING_H_
#define TENSORFLOW_LITE_PROFILING_TELEMETRY_C_TELEMETRY_SETTING_H_

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// `source` says who reports, which determines the type of `data`. 1, the interpreter:
// TfLiteTelemetryInterpreterSettings. 3, the GPU delegate: TfLiteTelemetryGpuDelegateSettings. Other
// delegates document theirs. The numbers are those of tflite::telemetry::TelemetrySource in
// telemetry_status.h.
typedef struct TfLiteTelemetrySettings {
    uint32_t source;
    const void* data;
} TfLiteTelemetrySettings;

typedef struct TfLiteTelemetryConversionMetadata TfLiteTelemetryConversionMetadata;
typedef struct TfLiteTelemetryInterpreterSettings TfLiteTelemetryInterpreterSettings;
typedef struct TfLiteTelemetrySubgraphInfo TfLiteTelemetrySubgraphInfo;
typedef struct TfLiteTelemetryGpuDelegateSettings TfLiteTelemetryGpuDelegateSettings;

// ---- Models ----

// Returns what the converter has stored about itself; NULL when the model does not contain it.
TFL_CAPI_EXPORT extern const TfLiteTelemetryConversionMetadata*
TfLiteTelemetryInterpreterSettingsGetConversionMetadata(const TfLiteTelemetryInterpreterSettings* settings);

// Return how the model was optimized when it was converted: values of ModelOptimizationMode of the
// converter's schema (1001 float16, 1002 dynamic range, 1003 full integer, 1004 16-bit activations, 2000
// quantization-aware training, 3001 random, 3002 block and 3003 structured sparsity).
TFL_CAPI_EXPORT extern const int32_t*
TfLiteTelemetryConversionMetadataGetModelOptimizationModes(const TfLiteTelemetryConversionMetadata* metadata);
TFL_CAPI_EXPORT extern size_t TfLiteTelemetryConversionMetadataGetNumModelOptimizationModes(
    const TfLiteTelemetryConversionMetadata* metadata);

// Return the number of the model's subgraphs, and the first of them, which a plain inference runs. (The
// others follow it in memory, but a program does not know the size of one.)
TFL_CAPI_EXPORT extern size_t
TfLiteTelemetryInterpreterSettingsGetNumSubgraphInfo(const TfLiteTelemetryInterpreterSettings* settings);
TFL_CAPI_EXPORT extern const TfLiteTelemetrySubgraphInfo*
TfLiteTelemetryInterpreterSettingsGetSubgraphInfo(const TfLiteTelemetryInterpreterSettings* settings);

// Return the quantizations of a subgraph's tensors, in the order of their indices, and their number.
TFL_CAPI_EXPORT extern size_t
TfLiteTelemetrySubgraphInfoGetNumQuantizations(TfLiteTelemetrySubgraphInfo* subgraph_info);
TFL_CAPI_EXPORT extern const TfLiteQuantization*
TfLiteTelemetrySubgraphInfoGetQuantizations(TfLiteTelemetrySubgraphInfo* subgraph_info);

// ---- Delegates ----

// Returns the number of nodes that the GPU delegate has taken.
TFL_CAPI_EXPORT extern size_t
TfLiteTelemetryGpuDelegateSettingsGetNumNodesDelegated(const TfLiteTelemetryGpuDelegateSettings* settings);

// Returns 1 for OpenCL, 2 for OpenGL, 0 when it is not known yet.
TFL_CAPI_EXPORT extern int
TfLiteTelemetryGpuDelegateSettingsGetBackend(const TfLiteTelemetryGpuDelegateSettings* settings);

#ifdef __cplusplus
}
#endif

#endif
