// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution, NHWC. One item: SEGMENT neighbouring pixels of one output row, for the channel
// vectors that its place in dimension 0 gives it (on a CPU: all of them).
//
// Prelude: VW (1 when the channel multiplier is not 1, else at most the number of channels), SEGMENT.
__kernel void depthwise(const LiteClDepthwiseArgs a, const __global float* restrict x,
                        const __global float* restrict weights, const __global float* restrict bias,
                        __global float* restrict y) {
    const int segments = (a.out_w + SEGMENT - 1) / SEGMENT;
    const int id = get_global_id(1), row = id / segments;
    if (row >= a.rows) return;
    const int ox = (id - row * segments) * SEGMENT;
    const int n = row / a.out_h, oy = row - n * a.out_h;
    const int top = oy * a.stride_h - a.pad_top, left = ox * a.stride_w - a.pad_left;
    const int step = a.stride_w * a.in_c;
    // Does no pixel of this segment need a tap outside the row?
    const bool inside = left >= 0 &&
                        left + (SEGMENT - 1) * a.stride_w + (a.kernel_w - 1) * a.dilation_w < a.in_w &&
                        ox + SEGMENT <= a.out_w;
    x += n * a.in_h * a.in_w * a.in_c;
    y += (row * a.out_w + ox) * a.out_c;

    for (int begin = (int)get_global_id(0) * VW; begin < a.out_c; begin += (int)get_global_size(0) * VW) {
        // The last vector overlaps the one before; both write the same values.
        const int c = min(begin, a.out_c - VW);
        const int in_channel = VW == 1 ? c / a.multiplier : c;
        vector acc[SEGMENT];
        const vector b = VLOAD(bias + c);
#pragma unroll
        for (int t = 0; t < SEGMENT; t++) acc[t] = b;
        for (int ky = 0; ky < a.kernel_h; ky++) {
            const int iy = top + ky * a.dilation_h;
            if ((uint)iy >= (uint)a.in_h) continue;
            const __global float* in = x + (iy * a.in_w + left) * a.in_c + in_channel;
            const __global float* w = weights + ky * a.kernel_w * a.out_c + c;
            for (int kx = 0; kx < a.kernel_w; kx++) {
                const vector k = VLOAD(w + kx * a.out_c);
                const int shift = kx * a.dilation_w;
                const __global float* tap = in + shift * a.in_c;
                if (inside) {
#pragma unroll
                    for (int t = 0; t < SEGMENT; t++) acc[t] += VLOAD(tap + t * step) * k;
                } else {
#pragma unroll
                    for (int t = 0; t < SEGMENT; t++) {
                        const int ix = left + t * a.stride_w + shift;
                        if ((uint)ix < (uint)a.in_w) acc[t] += VLOAD(tap + t * step) * k;
                    }
                }
            }
        }
#pragma unroll
        for (int t = 0; t < SEGMENT; t++) {
            if (ox + t < a.out_w) VSTORE(clamp_vector(acc[t], a.low, a.high), y + t * a.out_c + c);
        }
    }
}
