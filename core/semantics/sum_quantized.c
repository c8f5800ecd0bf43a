// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/sum_quantized.h"

#include <math.h>

// The multiplier that is meant, with the bits that it has.
static double real_multiplier(LiteMultiplier m) {
    return ldexp((double)m.value, m.shift - 31);
}

// With as many fractional bits as there is room for. What the reference rounds on the way adds up to the
// margin, in output steps: up to 1 for each input and, in the first of the two roundings of the result,
// 2^-(shift + 1); here up to half a unit for each step of an input from the middle of its range.
LiteSumForm lite_sum_form(const LiteSumScales* s) {
    const double result = real_multiplier(s->multiplier);
    const int32_t middle = s->is_signed ? 0 : 128;
    const LiteSumForm none = {.bits = 0};
    double scales[2];
    for (int k = 0; k < 2; k++) {
        scales[k] = ldexp(real_multiplier(s->multipliers[k]), s->left_shift) * result;
        if (s->multipliers[k].shift > 0) return none;
    }
    const double largest = 255 * (scales[0] + scales[1]) + 512;
    int bits = 22;
    while (bits >= 16 && !(ldexp(largest, bits) < 0x1p31)) bits--;
    const int right = s->multiplier.shift < 0 ? -s->multiplier.shift : 0;
    const double margin = 130 + ldexp(2 * result, bits) + ldexp(1.0, bits - right - 1);
    if (bits < 16 || !(margin < ldexp(0.0625, bits))) return none;
    if (s->subtracts) scales[1] = -scales[1];
    LiteSumForm form = {.bits = bits, .margin = 1};
    double start = ldexp(s->zero_point + 0.5, bits) + margin;
    for (int k = 0; k < 2; k++) {
        form.scales[k] = (int32_t)lrint(ldexp(scales[k], bits));
        start -= ldexp(scales[k], bits) * (s->zero_points[k] - middle) + (double)form.scales[k] * middle;
    }
    form.start = (int32_t)lrint(start);
    while (form.margin < 2 * margin) form.margin *= 2;
    return form;
}
