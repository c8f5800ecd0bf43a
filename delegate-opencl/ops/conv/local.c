// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/conv/local.h"

#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/tensor.h"

enum { SLICE = 16 /* steps of the depth, BK */, VECTOR = 4, MAX_GROUP = 256, MAX_TEAMS = 16 };

// `slice`: cycles that a unit takes for a team's slice; `end`: for what is done once, when it has several of
// such tiles.
typedef struct Candidate {
    int rows, columns;
    int item_rows, item_vectors;
    int slice, end;
} Candidate;

// The cycles were fitted to 46 layers of three networks on an H200, each with 18 tiles and numbers of teams:
// what is chosen took 540 us in all, the best of each 527.
static const Candidate candidates[] = {{4, 32, 4, 1, 26, 47},
                                       {16, 32, 4, 1, 39, 223},
                                       {32, 32, 8, 1, 77, 321},
                                       {64, 64, 8, 1, 430, 140},
                                       {128, 64, 8, 2, 850, 736}};

static int team_of(const Candidate* c) {
    return c->rows / c->item_rows * (c->columns / (c->item_vectors * VECTOR));
}

static bool fits(const LiteClDevice* device, const Candidate* c, int teams) {
    const size_t group = (size_t)team_of(c) * (size_t)teams;
    const size_t floats = (size_t)teams * SLICE * (size_t)(c->rows + 4 + c->columns);
    return group <= MAX_GROUP && group <= device->limits.group && group <= device->limits.items[0] &&
           floats * sizeof(float) <= device->local_memory;
}

// Cycles that a unit takes, about: a round of slices as long as memory takes to bring the next, or as the
// arithmetic of all teams of all its tiles.
static int64_t estimate(const LiteClDevice* device, const Candidate* c, int teams, int64_t rows,
                        int64_t columns, int64_t depth, int64_t groups) {
    enum { DEEP = 1 << 20 /* beyond which nothing else is chosen */ };
    enum { LATENCY = 349, ADD = 23 /* a team's sums, for each vector of an item */ };
    const int64_t tiles =
        ((rows + c->rows - 1) / c->rows) * ((columns + c->columns - 1) / c->columns) * groups;
    const int64_t each = (tiles + device->units - 1) / device->units; // of one unit
    if (depth > DEEP) depth = DEEP;
    const int64_t rounds = (depth + (int64_t)SLICE * teams - 1) / ((int64_t)SLICE * teams);
    const int64_t busy = c->slice * teams * each;
    return rounds * (busy > LATENCY ? busy : LATENCY) +
           (int64_t)(teams - 1) * ADD * (c->item_rows * c->item_vectors / VECTOR) + each * c->end;
}

LiteClLocalTile lite_cl_local_tile(const LiteClDevice* device, int rows, int columns, int depth, int groups) {
    LiteClLocalTile best = {0};
    if (!lite_cl_device_has_local_tiles(device) || rows < 1 || columns < 1 || depth < 1) return best;
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

static int team_of_tile(const LiteClLocalTile* tile) {
    return tile->rows / tile->item_rows * (tile->columns / (tile->item_vectors * VECTOR));
}

size_t lite_cl_local_group(const LiteClLocalTile* tile) {
    return (size_t)team_of_tile(tile) * (size_t)tile->teams;
}

void lite_cl_local_define(LiteClPrelude* prelude, const LiteClLocalTile* tile) {
    lite_cl_define(prelude, "VW %d", VECTOR);
    lite_cl_define(prelude, "MR %d", tile->item_rows);
    lite_cl_define(prelude, "NV %d", tile->item_vectors);
    lite_cl_define(prelude, "BM %d", tile->rows);
    lite_cl_define(prelude, "BN %d", tile->columns);
    lite_cl_define(prelude, "BK %d", SLICE);
    lite_cl_define(prelude, "TEAM %d", team_of_tile(tile));
    lite_cl_define(prelude, "SPLIT %d", tile->teams);
}

// Steps of the depth are read four at once where these lie at a multiple of their size.
static void define_reads(const LiteClConvArgs* args, bool bytes, LiteClPrelude* prelude) {
    const int step = bytes ? 4 : 1;
    if (args->group_in % (VECTOR * step) == 0) lite_cl_define(prelude, "QUADS_READ");
    if (bytes && args->group_in % step == 0) lite_cl_define(prelude, "WORDS_READ");
}

TfLiteStatus lite_cl_local_launch(LiteClPlan* plan, const LiteClGemm* gemm, LiteClTensor* input,
                                  LiteClTensor* output, const LiteClLocalTile* tile, int panel) {
    LiteClConvArgs args = gemm->args;
    const bool bytes = input->type == kTfLiteInt8, floats = input->type == kTfLiteFloat32;
    const bool aligned = args.out_c % VECTOR == 0 && args.group_out % VECTOR == 0;
    const LiteClLayout layout = {.panel = panel, .dots = bytes, .aligned = floats && aligned};
    const size_t group = lite_cl_local_group(tile);
    LiteClPrelude prelude = {0};
    lite_cl_local_define(&prelude, tile);
    lite_cl_define(&prelude, "PANEL %d", panel);
    define_reads(&args, bytes, &prelude);
    if (floats) lite_cl_define(&prelude, "FLOATS");
    if (bytes && aligned) lite_cl_define(&prelude, "ALIGNED_BYTES");
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
    lite_cl_gemm_add_constants(plan, gemm, input, output, &layout, &args, &prelude, &launch);
    launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, output);
    return lite_cl_plan_launch(plan, &launch);
}
