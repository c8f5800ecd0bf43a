// SPDX-License-Identifier: Apache-2.0
// Elements spread over a larger tensor of a constant: SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND (blocks of
// pixels into the batch and back), DILATE, STABLEHLO_PAD, MATRIX_DIAG, MATRIX_SET_DIAG.
#include "delegate-opencl/ops/move.h"

static bool read_blocking(const LiteClNode* node, LiteBlocking* b, LiteClReason* reason) {
    const LiteClTensor* input = node->inputs[0];
    LiteClInts block, margins;
    if (!lite_cl_constant_ints(node, 1, &block, reason) || !lite_cl_constant_ints(node, 2, &margins, reason))
        return false;
    *b = (LiteBlocking){.space = input->shape.rank - 2, .blocks = 1};
    if (input->shape.rank < 3 || input->shape.rank > 4)
        return lite_cl_refuse(reason, "input has %d dimensions, not 3 or 4", input->shape.rank);
    const LiteShape* shape = &node->inputs[2]->shape;
    if (node->inputs[1]->shape.rank != 1 || block.count != b->space || shape->rank != 2 ||
        shape->dims[0] != b->space || shape->dims[1] != 2) {
        return lite_cl_refuse(reason, "block shape and margins do not fit %d dimensions", b->space);
    }
    for (int i = 0; i < b->space; i++) {
        b->block[i] = block.values[i];
        b->before[i] = margins.values[2 * i];
        b->after[i] = margins.values[2 * i + 1];
        if (b->block[i] < 1 || b->block[i] > INT16_MAX || b->before[i] < 0 || b->after[i] < 0 ||
            b->before[i] > INT32_MAX || b->after[i] > INT32_MAX) {
            return lite_cl_refuse(reason, "block %lld", (long long)b->block[i]);
        }
        b->blocks *= b->block[i];
    }
    return b->blocks <= 4096 || lite_cl_refuse(reason, "blocks of %lld elements", (long long)b->blocks);
}

static bool batch_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteClTensor* input = node->inputs[0];
    const bool to_batch = node->op->variant == 1;
    LiteBlocking b;
    if (!read_blocking(node, &b, reason)) return false;
    if (!lite_cl_same_elements(input, node->outputs[0], reason)) return false;
    *output = input->shape;
    const int64_t batch = input->shape.dims[0];
    if (!to_batch && batch % b.blocks != 0) return lite_cl_refuse(reason, "no whole number of blocks");
    int64_t lengths[LITE_MAX_RANK] = {to_batch ? batch * b.blocks : batch / b.blocks};
    for (int i = 0; i < b.space; i++) {
        const int64_t margin = b.before[i] + b.after[i], length = input->shape.dims[i + 1];
        if (to_batch && (length + margin) % b.block[i] != 0)
            return lite_cl_refuse(reason, "no whole number of blocks");
        lengths[i + 1] = to_batch ? (length + margin) / b.block[i] : length * b.block[i] - margin;
    }
    for (int i = 0; i <= b.space; i++) {
        if (lengths[i] < 0 || lengths[i] > INT32_MAX)
            return lite_cl_refuse(reason, "length %lld", (long long)lengths[i]);
        output->dims[i] = (int32_t)lengths[i];
    }
    return true;
}

// One move per position in a block.
static TfLiteStatus move_position(LiteClPlan* plan, const LiteClNode* node, const LiteBlocking* b,
                                  int64_t position) {
    const bool to_batch = node->op->variant == 1;
    LiteClTensor *input = node->inputs[0], *output = node->outputs[0];
    LiteMove move;
    int64_t from, to;
    lite_move_block(b, &(to_batch ? input : output)->shape, &(to_batch ? output : input)->shape, position,
                    to_batch, &move, &from, &to);
    return lite_cl_move_tensor(plan, &move, input, from, output, to);
}

static TfLiteStatus batch_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClTensor* output = node->outputs[0];
    LiteClReason reason;
    LiteBlocking b = {0};
    (void)read_blocking(node, &b, &reason); // infer has agreed to it
    if (node->op->variant == 1) {
        const int value =
            lite_cl_scalar(plan, node, output->type, lite_cl_is_byte(output->type) ? output->zero_point : 0);
        LITE_TRY(lite_cl_fill(plan, output->type, value, lite_cl_plan_tensor(plan, output),
                              lite_shape_elements(&output->shape)));
    }
    for (int64_t position = 0; position < b.blocks; position++)
        LITE_TRY(move_position(plan, node, &b, position));
    return kTfLiteOk;
}

#define SPREAD_OP(NAME, size, count, letters, form, function)                                                \
    const LiteClOp lite_cl_op_##NAME = {.params_size = (size),                                               \
                                        .min_inputs = (count),                                               \
                                        .max_inputs = (count),                                               \
                                        .inputs = (letters),                                                 \
                                        .types = LITE_CL_ANY,                                                \
                                        .variant = (form),                                                   \
                                        .infer = function##_infer,                                           \
                                        .lower = function##_lower};
SPREAD_OP(SPACE_TO_BATCH_ND, 0, 3, "TP", 1, batch)
SPREAD_OP(BATCH_TO_SPACE_ND, 0, 3, "TP", 0, batch)

static bool dilate_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    LiteClInts dilations;
    if (!lite_cl_constant_ints(node, 1, &dilations, reason)) return false;
    if (dilations.count != input->rank || input->rank < 1 || node->inputs[1]->shape.rank != 1 ||
        lite_shape_elements(&node->inputs[2]->shape) < 1)
        return lite_cl_refuse(reason, "%d dilations for %d dimensions", dilations.count, input->rank);
    output->rank = input->rank;
    for (int d = 0; d < input->rank; d++) {
        if (dilations.values[d] < 1 || dilations.values[d] > INT32_MAX)
            return lite_cl_refuse(reason, "dilation");
        const int64_t length = (input->dims[d] - INT64_C(1)) * dilations.values[d] + 1;
        if (length < 0 || length > INT32_MAX) return lite_cl_refuse(reason, "length %lld", (long long)length);
        output->dims[d] = (int32_t)length;
    }
    return true;
}

static TfLiteStatus dilate_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClTensor *input = node->inputs[0], *output = node->outputs[0];
    LiteClReason reason;
    LiteClInts dilations;
    (void)lite_cl_constant_ints(node, 1, &dilations, &reason); // infer has agreed to it
    const int64_t count = lite_shape_elements(&output->shape);
    if (count != lite_shape_elements(&input->shape)) {
        LITE_TRY(lite_cl_fill(plan, output->type, lite_cl_plan_tensor(plan, node->inputs[2]),
                              lite_cl_plan_tensor(plan, output), count));
    }
    int64_t from[LITE_MAX_RANK], to[LITE_MAX_RANK];
    lite_move_strides(&input->shape, from);
    lite_move_strides(&output->shape, to);
    LiteMove move = {0};
    for (int d = 0; d < input->shape.rank; d++)
        lite_move_add(&move, input->shape.dims[d], from[d], to[d] * dilations.values[d]);
    return lite_cl_move_tensor(plan, &move, input, 0, output, 0);
}

SPREAD_OP(DILATE, 0, 3, "TpT", 0, dilate)

// So that sums of a few paddings do not overflow.
#define MOST_PADDING INT32_MAX

static bool check_padding(const TfLiteStablehloPadParams* params, int d) {
    const int64_t low = params->edge_padding_low[d], high = params->edge_padding_high[d];
    const int64_t between = params->interior_padding[d];
    return between >= 0 && between <= MOST_PADDING && low >= -MOST_PADDING && low <= MOST_PADDING &&
           high >= -MOST_PADDING && high <= MOST_PADDING;
}

// Nothing is left of any dimension when nothing is left of one, as in the reference.
static bool hlo_pad_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteStablehloPadParams* params = node->params;
    const LiteShape* input = &node->inputs[0]->shape;
    if (input->rank < 1 || lite_shape_elements(&node->inputs[1]->shape) != 1)
        return lite_cl_refuse(reason, "a scalar, or not one padding value");
    bool nothing = false;
    output->rank = input->rank;
    for (int d = 0; d < input->rank; d++) {
        if (!check_padding(params, d)) return lite_cl_refuse(reason, "padding of dimension %d", d);
        const int64_t step = params->interior_padding[d] + 1;
        const int64_t span = input->dims[d] > 0 ? (input->dims[d] - 1) * step + 1 : 0;
        const int64_t length = span + params->edge_padding_low[d] + params->edge_padding_high[d];
        if (length > INT32_MAX) return lite_cl_refuse(reason, "the output would be too large");
        nothing = nothing || length <= 0;
        output->dims[d] = (int32_t)length;
    }
    for (int d = 0; d < input->rank && nothing; d++) output->dims[d] = 0;
    return true;
}

static TfLiteStatus hlo_pad_lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteStablehloPadParams* params = node->params;
    LiteClTensor *input = node->inputs[0], *output = node->outputs[0];
    int64_t from[LITE_MAX_RANK], to[LITE_MAX_RANK], first_from = 0, first_to = 0;
    lite_move_strides(&input->shape, from);
    lite_move_strides(&output->shape, to);
    LITE_TRY(lite_cl_fill(plan, output->type, lite_cl_plan_tensor(plan, node->inputs[1]),
                          lite_cl_plan_tensor(plan, output), lite_shape_elements(&output->shape)));
    LiteMove move = {0};
    for (int d = 0; d < input->shape.rank; d++) {
        // Elements [begin, end) lie within the output.
        const int64_t low = params->edge_padding_low[d], step = params->interior_padding[d] + 1;
        const int64_t begin = low < 0 ? (-low + step - 1) / step : 0;
        const int64_t room = output->shape.dims[d] - 1 - low;
        int64_t end = room < 0 ? 0 : room / step + 1;
        if (end > input->shape.dims[d]) end = input->shape.dims[d];
        if (end <= begin) return kTfLiteOk;
        first_from += begin * from[d];
        first_to += (low + begin * step) * to[d];
        lite_move_add(&move, end - begin, from[d], step * to[d]);
    }
    return lite_cl_move_tensor(plan, &move, input, first_from, output, first_to);
}

SPREAD_OP(STABLEHLO_PAD, sizeof(TfLiteStablehloPadParams), 2, "T", 0, hlo_pad)

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

SPREAD_OP(MATRIX_DIAG, 0, 1, "T", 0, diag)
SPREAD_OP(MATRIX_SET_DIAG, 0, 2, "T", 0, set_diag)
