// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/conv/local.h"

#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/tensor.h"

enum { SLICE = 16 /* steps of the depth, BK */, VECTOR = 4, MAX_GROUP = 256, MAX_TEAMS = 16 };

// `rate`: multiplications that a unit with work enough does in a cycle, as a share of its peak in percent:
// the more an item has in its registers, the fewer readings of local memory.
typedef struct Candidate {
    int rows, columns;
    int item_rows, item_vectors;
    int rate;
} Candidate;

static const Candidate candidates[] = {
    {4, 32, 4, 1, 25}, {16, 32, 4, 1, 45}, {32, 32, 4, 1, 45}, {64, 64, 8, 1, 60}, {128, 64, 8, 2, 75},
};

static int team_of(const Candidate* c) {
    return c->rows / c->item_rows * (c->columns / (c->item_vectors * VECTOR));
}

static size_t local_bytes(const Candidate* c, int teams) {
    return (size_t)teams * SLICE * (size_t)(c->rows + 4 + c->columns) * sizeof(float);
}

static bool fits(const LiteClDevice* device, const Candidate* c, int teams) {
    const size_t group = (size_t)team_of(c) * (size_t)teams;
    return group <= MAX_GROUP && group <= device->limits.group && group <= device->limits.items[0] &&
           local_bytes(c, teams) <= device->local_memory;
}

// Cycles that the launch takes, about: of arithmetic, or where few items share a unit, of waiting for memory.
static int64_t estimate(const LiteClDevice* device, const Candidate* c, int teams, int64_t rows,
                        int64_t columns, int64_t depth, int64_t groups) {
    enum {
        LANES = 128,
        BUSY_ITEMS = 512 /* that keep a unit's lanes busy */,
        ROUND = 700,
        ADD = 60 /* of a team's sums */
    };
    const int64_t tiles =
        ((rows + c->rows - 1) / c->rows) * ((columns + c->columns - 1) / c->columns) * groups;
    const int64_t each = (tiles + device->units - 1) / device->units; // of one unit
    const int64_t rounds = (depth + (int64_t)SLICE * teams - 1) / ((int64_t)SLICE * teams);
    const int64_t items = each * team_of(c) * teams;
    const int64_t busy = items < BUSY_ITEMS ? items : BUSY_ITEMS;
    const int64_t products = each * c->rows * c->columns * rounds * SLICE * teams;
    const int64_t arithmetic = products * 100 * BUSY_ITEMS / ((int64_t)LANES * c->rate * busy);
    const int64_t waiting = rounds * ROUND;
    return (arithmetic > waiting ? arithmetic : waiting) + (int64_t)(teams - 1) * ADD;
}

LiteClLocalTile lite_cl_local_tile(const LiteClDevice* device, int rows, int columns, int depth, int groups) {
    LiteClLocalTile best = {0};
    if (!device->local_tiles || rows < 1 || columns < 1 || depth < 1) return best;
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++) {
        const Candidate* c = &candidates[i];
        for (int teams = 1; teams <= MAX_TEAMS && fits(device, c, teams); teams *= 2) {
            const int64_t cycles = estimate(device, c, teams, rows, columns, depth, groups);
            if (cycles >= least) continue;
            least = cycles;
            best = (LiteClLocalTile){c->rows, c->columns, c->item_rows, c->item_vectors, teams};
        }
    }
    return best;
}

static void define(LiteClPrelude* prelude, const LiteClGemm* gemm, const LiteClLocalTile* tile, int panel) {
    const int team = tile->rows / tile->item_rows * (tile->columns / (tile->item_vectors * VECTOR));
    lite_cl_gemm_define_tile(
        prelude, VECTOR,
        &(LiteClTile){.rows = tile->item_rows, .vectors = tile->item_vectors, .panel = panel});
    lite_cl_define(prelude, "BM %d", tile->rows);
    lite_cl_define(prelude, "BN %d", tile->columns);
    lite_cl_define(prelude, "BK %d", SLICE);
    lite_cl_define(prelude, "TEAM %d", team);
    lite_cl_define(prelude, "SPLIT %d", tile->teams);
    if (lite_cl_gemm_is_pointwise(&gemm->args)) lite_cl_define(prelude, "POINTWISE");
    if (gemm->args.group_in % VECTOR == 0) lite_cl_define(prelude, "QUADS_READ");
}

TfLiteStatus lite_cl_local_launch(LiteClPlan* plan, const LiteClGemm* gemm, LiteClTensor* input,
                                  LiteClTensor* output, const LiteClLocalTile* tile, int panel) {
    LiteClConvArgs args = gemm->args;
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", input->type);
    define(&prelude, gemm, tile, panel);
    lite_cl_gemm_define_floats(gemm, input->type, &args, &prelude);
    const size_t group = (size_t)(tile->rows / tile->item_rows *
                                  (tile->columns / (tile->item_vectors * VECTOR)) * tile->teams);
    LiteClLaunch launch = {.family = &lite_cl_source_conv_local,
                           .kernel = "conv_local",
                           .prelude = prelude.text,
                           .args = &args,
                           .args_size = sizeof args,
                           .buffer_count = 1,
                           .buffers = {lite_cl_plan_tensor(plan, input)},
                           .items = {lite_cl_chunks(args.group_out, tile->columns) * group,
                                     lite_cl_chunks(args.pixels, tile->rows), (size_t)gemm->groups},
                           .group = group};
    lite_cl_gemm_add_weights(plan, gemm, input, panel, &launch);
    // Where there is none, a constant stands for it, which is not read.
    launch.buffers[launch.buffer_count++] = gemm->addend != NULL ? lite_cl_plan_tensor(plan, gemm->addend)
                                                                 : lite_cl_gemm_zeros(plan, gemm, input);
    launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, output);
    return lite_cl_plan_launch(plan, &launch);
}
