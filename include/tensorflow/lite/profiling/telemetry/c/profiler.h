// SPDX-License-Identifier: Apache-2.0
// A program's telemetry profiler: functions that an interpreter calls to report what it does.
//
//     TfLiteTelemetryProfilerStruct profiler = {.data = &times, .ReportBeginOpInvokeEvent = begin, …};
//     TfLiteInterpreterOptionsSetTelemetryProfiler(options, &profiler);
//
// The struct must outlive the interpreters that are created with the options. Functions that are NULL are not
// called. Each function receives the struct itself. Names are valid during the call. The lower 32 bits of a
// status are a TfLiteStatus; the upper ones say who reports it (1: the interpreter). The functions are called
// on the thread that uses the interpreter.
#ifndef TENSORFLOW_LITE_PROFILING_TELEMETRY_C_PROFILER_H_
#define TENSORFLOW_LITE_PROFILING_TELEMETRY_C_PROFILER_H_

#include <stdint.h>

#include "tensorflow/lite/profiling/telemetry/c/telemetry_setting.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteTelemetryProfilerStruct {
    void* data; // the profiler's own
    // An event has ended: "Invoke", for each subgraph that was run; "ModifyGraphWithDelegate", for each
    // subgraph that a delegate was applied to.
    void (*ReportTelemetryEvent)(struct TfLiteTelemetryProfilerStruct* profiler, const char* event_name,
                                 uint64_t status);
    // The same for one node. Delegates call it.
    void (*ReportTelemetryOpEvent)(struct TfLiteTelemetryProfilerStruct* profiler, const char* event_name,
                                   int64_t op_idx, int64_t subgraph_idx, uint64_t status);
    // "InterpreterBuilder::operator()": an interpreter was created, and delegates are not applied yet.
    // "GpuDelegate::DelegatePrepare" and "GpuDelegateKernel::Prepare": the GPU delegate was applied.
    void (*ReportSettings)(struct TfLiteTelemetryProfilerStruct* profiler, const char* setting_name,
                           const TfLiteTelemetrySettings* settings);
    // A node, which may be a delegate's kernel, is about to be invoked. ReportEndOpInvokeEvent receives the
    // result of this function, unless it is UINT32_MAX: then ReportEndOpInvokeEvent need not be called. Nodes
    // of control flow enclose the nodes that they run. Kernels of a delegate with
    // kTfLiteDelegateFlagsPerOperatorProfiling are not reported.
    uint32_t (*ReportBeginOpInvokeEvent)(struct TfLiteTelemetryProfilerStruct* profiler, const char* op_name,
                                         int64_t op_idx, int64_t subgraph_idx);
    // The node has been invoked, successfully or not.
    void (*ReportEndOpInvokeEvent)(struct TfLiteTelemetryProfilerStruct* profiler, uint32_t event_handle);
    // A node was invoked and has measured itself, in microseconds. Delegates call it.
    void (*ReportOpInvokeEvent)(struct TfLiteTelemetryProfilerStruct* profiler, const char* op_name,
                                uint64_t elapsed_time, int64_t op_idx, int64_t subgraph_idx);
} TfLiteTelemetryProfilerStruct;

#ifdef __cplusplus
}
#endif

#endif
