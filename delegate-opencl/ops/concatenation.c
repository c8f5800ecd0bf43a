// SPDX-License-Identifier: Apache-2.0
// CONCATENATION: tensors side by side along an axis.
#include "core/semantics/move.h"
#include "core/semantics/quant.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/move.h"
#include "delegate-opencl/ops/common/table.h"
#include "delegate-opencl/ops/common/tensor.h"

static bool is_rescaled(const LiteClTensor* input, const LiteClTensor* output) {
    return input->type == kTfLiteUInt8 &&
           (input->scale != output->scale || input->zero_point != output->zero_point);
}

static bool check_quantization(const LiteClTensor* input, const LiteClTensor* output, LiteClReason* reason) {
    if (input->type == kTfLiteInt16 && (input->zero_point != 0 || output->zero_point != 0))
        return lite_cl_refuse(reason, "INT16 with a zero point");
    if (is_rescaled(input, output))
        return lite_cl_check_quantized(input, reason) && lite_cl_check_quantized(output, reason);
    return !lite_cl_is_byte(input->type) || lite_cl_same_quantization(input, output, reason);
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteConcatenationParams* params = node->params;
    if (params->activation != kTfLiteActNone)
        return lite_cl_refuse(reason, "fused activation %d", (int)params->activation);
    *output = node->inputs[0]->shape;
    const int axis = lite_axis(params->axis, output->rank);
    if (axis < 0) return lite_cl_refuse(reason, "axis %d of %d dimensions", params->axis, output->rank);
    int64_t length = 0;
    for (int i = 0; i < node->input_count; i++) {
        if (node->inputs[i] == NULL) return lite_cl_refuse(reason, "input %d is absent", i);
        if (!check_quantization(node->inputs[i], node->outputs[0], reason)) return false;
        LiteShape shape = node->inputs[i]->shape;
        if (shape.rank != output->rank) return lite_cl_refuse(reason, "inputs of different rank");
        length += shape.dims[axis];
        shape.dims[axis] = output->dims[axis];
        if (!lite_shape_equal(&shape, output)) return lite_cl_refuse(reason, "input %d has another shape", i);
    }
    if (length > INT32_MAX) return lite_cl_refuse(reason, "the output would be %lld long", (long long)length);
    output->dims[axis] = (int32_t)length;
    return true;
}

// UINT8 inputs of another quantization than the output's.
typedef struct Rescaled {
    const LiteClTensor* input;
    const LiteClTensor* output;
} Rescaled;

static void write_table(const void* state, float* packed) {
    const Rescaled* r = state;
    lite_rescale_table(r->input->scale, r->input->zero_point, r->output->scale, r->output->zero_point,
                       (uint8_t*)packed);
}

// Where an input lies in the output's quantization.
static int place_input(LiteClPlan* plan, const LiteClNode* node, int index) {
    const Rescaled r = {node->inputs[index], node->outputs[0]};
    const int from = lite_cl_plan_tensor(plan, node->inputs[index]);
    if (!is_rescaled(r.input, r.output)) return from;
    const int table = lite_cl_plan_constant(
        plan, (LiteClConstantKey){.owner = node, .role = kLiteClRoleTable, .part = index}, 256, write_table,
        &r);
    const int to = lite_cl_scratch(plan, &r.input->shape, r.input->type);
    const int64_t count = lite_shape_elements(&r.input->shape);
    return lite_cl_look_up_bytes(plan, count, from, table, to) == kTfLiteOk ? to : -1;
}

// `rows` rows of each input, one after the other in the rows of the output.
static TfLiteStatus join_rows(LiteClPlan* plan, const LiteClNode* node, int axis) {
    const LiteShape* out = &node->outputs[0]->shape;
    int64_t rows = 1, offset = 0;
    for (int d = 0; d < axis; d++) rows *= out->dims[d];
    const int64_t elements = lite_shape_elements(out);
    if (elements == 0) return kTfLiteOk;
    for (int i = 0; i < node->input_count; i++) {
        const int64_t width = lite_shape_elements(&node->inputs[i]->shape) / rows;
        LiteMove move = {0};
        lite_move_add(&move, rows, width, elements / rows);
        lite_move_add(&move, width, 1, 1);
        LITE_TRY(lite_cl_move_storage(plan, &move, node->outputs[0]->type, place_input(plan, node, i), 0,
                                      lite_cl_plan_tensor(plan, node->outputs[0]), offset));
        offset += width;
    }
    return kTfLiteOk;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteConcatenationParams* params = node->params;
    return join_rows(plan, node, lite_axis(params->axis, node->outputs[0]->shape.rank));
}

const LiteClOp lite_cl_op_CONCATENATION = {
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteConcatenationParams, activation),
    .min_inputs = 1,
    .max_inputs = LITE_CL_MANY,
    .types =
        LITE_TYPES_INTEGER | LITE_TYPES_FLOAT | LITE_TYPE(BFloat16) | LITE_TYPE(UInt32) | LITE_TYPE(Bool),
    .infer = infer,
    .lower = lower,
};
