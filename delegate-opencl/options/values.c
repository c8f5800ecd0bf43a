// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/options/values.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <strings.h>

TfLiteStatus lite_cl_value_count(const char* key, const char* value, const LiteReporter* reporter,
                                 int* field) {
    char* end;
    errno = 0;
    const long number = strtol(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0 || number < 0 || number > INT_MAX) {
        return lite_report(reporter, "OpenCL: option %s: \"%s\" is not a count", key, value);
    }
    *field = (int)number;
    return kTfLiteOk;
}

bool lite_cl_value_is_switch(const char* value, int* number) {
    static const char* const words[2][4] = {{"0", "false", "no", "off"}, {"1", "true", "yes", "on"}};
    for (int n = 0; n < 2; n++) {
        for (int w = 0; w < 4; w++) {
            if (strcasecmp(value, words[n][w]) != 0) continue;
            *number = n;
            return true;
        }
    }
    return false;
}

TfLiteStatus lite_cl_value_switch(const char* key, const char* value, const LiteReporter* reporter,
                                  int* field) {
    if (lite_cl_value_is_switch(value, field)) return kTfLiteOk;
    return lite_report(
        reporter, "OpenCL: option %s: \"%s\" is none of 1, true, yes, on, 0, false, no and off", key, value);
}

TfLiteStatus lite_cl_value_copy_switch(const char* key, int value, const LiteReporter* reporter, int* field) {
    *field = value;
    return value == 0 || value == 1
               ? kTfLiteOk
               : lite_report(reporter, "OpenCL: option %s: %d is neither 0 nor 1", key, value);
}
