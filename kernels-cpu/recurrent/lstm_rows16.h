// SPDX-License-Identifier: Apache-2.0
// What both integer forms of the LSTM cell do with the gates of one batch: int16 without integer bits.
#ifndef KERNELS_CPU_RECURRENT_LSTM_ROWS16_H_
#define KERNELS_CPU_RECURRENT_LSTM_ROWS16_H_

#include <stddef.h>

#include "core/semantics/fixed16.h"

// cell = clip(cell * forget + update * input); the cell has the scale 2^log2. input NULL: 1 - forget.
static inline void lite_lstm_update_cell16(int16_t* cell, const int16_t* forget, const int16_t* update,
                                           const int16_t* input, int log2, int16_t clip, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        const int32_t gate = input == NULL ? INT16_MAX - forget[i] : input[i];
        const int32_t kept = (int16_t)lite_rounding_shift_right(forget[i] * cell[i], 15);
        const int32_t added = (int16_t)lite_rounding_shift_right(gate * update[i], 30 + log2);
        cell[i] = (int16_t)lite_saturate_i16(kept + added);
    }
    if (clip == 0) return;
    for (int32_t i = 0; i < count; i++) cell[i] = (int16_t)lite_clamp_i32(cell[i], -clip, clip);
}

static inline void lite_lstm_clip8(int8_t* x, int8_t clip, int32_t count) {
    if (clip == 0) return;
    for (int32_t i = 0; i < count; i++) x[i] = (int8_t)lite_clamp_i32(x[i], -clip, clip);
}

#endif
