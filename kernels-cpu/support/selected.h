// SPDX-License-Identifier: Apache-2.0
// The types and operators for which a library of selected operators (cmake/selected.cmake) has loops. They
// are constants, so the compiler leaves out loops for others. In the full library all of them are true.
#ifndef KERNELS_CPU_SUPPORT_SELECTED_H_
#define KERNELS_CPU_SUPPORT_SELECTED_H_

#include <stdbool.h>

#include "core/base/types.h"

// False, for the compiler to see, where there are no floats.
static inline bool lite_is_float32(TfLiteType type) {
    return LITE_HAS_TYPE(kTfLiteFloat32) && type == kTfLiteFloat32;
}

// lite_has_ADD and so on: is there the operator?
enum {
#define CUSTOM_OP(NAME, cpu, cl) lite_has_##NAME = (cpu),
#define OP(NAME, EnumName, first_version, last_version, cpu, cl) lite_has_##NAME = (cpu),
#include "core/ops.def"
};

#endif
