// SPDX-License-Identifier: Apache-2.0
// ADD and SUB of 8 bits as one formula in fixed point, in place of the reference's three multiplications.
#ifndef CORE_SEMANTICS_SUM_QUANTIZED_H_
#define CORE_SEMANTICS_SUM_QUANTIZED_H_

#include "core/semantics/quant.h"

// As the reference computes: both inputs, less their zero points and shifted to the left, times their
// multipliers, and their sum or difference times the result's.
typedef struct LiteSumScales {
    LiteMultiplier multipliers[2];
    LiteMultiplier multiplier;
    int left_shift;
    int32_t zero_points[2];
    int32_t zero_point; // of the output
    bool is_signed;     // INT8, else UINT8
    bool subtracts;
} LiteSumScales;

// The result before it is limited is (start + a * scales[0] + b * scales[1]) >> bits of the inputs as they
// are, where nothing overflows; but one whose fraction is less than `margin` may belong to the next lower
// number.
typedef struct LiteSumForm {
    int32_t scales[2]; // of at most 24 bits
    int32_t start;
    int bits;       // 16 to 30; 0: 32 bits have no room for it
    int32_t margin; // a power of 2
} LiteSumForm;

LiteSumForm lite_sum_form(const LiteSumScales* scales);

#endif
