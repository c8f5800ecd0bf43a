// SPDX-License-Identifier: Apache-2.0
// One value for the elements of each window of the input, beginning with an initial one. Item: a chunk of the
// output. Prelude: TYPE …, JOIN(a, b).
__kernel void reduce_window(const LiteClReduceWindowArgs a, const __global TYPE* restrict x,
                            const __global TYPE* restrict initial, __global TYPE* restrict y) {
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.count);
    for (int i = begin; i < end; i++) {
        int base = 0;
        for (int d = a.rank - 1, rest = i; d >= 0; rest /= a.out[d--]) base += rest % a.out[d] * a.at[d];
        VALUE acc = LOAD(initial, 0);
        for (int t = 0; t < a.taps; t++) {
            int from = base;
            for (int d = a.rank - 1, rest = t; d >= 0; rest /= a.window[d--])
                from += rest % a.window[d] * a.tap[d];
            const VALUE v = LOAD(x, from);
            acc = JOIN(acc, v);
        }
        STORE(y, i, acc);
    }
}
