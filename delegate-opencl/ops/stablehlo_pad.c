// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_PAD: padding also between the elements, and negative padding, which cuts off.
#include "core/semantics/move.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/move.h"

// So that sums of a few paddings do not overflow.

#define MAX_PADDING INT32_MAX

static bool check_padding(const TfLiteStablehloPadParams* params, int d) {
    const int64_t low = params->edge_padding_low[d], high = params->edge_padding_high[d];
    const int64_t between = params->interior_padding[d];
    return between >= 0 && between <= MAX_PADDING && low >= -MAX_PADDING && low <= MAX_PADDING &&
           high >= -MAX_PADDING && high <= MAX_PADDING;
}

// Nothing is left of any dimension when nothing is left of one, as in the reference.
static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
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

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
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

const LiteClOp lite_cl_op_STABLEHLO_PAD = {.params_size = sizeof(TfLiteStablehloPadParams),
                                           .min_inputs = 2,
                                           .max_inputs = 2,
                                           .types = LITE_CL_ANY,
                                           .infer = infer,
                                           .lower = lower};
