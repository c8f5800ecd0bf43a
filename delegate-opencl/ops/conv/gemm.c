// SPDX-License-Identifier: Apache-2.0
// Convolutions and products on kernels-cl/conv.cl.
#include "delegate-opencl/ops/conv/gemm.h"

#include "core/semantics/half.h"
#include "core/semantics/quant.h"
#include "delegate-opencl/ops/common/activation.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "delegate-opencl/ops/conv/clblast.h"
#include "delegate-opencl/ops/conv/direct.h"
#include "delegate-opencl/ops/conv/hybrid.h"
#include "delegate-opencl/ops/conv/local.h"
#include "delegate-opencl/ops/conv/quantization.h"
#include "delegate-opencl/plan/tuning.h"

// How the constants of a product are laid out, see LiteClConvArgs.
typedef struct Packing {
    const LiteClGemm* gemm;
    LiteClQuantization quantization; // of bytes
    int panels;                      // per group
    int panel;                       // columns
    int depth;                       // of the filter: taps * group_in
    bool dots;                       // of bytes: as the device's dots take them
    uint32_t offset;                 // of the pixels of these, see conv.cl
} Packing;

static size_t output_count(const Packing* p) {
    return (size_t)p->gemm->groups * (size_t)p->gemm->args.group_out;
}

// Where an output channel is among all panels' columns.
static size_t column_of(const Packing* p, size_t output) {
    const size_t group_out = (size_t)p->gemm->args.group_out;
    return output / group_out * (size_t)(p->panels * p->panel) + output % group_out;
}

static void pack_weights(const void* state, float* packed) {
    const Packing* p = state;
    const size_t depth = (size_t)p->depth, panel = (size_t)p->panel;
    for (size_t o = 0; o < output_count(p); o++) {
        const size_t column = column_of(p, o);
        float* out = packed + column / panel * depth * panel + column % panel;
        for (size_t k = 0; k < depth; k++) {
            out[k * panel] = lite_cl_constant_float(p->gemm->filter, o * depth + k);
        }
    }
}

static void pack_float16(const void* state, float* packed) {
    const Packing* p = state;
    const size_t depth = (size_t)p->depth, panel = (size_t)p->panel;
    for (size_t o = 0; o < output_count(p); o++) {
        const size_t column = column_of(p, o);
        uint16_t* out = (uint16_t*)(void*)packed + column / panel * depth * panel + column % panel;
        for (size_t k = 0; k < depth; k++)
            out[k * panel] = lite_f32_to_f16(lite_cl_constant_float(p->gemm->filter, o * depth + k));
    }
}

static void pack_bias(const void* state, float* packed) {
    const Packing* p = state;
    for (size_t o = 0; o < output_count(p); o++)
        packed[column_of(p, o)] = lite_cl_constant_float(p->gemm->bias, o);
}

// Bytes: steps of four input channels, each tap's filled up with zeros; halves of 16 bits in the order that
// conv.cl explains.
static void pack_bytes(const void* state, float* packed) {
    const Packing* p = state;
    const size_t panel = (size_t)p->panel, group_in = (size_t)p->gemm->args.group_in;
    const size_t steps = (group_in + 3) / 4, taps = (size_t)p->depth / group_in;
    int16_t* halves = (int16_t*)(void*)packed;
    for (size_t o = 0; o < output_count(p); o++) {
        const size_t column = column_of(p, o);
        int16_t* out = halves + (column / panel * taps * steps * 2 * panel + column % panel) * 2;
        for (size_t k = 0; k < (size_t)p->depth; k++) {
            const size_t c = k % group_in, word = (k / group_in * steps + c / 4) * 2 + c % 2;
            out[word * panel * 2 + c % 4 / 2] =
                (int16_t)lite_cl_weight(&p->quantization, o * (size_t)p->depth + k);
        }
    }
}

// Bytes for a device's dots: the same steps, a word for each column.
static void pack_dots(const void* state, float* packed) {
    const Packing* p = state;
    const size_t panel = (size_t)p->panel, group_in = (size_t)p->gemm->args.group_in;
    const size_t steps = (group_in + 3) / 4, taps = (size_t)p->depth / group_in;
    for (size_t o = 0; o < output_count(p); o++) {
        const size_t column = column_of(p, o);
        int8_t* out = (int8_t*)(packed + column / panel * taps * steps * panel + column % panel);
        for (size_t k = 0; k < (size_t)p->depth; k++) {
            const size_t c = k % group_in, word = k / group_in * steps + c / 4;
            out[word * panel * 4 + c % 4] =
                (int8_t)lite_cl_weight(&p->quantization, o * (size_t)p->depth + k);
        }
    }
}

static void pack_byte_bias(const void* state, float* packed) {
    const Packing* p = state;
    int32_t* words = (int32_t*)(void*)packed;
    for (size_t o = 0; o < output_count(p); o++) {
        uint32_t sum = 0;
        for (size_t k = 0; k < (size_t)p->depth; k++)
            sum += (uint32_t)lite_cl_weight(&p->quantization, o * (size_t)p->depth + k);
        const uint32_t offset = p->offset; // of the pixels
        words[column_of(p, o)] =
            (int32_t)((uint32_t)lite_cl_folded_bias(&p->quantization, o, sum) - offset * sum);
    }
}

static void pack_multipliers(const void* state, float* packed) {
    const Packing* p = state;
    for (size_t o = 0; o < output_count(p); o++)
        ((int32_t*)(void*)packed)[column_of(p, o)] = lite_cl_channel_multiplier(&p->quantization, o).value;
}

static void pack_shifts(const void* state, float* packed) {
    const Packing* p = state;
    for (size_t o = 0; o < output_count(p); o++)
        ((int32_t*)(void*)packed)[column_of(p, o)] = lite_cl_channel_multiplier(&p->quantization, o).shift;
}

static void pack_factors(const void* state, float* packed) {
    const Packing* p = state;
    for (size_t o = 0; o < output_count(p); o++)
        ((double*)(void*)packed)[column_of(p, o)] = lite_cl_channel_factor(&p->quantization, o);
}

static Packing make_packing(const LiteClGemm* gemm, int panel) {
    const LiteClConvArgs* args = &gemm->args;
    return (Packing){.gemm = gemm,
                     .panels = (int)lite_cl_chunks(args->group_out, panel),
                     .panel = panel,
                     .depth = args->kernel_h * args->kernel_w * args->group_in};
}

static LiteClConstantKey key_of(const Packing* p, LiteClRole role) {
    return (LiteClConstantKey){p->gemm->owner, role, p->gemm->part, p->panel};
}

static void add_weights(LiteClPlan* plan, const LiteClTensor* input, const Packing* packing,
                        LiteClLaunch* launch) {
    const LiteClConvArgs* args = &packing->gemm->args;
    const bool bytes = lite_cl_is_byte(input->type);
    const size_t columns = (size_t)packing->gemm->groups * (size_t)packing->panels * (size_t)packing->panel;
    const size_t taps = (size_t)args->kernel_h * (size_t)args->kernel_w;
    const size_t steps = taps * (((size_t)args->group_in + 3) / 4);
    const size_t words = packing->dots ? steps : bytes ? 2 * steps : (size_t)packing->depth;
    const bool is_float16 = input->type == kTfLiteFloat16;
    const size_t word = is_float16 ? sizeof(uint16_t) : sizeof(float);
    const LiteClPack bias = bytes ? pack_byte_bias : packing->gemm->bias != NULL ? pack_bias : NULL;
    const LiteClPack weights = packing->dots ? pack_dots
                               : bytes       ? pack_bytes
                               : is_float16  ? pack_float16
                                             : pack_weights;
    int* buffers = launch->buffers + launch->buffer_count;
    buffers[0] = lite_cl_plan_constant(plan, key_of(packing, kLiteClRoleWeights), columns * words * word,
                                       weights, packing);
    buffers[1] =
        lite_cl_plan_constant(plan, key_of(packing, kLiteClRoleBias), columns * sizeof(float), bias, packing);
    launch->buffer_count += 2;
}

void lite_cl_gemm_add_weights(LiteClPlan* plan, const LiteClGemm* gemm, const LiteClTensor* input, int panel,
                              LiteClLaunch* launch) {
    const Packing packing = make_packing(gemm, panel);
    add_weights(plan, input, &packing, launch);
}

int lite_cl_gemm_zeros(LiteClPlan* plan, const LiteClGemm* gemm, const LiteClTensor* input) {
    // A kernel row's taps, see `run` in gemm_tile.cl.
    return lite_cl_zeros(plan, input, (size_t)gemm->args.kernel_w * (size_t)gemm->args.group_in);
}

static void add_constants(LiteClPlan* plan, const LiteClTensor* input, const Packing* packing,
                          LiteClLaunch* launch) {
    const bool bytes = lite_cl_is_byte(input->type);
    const size_t columns = (size_t)packing->gemm->groups * (size_t)packing->panels * (size_t)packing->panel;
    add_weights(plan, input, packing, launch);
    int* buffers = launch->buffers + launch->buffer_count;
    *buffers++ = lite_cl_gemm_zeros(plan, packing->gemm, input);
    if (bytes && packing->gemm->once) {
        *buffers++ = lite_cl_plan_constant(plan, key_of(packing, kLiteClRoleFactors),
                                           columns * sizeof(double), pack_factors, packing);
    } else if (bytes) {
        *buffers++ = lite_cl_plan_constant(plan, key_of(packing, kLiteClRoleMultipliers),
                                           columns * sizeof(float), pack_multipliers, packing);
        *buffers++ = lite_cl_plan_constant(plan, key_of(packing, kLiteClRoleShifts), columns * sizeof(float),
                                           pack_shifts, packing);
    }
    launch->buffer_count = (int)(buffers - launch->buffers);
}

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

void lite_cl_gemm_define_tile(LiteClPrelude* prelude, int vector, const LiteClTile* tile) {
    lite_cl_define(prelude, "VW %d", vector);
    lite_cl_define(prelude, "MR %d", tile->rows);
    lite_cl_define(prelude, "NV %d", tile->vectors);
    lite_cl_define(prelude, "PANEL %d", tile->panel);
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

bool lite_cl_gemm_is_pointwise(const LiteClConvArgs* a) {
    return a->kernel_h == 1 && a->kernel_w == 1 && a->stride_h == 1 && a->stride_w == 1 && a->pad_top == 0 &&
           a->pad_left == 0 && a->in_h == a->out_h && a->in_w == a->out_w;
}

// Tiles that one item does. A group of items costs a CPU some tens of nanoseconds, as much as a small tile;
// there it has one item.
static int tiles_of_item(const LiteClDevice* device, size_t tiles) {
    enum { MOST = 16, ITEMS_PER_UNIT = 32 /* of which the last to end do not hold up the others */ };
    if (device->class == kLiteClGpu) return 1;
    const size_t share = tiles / ((size_t)device->units * ITEMS_PER_UNIT);
    return share < 1 ? 1 : share > MOST ? MOST : (int)share;
}

static void define_bytes(const LiteClDevice* device, const LiteClGemm* gemm, const LiteClTensor* input,
                         const LiteClTensor* output, Packing* packing, LiteClConvArgs* args,
                         LiteClPrelude* prelude) {
    packing->quantization =
        (LiteClQuantization){input, gemm->filter, gemm->bias, output, args->out_c, gemm->once, false};
    lite_cl_define(prelude, "QUANTIZED");
    if (gemm->once) lite_cl_define_factors(prelude, device);
    packing->dots = (device->dots || device->byte_dots) && input->type == kTfLiteInt8;
    packing->offset = packing->dots && !device->byte_dots ? 128 : 0;
    if (packing->dots) {
        lite_cl_define(prelude, device->byte_dots ? "DOTS\n#define BYTE_DOTS" : "DOTS");
    } else {
        lite_cl_define(prelude, "HALF %s", input->type == kTfLiteUInt8 ? "ushort" : "short");
    }
    args->zero = output->zero_point;
    lite_cl_quantized_limits(output, gemm->activation, &args->int_low, &args->int_high);
}

void lite_cl_gemm_define_floats(const LiteClGemm* gemm, TfLiteType type, bool aligned, LiteClConvArgs* args,
                                LiteClPrelude* prelude) {
    if (aligned) {
        lite_cl_define_aligned_vectors(prelude);
    } else {
        lite_cl_define_vectors(prelude, type);
    }
    lite_activation_range_f32(gemm->activation, &args->low, &args->high);
    if (gemm->infinite) lite_cl_activation_limits(gemm->activation, &args->low, &args->high);
    args->after = gemm->tail != NULL ? gemm->tail->after : (LiteClAfter){.factor = 1.0f};
    if (gemm->tail != NULL && gemm->tail->steps.count > 0) lite_cl_steps_define(prelude, &gemm->tail->steps);
    args->adds = gemm->addend != NULL ? 1 : 0;
    if (gemm->addend != NULL)
        lite_cl_activation_limits(gemm->sum_activation, &args->sum_low, &args->sum_high);
}

// A group's few columns would leave most of a work-group's tile empty.
static bool find_local_tile(const LiteClPlan* plan, const LiteClGemm* gemm, const LiteClTensor* input,
                            const LiteClFirst* first, LiteClLocalTile* tile) {
    enum { LEAST_COLUMNS = 8 };
    const LiteClConvArgs* a = &gemm->args;
    if (!LITE_CL_HAS_LOCAL_TILES || lite_cl_is_byte(input->type) || a->group_out < LEAST_COLUMNS)
        return false;
    *tile = lite_cl_local_tile(plan->device, first->rows, first->columns,
                               a->kernel_h * a->kernel_w * a->group_in, gemm->groups);
    return tile->teams > 0;
}

static TfLiteStatus launch_variant(LiteClPlan* plan, const LiteClGemm* gemm, LiteClTensor* input,
                                   LiteClTensor* output, const LiteClVariant* variant) {
    LiteClConvArgs args = gemm->args;
    if (LITE_CL_HAS_CLBLAST && variant->clblast) return lower_clblast(plan, gemm, input, output);
    const LiteClDevice* device = plan->device;
    const TfLiteType type = input->type;
    const LiteClTile* tile = variant->tile;
    const int vector = lite_cl_tune(device->class)->vector;
    const int rows_dim = device->class == kLiteClGpu ? 1 : 0;
    Packing packing = make_packing(gemm, tile->panel);
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", type);
    lite_cl_gemm_define_tile(&prelude, vector, tile);
    lite_cl_define(&prelude, "ROWS_DIM %d", rows_dim);
    if (lite_cl_gemm_is_pointwise(&args)) lite_cl_define(&prelude, "POINTWISE");
    if (lite_cl_is_byte(type)) {
        define_bytes(device, gemm, input, output, &packing, &args, &prelude);
    } else {
        lite_cl_gemm_define_floats(gemm, type, false, &args, &prelude);
    }
    const size_t column_tiles = lite_cl_chunks(args.group_out, vector * tile->vectors);
    args.tiles = tiles_of_item(device, lite_cl_chunks(args.pixels, tile->rows) * column_tiles);
    const size_t rows = lite_cl_chunks(args.pixels, tile->rows * args.tiles);
    LiteClLaunch launch = {
        .family = &lite_cl_source_conv,
        .kernel = "conv",
        .prelude = prelude.text,
        .version_3 = packing.dots && device->byte_dots,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 1,
        .buffers = {lite_cl_plan_tensor(plan, input)},
        .items = {rows_dim == 0 ? rows : column_tiles, rows_dim == 0 ? column_tiles : rows,
                  (size_t)gemm->groups},
        .spread = (size_t)variant->spread,
    };
    add_constants(plan, input, &packing, &launch);
    // Where there is none, a constant stands for it, which is not read.
    if (!lite_cl_is_byte(type))
        launch.buffers[launch.buffer_count++] = gemm->addend != NULL ? lite_cl_plan_tensor(plan, gemm->addend)
                                                                     : lite_cl_gemm_zeros(plan, gemm, input);
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
    LiteClTensor input = make_alone(trial->input), output = make_alone(trial->output), addend;
    if (gemm.addend != NULL) {
        addend = make_alone(gemm.addend);
        gemm.addend = &addend;
    }
    return launch_variant(plan, &gemm, &input, &output, variant);
}

TfLiteStatus lite_cl_gemm_launch(LiteClPlan* plan, const LiteClGemm* gemm, LiteClTensor* input,
                                 LiteClTensor* output) {
    const LiteClConvArgs* args = &gemm->args;
    const bool bytes = lite_cl_is_byte(input->type);
    const bool suits = lite_cl_clblast_suits(plan, gemm, input, output);
    const LiteClFirst* first = lite_cl_plan_first(plan, &(LiteClFirst){.owner = gemm->owner,
                                                                       .part = gemm->part,
                                                                       .bytes = bytes,
                                                                       .rows = args->pixels,
                                                                       .columns = args->group_out});
    if (first == NULL) return kTfLiteError;
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
