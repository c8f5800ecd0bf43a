// SPDX-License-Identifier: Apache-2.0
// The delegate's options, owned, from the public struct or from key-value text.
#ifndef DELEGATE_OPENCL_OPTIONS_H_
#define DELEGATE_OPENCL_OPTIONS_H_

#include <stdbool.h>

#include "core/base/status.h"
#include "delegate-opencl/custom/custom.h"
#include "delegate-opencl/external.h"
#include "delegate-opencl/queue.h"
#include "delegate-opencl/selection.h"
#include "oclite/opencl.h"

typedef enum LiteClPrecision { kLiteClFloat32, kLiteClFloat16, kLiteClAuto } LiteClPrecision;

// Lists are those of selection.h.
typedef struct LiteClOptions {
    char* device;
    int max_partitions;
    int min_nodes;
    char* allow;
    char* deny;
    LiteClPrecision precision;
    char* precision_float32; // lists of exceptions from it; the first one counts where both have a node
    char* precision_float16;
    double error_budget; // of kLiteClAuto
    int watchdog_ms;
    int profiling; // 0 or 1
    int tuning;    // 0 or 1
    LiteClQueueHints hints;
    char* cache_dir;
    LiteClCustoms customs;
    LiteClExternal external; // no references; the delegate has one to the queue
} LiteClOptions;

// Copies the public struct (NULL: the defaults), reading no further than its `size`.
TfLiteStatus lite_cl_options_init(LiteClOptions* options, const OcliteOpenclDelegateOptions* given,
                                  const LiteReporter* reporter);
void lite_cl_options_free(LiteClOptions* options);

// Sets one option of an initialised object.
TfLiteStatus lite_cl_options_set(LiteClOptions* options, const char* key, const char* value,
                                 const LiteReporter* reporter);

// Sets options from "key=value,key=value".
TfLiteStatus lite_cl_options_parse(LiteClOptions* options, const char* text, const LiteReporter* reporter);

// May the node be taken, as far as the lists go?
bool lite_cl_options_allow(const LiteClOptions* options, const LiteClSelected* node);
// Which precision it should have.
LiteClPrecision lite_cl_options_precision(const LiteClOptions* options, const LiteClSelected* node);

#endif
