// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/graph/report.h"

#include "tensorflow/lite/c/c_api_opaque.h"

static void report_to_context(void* user_data, const char* format, va_list args) {
    TfLiteOpaqueContextReportErrorVa(user_data, format, args);
}

LiteReporter lite_cl_context_reporter(TfLiteContext* context) {
    return (LiteReporter){report_to_context, context};
}
