// SPDX-License-Identifier: Apache-2.0
// Bilinear resizing, NHWC. Dimension 0: channel vectors (on a CPU one item does all of them); dimension 1:
// chunks of a row of pixels; dimension 2: rows.
//
// Prelude: VW (at most the number of channels).
#ifdef NEAREST
// Prelude: TYPE, an integer of the element's size; ROUND, floor or round. Item: a pixel of the output.
__kernel void resize_nearest(const LiteClResizeArgs a, const __global TYPE* restrict in,
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
#else
__kernel void resize_bilinear(const LiteClResizeArgs a, const __global float* restrict in,
                              __global float* restrict out) {
    const int row = get_global_id(2), first = (int)get_global_id(1) * a.chunk;
    if (row >= a.rows) return;
    const int end = min(first + a.chunk, a.out_w);
    const int n = row / a.out_h, oy = row - n * a.out_h;
    const float y = ((float)oy + a.shift) * a.scale_h - a.shift;
    const int y0 = max((int)floor(y), 0), y1 = min((int)ceil(y), a.in_h - 1);
    const float dy = y - (float)y0;
    const int channels = a.channels;
    const __global float* top = in + (n * a.in_h + y0) * a.in_w * channels;
    const __global float* bottom = in + (n * a.in_h + y1) * a.in_w * channels;
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
            const vector value = VLOAD(top + left) * w00 + VLOAD(bottom + left) * w10 +
                                 VLOAD(top + right) * w01 + VLOAD(bottom + right) * w11;
            VSTORE(value, out + ox * channels + c);
        }
    }
}
#endif
