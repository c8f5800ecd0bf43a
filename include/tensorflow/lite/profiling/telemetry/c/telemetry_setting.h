// SPDX-License-Identifier: Apache-2.0
// What a telemetry profiler (profiler.h) is told about a model, an interpreter and its delegates.
//
// The objects belong to the interpreter or delegate that reports them. NULL gives 0 or NULL.
#ifndef TENSORFLOW_LITE_PROFILING_TELEMETRY_C_TELEMETRY_SETTING_H_
#define TENSORFLOW_LITE_PROFILING_TELEMETRY_C_TELEMETRY_SETTING_H_

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// `source` says who reports, and so what `data` is: 1, the interpreter: TfLiteTelemetryInterpreterSettings;
// 3, the GPU delegate: TfLiteTelemetryGpuDelegateSettings; other delegates: what they say. The numbers are
// those of tflite::telemetry::TelemetrySource in telemetry_status.h.
typedef struct TfLiteTelemetrySettings {
    uint32_t source;
    const void* data;
} TfLiteTelemetrySettings;

typedef struct TfLiteTelemetryConversionMetadata TfLiteTelemetryConversionMetadata;
typedef struct TfLiteTelemetryInterpreterSettings TfLiteTelemetryInterpreterSettings;
typedef struct TfLiteTelemetrySubgraphInfo TfLiteTelemetrySubgraphInfo;
typedef struct TfLiteTelemetryGpuDelegateSettings TfLiteTelemetryGpuDelegateSettings;

// ---- Models ----

// What the converter has noted about itself; NULL when the model does not say.
TFL_CAPI_EXPORT extern const TfLiteTelemetryConversionMetadata*
TfLiteTelemetryInterpreterSettingsGetConversionMetadata(const TfLiteTelemetryInterpreterSettings* settings);

// How the model was optimized when it was converted: ModelOptimizationMode of the converter's schema (1001
// float16, 1002 dynamic range, 1003 full integer, 1004 16-bit activations, 2000 quantization-aware training,
// 3001 random, 3002 block and 3003 structured sparsity).
TFL_CAPI_EXPORT extern const int32_t*
TfLiteTelemetryConversionMetadataGetModelOptimizationModes(const TfLiteTelemetryConversionMetadata* metadata);
TFL_CAPI_EXPORT extern size_t TfLiteTelemetryConversionMetadataGetNumModelOptimizationModes(
    const TfLiteTelemetryConversionMetadata* metadata);

// The model's subgraphs: how many, and the first of them, which is the one that a plain inference runs. (The
// others follow it in memory, but a program does not know how large one is.)
TFL_CAPI_EXPORT extern size_t
TfLiteTelemetryInterpreterSettingsGetNumSubgraphInfo(const TfLiteTelemetryInterpreterSettings* settings);
TFL_CAPI_EXPORT extern const TfLiteTelemetrySubgraphInfo*
TfLiteTelemetryInterpreterSettingsGetSubgraphInfo(const TfLiteTelemetryInterpreterSettings* settings);

// The quantization of each tensor of a subgraph, in the order of their indices.
TFL_CAPI_EXPORT extern size_t
TfLiteTelemetrySubgraphInfoGetNumQuantizations(TfLiteTelemetrySubgraphInfo* subgraph_info);
TFL_CAPI_EXPORT extern const TfLiteQuantization*
TfLiteTelemetrySubgraphInfoGetQuantizations(TfLiteTelemetrySubgraphInfo* subgraph_info);

// ---- Delegates ----

// Nodes that the GPU delegate has taken.
TFL_CAPI_EXPORT extern size_t
TfLiteTelemetryGpuDelegateSettingsGetNumNodesDelegated(const TfLiteTelemetryGpuDelegateSettings* settings);

// 1: OpenCL, 2: OpenGL, 0: not known yet.
TFL_CAPI_EXPORT extern int
TfLiteTelemetryGpuDelegateSettingsGetBackend(const TfLiteTelemetryGpuDelegateSettings* settings);

#ifdef __cplusplus
}
#endif

#endif
