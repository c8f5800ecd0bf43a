// SPDX-License-Identifier: Apache-2.0
// MATRIX_DIAG: matrices of zeros with these diagonals. MATRIX_SET_DIAG: matrices with other diagonals.
#include "core/semantics/move.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/move.h"

static TfLiteStatus write_diagonals(LiteClPlan* plan, LiteClTensor* diagonals, LiteClTensor* output) {
    const LiteShape* shape = &output->shape;
    const int64_t length = diagonals->shape.dims[diagonals->shape.rank - 1];
    const int64_t rows = shape->dims[shape->rank - 2], columns = shape->dims[shape->rank - 1];
    const int64_t count = lite_shape_elements(shape);
    if (count == 0) return kTfLiteOk;
    LiteMove move = {0};
    lite_move_add(&move, count / (rows * columns), length, rows * columns);
    lite_move_add(&move, length, 1, columns + 1);
    return lite_cl_move_tensor(plan, &move, diagonals, 0, output, 0);
}

static bool diag_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    *output = node->inputs[0]->shape;
    if (output->rank < 1 || output->rank >= LITE_MAX_RANK)
        return lite_cl_refuse(reason, "%d dimensions", output->rank);
    output->dims[output->rank] = output->dims[output->rank - 1];
    output->rank++;
    return true;
}

static TfLiteStatus diag_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClTensor* output = node->outputs[0];
    LITE_TRY(lite_cl_fill(plan, output->type, lite_cl_scalar(plan, node, output->type, 0),
                          lite_cl_plan_tensor(plan, output), lite_shape_elements(&output->shape)));
    return write_diagonals(plan, node->inputs[0], output);
}

const LiteClOp lite_cl_op_MATRIX_DIAG = {
    .min_inputs = 1, .max_inputs = 1, .types = LITE_CL_ANY, .infer = diag_infer, .lower = diag_lower};

static bool set_diag_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    *output = node->inputs[0]->shape;
    if (output->rank < 2) return lite_cl_refuse(reason, "%d dimensions", output->rank);
    LiteShape expected = *output;
    const int last = --expected.rank;
    if (output->dims[last] < expected.dims[last - 1]) expected.dims[last - 1] = output->dims[last];
    return lite_shape_equal(&expected, &node->inputs[1]->shape) ||
           lite_cl_refuse(reason, "the diagonals do not fit the matrices");
}

static TfLiteStatus set_diag_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteMove whole = {0};
    lite_move_add(&whole, lite_shape_elements(&node->outputs[0]->shape), 1, 1);
    LITE_TRY(lite_cl_move_tensor(plan, &whole, node->inputs[0], 0, node->outputs[0], 0));
    return write_diagonals(plan, node->inputs[1], node->outputs[0]);
}

const LiteClOp lite_cl_op_MATRIX_SET_DIAG = {
    .min_inputs = 2, .max_inputs = 2, .types = LITE_CL_ANY, .infer = set_diag_infer, .lower = set_diag_lower};
