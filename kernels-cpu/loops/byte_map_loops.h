// SPDX-License-Identifier: Apache-2.0
// Functions from bytes to bytes. Those that are one or two straight lines, as LEAKY_RELU, RELU or a change of
// scale are, are computed where that is faster than looking them up.
#ifndef KERNELS_CPU_LOOPS_BYTE_MAP_LOOPS_H_
#define KERNELS_CPU_LOOPS_BYTE_MAP_LOOPS_H_

#include <stdbool.h>

#include "kernels-cpu/loops/lookup_loops.h"

enum { kLiteByteExceptions = 4 };

// With s the signed number in ^ in_flip, line k = s < corner ? 0 : 1, and all sums saturated to 16 bits:
//   out = clamp(((round(s * multiplier[k] / 2^7) + start[k]) >> shift) + offset) ^ out_flip
// but for the exceptions, which have the value that is written.
typedef struct LiteByteLines {
    bool found;
    int8_t in_flip;
    int8_t out_flip;
    int8_t corner; // INT8_MIN where there is one line
    int16_t multiplier[2];
    int16_t start[2];
    int16_t offset;
    int shift;
    int8_t low;
    int8_t high;
    int exceptions;
    int8_t at[kLiteByteExceptions];
    int8_t value[kLiteByteExceptions];
} LiteByteLines;

typedef struct LiteByteMap {
    uint8_t table[LITE_LUT8_SIZE]; // at the index of a number's byte
    LiteByteLines lines;           // the same function, see quantized/byte_map.h
} LiteByteMap;

// out[i] = table[in[i]]; the arrays may be the same one.
typedef void (*LiteMapBytes)(const LiteByteMap* map, const uint8_t* in, int64_t count, uint8_t* out);
LiteMapBytes lite_map_bytes(void);

#endif
