// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/lstm_basic.h"

#include "delegate-opencl/ops/move.h"

enum { kInput, kActivation, kWeights, kBias, kState, INPUTS };
enum { kNewActivation, kNewState, kJoined, kGates, OUTPUTS };

static bool is_matrix(const LiteClTensor* tensor, int rows, int columns) {
    const LiteShape* shape = &tensor->shape;
    return tensor->type == kTfLiteFloat32 && shape->rank == 2 && shape->dims[0] == rows &&
           shape->dims[1] == columns;
}

bool lite_cl_lstm_basic_infer(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason) {
    if (node->input_count != INPUTS || node->output_count != OUTPUTS)
        return lite_cl_refuse(reason, "%d inputs and %d outputs", node->input_count, node->output_count);
    for (int i = 0; i < INPUTS; i++) {
        if (node->inputs[i] == NULL) return lite_cl_refuse(reason, "input %d is absent", i);
    }
    for (int i = 0; i < OUTPUTS; i++) {
        if (node->outputs[i]->type != kTfLiteFloat32)
            return lite_cl_refuse(reason, "no kernel for output %d", i);
    }
    const LiteClTensor *input = node->inputs[kInput], *activation = node->inputs[kActivation];
    const LiteClTensor* state = node->inputs[kState];
    if (input->shape.rank != 2 || activation->shape.rank != 2)
        return lite_cl_refuse(reason, "input or activation has not 2 dimensions");
    const int batches = input->shape.dims[0], inputs = input->shape.dims[1];
    const int cells = activation->shape.dims[1];
    if (cells < 1 || cells > INT32_MAX / 8 || inputs > INT32_MAX / 8 ||
        !is_matrix(activation, batches, cells) || !is_matrix(state, batches, cells) ||
        activation->data != NULL || state->data != NULL) {
        return lite_cl_refuse(reason, "activation or state do not fit or are constant");
    }
    if (!lite_cl_check_constant(node->inputs[kWeights], "weights", kTfLiteFloat32, 4 * cells, inputs + cells,
                                reason) ||
        !lite_cl_check_constant(node->inputs[kBias], "biases", kTfLiteFloat32, 4 * cells, -1, reason)) {
        return false;
    }
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

static TfLiteStatus compute_gates(LiteClPlan* plan, const LiteClNode* node) {
    const int32_t* gates = node->outputs[kGates]->shape.dims;
    LiteClTensor* joined = node->outputs[kJoined];
    LITE_TRY(join(plan, node->inputs[kInput], joined, 0));
    LITE_TRY(join(plan, node->inputs[kActivation], joined, node->inputs[kInput]->shape.dims[1]));
    const LiteClProduct product = {.groups = 1,
                                   .filter = node->inputs[kWeights],
                                   .bias = node->inputs[kBias],
                                   .owner = &node->inputs,
                                   .args = lite_cl_product_args(gates[0], joined->shape.dims[1], gates[1])};
    return lite_cl_launch_product(plan, &product, joined, node->outputs[kGates]);
}

// The next run goes on from here unless the program sets these inputs again.
static TfLiteStatus keep(LiteClPlan* plan, LiteClTensor* from, LiteClTensor* to) {
    LiteMove move = {0};
    lite_move_add(&move, lite_shape_elements(&from->shape), 1, 1);
    return lite_cl_move_tensor(plan, &move, from, 0, to, 0);
}

TfLiteStatus lite_cl_lstm_basic_lower(LiteClPlan* plan, const LiteClNode* node) {
    LITE_TRY(compute_gates(plan, node));
    const int32_t* dims = node->inputs[kState]->shape.dims;
    const LiteClLstmBasicArgs args = {.count = dims[0] * dims[1], .cells = dims[1]};
    LiteClPrelude prelude = {0};
    (void)lite_cl_recurrent_tile(plan->device, &prelude);
    const LiteClLaunch launch = {.family = "recurrent",
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
    LITE_TRY(lite_cl_plan_launch(plan, &launch));
    LITE_TRY(keep(plan, node->outputs[kNewActivation], node->inputs[kActivation]));
    return keep(plan, node->outputs[kNewState], node->inputs[kState]);
}
