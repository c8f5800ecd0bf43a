// SPDX-License-Identifier: Apache-2.0
// What the handles of c_api.h stand for. Models and interpreters are those of core/model and core/graph under
// another name. Options and signature runners are made here.
#ifndef CORE_API_HANDLES_H_
#define CORE_API_HANDLES_H_

#include "core/base/memory.h"
#include "core/graph/options.h"
#include "core/graph/state.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"

// The functions by which a program resolves operators, in any of their forms; NULL for those not given.
typedef struct ResolverCallbacks {
    const TfLiteOperator* (*builtin_operator)(void* user_data, int op, int version);
    const TfLiteOperator* (*custom_operator)(void* user_data, const char* name, int version);
    const TfLiteRegistration* (*builtin)(void* user_data, TfLiteBuiltinOperator op, int version);
    const TfLiteRegistration* (*custom)(void* user_data, const char* name, int version);
    const TfLiteRegistration_V3* (*builtin_v3)(void* user_data, TfLiteBuiltinOperator op, int version);
    const TfLiteRegistration_V3* (*custom_v3)(void* user_data, const char* name, int version);
    const TfLiteRegistration_V2* (*builtin_v2)(void* user_data, TfLiteBuiltinOperator op, int version);
    const TfLiteRegistration_V2* (*custom_v2)(void* user_data, const char* name, int version);
    const TfLiteRegistration_V1* (*builtin_v1)(void* user_data, TfLiteBuiltinOperator op, int version);
    const TfLiteRegistration_V1* (*custom_v1)(void* user_data, const char* name, int version);
    void* user_data;
} ResolverCallbacks;

struct TfLiteInterpreterOptions {
    int num_threads;
    LiteReporter reporter;
    LiteOperatorEntry* operators; // in the order added; the last one that fits counts
    int operator_count;
    TfLiteDelegate** delegates;
    int delegate_count;
    ResolverCallbacks callbacks;
    bool enable_cancellation;
    bool delegate_fallback;
    TfLiteTelemetryProfilerStruct* telemetry;
    bool preserve_all_tensors;
    size_t memory_limit; // 0: not set
    LitePrecision precision;
    LiteSharedCacheOpen open_weight_cache; // NULL: none
    char* weight_cache;
    size_t weight_cache_limit;
    bool out_of_memory; // an addition failed
    LiteArena arena;    // names of operators
};

static inline LiteInterpreter* as_interpreter(const TfLiteInterpreter* interpreter) {
    return (LiteInterpreter*)interpreter;
}

// The graph that a plain inference runs; NULL for NULL.
static inline LiteSubgraph* main_subgraph(const TfLiteInterpreter* interpreter) {
    return interpreter ? lite_interpreter_subgraph(as_interpreter(interpreter), 0) : NULL;
}

#endif
