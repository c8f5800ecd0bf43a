// SPDX-License-Identifier: Apache-2.0
// Elements of one type to another. Item: a chunk of the elements. Prelude: TYPE … of the input, OUT_TYPE … of
// the output, and one of the conversions as CONVERSION(x).
#include "kernels-cl/args/cast.h"
#include "kernels-cl/common/common.cl"

#pragma OPENCL FP_CONTRACT OFF

// Numbers: floating point to integer truncates and saturates, NaN becomes the highest value; integers wrap.
#define SATURATED(x) ((x) != (x) || (x) >= OUT_HIGH ? OUT_HIGH : (x) <= OUT_LOW ? OUT_LOW : (OUT_VALUE)(x))
#define PLAIN(x) (OUT_VALUE)(x)
// What is not 0 is true: the store decides.
#define TRUTH(x) (x)

// Values that do not fit become the lowest one, as x86-64 converts them in the reference kernels.
inline int quantize(float x, float scale) {
    const float steps = round(x / scale);
    return steps >= -2147483648.0f && steps < 2147483648.0f ? (int)steps : INT_MIN;
}
#define QUANTIZED_REAL(x) CLAMP((int)((uint)quantize(x, a.scale) + (uint)a.zero), a.low, a.high)
#define REQUANTIZED(x)                                                                                       \
    CLAMP((int)((uint)multiply((int)((uint)(x) - (uint)a.input_zero), a.multiplier) + (uint)a.zero), a.low,  \
          a.high)
#define DEQUANTIZED(x) (a.scale * (float)(int)((uint)(x) - (uint)a.input_zero))
// To the nearest of the values that a quantized type would have.
#define FAKE_QUANTIZED(x) (round((NEAREST(x) - a.real_low) * a.inverse_scale) * a.scale + a.real_low)
#define NEAREST(x) ((x) > a.real_low ? (x) < a.real_high ? (x) : a.real_high : a.real_low)

#ifdef CHANNELS
// Each channel has its scale and zero point.
KERNEL cast_channels(ITEM const LiteClCastArgs all, const __global TYPE* restrict in,
                     __global OUT_TYPE* restrict out, const __global float* restrict scales,
                     const __global int* restrict zeros) {
    const int begin = (int)get_global_id(0) * all.chunk, end = min(begin + all.chunk, all.count);
    LiteClCastArgs a = all;
    for (int i = begin; i < end; i++) {
        const int channel = i / a.inner % a.channels;
        a.scale = scales[channel];
        a.zero = a.input_zero = zeros[channel];
        const VALUE x = LOAD(in, i);
        OUT_STORE(out, i, CONVERSION(x));
    }
}
#endif

KERNEL cast(ITEM const LiteClCastArgs a, const __global TYPE* restrict in, __global OUT_TYPE* restrict out) {
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.count);
    for (int i = begin; i < end; i++) {
        const VALUE x = LOAD(in, i);
        OUT_STORE(out, i, CONVERSION(x));
    }
}
