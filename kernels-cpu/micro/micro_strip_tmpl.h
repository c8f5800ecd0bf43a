// SPDX-License-Identifier: Apache-2.0
// Strips of depthwise convolutions (LiteStrip) for micro_tmpl.h. Levels that multiply fours of bytes take
// four filter lines at a time, the others two, as pairs of 16 bits. What a level with MICRO_DOT4 may define:
//   MICRO_INTERLEAVE(lines, in, count) lane n gets the bytes in[0][n] ... in[lines - 1][n], lowest first;
//                                      reads `count` <= MICRO_LANES of each
#ifdef MICRO_DOT4
#define STRIP_GROUP 4 // filter lines
#define STRIP_BITS 8  // of a value
#define STRIP_DOT(acc, x, y) MICRO_DOT4(acc, x, y)
#else
#define STRIP_GROUP 2
#define STRIP_BITS 16
#define STRIP_DOT(acc, x, y) MICRO_MADD(acc, x, y)
#endif
// The same byte as each value of a lane.
#define STRIP_ALL(byte) ((VI){0} + (int32_t)((byte) * (STRIP_GROUP == 4 ? UINT32_C(0x01010101) : 0x10001)))

#ifndef MICRO_INTERLEAVE
INLINE VI interleave(const int lines, const uint8_t* const* in, int count) {
    VI v = MICRO_EXTEND_U8(load_u8(in[0], count));
#pragma GCC unroll 4
    for (int i = 1; i < lines; i++) v |= MICRO_EXTEND_U8(load_u8(in[i], count)) << (STRIP_BITS * i);
    return v;
}
#define MICRO_INTERLEAVE(lines, in, count) interleave(lines, in, count)
#endif

// Input columns [begin, end) of a group of input lines from `first` on, interleaved.
INLINE void interleave_columns(const int lines, const int channels, const LiteStrip* s, int first, VI* to) {
    const uint8_t* in[STRIP_GROUP];
    size_t step[STRIP_GROUP];
    const VI flip = STRIP_ALL(s->flip);
    const VI* end = to + s->end;
#pragma GCC unroll 4
    for (int i = 0; i < lines; i++) {
        in[i] = s->in[first + i * s->line_dilation];
        step[i] = s->step[first + i * s->line_dilation];
    }
    for (to += s->begin; to < end; to++) {
        *to = MICRO_INTERLEAVE(lines, in, channels) ^ flip;
#pragma GCC unroll 4
        for (int i = 0; i < lines; i++) in[i] += step[i];
    }
}

// Functions of their own, so that the loop has the registers to itself.
#define INTERLEAVE_LINES(LINES)                                                                              \
    static __attribute__((noinline)) void interleave_##LINES(const LiteStrip* s, int first, VI* to) {        \
        if (s->channels < MICRO_LANES) {                                                                     \
            interleave_columns(LINES, s->channels, s, first, to);                                            \
        } else {                                                                                             \
            interleave_columns(LINES, MICRO_LANES, s, first, to);                                            \
        }                                                                                                    \
    }
INTERLEAVE_LINES(1)
INTERLEAVE_LINES(2)
#if STRIP_GROUP == 4
INTERLEAVE_LINES(3)
INTERLEAVE_LINES(4)
#endif

// `lines` input lines from `first` on as `width` columns for each group of them.
INLINE void interleave_lines(const LiteStrip* s, int first, int lines, int width, VI* to) {
    const VI padding = STRIP_ALL(s->padding);
    for (; lines > 0; lines -= STRIP_GROUP, first += STRIP_GROUP * s->line_dilation, to += width) {
        for (int column = 0; column < s->begin; column++) to[column] = padding;
        for (int column = s->end; column < width; column++) to[column] = padding;
        switch (lines) {
        case 1:
            interleave_1(s, first, to);
            break;
#if STRIP_GROUP == 4
        case 2:
            interleave_2(s, first, to);
            break;
        case 3:
            interleave_3(s, first, to);
            break;
        default:
            interleave_4(s, first, to);
#else
        default:
            interleave_2(s, first, to);
#endif
        }
    }
}

// What all outputs of a strip have in common; `relu` and `whole` are constants in the loops.
typedef struct StripFinish {
    bool relu;
    bool whole; // all lanes are channels
    bool usual;
    const LiteStrip* strip;
    FixedScale scale;
    Ends ends;
} StripFinish;

INLINE void finish_pixels(const StripFinish* f, const int pixels, const VI* acc, uint8_t* out) {
    const LiteStrip* s = f->strip;
    const size_t step = s->out_step;
    const int count = f->whole ? MICRO_LANES : s->channels;
    if (f->usual) {
        VI v[4];
#pragma GCC unroll 4
        for (int p = 0; p < 4; p++) v[p] = MICRO_FIXED(f->relu, acc[p < pixels ? p : 0], &f->scale);
        const VI bytes = MICRO_ORDER(MICRO_PACK(v, 0, &f->ends));
        MICRO_STORE_QUARTER(out, bytes, 0, count);
        if (pixels > 1) MICRO_STORE_QUARTER(out + step, bytes, 1, count);
        if (pixels > 2) MICRO_STORE_QUARTER(out + 2 * step, bytes, 2, count);
        if (pixels > 3) MICRO_STORE_QUARTER(out + 3 * step, bytes, 3, count);
        if (!MICRO_IS_NEAR(v, FRACTION, 2 * MARGIN)) return;
    }
    int32_t sums[4 * MICRO_LANES];
    for (int p = 0; p < pixels; p++) store(sums + p * MICRO_LANES, acc[p], MICRO_LANES);
    requantize_again(pixels, s->channels, sums, MICRO_LANES, &s->scale, 0, out, step);
}

// One output line, or two whose filters are in the same groups of input lines.
INLINE void strip_pixels(const StripFinish* f, const int rows, const int pixels, const size_t columns,
                         const size_t groups, const VI* in, size_t width, const VI* w, VI init,
                         uint8_t* out) {
    const size_t stride = (size_t)f->strip->stride, dilation = (size_t)f->strip->dilation;
    VI acc[2][4];
#pragma GCC unroll 4
    for (int p = 0; p < pixels; p++) acc[0][p] = acc[1][p] = init;
#pragma GCC unroll 3
    for (size_t x = 0; x < columns; x++, in += dilation) {
        for (size_t g = 0; g < groups; g++, w += rows) {
            const VI* from = in + g * width;
#pragma GCC unroll 4
            for (int p = 0; p < pixels; p++, from += stride) {
                acc[0][p] = STRIP_DOT(acc[0][p], *from, w[0]);
                if (rows > 1) acc[1][p] = STRIP_DOT(acc[1][p], *from, w[1]);
            }
        }
    }
    finish_pixels(f, pixels, acc[0], out);
    if (rows > 1) finish_pixels(f, pixels, acc[1], out + f->strip->out_row);
}

// The weights of an output line, in groups of filter lines, or `rows` of them: those of the second one are a
// line further down.
INLINE void strip_weights(const StripFinish* f, const int rows, const size_t columns, const size_t groups,
                          VI* w) {
    const uint8_t* from = f->strip->w;
    for (size_t i = 0; i < columns * groups; i++, w += rows, from += sizeof(VI)) {
        w[0] = load_i32(from, MICRO_LANES);
        if (rows == 1) continue;
        VU before = {0};
        if (i % groups != 0) before = (VU)load_i32(from - sizeof(VI), MICRO_LANES);
        w[1] = (VI)((VU)w[0] << STRIP_BITS | before >> (32 - STRIP_BITS));
    }
}

// All pixels of a line or two; `columns` and `groups` may be constants. The last four may be among those
// before.
INLINE void strip_line(const StripFinish* f, const int rows, const size_t columns, const size_t groups,
                       const VI* in, size_t width, uint8_t* out) {
    const LiteStrip* s = f->strip;
    const int count = s->pixels;
    const size_t stride = (size_t)s->stride, step = s->out_step;
    const VI init = load_i32(s->init, MICRO_LANES);
    VI w[2 * LITE_STRIP_SIZE];
    strip_weights(f, rows, columns, groups, w);
    for (int p = 0; p < count && count < 4; p++, in += stride, out += step) {
        strip_pixels(f, rows, 1, columns, groups, in, width, w, init, out);
    }
    for (int p = 0; p < count && count >= 4; p += 4) {
        const size_t at = (size_t)(p + 4 > count ? count - 4 : p);
        strip_pixels(f, rows, 4, columns, groups, in + at * stride, width, w, init, out + at * step);
    }
}

// Filters of 3 x 3 are most frequent. Two output lines are computed together where a group has room for what
// the second one reads.
INLINE void strip_rows(const StripFinish* f) {
    const LiteStrip* s = f->strip;
    VI in[LITE_STRIP_SIZE];
    const size_t of_three = (3 + STRIP_GROUP - 1) / STRIP_GROUP;
    const size_t columns = (size_t)s->columns;
    const size_t groups = (size_t)(s->lines + STRIP_GROUP - 1) / STRIP_GROUP;
    const int width = (s->pixels - 1) * s->stride + (s->columns - 1) * s->dilation + 1;
    const bool usual = columns == 3 && groups == of_three;
    const bool pairs = usual && s->lines % STRIP_GROUP != 0 && s->row_stride == 1 && s->line_dilation == 1;
    uint8_t* out = s->out;
    for (int row = 0, done; row < s->rows; row += done, out += (size_t)done * s->out_row) {
        done = pairs && row + 1 < s->rows ? 2 : 1;
        interleave_lines(s, row * s->row_stride, s->lines + done - 1, width, in);
        if (done == 2) {
            strip_line(f, 2, 3, of_three, in, (size_t)width, out);
        } else if (usual) {
            strip_line(f, 1, 3, of_three, in, (size_t)width, out);
        } else {
            strip_line(f, 1, columns, groups, in, (size_t)width, out);
        }
    }
}

static void depthwise_strip(const LiteStrip* s) {
    const LiteRequantization* q = &s->scale;
    const Scale scale = load_scale(q, 0, s->channels);
    StripFinish f = {.usual = is_usual(&scale, s->channels),
                     .strip = s,
                     .scale = fixed_scale(&scale, q),
                     .ends = ends_of(q)};
    if (s->channels < MICRO_LANES) {
        strip_rows(&f);
    } else if (q->low < q->zero_point) {
        f.whole = true;
        strip_rows(&f);
    } else {
        f.whole = f.relu = true;
        strip_rows(&f);
    }
}
