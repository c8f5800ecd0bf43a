// SPDX-License-Identifier: Apache-2.0
// Operators that go along one axis. One item: one row of `length` elements, `inner` apart. Prelude: TYPE … of
// the elements; each kernel is there for the operators that name it by FOR_….
#define ROW_BEGIN                                                                                            \
    const int row = get_global_id(0);                                                                        \
    if (row >= a.outer * a.inner) return;                                                                    \
    const int base = row / a.inner * a.length * a.inner + row % a.inner;
#define AT(k) (base + (k)*a.inner)

#ifdef FOR_ARG
// The first of the best elements, by BETTER(a, b).
__kernel void arg(const LiteClAxisArgs a, const __global TYPE* restrict x, __global OUT_TYPE* restrict y) {
    ROW_BEGIN
    int best = 0;
    VALUE top = LOAD(x, AT(0));
    for (int k = 1; k < a.length; k++) {
        const VALUE v = LOAD(x, AT(k));
        if (BETTER(v, top)) {
            top = v;
            best = k;
        }
    }
    y[row] = best;
}
#endif

#ifdef FOR_TOPK
// The k largest of a row, in descending order; the first one among equals. Each is the best of those that
// come after the one before.
__kernel void topk(const LiteClAxisArgs a, const __global TYPE* restrict x, __global TYPE* restrict values,
                   __global I_TYPE* restrict indices) {
    const int row = get_global_id(0);
    if (row >= a.outer) return;
    x += row * a.length;
    int last = -1;
    for (int n = 0; n < a.k; n++) {
        int best = -1;
        for (int i = 0; i < a.length; i++) {
            const VALUE v = LOAD(x, i);
            const bool after =
                last < 0 || (i != last && !(v > LOAD(x, last)) && (v < LOAD(x, last) || i > last));
            if (after && (best < 0 || v > LOAD(x, best))) best = i;
        }
        last = max(best, 0);
        STORE(values, row * a.k + n, LOAD(x, last));
        I_STORE(indices, row * a.k + n, last);
    }
}
#endif

#ifdef FOR_CUMSUM
__kernel void cumsum(const LiteClAxisArgs a, const __global TYPE* restrict x, __global TYPE* restrict y) {
    ROW_BEGIN
    VALUE sum = 0;
    for (int n = 0; n < a.length; n++) {
        const int at = AT(a.reverse != 0 ? a.length - 1 - n : n);
        const VALUE before = sum;
        sum = SUM(sum, LOAD(x, at));
        STORE(y, at, a.exclusive != 0 ? before : sum);
    }
}
#endif

#ifdef FOR_BYTES
// The output's scale, 1 / 128, is in BEFORE or in AFTER, as the reference rounds either type.
__kernel void l2_normalization(const LiteClAxisArgs a, const __global TYPE* restrict x,
                               __global TYPE* restrict y) {
    ROW_BEGIN
    uint sum = 0;
    for (int k = 0; k < a.length; k++) sum += (uint)((x[AT(k)] - a.zero_x) * (x[AT(k)] - a.zero_x));
    LiteClMultiplier m = inverse_sqrt((int)sum);
    m.shift += AFTER;
    for (int k = 0; k < a.length; k++) {
        const int scaled = multiply((x[AT(k)] - a.zero_x) * BEFORE, m);
        y[AT(k)] = CLAMP(scaled + a.zero_y, LOW, HIGH);
    }
}
#endif

#ifdef FOR_REAL
__kernel void l2_normalization(const LiteClAxisArgs a, const __global TYPE* restrict x,
                               __global TYPE* restrict y) {
    ROW_BEGIN
    float sum = 0.0f;
    for (int k = 0; k < a.length; k++) sum += LOAD(x, AT(k)) * LOAD(x, AT(k));
    const float root = sqrt(sum);
    const float norm =
        root < 1e-6f ? 1e-6f : root; // the reference's guard against a division by zero; NaN stays
    for (int k = 0; k < a.length; k++) STORE(y, AT(k), LOAD(x, AT(k)) / norm);
}

// The window leaves out the neighbour at the radius on its far side, as in the reference.
__kernel void local_response_normalization(const LiteClAxisArgs a, const __global TYPE* restrict x,
                                           __global TYPE* restrict y) {
    ROW_BEGIN
    for (int k = 0; k < a.length; k++) {
        const int end = min(k + a.radius, a.length);
        float sum = 0.0f;
        for (int n = max(k - a.radius, 0); n < end; n++) sum += LOAD(x, AT(n)) * LOAD(x, AT(n));
        STORE(y, AT(k), LOAD(x, AT(k)) * pow(a.bias + a.alpha * sum, -a.beta));
    }
}
#endif
