// SPDX-License-Identifier: Apache-2.0
// Operators that only change the shape: a view of the input's storage, or a copy where the result has to lie
// in the host's memory.
#include "core/semantics/quant.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/move.h"
#include "delegate-opencl/ops/common/tensor.h"

// The wanted shape, with -1 for at most one dimension.
static bool wanted_shape(const LiteClNode* node, LiteClInts* wanted, LiteClReason* reason) {
    const TfLiteReshapeParams* params = node->params;
    if (node->input_count > 1 && node->inputs[1] != NULL) {
        if (node->inputs[1]->type != kTfLiteInt32) return lite_cl_refuse(reason, "the shape is not INT32");
        if (node->inputs[1]->shape.rank != 1) return lite_cl_refuse(reason, "the shape is not a vector");
        return lite_cl_constant_ints(node, 1, wanted, reason);
    }
    if (params == NULL || params->num_dimensions < 0 || params->num_dimensions > LITE_MAX_RANK) {
        return lite_cl_refuse(reason, "no shape");
    }
    // Old models say "scalar" by one dimension of 0.
    const bool scalar = params->num_dimensions == 1 && params->shape[0] == 0;
    wanted->count = scalar ? 0 : params->num_dimensions;
    for (int d = 0; d < wanted->count; d++) wanted->values[d] = params->shape[d];
    return true;
}

static bool reshape_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    LiteClInts wanted;
    if (!wanted_shape(node, &wanted, reason)) return false;
    if (wanted.count > LITE_MAX_RANK) return lite_cl_refuse(reason, "%d dimensions", wanted.count);
    const int64_t elements = lite_shape_elements(&node->inputs[0]->shape);
    int64_t product = 1;
    int free_dim = -1;
    output->rank = wanted.count;
    for (int d = 0; d < wanted.count; d++) {
        const int64_t size = wanted.values[d];
        if (size == -1 && free_dim < 0) {
            free_dim = d;
            continue;
        }
        if (size < 0 || size > INT32_MAX) return lite_cl_refuse(reason, "dimension %lld", (long long)size);
        output->dims[d] = (int32_t)size;
        product *= size;
        if (product > INT32_MAX) return lite_cl_refuse(reason, "more elements than the input");
    }
    if (free_dim >= 0) {
        if (product == 0 || elements % product != 0)
            return lite_cl_refuse(reason, "no size fits dimension -1");
        output->dims[free_dim] = (int32_t)(elements / product);
        product *= elements / product;
    }
    if (product != elements) {
        return lite_cl_refuse(reason, "%lld elements into %lld", (long long)elements, (long long)product);
    }
    return true;
}

static bool squeeze_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteSqueezeParams* params = node->params;
    const LiteShape* input = &node->inputs[0]->shape;
    bool squeezed[LITE_MAX_RANK] = {false};
    if (params->num_squeeze_dims < 0 || params->num_squeeze_dims > 8) {
        return lite_cl_refuse(reason, "%d dimensions to squeeze", params->num_squeeze_dims);
    }
    for (int i = 0; i < params->num_squeeze_dims; i++) {
        const int axis = lite_axis(params->squeeze_dims[i], input->rank);
        if (axis < 0 || input->dims[axis] != 1) {
            return lite_cl_refuse(reason, "dimension %d cannot be squeezed", params->squeeze_dims[i]);
        }
        squeezed[axis] = true;
    }
    for (int d = 0; d < input->rank; d++) {
        if (params->num_squeeze_dims == 0) squeezed[d] = input->dims[d] == 1;
        if (!squeezed[d]) output->dims[output->rank++] = input->dims[d];
    }
    return true;
}

static bool expand_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    LiteClInts where;
    if (!lite_cl_same_quantization(node->inputs[0], node->outputs[0], reason)) return false;
    if (!lite_cl_constant_ints(node, 1, &where, reason)) return false;
    if (where.count != 1 || input->rank >= LITE_MAX_RANK)
        return lite_cl_refuse(reason, "%d axes", where.count);
    const int64_t position = where.values[0];
    const int axis = position < -LITE_MAX_RANK - 1 || position > LITE_MAX_RANK
                         ? -1
                         : lite_axis((int)position, input->rank + 1);
    if (axis < 0) return lite_cl_refuse(reason, "axis %lld", (long long)position);
    *output = (LiteShape){.rank = input->rank + 1};
    for (int d = 0; d < output->rank; d++) {
        output->dims[d] = d == axis ? 1 : input->dims[d < axis ? d : d - 1];
    }
    return true;
}

// A wider output element takes the place of the last dimension, a narrower one adds a last dimension.
static bool bitcast_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const int from = (int)lite_type_size(node->inputs[0]->type),
              to = (int)lite_type_size(node->outputs[0]->type);
    *output = node->inputs[0]->shape;
    if (from == to) return true;
    if (from > to) {
        if (output->rank == LITE_MAX_RANK) return lite_cl_refuse(reason, "more than 8 dimensions");
        output->dims[output->rank++] = from / to;
        return true;
    }
    output->rank--;
    return (output->rank >= 0 && output->dims[output->rank] == to / from) ||
           lite_cl_refuse(reason, "the last dimension is not %d", to / from);
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    return lite_cl_move_whole(plan, node->inputs[0], node->outputs[0]);
}

const LiteClOp lite_cl_op_RESHAPE = {.params_size = sizeof(TfLiteReshapeParams),
                                     .optional_params = true,
                                     .min_inputs = 1,
                                     .max_inputs = 2,
                                     .inputs = "Tp",
                                     .types = LITE_CL_ANY,
                                     .infer = reshape_infer,
                                     .lower = lower};
const LiteClOp lite_cl_op_SQUEEZE = {
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteSqueezeParams, num_squeeze_dims),
    .min_inputs = 1,
    .max_inputs = 1,
    .types = LITE_CL_ANY,
    .infer = squeeze_infer,
    .lower = lower,
};
const LiteClOp lite_cl_op_EXPAND_DIMS = {.min_inputs = 2,
                                         .max_inputs = 2,
                                         .inputs = "TP",
                                         .types = LITE_CL_ANY,
                                         .infer = expand_infer,
                                         .lower = lower};
const LiteClOp lite_cl_op_BITCAST = {.min_inputs = 1,
                                     .max_inputs = 1,
                                     .outputs = ".",
                                     .types = LITE_CL_ANY,
                                     .infer = bitcast_infer,
                                     .lower = lower};
