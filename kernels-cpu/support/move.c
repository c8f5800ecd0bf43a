// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/move.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/cpu_path.h"
#include "core/base/parallel.h"

enum {
    kTile = 32,     // elements along either side of a tile, so that both sides of a transpose stay cached
    kStripe = 1024, // columns of blocks that are transposed: what is read with them stays in the second cache
    kPart = 64,     // bytes of a row that repeats an element
    kGrainBytes = 64 * 1024 // less work than this is not worth another thread
};

// One tile of rows x columns elements; strides in bytes.
typedef struct Tile {
    int64_t rows, columns;
    int64_t from_row, from_column;
    int64_t to_row, to_column;
} Tile;

// Blocks of N x N elements of 16 / N bytes, N to a vector: rows of the source become columns. After log2(N)
// rounds of interleaving the first half of the vectors with the second, each vector is a column, of which the
// first `count` are stored.
#define INTERLEAVE(N, V, W, LOW, HIGH)                                                                       \
    for (int round = 1; round < (N); round *= 2) {                                                           \
        for (int i = 0; i < (N) / 2; i++) {                                                                  \
            (W)[2 * i] = __builtin_shufflevector((V)[i], (V)[i + (N) / 2], LOW);                             \
            (W)[2 * i + 1] = __builtin_shufflevector((V)[i], (V)[i + (N) / 2], HIGH);                        \
        }                                                                                                    \
        for (int i = 0; i < (N); i++) (V)[i] = (W)[i];                                                       \
    }
#define DEFINE_TRANSPOSE(N, TYPE, LOW, HIGH)                                                                 \
    typedef TYPE Vector##N __attribute__((vector_size(16)));                                                 \
    static void transpose_##N(const char* from, int64_t from_step, char* to, int64_t to_step, int count,     \
                              int64_t blocks) {                                                              \
        for (; blocks > 0; blocks--, from += (N)*from_step, to += 16) {                                      \
            Vector##N v[N], w[N];                                                                            \
            for (int i = 0; i < (N); i++) memcpy(&v[i], from + i * from_step, 16);                           \
            INTERLEAVE(N, v, w, LIST LOW, LIST HIGH)                                                         \
            if (count == (N)) {                                                                              \
                for (int i = 0; i < (N); i++) memcpy(to + i * to_step, &v[i], 16);                           \
            } else {                                                                                         \
                for (int i = 0; i < count; i++) memcpy(to + i * to_step, &v[i], 16);                         \
            }                                                                                                \
        }                                                                                                    \
    }
// The list of a macro's argument in parentheses.
#define LIST(...) __VA_ARGS__
#define BYTES_LOW (0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define BYTES_HIGH (8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
DEFINE_TRANSPOSE(16, uint8_t, BYTES_LOW, BYTES_HIGH)
DEFINE_TRANSPOSE(8, uint16_t, (0, 8, 1, 9, 2, 10, 3, 11), (4, 12, 5, 13, 6, 14, 7, 15))
DEFINE_TRANSPOSE(4, uint32_t, (0, 4, 1, 5), (2, 6, 3, 7))
DEFINE_TRANSPOSE(2, uint64_t, (0, 2), (1, 3))

#ifdef __x86_64__
// Two blocks of N x N side by side, in the halves of vectors of 32 bytes.
#define AVX2 __attribute__((target("avx2")))
#define DEFINE_TRANSPOSE_TWO(N, TYPE, LOW, HIGH, JOIN)                                                       \
    typedef TYPE Wide##N __attribute__((vector_size(32)));                                                   \
    AVX2 static inline void transpose_two_##N(const char* from, int64_t from_step, char* to,                 \
                                              int64_t to_step) {                                             \
        Wide##N v[N], w[N];                                                                                  \
        for (int i = 0; i < (N); i++) {                                                                      \
            Vector##N first, second;                                                                         \
            memcpy(&first, from + i * from_step, 16);                                                        \
            memcpy(&second, from + (i + (N)) * from_step, 16);                                               \
            v[i] = __builtin_shufflevector(first, second, LIST JOIN);                                        \
        }                                                                                                    \
        INTERLEAVE(N, v, w, LIST LOW, LIST HIGH)                                                             \
        for (int i = 0; i < (N); i++) memcpy(to + i * to_step, &v[i], 32);                                   \
    }
DEFINE_TRANSPOSE_TWO(16, uint8_t,
                     (0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 16, 48, 17, 49, 18, 50, 19, 51,
                      20, 52, 21, 53, 22, 54, 23, 55),
                     (8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47, 24, 56, 25, 57, 26, 58,
                      27, 59, 28, 60, 29, 61, 30, 62, 31, 63),
                     (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
                      24, 25, 26, 27, 28, 29, 30, 31))
DEFINE_TRANSPOSE_TWO(4, uint32_t, (0, 8, 1, 9, 4, 12, 5, 13), (2, 10, 3, 11, 6, 14, 7, 15),
                     (0, 1, 2, 3, 4, 5, 6, 7))

AVX2 static void transpose_wide_16(const char* from, int64_t from_step, char* to, int64_t to_step, int count,
                                   int64_t blocks) {
    for (; blocks > 1 && count == 16; blocks -= 2, from += 32 * from_step, to += 32) {
        transpose_two_16(from, from_step, to, to_step);
    }
    transpose_16(from, from_step, to, to_step, count, blocks);
}

// Blocks of 8 x 8, always whole ones.
AVX2 static void transpose_wide(const char* from, int64_t from_step, char* to, int64_t to_step, int count,
                                int64_t blocks) {
    (void)count;
    for (; blocks > 0; blocks--, from += 8 * from_step, to += 32) {
        transpose_two_4(from, from_step, to, to_step);
        transpose_two_4(from + 16, from_step, to + 4 * to_step, to_step);
    }
}
#define TRANSPOSE_16 (lite_cpu_level() >= kLiteCpuAvx2 ? transpose_wide_16 : transpose_16)
#define WIDE_BLOCK 8
#else
#define TRANSPOSE_16 transpose_16
#endif

// How blocks of some elements along either side are transposed, several that follow each other in the
// destination.
typedef struct Transpose {
    void (*function)(const char* from, int64_t from_step, char* to, int64_t to_step, int count,
                     int64_t blocks);
    int64_t block;
} Transpose;

// For a tile whose rows are neighbours in the source and whose columns are in the destination; else without a
// function.
static Transpose find_transpose(const Tile* tile, size_t element) {
    if ((size_t)tile->from_row != element || (size_t)tile->to_column != element) return (Transpose){NULL, 1};
    switch (element) {
    case 1:
        return (Transpose){TRANSPOSE_16, 16};
    case 2:
        return (Transpose){transpose_8, 8};
    case 4:
#ifdef WIDE_BLOCK
        if (tile->rows >= WIDE_BLOCK && tile->columns >= WIDE_BLOCK && lite_cpu_level() >= kLiteCpuAvx2) {
            return (Transpose){transpose_wide, WIDE_BLOCK};
        }
#endif
        return (Transpose){transpose_4, 4};
    case 8:
        return (Transpose){transpose_2, 2};
    default:
        return (Transpose){NULL, 1};
    }
}

// The loop over a row, for constant strides, a constant size of the element and thus vectors where there can
// be some.
#define COPY_ROW(SIZE, FROM_STEP, TO_STEP)                                                                   \
    for (int64_t c = first; c < last; c++) memcpy(target + c * (TO_STEP), source + c * (FROM_STEP), SIZE);
#define COPY_TILE(SIZE)                                                                                      \
    for (int64_t first = 0; first < tile->columns; first += kTile) {                                         \
        const int64_t last = first + kTile < tile->columns ? first + kTile : tile->columns;                  \
        for (int64_t r = 0; r < tile->rows; r++) {                                                           \
            const char* source = from + r * tile->from_row;                                                  \
            char* target = to + r * tile->to_row;                                                            \
            if (tile->to_column == (int64_t)(SIZE) && tile->from_column == -(int64_t)(SIZE)) {               \
                COPY_ROW(SIZE, -(int64_t)(SIZE), (int64_t)(SIZE))                                            \
            } else if (tile->to_column == (int64_t)(SIZE) && tile->from_column == 0) {                       \
                COPY_ROW(SIZE, 0, (int64_t)(SIZE))                                                           \
            } else {                                                                                         \
                COPY_ROW(SIZE, tile->from_column, tile->to_column)                                           \
            }                                                                                                \
        }                                                                                                    \
    }

// Rows that repeat an element, and are worth a part.
static bool is_repeated(const Tile* tile, size_t element) {
    return tile->from_column == 0 && tile->to_column == (int64_t)element && kPart % element == 0 &&
           (size_t)tile->columns * element >= 4 * (size_t)kPart;
}

// The same element again and again, in parts that are whole vectors; kPart is a multiple of its size.
static void repeat_element(const char* from, int64_t count, char* to, size_t element) {
    char part[kPart];
    const size_t bytes = (size_t)count * element;
    size_t done = 0;
    for (size_t at = 0; at < kPart; at += element) memcpy(part + at, from, element);
    for (; done + kPart <= bytes; done += kPart) memcpy(to + done, part, kPart);
    memcpy(to + done, part, bytes - done);
}

static void copy_elements(const Tile* tile, const char* from, char* to, size_t element) {
    switch (element) {
    case 1:
        COPY_TILE(1) break;
    case 2:
        COPY_TILE(2) break;
    case 4:
        COPY_TILE(4) break;
    case 6:
        COPY_TILE(6) break;
    case 8:
        COPY_TILE(8) break;
    case 12:
        COPY_TILE(12) break;
    case 16:
        COPY_TILE(16) break;
    case 24:
        COPY_TILE(24) break;
    case 32:
        COPY_TILE(32) break;
    case 64:
        COPY_TILE(64) break;
    default:
        COPY_TILE(element) break;
    }
}

// The part of a tile that begins at a row and a column.
static Tile part_of(const Tile* tile, int64_t row, int64_t rows, int64_t column, int64_t columns,
                    const char** from, char** to) {
    *from += row * tile->from_row + column * tile->from_column;
    *to += row * tile->to_row + column * tile->to_column;
    Tile part = *tile;
    part.rows = rows;
    part.columns = columns;
    return part;
}

// Rows that do not fill a block, such as the channels of a picture: vectors of the source hold what comes
// after them too, so that the last columns are left. Returns how many are done.
static int64_t transpose_few(const Tile* tile, const char* from, char* to, size_t element) {
    const Transpose transpose = find_transpose(tile, element);
    const int64_t block = transpose.block, after = (block - tile->rows) * (int64_t)element;
    if (transpose.function == NULL || tile->rows == 0 || tile->rows >= block || tile->from_column <= 0)
        return 0;
    const int64_t columns =
        (tile->columns - (after + tile->from_column - 1) / tile->from_column) / block * block;
    transpose.function(from, tile->from_column, to, tile->to_row, (int)tile->rows, columns / block);
    return columns > 0 ? columns : 0;
}

// Whole blocks, then the rows and columns that are left.
static void transpose_tile(const Tile* tile, Transpose transpose, const char* from, char* to,
                           size_t element) {
    const int64_t block = transpose.block;
    const int64_t rows = tile->rows / block * block, columns = tile->columns / block * block;
    const int64_t stripe =
        element < 4 ? kTile : kStripe; // smaller ones share lines of a cache with more rows
    for (int64_t first = 0; first < columns; first += stripe) {
        const int64_t last = first + stripe < columns ? first + stripe : columns;
        for (int64_t r = 0; r < rows; r += block) {
            transpose.function(from + r * tile->from_row + first * tile->from_column, tile->from_column,
                               to + r * tile->to_row + first * tile->to_column, tile->to_row, (int)block,
                               (last - first) / block);
        }
    }
    const char* source = from;
    char* target = to;
    const Tile below = part_of(tile, rows, tile->rows - rows, 0, tile->columns, &source, &target);
    const int64_t done = transpose_few(&below, source, target, element);
    const Tile rest = part_of(&below, 0, below.rows, done, below.columns - done, &source, &target);
    copy_elements(&rest, source, target, element);
    source = from;
    target = to;
    const Tile beside = part_of(tile, 0, rows, columns, tile->columns - columns, &source, &target);
    copy_elements(&beside, source, target, element);
}

// Neighbours, 2 or 4 to a column, one for each row: loops whose loads are shuffled, at any address.
#define DEFINE_SPLIT(BITS)                                                                                   \
    typedef uint##BITS##_t Loose##BITS __attribute__((aligned(1), may_alias));                               \
    static void split_##BITS(const Tile* tile, const char* from, char* to) {                                 \
        const int64_t columns = tile->columns; /* nothing that is written here */                            \
        const Loose##BITS* in = (const Loose##BITS*)from;                                                    \
        Loose##BITS* restrict a = (Loose##BITS*)to;                                                          \
        Loose##BITS* restrict b = (Loose##BITS*)(to + tile->to_row);                                         \
        if (tile->rows == 2) {                                                                               \
            for (int64_t i = 0; i < columns; i++) {                                                          \
                a[i] = in[2 * i];                                                                            \
                b[i] = in[2 * i + 1];                                                                        \
            }                                                                                                \
            return;                                                                                          \
        }                                                                                                    \
        Loose##BITS* restrict c = (Loose##BITS*)(to + 2 * tile->to_row);                                     \
        Loose##BITS* restrict d = (Loose##BITS*)(to + 3 * tile->to_row);                                     \
        for (int64_t i = 0; i < columns; i++) {                                                              \
            a[i] = in[4 * i];                                                                                \
            b[i] = in[4 * i + 1];                                                                            \
            c[i] = in[4 * i + 2];                                                                            \
            d[i] = in[4 * i + 3];                                                                            \
        }                                                                                                    \
    }
DEFINE_SPLIT(8)
DEFINE_SPLIT(16)
DEFINE_SPLIT(32)

// False when the tile is not of that kind, or fills the blocks of a transpose.
static bool split_tile(const Tile* tile, const char* from, char* to, size_t element) {
    const int64_t size = (int64_t)element, column = tile->rows * size;
    if ((tile->rows != 2 && tile->rows != 4) || column >= 16 || tile->from_column != column ||
        tile->from_row != size || tile->to_column != size) {
        return false;
    }
    if (element == 1) split_8(tile, from, to);
    if (element == 2) split_16(tile, from, to);
    if (element == 4) split_32(tile, from, to);
    return element == 1 || element == 2 || element == 4;
}

// Elements backwards, a vector of BYTES at a time; `from` is the last one. Returns how many are done.
#define DEFINE_REVERSE(NAME, TYPE, BYTES, ...)                                                               \
    static int64_t NAME(const char* from, int64_t count, char* to) {                                         \
        typedef TYPE Vector __attribute__((vector_size(BYTES)));                                             \
        const int64_t size = sizeof(TYPE), many = (BYTES) / size;                                            \
        int64_t at = 0;                                                                                      \
        for (; at + many <= count; at += many) {                                                             \
            Vector v;                                                                                        \
            memcpy(&v, from - (at + many - 1) * size, BYTES);                                                \
            v = __builtin_shufflevector(v, v, __VA_ARGS__);                                                  \
            memcpy(to + at * size, &v, BYTES);                                                               \
        }                                                                                                    \
        return at;                                                                                           \
    }
DEFINE_REVERSE(reverse_2, uint16_t, 16, 7, 6, 5, 4, 3, 2, 1, 0)
DEFINE_REVERSE(reverse_4, uint32_t, 16, 3, 2, 1, 0)
DEFINE_REVERSE(reverse_8, uint64_t, 16, 1, 0)

static int64_t reverse_1(const char* from, int64_t count, char* to) {
    int64_t at = 0;
    for (; at + 8 <= count; at += 8) {
        uint64_t bytes;
        memcpy(&bytes, from - at - 7, 8);
        bytes = __builtin_bswap64(bytes);
        memcpy(to + at, &bytes, 8);
    }
    return at;
}

#ifdef __x86_64__
__attribute__((target("avx2")))
DEFINE_REVERSE(reverse_wide, uint8_t, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15,
               14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define REVERSE_1 (lite_cpu_level() >= kLiteCpuAvx2 ? reverse_wide : reverse_1)
#else
#define REVERSE_1 reverse_1
#endif

    // False when the tile's rows are no elements backwards.
    static bool reverse_tile(const Tile* tile, const char* from, char* to, size_t element) {
    const int64_t size = (int64_t)element;
    if (tile->from_column != -size || tile->to_column != size) return false;
    int64_t (*reverse)(const char* last, int64_t count, char* first) = element == 1   ? REVERSE_1
                                                                       : element == 2 ? reverse_2
                                                                       : element == 4 ? reverse_4
                                                                       : element == 8 ? reverse_8
                                                                                      : NULL;
    if (reverse == NULL) return false;
    for (int64_t r = 0; r < tile->rows; r++) {
        const char* last = from + r * tile->from_row;
        char* first = to + r * tile->to_row;
        for (int64_t i = reverse(last, tile->columns, first); i < tile->columns; i++) {
            memcpy(first + i * size, last - i * size, element);
        }
    }
    return true;
}

static void copy_tile(const Tile* tile, const char* from, char* to, size_t element) {
    const Transpose transpose = find_transpose(tile, element);
    if (split_tile(tile, from, to, element) || reverse_tile(tile, from, to, element)) return;
    if (transpose.function != NULL) {
        transpose_tile(tile, transpose, from, to, element);
    } else if (element == 1 && tile->from_column == 0 && tile->to_column == 1) {
        for (int64_t r = 0; r < tile->rows; r++) {
            memset(to + r * tile->to_row, from[r * tile->from_row], (size_t)tile->columns);
        }
    } else if (is_repeated(tile, element)) {
        for (int64_t r = 0; r < tile->rows; r++) {
            repeat_element(from + r * tile->from_row, tile->columns, to + r * tile->to_row, element);
        }
    } else {
        copy_elements(tile, from, to, element);
    }
}

// A move brought to its simplest form: no dimension of length 1, no two that can be one, elements grown to
// the longest contiguous block, the last two dimensions those of a tile.
typedef struct Plan {
    LiteMove move; // strides in bytes
    size_t element;
    int64_t row_tiles; // tiles along the last dimension but one
    const char* from;
    char* to;
} Plan;

static void swap_dimensions(LiteMove* move, int a, int b) {
    const LiteMove old = *move;
    move->dims[a] = old.dims[b], move->from[a] = old.from[b], move->to[a] = old.to[b];
    move->dims[b] = old.dims[a], move->from[b] = old.from[a], move->to[b] = old.to[a];
}

// Joins dimensions that are one run in both arrays.
static void join_dimensions(const LiteMove* move, size_t element, LiteMove* joined) {
    joined->rank = 0;
    const int64_t size = (int64_t)element;
    for (int i = 0; i < move->rank; i++) {
        const int64_t length = move->dims[i], from = move->from[i] * size, to = move->to[i] * size;
        const int last = joined->rank - 1;
        if (length == 1) continue;
        if (last >= 0 && joined->from[last] == from * length && joined->to[last] == to * length) {
            joined->dims[last] *= length;
            joined->from[last] = from;
            joined->to[last] = to;
        } else {
            lite_move_add(joined, length, from, to);
        }
    }
}

// What the last dimension is for the loops: the one with the smallest stride in the destination.
static void choose_tile(Plan* plan) {
    LiteMove* m = &plan->move;
    int column = 0, row = -1;
    for (int i = 1; i < m->rank; i++) {
        if (llabs(m->to[i]) < llabs(m->to[column])) column = i;
    }
    swap_dimensions(m, column, m->rank - 1);
    if ((size_t)m->from[m->rank - 1] == plan->element && (size_t)m->to[m->rank - 1] == plan->element) {
        plan->element *= (size_t)m->dims[m->rank - 1];
        m->rank--;
        // Rows of a block each: the order of dimensions is the caller's, which writes in order. Small blocks
        // that follow each other are a row.
        for (int i = 0; i < m->rank && plan->element < 8; i++) {
            if ((size_t)m->to[i] == plan->element) swap_dimensions(m, i, m->rank - 1);
        }
    }
    for (int i = 0; i + 1 < m->rank; i++) {
        if (row < 0 || llabs(m->from[i]) < llabs(m->from[row])) row = i;
    }
    if (row >= 0) swap_dimensions(m, row, m->rank - 2);
    while (m->rank < 2) {
        lite_move_add(m, 1, 0, 0);
        if (m->rank == 2) swap_dimensions(m, 0, 1);
    }
    plan->row_tiles = (m->dims[m->rank - 2] + kTile - 1) / kTile;
}

// Tasks [begin, end): each is up to kTile rows of one position of the outer dimensions.
static void run_tasks(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Plan* plan = argument;
    const LiteMove* m = &plan->move;
    const int row = m->rank - 2, column = m->rank - 1;
    for (int64_t task = begin; task < end; task++) {
        int64_t from = 0, to = 0, rest = task / plan->row_tiles;
        for (int i = row - 1; i >= 0; i--) {
            const int64_t at = rest % m->dims[i];
            rest /= m->dims[i];
            from += at * m->from[i];
            to += at * m->to[i];
        }
        const int64_t first_row = task % plan->row_tiles * kTile;
        const int64_t rows = m->dims[row] - first_row;
        const Tile tile = {.rows = rows < kTile ? rows : kTile,
                           .columns = m->dims[column],
                           .from_row = m->from[row],
                           .from_column = m->from[column],
                           .to_row = m->to[row],
                           .to_column = m->to[column]};
        copy_tile(&tile, plan->from + from + first_row * m->from[row], plan->to + to + first_row * m->to[row],
                  plan->element);
    }
}

// Columns [begin, end) of the only tile.
static void run_columns(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Plan* plan = argument;
    const LiteMove* m = &plan->move;
    const int row = m->rank - 2, column = m->rank - 1;
    const Tile tile = {.rows = m->dims[row],
                       .columns = end - begin,
                       .from_row = m->from[row],
                       .from_column = m->from[column],
                       .to_row = m->to[row],
                       .to_column = m->to[column]};
    copy_tile(&tile, plan->from + begin * tile.from_column, plan->to + begin * tile.to_column, plan->element);
}

// Bytes [begin, end) of a copy from one run to another.
static void run_bytes(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Plan* plan = argument;
    memcpy(plan->to + begin, plan->from + begin, (size_t)(end - begin));
}

// A block that is one in both arrays and needs no second thread, as in most small graphs.
static bool copy_small(const Plan* plan) {
    const LiteMove* m = &plan->move;
    const int64_t element = (int64_t)plan->element;
    if (m->rank > 1 || (m->rank == 1 && (m->from[0] != element || m->to[0] != element))) return false;
    const int64_t count = m->rank == 1 ? m->dims[0] : 1;
    if (count > kGrainBytes / element) return false;
    memcpy(plan->to, plan->from, (size_t)(count * element));
    return true;
}

void lite_move_run(const LiteMove* move, const void* from, void* to, size_t element, int threads) {
    for (int i = 0; i < move->rank; i++) {
        if (move->dims[i] == 0) return;
    }
    if (element == 0) return;
    int64_t count;
    if (from == to && lite_move_is_run(move, &count)) return; // it is there already
    Plan plan = {.element = element, .from = from, .to = to};
    join_dimensions(move, element, &plan.move);
    if (copy_small(&plan)) return;
    if (plan.move.rank == 0) lite_move_add(&plan.move, 1, (int64_t)element, (int64_t)element);
    choose_tile(&plan);
    const LiteMove* m = &plan.move;
    const int64_t columns = m->dims[m->rank - 1];
    int64_t tasks = plan.row_tiles;
    for (int i = 0; i < m->rank - 2; i++) tasks *= m->dims[i];
    const int64_t rows = m->dims[m->rank - 2] < kTile ? m->dims[m->rank - 2] : kTile;
    const int64_t task_bytes = rows * columns * (int64_t)plan.element;
    if (tasks == 1 && rows * columns == 1) {
        lite_parallel_for(threads, task_bytes, kGrainBytes, run_bytes, &plan);
    } else if (tasks == 1) {
        lite_parallel_for(threads, columns, 1 + kGrainBytes * columns / task_bytes, run_columns, &plan);
    } else {
        lite_parallel_for(threads, tasks, 1 + kGrainBytes / task_bytes, run_tasks, &plan);
    }
}
