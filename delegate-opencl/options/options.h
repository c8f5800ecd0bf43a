// SPDX-License-Identifier: Apache-2.0
// The delegate's options, from the public struct or from text. Operators of the program belong to them, so
// options lie above custom/.
#ifndef DELEGATE_OPENCL_OPTIONS_OPTIONS_H_
#define DELEGATE_OPENCL_OPTIONS_OPTIONS_H_

#include <stdbool.h>

#include "core/base/status.h"
#include "delegate-opencl/custom/custom.h"
#include "delegate-opencl/device/external.h"
#include "delegate-opencl/device/queue.h"
#include "delegate-opencl/graph/graph.h"
#include "delegate-opencl/options/priorities.h"
#include "delegate-opencl/options/selection.h"
#include "delegate-opencl/plan/plan.h"
#include "delegate-opencl/selftest/selftest.h"
#include "oclite/opencl.h"
#include "oclite/partition.h"

// Programs of selected operators (tools/select) are small, and run all that they can.
#ifndef LITE_CL_HAS_COSTS
#define LITE_CL_HAS_COSTS 1
#endif

typedef enum LiteClOverlap { kLiteClOverlapCost, kLiteClOverlapOn, kLiteClOverlapOff } LiteClOverlap;

// Owns all of its texts. Lists are those of selection.h.
typedef struct LiteClOptions {
    char* device;
    int max_partitions;
    int min_nodes;
    char* allow;
    char* deny;
    char* unresolved; // custom operators that the host has no kernels for, whatever it shows
    LiteClPrecision precision;
    bool has_precision;          // it was named
    LiteClPriorities priorities; // which choose it if it was not (lite_cl_options_resolve)
    char* precision_float32;     // lists of exceptions from `precision`; where both have a node the first one
                                 // counts
    char* precision_float16;
    double error_budget; // of kLiteClAuto
    bool has_budget;     // it was named
    int watchdog_ms;
    int profiling; // 0 or 1
    int tuning;    // 0 or 1
    int series;    // 0 or 1
    int verbose;   // 0 or 1
    LiteClGemmBy gemm;
    OclitePartitionMode partition;
    LiteClOverlap overlap;
    LiteWinogradChoice winograd;
    char* report; // path of a file, "": none
    LiteClQueueHints hints;
    LiteClSelftestMode selftest;
    char* cache_dir;
    LiteClCustoms customs;
    LiteClExternal external; // without references; the delegate holds one to the queue
} LiteClOptions;

// Copies the public struct, of which it reads no more than its `size`. NULL stands for the defaults.
TfLiteStatus lite_cl_options_init(LiteClOptions* options, const OcliteOpenclDelegateOptions* given,
                                  const LiteReporter* reporter);
void lite_cl_options_free(LiteClOptions* options);

// Sets one option of an initialised object.
TfLiteStatus lite_cl_options_set(LiteClOptions* options, const char* key, const char* value,
                                 const LiteReporter* reporter);

// Makes the options agree once all are set.
TfLiteStatus lite_cl_options_resolve(LiteClOptions* options, const LiteReporter* reporter);

// Checks, once all are set, that lists name operators that there are, and that no option is without an effect
// because of another.
TfLiteStatus lite_cl_options_check(const LiteClOptions* options, const LiteReporter* reporter);

// Sets options from "key=value,key=value", and resolves them.
TfLiteStatus lite_cl_options_parse(LiteClOptions* options, const char* text, const LiteReporter* reporter);

// Do the lists allow the delegate to take the node?
bool lite_cl_options_allow(const LiteClOptions* options, const LiteClSelected* node);
// The precision that the node should have.
LiteClPrecision lite_cl_options_precision(const LiteClOptions* options, const LiteClSelected* node);

#endif
