// SPDX-License-Identifier: Apache-2.0
// RANDOM_UNIFORM, RANDOM_STANDARD_NORMAL and MULTINOMIAL. The states of their generators stay on the device
// and begin anew with each plan, as the CPU kernels' do with each prepare.
#include "kernels-cl/args/random.h"
#include "core/base/system.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/move.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/shape.h"

typedef struct State {
    uint64_t key;
    uint64_t low; // of the counter
    uint64_t high;
} State;

// Without seeds each interpreter has other numbers.
static int seeded_state(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteRandomParams* params = node->params;
    State state = {(uint64_t)params->seed, 0, (uint64_t)params->seed2};
    if (params->seed == 0 && params->seed2 == 0) state = (State){lite_entropy(), 0, lite_entropy()};
    return lite_cl_plan_state(plan, node, &state, sizeof state);
}

static LiteClRandomArgs random_args(const LiteClPlan* plan, int64_t count, uint64_t skip) {
    return (LiteClRandomArgs){.count = (int)count,
                              .chunk = (lite_cl_tune(plan->device->class)->chunk + 3) / 4,
                              .skip_low = (int)(uint32_t)skip,
                              .skip_high = (int)(uint32_t)(skip >> 32)};
}

static TfLiteStatus go_on(LiteClPlan* plan, const LiteClRandomArgs* args, const char* prelude, int state) {
    const LiteClLaunch launch = {.family = &lite_cl_source_random,
                                 .kernel = "go_on",
                                 .prelude = prelude,
                                 .args = args,
                                 .args_size = sizeof *args,
                                 .buffer_count = 1,
                                 .buffers = {state},
                                 .items = {1, 1, 1}};
    return lite_cl_plan_launch(plan, &launch);
}

static bool random_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    LiteClInts dims;
    if (!lite_cl_constant_ints(node, 0, &dims, reason)) return false;
    if (node->inputs[0]->shape.rank != 1) return lite_cl_refuse(reason, "the shape is not a vector");
    for (int d = 0; d < dims.count; d++) {
        if (!lite_cl_append_dim(output, dims.values[d], reason)) return false;
    }
    return true;
}

static TfLiteStatus random_lower(LiteClPlan* plan, const LiteClNode* node) {
    const int64_t count = lite_shape_elements(&node->outputs[0]->shape), blocks = (count + 3) / 4;
    const LiteClRandomArgs args = random_args(plan, count, (uint64_t)blocks);
    const int state = seeded_state(plan, node);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_random,
        .kernel = "fill",
        .prelude = node->op->definitions,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 2,
        .buffers = {state, lite_cl_plan_tensor(plan, node->outputs[0])},
        .items = {lite_cl_chunks((int)blocks, args.chunk), 1, 1},
    };
    LITE_TRY(lite_cl_plan_launch(plan, &launch));
    return go_on(plan, &args, node->op->definitions, state);
}

#define RANDOM_OP(NAME, DRAW)                                                                                \
    const LiteClOp lite_cl_op_##NAME = {.params_size = LITE_CL_PARAMS_UP_TO(TfLiteRandomParams, seed2),      \
                                        .min_inputs = 1,                                                     \
                                        .max_inputs = 1,                                                     \
                                        .inputs = "p",                                                       \
                                        .outputs = "f",                                                      \
                                        .definitions = "#define FOR_" #DRAW "\n",                            \
                                        .infer = random_infer,                                               \
                                        .lower = random_lower};
RANDOM_OP(RANDOM_UNIFORM, UNIFORM)
RANDOM_OP(RANDOM_STANDARD_NORMAL, NORMAL)

static bool multinomial_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape *logits = &node->inputs[0]->shape, *samples = &node->inputs[1]->shape;
    LiteClInts count;
    if (!lite_cl_constant_ints(node, 1, &count, reason)) return false;
    if (logits->rank != 2 || samples->rank != 0 || logits->dims[1] < 1)
        return lite_cl_refuse(reason, "logits of %d and samples of %d dimensions", logits->rank,
                              samples->rank);
    return lite_cl_append_dim(output, logits->dims[0], reason) &&
           lite_cl_append_dim(output, count.values[0], reason);
}

static TfLiteStatus multinomial_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteShape* logits = &node->inputs[0]->shape;
    const int32_t* out = node->outputs[0]->shape.dims;
    // As many blocks as the reference sets aside, of which most are never drawn.
    const uint64_t skip = (uint64_t)out[0] * (((uint64_t)out[1] + 3) / 4 * 4) * 512;
    LiteClRandomArgs args = random_args(plan, (int64_t)out[0] * out[1], skip);
    args.classes = logits->dims[1];
    args.samples = out[1];
    LiteClPrelude prelude = {0};
    lite_cl_define(&prelude, "FOR_MULTINOMIAL");
    lite_cl_define_type(&prelude, "", node->outputs[0]->type);
    const int state = seeded_state(plan, node), sums = lite_cl_scratch(plan, logits, kTfLiteFloat64);
    LiteClLaunch launch = {.family = &lite_cl_source_random,
                           .kernel = "odds",
                           .prelude = prelude.text,
                           .args = &args,
                           .args_size = sizeof args,
                           .buffer_count = 2,
                           .buffers = {lite_cl_plan_tensor(plan, node->inputs[0]), sums},
                           .items = {args.count > 0 ? (size_t)out[0] : 0, 1, 1}};
    LITE_TRY(lite_cl_plan_launch(plan, &launch));
    launch.kernel = "choose";
    launch.buffer_count = 3;
    launch.buffers[0] = state;
    launch.buffers[2] = lite_cl_plan_tensor(plan, node->outputs[0]);
    launch.items[0] = lite_cl_chunks(args.count, 2 * args.chunk);
    LITE_TRY(lite_cl_plan_launch(plan, &launch));
    return go_on(plan, &args, prelude.text, state);
}

const LiteClOp lite_cl_op_MULTINOMIAL = {.rounds = kLiteClRoundsAll,
                                         .params_size = LITE_CL_PARAMS_UP_TO(TfLiteRandomParams, seed2),
                                         .min_inputs = 2,
                                         .max_inputs = 2,
                                         .inputs = "fp",
                                         .types = LITE_TYPE(Int32) | LITE_TYPE(Int64),
                                         .doubles = true,
                                         .infer = multinomial_infer,
                                         .lower = multinomial_lower};
