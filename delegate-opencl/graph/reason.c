// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/graph/reason.h"

#include <stdio.h>

bool(lite_cl_refuse)(LiteClReason* reason, const char* format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(reason->text, sizeof reason->text, format, args);
    va_end(args);
    return false;
}

static void write_reason(void* user_data, const char* format, va_list args) {
    LiteClReason* reason = user_data;
    vsnprintf(reason->text, sizeof reason->text, format, args);
}

LiteReporter lite_cl_reason_reporter(LiteClReason* reason) {
    return (LiteReporter){write_reason, reason};
}
