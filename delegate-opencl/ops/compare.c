// SPDX-License-Identifier: Apache-2.0
// Comparisons of two tensors, with broadcasting: the COMPARE lines of core/elementwise.def.
#include "delegate-opencl/ops/common/binary.h"

#define CPU_ONLY(TYPES) 0
#define COMPARE(NAME, PLAIN, QUANTIZED, RESULT)                                                              \
    LITE_CL_BINARY_OP(NAME, (PLAIN) | (QUANTIZED), 0, "b", lite_cl_binary_infer)
#include "core/elementwise.def"
