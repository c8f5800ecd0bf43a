// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/conv/winograd.h"

#include <math.h>
#include <string.h>

#include "core/base/parallel.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "delegate-opencl/ops/conv/packing.h"
#include "kernels-cl/args/winograd.h"

enum { MAX_SPAN = 6, FILTER = 3 };

static const LiteClTile tiles[] = {
#define WINOGRAD_TILE(Class, rows, vectors, panel)                                                           \
    [kLiteCl##Class] = {kLiteCl##Class, false, rows, vectors, panel, 100},
#include "delegate-opencl/device/tune.def"
};

static int round_up(int count, int unit) {
    return (int)lite_cl_chunks(count, unit) * unit;
}

static size_t matrices_of(int side) {
    return (size_t)(side + 2) * (size_t)(side + 2);
}

// Transformed weights.
static size_t weight_bytes(const LiteClGemm* gemm, int side, int panel) {
    return matrices_of(side) * (size_t)gemm->args.in_c * (size_t)round_up(gemm->args.out_c, panel) *
           sizeof(float);
}

static bool is_possible(const LiteClPlan* plan, const LiteClGemm* gemm, const LiteClTensor* input, int side) {
    enum { MOST = 1 << 28 /* elements */ };
    const LiteClConvArgs* a = &gemm->args;
    const size_t panel = (size_t)tiles[plan->device->class].panel;
    return input->type == kTfLiteFloat32 && gemm->filter->data != NULL &&
           (gemm->bias == NULL || gemm->bias->data != NULL) && gemm->groups == 1 && a->kernel_h == FILTER &&
           a->kernel_w == FILTER && a->stride_h == 1 && a->stride_w == 1 && a->dilation_h == 1 &&
           a->dilation_w == 1 && a->pixels > 0 && a->in_c > 0 && a->out_c > 0 &&
           (size_t)a->in_c * ((size_t)a->out_c + panel) <= MOST / matrices_of(side) &&
           weight_bytes(gemm, side, (int)panel) <= plan->device->max_allocation;
}

// Costs in steps of a product: a pixel or tile times a vector of weights. Measured on PoCL, two cores of an
// AMD EPYC of Zen 4, layers of 4 x 4 x 256 to 147 x 147 x 32.
#define INPUT_STEPS 490.0  // to transform a vector of channels of a tile of 4 x 4
#define OUTPUT_STEPS 350.0 // and back
#define LAUNCH_STEPS 52e3  // of each unit, for one more launch
#define WEIGHT_STEPS 0.15  // for a byte of weights, which come from memory
#define GAIN 0.9           // what is less than so much of the direct way's time is worth the memory

static double direct_steps(const LiteClDevice* device, const LiteClConvArgs* a) {
    const LiteClTile* tile = lite_cl_tile(device->class, false, a->pixels, a->out_c);
    const double depth = 9.0 * a->in_c, columns = (double)round_up(a->out_c, tile->panel);
    const double products = (double)round_up(a->pixels, tile->rows) * depth * columns * tile->cost / 100;
    return products / lite_cl_tune(device->class)->vector + depth * columns * sizeof(float) * WEIGHT_STEPS;
}

// In tiles of 4 x 4. Those of 2 x 2 were faster only where the weights are many and the pixels few, in which
// case they are not worth a program of their own, which the first inference waits for.
static double estimate(const LiteClDevice* device, const LiteClConvArgs* a) {
    enum { SIDE = 4, MATRICES = 36, ENDS = 8 /* steps in which the sums of a product begin and end */ };
    const LiteClTile* tile = &tiles[device->class];
    const int vector = lite_cl_tune(device->class)->vector;
    const double count =
        (double)a->images * (double)lite_cl_chunks(a->out_h, SIDE) * (double)lite_cl_chunks(a->out_w, SIDE);
    const double rows = ceil(count / tile->rows) * tile->rows;
    const double columns = (double)MATRICES * round_up(a->out_c, tile->panel);
    return rows * columns * (a->in_c + ENDS) / vector + columns * a->in_c * sizeof(float) * WEIGHT_STEPS +
           count * (double)lite_cl_chunks(a->in_c, vector) * INPUT_STEPS +
           count * (double)lite_cl_chunks(a->out_c, vector) * OUTPUT_STEPS + device->units * LAUNCH_STEPS;
}

int lite_cl_winograd_choose(const LiteClPlan* plan, const LiteClGemm* gemm, const LiteClTensor* input) {
    if (plan->winograd == kLiteWinogradOff) return 0;
    if (plan->winograd == kLiteWinograd2) return is_possible(plan, gemm, input, 2) ? 2 : 0;
    if (plan->winograd == kLiteWinograd4) return is_possible(plan, gemm, input, 4) ? 4 : 0;
    if (plan->device->class == kLiteClGpu || !is_possible(plan, gemm, input, 4)) return 0;
    return estimate(plan->device, &gemm->args) < direct_steps(plan->device, &gemm->args) * GAIN ? 4 : 0;
}

typedef struct Packing {
    const LiteClGemm* gemm;
    int side;
    int panel;
} Packing;

// So many output channels are transformed side by side.
#define LANES 8
typedef double Doubles __attribute__((vector_size(LANES * sizeof(double))));
typedef float Floats __attribute__((vector_size(LANES * sizeof(float))));

// One dimension, as kernels-cpu/conv/winograd_weights.c has it. u is `step` elements apart.
static void transform(int side, const Doubles* g, int g_step, Doubles* u, int step) {
    const Doubles g0 = g[0], g1 = g[g_step], g2 = g[2 * g_step];
    if (side == 2) {
        u[0] = g0;
        u[step] = 0.5 * (g0 + g2 + g1);
        u[2 * step] = 0.5 * (g0 + g2 - g1);
        u[3 * step] = g2;
        return;
    }
    static const double half_root = 0.70710678118654752440;
    const Doubles even = (2.0 * g0 + g2) * (-1.0 / 3.0), odd = half_root * g1 * (-2.0 / 3.0);
    const Doubles wide_even = (g0 + 2.0 * g2) * (1.0 / 6.0), wide_odd = half_root * g1 * (1.0 / 3.0);
    u[0] = g0;
    u[step] = even + odd;
    u[2 * step] = even - odd;
    u[3 * step] = wide_even + wide_odd;
    u[4 * step] = wide_even - wide_odd;
    u[5 * step] = g2;
}

// The filters from one input channel to the next output channels, of which `count` are left.
static void pack_filters(const Packing* p, int in, size_t out, size_t count, float* to) {
    const size_t depth = (size_t)p->gemm->args.in_c;
    const int span = p->side + 2;
    Doubles g[FILTER * FILTER] = {0}, half[FILTER * MAX_SPAN], u[MAX_SPAN * MAX_SPAN];
    for (size_t l = 0; l < LANES && l < count; l++) {
        for (size_t tap = 0; tap < FILTER * FILTER; tap++)
            g[tap][l] = (double)lite_cl_constant_float(
                p->gemm->filter, ((out + l) * FILTER * FILTER + tap) * depth + (size_t)in);
    }
    for (int x = 0; x < FILTER; x++) transform(p->side, g + x, FILTER, half + x * span, 1);
    for (int y = 0; y < span; y++) transform(p->side, half + y, span, u + y * span, 1);
    for (size_t m = 0; m < matrices_of(p->side); m++) {
        const Floats rounded = __builtin_convertvector(u[m], Floats);
        memcpy(to + m * depth * (size_t)p->panel, &rounded, sizeof rounded);
    }
}

typedef struct Parts {
    const Packing* packing;
    float* packed;
} Parts;

static void pack_panels(void* argument, int64_t begin, int64_t end, int thread) {
    const Parts* parts = argument;
    const Packing* p = parts->packing;
    const int64_t in_c = p->gemm->args.in_c, out_c = p->gemm->args.out_c;
    (void)thread;
    for (int64_t out = begin * p->panel; out < end * p->panel && out < out_c; out += LANES) {
        const int64_t panel = out / p->panel, column = out % p->panel;
        float* to = parts->packed + panel * (int64_t)matrices_of(p->side) * in_c * p->panel + column;
        for (int in = 0; in < in_c; in++, to += p->panel)
            pack_filters(p, in, (size_t)out, (size_t)(out_c - out), to);
    }
}

static void pack_weights(const void* state, float* packed) {
    const Packing* p = state;
    Parts parts = {p, packed};
    lite_parallel_for(lite_processor_count(), (int64_t)lite_cl_chunks(p->gemm->args.out_c, p->panel), 1,
                      pack_panels, &parts);
}

// Tiles of a launch: their transformed inputs stay in the caches between the two kernels. Few launches, as
// each costs some microseconds.
static int tiles_at_once(const LiteClWinogradArgs* args, int side, int rows) {
    enum { BYTES = 4 << 20, LAUNCHES = 16 };
    const size_t fit = BYTES / (matrices_of(side) * (size_t)args->depth * sizeof(float));
    const int least = (int)lite_cl_chunks(args->end, LAUNCHES);
    const int count = fit > (size_t)least ? (int)fit : least;
    return count >= args->end ? args->end : round_up(count, rows);
}

// The kernels for tiles from args->first on, with transformed inputs in `rows`.
static TfLiteStatus launch_tiles(LiteClPlan* plan, const LiteClGemm* gemm, const LiteClTile* tile,
                                 const char* prelude, const LiteClWinogradArgs* args, int rows,
                                 const LiteClLaunch* product) {
    const int rows_dim = plan->device->class == kLiteClGpu ? 1 : 0;
    const int vector = lite_cl_tune(plan->device->class)->vector;
    const LiteClLaunch input = {
        .family = &lite_cl_source_winograd,
        .kernel = "winograd_input",
        .prelude = prelude,
        .args = args,
        .args_size = sizeof *args,
        .buffer_count = 2,
        .buffers = {product->buffers[2], rows},
        .items = {lite_cl_vector_items(plan->device, gemm->args.in_c, vector),
                  (size_t)(args->end - args->first), 1},
    };
    LITE_TRY(lite_cl_plan_launch(plan, &input));
    LiteClLaunch launch = *product;
    launch.args = args;
    launch.items[rows_dim] = lite_cl_chunks(args->end - args->first, tile->rows);
    return lite_cl_plan_launch(plan, &launch);
}

TfLiteStatus lite_cl_winograd_launch(LiteClPlan* plan, const LiteClGemm* gemm, LiteClTensor* input,
                                     LiteClTensor* output, int side) {
    const LiteClTile* tile = &tiles[plan->device->class];
    const int vector = lite_cl_tune(plan->device->class)->vector;
    const int rows_dim = plan->device->class == kLiteClGpu ? 1 : 0;
    LiteClWinogradArgs args = {.conv = gemm->args,
                               .across = (int)lite_cl_chunks(gemm->args.out_w, side),
                               .down = (int)lite_cl_chunks(gemm->args.out_h, side),
                               .depth = round_up(gemm->args.in_c, vector)};
    args.end = gemm->args.images * args.across * args.down;
    if (args.end == 0 || gemm->args.out_c == 0) return kTfLiteOk;
    const int all = args.end, most = tiles_at_once(&args, side, tile->rows);
    // Not a multiple of a page apart, which would put all matrices into the same lines of a cache.
    args.matrix = round_up(most * args.depth, 32) + 16;
    LiteClPrelude prelude = {0};
    lite_cl_gemm_define_tile(&prelude, vector, tile);
    lite_cl_define(&prelude, "ROWS_DIM %d", rows_dim);
    lite_cl_define(&prelude, "SIDE %d", side);
    const int rows =
        lite_cl_plan_add_storage(plan, kLiteClArena, matrices_of(side) * (size_t)args.matrix * sizeof(float));
    const Packing packing = {gemm, side, tile->panel};
    const LiteClConstantKey key = {gemm->owner, kLiteClRoleWeights, gemm->part,
                                   (int64_t)side << 32 | tile->panel};
    LiteClLaunch product = {
        .family = &lite_cl_source_winograd,
        .kernel = "winograd",
        .prelude = prelude.text,
        .args_size = sizeof args,
        .buffer_count = 3,
        .buffers = {rows,
                    lite_cl_plan_constant(plan, key, weight_bytes(gemm, side, tile->panel), pack_weights,
                                          &packing),
                    lite_cl_plan_tensor(plan, input)},
        .items = {1, 1, 1},
    };
    product.items[1 - rows_dim] = lite_cl_chunks(gemm->args.out_c, vector * tile->vectors);
    const LiteClLayout layout = {.panel = tile->panel};
    lite_cl_gemm_add_constants(plan, gemm, input, output, &layout, &args.conv, &prelude, &product);
    product.buffers[product.buffer_count++] = lite_cl_plan_tensor(plan, output);
    for (int first = 0; first < all; first += most) {
        args.first = first;
        args.end = first + most < all ? first + most : all;
        LITE_TRY(launch_tiles(plan, gemm, tile, prelude.text, &args, rows, &product));
    }
    return kTfLiteOk;
}
