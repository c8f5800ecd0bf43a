// SPDX-License-Identifier: Apache-2.0
#include "core/base/precision.h"

#include <string.h>

static const char* const names[kLitePrecisions] = {
    [kLitePrecisionFloat32] = "float32",
    [kLitePrecisionBfloat16] = "bfloat16",
    [kLitePrecisionFloat16] = "float16",
};

const char* lite_precision_name(LitePrecision precision) {
    return (unsigned)precision < kLitePrecisions ? names[precision] : NULL;
}

LitePrecision lite_precision_find(const char* name) {
    for (LitePrecision p = kLitePrecisionFloat32; name != NULL && p < kLitePrecisions; p++) {
        if (strcmp(name, names[p]) == 0) return p;
    }
    return kLitePrecisions;
}
