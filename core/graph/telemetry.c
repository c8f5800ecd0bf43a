// SPDX-License-Identifier: Apache-2.0
// What the program's telemetry profiler is told.
#include "core/graph/telemetry.h"

#include "core/base/telemetry.h"

#include "core/graph/graph.h"
#include "core/graph/node.h"

static const uint32_t kNoEvent = UINT32_MAX; // the profiler is not told of the end

// Memory for what is reported, which lives as long as the interpreter.
static void* allocate(LiteInterpreter* interpreter, size_t count, size_t size) {
    void* memory = lite_arena_alloc(&interpreter->arena, count, size);
    if (memory == NULL) lite_report(&interpreter->reporter, "out of memory for telemetry");
    return memory;
}

static TfLiteStatus fill_conversion(LiteInterpreter* interpreter,
                                    const TfLiteTelemetryConversionMetadata** result) {
    LiteModelInts modes;
    if (!lite_model_optimization_modes(interpreter->model, &modes)) return kTfLiteOk;
    TfLiteTelemetryConversionMetadata* conversion = allocate(interpreter, 1, sizeof *conversion);
    if (conversion == NULL) return kTfLiteError;
    *conversion = (TfLiteTelemetryConversionMetadata){(size_t)modes.count, modes.data};
    *result = conversion;
    return kTfLiteOk;
}

static TfLiteStatus fill_info(LiteInterpreter* interpreter, const LiteModelSubgraph* subgraph,
                              TfLiteTelemetrySubgraphInfo* info) {
    const size_t count = (size_t)subgraph->tensor_count;
    TfLiteQuantization* quantizations = allocate(interpreter, count, sizeof *quantizations);
    if (quantizations == NULL) return kTfLiteError;
    for (size_t i = 0; i < count; i++) quantizations[i] = subgraph->tensors[i].quantization;
    *info = (TfLiteTelemetrySubgraphInfo){count, quantizations};
    return kTfLiteOk;
}

TfLiteStatus lite_telemetry_created(LiteInterpreter* interpreter) {
    if (interpreter->telemetry == NULL) return kTfLiteOk;
    const size_t count = (size_t)interpreter->subgraph_count;
    TfLiteTelemetryInterpreterSettings* settings = allocate(interpreter, 1, sizeof *settings);
    TfLiteTelemetrySubgraphInfo* infos = allocate(interpreter, count, sizeof *infos);
    if (settings == NULL || infos == NULL) return kTfLiteError;
    for (size_t i = 0; i < count; i++) {
        LITE_TRY(fill_info(interpreter, lite_model_subgraph(interpreter->model, (int)i), &infos[i]));
    }
    *settings = (TfLiteTelemetryInterpreterSettings){.subgraph_count = count, .subgraphs = infos};
    LITE_TRY(fill_conversion(interpreter, &settings->conversion));
    lite_telemetry_report_settings(interpreter->telemetry, "InterpreterBuilder::operator()",
                                   kLiteTelemetryInterpreter, settings);
    return kTfLiteOk;
}

static void report_event(const LiteSubgraph* subgraph, const char* event, TfLiteStatus status) {
    TfLiteTelemetryProfilerStruct* profiler = subgraph->interpreter->telemetry;
    if (profiler != NULL && profiler->ReportTelemetryEvent != NULL) {
        profiler->ReportTelemetryEvent(profiler, event,
                                       (uint64_t)kLiteTelemetryInterpreter << 32 | (uint32_t)status);
    }
}

uint32_t lite_telemetry_begin_node(const LiteSubgraph* subgraph, const LiteNode* node, int index) {
    TfLiteTelemetryProfilerStruct* profiler = subgraph->interpreter->telemetry;
    if (profiler == NULL || profiler->ReportBeginOpInvokeEvent == NULL) return kNoEvent;
    return profiler->ReportBeginOpInvokeEvent(profiler, lite_node_name(node), index, subgraph->index);
}

void lite_telemetry_end_node(const LiteSubgraph* subgraph, uint32_t event) {
    TfLiteTelemetryProfilerStruct* profiler = subgraph->interpreter->telemetry;
    if (event != kNoEvent && profiler->ReportEndOpInvokeEvent != NULL) {
        profiler->ReportEndOpInvokeEvent(profiler, event);
    }
}

void lite_telemetry_applied(const LiteSubgraph* subgraph, TfLiteStatus status) {
    report_event(subgraph, "ModifyGraphWithDelegate", status);
}

void lite_telemetry_invoked(const LiteSubgraph* subgraph, TfLiteStatus status) {
    report_event(subgraph, "Invoke", status);
}
