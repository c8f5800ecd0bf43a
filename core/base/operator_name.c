// SPDX-License-Identifier: Apache-2.0
// Apart from the registry, for libraries without kernels.
#include "core/base/operator.h"

static const char* const names[] = {
#define OP(NAME, EnumName, first_version, last_version, cpu, cl) [kTfLiteBuiltin##EnumName] = #NAME,
#include "core/ops.def"
};

const char* lite_operator_name(int builtin_code) {
    const int count = sizeof(names) / sizeof(names[0]);
    return builtin_code < 0 || builtin_code >= count ? "UNKNOWN" : names[builtin_code];
}
