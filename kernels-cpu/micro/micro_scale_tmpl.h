// SPDX-License-Identifier: Apache-2.0
// Requantization for micro_tmpl.h. What a level may define:
//   MICRO_HIGH_MUL(x, y)               (x * y + 2^30) >> 31 in each lane
//   MICRO_MIN(x, y), MICRO_MAX(x, y)   in each lane
//   MICRO_STORE_BYTES(to, v, count)    the low bytes of the first `count` lanes, all for larger counts
// and for a faster form of the usual case all of
//   MICRO_FIXED(relu, sum, s)          sum * s->scale + s->half, or - s->half where the sum is negative
//                                      (with `relu` that may be left out), and s->start, as integers, large
//                                      ones cut off
//   MICRO_ANY(v)                       whether a lane is negative
//   MICRO_IS_NEAR(v, bits, margin)     whether a lane of v[0] ... v[3] is less than `margin`, a power of
//                                      2, in its low `bits` bits
//   MICRO_PACK(v, shift, e)            clamp(v >> 16 >> shift) ^ flip of all lanes of v[0] ... v[3], as
//                                      signed bytes, in the order that MICRO_SPREAD undoes
//   MICRO_ORDER(v)                     what MICRO_PACK gave, one vector after the other
//   MICRO_SPREAD(a, b, v)              bytes of a and b as pairs of 16 bits to v[0] ... v[3]
//   MICRO_STORE_HALF(to, v, i)         half i, 0 or 1, of such a vector of bytes
//   MICRO_STORE_QUARTER(to, v, i, count)   of quarter i, 0 to 3, `count` <= MICRO_LANES bytes
#ifndef MICRO_HIGH_MUL
INLINE VI high_mul(VI x, VI y) {
    VI v = {0};
    for (int i = 0; i < MICRO_LANES; i++) v[i] = (int32_t)(((int64_t)x[i] * y[i] + (INT64_C(1) << 30)) >> 31);
    return v;
}
#define MICRO_HIGH_MUL(x, y) high_mul(x, y)
#endif
#ifndef MICRO_MIN
#define MICRO_MIN(x, y) (((x) & ((x) < (y))) | ((y) & ((x) >= (y))))
#define MICRO_MAX(x, y) (((x) & ((x) > (y))) | ((y) & ((x) <= (y))))
#endif

#ifndef MICRO_STORE_BYTES
INLINE void store_bytes(uint8_t* to, VI v, int count) {
    for (int i = 0; i < MICRO_LANES && i < count; i++) to[i] = (uint8_t)v[i];
}
#define MICRO_STORE_BYTES(to, v, count) store_bytes(to, v, count)
#endif

// One vector of columns.
typedef struct Scale {
    VI multiplier;
    VI shift;
    VI start;
} Scale;

INLINE Scale load_scale(const LiteRequantization* q, int first, int count) {
    Scale s = {.multiplier = load_i32(q->multiplier + first, count),
               .shift = load_i32(q->shift + first, count)};
    if (q->start != NULL) s.start = load_i32(q->start + first, count);
    return s;
}

// lite_multiply without branches. (x * m + 2^30) >> 31 rounds as the doubling high multiply does, since the
// multiplier is never INT32_MIN; the second rounding, ties away from zero, compares what is shifted out.
INLINE VI scale_any(VI sum, const Scale* s) {
    const VI down = s->shift >> 31; // all ones where the shift is to the right
    const VI left = s->shift & ~down;
    const VI right = -(s->shift & down);
    const VI high = MICRO_HIGH_MUL(sum << left, s->multiplier);
    const VI mask = (VI)(((VU){0} + 1) << (VU)right) - 1;
    const VI threshold = (VI)((VU)mask >> 1) - (high >> 31);
    return (high >> right) - ((threshold - (high & mask)) >> 31);
}

INLINE void requantize_any(int rows, const int32_t* in, size_t in_step, int count, const Scale* s,
                           const LiteRequantization* q, uint8_t* out, size_t out_step) {
    const VI zero_point = (VI){0} + q->zero_point;
    const VI low = (VI){0} + q->low, high = (VI){0} + q->high;
    for (int r = 0; r < rows; r++, in += in_step, out += out_step) {
        const VI x = scale_any(load_i32(in, count) + s->start, s) + zero_point;
        MICRO_STORE_BYTES(out, MICRO_MIN(MICRO_MAX(x, low), high), count);
    }
}

#ifdef MICRO_FIXED
// The usual case, multipliers in [2^30, 2^31) and shifts to the right, in floats and yet exact. Of a product
// x * 2^-s the reference takes first the whole number next to x, then the one next to that times 2^-s, ties
// away from zero. Both together are
//   floor(x * 2^-s + 1/2 + 2^-(s + 1)) where x >= 0, floor(x * 2^-s + 1/2 - 2^-(s + 1)) elsewhere.
// Before the floor is taken there are FRACTION bits; what the roundings of floats amount to, for results that
// the clamp does not replace, is less than MARGIN there, whatever their mode: sum, multiplier, start,
// what they give and the integer of it 1 at most each, as there are 24 bits. Values that near to the next
// lower one are computed again in integers. Where the clamp starts at the zero point, as with RELU, it does
// not matter what becomes of negative values.
#define FRACTION 16
#define MARGIN 8

typedef struct FixedScale {
    VF scale;
    VF half;
    VF from;  // both
    VI first; // added to sums that come from memory
    int32_t start;
} FixedScale;

// 2^exponent
INLINE VF power_of_2(VI exponent) {
    return (VF)((exponent + 127) << 23);
}

INLINE FixedScale fixed_scale(const Scale* s, const LiteRequantization* q) {
    const int32_t moved = q->low < 0 ? 0 : 128; // signed bytes saturate
    // Lanes without a column, whose multiplier is 0, are not to come near to anything.
    const VF half = (VF)((VI)power_of_2(s->shift + (FRACTION - 1)) & (s->multiplier != 0));
    const int32_t start = (q->zero_point - moved) * (1 << FRACTION) + (1 << (FRACTION - 1)) + MARGIN;
    return (FixedScale){.scale = __builtin_convertvector(s->multiplier, VF) *
                                 power_of_2(s->shift + (FRACTION - 31)),
                        .half = half,
                        .from = half + (float)start,
                        .first = s->start,
                        .start = start};
}

INLINE VI all_lanes(uint32_t x) {
    return (VI)((VU){0} + x);
}

INLINE VI all_bytes(int32_t byte) {
    return all_lanes((uint8_t)byte * UINT32_C(0x01010101));
}

// clamp(v >> FRACTION) ^ flip, with signed bytes.
typedef struct Ends {
    VI low;
    VI high;
    VI flip;
} Ends;

INLINE Ends make_ends(int32_t low, int32_t high, bool is_signed) {
    const int32_t moved = is_signed ? 0 : 128;
    return (Ends){all_bytes(low - moved), all_bytes(high - moved), all_bytes(-moved)};
}

INLINE Ends ends_of(const LiteRequantization* q) {
    return make_ends(q->low, q->high, q->low < 0);
}

// Are the first `count` columns such a usual case?
INLINE bool is_usual(const Scale* s, int count) {
    VI number = {0};
    for (int i = 0; i < MICRO_LANES; i++) number[i] = i;
    const VI outside = (s->multiplier < 1 << 30) | (s->shift > -1);
    return !MICRO_ANY(outside & (number < count));
}

static __attribute__((noinline)) void requantize_again(int rows, int columns, const int32_t* in,
                                                       size_t in_step, const LiteRequantization* q, int first,
                                                       uint8_t* out, size_t out_step) {
    for (int i = 0; i < columns; i += MICRO_LANES) {
        const int count = columns - i < MICRO_LANES ? columns - i : MICRO_LANES;
        const Scale s = load_scale(q, first + i, count);
        requantize_any(rows, in + i, in_step, count, &s, q, out + i, out_step);
    }
}

// Two vectors of columns from `first` on, two rows at a time.
INLINE void requantize_two(const bool relu, int rows, const int32_t* in, size_t in_step, const FixedScale* s,
                           const LiteRequantization* q, int first, uint8_t* out, size_t out_step) {
    const Ends e = ends_of(q);
    for (; rows > 0; rows -= 2, in += 2 * in_step, out += 2 * out_step) {
        const int32_t* next = in + (rows > 1 ? in_step : 0);
        const VI v[4] = {
            MICRO_FIXED(relu, load_i32(in, MICRO_LANES) + s[0].first, s),
            MICRO_FIXED(relu, load_i32(in + MICRO_LANES, MICRO_LANES) + s[1].first, s + 1),
            MICRO_FIXED(relu, load_i32(next, MICRO_LANES) + s[0].first, s),
            MICRO_FIXED(relu, load_i32(next + MICRO_LANES, MICRO_LANES) + s[1].first, s + 1),
        };
        const VI bytes = MICRO_ORDER(MICRO_PACK(v, 0, &e));
        MICRO_STORE_HALF(out, bytes, 0);
        if (rows > 1) MICRO_STORE_HALF(out + out_step, bytes, 1);
        if (MICRO_IS_NEAR(v, FRACTION, 2 * MARGIN)) {
            requantize_again(rows > 1 ? 2 : 1, 2 * MICRO_LANES, in, in_step, q, first, out, out_step);
        }
    }
}

// At most one vector of columns, four rows at a time.
INLINE void requantize_one(const bool relu, int rows, const int32_t* in, size_t in_step, int count,
                           const FixedScale* s, const LiteRequantization* q, int first, uint8_t* out,
                           size_t out_step) {
    const Ends e = ends_of(q);
    for (; rows > 0; rows -= 4, in += 4 * in_step, out += 4 * out_step) {
        VI v[4];
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++) {
            v[r] = MICRO_FIXED(relu, load_i32(in + (r < rows ? r : 0) * in_step, count) + s->first, s);
        }
        const VI bytes = MICRO_ORDER(MICRO_PACK(v, 0, &e));
        MICRO_STORE_QUARTER(out, bytes, 0, count);
        if (rows > 1) MICRO_STORE_QUARTER(out + out_step, bytes, 1, count);
        if (rows > 2) MICRO_STORE_QUARTER(out + 2 * out_step, bytes, 2, count);
        if (rows > 3) MICRO_STORE_QUARTER(out + 3 * out_step, bytes, 3, count);
        if (MICRO_IS_NEAR(v, FRACTION, 2 * MARGIN)) {
            requantize_again(rows < 4 ? rows : 4, count, in, in_step, q, first, out, out_step);
        }
    }
}

INLINE void requantize_all(const bool relu, int rows, int columns, const int32_t* in, size_t in_step,
                           const LiteRequantization* q, uint8_t* out, size_t out_step) {
    for (int i = 0; i < columns; i += MICRO_LANES) {
        const int count = columns - i;
        const Scale s = load_scale(q, i, count);
        FixedScale fixed[2] = {fixed_scale(&s, q)};
        if (!is_usual(&s, count)) {
            requantize_any(rows, in + i, in_step, count, &s, q, out + i, out_step);
        } else if (count < MICRO_LANES) {
            requantize_one(relu, rows, in + i, in_step, count, fixed, q, i, out + i, out_step);
        } else {
            Scale next = s;
            const bool two = count >= 2 * MICRO_LANES;
            if (two) next = load_scale(q, i + MICRO_LANES, MICRO_LANES);
            if (two && is_usual(&next, MICRO_LANES)) {
                fixed[1] = fixed_scale(&next, q);
                requantize_two(relu, rows, in + i, in_step, fixed, q, i, out + i, out_step);
                i += MICRO_LANES;
            } else {
                requantize_one(relu, rows, in + i, in_step, MICRO_LANES, fixed, q, i, out + i, out_step);
            }
        }
    }
}

static void requantize(int rows, int columns, const int32_t* in, size_t in_step, const LiteRequantization* q,
                       uint8_t* out, size_t out_step) {
    if (q->low >= q->zero_point) {
        requantize_all(true, rows, columns, in, in_step, q, out, out_step);
    } else {
        requantize_all(false, rows, columns, in, in_step, q, out, out_step);
    }
}

// `scale` is at most 24 bits: its upper and lower parts times pairs of 16 bits.
#define LOW_BITS 14

typedef struct SumParts {
    VI start;
    VI high;
    VI low;
    int shift; // of the upper 16 bits of a sum
    Ends ends;
} SumParts;

INLINE SumParts sum_parts(const LiteByteSum* s) {
    const int32_t moved = s->is_signed ? 0 : 128;
    // Signed inputs have their sign bit flipped, unsigned outputs are moved into signed ones.
    const uint32_t flipped =
        s->is_signed ? 128 * ((uint32_t)s->scales[0] + (uint32_t)s->scales[1]) : (uint32_t)moved << s->bits;
    uint32_t high[2], low[2];
    for (int k = 0; k < 2; k++) {
        high[k] = (uint32_t)(s->scales[k] >> LOW_BITS);
        low[k] = (uint32_t)s->scales[k] & ((1 << LOW_BITS) - 1);
    }
    return (SumParts){
        .start = all_lanes((uint32_t)s->start - flipped),
        .high = all_lanes(high[1] << 16 | (high[0] & 0xFFFF)),
        .low = all_lanes(low[1] << 16 | low[0]),
        .shift = s->bits - 16,
        .ends = make_ends(s->low, s->high, s->is_signed),
    };
}

// A block of bytes, which may be where it was computed from.
#define BLOCK_VECTORS (LITE_SUM_BLOCK / (4 * MICRO_LANES))
INLINE void store_block(uint8_t* out, const VI* bytes) {
#pragma GCC unroll 2
    for (int n = 0; n < BLOCK_VECTORS; n++) store(out + 4 * n * MICRO_LANES, bytes[n], MICRO_LANES);
}

static int sum_bytes(int count, const uint8_t* a, const uint8_t* b, const LiteByteSum* s, uint8_t* out) {
    const SumParts parts = sum_parts(s);
    const VI flip = all_lanes(s->is_signed ? 0x80808080 : 0);
    const int32_t margin = s->margin, bits = s->bits;
    int i = 0;
    for (; i + LITE_SUM_BLOCK <= count; i += LITE_SUM_BLOCK) {
        VI bytes[BLOCK_VECTORS];
        bool near = false;
#pragma GCC unroll 2
        for (int n = 0; n < BLOCK_VECTORS; n++) {
            const int at = i + 4 * n * MICRO_LANES;
            VI v[4];
            MICRO_SPREAD(load_i32(a + at, MICRO_LANES) ^ flip, load_i32(b + at, MICRO_LANES) ^ flip, v);
#pragma GCC unroll 4
            for (int k = 0; k < 4; k++) {
                const VI high = MICRO_MADD((VI){0}, v[k], parts.high);
                v[k] = MICRO_MADD((high << LOW_BITS) + parts.start, v[k], parts.low);
            }
            bytes[n] = MICRO_PACK(v, parts.shift, &parts.ends);
            near |= MICRO_IS_NEAR(v, bits, margin);
        }
        if (near) break;
        store_block(out + i, bytes);
    }
    return i;
}
#else
static void requantize(int rows, int columns, const int32_t* in, size_t in_step, const LiteRequantization* q,
                       uint8_t* out, size_t out_step) {
    for (int i = 0; i < columns; i += MICRO_LANES) {
        const int count = columns - i;
        const Scale s = load_scale(q, i, count);
        requantize_any(rows, in + i, in_step, count, &s, q, out + i, out_step);
    }
}
#endif
