// SPDX-License-Identifier: Apache-2.0
// Operators on bits and truth values, with broadcasting: the BITWISE lines of core/elementwise.def.
#include "delegate-opencl/ops/common/binary.h"

#define CPU_ONLY(TYPES) 0
#define BITWISE(NAME, PLAIN, TRAITS, INTEGER)                                                                \
    LITE_CL_BINARY_OP(NAME, PLAIN, TRAITS, "T", lite_cl_binary_infer)
#include "core/elementwise.def"
