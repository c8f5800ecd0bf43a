// SPDX-License-Identifier: Apache-2.0
// Tables of functions on quantized integers, see core/semantics/unary_quantized.h.
#ifndef KERNELS_CPU_LOOPS_LOOKUP_LOOPS_H_
#define KERNELS_CPU_LOOPS_LOOKUP_LOOPS_H_

#include <stdint.h>

#include "core/semantics/unary_quantized.h"
#include "kernels-cpu/support/kernel.h"

enum { LITE_LUT8_SIZE = 256 };

// out[i] = table[in[i]]; the arrays may be the same one.
typedef void (*LiteLookUp)(const uint8_t table[LITE_LUT8_SIZE], const uint8_t* in, int64_t count,
                           uint8_t* out);
LiteLookUp lite_look_up(void);

#endif
