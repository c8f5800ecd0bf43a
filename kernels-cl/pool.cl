// SPDX-License-Identifier: Apache-2.0
// Maximum and average pooling, NHWC. One item: one output pixel, for the channel vectors that its place in
// dimension 0 gives it (on a CPU: all of them). Padding takes no part in either.
//
// Prelude: VW (at most the number of channels), START (what an empty window gives), JOIN(acc, v), FINISH(acc,
// n), VREAD and VWRITE. Integers have TYPE …, VW 1 and sums of long, and are clamped to int_low and int_high;
// BYTE_MAXIMA: not wider than they are, and in vectors.
#include "kernels-cl/args/pool.h"
#include "kernels-cl/common/bytes.cl"
#include "kernels-cl/common/common.cl"

#ifdef BYTE_MAXIMA
typedef PASTE(TYPE, VW) pooled;
typedef int counted;
#define READ(p) VLOAD(p)
#define WRITE(v, p) VWRITE(CLAMP(v, (pooled)(TYPE)a.int_low, (pooled)(TYPE)a.int_high), p)
#elif defined(INTEGER)
typedef long pooled;
typedef long counted;
#define READ(p) ((long)*(p))
#define WRITE(v, p) (*(p) = CLAMP(v, (long)a.int_low, (long)a.int_high))
#else
typedef vector pooled;
typedef float counted;
#define READ(p) VREAD(p)
#define WRITE(v, p) VWRITE(clamp_vector(v, a.low, a.high), p)
#endif
KERNEL pool(ITEM const LiteClPoolArgs a, const __global TYPE* restrict x, __global TYPE* restrict y) {
    const int pixel = get_global_id(1);
    if (pixel >= a.pixels) return;
    const int row = pixel / a.out_w, ox = pixel - row * a.out_w;
    const int n = row / a.out_h, oy = row - n * a.out_h;
    const int top = oy * a.stride_h - a.pad_top, left = ox * a.stride_w - a.pad_left;
    const int y_begin = max(top, 0), y_end = min(top + a.filter_h, a.in_h);
    const int x_begin = max(left, 0), x_end = min(left + a.filter_w, a.in_w);
    const counted count = (counted)max((y_end - y_begin) * (x_end - x_begin), 1);
    x += n * a.in_h * a.in_w * a.channels;
    y += pixel * a.channels;
    for (int begin = (int)get_global_id(0) * VW; begin < a.channels; begin += (int)get_global_size(0) * VW) {
        const int c = min(begin, a.channels - VW);
        pooled acc = (pooled)(START);
        for (int iy = y_begin; iy < y_end; iy++) {
            for (int ix = x_begin; ix < x_end; ix++) {
                const pooled v = READ(x + (iy * a.in_w + ix) * a.channels + c);
                acc = JOIN(acc, v);
            }
        }
        WRITE(FINISH(acc, count), y + c);
    }
}
