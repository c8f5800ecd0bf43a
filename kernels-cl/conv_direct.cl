// SPDX-License-Identifier: Apache-2.0
// Convolutions of any kind that conv.cl and depthwise_conv.cl do not do: in three dimensions, transposed, in
// groups, on 8 and 16 bits with the reference's bits; and products of matrices, whose rows are pixels.
// Channels last. Dimension 1: pixels of the output; dimension 0: vectors of channels (on a CPU one item does
// all of them).
//
// Weights are [tap][input channel of the group][output channel].
//
// Prelude: TYPE, W_TYPE, B_TYPE, Y_TYPE: of elements, weights, bias and output; VW (at most the channels of a
// group); TRANSPOSED: the steps are between the output's elements; DEPTHWISE: one output channel for each
// input channel. Floats; or one of
// - QUANTIZED: integers whose sums are scaled to the output's; with LONG_SUMS they have 64 bits, of which 32
//   count when they are NARROW, and perhaps DOUBLE_FACTORS (factor.cl)
// - PLAIN_SUMS: bytes whose products are just summed
// - HYBRID: bytes that were floats, each image with a scale of its own
#include "kernels-cl/args/conv_direct.h"
#include "kernels-cl/args/hybrid.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/factor.cl"

#define LOAD_WIDE(p) CONVERT(int, VLOAD(p))

#ifdef LONG_SUMS
typedef longs accumulator;
#define WEIGHT(p) CONVERT(long, LOAD_WIDE(p) - a.zero_w)
#define PIXEL(p) ((long)*(p)-a.zero_x)
#define PIXELS(p) CONVERT(long, LOAD_WIDE(p) - a.zero_x)

#ifdef NARROW
typedef int sum_type;
#define SCALE(sum, m) multiply(sum, m)
#else
typedef long sum_type;
#define SCALE(sum, m) multiply_long(sum, m)
#endif

// lite_multiply_i64 of core/semantics/quant.h.
inline int multiply_long(long x, LiteClMultiplier m) {
    const int reduced = m.value < 0x7FFF0000 ? (m.value + (1 << 15)) >> 16 : 0x7FFF;
    const ulong product = (ulong)x * (ulong)reduced;
    const int shift = 15 - m.shift;
    return shift <= 0 ? (int)(product << -shift) : (int)((long)(product + (1UL << (shift - 1))) >> shift);
}

// In the output's scale, from its zero point on.
#ifdef FACTOR_BITS
typedef long scaled_type;
#define SCALED(sum, channel) (scale_by(sum, factors[channel]) + a.zero_y)
#elif defined(DOUBLE_FACTORS)
typedef double scaled_type;
#define SCALED(sum, channel) (round((sum)*factors[channel]) + a.zero_y)
#else
typedef int scaled_type;
#define SCALED(sum, channel)                                                                                 \
    (SCALE(sum, ((LiteClMultiplier){multipliers[channel], shifts[channel]})) + a.zero_y)
#endif
#elif defined(HYBRID)
typedef integers accumulator;
#define WEIGHT(p) LOAD_WIDE(p)
#define PIXEL(p) ((int)*(p)-row.zero_point)
#define PIXELS(p) (LOAD_WIDE(p) - row.zero_point)
#elif defined(QUANTIZED) || defined(PLAIN_SUMS)
typedef integers accumulator;
#define WEIGHT(p) (LOAD_WIDE(p) - a.zero_w)
#define PIXEL(p) ((int)*(p)-a.zero_x)
#define PIXELS(p) (LOAD_WIDE(p) - a.zero_x)
#else
typedef vector accumulator;
#define WEIGHT(p) VLOAD(p)
#define PIXEL(p) (*(p))
#define PIXELS(p) VLOAD(p)
#endif

// Where tap k reads along one axis; false when there is nothing.
inline bool find_input(const LiteClConvAxis* axis, int at, int k, int* place) {
#ifdef TRANSPOSED
    const int reached = at + axis->pad - k * axis->dilation;
    *place = reached / axis->stride;
    return reached >= 0 && reached % axis->stride == 0 && *place < axis->in;
#else
    *place = at * axis->stride - axis->pad + k * axis->dilation;
    return (uint)*place < (uint)axis->in;
#endif
}

KERNEL conv_direct(ITEM const LiteClDirectConvArgs a, const __global TYPE* restrict x,
                   const __global W_TYPE* restrict w, const __global B_TYPE* restrict bias,
#ifdef DOUBLE_FACTORS
                   const __global factor* restrict factors,
#elif defined(QUANTIZED)
                   const __global int* restrict multipliers, const __global int* restrict shifts,
#elif defined(HYBRID)
                   const __global LiteClRowScale* restrict rows, const __global float* restrict scales,
#endif
                   __global Y_TYPE* restrict y) {
    const int pixel = get_global_id(1);
    if (pixel >= a.pixels) return;
    const int oz = pixel / a.axes[2].out / a.axes[1].out % a.axes[0].out,
              oy = pixel / a.axes[2].out % a.axes[1].out;
    const int ox = pixel % a.axes[2].out, n = pixel / a.axes[2].out / a.axes[1].out / a.axes[0].out;
    x += a.x_offset;
    w += a.w_offset;
    y += a.y_offset + pixel * a.out_c;
#ifdef HYBRID
    const LiteClRowScale row = rows[a.row_offset + n];
#endif
    for (int begin = (int)get_global_id(0) * VW; begin < a.out_c; begin += (int)get_global_size(0) * VW) {
        const int c = min(begin, a.out_c - VW), group = c / a.group_out;
        accumulator acc = 0;
        for (int kz = 0; kz < a.axes[0].filter; kz++) {
            int iz, iy, ix;
            if (!find_input(&a.axes[0], oz, kz, &iz)) continue;
            for (int ky = 0; ky < a.axes[1].filter; ky++) {
                if (!find_input(&a.axes[1], oy, ky, &iy)) continue;
                for (int kx = 0; kx < a.axes[2].filter; kx++) {
                    if (!find_input(&a.axes[2], ox, kx, &ix)) continue;
                    const int tap = (kz * a.axes[1].filter + ky) * a.axes[2].filter + kx;
                    const int place = ((n * a.axes[0].in + iz) * a.axes[1].in + iy) * a.axes[2].in + ix;
                    const __global TYPE* from = x + place * a.in_c;
                    const __global W_TYPE* weights = w + tap * a.group_in * a.out_c + c;
#ifdef DEPTHWISE
                    acc += PIXELS(from + c) * WEIGHT(weights);
#else
                    from += group * a.group_in;
                    for (int i = 0; i < a.group_in; i++)
                        acc += PIXEL(from + i) * WEIGHT(weights + i * a.out_c);
#endif
                }
            }
        }
#ifdef LONG_SUMS
        union {
            accumulator all;
            long each[VW];
        } sums = {.all = acc};
        for (int i = 0; i < VW; i++) {
            const sum_type sum = (sum_type)(sums.each[i] + bias[c + i]);
            y[c + i] = (Y_TYPE)clamp(SCALED(sum, c + i), (scaled_type)a.int_low, (scaled_type)a.int_high);
        }
#elif defined(QUANTIZED)
        const integers sum = add_wrapping(acc, VLOAD(bias + c));
        VSTORE(CONVERT(Y_TYPE, requantize(sum, VLOAD(multipliers + c), VLOAD(shifts + c), a.zero_y, a.int_low,
                                          a.int_high)),
               y + c);
#elif defined(PLAIN_SUMS)
        VSTORE(acc, y + c);
#elif defined(HYBRID)
        const vector real = CONVERT(float, acc) * (row.scale * VLOAD(scales + c)) + VLOAD(bias + c);
        VSTORE(clamp_vector(real, a.low, a.high), y + c);
#else
        VSTORE(clamp_vector(acc + VLOAD(bias + c), a.low, a.high), y + c);
#endif
    }
}
