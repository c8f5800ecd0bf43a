// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_RNG_BIT_GENERATOR, whose state is a tensor.
#include "kernels-cl/args/rng_bits.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"

static bool is_threefry(const LiteClNode* node) {
    return ((const TfLiteStablehloRngBitGeneratorParams*)node->params)->algorithm ==
           kTfLiteRngAlgorithmThreefry;
}

static bool infer(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason) {
    const int algorithm = (int)((const TfLiteStablehloRngBitGeneratorParams*)node->params)->algorithm;
    const LiteShape* state = &node->inputs[0]->shape;
    if (!is_threefry(node) && algorithm != kTfLiteRngAlgorithmPhilox &&
        algorithm != kTfLiteRngAlgorithmDefault)
        return lite_cl_refuse(reason, "algorithm %d", algorithm);
    if (node->output_count != 2) return lite_cl_refuse(reason, "%d outputs", node->output_count);
    if (state->rank != 1 || state->dims[0] < 2 || state->dims[0] > (is_threefry(node) ? 2 : 3) ||
        !lite_shape_equal(state, &node->outputs[0]->shape))
        return lite_cl_refuse(reason, "the state has not the algorithm's size");
    const TfLiteType type = node->outputs[1]->type;
    if (type != kTfLiteInt32 && type != kTfLiteUInt32 && type != kTfLiteInt64 && type != kTfLiteUInt64)
        return lite_cl_refuse(reason, "output 1 is %s", TfLiteTypeGetName(type));
    outputs[0] = *state;
    outputs[1] = node->outputs[1]->shape;
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const int words = is_threefry(node) ? 2 : 4, state = lite_cl_plan_tensor(plan, node->inputs[0]);
    const int64_t count = (int64_t)(lite_cl_tensor_bytes(node->outputs[1]) / sizeof(uint32_t));
    const int64_t blocks = (count + words - 1) / words;
    const LiteClRngBitsArgs args = {.count = (int)count,
                                    .chunk = (lite_cl_tune(plan->device->class)->chunk + 3) / 4,
                                    .blocks = (int)blocks,
                                    .numbers = node->inputs[0]->shape.dims[0]};
    LiteClPrelude prelude = {0};
    lite_cl_define(&prelude, "WORDS %d", words);
    LiteClLaunch launch = {.family = &lite_cl_source_rng_bits,
                           .kernel = "rng_bits",
                           .prelude = prelude.text,
                           .args = &args,
                           .args_size = sizeof args,
                           .buffer_count = 2,
                           .buffers = {state, lite_cl_plan_tensor(plan, node->outputs[1])},
                           .items = {lite_cl_chunks((int)blocks, args.chunk), 1, 1}};
    LITE_TRY(lite_cl_plan_launch(plan, &launch));
    launch.kernel = "next_state";
    launch.buffers[1] = lite_cl_plan_tensor(plan, node->outputs[0]);
    launch.items[0] = 1;
    return lite_cl_plan_launch(plan, &launch);
}

const LiteClOp lite_cl_op_STABLEHLO_RNG_BIT_GENERATOR = {.params_size =
                                                             sizeof(TfLiteStablehloRngBitGeneratorParams),
                                                         .min_inputs = 1,
                                                         .max_inputs = 1,
                                                         .max_outputs = 2,
                                                         .outputs = "T.",
                                                         .types = LITE_TYPE(UInt64),
                                                         .infer = infer,
                                                         .lower = lower};
