// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/recurrent/lstm_basic.h"

#include <string.h>

#include "core/semantics/lstm_scales.h"
#include "core/semantics/move.h"
#include "core/semantics/quant.h"
#include "delegate-opencl/ops/common/group.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/move.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/conv/gemm.h"
#include "delegate-opencl/ops/recurrent/lstm_16.h"
#include "delegate-opencl/ops/recurrent/recurrent.h"
#include "kernels-cl/args/lstm_16.h"
#include "kernels-cl/args/recurrent.h"

enum { kInput, kActivation, kWeights, kBias, kState, INPUTS };
enum { kNewActivation, kNewState, kJoined, kGates, OUTPUTS };

// Of UINT8: the steps of the cell state.
#define CELL_LOG2 (-11)

static bool is_float(const LiteClNode* node) {
    return node->inputs[kInput]->type == kTfLiteFloat32;
}

static bool is_matrix(const LiteClTensor* tensor, TfLiteType type, int rows, int columns) {
    const LiteShape* shape = &tensor->shape;
    return tensor->type == type && shape->rank == 2 && shape->dims[0] == rows && shape->dims[1] == columns;
}

static bool check_scales(const LiteClNode* node, LiteClReason* reason) {
    const LiteClTensor *weights = node->inputs[kWeights], *state = node->outputs[kNewState];
    int log2;
    if (!lite_scale_log2(state->scale, &log2) || log2 != CELL_LOG2)
        return lite_cl_refuse(reason, "a state of scale %g", (double)state->scale);
    return (weights->zero_point >= 0 && weights->zero_point <= UINT8_MAX) ||
           lite_cl_refuse(reason, "weights with zero point %d", (int)weights->zero_point);
}

static bool check_constants(const LiteClNode* node, int cells, int depth, LiteClReason* reason) {
    const bool real = is_float(node);
    return lite_cl_check_constant(node->inputs[kWeights], "weights", node->inputs[kInput]->type, 4 * cells,
                                  depth, reason) &&
           lite_cl_check_constant(node->inputs[kBias], "biases", real ? kTfLiteFloat32 : kTfLiteInt32,
                                  4 * cells, -1, reason) &&
           (real || check_scales(node, reason));
}

static bool check_tensors(const LiteClNode* node, TfLiteType type, TfLiteType state, LiteClReason* reason) {
    static const bool has_type[OUTPUTS] = {[kNewActivation] = true, [kJoined] = true};
    if (node->input_count != INPUTS || node->output_count != OUTPUTS)
        return lite_cl_refuse(reason, "%d inputs and %d outputs", node->input_count, node->output_count);
    for (int i = 0; i < INPUTS; i++) {
        if (node->inputs[i] == NULL) return lite_cl_refuse(reason, "input %d is absent", i);
    }
    for (int i = 0; i < OUTPUTS; i++) {
        if (node->outputs[i]->type != (has_type[i] ? type : state))
            return lite_cl_refuse(reason, "no kernel for output %d", i);
    }
    return type != kTfLiteInt8 || lite_cl_refuse(reason, "no kernel for inputs of type INT8");
}

bool lite_cl_lstm_basic_infer(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason) {
    const TfLiteType type = node->inputs[kInput]->type;
    const TfLiteType state_type = is_float(node) ? kTfLiteFloat32 : kTfLiteInt16;
    if (!check_tensors(node, type, state_type, reason)) return false;
    const LiteClTensor *input = node->inputs[kInput], *activation = node->inputs[kActivation];
    const LiteClTensor* state = node->inputs[kState];
    if (input->shape.rank != 2 || activation->shape.rank != 2)
        return lite_cl_refuse(reason, "input or activation has not 2 dimensions");
    const int batches = input->shape.dims[0], inputs = input->shape.dims[1];
    const int cells = activation->shape.dims[1];
    if (cells < 1 || cells > INT32_MAX / 8 || inputs > INT32_MAX / 8 ||
        !is_matrix(activation, type, batches, cells) || !is_matrix(state, state_type, batches, cells) ||
        activation->data != NULL || state->data != NULL) {
        return lite_cl_refuse(reason, "activation or state do not fit or are constant");
    }
    if (!check_constants(node, cells, inputs + cells, reason)) return false;
    outputs[kNewActivation] = outputs[kNewState] = (LiteShape){2, {batches, cells}};
    outputs[kJoined] = (LiteShape){2, {batches, inputs + cells}};
    outputs[kGates] = (LiteShape){2, {batches, 4 * cells}};
    return true;
}

// Rows of `from` into those of the joined input, from column `first` on.
static TfLiteStatus join(LiteClPlan* plan, LiteClTensor* from, LiteClTensor* joined, int first) {
    const int32_t* dims = from->shape.dims;
    LiteMove move = {0};
    lite_move_add(&move, dims[0], dims[1], joined->shape.dims[1]);
    lite_move_add(&move, dims[1], 1, 1);
    return lite_cl_move_tensor(plan, &move, from, 0, joined, first);
}

static TfLiteStatus multiply_floats(LiteClPlan* plan, const LiteClNode* node) {
    const int32_t* gates = node->outputs[kGates]->shape.dims;
    LiteClTensor* joined = node->outputs[kJoined];
    const LiteClGemm gemm = {.groups = 1,
                             .filter = node->inputs[kWeights],
                             .bias = node->inputs[kBias],
                             .owner = node,
                             .args = lite_cl_gemm_matmul_args(gates[0], joined->shape.dims[1], gates[1])};
    return lite_cl_gemm_launch(plan, &gemm, joined, node->outputs[kGates]);
}

static TfLiteStatus update_floats(LiteClPlan* plan, const LiteClNode* node) {
    const int32_t* dims = node->inputs[kState]->shape.dims;
    const LiteClLstmBasicArgs args = {.count = dims[0] * dims[1], .cells = dims[1]};
    LiteClPrelude prelude = {0};
    (void)lite_cl_recurrent_tile(plan->device, &prelude);
    lite_cl_define_group(plan->device, &prelude);
    const LiteClLaunch launch = {.family = &lite_cl_source_recurrent,
                                 .kernel = "lstm_basic",
                                 .prelude = prelude.text,
                                 .args = &args,
                                 .args_size = sizeof args,
                                 .buffer_count = 4,
                                 .buffers = {lite_cl_plan_tensor(plan, node->outputs[kGates]),
                                             lite_cl_plan_tensor(plan, node->inputs[kState]),
                                             lite_cl_plan_tensor(plan, node->outputs[kNewState]),
                                             lite_cl_plan_tensor(plan, node->outputs[kNewActivation])},
                                 .items = {(size_t)args.count, 1, 1}};
    return lite_cl_plan_launch(plan, &launch);
}

// Bytes less their zero point.
static void pack_shorts(const void* state, float* packed) {
    const LiteClTensor* weights = state;
    for (size_t i = 0; i < weights->bytes; i++)
        ((int16_t*)(void*)packed)[i] =
            (int16_t)(((const uint8_t*)weights->data)[i] - (int)weights->zero_point);
}

static TfLiteStatus compute_bytes(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClTensor *weights = node->inputs[kWeights], *bias = node->inputs[kBias];
    const int32_t* dims = node->inputs[kState]->shape.dims;
    const int gates = lite_cl_plan_tensor(plan, node->outputs[kGates]);
    const LiteClLstm16Args args = {
        .batches = dims[0],
        .cells = dims[1],
        .depth = weights->shape.dims[1],
        .zero_x = 128, // whatever the input says, as in the reference
        .input = {lite_cl_multiplier(lite_quantize_multiplier(4096.0 * (double)bias->scale))},
    };
    const size_t count = (size_t)dims[0] * (size_t)dims[1];
    LiteClPrelude prelude = {0};
    lite_cl_define(&prelude, "QUANTIZED");
    lite_cl_define_group(plan->device, &prelude);
    LiteClLaunch launch = {
        .family = &lite_cl_source_lstm_16,
        .kernel = "basic_gates",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 4,
        .buffers = {lite_cl_plan_tensor(plan, node->outputs[kJoined]),
                    lite_cl_plan_constant(plan,
                                          (LiteClConstantKey){.owner = node, .role = kLiteClRoleWeights},
                                          weights->bytes * sizeof(int16_t), pack_shorts, weights),
                    lite_cl_plan_tensor(plan, node->inputs[kBias]), gates},
        .items = {4 * count, 1, 1},
    };
    LITE_TRY(lite_cl_plan_launch(plan, &launch));
    const int buffers[] = {gates, lite_cl_lstm_16_tables(plan, CELL_LOG2),
                           lite_cl_plan_tensor(plan, node->inputs[kState]),
                           lite_cl_plan_tensor(plan, node->outputs[kNewState]),
                           lite_cl_plan_tensor(plan, node->outputs[kNewActivation])};
    launch.kernel = "basic_cells";
    launch.buffer_count = 5;
    memcpy(launch.buffers, buffers, sizeof buffers);
    launch.items[0] = count;
    return lite_cl_plan_launch(plan, &launch);
}

// The next run goes on from here unless the program sets these inputs again.
static TfLiteStatus keep(LiteClPlan* plan, LiteClTensor* from, LiteClTensor* to) {
    LiteMove move = {0};
    lite_move_add(&move, lite_shape_elements(&from->shape), 1, 1);
    return lite_cl_move_tensor(plan, &move, from, 0, to, 0);
}

TfLiteStatus lite_cl_lstm_basic_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClTensor* joined = node->outputs[kJoined];
    LITE_TRY(join(plan, node->inputs[kInput], joined, 0));
    LITE_TRY(join(plan, node->inputs[kActivation], joined, node->inputs[kInput]->shape.dims[1]));
    if (is_float(node)) {
        LITE_TRY(multiply_floats(plan, node));
        LITE_TRY(update_floats(plan, node));
    } else {
        LITE_TRY(compute_bytes(plan, node));
    }
    LITE_TRY(keep(plan, node->outputs[kNewActivation], node->inputs[kActivation]));
    return keep(plan, node->outputs[kNewState], node->inputs[kState]);
}
