// SPDX-License-Identifier: Apache-2.0
// The micro kernels over compiler vector types, included once by each micro_<level>.c, which defines
//   MICRO_TABLE    name of the table to make
//   MICRO_NAME     its name as text
//   MICRO_LANES    32-bit lanes of a vector
//   MICRO_ROWS     rows of a tile; 2 * MICRO_ROWS accumulators live in registers
// and, where the instruction set has something better than the plain form here,
//   MICRO_LOAD_PART(from, count)       the first `count` < MICRO_LANES 32-bit elements, zeros in the other
//                                      lanes
//   MICRO_STORE_PART(to, v, count)     the first `count` < MICRO_LANES lanes to memory
//   MICRO_LARGER(x, y)                 of floats, x > y ? x : y
//   MICRO_SMALLER(x, y)                of floats, x < y ? x : y
//   MICRO_WIDEN_BF16(from)             the BFLOAT16 at an address as floats
//   MICRO_WIDEN_F16(from)              the same of FLOAT16; without it there are no products of those
// micro_int_tmpl.h has more of these, for the integer kernels.
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/semantics/half.h"
#include "kernels-cpu/micro/levels.h"

#define PANEL (2 * MICRO_LANES)
#define INLINE static inline __attribute__((always_inline))

typedef float VF __attribute__((vector_size(4 * MICRO_LANES)));
typedef int32_t VI __attribute__((vector_size(4 * MICRO_LANES)));
typedef uint32_t VU __attribute__((vector_size(4 * MICRO_LANES)));

#ifndef MICRO_LOAD_PART
INLINE VI load_part(const int32_t* from, int count) {
    VI v = {0};
    for (int i = 0; i < count; i++) v[i] = from[i];
    return v;
}
INLINE void store_part(int32_t* to, VI v, int count) {
    for (int i = 0; i < count; i++) to[i] = v[i];
}
#define MICRO_LOAD_PART(from, count) load_part(from, count)
#define MICRO_STORE_PART(to, v, count) store_part(to, v, count)
#endif
// The first `count` lanes from memory, zeros in the others; and back.
INLINE VI load_i32(const void* from, int count) {
    if (count < MICRO_LANES) return MICRO_LOAD_PART(from, count);
    VI v;
    memcpy(&v, from, sizeof(v));
    return v;
}

INLINE VF load_f32(const float* from, int count) {
    return (VF)load_i32(from, count);
}

INLINE void store(void* to, VI v, int count) {
    if (count < MICRO_LANES) {
        MICRO_STORE_PART(to, v, count);
    } else {
        memcpy(to, &v, sizeof(v));
    }
}

#ifndef MICRO_LARGER
INLINE VF larger(VF x, VF y) {
    const VI mask = x > y;
    return (VF)((mask & (VI)x) | (~mask & (VI)y));
}
INLINE VF smaller(VF x, VF y) {
    const VI mask = x < y;
    return (VF)((mask & (VI)x) | (~mask & (VI)y));
}
#define MICRO_LARGER(x, y) larger(x, y)
#define MICRO_SMALLER(x, y) smaller(x, y)
#endif
INLINE VF splat(float x) {
    return x - (VF){0};
}
// NaN stays NaN.
INLINE VF clamp(VF x, VF low, VF high) {
    return MICRO_SMALLER(high, MICRO_LARGER(low, x));
}

#ifndef MICRO_WIDEN_BF16
typedef uint16_t VH __attribute__((vector_size(2 * MICRO_LANES)));
INLINE VF widen_bf16(const void* from) {
    VH v;
    memcpy(&v, from, sizeof v);
    return (VF)(__builtin_convertvector(v, VU) << 16);
}
#define MICRO_WIDEN_BF16(from) widen_bf16(from)
#endif

#ifdef MICRO_WIDEN_F16
#define PRECISIONS                                                                                           \
    (LITE_PRECISION_BIT(kLitePrecisionFloat32) | LITE_PRECISION_BIT(kLitePrecisionBfloat16) |                \
     LITE_PRECISION_BIT(kLitePrecisionFloat16))
#else
#define PRECISIONS (LITE_PRECISION_BIT(kLitePrecisionFloat32) | LITE_PRECISION_BIT(kLitePrecisionBfloat16))
#endif
#include "kernels-cpu/micro/micro_float_tmpl.h"

#include "kernels-cpu/micro/micro_winograd_tmpl.h"

#include "kernels-cpu/micro/micro_int_tmpl.h"

#ifdef MICRO_FIXED
#include "kernels-cpu/micro/micro_bytes_tmpl.h"
#endif

// Where there is a product of bytes, those of pairs with fewer multiplications are no faster.
#if LITE_HAS_BYTE_WINOGRAD && !defined(MICRO_DOT4)
#include "kernels-cpu/micro/micro_winograd_bytes_tmpl.h"
#endif

// All but the name and the product of bytes, which levels may have a better one of.
#define MICRO_ENTRIES                                                                                        \
    .rows = MICRO_ROWS, .rows_f32 = MICRO_ROWS_F32, .panel = PANEL, .lanes = MICRO_LANES,                    \
    .gemm_f32 = LITE_FLOATS(gemm_f32), .few_f32 = LITE_FLOATS(few_f32), .precisions = PRECISIONS,            \
    .narrow = LITE_FLOATS(narrow), .gemm_i16 = gemm_i16, .winograd_input = LITE_FLOATS(winograd_input),      \
    .winograd_output = LITE_FLOATS(winograd_output), .depthwise_f32 = LITE_FLOATS(depthwise_f32),            \
    .depthwise_i8 = depthwise_i8, .depthwise_u8 = depthwise_u8, .requantize = requantize,                    \
    .widen_i8 = widen_i8, .widen_u8 = widen_u8, .copy_u8 = copy_u8, .sum_u8 = sum_u8, .gather_u8 = gather_u8
#ifdef MICRO_FIXED
#define MICRO_BYTE_ENTRIES                                                                                   \
    .depthwise_strip = depthwise_strip, .strip_group = STRIP_GROUP, .sum_bytes = sum_bytes,                  \
    .multiply_bytes = multiply_bytes, .quantize_bytes = LITE_FLOATS(quantize_bytes)
#endif

const LiteMicro MICRO_TABLE = {
    .name = MICRO_NAME,
    MICRO_ENTRIES,
#ifdef ROWS_DOT4
    .gemm_u8 = gemm_u8,
#endif
#ifndef MICRO_DOT4
    .slow_bytes = true,
#endif
#ifdef SHORTS
    .winograd_bytes = winograd_bytes,
    .winograd_sums = winograd_sums,
#endif
#ifdef MICRO_FIXED
    MICRO_BYTE_ENTRIES,
#endif
};
