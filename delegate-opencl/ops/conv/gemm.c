// SPDX-License-Identifier: Apache-2.0
// Convolutions and products on kernels-cl/conv.cl.
#include "delegate-opencl/ops/conv/gemm.h"

#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "delegate-opencl/ops/conv/clblast.h"
#include "delegate-opencl/ops/conv/direct.h"
#include "delegate-opencl/ops/conv/hybrid.h"
#include "delegate-opencl/ops/conv/local.h"
#include "delegate-opencl/ops/conv/winograd.h"
#include "delegate-opencl/plan/tuning.h"

bool lite_cl_gemm_is_direct(const LiteClNode* node, const LiteClGemm* gemm) {
    const TfLiteType type = node->inputs[0]->type;
    return type == kTfLiteInt16 || node->outputs[0]->type != type || gemm->filter->data == NULL ||
           (gemm->bias != NULL && gemm->bias->data == NULL) ||
           lite_cl_is_hybrid(node->inputs[0], node->inputs[1]);
}

static TfLiteStatus lower_direct(LiteClPlan* plan, const LiteClNode* node, const LiteClGemm* gemm) {
    const LiteClConvArgs* a = &gemm->args;
    const int64_t taps = (int64_t)a->kernel_h * a->kernel_w;
    const bool is_hybrid = lite_cl_is_hybrid(node->inputs[0], node->inputs[1]);
    LiteClHybrid hybrid;
    if (is_hybrid) {
        const int width = a->in_h * a->in_w * a->in_c;
        LITE_TRY(lite_cl_quantize_rows(plan, node->inputs[0], width, gemm->asymmetric, &hybrid));
    }
    const LiteClDirectConv conv = {
        .args = {.pixels = a->pixels,
                 .axes = {{1, 1, 1, 1, 1, 0},
                          {a->in_h, a->out_h, a->kernel_h, a->stride_h, a->dilation_h, a->pad_top},
                          {a->in_w, a->out_w, a->kernel_w, a->stride_w, a->dilation_w, a->pad_left}},
                 .in_c = a->in_c,
                 .out_c = a->out_c,
                 .group_in = a->group_in,
                 .group_out = a->group_out},
        .input = node->inputs[0],
        .weights = {node->inputs[1], taps, a->group_in, 1, taps * a->group_in},
        .bias = gemm->bias,
        .activation = gemm->activation,
        .once = gemm->once && !is_hybrid && node->inputs[0]->type != kTfLiteFloat32 &&
                node->inputs[1]->type != kTfLiteInt16,
        .hybrid = is_hybrid ? &hybrid : NULL,
        // As the reference computes it.
        .as_unsigned = node->inputs[0]->type == kTfLiteInt8 && node->outputs[0]->type == kTfLiteInt16,
    };
    return lite_cl_direct_conv_lower(plan, node, &conv);
}

LiteClConvArgs lite_cl_gemm_matmul_args(int rows, int depth, int columns) {
    // Rows are the pixels of an image of height 1.
    return (LiteClConvArgs){
        .pixels = rows,
        .images = 1,
        .out_h = 1,
        .out_w = rows,
        .out_c = columns,
        .in_h = 1,
        .in_w = rows,
        .in_c = depth,
        .group_in = depth,
        .group_out = columns,
        .kernel_h = 1,
        .kernel_w = 1,
        .stride_h = 1,
        .stride_w = 1,
        .dilation_h = 1,
        .dilation_w = 1,
    };
}

TfLiteStatus lite_cl_gemm_lower(LiteClPlan* plan, const LiteClNode* node, const LiteClGemm* gemm) {
    const bool forced = plan->gemm_by == kLiteClGemmByClblast &&
                        lite_cl_clblast_suits(plan, gemm, node->inputs[0], node->outputs[0]);
    if (!forced && lite_cl_gemm_is_direct(node, gemm)) return lower_direct(plan, node, gemm);
    LiteClGemm owned = *gemm;
    owned.owner = node;
    return lite_cl_gemm_launch(plan, &owned, node->inputs[0], node->outputs[0]);
}

static TfLiteStatus lower_clblast(LiteClPlan* plan, const LiteClGemm* gemm, LiteClTensor* input,
                                  LiteClTensor* output) {
    if (lite_cl_clblast_packs(gemm)) {
        LiteClLaunch packed = {0};
        lite_cl_gemm_add_weights(plan, gemm, input, gemm->args.group_out, &packed);
        return lite_cl_clblast_lower(plan, gemm, input, output, packed.buffers[0], packed.buffers[1]);
    }
    LiteClTensor* bias = (LiteClTensor*)(uintptr_t)gemm->bias;
    const size_t bytes = (size_t)gemm->args.group_out * sizeof(float);
    return lite_cl_clblast_lower(
        plan, gemm, input, output, lite_cl_plan_tensor(plan, (LiteClTensor*)(uintptr_t)gemm->filter),
        bias != NULL ? lite_cl_plan_tensor(plan, bias) : lite_cl_plan_zeros(plan, bytes));
}

// Tiles that one item does. A group of items costs a CPU some tens of nanoseconds, as much as a small tile;
// there it has one item.
static int tiles_of_item(const LiteClDevice* device, size_t tiles) {
    enum { MOST = 16, ITEMS_PER_UNIT = 32 /* of which the last to end do not hold up the others */ };
    if (device->class == kLiteClGpu) return 1;
    const size_t share = tiles / ((size_t)device->units * ITEMS_PER_UNIT);
    return share < 1 ? 1 : share > MOST ? MOST : (int)share;
}

// A group's few columns would leave most of a work-group's tile empty.
static bool find_local_tile(const LiteClPlan* plan, const LiteClGemm* gemm, const LiteClTensor* input,
                            const LiteClFirst* first, LiteClLocalTile* tile) {
    enum { LEAST_COLUMNS = 8, STEP = 4 /* channels of bytes */ };
    const LiteClConvArgs* a = &gemm->args;
    if (!LITE_CL_HAS_LOCAL_TILES || input->type == kTfLiteUInt8 ||
        (gemm->groups > 1 && a->group_out < LEAST_COLUMNS))
        return false;
    const int steps = input->type == kTfLiteInt8 ? (int)lite_cl_chunks(a->group_in, STEP) : a->group_in;
    *tile = lite_cl_local_tile(plan->device, first->rows, first->columns, a->kernel_h * a->kernel_w * steps,
                               gemm->groups);
    return tile->teams > 0;
}

static TfLiteStatus launch_variant(LiteClPlan* plan, const LiteClGemm* gemm, LiteClTensor* input,
                                   LiteClTensor* output, const LiteClVariant* variant) {
    LiteClConvArgs args = gemm->args;
    if (LITE_CL_HAS_CLBLAST && variant->clblast) return lower_clblast(plan, gemm, input, output);
    const LiteClDevice* device = plan->device;
    const LiteClTile* tile = variant->tile;
    const int vector = lite_cl_tune(device->class)->vector;
    const int rows_dim = device->class == kLiteClGpu ? 1 : 0;
    const bool gated = LITE_CL_HAS_GATES && gemm->gate != NULL;
    LiteClPrelude prelude = {0};
    lite_cl_gemm_define_tile(&prelude, vector, tile);
    lite_cl_define(&prelude, "ROWS_DIM %d", rows_dim);
    const size_t column_tiles = lite_cl_chunks(args.group_out, vector * tile->vectors);
    args.tiles = tiles_of_item(device, lite_cl_chunks(args.pixels, tile->rows) * column_tiles);
    const size_t rows = lite_cl_chunks(args.pixels, tile->rows * args.tiles);
    LiteClLaunch launch = {
        .family = gated ? &lite_cl_source_conv_gated : &lite_cl_source_conv,
        .kernel = gated ? "conv_gated" : "conv",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 1,
        .buffers = {lite_cl_plan_tensor(plan, input)},
        .items = {rows_dim == 0 ? rows : column_tiles, rows_dim == 0 ? column_tiles : rows,
                  (size_t)(gated ? args.images : gemm->groups)},
        .spread = (size_t)variant->spread,
    };
    const LiteClLayout layout = {.panel = tile->panel};
    lite_cl_gemm_add_constants(plan, gemm, input, output, &layout, &args, &prelude, &launch);
    launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, output);
    return lite_cl_plan_launch(plan, &launch);
}

// A product that is measured, between tensors that are nowhere else.
typedef struct Trial {
    const LiteClGemm* gemm;
    const LiteClTensor* input;
    const LiteClTensor* output;
} Trial;

static LiteClTensor make_alone(const LiteClTensor* tensor) {
    LiteClTensor alone = *tensor;
    alone.storage = -1;
    alone.data = NULL;
    return alone;
}

static TfLiteStatus launch_trial(const void* state, LiteClPlan* plan, const LiteClVariant* variant) {
    const Trial* trial = state;
    LiteClGemm gemm = *trial->gemm;
    LiteClTensor input = make_alone(trial->input), output = make_alone(trial->output), addend, gate;
    if (gemm.addend != NULL) {
        addend = make_alone(gemm.addend);
        gemm.addend = &addend;
    }
    if (LITE_CL_HAS_GATES && gemm.gate != NULL) {
        gate = make_alone(gemm.gate);
        gemm.gate = &gate;
    }
    return launch_variant(plan, &gemm, &input, &output, variant);
}

TfLiteStatus lite_cl_gemm_launch(LiteClPlan* plan, const LiteClGemm* gemm, LiteClTensor* input,
                                 LiteClTensor* output) {
    const LiteClConvArgs* args = &gemm->args;
    const bool bytes = lite_cl_is_byte(input->type);
    const bool suits = lite_cl_clblast_suits(plan, gemm, input, output);
    const LiteClFirst* first =
        lite_cl_plan_first(plan, &(LiteClFirst){.owner = gemm->owner,
                                                .part = gemm->part,
                                                .bytes = bytes,
                                                .winograd = (int8_t)lite_cl_winograd_side(plan, gemm, input),
                                                .rows = args->pixels,
                                                .columns = args->group_out});
    if (first == NULL) return kTfLiteError;
    if (LITE_CL_HAS_WINOGRAD && first->winograd != 0)
        return lite_cl_winograd_launch(plan, gemm, input, output, first->winograd);
    LiteClVariant variant = {first->tile, 0, suits && plan->gemm_by == kLiteClGemmByClblast};
    if (!variant.clblast && plan->tuning && args->pixels > 0 && args->group_out > 0) {
        const LiteClTuningKey key = {.type = input->type,
                                     .bytes = bytes,
                                     .rows = args->pixels,
                                     .columns = args->group_out,
                                     .depth = args->kernel_h * args->kernel_w * args->group_in,
                                     .groups = gemm->groups,
                                     .addend = gemm->addend != NULL,
                                     .clblast = suits};
        const Trial trial = {gemm, input, output};
        lite_cl_tuning_choose(plan->device, &key, launch_trial, &trial, &variant);
    }
    LiteClLocalTile local;
    if (!variant.clblast && find_local_tile(plan, gemm, input, first, &local))
        return lite_cl_local_launch(plan, gemm, input, output, &local, first->tile->panel);
    return launch_variant(plan, gemm, input, output, &variant);
}
