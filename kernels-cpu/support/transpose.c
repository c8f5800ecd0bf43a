// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/transpose.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/cpu_path.h"

enum {
    kFar = 2048,            // lines whose distance is a multiple of this share few places in the first cache
    kRowBytes = 4096,       // of a column that are read one after the other
    kTileBytes = 32 * 1024, // worth a call
    kFewestRows = 128,      // of a call, where there are as many
    kStripeRows = 64,       // that are written one after the other,
    kStripe = 256,          // and that many columns of them
    kPackedRows = 256,      // of elements that are brought together first,
    kPackedColumns = 32,
    kPackedBytes = 2, // where they are of no more bytes
};

// The list of a macro's argument in parentheses.
#define LIST(...) __VA_ARGS__
#define SMALLER(A, B) ((A) < (B) ? (A) : (B))
#define INLINE static inline __attribute__((always_inline))
// Compilers would keep the vectors of a loop in memory.
#define UNROLL _Pragma("GCC unroll 16")

// Vectors of 16 bytes, or pairs of them, are rows of the source. Each round interleaves the first half of the
// vectors with the second. After log2(COUNT) rounds they are columns of COUNT elements, one after the other.
#define INTERLEAVE(COUNT, V, W, LOW, HIGH)                                                                   \
    for (int round = 1; round < (COUNT); round *= 2) {                                                       \
        for (int i = 0; i < (COUNT) / 2; i++) {                                                              \
            (W)[2 * i] = __builtin_shufflevector((V)[i], (V)[i + (COUNT) / 2], LOW);                         \
            (W)[2 * i + 1] = __builtin_shufflevector((V)[i], (V)[i + (COUNT) / 2], HIGH);                    \
        }                                                                                                    \
        for (int i = 0; i < (COUNT); i++) (V)[i] = (W)[i];                                                   \
    }

// Calls BLOCK(row, column) for blocks of ROWS x COLUMNS elements, the last ones of which may cover some
// again.
#define EACH_BLOCK(T, BY_ROWS, ROWS, COLUMNS, BLOCK)                                                         \
    const int64_t last_row = (T)->rows - (ROWS), last_column = (T)->columns - (COLUMNS);                     \
    if (BY_ROWS) {                                                                                           \
        for (int64_t r = 0; r < (T)->rows; r += (ROWS)) {                                                    \
            for (int64_t c = 0; c < (T)->columns; c += (COLUMNS))                                            \
                BLOCK(SMALLER(r, last_row), SMALLER(c, last_column));                                        \
        }                                                                                                    \
    } else {                                                                                                 \
        for (int64_t c = 0; c < (T)->columns; c += (COLUMNS)) {                                              \
            for (int64_t r = 0; r < (T)->rows; r += (ROWS))                                                  \
                BLOCK(SMALLER(r, last_row), SMALLER(c, last_column));                                        \
        }                                                                                                    \
    }

// Of N elements to a vector: blocks_N is for at least N rows and columns, rows_N for fewer rows of blocks of
// columns, each of which may be read beyond its end.
#define DEFINE_TRANSPOSE(N, TYPE, LOW, HIGH)                                                                 \
    typedef TYPE Vector##N __attribute__((vector_size(16)));                                                 \
    INLINE void block_##N(const LiteTranspose* t, int64_t row, int64_t column, int count) {                  \
        const char* from = t->from + row * (16 / (N)) + column * t->from_step;                               \
        char* to = t->to + row * t->to_step + column * (16 / (N));                                           \
        Vector##N v[N], w[N];                                                                                \
        UNROLL for (int i = 0; i < (N); i++) memcpy(&v[i], from + i * t->from_step, 16);                     \
        INTERLEAVE(N, v, w, LIST LOW, LIST HIGH)                                                             \
        UNROLL for (int i = 0; i < count; i++) memcpy(to + i * t->to_step, &v[i], 16);                       \
    }                                                                                                        \
    static void blocks_##N(const LiteTranspose* t, bool by_rows) {                                           \
        const LiteTranspose all = *t;                                                                        \
        EACH_BLOCK(&all, by_rows, N, N, BLOCK_##N)                                                           \
    }                                                                                                        \
    static void rows_##N(const LiteTranspose* t) {                                                           \
        const LiteTranspose all = *t;                                                                        \
        for (int64_t c = 0; c < all.columns; c += (N)) block_##N(&all, 0, c, (int)all.rows);                 \
    }                                                                                                        \
    static void elements_##N(const LiteTranspose* t) {                                                       \
        const char* from = t->from;                                                                          \
        char* to = t->to;                                                                                    \
        const int64_t rows = t->rows, columns = t->columns, from_step = t->from_step;                        \
        for (int64_t r = 0; r < rows; r++, from += 16 / (N), to += t->to_step) {                             \
            for (int64_t c = 0; c < columns; c++)                                                            \
                memcpy(to + c * (16 / (N)), from + c * from_step, 16 / (N));                                 \
        }                                                                                                    \
    }
#define BLOCK_16(row, column) block_16(&all, row, column, 16)
#define BLOCK_8(row, column) block_8(&all, row, column, 8)
#define BLOCK_4(row, column) block_4(&all, row, column, 4)
#define BLOCK_2(row, column) block_2(&all, row, column, 2)
#define BYTES_LOW (0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define BYTES_HIGH (8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define SHORTS_LOW (0, 8, 1, 9, 2, 10, 3, 11)
#define SHORTS_HIGH (4, 12, 5, 13, 6, 14, 7, 15)
DEFINE_TRANSPOSE(16, uint8_t, BYTES_LOW, BYTES_HIGH)
DEFINE_TRANSPOSE(8, uint16_t, SHORTS_LOW, SHORTS_HIGH)
DEFINE_TRANSPOSE(4, uint32_t, (0, 4, 1, 5), (2, 6, 3, 7))
DEFINE_TRANSPOSE(2, uint64_t, (0, 2), (1, 3))

// Fewer columns than N, more than half of SIDE: N rows of SIDE elements each, of which `columns` are stored,
// in two parts that may overlap.
#define DEFINE_COLUMNS(N, SIDE, LOW, HIGH)                                                                   \
    static void columns_##N##_##SIDE(const LiteTranspose* t) {                                               \
        enum { kBytes = 16 / (N) * (SIDE), kPart = kBytes / 2 };                                             \
        const int64_t second = t->columns * (16 / (N)) - kPart, last_row = t->rows - (N);                    \
        for (int64_t first = 0; first < t->rows; first += (N)) {                                             \
            const int64_t row = SMALLER(first, last_row);                                                    \
            const char* from = t->from + row * (16 / (N));                                                   \
            char* to = t->to + row * t->to_step;                                                             \
            Vector##N v[SIDE], w[SIDE];                                                                      \
            char lines[16 * (SIDE)];                                                                         \
            for (int i = 0; i < (SIDE); i++)                                                                 \
                memcpy(&v[i], from + SMALLER(i, t->columns - 1) * t->from_step, 16);                         \
            INTERLEAVE(SIDE, v, w, LIST LOW, LIST HIGH)                                                      \
            for (int i = 0; i < (SIDE); i++) memcpy(lines + 16 * i, &v[i], 16);                              \
            for (int i = 0; i < (N); i++, to += t->to_step) {                                                \
                memcpy(to, lines + i * kBytes, kPart);                                                       \
                memcpy(to + second, lines + i * kBytes + second, kPart);                                     \
            }                                                                                                \
        }                                                                                                    \
    }
DEFINE_COLUMNS(16, 2, BYTES_LOW, BYTES_HIGH)
DEFINE_COLUMNS(16, 4, BYTES_LOW, BYTES_HIGH)
DEFINE_COLUMNS(16, 8, BYTES_LOW, BYTES_HIGH)
DEFINE_COLUMNS(16, 16, BYTES_LOW, BYTES_HIGH)
DEFINE_COLUMNS(8, 2, SHORTS_LOW, SHORTS_HIGH)
DEFINE_COLUMNS(8, 4, SHORTS_LOW, SHORTS_HIGH)
DEFINE_COLUMNS(8, 8, SHORTS_LOW, SHORTS_HIGH)
DEFINE_COLUMNS(4, 2, (0, 4, 1, 5), (2, 6, 3, 7))
DEFINE_COLUMNS(4, 4, (0, 4, 1, 5), (2, 6, 3, 7))

#ifdef __x86_64__
// N rows x 2N columns in pairs of vectors.
#define AVX2 __attribute__((target("avx2")))
#define DEFINE_PAIR(N, TYPE, LOW, HIGH, JOIN)                                                                \
    typedef TYPE Pair##N __attribute__((vector_size(32)));                                                   \
    AVX2 INLINE void pair_##N(const LiteTranspose* t, int64_t row, int64_t column) {                         \
        const char* from = t->from + row * (16 / (N)) + column * t->from_step;                               \
        char* to = t->to + row * t->to_step + column * (16 / (N));                                           \
        Pair##N v[N], w[N];                                                                                  \
        UNROLL for (int i = 0; i < (N); i++) {                                                               \
            Vector##N first, second;                                                                         \
            memcpy(&first, from + i * t->from_step, 16);                                                     \
            memcpy(&second, from + (i + (N)) * t->from_step, 16);                                            \
            v[i] = __builtin_shufflevector(first, second, LIST JOIN);                                        \
        }                                                                                                    \
        INTERLEAVE(N, v, w, LIST LOW, LIST HIGH)                                                             \
        UNROLL for (int i = 0; i < (N); i++) memcpy(to + i * t->to_step, &v[i], 32);                         \
    }
#define DEFINE_WIDE(N, ROWS, BLOCK)                                                                          \
    AVX2 static void wide_##N(const LiteTranspose* t, bool by_rows) {                                        \
        const LiteTranspose all = *t;                                                                        \
        EACH_BLOCK(&all, by_rows, ROWS, 2 * (N), BLOCK)                                                      \
    }
DEFINE_PAIR(16, uint8_t,
            (0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 16, 48, 17, 49, 18, 50, 19, 51, 20, 52,
             21, 53, 22, 54, 23, 55),
            (8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47, 24, 56, 25, 57, 26, 58, 27, 59, 28,
             60, 29, 61, 30, 62, 31, 63),
            (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
             27, 28, 29, 30, 31))
DEFINE_PAIR(8, uint16_t, (0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27),
            (4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31),
            (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
DEFINE_PAIR(4, uint32_t, (0, 8, 1, 9, 4, 12, 5, 13), (2, 10, 3, 11, 6, 14, 7, 15), (0, 1, 2, 3, 4, 5, 6, 7))
DEFINE_PAIR(2, uint64_t, (0, 4, 2, 6), (1, 5, 3, 7), (0, 1, 2, 3))
// Of larger elements two blocks, so that as much is read of a line.
#define TWO_4(row, column) pair_4(&all, row, column), pair_4(&all, (row) + 4, column)
#define TWO_2(row, column) pair_2(&all, row, column), pair_2(&all, (row) + 2, column)
#define PAIR_16(row, column) pair_16(&all, row, column)
#define PAIR_8(row, column) pair_8(&all, row, column)
DEFINE_WIDE(16, 16, PAIR_16)
DEFINE_WIDE(8, 8, PAIR_8)
DEFINE_WIDE(4, 8, TWO_4)
DEFINE_WIDE(2, 4, TWO_2)
#define WIDE(N, ROWS) .wide_rows = (ROWS), .wide_columns = 2 * (N), .wide = wide_##N
#else
#define WIDE(N, ROWS) .wide = NULL
#endif

// For elements of some size.
typedef struct Loops {
    int block;                                          // N
    void (*blocks)(const LiteTranspose*, bool by_rows); // at least N x N
    void (*rows)(const LiteTranspose*);                 // fewer than N of whole blocks
    void (*columns[4])(const LiteTranspose*);           // up to 2, 4, 8 and 16, of at least N rows
    void (*elements)(const LiteTranspose*);             // any
    int64_t wide_rows, wide_columns;
    void (*wide)(const LiteTranspose*, bool by_rows); // at least as many, where the processor has AVX2
} Loops;

static const Loops* find_loops(size_t element) {
    static const Loops loops[] = {
        {16,
         blocks_16,
         rows_16,
         {columns_16_2, columns_16_4, columns_16_8, columns_16_16},
         elements_16,
         WIDE(16, 16)},
        {8, blocks_8, rows_8, {columns_8_2, columns_8_4, columns_8_8}, elements_8, WIDE(8, 8)},
        {4, blocks_4, rows_4, {columns_4_2, columns_4_4}, elements_4, WIDE(4, 8)},
        {2, blocks_2, rows_2, {elements_2}, elements_2, WIDE(2, 4)},
    };
    switch (element) {
    case 1:
        return &loops[0];
    case 2:
        return &loops[1];
    case 4:
        return &loops[2];
    case 8:
        return &loops[3];
    default:
        return NULL;
    }
}

bool lite_transpose_has(size_t element) {
    return find_loops(element) != NULL;
}

// Rows are written one after the other where their lines would drive each other out of the cache. Else it is
// columns of the source that are read so, which costs less than anything else.
static bool is_by_rows(const LiteTranspose* t) {
    return t->to_step % kFar == 0 && llabs(t->to_step) > llabs(t->from_step);
}

// Many small elements of lines that are far apart.
static bool is_packed(const LiteTranspose* t, size_t element) {
    return element <= kPackedBytes && t->from_step % kFar == 0 && llabs(t->from_step) >= llabs(t->to_step) &&
           t->rows >= kPackedRows / 4;
}

int64_t lite_transpose_rows(const LiteTranspose* all, size_t element) {
    const int64_t size = (int64_t)element;
    if (is_by_rows(all)) return kStripeRows;
    const int64_t enough = kTileBytes / size / all->columns, most = kRowBytes / size;
    const int64_t quarter = (all->rows / 4 + 31) / 32 * 32;
    const int64_t rows = enough > most ? enough : most;
    return quarter < kFewestRows ? kFewestRows : SMALLER(quarter, rows);
}

static LiteTranspose part_of(const LiteTranspose* t, int64_t row, int64_t rows, int64_t column,
                             int64_t columns, size_t element) {
    LiteTranspose part = *t;
    part.from += row * (int64_t)element + column * t->from_step;
    part.to += row * t->to_step + column * (int64_t)element;
    part.rows = rows;
    part.columns = columns;
    return part;
}

// Vectors of the source hold what comes after a column, too: the last columns are done one element after the
// other.
static void few_rows(const Loops* loops, const LiteTranspose* t, size_t element) {
    const int64_t after = (loops->block - t->rows) * (int64_t)element;
    int64_t whole = t->from_step <= 0 ? 0 : t->columns - (after + t->from_step - 1) / t->from_step;
    whole = whole > 0 ? whole / loops->block * loops->block : 0;
    const LiteTranspose blocks = part_of(t, 0, t->rows, 0, whole, element);
    const LiteTranspose rest = part_of(t, 0, t->rows, whole, t->columns - whole, element);
    loops->rows(&blocks);
    loops->elements(&rest);
}

static void transpose_blocks(const Loops* loops, const LiteTranspose* t, size_t element) {
    const bool by_rows = is_by_rows(t);
    const bool wide = loops->wide != NULL && lite_cpu_level() >= kLiteCpuAvx2 &&
                      t->rows >= loops->wide_rows && t->columns >= loops->wide_columns;
    const int64_t stripe = by_rows ? kStripe : t->columns;
    for (int64_t first = 0, after = 0; first < t->columns; first = after) {
        after = t->columns - first < 2 * stripe ? t->columns : first + stripe; // none of a few
        const LiteTranspose part = part_of(t, 0, t->rows, first, after - first, element);
        (wide ? loops->wide : loops->blocks)(&part, by_rows);
    }
}

// By way of a buffer in which lines are not far apart.
static void transpose_packed(const Loops* loops, const LiteTranspose* t, size_t element) {
    enum { kStep = kPackedRows * kPackedBytes + 32 };
    char lines[kPackedColumns * kStep];
    const int64_t last_row = t->rows - loops->block, last_column = t->columns - loops->block;
    for (int64_t row = 0; row < t->rows; row += kPackedRows) {
        const int64_t first_row = SMALLER(row, last_row);
        const int64_t rows = SMALLER(kPackedRows, t->rows - first_row);
        for (int64_t column = 0; column < t->columns; column += kPackedColumns) {
            const int64_t first = SMALLER(column, last_column);
            LiteTranspose part =
                part_of(t, first_row, rows, first, SMALLER(kPackedColumns, t->columns - first), element);
            for (int64_t c = 0; c < part.columns; c++)
                memcpy(lines + c * kStep, part.from + c * t->from_step, (size_t)rows * element);
            part.from = lines;
            part.from_step = kStep;
            transpose_blocks(loops, &part, element);
        }
    }
}

void lite_transpose(const LiteTranspose* t, size_t element) {
    const Loops* loops = find_loops(element);
    if (t->rows == 0 || t->columns == 0) return;
    if (t->rows < loops->block && t->columns < loops->block) {
        loops->elements(t);
    } else if (t->rows < loops->block) {
        few_rows(loops, t, element);
    } else if (t->columns < loops->block) {
        loops->columns[t->columns <= 2 ? 0 : t->columns <= 4 ? 1 : t->columns <= 8 ? 2 : 3](t);
    } else if (is_packed(t, element)) {
        transpose_packed(loops, t, element);
    } else {
        transpose_blocks(loops, t, element);
    }
}
