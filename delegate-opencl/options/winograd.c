// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/options/winograd.h"

TfLiteStatus lite_cl_winograd_read(const char* value, const LiteReporter* reporter,
                                   LiteWinogradChoice* choice) {
    const bool is_given = value != NULL && value[0] != '\0';
    *choice = is_given ? lite_winograd_choice_find(value) : kLiteWinogradAuto;
    if (*choice < kLiteWinogradChoices) return kTfLiteOk;
    return lite_report(reporter, "OpenCL: option winograd: \"%s\" is none of auto, off, 2x2 and 4x4", value);
}
