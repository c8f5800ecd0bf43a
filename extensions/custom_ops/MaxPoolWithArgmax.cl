// SPDX-License-Identifier: Apache-2.0
// clang-format off
/* oclite
   operator: MaxPoolWithArgmax
   input:    x float32
   option:   size_first int from ksize[0]
   option:   h int from ksize[1]
   option:   w int from ksize[2]
   option:   size_last int from ksize[3]
   option:   stride_first int from strides[0]
   option:   stride_h int from strides[1]
   option:   stride_w int from strides[2]
   option:   stride_last int from strides[3]
   option:   same one of VALID|SAME from padding
   option:   with_batch bool from include_batch_in_index = false
   output:   y float32 [x.dims[0], (x.dims[1] + stride_h - (same ? 1 : h)) / stride_h, (x.dims[2] + stride_w - (same ? 1 : w)) / stride_w, x.dims[3]]
   output:   places int32 like y
   require:  x.rank == 4 && !with_batch && x.dims[1] * x.dims[2] * x.dims[3] <= 2147483647
   require:  size_first == 1 && size_last == 1 && stride_first == 1 && stride_last == 1
   require:  min(h, w) > 0 && min(stride_h, stride_w) > 0
   kernel:   max_pool_with_argmax(x, y, places, int x.dims[1], int x.dims[2], int x.dims[3], int y.dims[1], int h, int w, int stride_h, int stride_w, int same ? max((y.dims[1] - 1) * stride_h + h - x.dims[1], 0) / 2 : 0, int same ? max((y.dims[2] - 1) * stride_w + w - x.dims[2], 0) / 2 : 0)
   work:     x.dims[3], y.dims[2], y.dims[0] * y.dims[1]
*/
// clang-format on

// Item: an element of y. Places are numbers of elements in each image; the first of equal ones counts.
__kernel void max_pool_with_argmax(__global const float* x, __global float* y, __global int* places, int in_h,
                                   int in_w, int channels, int out_h, int h, int w, int stride_h,
                                   int stride_w, int pad_h, int pad_w) {
    const int c = get_global_id(0), ox = get_global_id(1), row = get_global_id(2);
    const int y0 = row % out_h * stride_h - pad_h, x0 = ox * stride_w - pad_w;
    x += (long)(row / out_h) * in_h * in_w * channels;
    float best = -FLT_MAX;
    int place = c;
    for (int iy = max(y0, 0); iy < min(y0 + h, in_h); iy++) {
        for (int ix = max(x0, 0); ix < min(x0 + w, in_w); ix++) {
            const int at = (iy * in_w + ix) * channels + c;
            if (!(x[at] > best)) continue;
            best = x[at];
            place = at;
        }
    }
    const long at = ((long)row * get_global_size(1) + ox) * channels + c;
    y[at] = min(best, FLT_MAX);
    places[at] = place;
}
