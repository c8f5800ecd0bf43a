// SPDX-License-Identifier: Apache-2.0
#include "tools/common/ints.h"

bool tool_ints_contain(const int* values, int count, int value) {
    for (int i = 0; i < count; i++) {
        if (values[i] == value) return true;
    }
    return false;
}
