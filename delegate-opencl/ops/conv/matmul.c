// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/conv/matmul.h"

#include "core/semantics/move.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/move.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/conv/local.h"
#include "kernels-cl/args/matmul.h"

// One item's part, see the kernel.
typedef struct Tile {
    int vector;
    int vectors;
    int rows;
    int columns; // of all vectors, or of the matrix, if it has fewer
    int count;   // of tiles along the columns
} Tile;

// A whole tile has programs for matrices of any size. A smaller one serves matrices that have been small from
// the beginning.
static TfLiteStatus find_tile(LiteClPlan* plan, const LiteClMatmul* m, Tile* tile) {
    const LiteClFirst* first =
        lite_cl_plan_first(plan, &(LiteClFirst){.owner = m->node, .rows = m->rows, .columns = m->columns});
    if (first == NULL) return kTfLiteError;
    *tile = (Tile){.vector = lite_cl_tune(plan->device->class)->vector,
                   .vectors = first->tile->vectors,
                   .rows = first->tile->rows};
    if (first->rows == m->rows && first->columns == m->columns) {
        tile->vector = lite_cl_vector(plan->device->class, m->columns);
        while (tile->vectors > 1 && tile->vectors * tile->vector > m->columns) tile->vectors--;
        if (tile->rows > m->rows) tile->rows = m->rows;
    }
    tile->columns = tile->vectors * tile->vector;
    tile->count = (int)lite_cl_chunks(m->columns, tile->columns);
    if (tile->columns > m->columns) tile->columns = m->columns;
    return kTfLiteOk;
}

// Panels, one after the other, pay where there are rows enough to read them for, as steps of the depth are in
// different pages, or compete for the same lines of a cache.
#define FEW_ROWS 32
#define FEW_COLUMNS 64

static bool wants_panels(const LiteClMatmul* m) {
    return m->right.swapped || (m->rows >= FEW_ROWS && m->columns > FEW_COLUMNS);
}

// A storage with the right operand's tiles of columns, the last of which ends with the matrix.
static TfLiteStatus pack_panels(LiteClPlan* plan, const LiteClMatmul* m, const Tile* tile, int* packed) {
    const int64_t matrices = lite_shape_elements(&m->right.batch), panel = (int64_t)m->depth * tile->columns;
    const int64_t step = m->right.swapped ? 1 : m->columns, column = m->right.swapped ? m->depth : 1;
    const int whole = m->columns / tile->columns;
    *packed = lite_cl_plan_add_storage(plan, kLiteClArena,
                                       (size_t)(matrices * tile->count * panel) * sizeof(float));
    for (int last = 0; last < 2; last++) {
        const int64_t panels = last ? tile->count - whole : whole;
        LiteMove move = {0};
        lite_move_add(&move, matrices, (int64_t)m->depth * m->columns, tile->count * panel);
        lite_move_add(&move, panels, tile->columns * column, panel);
        lite_move_add(&move, m->depth, step, tile->columns);
        lite_move_add(&move, tile->columns, column, 1);
        if (panels == 0) continue;
        const int64_t from = last ? (m->columns - tile->columns) * column : 0;
        LITE_TRY(lite_cl_move_storage(plan, &move, kTfLiteFloat32, m->right.storage, from, *packed,
                                      last ? whole * panel : 0));
    }
    return kTfLiteOk;
}

// How far an operand's matrices are apart along dimension d of the output's batch, counted from the last one.
static int step_of(const LiteShape* batch, int d, int64_t elements) {
    if (d >= batch->rank || batch->dims[batch->rank - 1 - d] == 1) return 0;
    for (int i = 0; i < d; i++) elements *= batch->dims[batch->rank - 1 - i];
    return (int)elements;
}

static void fill_batch(const LiteClMatmul* m, int64_t right_elements, LiteClMatmulArgs* args) {
    LiteClMatmulBatch* dims[LITE_CL_MATMUL_RANK] = {&args->inner, &args->middle, &args->outer};
    for (int d = 0; d < LITE_CL_MATMUL_RANK; d++) {
        *dims[d] = (LiteClMatmulBatch){d < m->batch.rank ? m->batch.dims[m->batch.rank - 1 - d] : 1,
                                       step_of(&m->left.batch, d, (int64_t)m->rows * m->depth),
                                       step_of(&m->right.batch, d, right_elements)};
    }
}

// By work-groups that share tiles in local memory; false where the device is not for them.
static bool find_local_tile(LiteClPlan* plan, const LiteClMatmul* m, LiteClLocalTile* tile) {
    if (!lite_cl_device_has_local_tiles(plan->device)) return false;
    const LiteClFirst* first =
        lite_cl_plan_first(plan, &(LiteClFirst){.owner = m->node, .rows = m->rows, .columns = m->columns});
    if (first == NULL) return false;
    *tile = lite_cl_local_tile(plan->device, first->rows, first->columns, m->depth,
                               (int)lite_shape_elements(&m->batch));
    return tile->teams > 0;
}

static TfLiteStatus lower_locally(LiteClPlan* plan, const LiteClMatmul* m, const LiteClLocalTile* tile) {
    enum { VECTOR = 4 };
    LiteClMatmulArgs args = {.rows = m->rows,
                             .depth = m->depth,
                             .columns = m->columns,
                             .x_row = m->left.swapped ? 1 : m->depth,
                             .x_step = m->left.swapped ? m->rows : 1,
                             .w_step = m->right.swapped ? 1 : m->columns,
                             .w_tile = m->right.swapped ? m->depth : 1};
    fill_batch(m, (int64_t)m->depth * m->columns, &args);
    LiteClPrelude prelude = {0};
    lite_cl_local_define(&prelude, tile);
    if (!m->left.swapped && m->depth % VECTOR == 0) lite_cl_define(&prelude, "ROWS_READ");
    if (!m->right.swapped && m->columns % VECTOR == 0) lite_cl_define(&prelude, "COLUMNS_READ");
    const size_t group = lite_cl_local_group(tile);
    const LiteClLaunch launch = {.family = &lite_cl_source_matmul_local,
                                 .kernel = "matmul_local",
                                 .prelude = prelude.text,
                                 .args = &args,
                                 .args_size = sizeof args,
                                 .buffer_count = 3,
                                 .buffers = {m->left.storage, m->right.storage, m->output},
                                 .items = {lite_cl_chunks(m->columns, tile->columns) * group,
                                           lite_cl_chunks(m->rows, tile->rows),
                                           (size_t)lite_shape_elements(&m->batch)},
                                 .group = group};
    return lite_cl_plan_launch(plan, &launch);
}

TfLiteStatus lite_cl_matmul_lower(LiteClPlan* plan, const LiteClMatmul* m) {
    const int64_t matrices = lite_shape_elements(&m->batch);
    if (m->rows == 0 || m->columns == 0 || matrices == 0) return kTfLiteOk;
    LiteClLocalTile local;
    if (find_local_tile(plan, m, &local)) return lower_locally(plan, m, &local);
    Tile tile;
    LITE_TRY(find_tile(plan, m, &tile));
    LiteClMatmulArgs args = {.rows = m->rows,
                             .depth = m->depth,
                             .columns = m->columns,
                             .x_row = m->left.swapped ? 1 : m->depth,
                             .x_step = m->left.swapped ? m->rows : 1,
                             .w_step = m->columns,
                             .w_tile = tile.columns,
                             .w_last = m->columns - tile.columns};
    int64_t right_elements = (int64_t)m->depth * m->columns;
    int right = m->right.storage;
    if (wants_panels(m) && m->depth > 0) {
        LITE_TRY(pack_panels(plan, m, &tile, &right));
        args.w_step = tile.columns;
        args.w_tile = m->depth * tile.columns;
        args.w_last = (tile.count - 1) * args.w_tile;
        right_elements = (int64_t)args.w_tile * tile.count;
    }
    fill_batch(m, right_elements, &args);
    const int rows_dim = plan->device->class == kLiteClGpu ? 1 : 0;
    LiteClPrelude prelude = {0};
    lite_cl_define(&prelude, "VW %d", tile.vector);
    lite_cl_define(&prelude, "NV %d", tile.vectors);
    lite_cl_define(&prelude, "MR %d", tile.rows);
    lite_cl_define(&prelude, "ROWS_DIM %d", rows_dim);
    LiteClLaunch launch = {.family = &lite_cl_source_matmul,
                           .kernel = "matmul",
                           .prelude = prelude.text,
                           .args = &args,
                           .args_size = sizeof args,
                           .buffer_count = 3,
                           .buffers = {m->left.storage, right, m->output},
                           .items = {1, 1, (size_t)matrices}};
    launch.items[rows_dim] = lite_cl_chunks(m->rows, tile.rows);
    launch.items[1 - rows_dim] = (size_t)tile.count;
    return lite_cl_plan_launch(plan, &launch);
}
