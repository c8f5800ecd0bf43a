// SPDX-License-Identifier: Apache-2.0
// A constant around the input, or its reflection. Prelude: TYPE, an integer of the element's size; EACH: an
// item does one element.
#include "kernels-cl/args/pad.h"
#include "kernels-cl/common/common.cl"

// One item: one row of the output, dimension 1; or an element of it, dimension 0.
KERNEL pad(ITEM const LiteClPadArgs args, const __global TYPE* restrict x,
           const __global TYPE* restrict value, __global TYPE* restrict y) {
    const LiteClPadArgs a = args;
    const int row = get_global_id(1);
    if (row >= a.rows) return;
    y += row * a.out_width;
    bool inside = true;
    for (int d = a.rank - 1, rest = row, stride = a.in_width; d >= 0; d--) {
        const int index = rest % a.dims[d] - a.begin[d];
        rest /= a.dims[d];
        inside = inside && (uint)index < (uint)a.in_dims[d];
        x += inside ? index * stride : 0;
        stride *= a.in_dims[d];
    }
    const TYPE around = value[0];
    const int before = inside ? a.before : a.out_width;
    const int copied = inside ? a.in_width : 0;
#ifdef EACH
    const int i = get_global_id(0);
    if (i >= a.out_width) return;
    y[i] = (uint)(i - before) < (uint)copied ? x[i - before] : around;
#else
    for (int i = 0; i < before; i++) y[i] = around;
    for (int i = 0; i < copied; i++) y[before + i] = x[i];
    for (int i = before + copied; i < a.out_width; i++) y[i] = around;
#endif
}

// One item: `chunk` elements of the output.
KERNEL mirror_pad(ITEM const LiteClMirrorPadArgs args, const __global TYPE* restrict x,
                  __global TYPE* restrict y) {
    const LiteClMirrorPadArgs a = args;
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.count);
    for (int i = begin; i < end; i++) {
        int from = 0, stride = 1;
        for (int d = a.rank - 1, rest = i; d >= 0; d--) {
            const int last = a.in_dims[d] - 1;
            int index = rest % a.dims[d] - a.begin[d];
            rest /= a.dims[d];
            // Reflections go round the border, or leave it out.
            if (index < 0) index = a.mirror - index - 1;
            if (index > last) index = 2 * last + 1 - a.mirror - index;
            from += index * stride;
            stride *= a.in_dims[d];
        }
        y[i] = x[from];
    }
}
