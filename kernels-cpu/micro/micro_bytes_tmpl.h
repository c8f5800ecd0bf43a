// SPDX-License-Identifier: Apache-2.0
// Elements of 8 bits for micro_tmpl.h, where the level has the faster form of micro_scale_tmpl.h. What it has
// to define besides:
//   MICRO_NEAREST(x)                   floats as integers, INT32_MIN where they do not fit or are NaN
//   MICRO_MULTIPLY(a, b, za, zb, v)    products of unsigned bytes, less za and zb in pairs of 16 bits, to
//                                      v[0] ... v[3], in the order of MICRO_SPREAD
// Blocks of LITE_SUM_BLOCK elements are given up from the first one on that has a value which may belong to
// the next lower number.

static int multiply_bytes(int count, const uint8_t* a, const uint8_t* b, const LiteByteProduct* p,
                          uint8_t* out) {
    const LiteRequantization q = {.zero_point = p->zero_point, .low = p->low, .high = p->high};
    const Scale scale = {.multiplier = (VI){0} + p->multiplier, .shift = (VI){0} + p->shift};
    const FixedScale float_scale = fixed_scale(&scale, &q);
    const Ends ends = ends_of(&q);
    // Signed bytes with their sign bit flipped are larger by 128.
    const int32_t moved = p->is_signed ? 128 : 0;
    const VI flip = (VI){0} + (p->is_signed ? (int32_t)0x80808080 : 0);
    const VI zero_a = (VI){0} + (p->zero_points[0] + moved) * 0x10001;
    const VI zero_b = (VI){0} + (p->zero_points[1] + moved) * 0x10001;
    int i = 0;
    for (; i + LITE_SUM_BLOCK <= count; i += LITE_SUM_BLOCK) {
        VI bytes[BLOCK_VECTORS];
        bool near = false;
#pragma GCC unroll 2
        for (int n = 0; n < BLOCK_VECTORS; n++) {
            const int at = i + 4 * n * MICRO_LANES;
            VI v[4];
            MICRO_MULTIPLY(load_i32(a + at, MICRO_LANES) ^ flip, load_i32(b + at, MICRO_LANES) ^ flip, zero_a,
                           zero_b, v);
#pragma GCC unroll 4
            for (int k = 0; k < 4; k++) v[k] = MICRO_FIXED(false, v[k], &float_scale);
            bytes[n] = MICRO_PACK(v, 0, &ends);
            near |= MICRO_IS_NEAR(v, FRACTION, 2 * MARGIN);
        }
        if (near) break;
        store_block(out + i, bytes);
    }
    return i;
}

// What the roundings of floats amount to is again less than MARGIN, for results that the clamp does not
// replace: the quotient that is defined is rounded by 1 at most, as are the scale, the sum and the integer.
// INT32_MIN is as near to the next lower number as can be.
static int quantize_bytes(int count, const float* in, const LiteFloatBytes* f, uint8_t* out) {
    const LiteRequantization q = {.zero_point = f->zero_point, .low = f->low, .high = f->high};
    const int32_t moved = f->low < 0 ? 0 : 128;
    const Ends ends = ends_of(&q);
    const VF scale = splat((float)((1 << FRACTION) / (double)f->scale));
    const VF start = splat((float)(f->zero_point - moved) * (1 << FRACTION) + (1 << (FRACTION - 1)) + MARGIN);
    int i = 0;
    for (; i + LITE_SUM_BLOCK <= count; i += LITE_SUM_BLOCK) {
        bool near = false;
        for (int n = i; n < i + LITE_SUM_BLOCK; n += 4 * MICRO_LANES) {
            VI v[4];
#pragma GCC unroll 4
            for (int k = 0; k < 4; k++) {
                const VF x = (VF)load_i32(in + n + k * MICRO_LANES, MICRO_LANES);
                v[k] = MICRO_NEAREST(x * scale + start);
            }
            store(out + n, MICRO_ORDER(MICRO_PACK(v, 0, &ends)), MICRO_LANES);
            near |= MICRO_IS_NEAR(v, FRACTION, 2 * MARGIN);
        }
        if (near) break;
    }
    return i;
}
