// SPDX-License-Identifier: Apache-2.0
// The order that FULLY_CONNECTED keeps shuffled weights in: blocks of 4 units by 16 inputs, made signed.
#ifndef CORE_SEMANTICS_SHUFFLED_H_
#define CORE_SEMANTICS_SHUFFLED_H_

#include <stddef.h>
#include <stdint.h>

// `units` is a multiple of 4, `depth` of 16. The result is [units][depth].
static inline void lite_unshuffle_weights(const int8_t* from, int32_t units, int32_t depth, int8_t* to) {
    const size_t row = (size_t)depth, count = row * (size_t)units;
    for (size_t i = 0; i < count; i++) {
        const size_t unit = i / (4 * row) * 4 + i / 16 % 4;
        const size_t column = i % (4 * row) / 64 * 16 + i % 16;
        to[unit * row + column] = from[i];
    }
}

// 1 or 4 rows of an input, signed: blocks of 16 of each row in turn.
static inline void lite_shuffle_rows(const uint8_t* from, int32_t rows, int32_t depth, uint8_t* to) {
    const size_t row = (size_t)depth, turn = 16 * (size_t)rows, count = row * (size_t)rows;
    for (size_t i = 0; i < count; i++) {
        to[i] = from[i % turn / 16 * row + i / turn * 16 + i % 16] ^ 0x80;
    }
}

#endif
