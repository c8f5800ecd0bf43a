// SPDX-License-Identifier: Apache-2.0
// PACK: tensors side by side along a new axis. UNPACK: the entries of an axis.
#include "core/semantics/move.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/move.h"
#include "delegate-opencl/ops/common/shape.h"
#include "delegate-opencl/ops/common/tensor.h"

static bool pack_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLitePackParams* params = node->params;
    const LiteShape* first = &node->inputs[0]->shape;
    if (params->values_count != node->input_count || first->rank >= LITE_MAX_RANK)
        return lite_cl_refuse(reason, "packs %d tensors of %d dimensions", params->values_count, first->rank);
    const int axis = lite_axis(params->axis, first->rank + 1);
    if (axis < 0) return lite_cl_refuse(reason, "axis %d", params->axis);
    for (int i = 0; i < node->input_count; i++) {
        if (node->inputs[i] == NULL) return lite_cl_refuse(reason, "input %d is absent", i);
        if (!lite_cl_same_quantization(node->inputs[i], node->outputs[0], reason)) return false;
        if (!lite_shape_equal(first, &node->inputs[i]->shape))
            return lite_cl_refuse(reason, "input %d has another shape", i);
    }
    output->rank = first->rank + 1;
    for (int d = 0; d < output->rank; d++)
        output->dims[d] = d == axis ? node->input_count : first->dims[d < axis ? d : d - 1];
    return true;
}

// The parts of a tensor, between which and the tensor elements move.
typedef struct Parts {
    int64_t rows;  // of a part
    int64_t width; // elements of a row
    int64_t pitch; // from one row to the next in the tensor
} Parts;

// Those along an axis of the tensor, which is not empty.
static Parts find_parts(const LiteShape* shape, int axis) {
    const LiteClAxis a = lite_cl_axis(shape, axis);
    return (Parts){a.outer, a.inner, (int64_t)a.length * a.inner};
}

static TfLiteStatus pack_lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLitePackParams* params = node->params;
    LiteClTensor* output = node->outputs[0];
    if (lite_shape_elements(&output->shape) == 0) return kTfLiteOk;
    const Parts parts = find_parts(&output->shape, lite_axis(params->axis, output->shape.rank));
    LiteMove move = {0};
    lite_move_add(&move, parts.rows, parts.width, parts.pitch);
    lite_move_add(&move, parts.width, 1, 1);
    for (int i = 0; i < node->input_count; i++)
        LITE_TRY(lite_cl_move_tensor(plan, &move, node->inputs[i], 0, output, i * parts.width));
    return kTfLiteOk;
}

const LiteClOp lite_cl_op_PACK = {
    .params_size = LITE_CL_PARAMS_UP_TO(TfLitePackParams, axis),
    .min_inputs = 1,
    .max_inputs = LITE_CL_MANY,
    .types = LITE_TYPE(Float32) | LITE_TYPES_INTEGER | LITE_TYPE(UInt32),
    .infer = pack_infer,
    .lower = pack_lower,
};

static bool unpack_infer(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason) {
    const TfLiteUnpackParams* params = node->params;
    const LiteShape* value = &node->inputs[0]->shape;
    const int axis = lite_axis(params->axis, value->rank);
    if (params->num != node->output_count)
        return lite_cl_refuse(reason, "%d parts for %d outputs", params->num, node->output_count);
    if (axis < 0) return lite_cl_refuse(reason, "axis %d of %d dimensions", params->axis, value->rank);
    if (lite_shape_elements(value) == 0) return lite_cl_refuse(reason, "the input is empty");
    if (value->dims[axis] != node->output_count)
        return lite_cl_refuse(reason, "%d entries for %d outputs", value->dims[axis], node->output_count);
    for (int i = 0; i < node->output_count; i++) {
        if (!lite_cl_same_quantization(node->inputs[0], node->outputs[i], reason)) return false;
        for (int d = 0; d < value->rank; d++) {
            if (d != axis) outputs[i].dims[outputs[i].rank++] = value->dims[d];
        }
    }
    return true;
}

static TfLiteStatus unpack_lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteUnpackParams* params = node->params;
    LiteClTensor* value = node->inputs[0];
    const Parts parts = find_parts(&value->shape, lite_axis(params->axis, value->shape.rank));
    LiteMove move = {0};
    lite_move_add(&move, parts.rows, parts.pitch, parts.width);
    lite_move_add(&move, parts.width, 1, 1);
    for (int i = 0; i < node->output_count; i++)
        LITE_TRY(lite_cl_move_tensor(plan, &move, value, i * parts.width, node->outputs[i], 0));
    return kTfLiteOk;
}

const LiteClOp lite_cl_op_UNPACK = {
    .params_size = sizeof(TfLiteUnpackParams),
    .min_inputs = 1,
    .max_inputs = 1,
    .max_outputs = LITE_CL_MANY,
    .types = LITE_TYPES_FLOAT | LITE_TYPE(BFloat16) | LITE_TYPES_BYTE | LITE_TYPE(Int16) | LITE_TYPE(Int32) |
             LITE_TYPE(Bool),
    .infer = unpack_infer,
    .lower = unpack_lower,
};
