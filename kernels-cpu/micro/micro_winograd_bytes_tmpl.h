// SPDX-License-Identifier: Apache-2.0
// The part of micro_tmpl.h for Winograd's transforms of bytes (micro_table.h).

#define SHORTS (2 * MICRO_LANES)
typedef int16_t VS __attribute__((vector_size(2 * SHORTS)));
typedef int8_t VSI8 __attribute__((vector_size(SHORTS)));
typedef uint8_t VSU8 __attribute__((vector_size(SHORTS)));

INLINE VS load_shorts(const bool is_signed, const uint8_t* from) {
    if (is_signed) {
        VSI8 v;
        memcpy(&v, from, sizeof v);
        return __builtin_convertvector(v, VS);
    }
    VSU8 v;
    memcpy(&v, from, sizeof v);
    return __builtin_convertvector(v, VS);
}

// One dimension, of vectors or numbers.
#define WINOGRAD_BYTES_LINE(d, v, step)                                                                      \
    (v)[0] = (d)[0] - (d)[2], (v)[step] = (d)[2] + (d)[1], (v)[2 * (step)] = (d)[2] - (d)[1],                \
    (v)[3 * (step)] = (d)[3] - (d)[1]

// A vector of channels. Differences have no zero point, and sums of two have it twice.
INLINE void winograd_bytes_block(const bool is_signed, const LiteWinogradBytes* t, size_t c) {
    const VS zeros = (VS){0} + (int16_t)(2 * t->zero_point);
    VS half[16]; // [line][column], columns are done
#pragma GCC unroll 4
    for (size_t x = 0; x < 4; x++) {
        VS d[4];
#pragma GCC unroll 4
        for (size_t y = 0; y < 4; y++) d[y] = load_shorts(is_signed, t->in + y * t->line + x * t->pixel + c);
        WINOGRAD_BYTES_LINE(d, half + x, 4);
        half[4 + x] -= zeros;
    }
#pragma GCC unroll 4
    for (size_t y = 0; y < 4; y++) {
        VS v[4];
        WINOGRAD_BYTES_LINE(half + 4 * y, v, 1);
#pragma GCC unroll 4
        for (size_t x = 0; x < 4; x++) memcpy(t->out + (4 * y + x) * t->plane + c, &v[x], sizeof v[x]);
    }
}

static void winograd_bytes_channel(const LiteWinogradBytes* t, size_t c) {
    int half[16] = {0}, v[16] = {0};
    for (size_t x = 0; x < 4; x++) {
        int d[4];
        for (size_t y = 0; y < 4; y++) {
            const uint8_t byte = t->in[y * t->line + x * t->pixel + c];
            d[y] = (t->is_signed ? (int8_t)byte : byte) - t->zero_point;
        }
        WINOGRAD_BYTES_LINE(d, half + x, 4);
    }
    for (size_t y = 0; y < 4; y++) WINOGRAD_BYTES_LINE(half + 4 * y, v + 4 * y, 1);
    for (size_t p = 0; p < 16; p++) t->out[p * t->plane + c] = (int16_t)v[p];
}

// The last vector begins earlier where channels are not whole ones.
INLINE void winograd_bytes_tile(const bool is_signed, const LiteWinogradBytes* t) {
    const size_t channels = (size_t)t->channels;
    for (size_t c = 0; c < channels && channels < SHORTS; c++) winograd_bytes_channel(t, c);
    for (size_t c = 0; c < channels && channels >= SHORTS; c += SHORTS)
        winograd_bytes_block(is_signed, t, c + SHORTS <= channels ? c : channels - SHORTS);
}

static void winograd_bytes(const LiteWinogradBytes* t) {
    if (t->is_signed) {
        winograd_bytes_tile(true, t);
    } else {
        winograd_bytes_tile(false, t);
    }
}

static void winograd_sums(const LiteWinogradSums* t) {
    for (size_t c = 0; c < (size_t)t->channels; c += MICRO_LANES) {
        VU half[8]; // [line][column]
#pragma GCC unroll 4
        for (size_t x = 0; x < 4; x++) {
            VU m[4];
#pragma GCC unroll 4
            for (size_t y = 0; y < 4; y++)
                m[y] = (VU)load_i32(t->in + (4 * y + x) * t->plane + c, MICRO_LANES);
            half[x] = m[0] + m[1] + m[2];
            half[4 + x] = m[1] - m[2] + m[3];
        }
#pragma GCC unroll 2
        for (size_t y = 0; y < 2; y++) {
            const VU* m = half + 4 * y;
            int32_t* out = t->out + y * t->line + c;
            store(out, (VI)(m[0] + m[1] + m[2]) >> 2, MICRO_LANES);
            store(out + t->pixel, (VI)(m[1] - m[2] + m[3]) >> 2, MICRO_LANES);
        }
    }
}
