// SPDX-License-Identifier: Apache-2.0
// One formula over two tensors with broadcasting. Dimension 0: chunks of a row; dimension 1: rows, some to an
// item.
//
// Prelude: TYPE … of the inputs, OUT_TYPE … of the output, and
//   RESULT(a, b)   from core/elementwise.def, or on quantized integers one of the functions below
//   QUANTIZED      inputs lose their zero points, the result gets the output's
//   TRUTH          the result is a truth value: not clamped
//   WIDE(v)        a fused activation on integers that are not within 32 bits with sign
//   DIVISOR(b)     what must not be 0; without it there is no status
//   SUMS_OF_BYTES  p.sum stands for RESULT, for vectors of VW elements; both inputs go along the row
#include "kernels-cl/args/binary.h"
#include "kernels-cl/common/byte_sums.cl"
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/fixedpoint.cl"
#include "kernels-cl/common/functions.cl"

#ifdef QUANTIZED
inline int rescaled(int x, int left_shift, LiteClMultiplier m) {
    return multiply((int)((uint)x << left_shift), m);
}
#define A_ rescaled(a, p.q.left_shift, p.q.a)
#define B_ rescaled(b, p.q.left_shift, p.q.b)
#define QUANTIZED_ADD(a, b) multiply((int)((uint)A_ + (uint)B_), p.q.result)
#define QUANTIZED_SUB(a, b) multiply((int)((uint)A_ - (uint)B_), p.q.result)
#define QUANTIZED_MUL(a, b) multiply((int)((uint)(a) * (uint)(b)), p.q.result)
#define QUANTIZED_SQUARED_DIFFERENCE(a, b)                                                                   \
    multiply((int)(((uint)A_ - (uint)B_) * ((uint)A_ - (uint)B_)), p.q.result)
#define QUANTIZED_PRELU(a, b)                                                                                \
    ((a) >= 0 ? multiply((a), p.q.a) : multiply((int)((uint)(a) * (uint)(b)), p.q.b))
#ifdef NUMBERS
// INT16 with scales that are powers of 2: one input is shifted.
#define QUANTIZED_ADD_POT(a, b) (scale_pot(a, p.q.a.shift) + scale_pot(b, p.q.b.shift))
#define QUANTIZED_SUB_POT(a, b) (scale_pot(a, p.q.a.shift) - scale_pot(b, p.q.b.shift))
// INT16 in [-1, 1) to bytes: the product's upper 8 bits.
#define QUANTIZED_MUL_16(a, b) rounding_shift_right(min(rounded_half((a) * (b)), SHRT_MAX), 8)
inline int rounded_half(int product) {
    return (product + (product >= 0 ? 1 << 14 : 1 - (1 << 14))) / (1 << 15);
}

#define QUANTIZED_DIV(a, b) quotient(a, b, p.q.result)
inline int quotient(int a, int b, LiteClMultiplier m) {
    if (b < 0) {
        a = -a;
        b = -b;
    }
    int shift;
    const int inverse = reciprocal(b, &shift);
    const int headroom = clz(a ^ (a >> 31)) - 1;
    const int q = doubling_high_mul((int)((uint)a << headroom), inverse);
    return reference_shift_right(doubling_high_mul(q, m.value), shift + headroom - m.shift, 32);
}
#endif
// Compared as real numbers, in units of 2^-8.
#define COMPARED(a, b) COMPARISON(A_, B_)
#define OPERAND(value, zero) ((int)(value) - (zero))
#ifdef TRUTH
#define FINISH(v) (v)
#else
#define FINISH(v) CLAMP((int)((uint)(v) + (uint)p.q.zero), p.int_low, p.int_high)
#endif
#else
#define OPERAND(value, zero) (value)
#if defined TRUTH
#define FINISH(v) (v)
#elif REAL
#define FINISH(v) CLAMP(v, p.low, p.high)
#elif defined WIDE
#define FINISH(v) WIDE(v)
#else
#define FINISH(v) CLAMP(v, p.int_low, p.int_high)
#endif
#endif

#if REAL
inline float rounded_to_half(float v) {
    ushort bits;
    vstore_half(v, 0, (half*)&bits);
    return vload_half(0, (half*)&bits);
}
#undef F_STORED
#define F_STORED(v) (sizeof(TYPE) == sizeof(ushort) ? rounded_to_half(v) : (v))
#endif

#ifdef QUANTIZED
typedef int operand;
typedef int result;
#else
typedef VALUE operand;
typedef OUT_VALUE result;
#endif

#ifdef DIVISOR
#define CHECK(b)                                                                                             \
    if (DIVISOR(b) == 0) {                                                                                   \
        atomic_max(status, p.node);                                                                          \
        continue;                                                                                            \
    }
#else
#define CHECK(b)
#endif

#define ROW(BEGIN, END, LEFT, RIGHT)                                                                         \
    for (int i = BEGIN; i < END; i++) {                                                                      \
        const operand a = (LEFT), b = (RIGHT);                                                               \
        CHECK(b)                                                                                             \
        const result value = RESULT(a, b);                                                                   \
        OUT_STORE(out, out_place + i, FINISH(value));                                                        \
    }
#define LEFT_AT(i) OPERAND(LOAD(left, a_place + (i)), p.q.zero_a)
#define RIGHT_AT(i) OPERAND(LOAD(right, b_place + (i)), p.q.zero_b)

KERNEL binary(ITEM const LiteClBinaryArgs args, const __global TYPE* restrict left,
              const __global TYPE* restrict right, __global OUT_TYPE* restrict out
#ifdef DIVISOR
              ,
              __global int* restrict status
#endif
) {
    const LiteClBinaryArgs p = args;
    const int begin = (int)get_global_id(0) * p.chunk, end = min(begin + p.chunk, p.width);
    const int first = (int)get_global_id(1) * p.item_rows, last = min(first + p.item_rows, p.rows);
    for (int row = first; row < last; row++) {
        int a_place = 0, b_place = 0;
        for (int d = p.rank - 1, rest = row; d >= 0; d--) {
            const int index = rest % p.dims[d];
            rest /= p.dims[d];
            a_place += index * p.a_strides[d];
            b_place += index * p.b_strides[d];
        }
        const int out_place = row * p.width;
#ifdef SUMS_OF_BYTES
        for (int from = begin, to; from < end; from = to) {
            integers near = 0;
            for (to = from; to + VW <= end && to < from + 4 * VW; to += VW)
                near |=
                    sum_vector(p.sum, &p, left + a_place + to, right + b_place + to, out + out_place + to);
            if (to > from && !is_any(near)) continue;
            if (to == from) to = end;
            ROW(from, to, LEFT_AT(i), RIGHT_AT(i))
        }
        continue;
#endif
        if (p.a_step != 0 && p.b_step != 0) {
            ROW(begin, end, LEFT_AT(i), RIGHT_AT(i))
        } else if (p.a_step != 0) {
            const operand same = RIGHT_AT(0);
            ROW(begin, end, LEFT_AT(i), same)
        } else {
            const operand same = LEFT_AT(0);
            ROW(begin, end, same, RIGHT_AT(i * p.b_step))
        }
    }
}
