// SPDX-License-Identifier: Apache-2.0
// MaxPoolingWithArgmax2D and MaxUnpooling2D, NHWC. The place of a maximum is the number y * filter_w + x of
// its tap in the window, as a float with 0.1 on top. Item: a channel (dimension 0) of an output pixel
// (dimension 1).
#include "kernels-cl/args/pool.h"
#include "kernels-cl/common/common.cl"

KERNEL pool_argmax(ITEM const LiteClPoolArgs a, const __global float* restrict x, __global float* restrict y,
                   __global float* restrict places) {
    const int c = get_global_id(0), pixel = get_global_id(1);
    if (c >= a.channels || pixel >= a.pixels) return;
    const int row = pixel / a.out_w, n = row / a.out_h;
    const int top = row % a.out_h * a.stride_h - a.pad_top, left = pixel % a.out_w * a.stride_w - a.pad_left;
    x += n * a.in_h * a.in_w * a.channels + c;
    float best = -FLT_MAX;
    int place = 0;
    for (int fy = max(-top, 0); fy < min(a.filter_h, a.in_h - top); fy++) {
        for (int fx = max(-left, 0); fx < min(a.filter_w, a.in_w - left); fx++) {
            const float v = x[((top + fy) * a.in_w + left + fx) * a.channels];
            if (!(v > best)) continue;
            best = v;
            place = fy * a.filter_w + fx;
        }
    }
    y[pixel * a.channels + c] = CLAMP(best, a.low, a.high);
    places[pixel * a.channels + c] = (float)place + 0.1f;
}

// The value of the last window that has it at the output's place, else 0. Here the input has a value for each
// window. Places that are none of the window are left out.
KERNEL unpool(ITEM const LiteClPoolArgs a, const __global float* restrict x,
              const __global float* restrict places, __global float* restrict y) {
    const int c = get_global_id(0), pixel = get_global_id(1);
    if (c >= a.channels || pixel >= a.pixels) return;
    const int row = pixel / a.out_w, n = row / a.out_h;
    const int oy = row % a.out_h + a.pad_top, ox = pixel % a.out_w + a.pad_left;
    const int y_begin = oy < a.filter_h ? 0 : (oy - a.filter_h) / a.stride_h + 1;
    const int x_begin = ox < a.filter_w ? 0 : (ox - a.filter_w) / a.stride_w + 1;
    float value = 0.0f;
    for (int wy = y_begin; wy <= min(oy / a.stride_h, a.in_h - 1); wy++) {
        for (int wx = x_begin; wx <= min(ox / a.stride_w, a.in_w - 1); wx++) {
            const int at = ((n * a.in_h + wy) * a.in_w + wx) * a.channels + c;
            const int place = (oy - wy * a.stride_h) * a.filter_w + ox - wx * a.stride_w;
            const float said = places[at];
            if (said > -1.0f && said < 2147483648.0f && (int)said == place) value = x[at];
        }
    }
    y[pixel * a.channels + c] = value;
}
