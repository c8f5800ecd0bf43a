// SPDX-License-Identifier: Apache-2.0
// The settings that telemetry reports, and how a delegate of ours finds the program's profiler.
#ifndef CORE_BASE_TELEMETRY_H_
#define CORE_BASE_TELEMETRY_H_

#include "tensorflow/lite/profiling/telemetry/c/profiler.h"

struct TfLiteTelemetryConversionMetadata {
    size_t mode_count;
    const int32_t* modes;
};

struct TfLiteTelemetrySubgraphInfo {
    size_t quantization_count;
    const TfLiteQuantization* quantizations;
};

struct TfLiteTelemetryInterpreterSettings {
    const TfLiteTelemetryConversionMetadata* conversion; // NULL: the model does not say
    size_t subgraph_count;
    const TfLiteTelemetrySubgraphInfo* subgraphs;
};

// As the reference's GPU delegate has it.
struct TfLiteTelemetryGpuDelegateSettings {
    size_t num_nodes_delegated;
    int backend;
};

enum { kLiteTelemetryInterpreter = 1, kLiteTelemetryGpu = 3 }; // TfLiteTelemetrySettings.source
enum { kLiteTelemetryOpencl = 1 };                             // backend

// For this type of external context our contexts return the profiler. Other runtimes check the type and
// return NULL, so a delegate may ask any host.
enum { kLiteTelemetryContext = 0x6f636c };

// NULL when the program has given none, or in another runtime.
static inline TfLiteTelemetryProfilerStruct* lite_telemetry_profiler(TfLiteContext* context) {
    if (context->GetExternalContext == NULL) return NULL;
    return (TfLiteTelemetryProfilerStruct*)(void*)context->GetExternalContext(
        context, (TfLiteExternalContextType)kLiteTelemetryContext);
}

// `profiler` may be NULL.
static inline void lite_telemetry_report_settings(TfLiteTelemetryProfilerStruct* profiler, const char* name,
                                                  uint32_t source, const void* data) {
    if (profiler == NULL || profiler->ReportSettings == NULL) return;
    const TfLiteTelemetrySettings settings = {source, data};
    profiler->ReportSettings(profiler, name, &settings);
}

#endif
