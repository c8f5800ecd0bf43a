// SPDX-License-Identifier: Apache-2.0
// Apart from the registry, for libraries without kernels.
#include "core/base/operator.h"

#include <string.h>

static const char* const names[] = {
#define OP(NAME, EnumName, first_version, last_version, cpu, cl) [kTfLiteBuiltin##EnumName] = #NAME,
#include "core/ops.def"
};

const char* lite_operator_name(int builtin_code) {
    const int count = sizeof(names) / sizeof(names[0]);
    return builtin_code < 0 || builtin_code >= count ? "UNKNOWN" : names[builtin_code];
}

const char* lite_custom_operator_name(const char* listed) {
    return strcmp(listed, "aeq_hadamard_rotation") == 0 ? "aeq.hadamard_rotation" : listed;
}
