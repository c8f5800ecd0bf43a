// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/conv/packing.h"

#include "core/base/parallel.h"
#include "core/semantics/half.h"
#include "core/semantics/quant.h"
#include "delegate-opencl/ops/common/activation.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "delegate-opencl/ops/conv/quantization.h"

// How the constants of a product are laid out, see LiteClConvArgs.
typedef struct Packing {
    const LiteClGemm* gemm;
    LiteClQuantization quantization; // of bytes
    int panels;                      // per group
    int panel;                       // columns
    int depth;                       // of the filter: taps * group_in
    bool halves;                     // of floats: FLOAT16
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

// Weights that threads pack together.
typedef struct Parts {
    const Packing* packing;
    void (*pack)(const Packing* p, void* packed, size_t first, size_t end, size_t column);
    void* packed;
} Parts;

static void pack_panels(void* argument, int64_t begin, int64_t end, int thread) {
    const Parts* parts = argument;
    const Packing* p = parts->packing;
    const size_t group_out = (size_t)p->gemm->args.group_out;
    (void)thread;
    for (int64_t i = begin; i < end; i++) {
        const size_t at = (size_t)(i % p->panels) * (size_t)p->panel; // in the group
        const size_t left = at < group_out ? group_out - at : 0, width = (size_t)p->panel;
        const size_t first = (size_t)(i / p->panels) * group_out + at;
        parts->pack(p, parts->packed, first, first + (left < width ? left : width), (size_t)i * width);
    }
}

// Calls `pack` for the outputs [first, end) of each panel, which begins with column `column` of all.
static void pack_all(const Packing* p, void* packed,
                     void (*pack)(const Packing* p, void* packed, size_t first, size_t end, size_t column)) {
    enum { LEAST_WEIGHTS = 1 << 15 }; // that earn a thread's wake-up
    Parts parts = {p, pack, packed};
    const int64_t panel_weights = (int64_t)p->panel * p->depth;
    lite_parallel_for(lite_processor_count(), (int64_t)p->gemm->groups * p->panels,
                      LEAST_WEIGHTS / panel_weights + 1, pack_panels, &parts);
}

// Some steps of each column at a time: a line of the weights is read while what it becomes is in the cache.
enum { STEPS_AT_ONCE = 16 };

static void pack_floats_panel(const Packing* p, void* packed, size_t first, size_t end, size_t column) {
    const size_t depth = (size_t)p->depth, panel = (size_t)p->panel;
    float* to = (float*)packed + column * depth;
    uint16_t* to_half = (uint16_t*)packed + column * depth;
    for (size_t begin = 0; begin < depth; begin += STEPS_AT_ONCE) {
        const size_t last = begin + STEPS_AT_ONCE < depth ? begin + STEPS_AT_ONCE : depth;
        for (size_t o = first; o < end; o++) {
            for (size_t k = begin; k < last; k++) {
                const size_t at = k * panel + o - first;
                const float weight = lite_cl_constant_float(p->gemm->filter, o * depth + k);
                if (p->halves) {
                    to_half[at] = lite_f32_to_f16(weight);
                } else {
                    to[at] = weight;
                }
            }
        }
    }
}

static void pack_weights(const void* state, float* packed) {
    pack_all(state, packed, pack_floats_panel);
}

static void pack_bias(const void* state, float* packed) {
    const Packing* p = state;
    for (size_t o = 0; o < output_count(p); o++)
        packed[column_of(p, o)] = lite_cl_constant_float(p->gemm->bias, o);
}

// Bytes: steps of four input channels, each tap's filled up with zeros: a word for each column where a
// device's dots take them, else halves of 16 bits in the order that conv.cl explains.
static void pack_bytes_panel(const Packing* p, void* packed, size_t first, size_t end, size_t column) {
    const size_t panel = (size_t)p->panel, group_in = (size_t)p->gemm->args.group_in;
    const size_t steps = (group_in + 3) / 4, taps = (size_t)p->depth / group_in;
    for (size_t o = first; o < end; o++) {
        const size_t to = column * taps * steps + o - first;
        for (size_t k = 0; k < (size_t)p->depth; k++) {
            const size_t c = k % group_in, step = k / group_in * steps + c / 4;
            const int weight = lite_cl_weight(&p->quantization, o * (size_t)p->depth + k);
            if (p->dots) {
                ((int8_t*)packed)[(to + step * panel) * 4 + c % 4] = (int8_t)weight;
            } else {
                const size_t word = column * taps * steps + to + (2 * step + c % 2) * panel;
                ((int16_t*)packed)[2 * word + c % 4 / 2] = (int16_t)weight;
            }
        }
    }
}

static void pack_bytes(const void* state, float* packed) {
    pack_all(state, packed, pack_bytes_panel);
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

static Packing make_packing(const LiteClGemm* gemm, const LiteClTensor* input, int panel) {
    const LiteClConvArgs* args = &gemm->args;
    return (Packing){.gemm = gemm,
                     .panels = (int)lite_cl_chunks(args->group_out, panel),
                     .panel = panel,
                     .halves = input->type == kTfLiteFloat16,
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
    const size_t word = packing->halves ? sizeof(uint16_t) : sizeof(float);
    const LiteClPack bias = bytes ? pack_byte_bias : packing->gemm->bias != NULL ? pack_bias : NULL;
    const LiteClPack weights = bytes ? pack_bytes : pack_weights;
    int* buffers = launch->buffers + launch->buffer_count;
    buffers[0] = lite_cl_plan_constant(plan, key_of(packing, kLiteClRoleWeights), columns * words * word,
                                       weights, packing);
    buffers[1] =
        lite_cl_plan_constant(plan, key_of(packing, kLiteClRoleBias), columns * sizeof(float), bias, packing);
    launch->buffer_count += 2;
}

void lite_cl_gemm_add_weights(LiteClPlan* plan, const LiteClGemm* gemm, const LiteClTensor* input, int panel,
                              LiteClLaunch* launch) {
    const Packing packing = make_packing(gemm, input, panel);
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

void lite_cl_gemm_define_tile(LiteClPrelude* prelude, int vector, const LiteClTile* tile) {
    lite_cl_define(prelude, "VW %d", vector);
    lite_cl_define(prelude, "MR %d", tile->rows);
    lite_cl_define(prelude, "NV %d", tile->vectors);
    lite_cl_define(prelude, "PANEL %d", tile->panel);
}

bool lite_cl_gemm_is_pointwise(const LiteClConvArgs* a) {
    return a->kernel_h == 1 && a->kernel_w == 1 && a->stride_h == 1 && a->stride_w == 1 && a->pad_top == 0 &&
           a->pad_left == 0 && a->in_h == a->out_h && a->in_w == a->out_w;
}

static void define_dots(const LiteClDevice* device, LiteClPrelude* prelude) {
    lite_cl_define(prelude, "DOTS");
    if (device->byte_dots) lite_cl_define(prelude, "BYTE_DOTS");
    if (LITE_CL_HAS_LOCAL_TILES && device->nvidia_dots) lite_cl_define(prelude, "NVIDIA_DOTS");
}

static void define_bytes(const LiteClDevice* device, const LiteClGemm* gemm, const LiteClTensor* input,
                         const LiteClTensor* output, Packing* packing, LiteClConvArgs* args,
                         LiteClPrelude* prelude) {
    packing->quantization =
        (LiteClQuantization){input, gemm->filter, gemm->bias, output, args->out_c, gemm->once, false};
    lite_cl_define(prelude, "QUANTIZED");
    if (gemm->once) lite_cl_define_factors(prelude, device);
    packing->dots = (packing->dots || device->dots || device->byte_dots) && input->type == kTfLiteInt8;
    packing->offset = packing->dots && !device->byte_dots ? 128 : 0;
    if (packing->dots) {
        define_dots(device, prelude);
    } else {
        lite_cl_define(prelude, "HALF %s", input->type == kTfLiteUInt8 ? "ushort" : "short");
    }
    args->zero = output->zero_point;
    lite_cl_quantized_limits(output, gemm->activation, &args->int_low, &args->int_high);
}

static void define_floats(const LiteClGemm* gemm, TfLiteType type, bool aligned, LiteClConvArgs* args,
                          LiteClPrelude* prelude) {
    if (LITE_CL_HAS_LOCAL_TILES && aligned) {
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

void lite_cl_gemm_add_constants(LiteClPlan* plan, const LiteClGemm* gemm, const LiteClTensor* input,
                                const LiteClTensor* output, const LiteClLayout* layout, LiteClConvArgs* args,
                                LiteClPrelude* prelude, LiteClLaunch* launch) {
    const LiteClDevice* device = plan->device;
    Packing packing = make_packing(gemm, input, layout->panel);
    packing.dots = layout->dots;
    lite_cl_define_type(prelude, "", input->type);
    if (lite_cl_gemm_is_pointwise(args)) lite_cl_define(prelude, "POINTWISE");
    if (lite_cl_is_byte(input->type)) {
        define_bytes(device, gemm, input, output, &packing, args, prelude);
        launch->version_3 =
            packing.dots && device->byte_dots && !(LITE_CL_HAS_LOCAL_TILES && device->nvidia_dots);
    } else {
        packing.dots = false;
        define_floats(gemm, input->type, layout->aligned, args, prelude);
    }
    add_constants(plan, input, &packing, launch);
    // Where there is no other tensor, a constant stands for it, which is not read.
    if (!lite_cl_is_byte(input->type))
        launch->buffers[launch->buffer_count++] = gemm->addend != NULL
                                                      ? lite_cl_plan_tensor(plan, gemm->addend)
                                                      : lite_cl_gemm_zeros(plan, gemm, input);
    if (!LITE_CL_HAS_GATES || gemm->gate == NULL) return;
    lite_cl_define(prelude, "LEFT const float");
    launch->buffers[launch->buffer_count++] = lite_cl_plan_tensor(plan, gemm->gate);
}
