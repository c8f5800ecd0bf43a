// SPDX-License-Identifier: Apache-2.0
// What becomes of elements that are joined, and where they are, for reduce.cl and reduce_columns.cl.

#ifdef VECTORS
typedef vector accumulator;
#define READ(i) VREAD(x + (i))
#define WRITE(i, v) VWRITE(v, y + (i))
#elif defined(BYTE_VECTORS)
typedef integers accumulator;
#define READ(i) CONVERT(int, VLOAD(x + (i)))
#else
typedef long accumulator;
#define READ(i) ((accumulator)LOAD(x, i))
#define WRITE(i, v) STORE(y, i, v)
#endif

// What has been joined for outputs from `i` on.
#ifdef BYTE_VECTORS
#define WRITE_ALL(i, acc)                                                                                    \
    do {                                                                                                     \
        int each[VW];                                                                                        \
        VSTORE(acc, each);                                                                                   \
        for (int k = 0; k < VW; k++) STORE(y, (i) + k, FINISH(each[k]));                                     \
    } while (0)
#else
#define WRITE_ALL(i, acc) WRITE(i, FINISH(acc))
#endif

#ifdef QUANTIZED
// Products are scaled factor by factor; the start is no product of theirs.
#define NO_FACTOR LONG_MIN
#define FACTOR(v) ((v) - (long)a.bias)
#define SCALED_PRODUCT(acc, v) ((acc) == NO_FACTOR ? FACTOR(v) : multiply_long((acc)*FACTOR(v), a.multiplier))
#define LAST_FACTOR(acc) CLAMP((long)multiply_long(acc, a.multiplier) + a.zero, a.low, a.high)

// Sums of quantized values, to the scale of the output.
#define RESCALED(acc)                                                                                        \
    CLAMP(multiply((int)(uint)((ulong)(acc) - (ulong)(long)a.bias), a.multiplier) + a.zero, a.low, a.high)
// The same in float, as the reference does for int8.
#define ROUNDED(acc)                                                                                         \
    CLAMP((int)clamp(round((float)(acc)*a.ratio + a.offset), -1e9f, 1e9f) + a.zero, a.low, a.high)
#endif

// Where row r begins, and element r of its reduced dimensions.
inline int begin_of(const LiteClReduceArgs* a, int row) {
    int base = 0;
    for (int d = a->outer_rank - 1, rest = row; d >= 0; d--) {
        base += rest % a->outer_dims[d] * a->outer_strides[d];
        rest /= a->outer_dims[d];
    }
    return base;
}

inline int place_of(const LiteClReduceArgs* a, int r) {
    int offset = 0;
    for (int d = a->reduced_rank - 1, rest = r; d >= 0; d--) {
        offset += rest % a->reduced_dims[d] * a->reduced_strides[d];
        rest /= a->reduced_dims[d];
    }
    return offset;
}
