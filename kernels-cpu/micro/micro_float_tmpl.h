// SPDX-License-Identifier: Apache-2.0
// The part of micro_tmpl.h for products and depthwise convolutions of floats.

// A vector of packed weights. The precision is a constant where this is expanded.
INLINE VF load_weights(const LitePrecision precision, const char* from) {
    if (precision == kLitePrecisionFloat32) return load_f32((const float*)(const void*)from, MICRO_LANES);
#ifdef MICRO_WIDEN_F16
    if (precision == kLitePrecisionFloat16) return MICRO_WIDEN_F16(from);
#endif
    return MICRO_WIDEN_BF16(from);
}

// Rows, vectors and precision are constants where this is expanded, so that the accumulators are registers.
// Returns where the next tile's pointers are.
INLINE const float* const* gemm_f32_tile(const LitePrecision precision, const int rows, const int vectors,
                                         const LiteFloatTile* tile, const float* const* a, size_t offset,
                                         const char* ahead, float* c) {
    const size_t vector = MICRO_LANES * lite_weight_bytes(precision);
    VF acc[MICRO_ROWS_F32][2];
#pragma GCC unroll 12
    for (int r = 0; r < rows; r++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) acc[r][v] = load_f32(tile->bias + v * MICRO_LANES, MICRO_LANES);
    }
    const char* b = tile->b;
    // The second line of a step where one tile is for a whole panel. Some rows wait for the weights anyway,
    // and what the processor itself fetches comes sooner without it (measured with four: 1.4 times as fast).
    const bool is_alone = tile->ahead_step > 64 && (rows == 1 || rows > 4);
    const size_t second = is_alone ? 64 : 0;
    for (int t = 0; t < tile->taps; t++, a += MICRO_ROWS_F32) {
        const float* row[MICRO_ROWS_F32];
#pragma GCC unroll 12
        for (int r = 0; r < rows; r++) row[r] = a[r] + offset;
        for (int k = 0; k < tile->depth; k++, b += 2 * vector, ahead += tile->ahead_step) {
            __builtin_prefetch(ahead, 0, 2);
            __builtin_prefetch(ahead + second, 0, 2);
            VF w[2];
#pragma GCC unroll 2
            for (int v = 0; v < vectors; v++) w[v] = load_weights(precision, b + v * vector);
#pragma GCC unroll 12
            for (int r = 0; r < rows; r++) {
#pragma GCC unroll 2
                for (int v = 0; v < vectors; v++) acc[r][v] += row[r][k] * w[v];
            }
        }
    }
    const VF low = splat(tile->low), high = splat(tile->high);
    const int columns = tile->columns - (vectors - 1) * MICRO_LANES; // of the last vector
#pragma GCC unroll 12
    for (int r = 0; r < rows; r++, c += tile->c_step) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) {
            const VF x = clamp(acc[r][v], low, high);
            store(c + v * MICRO_LANES, (VI)x, v < vectors - 1 ? MICRO_LANES : columns);
        }
    }
    return a;
}

INLINE void gemm_f32_tiles(const LitePrecision precision, const int rows, const int vectors,
                           const LiteFloatTile* tile) {
    const size_t ahead = (size_t)tile->taps * (size_t)tile->depth * tile->ahead_step;
    const float* const* a = tile->a;
    for (size_t i = 0; i < (size_t)tile->tiles; i++) {
        const float* const* next = gemm_f32_tile(precision, rows, vectors, tile, a, i * tile->a_step,
                                                 tile->ahead + i * ahead, tile->c + i * rows * tile->c_step);
        if (tile->a_step == 0) a = next;
    }
}

#define GEMM_F32_CASE(ROWS)                                                                                  \
    case ROWS:                                                                                               \
        if (tile->columns > MICRO_LANES) {                                                                   \
            gemm_f32_tiles(precision, ROWS, 2, tile);                                                        \
        } else {                                                                                             \
            gemm_f32_tiles(precision, ROWS, 1, tile);                                                        \
        }                                                                                                    \
        break;

INLINE void gemm_of(const LitePrecision precision, const LiteFloatTile* tile) {
    switch (tile->rows) {
        GEMM_F32_CASE(1)
        GEMM_F32_CASE(2)
        GEMM_F32_CASE(3)
        GEMM_F32_CASE(4)
#if MICRO_ROWS_F32 > 4
        GEMM_F32_CASE(5)
        GEMM_F32_CASE(6)
#endif
#if MICRO_ROWS_F32 > 6
        GEMM_F32_CASE(7)
        GEMM_F32_CASE(8)
        GEMM_F32_CASE(9)
        GEMM_F32_CASE(10)
        GEMM_F32_CASE(11)
        GEMM_F32_CASE(12)
#endif
    }
}

static void gemm_f32(const LiteFloatTile* tile) {
    switch (tile->weights) {
#ifdef MICRO_WIDEN_F16
    case kLitePrecisionFloat16:
        gemm_of(kLitePrecisionFloat16, tile);
        break;
#endif
    case kLitePrecisionBfloat16:
        gemm_of(kLitePrecisionBfloat16, tile);
        break;
    default:
        gemm_of(kLitePrecisionFloat32, tile);
    }
}

// `vectors` of some panels, of which the last may have but one with columns.
INLINE void few_f32_vectors(const LitePrecision precision, const int rows, const int vectors,
                            const LiteFloatPanels* few) {
    const int panels = (vectors + 1) / 2;
    const size_t vector = MICRO_LANES * lite_weight_bytes(precision);
    const size_t b_step = few->b_step * lite_weight_bytes(precision);
    const size_t b_row = few->b_row * lite_weight_bytes(precision);
    VF acc[LITE_FEW_ROWS][2 * LITE_FEW_PANELS(1)];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++) {
        const VF bias = load_f32(few->bias + v * MICRO_LANES, MICRO_LANES);
#pragma GCC unroll 3
        for (int r = 0; r < rows; r++) acc[r][v] = bias;
    }
    const char* b = few->b;
    const float* const* a = few->a;
    for (int t = 0; t < few->taps; t++, a += MICRO_ROWS_F32) {
        const float* row[LITE_FEW_ROWS];
#pragma GCC unroll 3
        for (int r = 0; r < rows; r++) row[r] = a[r];
        for (int k = 0; k < few->depth; k++, b += b_row) {
#pragma GCC unroll 4
            for (int p = 0; p < panels; p++) __builtin_prefetch(b + p * b_step + few->ahead, 0, 2);
#pragma GCC unroll 8
            for (int v = 0; v < vectors; v++) {
                const VF w = load_weights(precision, b + v / 2 * b_step + v % 2 * vector);
#pragma GCC unroll 3
                for (int r = 0; r < rows; r++) acc[r][v] += row[r][k] * w;
            }
        }
    }
    const VF low = splat(few->low), high = splat(few->high);
    const int lanes = few->columns - (vectors - 1) * MICRO_LANES; // of the last vector
    float* c = few->c;
#pragma GCC unroll 3
    for (int r = 0; r < rows; r++, c += few->c_step) {
#pragma GCC unroll 8
        for (int v = 0; v < vectors; v++)
            store(c + v * MICRO_LANES, (VI)clamp(acc[r][v], low, high),
                  v < vectors - 1 ? MICRO_LANES : lanes);
    }
}

#define FEW_F32_CASE(ROWS, VECTORS)                                                                          \
    case 16 * (ROWS) + (VECTORS):                                                                            \
        few_f32_vectors(precision, ROWS, VECTORS, few);                                                      \
        break;
#define FEW_F32_CASES(ROWS)                                                                                  \
    FEW_F32_CASE(ROWS, 1)                                                                                    \
    FEW_F32_CASE(ROWS, 2)                                                                                    \
    FEW_F32_CASE(ROWS, 3)                                                                                    \
    FEW_F32_CASE(ROWS, 4)

INLINE void few_of(const LitePrecision precision, const LiteFloatPanels* few) {
    switch (16 * few->rows + (few->columns + MICRO_LANES - 1) / MICRO_LANES) {
        FEW_F32_CASES(1)
        FEW_F32_CASE(1, 5)
        FEW_F32_CASE(1, 6)
        FEW_F32_CASE(1, 7)
        FEW_F32_CASE(1, 8)
        FEW_F32_CASES(2)
        FEW_F32_CASE(2, 5)
        FEW_F32_CASE(2, 6)
        FEW_F32_CASES(3)
    }
}

static void few_f32(const LiteFloatPanels* few) {
    switch (few->weights) {
#ifdef MICRO_WIDEN_F16
    case kLitePrecisionFloat16:
        few_of(kLitePrecisionFloat16, few);
        break;
#endif
    case kLitePrecisionBfloat16:
        few_of(kLitePrecisionBfloat16, few);
        break;
    default:
        few_of(kLitePrecisionFloat32, few);
    }
}

static void narrow(LitePrecision precision, size_t count, const float* in, uint16_t* out) {
    if (precision == kLitePrecisionFloat16) {
        for (size_t i = 0; i < count; i++) out[i] = lite_f32_to_f16(in[i]);
    } else {
        for (size_t i = 0; i < count; i++) out[i] = lite_f32_to_bf16(in[i]);
    }
}

INLINE const float* next_line(const LiteFloatLine* s, const float* in, int line) {
    return in + s->line - (line + 1 == s->wrap ? s->ring : 0);
}

// A vector of channels of `pixels` outputs, each window `stride` columns from the one before, so that
// neighbours share what is read.
INLINE void line_block(const int columns, const int stride, const int pixels, int lanes,
                       const LiteFloatLine* s, const float* in, size_t channel, float* out) {
    VF acc[4];
#pragma GCC unroll 4
    for (int p = 0; p < pixels; p++) acc[p] = load_f32(s->bias + channel, lanes);
    const VF low = splat(s->low), high = splat(s->high);
    const size_t step = s->step;
    const float* line_w = s->w + channel;
    in += channel;
    out += channel;
    for (int l = 0; l < s->lines; in = next_line(s, in, l), l++, line_w += s->w_line) {
        VF w[5];
#pragma GCC unroll 5
        for (int k = 0; k < columns; k++) w[k] = load_f32(line_w + k * s->w_column, lanes);
#pragma GCC unroll 11
        for (int j = 0; j < (pixels - 1) * stride + columns; j++) {
            const VF x = load_f32(in + j * s->column, lanes);
#pragma GCC unroll 4
            for (int p = 0; p < pixels; p++) {
                const int k = j - p * stride;
                if (k >= 0 && k < columns) acc[p] += x * w[k];
            }
        }
    }
#pragma GCC unroll 4
    for (int p = 0; p < pixels; p++) store(out + p * step, (VI)clamp(acc[p], low, high), lanes);
}

INLINE void line_blocks(const int columns, const int stride, const int pixels, const LiteFloatLine* s,
                        int first) {
    const float* in = s->in + (size_t)first * s->pixel;
    float* out = s->out + (size_t)first * s->step;
    int c = 0;
    for (; c + MICRO_LANES <= s->channels; c += MICRO_LANES) {
        line_block(columns, stride, pixels, MICRO_LANES, s, in, (size_t)c, out);
    }
    if (c < s->channels) line_block(columns, stride, pixels, s->channels - c, s, in, (size_t)c, out);
}

// The same with three lines and columns, whose weights stay in registers for all outputs.
INLINE void square_block(const int stride, const int pixels, int lanes, const LiteFloatLine* s,
                         const float* const* in, const VF* w, const VF bias, float* out) {
    VF acc[4];
#pragma GCC unroll 4
    for (int p = 0; p < pixels; p++) acc[p] = bias;
#pragma GCC unroll 3
    for (int l = 0; l < 3; l++) {
#pragma GCC unroll 9
        for (int j = 0; j < (pixels - 1) * stride + 3; j++) {
            const VF x = load_f32(in[l] + j * s->column, lanes);
#pragma GCC unroll 4
            for (int p = 0; p < pixels; p++) {
                const int k = j - p * stride;
                if (k >= 0 && k < 3) acc[p] += x * w[3 * l + k];
            }
        }
    }
    const VF low = splat(s->low), high = splat(s->high);
#pragma GCC unroll 4
    for (int p = 0; p < pixels; p++) store(out + p * s->step, (VI)clamp(acc[p], low, high), lanes);
}

INLINE void square_line(const int stride, int lanes, const LiteFloatLine* s, size_t channel) {
    VF w[9];
#pragma GCC unroll 9
    for (size_t k = 0; k < 9; k++)
        w[k] = load_f32(s->w + k / 3 * s->w_line + k % 3 * s->w_column + channel, lanes);
    const VF bias = load_f32(s->bias + channel, lanes);
    const float* second = next_line(s, s->in, 0);
    const float* in[3] = {s->in + channel, second + channel, next_line(s, second, 1) + channel};
    float* out = s->out + channel;
    int p = 0;
    for (; p + 4 <= s->pixels; p += 4, out += 4 * s->step) {
        square_block(stride, 4, lanes, s, in, w, bias, out);
        for (int l = 0; l < 3; l++) in[l] += 4 * s->pixel;
    }
    for (; p < s->pixels; p++, out += s->step) {
        square_block(stride, 1, lanes, s, in, w, bias, out);
        for (int l = 0; l < 3; l++) in[l] += s->pixel;
    }
}

INLINE void square_lines(const int stride, const LiteFloatLine* s) {
    int c = 0;
    for (; c + MICRO_LANES <= s->channels; c += MICRO_LANES) square_line(stride, MICRO_LANES, s, (size_t)c);
    if (c < s->channels) square_line(stride, s->channels - c, s, (size_t)c);
}

static void square_1(const LiteFloatLine* s) {
    square_lines(1, s);
}

static void square_2(const LiteFloatLine* s) {
    square_lines(2, s);
}

#define FLOAT_LINE(COLUMNS, STRIDE)                                                                          \
    static void line_##COLUMNS##_##STRIDE(const LiteFloatLine* s) {                                          \
        int p = 0;                                                                                           \
        for (; p + 4 <= s->pixels; p += 4) line_blocks(COLUMNS, STRIDE, 4, s, p);                            \
        for (; p + 2 <= s->pixels; p += 2) line_blocks(COLUMNS, STRIDE, 2, s, p);                            \
        for (; p < s->pixels; p++) line_blocks(COLUMNS, STRIDE, 1, s, p);                                    \
    }
FLOAT_LINE(3, 1)
FLOAT_LINE(3, 2)
FLOAT_LINE(5, 1)
FLOAT_LINE(5, 2)

// Some vectors of one output.
INLINE void window_block(const int vectors, int lanes, const LiteFloatLine* s, const float* in,
                         size_t channel, float* out) {
    VF acc[4];
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) acc[v] = load_f32(s->bias + channel + v * MICRO_LANES, lanes);
    const VF low = splat(s->low), high = splat(s->high);
    const float* line_w = s->w + channel;
    in += channel;
    for (int l = 0; l < s->lines; in = next_line(s, in, l), l++, line_w += s->w_line) {
        const float* x = in;
        const float* w = line_w;
        for (int k = 0; k < s->columns; k++, x += s->column, w += s->w_column) {
#pragma GCC unroll 4
            for (int v = 0; v < vectors; v++) {
                acc[v] += load_f32(x + v * MICRO_LANES, lanes) * load_f32(w + v * MICRO_LANES, lanes);
            }
        }
    }
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) {
        store(out + channel + v * MICRO_LANES, (VI)clamp(acc[v], low, high), lanes);
    }
}

static void line_any(const LiteFloatLine* s) {
    const float* in = s->in;
    float* out = s->out;
    for (int p = 0; p < s->pixels; p++, in += s->pixel, out += s->step) {
        int c = 0;
        for (; c + 4 * MICRO_LANES <= s->channels; c += 4 * MICRO_LANES) {
            window_block(4, MICRO_LANES, s, in, (size_t)c, out);
        }
        for (; c + MICRO_LANES <= s->channels; c += MICRO_LANES) {
            window_block(1, MICRO_LANES, s, in, (size_t)c, out);
        }
        if (c < s->channels) window_block(1, s->channels - c, s, in, (size_t)c, out);
    }
}

static void depthwise_f32(const LiteFloatLine* s) {
    const bool one = s->pixel == s->column, two = s->pixel == 2 * s->column;
    const bool is_square = s->columns == 3 && s->lines == 3 && !s->by_pixels;
    if (is_square && one) {
        square_1(s);
    } else if (is_square && two) {
        square_2(s);
    } else if (s->columns == 3 && one) {
        line_3_1(s);
    } else if (s->columns == 3 && two) {
        line_3_2(s);
    } else if (s->columns == 5 && one) {
        line_5_1(s);
    } else if (s->columns == 5 && two) {
        line_5_2(s);
    } else {
        line_any(s);
    }
}
