// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/fully_connected/blockwise.h"

#include <string.h>

#include "core/semantics/half.h"
#include "core/semantics/quant.h"
#include "delegate-opencl/ops/conv/gemm.h"
#include "delegate-opencl/ops/conv/hybrid.h"
#include "kernels-cl/args/conv.h"

#define WORD 8         // elements in one
#define MOST (1 << 20) // elements of a block, whose sums of products fit 32 bits

// Input 1 as the kernel sees it.
typedef struct Blocks {
    const LiteClTensor* weights;
    size_t units;
    size_t count; // blocks of a unit
    size_t size;  // elements of a block
} Blocks;

static Blocks blocks_of(const LiteClNode* node) {
    const LiteClTensor* weights = node->inputs[1];
    const size_t size = (size_t)weights->blocks.size;
    return (Blocks){weights, (size_t)weights->shape.dims[0], (size_t)weights->shape.dims[1] / size, size};
}

bool lite_cl_blockwise_check(const LiteClNode* node, LiteClReason* reason) {
    const LiteClTensor* weights = node->inputs[1];
    const LiteClBlocks* blocks = &weights->blocks;
    const int units = weights->shape.dims[0], depth = weights->shape.dims[1];
    if (weights->type != kTfLiteInt4 || !lite_cl_is_hybrid(node->inputs[0], weights))
        return lite_cl_refuse(reason, "no kernel for blocks of %s", TfLiteTypeGetName(weights->type));
    if (blocks->size < 1 || blocks->size > MOST || depth % blocks->size != 0)
        return lite_cl_refuse(reason, "blocks of %d in rows of %d elements", blocks->size, depth);
    if (blocks->scales == NULL || blocks->scale_count < (size_t)units * (size_t)(depth / blocks->size))
        return lite_cl_refuse(reason, "the blocks have no constant FLOAT16 scales");
    return true;
}

static int32_t element(const Blocks* b, size_t unit, size_t block, size_t k) {
    const size_t at = (unit * b->count + block) * b->size + k;
    const uint8_t byte = ((const uint8_t*)b->weights->data)[at / 2];
    return (((byte >> at % 2 * 4) & 15) ^ 8) - 8;
}

static float scale_of(const Blocks* b, size_t unit, size_t block) {
    uint16_t half; // the model's bytes may be unaligned
    memcpy(&half, (const char*)b->weights->blocks.scales + (unit * b->count + block) * sizeof half,
           sizeof half);
    return lite_f16_to_f32(half);
}

static size_t words_of(const Blocks* b) {
    return (b->size + WORD - 1) / WORD;
}

static void pack_weights(const void* state, float* packed) {
    const Blocks* b = state;
    uint32_t* words = (uint32_t*)(void*)packed;
    for (size_t unit = 0; unit < b->units; unit++) {
        for (size_t block = 0; block < b->count; block++) {
            uint32_t* to = words + block * words_of(b) * b->units + unit;
            for (size_t k = 0; k < b->size; k++)
                to[k / WORD * b->units] |= ((uint32_t)element(b, unit, block, k) & 15u) << k % WORD * 4;
        }
    }
}

static void pack_scales(const void* state, float* packed) {
    const Blocks* b = state;
    for (size_t unit = 0; unit < b->units; unit++) {
        for (size_t block = 0; block < b->count; block++)
            packed[block * b->units + unit] = scale_of(b, unit, block);
    }
}

static void pack_sums(const void* state, float* packed) {
    const Blocks* b = state;
    for (size_t unit = 0; unit < b->units; unit++) {
        for (size_t block = 0; block < b->count; block++) {
            int32_t sum = 0;
            for (size_t k = 0; k < b->size; k++) sum += element(b, unit, block, k);
            packed[unit] += scale_of(b, unit, block) * (float)sum;
        }
    }
}

TfLiteStatus lite_cl_blockwise_lower(LiteClPlan* plan, const LiteClNode* node,
                                     TfLiteFusedActivation activation) {
    const Blocks b = blocks_of(node);
    const int depth = node->inputs[1]->shape.dims[1];
    const int rows = (int)(lite_shape_elements(&node->inputs[0]->shape) / depth);
    LiteClConvArgs args = lite_cl_gemm_matmul_args(rows, (int)b.size, (int)b.units);
    args.kernel_w = args.in_w = (int)b.count;
    lite_activation_range_f32(activation, &args.low, &args.high);
    LiteClHybrid hybrid;
    LITE_TRY(
        lite_cl_quantize_rows(plan, node->inputs[0], depth, true, &hybrid)); // always, as in the reference
    const size_t floats = b.units * sizeof(float);
    const LiteClTensor* bias = lite_cl_input(node, 2);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_blockwise,
        .kernel = "blockwise",
        .prelude = "",
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 7,
        .buffers =
            {hybrid.values, hybrid.scales,
             lite_cl_plan_constant(plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleWeights},
                                   b.count * words_of(&b) * floats, pack_weights, &b),
             lite_cl_plan_constant(plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleScales},
                                   b.count * floats, pack_scales, &b),
             lite_cl_plan_constant(plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleWeightSums},
                                   floats, pack_sums, &b),
             bias != NULL ? lite_cl_plan_tensor(plan, node->inputs[2]) : lite_cl_plan_zeros(plan, floats),
             lite_cl_plan_tensor(plan, node->outputs[0])},
        .items = {b.units, (size_t)rows, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}
