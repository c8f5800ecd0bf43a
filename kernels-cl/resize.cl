// SPDX-License-Identifier: Apache-2.0
// Resizing, NHWC. Bilinear of floats: dimension 0: channel vectors (on a CPU one item does all of them);
// dimension 1: chunks of a row of pixels; dimension 2: rows.
//
// Prelude: VW (at most the number of channels), VREAD, VWRITE.
#include "kernels-cl/args/resize.h"
#include "kernels-cl/common/common.cl"

#ifdef NEAREST
// Prelude: TYPE, an integer of the element's size; ROUND, floor or round. Item: a pixel of the output.
KERNEL resize_nearest(ITEM const LiteClResizeArgs a, const __global TYPE* restrict in,
                      __global TYPE* restrict out) {
    const int pixel = get_global_id(0);
    if (pixel >= a.rows * a.out_w) return;
    const int row = pixel / a.out_w, ox = pixel - row * a.out_w, n = row / a.out_h, oy = row - n * a.out_h;
    const int y = clamp((int)ROUND(((float)oy + a.shift) * a.scale_h), 0, a.in_h - 1);
    const int x = clamp((int)ROUND(((float)ox + a.shift) * a.scale_w), 0, a.in_w - 1);
    in += ((n * a.in_h + y) * a.in_w + x) * a.channels;
    out += pixel * a.channels;
    for (int c = 0; c < a.channels; c++) out[c] = in[c];
}
#elif defined WHOLE
// Integers, to the reference's bits. Prelude: TYPE; either FIXED, with positions and weights in 1024ths that
// are multiplied as WIDE, or nothing: in floating point. Item: a chunk of a row of pixels.
#pragma OPENCL FP_CONTRACT OFF
#ifdef FIXED
typedef WIDE weight;
#define ONE 1024
#define MIX(v, in_y, in_x) ((v) * ((in_y) * (in_x)))
#define ROUNDED(v) (((v) + ((v) > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20))
#else
typedef float weight;
#define ONE 1.0f
#define MIX(v, in_y, in_x) ((float)(v) * (in_y) * (in_x))
#define ROUNDED(v) ((v) + 0.5f)
#endif

// The elements on both sides, and how far it is from the lower one.
typedef struct Place {
    int low;
    int high;
    weight fraction;
} Place;

inline Place place(const LiteClResizeArgs* a, int at, float scale, int step, int in) {
    Place p;
#ifdef FIXED
    const long position = (long)at * step + (a->shift > 0.0f ? step / 2 - 512 : 0);
    p.low = clamp((int)(position / 1024), 0, in - 1);
    p.high = clamp((int)((position + 1023) / 1024), 0, in - 1);
    p.fraction = p.low == p.high ? 0 : (int)(position - 1024 * (long)p.low);
#else
    const float position = ((float)at + a->shift) * scale - a->shift;
    p.low = clamp((int)floor(position), 0, in - 1);
    p.high = clamp((int)ceil(position), 0, in - 1);
    p.fraction = position - (float)p.low;
#endif
    return p;
}

KERNEL resize_whole(ITEM const LiteClResizeArgs a, const __global TYPE* restrict in,
                    __global TYPE* restrict out) {
    const int row = get_global_id(1), first = (int)get_global_id(0) * a.chunk;
    if (row >= a.rows) return;
    const int end = min(first + a.chunk, a.out_w), n = row / a.out_h;
    const Place y = place(&a, row - n * a.out_h, a.scale_h, a.step_h, a.in_h);
    const __global TYPE* low = in + (n * a.in_h + y.low) * a.in_w * a.channels;
    const __global TYPE* high = in + (n * a.in_h + y.high) * a.in_w * a.channels;
    out += row * a.out_w * a.channels;
    for (int ox = first; ox < end; ox++) {
        const Place x = place(&a, ox, a.scale_w, a.step_w, a.in_w);
        const int left = x.low * a.channels, right = x.high * a.channels;
        for (int c = 0; c < a.channels; c++) {
            const weight sum = MIX(low[left + c], ONE - y.fraction, ONE - x.fraction) +
                               MIX(high[left + c], y.fraction, ONE - x.fraction) +
                               MIX(low[right + c], ONE - y.fraction, x.fraction) +
                               MIX(high[right + c], y.fraction, x.fraction);
            out[ox * a.channels + c] = (TYPE)ROUNDED(sum);
        }
    }
}
#else
KERNEL resize_bilinear(ITEM const LiteClResizeArgs a, const __global TYPE* restrict in,
                       __global TYPE* restrict out) {
    const int row = get_global_id(2), first = (int)get_global_id(1) * a.chunk;
    if (row >= a.rows) return;
    const int end = min(first + a.chunk, a.out_w);
    const int n = row / a.out_h, oy = row - n * a.out_h;
    const float y = ((float)oy + a.shift) * a.scale_h - a.shift;
    const int y0 = max((int)floor(y), 0), y1 = min((int)ceil(y), a.in_h - 1);
    const float dy = y - (float)y0;
    const int channels = a.channels;
    const __global TYPE* top = in + (n * a.in_h + y0) * a.in_w * channels;
    const __global TYPE* bottom = in + (n * a.in_h + y1) * a.in_w * channels;
    out += row * a.out_w * channels;
    for (int ox = first; ox < end; ox++) {
        const float x = ((float)ox + a.shift) * a.scale_w - a.shift;
        const int x0 = max((int)floor(x), 0), x1 = min((int)ceil(x), a.in_w - 1);
        const float dx = x - (float)x0;
        const float w00 = (1.0f - dy) * (1.0f - dx), w10 = dy * (1.0f - dx);
        const float w01 = (1.0f - dy) * dx, w11 = dy * dx;
        for (int begin = (int)get_global_id(0) * VW; begin < channels;
             begin += (int)get_global_size(0) * VW) {
            const int c = min(begin, channels - VW), left = x0 * channels + c, right = x1 * channels + c;
            const vector value = VREAD(top + left) * w00 + VREAD(bottom + left) * w10 +
                                 VREAD(top + right) * w01 + VREAD(bottom + right) * w11;
            VWRITE(value, out + ox * channels + c);
        }
    }
}
#endif
