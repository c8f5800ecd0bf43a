// SPDX-License-Identifier: Apache-2.0
// Softmax over the last dimension. One item: one row. Prelude: TYPE … of a floating point type.
__kernel void softmax(const LiteClSoftmaxArgs a, const __global TYPE* restrict x, __global TYPE* restrict y) {
    const int row = get_global_id(0);
    if (row >= a.rows) return;
    x += row * a.width;
    y += row * a.width;
    float top = -INFINITY;
    for (int i = 0; i < a.width; i++) top = LOAD(x, i) > top ? LOAD(x, i) : top;
    float sum = 0.0f;
#ifdef HALF
    // What is kept in between would lose bits.
    for (int i = 0; i < a.width; i++) sum += exp((LOAD(x, i) - top) * a.beta);
    for (int i = 0; i < a.width; i++) STORE(y, i, exp((LOAD(x, i) - top) * a.beta) / sum);
#else
    for (int i = 0; i < a.width; i++) {
        const float e = exp((x[i] - top) * a.beta);
        y[i] = e;
        sum += e;
    }
    for (int i = 0; i < a.width; i++) y[i] /= sum;
#endif
}
