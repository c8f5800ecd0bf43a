// SPDX-License-Identifier: Apache-2.0
// Products of integers (LiteIntRows) for micro_tmpl.h, once for each kind of quad. MICRO_MADD makes gemm_i16;
// levels that have an exact product of bytes define
//   MICRO_DOT4(acc, x, y)              acc + the sum of the four products of unsigned bytes of x and signed
//                                      ones of y in each lane; nothing saturates
// for gemm_u8; others with MICRO_FIXED make two of MICRO_MADD. Whole vectors of columns that are scaled as
// usual are finished while they are in registers, where the level has MICRO_FIXED.
INLINE VI broadcast_quad(const uint8_t* from) {
    int32_t quad;
    memcpy(&quad, from, sizeof quad);
    return (VI){0} + quad;
}

#ifdef MICRO_DOT4
#define ROWS_DOT4(acc, x, y) MICRO_DOT4(acc, x, y)
#elif defined(MICRO_FIXED)
typedef int16_t VS __attribute__((vector_size(4 * MICRO_LANES)));
typedef uint16_t VUS __attribute__((vector_size(4 * MICRO_LANES)));

// Even and odd bytes.
INLINE VI dot_4(VI acc, VI x, VI y) {
    const VI even = MICRO_MADD(acc, (VI)((VUS)x & 255), (VI)((VS)((VUS)y << 8) >> 8));
    return MICRO_MADD(even, (VI)((VUS)x >> 8), (VI)((VS)y >> 8));
}
#define ROWS_DOT4(acc, x, y) dot_4(acc, x, y)
#endif

// acc + the products of a quad, of bytes or of pairs.
INLINE VI multiply_quad(const bool bytes, VI acc, VI x, VI y) {
#ifdef ROWS_DOT4
    if (bytes) return ROWS_DOT4(acc, x, y);
#endif
    (void)bytes;
    return MICRO_MADD(acc, x, y);
}

#ifdef MICRO_FIXED
// How sums become bytes.
typedef struct ByteFinish {
    FixedScale scale[2];
    Ends ends;
    bool relu;
    const LiteRequantization* scales;
} ByteFinish;

INLINE void finish_rows(const bool relu, const int rows, const int vectors, const ByteFinish* f, VI (*acc)[2],
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

INLINE void finish_tile(const int rows, const int vectors, const ByteFinish* f, VI (*acc)[2], uint8_t* out,
                        size_t out_step) {
    if (f->relu) {
        finish_rows(true, rows, vectors, f, acc, out, out_step);
    } else {
        finish_rows(false, rows, vectors, f, acc, out, out_step);
    }
}

static bool find_finish(const LiteIntRows* t, ByteFinish* f) {
    const LiteRequantization* q = t->scale;
    if (q == NULL || t->rows == 1 || t->columns % MICRO_LANES != 0) return false;
    *f = (ByteFinish){.ends = ends_of(q), .relu = q->low >= q->zero_point, .scales = q};
    for (int v = 0; v < t->columns / MICRO_LANES; v++) {
        const Scale s = load_scale(q, v * MICRO_LANES, MICRO_LANES);
        if (!is_usual(&s, MICRO_LANES)) return false;
        f->scale[v] = fixed_scale(&s, q);
    }
    return true;
}

#else
typedef struct ByteFinish {
    int none;
} ByteFinish;

INLINE void finish_tile(const int rows, const int vectors, const ByteFinish* f, VI (*acc)[2], uint8_t* out,
                        size_t out_step) {
    (void)rows, (void)vectors, (void)f, (void)acc, (void)out, (void)out_step;
}

static bool find_finish(const LiteIntRows* t, ByteFinish* f) {
    (void)t, (void)f;
    return false;
}
#endif

// Rows from `first` on. They call for their share of the next panel.
INLINE void gemm_tile(const bool bytes, const int rows, const int vectors, const LiteIntRows* t, int first,
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
            for (int v = 0; v < vectors; v++) acc[r][v] = multiply_quad(bytes, acc[r][v], x, w[v]);
        }
    }
    uint8_t* out = t->out + (size_t)first * t->out_step;
    if (f != NULL) {
        finish_tile(rows, vectors, f, acc, out, t->out_step);
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
INLINE void gemm_row(const bool bytes, const LiteIntRows* t, int32_t* c) {
    VI acc[4][2] = {{{0}}};
    const uint8_t* a = t->a;
    const int8_t* b = t->b;
    int q = 0;
    for (; q + 4 <= t->quads; q += 4, a += 16, b += 16 * PANEL) {
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            const VI x = broadcast_quad(a + 4 * i);
            const int8_t* w = b + 4 * i * PANEL;
            acc[i][0] = multiply_quad(bytes, acc[i][0], x, load_i32(w, MICRO_LANES));
            acc[i][1] = multiply_quad(bytes, acc[i][1], x, load_i32(w + 4 * MICRO_LANES, MICRO_LANES));
        }
    }
    for (; q < t->quads; q++, a += 4, b += 4 * PANEL) {
        const VI x = broadcast_quad(a);
        acc[0][0] = multiply_quad(bytes, acc[0][0], x, load_i32(b, MICRO_LANES));
        acc[0][1] = multiply_quad(bytes, acc[0][1], x, load_i32(b + 4 * MICRO_LANES, MICRO_LANES));
    }
    const int32_t offset = t->offsets == NULL ? 0 : t->offsets[0];
#pragma GCC unroll 2
    for (int v = 0; v < 2; v++) {
        const VI sum = acc[0][v] + acc[1][v] + acc[2][v] + acc[3][v] + offset;
        store(c + v * MICRO_LANES, sum + load_i32(t->init + v * MICRO_LANES, MICRO_LANES), MICRO_LANES);
    }
}

#define GEMM_CASE(BYTES, ROWS)                                                                               \
    case ROWS:                                                                                               \
        if (t->columns > MICRO_LANES) {                                                                      \
            gemm_tile(BYTES, ROWS, 2, t, first, finish, c);                                                  \
        } else {                                                                                             \
            gemm_tile(BYTES, ROWS, 1, t, first, finish, c);                                                  \
        }                                                                                                    \
        break;
#define GEMM_PAIRS_CASE(ROWS) GEMM_CASE(false, ROWS)
#define GEMM_BYTES_CASE(ROWS) GEMM_CASE(true, ROWS)

// Tiles have nearly the same number of rows, as small ones are slow.
#define GEMM(NAME, BYTES, CASE)                                                                              \
    static void NAME(const LiteIntRows* t, int32_t* c) {                                                     \
        ByteFinish found;                                                                                    \
        const ByteFinish* finish = find_finish(t, &found) ? &found : NULL;                                   \
        const int tiles = (t->rows + MICRO_ROWS - 1) / MICRO_ROWS;                                           \
        const int low = t->rows / tiles, higher = t->rows % tiles;                                           \
        if (t->rows == 1) gemm_row(BYTES, t, c);                                                             \
        for (int i = 0, first = 0, rows; i < tiles && t->rows > 1; i++, first += rows) {                     \
            rows = low + (i < higher ? 1 : 0);                                                               \
            switch (rows) { FOR_ROWS(CASE) }                                                                 \
        }                                                                                                    \
        if (t->scale != NULL && finish == NULL) {                                                            \
            requantize(t->rows, t->columns, c, PANEL, t->scale, t->out, t->out_step);                        \
        }                                                                                                    \
    }
GEMM(gemm_i16, false, GEMM_PAIRS_CASE)
#ifdef ROWS_DOT4
GEMM(gemm_u8, true, GEMM_BYTES_CASE)
#endif
