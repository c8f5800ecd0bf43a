// SPDX-License-Identifier: Apache-2.0
// Softmax over the last dimension. One item: one row.
__kernel void softmax(const LiteClSoftmaxArgs a, const __global float* restrict x,
                      __global float* restrict y) {
    const int row = get_global_id(0);
    if (row >= a.rows) return;
    x += row * a.width;
    y += row * a.width;
    float top = -INFINITY;
    for (int i = 0; i < a.width; i++) top = x[i] > top ? x[i] : top;
    float sum = 0.0f;
    for (int i = 0; i < a.width; i++) {
        const float e = exp((x[i] - top) * a.beta);
        y[i] = e;
        sum += e;
    }
    for (int i = 0; i < a.width; i++) y[i] /= sum;
}
