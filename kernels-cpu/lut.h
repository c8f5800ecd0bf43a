// SPDX-License-Identifier: Apache-2.0
// Tables of functions on quantized integers, computed as the reference kernels do.
#ifndef KERNELS_CPU_LUT_H_
#define KERNELS_CPU_LUT_H_

#include <stdint.h>

#include "core/base/unary8.h"
#include "kernels-cpu/kernel.h"

enum { LITE_LUT8_SIZE = 256, LITE_LUT16_SIZE = 513 };

// out[i] = table[in[i]]; the arrays may be the same one.
typedef void (*LiteLookUp)(const uint8_t table[LITE_LUT8_SIZE], const uint8_t* in, int64_t count,
                           uint8_t* out);
LiteLookUp lite_look_up(void);

// The function at the ends of 512 equal steps of the int16 range, for lite_lut16_at.
void lite_lut16(const LiteView* input, const LiteView* output, LiteFunction function, float alpha,
                int16_t table[LITE_LUT16_SIZE]);

// Interpolates between two entries.
static inline int16_t lite_lut16_at(const int16_t table[LITE_LUT16_SIZE], int16_t x) {
    const int index = 256 + (x >> 7);
    const int16_t slope = (int16_t)(table[index + 1] - table[index]); // wraps, as in the reference
    return (int16_t)(table[index] + ((slope * (x & 0x7F) + 64) >> 7));
}

// 65536 / (1 + exp(-i / 24)), rounded as the reference's table is.
extern const uint16_t lite_sigmoid_table[256];

#endif
