// SPDX-License-Identifier: Apache-2.0
// Rows of floats as bytes, for products with 8-bit weights: what kernels-cpu/gemm/hybrid.c computes.
//
// Prelude: GROUP: items of a work-group, which looks for a row's scale; WIDE: in what zero points are
// computed, double where there is one.
#include "kernels-cl/args/hybrid.h"
#include "kernels-cl/common/common.cl"

#ifdef DOUBLES
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

// Such that 0 is exact: the one of the two ends with the smaller rounding error.
inline int choose_zero_point(WIDE low, WIDE high, WIDE scale) {
    const WIDE from_low = -128 - low / scale, from_high = 127 - high / scale;
    const WIDE zero_point = 128 + fabs(low / scale) < 127 + fabs(high / scale) ? from_low : from_high;
    if (!(zero_point > -128)) return -128;
    return zero_point >= 127 ? 127 : (int)round(zero_point);
}

inline LiteClRowScale scale_of(int how, float low, float high) {
    LiteClRowScale result = {1.0f, 0.0f, 0};
    if (low == high) return result;
    if (how == LITE_CL_SYMMETRIC) {
        const float range = high > -low ? high : -low;
        result.scale = range / 127.0f;
        result.inverse = 127.0f / range;
        return result;
    }
    const WIDE step = ((WIDE)high - (WIDE)low) / 255;
    result.zero_point = choose_zero_point(low, high, step);
    result.scale = (float)step;
    result.inverse = result.scale == 0.0f ? 0.0f : 1.0f / result.scale;
    return result;
}

// Work-group: a row.
KERNEL find_scales(ITEM const LiteClQuantizeArgs a, const __global float* restrict x,
                   __global LiteClRowScale* restrict scales) {
    const int row = get_group_id(0), item = get_local_id(0);
    if (row >= a.rows) return;
    x += row * a.width;
    float low = 0.0f, high = 0.0f;
    for (int i = item; i < a.width; i += GROUP) {
        low = x[i] < low ? x[i] : low;
        high = x[i] > high ? x[i] : high;
    }
#if GROUP > 1
    __local float lows[GROUP], highs[GROUP];
    lows[item] = low;
    highs[item] = high;
    for (int left = GROUP / 2; left > 0; left /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < left) {
            lows[item] = min(lows[item], lows[item + left]);
            highs[item] = max(highs[item], highs[item + left]);
        }
    }
    if (item > 0) return;
    low = lows[0];
    high = highs[0];
#endif
    scales[row] = scale_of(a.how, low, high);
}

// NaN becomes 0.
inline char to_byte(float x, float lowest) {
    if (x >= 127.0f) return 127;
    if (x <= lowest) return (char)lowest;
    return x == x ? (char)x : 0;
}

// Item: some elements of a row.
KERNEL quantize(ITEM const LiteClQuantizeArgs a, const __global float* restrict x,
                const __global LiteClRowScale* restrict scales, __global char* restrict y) {
    const int row = get_global_id(1), begin = (int)get_global_id(0) * a.chunk;
    if (row >= a.rows || begin >= a.width) return;
    const float inverse = scales[row].inverse, zero_point = scales[row].zero_point;
    const float lowest = a.how == LITE_CL_SYMMETRIC ? -127.0f : -128.0f;
    const int end = min(begin + a.chunk, a.width);
    x += row * a.width;
    y += row * a.width;
    for (int i = begin; i < end; i++) y[i] = to_byte(zero_point + round(x[i] * inverse), lowest);
}
