// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/move.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/cpu_path.h"
#include "core/base/parallel.h"
#include "kernels-cpu/support/interleave.h"
#include "kernels-cpu/support/transpose.h"

enum {
    kTile = 32, // elements along either side of a tile, so that both sides of a transpose stay cached
    kPart = 64, // bytes of a row that repeats an element
    kGrainBytes = 64 * 1024 // less work than this is not worth another thread
};

// One tile of rows x columns elements; strides in bytes.
typedef struct Tile {
    int64_t rows, columns;
    int64_t from_row, from_column;
    int64_t to_row, to_column;
} Tile;

// Of a tile whose rows are neighbours in the source and whose columns are in the destination.
static bool is_transpose(const Tile* tile, size_t element) {
    return (size_t)tile->from_row == element && (size_t)tile->to_column == element &&
           lite_transpose_has(element);
}

static LiteTranspose transpose_of(const Tile* tile, const char* from, char* to) {
    return (LiteTranspose){from, tile->from_column, to, tile->to_row, tile->rows, tile->columns};
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
    if (is_transpose(tile, element)) {
        const LiteTranspose transpose = transpose_of(tile, from, to);
        if (!lite_interleave(&transpose, element)) lite_transpose(&transpose, element);
    } else if (reverse_tile(tile, from, to, element)) {
        return;
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

static Tile tile_of(const Plan* plan, int64_t rows, int64_t columns) {
    const LiteMove* m = &plan->move;
    const int row = m->rank - 2, column = m->rank - 1;
    return (Tile){.rows = rows,
                  .columns = columns,
                  .from_row = m->from[row],
                  .from_column = m->from[column],
                  .to_row = m->to[row],
                  .to_column = m->to[column]};
}

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
    const Tile all = tile_of(plan, m->dims[m->rank - 2], m->dims[m->rank - 1]);
    const LiteTranspose transpose = transpose_of(&all, NULL, NULL);
    plan->tile_rows =
        is_transpose(&all, plan->element) ? lite_transpose_rows(&transpose, plan->element) : kTile;
    plan->row_tiles = (m->dims[m->rank - 2] + plan->tile_rows - 1) / plan->tile_rows;
}

// Tasks [begin, end): each is up to tile_rows rows of one position of the outer dimensions.
static void run_tasks(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Plan* plan = argument;
    const LiteMove* m = &plan->move;
    const int row = m->rank - 2;
    int64_t at[LITE_MOVE_RANK], from = 0, to = 0, rest = begin / plan->row_tiles;
    for (int i = row - 1; i >= 0; i--) {
        at[i] = rest % m->dims[i];
        rest /= m->dims[i];
        from += at[i] * m->from[i];
        to += at[i] * m->to[i];
    }
    int64_t first_row = begin % plan->row_tiles * plan->tile_rows;
    for (int64_t task = begin; task < end; task++) {
        const int64_t rows = m->dims[row] - first_row;
        const Tile tile = tile_of(plan, rows < plan->tile_rows ? rows : plan->tile_rows, m->dims[row + 1]);
        copy_tile(&tile, plan->from + from + first_row * m->from[row], plan->to + to + first_row * m->to[row],
                  plan->element);
        first_row += plan->tile_rows;
        if (first_row < m->dims[row]) continue;
        first_row = 0;
        for (int i = row - 1; i >= 0; i--) {
            from += m->from[i];
            to += m->to[i];
            if (++at[i] < m->dims[i]) break;
            at[i] = 0;
            from -= m->dims[i] * m->from[i];
            to -= m->dims[i] * m->to[i];
        }
    }
}

// Columns [begin, end) of the only tile.
static void run_columns(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Plan* plan = argument;
    const Tile tile = tile_of(plan, plan->move.dims[plan->move.rank - 2], end - begin);
    copy_tile(&tile, plan->from + begin * tile.from_column, plan->to + begin * tile.to_column, plan->element);
}

// Bytes [begin, end) of a copy from one run to another.
static void run_bytes(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Plan* plan = argument;
    memcpy(plan->to + begin, plan->from + begin, (size_t)(end - begin));
}

void lite_move_run(const LiteMove* move, const void* from, void* to, size_t element, int threads) {
    for (int i = 0; i < move->rank; i++) {
        if (move->dims[i] == 0) return;
    }
    if (element == 0) return;
    int64_t count;
    if (lite_move_is_run(move, &count)) {
        if (from == to) return; // it is there already
        // In most small graphs nothing needs a second thread.
        if (count <= kGrainBytes / (int64_t)element) {
            memcpy(to, from, (size_t)count * element);
            return;
        }
    }
    Plan plan = {.element = element, .from = from, .to = to};
    join_dimensions(move, element, &plan.move);
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
