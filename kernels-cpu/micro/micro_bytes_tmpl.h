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

// How sums become bytes.
typedef struct ByteFinish {
    bool relu;
    FixedScale scale[2];
    Ends ends;
    const LiteRequantization* scales;
} ByteFinish;

INLINE void finish_tile(const bool relu, const int rows, const int vectors, const ByteFinish* f, VI (*acc)[2],
                        uint8_t* out, size_t out_step) {
    const int together = 4 / vectors; // rows
#pragma GCC unroll 8
    for (int r = 0; r < rows; r += together, out += (size_t)together * out_step) {
        const int count = rows - r < together ? rows - r : together;
        VI v[4];
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            const int row = i / vectors < count ? r + i / vectors : r;
            v[i] = MICRO_FIXED(relu, acc[row][i % vectors], &f->scale[i % vectors]);
        }
        const VI bytes = MICRO_ORDER(MICRO_PACK(v, 0, &f->ends));
        if (vectors == 2) {
            MICRO_STORE_HALF(out, bytes, 0);
            if (count > 1) MICRO_STORE_HALF(out + out_step, bytes, 1);
        } else {
            MICRO_STORE_QUARTER(out, bytes, 0, MICRO_LANES);
            if (count > 1) MICRO_STORE_QUARTER(out + out_step, bytes, 1, MICRO_LANES);
            if (count > 2) MICRO_STORE_QUARTER(out + 2 * out_step, bytes, 2, MICRO_LANES);
            if (count > 3) MICRO_STORE_QUARTER(out + 3 * out_step, bytes, 3, MICRO_LANES);
        }
        if (MICRO_IS_NEAR(v, FRACTION, 2 * MARGIN)) {
            int32_t sums[4 * MICRO_LANES];
#pragma GCC unroll 4
            for (int i = 0; i < count * vectors; i++) {
                store(sums + i * MICRO_LANES, acc[r + i / vectors][i % vectors], MICRO_LANES);
            }
            const int columns = vectors * MICRO_LANES;
            requantize_again(count, columns, sums, (size_t)columns, f->scales, 0, out, out_step);
        }
    }
}

// Rows from `first` on. They call for their share of the next panel.
INLINE void gemm_u8_tile(const int rows, const int vectors, const LiteByteRows* t, int first,
                         const ByteFinish* f, int32_t* c) {
    VI acc[MICRO_ROWS][2];
    const size_t a_stride = t->a_stride, ahead_step = (size_t)(4 * PANEL * rows / t->rows);
    const uint8_t* a = t->a + (size_t)first * a_stride;
    const int8_t *b = t->b, *ahead = t->next + (size_t)t->quads * (size_t)(4 * PANEL * first / t->rows);
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) {
            acc[r][v] = load_i32(t->init + v * MICRO_LANES, MICRO_LANES);
            if (t->offsets != NULL) acc[r][v] += t->offsets[first + r];
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
    uint8_t* out = t->out + (size_t)first * t->out_step;
    if (f != NULL && f->relu) {
        finish_tile(true, rows, vectors, f, acc, out, t->out_step);
    } else if (f != NULL) {
        finish_tile(false, rows, vectors, f, acc, out, t->out_step);
    } else {
        c += first * PANEL;
#pragma GCC unroll 8
        for (int r = 0; r < rows; r++) {
#pragma GCC unroll 2
            for (int v = 0; v < vectors; v++) store(c + r * PANEL + v * MICRO_LANES, acc[r][v], MICRO_LANES);
        }
    }
}

// A single row would wait for its sums: four quads have sums of their own.
static void gemm_u8_row(const LiteByteRows* t, int32_t* c) {
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

// Whole vectors of columns that are scaled as usual are finished while they are in registers.
static bool find_finish(const LiteByteRows* t, ByteFinish* f) {
    const LiteRequantization* q = t->scale;
    if (q == NULL || t->rows == 1 || t->columns % MICRO_LANES != 0) return false;
    *f = (ByteFinish){.relu = q->low >= q->zero_point, .ends = ends_of(q), .scales = q};
    for (int v = 0; v < t->columns / MICRO_LANES; v++) {
        const Scale s = load_scale(q, v * MICRO_LANES, MICRO_LANES);
        if (!is_usual(&s, MICRO_LANES)) return false;
        f->scale[v] = fixed_scale(&s, q);
    }
    return true;
}

static void gemm_u8(const LiteByteRows* t, int32_t* c) {
#define GEMM_U8_CASE(ROWS)                                                                                   \
    case ROWS:                                                                                               \
        if (t->columns > MICRO_LANES) {                                                                      \
            gemm_u8_tile(ROWS, 2, t, first, finish, c);                                                      \
        } else {                                                                                             \
            gemm_u8_tile(ROWS, 1, t, first, finish, c);                                                      \
        }                                                                                                    \
        break;
    ByteFinish found;
    const ByteFinish* finish = find_finish(t, &found) ? &found : NULL;
    const int tiles = (t->rows + MICRO_ROWS - 1) / MICRO_ROWS;
    const int low = t->rows / tiles, higher = t->rows % tiles;
    if (t->rows == 1) gemm_u8_row(t, c);
    for (int i = 0, first = 0, rows; i < tiles && t->rows > 1; i++, first += rows) {
        rows = low + (i < higher ? 1 : 0); // nearly the same for all, as small tiles are slow
        switch (rows) { FOR_ROWS(GEMM_U8_CASE) }
    }
    if (t->scale != NULL && finish == NULL) {
        requantize(t->rows, t->columns, c, PANEL, t->scale, t->out, t->out_step);
    }
}

typedef uint32_t ShortVector __attribute__((vector_size(16)));

// Runs of few bytes, as in a first layer, in vectors that seldom lie across the end of a cache line.
INLINE void gather_short(const uint8_t* from, size_t run, uint32_t flips, uint8_t* to) {
    for (size_t i = 0; i < run; i += sizeof(ShortVector)) {
        ShortVector v;
        memcpy(&v, from + i, sizeof v);
        v ^= flips;
        memcpy(to + i, &v, sizeof v);
    }
}

static void gather_u8(int pixels, int lines, const uint8_t* const* in, size_t in_step, size_t run,
                      uint8_t flip, uint8_t* out, size_t out_step) {
    const uint32_t flips = flip * UINT32_C(0x01010101);
    for (size_t p = 0; p < (size_t)pixels; p++, out += out_step) {
        uint8_t* to = out;
        for (int l = 0; l < lines; l++, to += run) {
            const uint8_t* from = in[l] + p * in_step;
            if (run <= 2 * sizeof(ShortVector)) {
                gather_short(from, run, flips, to);
                continue;
            }
            for (size_t i = 0; i < run; i += sizeof(VI)) {
                store(to + i, load_i32(from + i, MICRO_LANES) ^ (int32_t)flips, MICRO_LANES);
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

// Input columns [begin, end) of up to four input lines from `first` on, interleaved.
INLINE void interleave_columns(const int lines, const int channels, const LiteStrip* s, int first, VI* to) {
    const uint8_t* in[4];
    size_t step[4];
    const VI flip = (VI){0} + s->flip * 0x01010101;
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
INTERLEAVE_LINES(3)
INTERLEAVE_LINES(4)

// `lines` input lines from `first` on as `width` columns for each four of them.
INLINE void interleave_lines(const LiteStrip* s, int first, int lines, int width, VI* to) {
    const VI padding = (VI){0} + (int32_t)(s->padding * 0x01010101u);
    for (; lines > 0; lines -= 4, first += 4 * s->line_dilation, to += width) {
        for (int column = 0; column < s->begin; column++) to[column] = padding;
        for (int column = s->end; column < width; column++) to[column] = padding;
        switch (lines) {
        case 1:
            interleave_1(s, first, to);
            break;
        case 2:
            interleave_2(s, first, to);
            break;
        case 3:
            interleave_3(s, first, to);
            break;
        default:
            interleave_4(s, first, to);
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

// One output line, or two whose filters are in the same fours of input lines.
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
                acc[0][p] = MICRO_DOT4(acc[0][p], *from, w[0]);
                if (rows > 1) acc[1][p] = MICRO_DOT4(acc[1][p], *from, w[1]);
            }
        }
    }
    finish_pixels(f, pixels, acc[0], out);
    if (rows > 1) finish_pixels(f, pixels, acc[1], out + f->strip->out_row);
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
    for (size_t i = 0; i < columns * groups; i++) {
        const VI weights = load_i32(s->w + i * 4 * MICRO_LANES, MICRO_LANES);
        w[i * (size_t)rows] = weights;
        if (rows > 1) w[2 * i + 1] = (VI)((VU)weights << 8);
    }
    for (int p = 0; p < count && count < 4; p++, in += stride, out += step) {
        strip_pixels(f, rows, 1, columns, groups, in, width, w, init, out);
    }
    for (int p = 0; p < count && count >= 4; p += 4) {
        const size_t at = (size_t)(p + 4 > count ? count - 4 : p);
        strip_pixels(f, rows, 4, columns, groups, in + at * stride, width, w, init, out + at * step);
    }
}

INLINE void strip_rows(const StripFinish* f) {
    const LiteStrip* s = f->strip;
    VI in[LITE_STRIP_SIZE];
    const size_t columns = (size_t)s->columns, groups = (size_t)(s->lines + 3) / 4;
    const int width = (s->pixels - 1) * s->stride + (s->columns - 1) * s->dilation + 1;
    const bool pairs = columns == 3 && s->lines < 4 && s->row_stride == 1 && s->line_dilation == 1;
    uint8_t* out = s->out;
    for (int row = 0, done; row < s->rows; row += done, out += (size_t)done * s->out_row) {
        done = pairs && row + 1 < s->rows ? 2 : 1;
        interleave_lines(s, row * s->row_stride, s->lines + done - 1, width, in);
        if (done == 2) {
            strip_line(f, 2, 3, 1, in, (size_t)width, out);
        } else if (columns == 3 && groups == 1) {
            strip_line(f, 1, 3, 1, in, (size_t)width, out);
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
