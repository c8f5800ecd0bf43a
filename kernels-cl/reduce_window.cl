// SPDX-License-Identifier: Apache-2.0
// One value for the elements of each window of the input, beginning with an initial one, which also stands
// for the elements that padding and dilating the input add (PADDED). Item: a chunk of the output. Prelude:
// TYPE …, JOIN(a, b).
#include "kernels-cl/args/reduce_window.h"
#include "kernels-cl/common/common.cl"

#ifdef PADDED
// The element that a window sees, from its places along the dimensions.
inline int element_of(const LiteClReduceWindowArgs* a, int output, int tap) {
    int from = 0;
    for (int d = a->rank - 1; d >= 0; d--) {
        const int place = output % a->out[d] * a->at[d] + tap % a->window[d] * a->tap[d] - a->low[d];
        if (place < 0 || place % a->base[d] != 0 || place / a->base[d] >= a->in[d]) return -1;
        from += place / a->base[d] * a->strides[d];
        output /= a->out[d];
        tap /= a->window[d];
    }
    return from;
}
#endif

KERNEL reduce_window(ITEM const LiteClReduceWindowArgs args, const __global TYPE* restrict x,
                     const __global TYPE* restrict initial, __global TYPE* restrict y) {
    const LiteClReduceWindowArgs a = args;
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.count);
    for (int i = begin; i < end; i++) {
#ifndef PADDED
        int base = 0;
        for (int d = a.rank - 1, rest = i; d >= 0; rest /= a.out[d--]) base += rest % a.out[d] * a.at[d];
#endif
        VALUE acc = LOAD(initial, 0);
        for (int t = 0; t < a.taps; t++) {
#ifdef PADDED
            const int from = element_of(&a, i, t);
            const VALUE v = from < 0 ? LOAD(initial, 0) : LOAD(x, from);
#else
            int from = base;
            for (int d = a.rank - 1, rest = t; d >= 0; rest /= a.window[d--])
                from += rest % a.window[d] * a.tap[d];
            const VALUE v = LOAD(x, from);
#endif
            acc = JOIN(acc, v);
        }
        STORE(y, i, acc);
    }
}
