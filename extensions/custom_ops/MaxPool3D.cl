// SPDX-License-Identifier: Apache-2.0
// clang-format off
/* oclite
   operator: MaxPool3D
   input:    x float32|int8|int16
   option:   size_first int from ksize[0]
   option:   d int from ksize[1]
   option:   h int from ksize[2]
   option:   w int from ksize[3]
   option:   size_last int from ksize[4]
   option:   stride_first int from strides[0]
   option:   stride_d int from strides[1]
   option:   stride_h int from strides[2]
   option:   stride_w int from strides[3]
   option:   stride_last int from strides[4]
   option:   same one of VALID|SAME from padding
   option:   format one of NDHWC from data_format
   output:   y typeof x [x.dims[0], (x.dims[1] + stride_d - (same ? 1 : d)) / stride_d, (x.dims[2] + stride_h - (same ? 1 : h)) / stride_h, (x.dims[3] + stride_w - (same ? 1 : w)) / stride_w, x.dims[4]]
   require:  x.rank == 5
   require:  size_first == 1 && size_last == 1 && stride_first == 1 && stride_last == 1
   require:  min(d, min(h, w)) > 0 && min(stride_d, min(stride_h, stride_w)) > 0
   kernel:   max_pool_3d(x, y, status, float x.scale, float y.scale, int x.dims[1], int x.dims[2], int x.dims[3], int x.dims[4], int y.dims[1], int y.dims[2], int d, int h, int w, int stride_d, int stride_h, int stride_w, int same ? max((y.dims[1] - 1) * stride_d + d - x.dims[1], 0) / 2 : 0, int same ? max((y.dims[2] - 1) * stride_h + h - x.dims[2], 0) / 2 : 0, int same ? max((y.dims[3] - 1) * stride_w + w - x.dims[3], 0) / 2 : 0)
   work:     x.dims[4], y.dims[3], y.dims[0] * y.dims[1] * y.dims[2]
*/
// clang-format on

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define LOWEST_float -FLT_MAX
#define LOWEST_char CHAR_MIN
#define LOWEST_short SHRT_MIN
#define BOUNDED_float(x) min(x, FLT_MAX)
#define BOUNDED_char(x) x
#define BOUNDED_short(x) x

// Item: an element of y, [batches, depth, height, width, channels]. Bytes are not scaled.
__kernel void max_pool_3d(__global const TYPE_x* x, __global TYPE_x* y, __global int* status, int node,
                          float x_scale, float y_scale, int in_d, int in_h, int in_w, int channels, int out_d,
                          int out_h, int d, int h, int w, int stride_d, int stride_h, int stride_w, int pad_d,
                          int pad_h, int pad_w) {
    if (sizeof(TYPE_x) == 1 && fabs(x_scale - y_scale) > 1e-6f) atomic_max(status, node);
    const int c = get_global_id(0), ox = get_global_id(1), row = get_global_id(2);
    const int z0 = row / out_h % out_d * stride_d - pad_d, y0 = row % out_h * stride_h - pad_h,
              x0 = ox * stride_w - pad_w;
    x += (long)(row / out_h / out_d) * in_d * in_h * in_w * channels + c;
    TYPE_x best = JOIN(LOWEST_, TYPE_x);
    for (int iz = max(z0, 0); iz < min(z0 + d, in_d); iz++) {
        for (int iy = max(y0, 0); iy < min(y0 + h, in_h); iy++) {
            for (int ix = max(x0, 0); ix < min(x0 + w, in_w); ix++) {
                const TYPE_x value = x[(((long)iz * in_h + iy) * in_w + ix) * channels];
                if (best < value) best = value;
            }
        }
    }
    y[((long)row * get_global_size(1) + ox) * channels + c] = JOIN(BOUNDED_, TYPE_x)(best);
}
