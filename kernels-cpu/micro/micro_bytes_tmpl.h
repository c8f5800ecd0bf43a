// SPDX-License-Identifier: Apache-2.0
// The kernels of micro_tmpl.h that multiply bytes, for levels that define
//   MICRO_DOT4(acc, x, y)              acc + the sum of the four products of unsigned bytes of x and signed
//                                      ones of y in each lane; nothing saturates
// and may define
//   MICRO_INTERLEAVE(lines, in, count) lane n gets the bytes in[0][n] ... in[lines - 1][n], lowest first;
//                                      reads `count` <= MICRO_LANES of each
INLINE VI broadcast_quad(const uint8_t* from) {
    int32_t quad;
    memcpy(&quad, from, sizeof quad);
    return (VI){0} + quad;
}

INLINE void gemm_u8_tile(const int rows, const int vectors, const LiteByteTile* t, int32_t* c) {
    VI acc[MICRO_ROWS][2];
    const uint8_t* a = t->a;
    const int8_t *b = t->b, *ahead = t->ahead;
    const size_t a_stride = t->a_stride, ahead_step = t->ahead_step;
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) {
            acc[r][v] = load_i32(t->init + v * MICRO_LANES, MICRO_LANES);
            if (t->offsets != NULL) acc[r][v] += t->offsets[r];
        }
    }
    for (int q = t->quads; q > 0; q--, a += 4, b += 4 * PANEL, ahead += ahead_step) {
        VI w[2];
        __builtin_prefetch(ahead, 0, 2);
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) w[v] = load_i32(b + 4 * v * MICRO_LANES, MICRO_LANES);
#pragma GCC unroll 8
        for (int r = 0; r < rows; r++) {
            const VI x = broadcast_quad(a + r * a_stride);
#pragma GCC unroll 2
            for (int v = 0; v < vectors; v++) acc[r][v] = MICRO_DOT4(acc[r][v], x, w[v]);
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) store(c + r * PANEL + v * MICRO_LANES, acc[r][v], MICRO_LANES);
    }
}

// A single row would wait for its sums: four quads have sums of their own.
static void gemm_u8_row(const LiteByteTile* t, int32_t* c) {
    VI acc[4][2] = {{{0}}};
    const uint8_t* a = t->a;
    const int8_t* b = t->b;
    int q = 0;
    for (; q + 4 <= t->quads; q += 4, a += 16, b += 16 * PANEL) {
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            const VI x = broadcast_quad(a + 4 * i);
            const int8_t* w = b + 4 * i * PANEL;
            acc[i][0] = MICRO_DOT4(acc[i][0], x, load_i32(w, MICRO_LANES));
            acc[i][1] = MICRO_DOT4(acc[i][1], x, load_i32(w + 4 * MICRO_LANES, MICRO_LANES));
        }
    }
    for (; q < t->quads; q++, a += 4, b += 4 * PANEL) {
        const VI x = broadcast_quad(a);
        acc[0][0] = MICRO_DOT4(acc[0][0], x, load_i32(b, MICRO_LANES));
        acc[0][1] = MICRO_DOT4(acc[0][1], x, load_i32(b + 4 * MICRO_LANES, MICRO_LANES));
    }
    const int32_t offset = t->offsets == NULL ? 0 : t->offsets[0];
#pragma GCC unroll 2
    for (int v = 0; v < 2; v++) {
        const VI sum = acc[0][v] + acc[1][v] + acc[2][v] + acc[3][v] + offset;
        store(c + v * MICRO_LANES, sum + load_i32(t->init + v * MICRO_LANES, MICRO_LANES), MICRO_LANES);
    }
}

static void gemm_u8(const LiteByteTile* t, int32_t* c) {
#define GEMM_U8_CASE(ROWS)                                                                                   \
    case ROWS:                                                                                               \
        if (t->columns > MICRO_LANES) {                                                                      \
            gemm_u8_tile(ROWS, 2, t, c);                                                                     \
        } else {                                                                                             \
            gemm_u8_tile(ROWS, 1, t, c);                                                                     \
        }                                                                                                    \
        break;
    if (t->rows == 1) {
        gemm_u8_row(t, c);
        return;
    }
    switch (t->rows) { FOR_ROWS(GEMM_U8_CASE) }
}

static void gather_u8(int pixels, int lines, const uint8_t* const* in, size_t in_step, size_t run,
                      uint8_t flip, uint8_t* out, size_t out_step) {
    const VI flips = (VI){0} + flip * 0x01010101;
    for (size_t p = 0; p < (size_t)pixels; p++, out += out_step) {
        uint8_t* to = out;
        for (int l = 0; l < lines; l++, to += run) {
            const uint8_t* from = in[l] + p * in_step;
            for (size_t i = 0; i < run; i += sizeof(VI)) {
                store(to + i, load_i32(from + i, MICRO_LANES) ^ flips, MICRO_LANES);
            }
        }
    }
}

#ifndef MICRO_INTERLEAVE
INLINE VI interleave(const int lines, const uint8_t* const* in, int count) {
    VI v = MICRO_EXTEND_U8(load_u8(in[0], count));
#pragma GCC unroll 4
    for (int i = 1; i < lines; i++) v |= MICRO_EXTEND_U8(load_u8(in[i], count)) << (8 * i);
    return v;
}
#define MICRO_INTERLEAVE(lines, in, count) interleave(lines, in, count)
#endif

// Input columns [begin, end) of up to four filter lines, interleaved.
INLINE void interleave_columns(const int lines, const int channels, const LiteStrip* s, int first_line,
                               VI* to) {
    const uint8_t* in[4];
    size_t step[4];
    const VI flip = (VI){0} + s->flip * 0x01010101;
    const VI* end = to + s->end;
#pragma GCC unroll 4
    for (int i = 0; i < lines; i++) {
        in[i] = s->in[first_line + i];
        step[i] = s->step[first_line + i];
    }
    for (to += s->begin; to < end; to++) {
        *to = MICRO_INTERLEAVE(lines, in, channels) ^ flip;
#pragma GCC unroll 4
        for (int i = 0; i < lines; i++) in[i] += step[i];
    }
}

// Functions of their own, so that the loop has the registers to itself.
#define INTERLEAVE_LINES(LINES)                                                                              \
    static __attribute__((noinline)) void interleave_##LINES(const LiteStrip* s, int first_line, VI* to) {   \
        if (s->channels < MICRO_LANES) {                                                                     \
            interleave_columns(LINES, s->channels, s, first_line, to);                                       \
        } else {                                                                                             \
            interleave_columns(LINES, MICRO_LANES, s, first_line, to);                                       \
        }                                                                                                    \
    }
INTERLEAVE_LINES(1)
INTERLEAVE_LINES(2)
INTERLEAVE_LINES(3)
INTERLEAVE_LINES(4)

INLINE void strip_pixels(const int pixels, const size_t columns, const size_t groups, const LiteStrip* s,
                         const VI* in, size_t width, int32_t* out) {
    const size_t stride = (size_t)s->stride, dilation = (size_t)s->dilation;
    const int8_t* w = s->w;
    VI acc[4];
#pragma GCC unroll 4
    for (int p = 0; p < pixels; p++) acc[p] = load_i32(s->init, MICRO_LANES);
#pragma GCC unroll 3
    for (size_t x = 0; x < columns; x++, in += dilation) {
        for (size_t g = 0; g < groups; g++, w += 4 * MICRO_LANES) {
            const VI weights = load_i32(w, MICRO_LANES);
            const VI* from = in + g * width;
#pragma GCC unroll 4
            for (int p = 0; p < pixels; p++, from += stride) acc[p] = MICRO_DOT4(acc[p], *from, weights);
        }
    }
#pragma GCC unroll 4
    for (int p = 0; p < pixels; p++) store(out + p * MICRO_LANES, acc[p], MICRO_LANES);
}

// All pixels, four at a time; `columns` and `groups` may be constants.
INLINE void strip_product(const size_t columns, const size_t groups, const LiteStrip* s, const VI* in,
                          size_t width, int32_t* out) {
    int p = 0;
    for (; p + 4 <= s->pixels; p += 4, in += 4 * (size_t)s->stride, out += 4 * MICRO_LANES) {
        strip_pixels(4, columns, groups, s, in, width, out);
    }
    for (; p < s->pixels; p++, in += s->stride, out += MICRO_LANES) {
        strip_pixels(1, columns, groups, s, in, width, out);
    }
}

static void depthwise_strip(const LiteStrip* s, int32_t* out) {
    VI in[LITE_STRIP_SIZE];
    const int width = (s->pixels - 1) * s->stride + (s->columns - 1) * s->dilation + 1;
    const VI padding = (VI){0} + (int32_t)(s->padding * 0x01010101u);
    VI* to = in;
    for (int line = 0; line < s->lines; line += 4, to += width) {
        for (int column = 0; column < s->begin; column++) to[column] = padding;
        for (int column = s->end; column < width; column++) to[column] = padding;
        switch (s->lines - line) {
        case 1:
            interleave_1(s, line, to);
            break;
        case 2:
            interleave_2(s, line, to);
            break;
        case 3:
            interleave_3(s, line, to);
            break;
        default:
            interleave_4(s, line, to);
        }
    }
    if (s->columns == 3 && s->lines <= 4) {
        strip_product(3, 1, s, in, (size_t)width, out);
    } else {
        strip_product((size_t)s->columns, (size_t)(s->lines + 3) / 4, s, in, (size_t)width, out);
    }
}
