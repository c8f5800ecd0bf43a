// SPDX-License-Identifier: Apache-2.0
// The contents of constant string tensors.
#include "core/model/strings.h"

#include <stdio.h>

#include "core/model/flatbuffer.h"

bool lite_model_strings_check(const void* data, size_t bytes, int64_t elements, char* problem, size_t size) {
    const uint8_t* at = data;
    const uint32_t count = bytes < 4 ? 0 : lite_flat_load_u32(at);
    if (bytes < 8 || count > bytes / 4 - 2) {
        snprintf(problem, size, "%u strings do not fit into %zu bytes", count, bytes);
        return false;
    }
    if ((int64_t)count < elements) {
        snprintf(problem, size, "%u strings for %lld elements", count, (long long)elements);
        return false;
    }
    size_t previous = 4 * ((size_t)count + 2);
    for (uint32_t i = 0; i <= count; i++) {
        const uint32_t offset = lite_flat_load_u32(at + 4 * (1 + (size_t)i));
        if (offset < previous || offset > bytes) {
            snprintf(problem, size, "string %u begins at byte %u, not in [%zu, %zu]", i, offset, previous,
                     bytes);
            return false;
        }
        previous = offset;
    }
    return true;
}
