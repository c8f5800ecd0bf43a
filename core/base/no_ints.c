// SPDX-License-Identifier: Apache-2.0
#include "core/base/no_ints.h"

TfLiteIntArray* lite_no_ints(void) {
    static TfLiteIntArray none = {.size = 0};
    return &none;
}
