// SPDX-License-Identifier: Apache-2.0
// Why OpenCL cannot run a node, in words.
#ifndef DELEGATE_OPENCL_GRAPH_REASON_H_
#define DELEGATE_OPENCL_GRAPH_REASON_H_

#include <stdbool.h>

#include "core/base/status.h"

// A text for the user.
typedef struct LiteClReason {
    char text[200];
} LiteClReason;

// Writes the reason and returns false. The macro shows analyzers that the result is false.
bool lite_cl_refuse(LiteClReason* reason, const char* format, ...) LITE_PRINTF(2, 3);
#define lite_cl_refuse(...) (lite_cl_refuse(__VA_ARGS__) && false)

// A reporter that writes to the reason, for functions that report.
LiteReporter lite_cl_reason_reporter(LiteClReason* reason);

#endif
