// SPDX-License-Identifier: Apache-2.0
#include "core/base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensorflow/lite/c/common.h"

// The parentheses keep the macro of status.h out.
TfLiteStatus(lite_fail)(TfLiteOpaqueContext* context, const char* format, ...) {
    char message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    TfLiteContext* c = (TfLiteContext*)context;
    // A variadic callback cannot take a va_list, hence the buffer.
    if (c->ReportError != NULL) c->ReportError(c, "%s", message);
    return kTfLiteError;
}

static void log_message(const char* format, va_list args) {
    const char* wanted = secure_getenv("OCLITE_LOG");
    if (wanted == NULL || strcmp(wanted, "1") != 0) return;
    char message[1024];
    vsnprintf(message, sizeof message, format, args);
    fprintf(stderr, "oclite: %s\n", message); // in one call: other threads report, too
}

TfLiteStatus(lite_report)(const LiteReporter* reporter, const char* format, ...) {
    if (reporter == NULL) return kTfLiteError;
    va_list args;
    va_start(args, format);
    if (reporter->report != NULL) {
        reporter->report(reporter->user_data, format, args);
    } else {
        log_message(format, args);
    }
    va_end(args);
    return kTfLiteError;
}
