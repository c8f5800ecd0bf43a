// SPDX-License-Identifier: Apache-2.0
// Types that are packed into bytes: INT4, UINT4 and INT2. The first element is in the lowest bits.
#ifndef KERNELS_CPU_SUPPORT_PACKED_H_
#define KERNELS_CPU_SUPPORT_PACKED_H_

#include <stdbool.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api_types.h"

static inline bool lite_is_packed(TfLiteType type) {
    return type == kTfLiteInt4 || type == kTfLiteUInt4 || type == kTfLiteInt2;
}

// The functions below are for packed types only.

// Bits of an element.
static inline int lite_packed_bits(TfLiteType type) {
    return type == kTfLiteInt2 ? 2 : 4;
}

static inline int32_t lite_packed_low(TfLiteType type) {
    return type == kTfLiteUInt4 ? 0 : type == kTfLiteInt4 ? -8 : -2;
}

static inline int32_t lite_packed_high(TfLiteType type) {
    return type == kTfLiteUInt4 ? 15 : type == kTfLiteInt4 ? 7 : 1;
}

static inline int32_t lite_packed_get(const void* data, TfLiteType type, int64_t index) {
    const int bits = lite_packed_bits(type);
    const int per_byte = 8 / bits;
    const int32_t byte = ((const uint8_t*)data)[index / per_byte];
    const int32_t value = byte >> bits * (int)(index % per_byte) & ((1 << bits) - 1);
    return value > lite_packed_high(type) ? value - (1 << bits) : value;
}

// In any order: the other elements of the byte stay.
static inline void lite_packed_put(void* data, TfLiteType type, int64_t index, int32_t value) {
    const int bits = lite_packed_bits(type);
    const int per_byte = 8 / bits;
    const int mask = (1 << bits) - 1, shift = bits * (int)(index % per_byte);
    uint8_t* byte = (uint8_t*)data + index / per_byte;
    *byte = (uint8_t)((*byte & ~(mask << shift)) | (value & mask) << shift);
}

// Makes what is left of the last byte of `count` elements 0.
static inline void lite_packed_end(void* data, TfLiteType type, int64_t count) {
    const int bits = lite_packed_bits(type), used = (int)(count % (8 / bits));
    if (used != 0) ((uint8_t*)data)[count / (8 / bits)] &= (uint8_t)((1 << bits * used) - 1);
}

// Elements are written in order of index: the first of a byte clears the others.
static inline void lite_packed_set(void* data, TfLiteType type, int64_t index, int32_t value) {
    const int bits = lite_packed_bits(type);
    const int per_byte = 8 / bits;
    uint8_t* byte = (uint8_t*)data + index / per_byte;
    const int shift = bits * (int)(index % per_byte);
    const int rest = shift == 0 ? 0 : *byte;
    *byte = (uint8_t)(rest | (value & ((1 << bits) - 1)) << shift);
}

#endif
