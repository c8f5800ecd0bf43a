// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/sum_quantized.h"

#include <math.h>

// The multiplier that is meant, with the bits that it has.
static double real_multiplier(LiteMultiplier m) {
    return ldexp((double)m.value, m.shift - 31);
}

// What the reference rounds on the way adds up to the margin, in output steps: up to 1 for each input and, in
// the first of the two roundings of the result, 2^-(shift + 1); here what the scales are off by for each step
// of an input from the middle of its range.
static LiteSumForm form_of_bits(const LiteSumScales* s, const double scales[2], double result, int bits) {
    const int32_t middle = s->is_signed ? 0 : 128;
    const int right = s->multiplier.shift < 0 ? -s->multiplier.shift : 0;
    LiteSumForm form = {.bits = bits, .margin = 1};
    double margin = 2 + ldexp(2 * result, bits) + ldexp(1.0, bits - right - 1);
    double start = ldexp(s->zero_point + 0.5, bits);
    for (int k = 0; k < 2; k++) {
        const double scale = ldexp(scales[k], bits);
        form.scales[k] = (int32_t)lrint(scale);
        margin += 128 * fabs(scale - form.scales[k]);
        start -= scale * (s->zero_points[k] - middle) + (double)form.scales[k] * middle;
    }
    if (!(margin < ldexp(0.0625, bits))) return (LiteSumForm){.bits = 0};
    form.start = (int32_t)lrint(start + margin);
    while (form.margin < 2 * margin) form.margin *= 2;
    return form;
}

// With as many fractional bits as there is room for, or a few less where the scales fit better.
LiteSumForm lite_sum_form(const LiteSumScales* s) {
    enum { kMost = 22, kFew = 4, kLeast = 16 };
    const double result = real_multiplier(s->multiplier);
    LiteSumForm best = {.bits = 0};
    double scales[2];
    for (int k = 0; k < 2; k++) {
        scales[k] = ldexp(real_multiplier(s->multipliers[k]), s->left_shift) * result;
        if (s->multipliers[k].shift > 0) return best;
    }
    const double largest = 255 * (scales[0] + scales[1]) + 512;
    if (s->subtracts) scales[1] = -scales[1];
    int most = kMost;
    while (most >= kLeast && !(ldexp(largest, most) < 0x1p31)) most--;
    for (int bits = most; bits >= kLeast && bits > most - kFew; bits--) {
        const LiteSumForm form = form_of_bits(s, scales, result, bits);
        if (form.bits == 0) continue;
        if (best.bits == 0 || (int64_t)form.margin << best.bits < (int64_t)best.margin << form.bits)
            best = form;
    }
    return best;
}
