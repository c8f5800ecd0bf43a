// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/move.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/cpu_path.h"
#include "core/base/parallel.h"
#include "kernels-cpu/support/transpose.h"

enum {
    kTile = 32,      // elements along either side of a tile, so that both sides of a transpose stay cached
    kTallTile = 256, // rows of one whose columns are LITE_TRANSPOSE_FAR bytes apart in the source
    kStripe = 1024,  // most columns of blocks that are transposed one after the other,
    kStripeBytes = 256 * 1024, // over which what is read with them stays in the second cache
    kPart = 64,                // bytes of a row that repeats an element
    kGrainBytes = 64 * 1024    // less work than this is not worth another thread
};

// One tile of rows x columns elements; strides in bytes.
typedef struct Tile {
    int64_t rows, columns;
    int64_t from_row, from_column;
    int64_t to_row, to_column;
} Tile;

// For a tile whose rows are neighbours in the source and whose columns are in the destination; else without a
// function.
static LiteTranspose find_transpose(const Tile* tile, size_t element) {
    if ((size_t)tile->from_row != element || (size_t)tile->to_column != element) {
        return (LiteTranspose){NULL, 1};
    }
    return lite_transpose(element, tile->rows, tile->columns, tile->from_column);
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
    const LiteTranspose transpose = find_transpose(tile, element);
    const int64_t block = transpose.block, after = (block - tile->rows) * (int64_t)element;
    if (transpose.function == NULL || tile->rows == 0 || tile->rows >= block || tile->from_column <= 0)
        return 0;
    const int64_t columns =
        (tile->columns - (after + tile->from_column - 1) / tile->from_column) / block * block;
    transpose.function(from, tile->from_column, to, tile->to_row, (int)tile->rows, columns / block);
    return columns > 0 ? columns : 0;
}

// Columns of a tile whose rows are transposed before those of the next ones. Lines that are far apart share
// few places in a cache, and small elements share lines with more rows.
static int64_t stripe_of(const Tile* tile, size_t element) {
    if (element < 4 || tile->from_column <= 0) return kTile;
    if (tile->from_column >= LITE_TRANSPOSE_FAR) return kTile / 2;
    const int64_t stripe = kStripeBytes / tile->from_column / kTile * kTile;
    return stripe < kStripe ? stripe : kStripe;
}

// Whole blocks, then the rows and columns that are left.
static void transpose_tile(const Tile* tile, LiteTranspose transpose, const char* from, char* to,
                           size_t element) {
    const int64_t block = transpose.block;
    const int64_t rows = tile->rows / block * block, columns = tile->columns / block * block;
    const int64_t stripe = stripe_of(tile, element);
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
    const LiteTranspose transpose = find_transpose(tile, element);
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
    int64_t tile_rows; // of a tile, along the last dimension but one
    int64_t row_tiles; // tiles along that
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
    const int64_t column_step = m->from[m->rank - 1], columns = m->dims[m->rank - 1];
    const bool far = (size_t)m->from[m->rank - 2] == plan->element && plan->element >= 4 &&
                     column_step >= LITE_TRANSPOSE_FAR && columns >= kTile;
    plan->tile_rows = far ? kTallTile : kTile;
    plan->row_tiles = (m->dims[m->rank - 2] + plan->tile_rows - 1) / plan->tile_rows;
}

// Tasks [begin, end): each is up to tile_rows rows of one position of the outer dimensions.
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
        const int64_t first_row = task % plan->row_tiles * plan->tile_rows;
        const int64_t rows = m->dims[row] - first_row;
        const Tile tile = {.rows = rows < plan->tile_rows ? rows : plan->tile_rows,
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
    const int64_t all = m->dims[m->rank - 2], rows = all < plan.tile_rows ? all : plan.tile_rows;
    const int64_t task_bytes = rows * columns * (int64_t)plan.element;
    if (tasks == 1 && rows * columns == 1) {
        lite_parallel_for(threads, task_bytes, kGrainBytes, run_bytes, &plan);
    } else if (tasks == 1) {
        lite_parallel_for(threads, columns, 1 + kGrainBytes * columns / task_bytes, run_columns, &plan);
    } else {
        lite_parallel_for(threads, tasks, 1 + kGrainBytes / task_bytes, run_tasks, &plan);
    }
}
