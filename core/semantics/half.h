// SPDX-License-Identifier: Apache-2.0
// The 16-bit floating point types as bit patterns: IEEE binary16 and bfloat16, to and from float, rounded to
// nearest even. NaN stays NaN, with its quiet bit set.
#ifndef CORE_SEMANTICS_HALF_H_
#define CORE_SEMANTICS_HALF_H_

#include <stdint.h>
#include <string.h>

static inline float lite_float_from_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

static inline uint32_t lite_float_to_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

// Without branches, like what follows, so that loops are vectorised.
static inline float lite_f16_to_f32(uint16_t half) {
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    const uint32_t rest = half & 0x7FFF;
    // Exponents differ by 112; the product is exact and normalises halves that are subnormal.
    const uint32_t magnitude = lite_float_to_bits(lite_float_from_bits(rest << 13) * 0x1p112f);
    const uint32_t quiet = rest > 0x7C00 ? 1u << 22 : 0;
    const uint32_t special = 0x7F800000u | rest << 13 | quiet; // infinity, NaN
    return lite_float_from_bits(sign | (rest >= 0x7C00 ? special : magnitude));
}

static inline uint16_t lite_f32_to_f16(float x) {
    const uint32_t bits = lite_float_to_bits(x);
    const uint32_t sign = bits >> 16 & 0x8000;
    const uint32_t rest = bits & 0x7FFFFFFF;
    // Where the half is subnormal: the sum rounds at its last bit, 2^-24.
    const uint32_t tiny = lite_float_to_bits(lite_float_from_bits(rest) + 0.5f) - 0x3F000000u;
    const uint32_t usual = (rest + 0xFFF + (rest >> 13 & 1) - 0x38000000u) >> 13;
    const uint32_t finite = rest < 0x38800000u ? tiny : usual;
    const uint32_t large = rest > 0x7F800000u ? 0x7E00 : 0x7C00; // NaN, or rounds to 65536 or more
    return (uint16_t)(sign | (rest >= 0x477FF000u ? large : finite));
}

static inline float lite_bf16_to_f32(uint16_t b) {
    return lite_float_from_bits((uint32_t)b << 16);
}

static inline uint16_t lite_f32_to_bf16(float x) {
    const uint32_t bits = lite_float_to_bits(x);
    if ((bits & 0x7FFFFFFF) > 0x7F800000u) return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

#endif
