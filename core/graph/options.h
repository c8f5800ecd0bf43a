// SPDX-License-Identifier: Apache-2.0
// How an interpreter is made, and the functions of the program that it calls.
#ifndef CORE_GRAPH_OPTIONS_H_
#define CORE_GRAPH_OPTIONS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/precision.h"
#include "core/base/shared_cache.h"
#include "core/base/status.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/profiling/telemetry/c/profiler.h"

// A user's operator. Of the registration the functions count, not the names and versions: an operator is
// found by what is written here.
typedef struct LiteOperatorEntry {
    TfLiteBuiltinOperator builtin_code; // kTfLiteBuiltinCustom: found by custom_name
    const char* custom_name;
    int first_version; // versions served, inclusive
    int last_version;
    TfLiteRegistration registration; // registration_external is set for a TfLiteOperator
} LiteOperatorEntry;

// Finds an operator: fills *registration (zeroed beforehand) as above and returns true. custom_name is NULL
// for builtin operators.
typedef bool (*LiteResolve)(void* user_data, TfLiteBuiltinOperator builtin_code, const char* custom_name,
                            int version, TfLiteRegistration* registration);

// A node has been invoked. Times are lite_clock_ns.
typedef void (*LiteProfile)(void* user_data, int subgraph, int node, uint64_t begin_ns, uint64_t end_ns);

// Zero-initialised options are the defaults. Everything they point to is used during creation only, except
// delegates and TfLiteOperators with their user data, which must outlive the interpreter.
typedef struct LiteInterpreterOptions {
    int num_threads;       // < 1: one
    LiteReporter reporter; // messages of the interpreter, for its whole life
    // Where an operator comes from, in this order: operators, resolve, the library.
    const LiteOperatorEntry* operators;
    int operator_count;
    LiteResolve resolve;
    void* resolve_data;
    bool selected_operators_only; // do not look into the library
    TfLiteDelegate* const* delegates;
    int delegate_count;
    // With it the CPU takes over from a delegate that fails. Without it a delegate that cannot be applied
    // leaves no interpreter, and an inference fails with its delegate.
    bool delegate_fallback;
    bool enable_cancellation;
    bool preserve_all_tensors;                // no two tensors share memory
    size_t memory_limit;                      // bytes for tensors; 0: as many as the machine has
    LitePrecision precision;                  // of packed weights of floats
    LiteSharedCacheOpen open_weight_cache;    // NULL: packed weights come from no files
    const char* weight_cache;                 // folder of those
    size_t weight_cache_limit;                // bytes that they may take; 0: a gigabyte
    TfLiteTelemetryProfilerStruct* telemetry; // NULL: none; must outlive the interpreter
    const struct LiteTrialService* trial;     // lite_trial(); NULL: delegates cannot measure
} LiteInterpreterOptions;

#endif
