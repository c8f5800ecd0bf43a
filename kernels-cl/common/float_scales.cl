// SPDX-License-Identifier: Apache-2.0
// requantize() by floats, for the vectors of processors; other devices multiply integers as fast.
// FLOAT_SCALES: it is there.
#include "kernels-cl/common/common.cl"

#if defined(QUANTIZED) && (VW == 16 || VW == 8)
#define FLOAT_SCALES

// With 16 bits behind the point, as kernels-cpu/micro/micro_scale_tmpl.h has it, where the reason is why it
// is exact unless these bits are less than 16: then `near` is not 0. The roundings of floats and of the last
// conversion, which cuts off, amount to less than 8, by which `start` is larger.
typedef struct FloatScale {
    vector scale;
    vector start;
    vector below; // for negative sums, less than `start` by so much
} FloatScale;

inline bool is_any(integers v) {
#if VW == 16
    const int8 w = v.lo | v.hi;
#else
    const int8 w = v;
#endif
    const int4 x = w.lo | w.hi;
    const int2 y = x.lo | x.hi;
    return (y.x | y.y) != 0;
}

// false: multipliers or shifts are not usual. Columns that are not there have the multiplier 0.
inline bool find_scale(integers value, integers shift, int zero_point, FloatScale* s) {
    const integers is_column = value != 0;
    const vector tie = PASTE(as_float, VW)((shift + 142) << 23 & is_column);
    s->scale = CONVERT(float, value) * PASTE(as_float, VW)((shift + 112) << 23);
    s->start = tie + (zero_point * 65536.0f + 32776.0f);
    s->below = tie * 2.0f;
    return !is_any(is_column & (value < 1 << 30 || shift >= 0 || shift < -31));
}

inline integers requantize_near(integers sum, const FloatScale* s, int low, int high, integers* near) {
    const float most = 1073709056.0f; // with a half behind the point
    const vector x = CONVERT(float, sum) * s->scale + s->start;
    const integers bits = CONVERT(int, clamp_vector(sum < 0 ? x - s->below : x, -most, most));
    *near |= (bits & 0xFFF0) == 0;
    return clamp(bits >> 16, (integers)low, (integers)high);
}
#endif
