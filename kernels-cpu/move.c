// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/move.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/parallel.h"
#include "kernels-cpu/strings.h"

enum {
    kTile = 32, // elements along either side of a tile, so that both sides of a transpose stay cached
    kGrainBytes = 64 * 1024 // less work than this is not worth another thread
};

void lite_move_add(LiteMove* move, int64_t length, int64_t from, int64_t to) {
    move->dims[move->rank] = length;
    move->from[move->rank] = from;
    move->to[move->rank] = to;
    move->rank++;
}

void lite_move_strides(const LiteShape* shape, int64_t strides[LITE_MAX_RANK]) {
    int64_t stride = 1;
    for (int i = shape->rank - 1; i >= 0; i--) {
        strides[i] = stride;
        stride *= shape->dims[i];
    }
}

// One tile of rows x columns elements; strides in bytes.
typedef struct Tile {
    int64_t rows, columns;
    int64_t from_row, from_column;
    int64_t to_row, to_column;
} Tile;

// The size of an element is a constant in each copy of the loop, which makes memcpy a load and a store.
#define COPY_TILE(SIZE)                                                                                      \
    for (int64_t first = 0; first < tile->columns; first += kTile) {                                         \
        const int64_t last = first + kTile < tile->columns ? first + kTile : tile->columns;                  \
        for (int64_t r = 0; r < tile->rows; r++) {                                                           \
            const char* source = from + r * tile->from_row;                                                  \
            char* target = to + r * tile->to_row;                                                            \
            for (int64_t c = first; c < last; c++) {                                                         \
                memcpy(target + c * tile->to_column, source + c * tile->from_column, SIZE);                  \
            }                                                                                                \
        }                                                                                                    \
    }

static void copy_tile(const Tile* tile, const char* from, char* to, size_t element) {
    if (element == 1 && tile->from_column == 0 && tile->to_column == 1) {
        for (int64_t r = 0; r < tile->rows; r++) {
            memset(to + r * tile->to_row, from[r * tile->from_row], (size_t)tile->columns);
        }
        return;
    }
    switch (element) {
    case 1:
        COPY_TILE(1) break;
    case 2:
        COPY_TILE(2) break;
    case 4:
        COPY_TILE(4) break;
    case 8:
        COPY_TILE(8) break;
    case 16:
        COPY_TILE(16) break;
    default:
        COPY_TILE(element) break;
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
        // Rows of a block each: the order of dimensions is the caller's, which writes in order.
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

void lite_move_run(const LiteMove* move, const void* from, void* to, size_t element, int threads) {
    for (int i = 0; i < move->rank; i++) {
        if (move->dims[i] == 0) return;
    }
    if (element == 0) return;
    Plan plan = {.element = element, .from = from, .to = to};
    join_dimensions(move, element, &plan.move);
    if (plan.move.rank == 0) lite_move_add(&plan.move, 1, (int64_t)element, (int64_t)element);
    choose_tile(&plan);
    const LiteMove* m = &plan.move;
    int64_t tasks = plan.row_tiles;
    for (int i = 0; i < m->rank - 2; i++) tasks *= m->dims[i];
    const int64_t rows = m->dims[m->rank - 2] < kTile ? m->dims[m->rank - 2] : kTile;
    const int64_t task_bytes = rows * m->dims[m->rank - 1] * (int64_t)plan.element;
    const int64_t grain = task_bytes >= kGrainBytes ? 1 : kGrainBytes / task_bytes;
    lite_parallel_for(threads, tasks, grain, run_tasks, &plan);
}

TfLiteStatus lite_move_tensor(TfLiteOpaqueContext* context, const char* op, const LiteMove* move,
                              const LiteView* input, int64_t from_offset, LiteView* output,
                              int64_t to_offset) {
    const size_t element = lite_type_size(input->type);
    const int threads = lite_num_threads(context);
    if (input->type == kTfLiteString) {
        return lite_strings_move(context, op, move, input, from_offset, output);
    }
    if (element == 0) {
        return lite_fail(context, "%s: elements of type %s cannot be moved", op,
                         TfLiteTypeGetName(input->type));
    }
    // Pointers to the first element, which an empty tensor has not.
    if (input->count == 0 || output->count == 0) return kTfLiteOk;
    lite_move_run(move, (const char*)input->data + from_offset * (int64_t)element,
                  (char*)output->data + to_offset * (int64_t)element, element, threads);
    return kTfLiteOk;
}
