// SPDX-License-Identifier: Apache-2.0
// SOFTMAX and LOG_SOFTMAX over the last dimension. One item: one row, of floats some; with GROUP, of floats
// and of bytes, so many items share a row. Prelude: TYPE … of the input, OUT_TYPE … of the output; LOGARITHM
// for LOG_SOFTMAX. Of floats VW, at most the row's length, VREAD and VWRITE. Integers as in
// core/semantics/softmax_fixed.h, with its tables.
#include "kernels-cl/args/softmax.h"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/fixedpoint.cl"
#include "kernels-cl/common/functions.cl"
#include "kernels-cl/common/subgroups.cl"

#if defined(GROUP) && REAL
__attribute__((reqd_work_group_size(GROUP, 1, 1))) __kernel void
softmax(const LiteClSoftmaxArgs a, const __global TYPE* restrict x, __global OUT_TYPE* restrict y) {
    __local float each[GROUP];
    const int row = get_global_id(1), first = get_local_id(0);
    x += row * a.width;
    y += row * a.width;
    float top = -INFINITY;
    for (int i = first; i < a.width; i += GROUP) top = LOAD(x, i) > top ? LOAD(x, i) : top;
    top = most_across(top, each);
    float sum = 0.0f;
#ifdef LOGARITHM
    for (int i = first; i < a.width; i += GROUP) sum += exp(LOAD(x, i) - top);
    sum = log(sum_across(sum, each));
    for (int i = first; i < a.width; i += GROUP) STORE(y, i, LOAD(x, i) - top - sum);
#else
    for (int i = first; i < a.width; i += GROUP) sum += exp((LOAD(x, i) - top) * a.beta);
    sum = sum_across(sum, each);
    for (int i = first; i < a.width; i += GROUP) STORE(y, i, exp((LOAD(x, i) - top) * a.beta) / sum);
#endif
}

#elif REAL
// The joined elements of a vector.
inline float most_in(vector v) {
    float each[VW], most = -INFINITY;
    VSTORE(v, each);
    for (int i = 0; i < VW; i++) most = each[i] > most ? each[i] : most;
    return most;
}

inline float sum_in(vector v) {
    float each[VW], sum = 0.0f;
    VSTORE(v, each);
    for (int i = 0; i < VW; i++) sum += each[i];
    return sum;
}

inline float most_of_row(const __global TYPE* x, int width) {
    vector most = -INFINITY;
    int i = 0;
    for (; i + VW <= width; i += VW) {
        const vector v = VREAD(x + i);
        most = v > most ? v : most;
    }
    float top = most_in(most);
    for (; i < width; i++) top = LOAD(x, i) > top ? LOAD(x, i) : top;
    return top;
}

// Of halves, what is kept in between would lose bits.
#if !defined(LOGARITHM) && !defined(HALF)
#define KEEPS
#endif

// The sum of exp((x - top) * beta).
inline float sum_of_row(const __global TYPE* x, int width, float top, float beta, __global OUT_TYPE* y) {
    vector sums = 0.0f;
    int i = 0;
    for (; i + VW <= width; i += VW) {
        const vector v = exp_of_vector((VREAD(x + i) - top) * beta);
        sums += v;
#ifdef KEEPS
        VWRITE(v, y + i);
#endif
    }
    float sum = sum_in(sums);
    for (; i < width; i++) {
        const float v = F_EXP((LOAD(x, i) - top) * beta);
        sum += v;
#ifdef KEEPS
        STORE(y, i, v);
#endif
    }
    return sum;
}

#ifdef LOGARITHM
#define FINISH(kept, input, exponential) ((input)-top - logarithm)
#elif defined(HALF)
#define FINISH(kept, input, exponential) (exponential(((input)-top) * a.beta) / sum)
#else
#define FINISH(kept, input, exponential) ((kept) / sum)
#endif

inline void compute_row(const LiteClSoftmaxArgs a, const __global TYPE* x, __global OUT_TYPE* y) {
    const float top = most_of_row(x, a.width);
#ifdef LOGARITHM
    const float sum = sum_of_row(x, a.width, top, 1.0f, y), logarithm = F_LOG(sum);
#else
    const float sum = sum_of_row(x, a.width, top, a.beta, y);
#endif
    int i = 0;
    for (; i + VW <= a.width; i += VW) VWRITE(FINISH(VREAD(y + i), VREAD(x + i), exp_of_vector), y + i);
    for (; i < a.width; i++) STORE(y, i, FINISH(LOAD(y, i), LOAD(x, i), F_EXP));
}

KERNEL softmax(ITEM const LiteClSoftmaxArgs a, const __global TYPE* restrict x,
               __global OUT_TYPE* restrict y) {
    const int first = (int)get_global_id(0) * a.item_rows, last = min(first + a.item_rows, a.rows);
    for (int row = first; row < last; row++) compute_row(a, x + row * a.width, y + row * a.width);
}

#else
inline int most_of(const __global TYPE* x, int width) {
    int most = x[0];
    for (int i = 1; i < width; i++) most = max(most, (int)x[i]);
    return most;
}

#ifdef BYTES
// By the difference of an element and its row's largest one.
#define SCALED(i) table[i]
#define EXPONENTIAL(i) table[256 + (i)]
#define ADDEND(i) table[512 + (i)]
#define SUM_BITS 12 // integer bits of sums of exponentials

#ifdef LOGARITHM
// log(x) with 5 integer bits for x >= 1 with 12.
inline int fixed_log(int x) {
    const int quarter = rounding_shift_right(1 << 29, 6);
    const int a_zeros = clz(x);
    const int a = scale_pot(doubling_high_mul(scale_pot(x, a_zeros - 1), 1518500250), 1);
    const int a_exponent = saturate((long)scale_pot(SUM_BITS - a_zeros, 25) + quarter);
    const int headroom = clz(doubling_high_mul(x, 1518500250)) - 1;
    const int b = scale_pot(x, headroom);
    const int b_exponent = saturate((long)scale_pot(SUM_BITS - headroom, 25) - quarter);
    const int r = min(a, b), exponent = max(a_exponent, b_exponent);
    const long twice_p = (long)r + 1805811301;
    const int p = (int)((twice_p + (twice_p >= 0 ? 1 : -1)) / 2);
    const int q = (int)((uint)(r - 1805811301) * 2);
    const int q2 = doubling_high_mul(q, q);
    const int numerator = doubling_high_mul(q, r) + doubling_high_mul(doubling_high_mul(q, q2), 117049297);
    const int inner = 1057819769 + q + doubling_high_mul(127690142, q2);
    const int denominator = doubling_high_mul(p, inner) + doubling_high_mul(638450708, q);
    const int quotient =
        doubling_high_mul(rounding_shift_right(numerator, 6), one_over_one_plus(denominator));
    return scale_pot((int)((uint)doubling_high_mul(exponent, 1488522236) + (uint)quotient), 1);
}
#endif

#ifdef GROUP
#define FIRST_ELEMENT (int)get_local_id(0)
#define ROW get_global_id(1)
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
#else
#define GROUP 1
#define FIRST_ELEMENT 0
#define ROW get_global_id(0)
#define JOIN_ALL(v, join)
#endif
KERNEL
softmax(ITEM const LiteClSoftmaxArgs a, const __global TYPE* restrict x, const __global int* restrict table,
        __global OUT_TYPE* restrict y) {
#if GROUP > 1
    __local long each[GROUP];
#endif
    const int row = ROW;
    if (row >= a.rows) return;
    x += row * a.width;
    y += row * a.width;
    int top = SCHAR_MIN;
    long total = 0;
    for (int i = FIRST_ELEMENT; i < a.width; i += GROUP) top = max(top, (int)x[i]);
    JOIN_ALL(top, max)
    const int most = top;
    for (int i = FIRST_ELEMENT; i < a.width; i += GROUP) total += ADDEND(most - x[i]);
    JOIN_ALL(total, ADDED)
    const int sum = saturate(total);
#ifdef LOGARITHM
    const int log_sum = fixed_log(sum);
    const int none = max(a.diff_min - 1, multiply((int)((uint)log_sum + (uint)INT_MIN), a.multiplier));
    for (int i = FIRST_ELEMENT; i < a.width; i += GROUP) {
        const int difference = most - x[i];
        const int scaled = (int)((uint)SCALED(difference) - (uint)log_sum);
        y[i] = -difference <= none ? OUT_LOW
                                   : CLAMP(rounding_shift_right(scaled, 22) + OUT_HIGH, OUT_LOW, OUT_HIGH);
    }
#else
    int shift;
    const int inverse = reciprocal(sum, &shift);
    shift += SUM_BITS - 8 * (int)sizeof(OUT_TYPE);
    for (int i = FIRST_ELEMENT; i < a.width; i += GROUP) {
        const int result = scale_pot(doubling_high_mul(inverse, EXPONENTIAL(most - x[i])), -shift);
        y[i] = CLAMP(result + OUT_LOW, OUT_LOW, OUT_HIGH);
    }
#endif
}

#else
#define STEPS 513 // samples of a function

// The exponential in [-10, 0], then 1 / (1 + x) in [0, 1].
KERNEL softmax(ITEM const LiteClSoftmaxArgs a, const __global short* restrict x,
               const __global short* restrict table, __global short* restrict y) {
    const int row = get_global_id(0);
    if (row >= a.rows) return;
    x += row * a.width;
    y += row * a.width;
    const int most = most_of(x, a.width);
    int sum = 0;
    for (int i = 0; i < a.width; i++) {
        y[i] = sample(table, saturate_16((long)multiply(x[i] - most, a.multiplier) + SHRT_MAX));
        sum = saturate((long)sum + y[i]);
    }
    // The sum is 2^n * (1 + x): x in 16 bits around 0 goes into the second table.
    const int zeros = clz(sum), shift = 31 - zeros;
    const long normalized = (((long)sum << (zeros - 1)) + (1 << 13)) >> 14;
    const int inverse = sample(table + STEPS, saturate_16(normalized - (1 << 15) - (1 << 16)));
    const long round = shift > 0 ? 1L << (shift - 1) : 0;
    for (int i = 0; i < a.width; i++) {
        const long result = ((long)y[i] * inverse + round) >> shift;
        y[i] = result < 0 ? 0 : result > SHRT_MAX ? SHRT_MAX : result;
    }
}
#endif
#endif
