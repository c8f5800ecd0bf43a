// SPDX-License-Identifier: Apache-2.0
// A convolution and the depthwise convolution that alone reads it, in one launch.
#include "delegate-opencl/ops/conv/conv_depthwise.h"

#include <string.h>

#include "core/semantics/quant.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "delegate-opencl/ops/conv/depthwise.h"
#include "kernels-cl/args/conv_depthwise.h"

// The constants of the depthwise convolution, [panel][tap][channel of the panel].
typedef struct Taps {
    const LiteClTensor* filter;
    const LiteClTensor* bias;
    int panel;
} Taps;

static void pack_taps(const void* state, float* packed) {
    const Taps* taps = state;
    const int32_t* filter = taps->filter->shape.dims;
    const size_t count = (size_t)filter[1] * (size_t)filter[2], channels = (size_t)filter[3];
    const size_t panel = (size_t)taps->panel;
    for (size_t k = 0; k < count; k++) {
        for (size_t c = 0; c < channels; c++) {
            packed[(c / panel * count + k) * panel + c % panel] =
                lite_cl_constant_float(taps->filter, k * channels + c);
        }
    }
}

static void pack_bias(const void* state, float* packed) {
    const Taps* taps = state;
    for (size_t c = 0; c < (size_t)taps->filter->shape.dims[3]; c++)
        packed[c] = lite_cl_constant_float(taps->bias, c);
}

static void add_taps(LiteClPlan* plan, const LiteClNode* node, int panel, LiteClLaunch* launch) {
    const Taps taps = {node->inputs[1], lite_cl_input(node, 2), panel};
    const int32_t* filter = taps.filter->shape.dims;
    const size_t bytes = lite_cl_chunks(filter[3], panel) * (size_t)panel * sizeof(float);
    int* buffers = launch->buffers + launch->buffer_count;
    buffers[0] = lite_cl_plan_constant(
        plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleWeights, .layout = panel},
        bytes * (size_t)filter[1] * (size_t)filter[2], pack_taps, &taps);
    buffers[1] = lite_cl_plan_constant(
        plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleBias, .layout = panel}, bytes,
        taps.bias != NULL ? pack_bias : NULL, &taps);
    launch->buffer_count += 2;
}

// Can the kernel compute both?
static bool is_pair(const LiteClPlan* plan, const LiteClNode* conv, const LiteClNode* next) {
    if (plan->device->class == kLiteClGpu || strcmp(next->name, "DEPTHWISE_CONV_2D") != 0 ||
        next->inputs[0] != conv->outputs[0] || conv->inputs[0]->type != kTfLiteFloat32)
        return false;
    const LiteClTensor* bias = lite_cl_input(next, 2);
    return conv->inputs[1]->shape.dims[3] == conv->inputs[0]->shape.dims[3] &&
           next->inputs[1]->data != NULL && (bias == NULL || bias->data != NULL) &&
           lite_cl_depthwise_is_small(next);
}

// Rows or columns that one output sees (dimension 1 or 2 of the filter).
static int span_of(const LiteClNode* node, int dimension) {
    const TfLiteDepthwiseConvParams* params = node->params;
    return (node->inputs[1]->shape.dims[dimension] - 1) * params->dilation_height_factor + 1;
}

// Bands give all units of the device something to do, and share few rows; false where they cannot.
static bool choose_bands(const LiteClPlan* plan, const LiteClNode* node, int panels,
                         LiteClConvDepthwiseArgs* args) {
    enum { ITEMS_PER_UNIT = 2, MAX_SHARED = 8 /* one of so many rows */ };
    const int stride = ((const TfLiteDepthwiseConvParams*)node->params)->stride_height;
    const int tile_height = lite_cl_tune(plan->device->class)->tile_height;
    const int64_t wanted = (int64_t)plan->device->units * ITEMS_PER_UNIT;
    const int64_t items = (int64_t)panels * args->depthwise.images, bands = (wanted + items - 1) / items;
    const int64_t tiles = (int64_t)lite_cl_chunks(args->depthwise.out_h, tile_height);
    const int64_t band = (tiles + bands - 1) / bands * tile_height;
    args->band = (int)band;
    return band >= args->depthwise.out_h ||
           band * stride >= (int64_t)MAX_SHARED * (span_of(node, 1) - stride);
}

// So many rows at a time that their pixels fill the tiles best.
static int choose_step(const LiteClTile* tile, int width, int64_t most) {
    enum { MOST = 8 };
    int best = 1;
    int64_t best_left = INT64_MAX;
    for (int step = 1; step <= MOST && step <= most; step++) {
        const int64_t pixels = (int64_t)step * width;
        const int64_t left = (tile->rows - pixels % tile->rows) % tile->rows * (MOST * MOST) / step;
        if (left >= best_left) continue;
        best = step;
        best_left = left;
    }
    return best;
}

// Bytes of the ring of rows, of which each has the pixels that tiles may read, padding included; 0: too many.
static size_t make_ring(const LiteClPlan* plan, const LiteClNode* node, const LiteClTile* tile,
                        LiteClConvDepthwiseArgs* args) {
    enum { MOST = 256 * 1024 /* it is to stay in the cache of a core */, WANTED = 64 * 1024 };
    const int stride = ((const TfLiteDepthwiseConvParams*)node->params)->stride_width;
    const LiteClTune* tune = lite_cl_tune(plan->device->class);
    const int64_t outputs =
        (int64_t)lite_cl_chunks(args->depthwise.out_w, tune->tile_width) * tune->tile_width;
    const int64_t read = (outputs - 1) * stride + span_of(node, 2);
    const int64_t written = (int64_t)args->depthwise.pad_left + args->depthwise.in_w;
    const int64_t columns = read > written ? read : written;
    const int64_t rows = (int64_t)(tune->tile_height - 1) * stride + span_of(node, 1);
    const int64_t most = plan->device->local_memory < MOST ? (int64_t)plan->device->local_memory : MOST;
    const int64_t pixel = tile->panel * (int64_t)sizeof(float);
    if (columns > most / (pixel * rows)) return 0;
    const int64_t wanted = (most < WANTED ? most : WANTED) / (pixel * columns);
    args->columns = (int)columns;
    args->step = choose_step(tile, args->conv.out_w, wanted - rows + 1);
    args->rows = (int)rows + args->step - 1;
    return (size_t)(columns * pixel * args->rows);
}

static TfLiteStatus launch_pair(LiteClPlan* plan, const LiteClNode* conv, const LiteClNode* next,
                                const LiteClGemm* gemm, const LiteClTile* tile, const LiteClLaunch* sizes) {
    const LiteClTune* tune = lite_cl_tune(plan->device->class);
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", kTfLiteFloat32);
    lite_cl_define_vectors(&prelude, kTfLiteFloat32);
    lite_cl_gemm_define_tile(&prelude, tune->vector, tile);
    if (lite_cl_gemm_is_pointwise(&gemm->args)) lite_cl_define(&prelude, "POINTWISE");
    lite_cl_depthwise_define(&prelude, next, tune);
    LiteClLaunch launch = *sizes;
    launch.family = &lite_cl_source_conv_depthwise;
    launch.kernel = "conv_depthwise";
    launch.prelude = prelude.text;
    launch.buffer_count = 1;
    launch.buffers[0] = lite_cl_plan_tensor(plan, conv->inputs[0]);
    lite_cl_gemm_add_weights(plan, gemm, conv->inputs[0], tile->panel, &launch);
    launch.buffers[launch.buffer_count++] = lite_cl_gemm_zeros(plan, gemm, conv->inputs[0]);
    add_taps(plan, next, tile->panel, &launch);
    launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, next->outputs[0]);
    return lite_cl_plan_launch(plan, &launch);
}

TfLiteStatus lite_cl_join_depthwise(LiteClPlan* plan, const LiteClNode* conv, const LiteClGemm* gemm,
                                    const LiteClFollowers* followers, int* joined) {
    if (followers->count == 0 || !followers->closed[0] || lite_cl_gemm_is_direct(conv, gemm))
        return kTfLiteOk;
    const LiteClNode* next = followers->nodes[0];
    if (!is_pair(plan, conv, next) || lite_shape_elements(&next->outputs[0]->shape) == 0) return kTfLiteOk;
    LiteClConvDepthwiseArgs args = {.conv = gemm->args, .depthwise = lite_cl_depthwise_args(next)};
    lite_activation_range_f32(gemm->activation, &args.conv.low, &args.conv.high);
    const LiteClFirst* first = lite_cl_plan_first(
        plan,
        &(LiteClFirst){.owner = next, .rows = args.conv.out_h * args.conv.out_w, .columns = args.conv.out_c});
    if (first == NULL) return kTfLiteError;
    const LiteClTile* tile = first->tile;
    const size_t panels = lite_cl_chunks(args.conv.out_c, tile->panel);
    const size_t ring = make_ring(plan, next, tile, &args);
    if (ring == 0 || !choose_bands(plan, next, (int)panels, &args)) return kTfLiteOk;
    *joined = 1;
    const LiteClLaunch sizes = {
        .args = &args,
        .args_size = sizeof args,
        .items = {panels, lite_cl_chunks(args.depthwise.out_h, args.band), (size_t)args.depthwise.images},
        .local_bytes = ring,
    };
    return launch_pair(plan, conv, next, gemm, tile, &sizes);
}
