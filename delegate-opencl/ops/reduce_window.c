// SPDX-License-Identifier: Apache-2.0
// REDUCE_WINDOW and STABLEHLO_REDUCE_WINDOW: one value for each window.
#include "kernels-cl/args/reduce_window.h"
#include "core/semantics/move.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"

enum { kMaxRank = 6 }; // of the reference

// The reference takes no others.
static bool check_constants(const LiteClNode* node, LiteClReason* reason) {
    for (int i = 2; i < 5; i++) {
        if (node->inputs[i]->data == NULL) return lite_cl_refuse(reason, "input %d is not constant", i);
    }
    return true;
}

// REDUCE_WINDOW: input, initial value, window, strides, dilations.
static bool find_reduction(const LiteClNode* node, LiteClReduceWindowArgs* args, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    const TfLiteReduceWindowParams* params = node->params;
    LiteClInts of[3]; // window, strides, dilations
    if (input->rank < 1 || input->rank > kMaxRank || lite_shape_elements(&node->inputs[1]->shape) < 1)
        return lite_cl_refuse(reason, "input of %d dimensions", input->rank);
    if (params->reduce_function < TfLiteReduceWindowFunctionAdd ||
        params->reduce_function > TfLiteReduceWindowFunctionAny) {
        return lite_cl_refuse(reason, "function %d", (int)params->reduce_function);
    }
    for (int i = 0; i < 3; i++) {
        if (!lite_cl_constant_ints(node, i + 2, &of[i], reason)) return false;
        if (of[i].count != input->rank || node->inputs[i + 2]->type != kTfLiteInt64)
            return lite_cl_refuse(reason, "input %d is not a number for each dimension", i + 2);
        for (int d = 0; d < input->rank; d++) {
            if (of[i].values[d] < 1 || of[i].values[d] > INT16_MAX)
                return lite_cl_refuse(reason, "window, stride or dilation %lld", (long long)of[i].values[d]);
        }
    }
    int64_t strides[LITE_MAX_RANK], taps = 1;
    lite_move_strides(input, strides);
    args->rank = input->rank;
    for (int d = 0; d < input->rank; d++) {
        const int64_t span = (of[0].values[d] - 1) * of[2].values[d] + 1, length = input->dims[d];
        args->out[d] = length < span ? 0 : (int)((length - span) / of[1].values[d] + 1);
        args->window[d] = (int)of[0].values[d];
        args->at[d] = (int)(strides[d] * of[1].values[d]);
        args->tap[d] = (int)(strides[d] * of[2].values[d]);
        taps *= args->window[d];
        if (taps > INT32_MAX) return lite_cl_refuse(reason, "the window is too large");
    }
    args->taps = (int)taps;
    return true;
}

static bool reduce_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    LiteClReduceWindowArgs args = {0};
    if (!find_reduction(node, &args, reason)) return false;
    output->rank = args.rank;
    for (int d = 0; d < args.rank; d++) output->dims[d] = args.out[d];
    return true;
}

// The largest number of steps that the CPU kernel takes, which has the words for more.
#define MAX_STEPS 0x1p38

// One dimension, in which an output of `out` elements sees windows of the padded and dilated input.
static bool find_padded_axis(const TfLiteStablehloReduceWindowParams* p, int d, int in,
                             LiteClReduceWindowArgs* args, LiteClReason* reason) {
    const int64_t numbers[] = {p->window_dimensions[d], p->window_strides[d], p->window_dilations[d],
                               p->base_dilations[d]};
    const int64_t low = p->padding[2 * d], high = p->padding[2 * d + 1];
    for (int i = 0; i < 4; i++) {
        if (numbers[i] < 1 || numbers[i] > INT16_MAX)
            return lite_cl_refuse(reason, "window, stride or dilation %lld", (long long)numbers[i]);
    }
    const int64_t dilated = in > 0 ? ((int64_t)in - 1) * numbers[3] + 1 : 0;
    const int64_t span = (numbers[0] - 1) * numbers[2] + 1;
    if (low < -INT32_MAX / 4 || low > INT32_MAX / 4 || high < -INT32_MAX / 4 || high > INT32_MAX / 4 ||
        dilated > INT32_MAX / 4 || span > INT32_MAX / 4)
        return lite_cl_refuse(reason, "padding %lld and %lld", (long long)low, (long long)high);
    const int64_t whole = dilated + low + high;
    if (whole <= 0 && (low != 0 || high != 0))
        return lite_cl_refuse(reason, "the padding leaves nothing of dimension %d", d);
    args->in[d] = in;
    args->low[d] = (int)low;
    args->base[d] = (int)numbers[3];
    args->window[d] = (int)numbers[0];
    args->at[d] = (int)numbers[1];
    args->tap[d] = (int)numbers[2];
    args->out[d] = whole < span ? 0 : (int)((whole - span) / numbers[1] + 1);
    return true;
}

static bool find_padded(const LiteClNode* node, LiteClReduceWindowArgs* args, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    if (input->rank < 1 || input->rank > kMaxRank || lite_shape_elements(&node->inputs[1]->shape) < 1)
        return lite_cl_refuse(reason, "input of %d dimensions", input->rank);
    int64_t strides[LITE_MAX_RANK], taps = 1;
    double steps = 1.0;
    lite_move_strides(input, strides);
    args->rank = input->rank;
    for (int d = 0; d < input->rank; d++) {
        if (!find_padded_axis(node->params, d, input->dims[d], args, reason)) return false;
        args->strides[d] = (int)strides[d];
        taps *= args->window[d];
        steps *= (double)args->window[d] * (double)args->out[d];
        if (taps > INT32_MAX) return lite_cl_refuse(reason, "the window is too large");
    }
    args->taps = (int)taps;
    return steps <= MAX_STEPS || lite_cl_refuse(reason, "the windows are too large");
}

// What joins elements; -1: nothing that there is.
static int find_function(const LiteClNode* node) {
    if (node->op->body == 0) return (int)((const TfLiteReduceWindowParams*)node->params)->reduce_function;
    switch (node->body) {
    case kTfLiteBuiltinAdd:
    case kTfLiteBuiltinStablehloAdd:
        return TfLiteReduceWindowFunctionAdd;
    case kTfLiteBuiltinMul:
    case kTfLiteBuiltinStablehloMultiply:
        return TfLiteReduceWindowFunctionMul;
    case kTfLiteBuiltinMaximum:
    case kTfLiteBuiltinStablehloMaximum:
        return TfLiteReduceWindowFunctionMax;
    case kTfLiteBuiltinMinimum:
    case kTfLiteBuiltinStablehloMinimum:
        return TfLiteReduceWindowFunctionMin;
    case kTfLiteBuiltinLogicalAnd:
    case kTfLiteBuiltinStablehloAnd:
        return TfLiteReduceWindowFunctionAll;
    case kTfLiteBuiltinLogicalOr:
    case kTfLiteBuiltinStablehloOr:
        return TfLiteReduceWindowFunctionAny;
    default:
        return -1;
    }
}

static bool padded_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    LiteClReduceWindowArgs args = {0};
    if (find_function(node) < 0) return lite_cl_refuse(reason, "its function is none that has a kernel");
    if (!find_padded(node, &args, reason)) return false;
    output->rank = args.rank;
    for (int d = 0; d < args.rank; d++) output->dims[d] = args.out[d];
    return true;
}

static TfLiteStatus reduce_lower(LiteClPlan* plan, const LiteClNode* node) {
    static const struct {
        const char* real;
        const char* integer;
    } joins[] = {
        [TfLiteReduceWindowFunctionAdd] = {"a + b", "(T)((U)a + (U)b)"},
        [TfLiteReduceWindowFunctionMul] = {"a * b", "(T)((U)a * (U)b)"},
        [TfLiteReduceWindowFunctionMin] = {"b < a ? b : a", "b < a ? b : a"},
        [TfLiteReduceWindowFunctionMax] = {"b > a ? b : a", "b > a ? b : a"},
        [TfLiteReduceWindowFunctionAll] = {"a != 0 && b != 0", "a != 0 && b != 0"},
        [TfLiteReduceWindowFunctionAny] = {"a != 0 || b != 0", "a != 0 || b != 0"},
    };
    // As in the reference, a sum of booleans is one of bytes.
    const TfLiteType type = node->inputs[0]->type == kTfLiteBool ? kTfLiteInt8 : node->inputs[0]->type;
    const bool padded = node->op->body != 0;
    const int function = find_function(node);
    LiteClReduceWindowArgs args = {.count = (int)lite_shape_elements(&node->outputs[0]->shape),
                                   .chunk = lite_cl_tune(plan->device->class)->tile_width};
    lite_cl_agreed(padded ? find_padded(node, &args, &(LiteClReason){0})
                          : find_reduction(node, &args, &(LiteClReason){0}));
    LiteClPrelude prelude = {0};
    if (padded) lite_cl_define(&prelude, "PADDED");
    lite_cl_define_type(&prelude, "", type);
    const bool real = type == kTfLiteFloat32;
    lite_cl_define(&prelude, "JOIN(a, b) (%s)", real ? joins[function].real : joins[function].integer);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_reduce_window,
        .kernel = "reduce_window",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 3,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[0]), lite_cl_plan_tensor(plan, node->inputs[1]),
                    lite_cl_plan_tensor(plan, node->outputs[0])},
        .items = {lite_cl_chunks(args.count, args.chunk), 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

static bool reduce_fits(const LiteClDevice* device, const LiteClNode* node, LiteClReason* reason) {
    (void)node;
    const LiteClLaunch launch = {.args_size = sizeof(LiteClReduceWindowArgs), .buffer_count = 3};
    return lite_cl_launch_fits(device, &launch, reason);
}

const LiteClOp lite_cl_op_REDUCE_WINDOW = {.rounds = kLiteClRoundsAll,
                                           .params_size = sizeof(TfLiteReduceWindowParams),
                                           .min_inputs = 5,
                                           .max_inputs = 5,
                                           .inputs = "TTP",
                                           .types = LITE_TYPE(Float32) | LITE_TYPES_INTEGER,
                                           .check = check_constants,
                                           .infer = reduce_infer,
                                           .fits = reduce_fits,
                                           .lower = reduce_lower};
const LiteClOp lite_cl_op_STABLEHLO_REDUCE_WINDOW = {
    .rounds = kLiteClRoundsAll,
    .params_size = sizeof(TfLiteStablehloReduceWindowParams),
    .body = offsetof(TfLiteStablehloReduceWindowParams, body_subgraph_index),
    .min_inputs = 2,
    .max_inputs = 2,
    .types = LITE_TYPE(Float32) | LITE_TYPES_INTEGER | LITE_TYPE(Bool),
    .infer = padded_infer,
    .fits = reduce_fits,
    .lower = reduce_lower};
