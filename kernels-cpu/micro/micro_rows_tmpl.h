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
    const LiteRequantization* scales;
} ByteFinish;

// Four vectors of sums, of one row each or two. Returns whether some are to be computed again.
INLINE bool finish_group(const int vectors, const ByteFinish* f, const VI* sums, int rows, uint8_t* out,
                         size_t out_step) {
    VI v[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) v[i] = MICRO_FIXED(false, sums[i], &f->scale[i % vectors]);
    const VI bytes = MICRO_ORDER(MICRO_PACK(v, 0, &f->ends));
    if (vectors == 2) {
        MICRO_STORE_HALF(out, bytes, 0);
        if (rows > 1) MICRO_STORE_HALF(out + out_step, bytes, 1);
    } else {
        MICRO_STORE_QUARTER(out, bytes, 0, MICRO_LANES);
        if (rows > 1) MICRO_STORE_QUARTER(out + out_step, bytes, 1, MICRO_LANES);
        if (rows > 2) MICRO_STORE_QUARTER(out + 2 * out_step, bytes, 2, MICRO_LANES);
        if (rows > 3) MICRO_STORE_QUARTER(out + 3 * out_step, bytes, 3, MICRO_LANES);
    }
    return MICRO_IS_NEAR(v, FRACTION, 2 * MARGIN);
}

// Rows of a tile, whose sums follow each other.
INLINE void finish_rows(const int vectors, const ByteFinish* f, const VI* sums, int rows, uint8_t* out,
                        size_t out_step) {
    const int together = 4 / vectors, columns = vectors * MICRO_LANES;
#pragma GCC unroll 4
    for (int row = 0; row < rows; row += together, out += (size_t)together * out_step) {
        const VI* group = sums + row * vectors;
        if (!finish_group(vectors, f, group, rows - row, out, out_step)) continue;
        requantize_again(rows - row < together ? rows - row : together, columns, (const int32_t*)group,
                         (size_t)columns, f->scales, 0, out, out_step);
    }
}

// The same for tiles that are less frequent.
static __attribute__((noinline)) void finish_any(const int vectors, const ByteFinish* f, const VI* sums,
                                                 int rows, uint8_t* out, size_t out_step) {
    if (vectors == 2) {
        finish_rows(2, f, sums, rows, out, out_step);
    } else {
        finish_rows(1, f, sums, rows, out, out_step);
    }
}

INLINE void finish_tile(const int vectors, const ByteFinish* f, const VI* sums, const int rows, uint8_t* out,
                        size_t out_step) {
    if (rows >= MICRO_ROWS - 1) {
        finish_rows(vectors, f, sums, rows, out, out_step);
    } else {
        finish_any(vectors, f, sums, rows, out, out_step);
    }
}

static bool find_finish(const LiteIntRows* t, ByteFinish* f) {
    const LiteRequantization* q = t->scale;
    if (q == NULL || t->rows == 1 || t->columns % MICRO_LANES != 0) return false;
    f->ends = ends_of(q);
    f->scales = q;
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

static bool find_finish(const LiteIntRows* t, ByteFinish* f) {
    (void)t, (void)f;
    return false;
}
#endif

// Where a tile's rows and their weights have got to.
typedef struct Walk {
    const uint8_t* a;
    size_t a_stride;
    const int8_t* b;
    const int8_t* ahead;
    size_t ahead_step;
} Walk;

// Of rows from `first` on. They call for their share of the next panel, so many bytes for each quad.
INLINE Walk begin_tile(const int rows, const int vectors, const LiteIntRows* t, int first, size_t share,
                       VI (*acc)[2]) {
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) {
            acc[r][v] = load_i32(t->init + v * MICRO_LANES, MICRO_LANES);
            if (t->offsets != NULL) acc[r][v] += t->offsets[first + r];
        }
    }
    return (Walk){t->a + (size_t)first * t->a_stride, t->a_stride, t->b,
                  t->next + (size_t)(t->quads * (first / rows)) * share, share};
}

INLINE void multiply_quads(const bool bytes, const int rows, const int vectors, int quads, Walk* walk,
                           VI (*acc)[2]) {
    Walk at = *walk;
#pragma GCC unroll 1
    for (int q = quads; q > 0; q--, at.a += 4, at.b += 4 * PANEL, at.ahead += at.ahead_step) {
        VI w[2];
        __builtin_prefetch(at.ahead, 0, 2);
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) w[v] = load_i32(at.b + 4 * v * MICRO_LANES, MICRO_LANES);
#pragma GCC unroll 8
        for (int r = 0; r < rows; r++) {
            const VI x = broadcast_quad(at.a + r * at.a_stride);
#pragma GCC unroll 2
            for (int v = 0; v < vectors; v++) acc[r][v] = multiply_quad(bytes, acc[r][v], x, w[v]);
        }
    }
    *walk = at;
}

// Without `f` the sums go to c.
INLINE void gemm_tile(const bool bytes, const int rows, const int vectors, const LiteIntRows* t, int first,
                      const ByteFinish* f, int32_t* c) {
    VI acc[MICRO_ROWS][2];
    Walk walk = begin_tile(rows, vectors, t, first, (size_t)(4 * PANEL * rows / t->rows), acc);
    multiply_quads(bytes, rows, vectors, t->quads, &walk, acc);
#ifdef MICRO_FIXED
    if (f != NULL) {
        VI sums[2 * MICRO_ROWS];
#pragma GCC unroll 16
        for (int i = 0; i < rows * vectors; i++) sums[i] = acc[i / vectors][i % vectors];
        finish_tile(vectors, f, sums, rows, t->out + (size_t)first * t->out_step, t->out_step);
        return;
    }
#endif
    (void)f;
    c += first * PANEL;
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
#pragma GCC unroll 2
        for (int v = 0; v < vectors; v++) store(c + r * PANEL + v * MICRO_LANES, acc[r][v], MICRO_LANES);
    }
}

#if defined(MICRO_FIXED) && defined(MICRO_DOT4) && MICRO_LANES == 16
// Which products are computed in tiles that are held: their eight sums keep units busy that take four cycles
// and are one, or two of half the width. Two whole ones have too little to do, but where products are short.
static int held_quads(void) {
    return __builtin_cpu_is("intel") ? 32 : 1024;
}

// Groups of sums that are to be computed again.
typedef struct Near {
    VI sums[2 * LITE_ITEM_ROWS / 4][4];
    int rows[2 * LITE_ITEM_ROWS / 4]; // the first of each
    int count;
} Near;

INLINE void finish_held(const int vectors, const LiteIntRows* t, const ByteFinish* f, const VI* held, int row,
                        Near* near) {
    if (!finish_group(vectors, f, held, 4 / vectors, t->out + (size_t)row * t->out_step, t->out_step)) return;
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) near->sums[near->count][i] = held[i];
    near->rows[near->count++] = row;
}

INLINE void hold(const int vectors, VI (*acc)[2], VI* held) {
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) held[i] = acc[i / vectors][i % vectors];
}

// Of bytes, tiles of two groups. While one is multiplied the one before becomes bytes, for which the
// processor has other units. Returns how many rows are done.
INLINE int held_tiles(const int vectors, const LiteIntRows* t, const ByteFinish* f) {
    const int together = 4 / vectors, rows = 2 * together, some = t->quads / 4;
    if (t->rows < rows) return 0;
    Near near;
    near.count = 0;
    VI acc[MICRO_ROWS][2], held[8];
    const size_t share = (size_t)(4 * PANEL * rows / t->rows);
    Walk walk = begin_tile(rows, vectors, t, 0, share, acc);
    multiply_quads(true, rows, vectors, t->quads, &walk, acc);
    hold(vectors, acc, held);
    int row = 0;
    while (row + 2 * rows <= t->rows) {
        walk = begin_tile(rows, vectors, t, row + rows, share, acc);
        multiply_quads(true, rows, vectors, some, &walk, acc);
        finish_held(vectors, t, f, held, row, &near);
        multiply_quads(true, rows, vectors, 2 * some, &walk, acc);
        finish_held(vectors, t, f, held + 4, row + together, &near);
        multiply_quads(true, rows, vectors, t->quads - 3 * some, &walk, acc);
        hold(vectors, acc, held);
        row += rows;
    }
    finish_held(vectors, t, f, held, row, &near);
    finish_held(vectors, t, f, held + 4, row + together, &near);
    const size_t columns = (size_t)vectors * MICRO_LANES;
    for (int i = 0; i < near.count; i++) {
        requantize_again(together, (int)columns, (const int32_t*)near.sums[i], columns, f->scales, 0,
                         t->out + (size_t)near.rows[i] * t->out_step, t->out_step);
    }
    return row + rows;
}
#else
static int held_quads(void) {
    return 0;
}

INLINE int held_tiles(const int vectors, const LiteIntRows* t, const ByteFinish* f) {
    (void)vectors, (void)t, (void)f;
    return 0;
}
#endif

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
        int done = 0;                                                                                        \
        if (t->rows == 1) gemm_row(BYTES, t, c);                                                             \
        if (BYTES && finish != NULL && t->quads <= held_quads()) {                                           \
            done = t->columns > MICRO_LANES ? held_tiles(2, t, finish) : held_tiles(1, t, finish);           \
        }                                                                                                    \
        const int left = t->rows == 1 ? 0 : t->rows - done;                                                  \
        const int tiles = (left + MICRO_ROWS - 1) / MICRO_ROWS;                                              \
        for (int i = 0, first = done, rows; i < tiles; i++, first += rows) {                                 \
            rows = left / tiles + (i < left % tiles ? 1 : 0);                                                \
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
