// SPDX-License-Identifier: Apache-2.0
// Requantization for micro_tmpl.h. What a level may define:
//   MICRO_HIGH_MUL(x, y)               (x * y + 2^30) >> 31 in each lane
//   MICRO_MIN(x, y), MICRO_MAX(x, y)   in each lane
//   MICRO_STORE_BYTES(to, v, count)    the low bytes of the first `count` lanes, all for larger counts
// and for a faster form of the usual case all of
//   MICRO_HIGH_HALF(x, y)              (x * y + 2^31) >> 32 in each lane
//   MICRO_ANY(v)                       whether a lane is negative
//   MICRO_HALVE(v, e)                  finish_lane of all lanes of v[0] ... v[3], as bytes one after the
//   other MICRO_STORE_HALF(to, v, i)         half i, 0 or 1, of such a vector of bytes
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
} Scale;

INLINE Scale load_scale(const LiteRequantization* q, int first, int count) {
    return (Scale){load_i32(q->multiplier + first, count), load_i32(q->shift + first, count)};
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
        const VI x = scale_any(load_i32(in, count), s) + zero_point;
        MICRO_STORE_BYTES(out, MICRO_MIN(MICRO_MAX(x, low), high), count);
    }
}

#ifdef MICRO_HIGH_HALF
// The usual case, multipliers in [2^30, 2^31) and shifts to the right by at least 2, in half the
// instructions:
// - Twice the multiplier is its bit pattern shifted, as a signed number 2^32 too small: the high half of the
//   product lacks x.
// - Ties away from zero are halves rounded up, of one less when the value is negative; the sign is that of
//   the sum (where the high half is 0 for a negative sum, one less does not change the result). Where the
//   clamp starts at the zero point, as with RELU, negative values all become the same.
// - The last bit of the shift is left for later: then rounding, zero point and clamp take 16 bits, in which
//   saturation changes nothing, since outputs have 8.
INLINE VI scale_down(const bool relu, VI sum, const Scale* s) {
    const VI high = MICRO_HIGH_HALF(sum, s->multiplier << 1);
    return (high + (relu ? sum : sum - (VI)((VU)sum >> 31))) >> (-1 - s->shift);
}

// finish_lane(x) = clamp((saturate(x) + offset) >> 1, low, high) ^ flip, with saturating sums of 16 bits and
// signed bytes: what is flipped are unsigned outputs.
typedef struct Ends {
    int16_t offset;
    int8_t low;
    int8_t high;
    int8_t flip;
} Ends;

INLINE Ends ends_of(const LiteRequantization* q) {
    const int32_t moved = q->low < 0 ? 0 : 128;
    return (Ends){.offset = (int16_t)(1 + 2 * (q->zero_point - moved)),
                  .low = (int8_t)(q->low - moved),
                  .high = (int8_t)(q->high - moved),
                  .flip = (int8_t)-moved};
}

// Is scale_down good for the first `count` columns?
INLINE bool scales_down(const Scale* s, int count) {
    VI number = {0};
    for (int i = 0; i < MICRO_LANES; i++) number[i] = i;
    const VI outside = (s->multiplier < 1 << 30) | (s->shift > -2);
    return !MICRO_ANY(outside & (number < count));
}

// Two vectors of columns, two rows at a time.
INLINE void requantize_two(const bool relu, int rows, const int32_t* in, size_t in_step, const Scale* s,
                           const Ends* e, uint8_t* out, size_t out_step) {
    for (; rows > 0; rows -= 2, in += 2 * in_step, out += 2 * out_step) {
        const int32_t* next = in + (rows > 1 ? in_step : 0);
        const VI v[4] = {
            scale_down(relu, load_i32(in, MICRO_LANES), &s[0]),
            scale_down(relu, load_i32(in + MICRO_LANES, MICRO_LANES), &s[1]),
            scale_down(relu, load_i32(next, MICRO_LANES), &s[0]),
            scale_down(relu, load_i32(next + MICRO_LANES, MICRO_LANES), &s[1]),
        };
        const VI bytes = MICRO_HALVE(v, e);
        MICRO_STORE_HALF(out, bytes, 0);
        if (rows > 1) MICRO_STORE_HALF(out + out_step, bytes, 1);
    }
}

// At most one vector of columns, four rows at a time.
INLINE void requantize_one(const bool relu, int rows, const int32_t* in, size_t in_step, int count,
                           const Scale* s, const Ends* e, uint8_t* out, size_t out_step) {
    for (; rows > 0; rows -= 4, in += 4 * in_step, out += 4 * out_step) {
        VI v[4];
#pragma GCC unroll 4
        for (int r = 0; r < 4; r++)
            v[r] = scale_down(relu, load_i32(in + (r < rows ? r : 0) * in_step, count), s);
        const VI bytes = MICRO_HALVE(v, e);
        MICRO_STORE_QUARTER(out, bytes, 0, count);
        if (rows > 1) MICRO_STORE_QUARTER(out + out_step, bytes, 1, count);
        if (rows > 2) MICRO_STORE_QUARTER(out + 2 * out_step, bytes, 2, count);
        if (rows > 3) MICRO_STORE_QUARTER(out + 3 * out_step, bytes, 3, count);
    }
}

INLINE void requantize_all(const bool relu, int rows, int columns, const int32_t* in, size_t in_step,
                           const LiteRequantization* q, uint8_t* out, size_t out_step) {
    const Ends e = ends_of(q);
    for (int i = 0; i < columns; i += MICRO_LANES) {
        const int count = columns - i;
        Scale s[2] = {load_scale(q, i, count)};
        if (!scales_down(&s[0], count)) {
            requantize_any(rows, in + i, in_step, count, &s[0], q, out + i, out_step);
        } else if (count < MICRO_LANES) {
            requantize_one(relu, rows, in + i, in_step, count, &s[0], &e, out + i, out_step);
        } else {
            const bool two = count >= 2 * MICRO_LANES;
            if (two) s[1] = load_scale(q, i + MICRO_LANES, MICRO_LANES);
            if (two && scales_down(&s[1], MICRO_LANES)) {
                requantize_two(relu, rows, in + i, in_step, s, &e, out + i, out_step);
                i += MICRO_LANES;
            } else {
                requantize_one(relu, rows, in + i, in_step, MICRO_LANES, &s[0], &e, out + i, out_step);
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

// Four vectors of sums: finished like those of scale_down, which leave a last bit too. The least fraction
// that was seen goes to `least`.
INLINE void sum_four(const bool is_signed, const uint8_t* a, const uint8_t* b, const LiteByteSum* s,
                     const Ends* e, VI* least, uint8_t* out) {
    const VI fraction = (VI){0} + (int32_t)((1u << s->bits) - 1);
    VI v[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        const uint8_t *left = a + i * MICRO_LANES, *right = b + i * MICRO_LANES;
        const VI x = is_signed ? MICRO_EXTEND_I8(load_i8(left, MICRO_LANES))
                               : MICRO_EXTEND_U8(load_u8(left, MICRO_LANES));
        const VI y = is_signed ? MICRO_EXTEND_I8(load_i8(right, MICRO_LANES))
                               : MICRO_EXTEND_U8(load_u8(right, MICRO_LANES));
        const VI sum = s->start + x * s->scales[0] + y * s->scales[1];
        *least = MICRO_MIN(*least, sum & fraction);
        v[i] = sum >> (s->bits - 1);
    }
    store(out, MICRO_HALVE(v, e), MICRO_LANES);
}

INLINE int sum_blocks(const bool is_signed, int count, const uint8_t* a, const uint8_t* b,
                      const LiteByteSum* s, uint8_t* out) {
    const int32_t moved = is_signed ? 0 : 128;
    const Ends e = {.offset = (int16_t)(-2 * moved),
                    .low = (int8_t)(s->low - moved),
                    .high = (int8_t)(s->high - moved),
                    .flip = (int8_t)-moved};
    int i = 0;
    for (; i + LITE_SUM_BLOCK <= count; i += LITE_SUM_BLOCK) {
        VI least = (VI){0} + s->margin;
        for (int n = i; n < i + LITE_SUM_BLOCK; n += 4 * MICRO_LANES) {
            sum_four(is_signed, a + n, b + n, s, &e, &least, out + n);
        }
        if (MICRO_ANY(least - s->margin)) break;
    }
    return i;
}

static int sum_bytes(int count, const uint8_t* a, const uint8_t* b, const LiteByteSum* s, uint8_t* out) {
    return s->is_signed ? sum_blocks(true, count, a, b, s, out) : sum_blocks(false, count, a, b, s, out);
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
