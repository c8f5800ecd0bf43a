// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/fully_connected/shuffled.h"

#include "core/semantics/move.h"
#include "core/semantics/shuffled.h"
#include "delegate-opencl/ops/common/move.h"
#include "delegate-opencl/ops/common/table.h"
#include "delegate-opencl/ops/conv/direct.h"

enum { BLOCK = 16, UNITS = 4 }; // inputs and units of a block of weights

static int rows_of(const LiteClNode* node) {
    return (int)(lite_shape_elements(&node->inputs[0]->shape) / node->inputs[1]->shape.dims[1]);
}

bool lite_cl_shuffled_check(const LiteClNode* node, LiteClReason* reason) {
    const TfLiteFullyConnectedParams* params = node->params;
    const LiteClTensor *input = node->inputs[0], *weights = node->inputs[1], *workspace = node->outputs[1];
    const int units = weights->shape.dims[0], depth = weights->shape.dims[1], rows = rows_of(node);
    if (params->weights_format != kTfLiteFullyConnectedWeightsFormatShuffled4x16Int8)
        return lite_cl_refuse(reason, "weights of format %d", (int)params->weights_format);
    if (input->type != kTfLiteUInt8 || weights->type != kTfLiteUInt8 ||
        node->outputs[0]->type != kTfLiteInt16 || weights->data == NULL)
        return lite_cl_refuse(reason, "shuffled weights of other types, or that are not constant");
    if ((rows != 1 && rows != UNITS) || depth % BLOCK != 0 || units % UNITS != 0) {
        return lite_cl_refuse(reason, "shuffled weights with %d rows, depth %d and %d units", rows, depth,
                              units);
    }
    return (workspace->type == kTfLiteUInt8 &&
            lite_shape_elements(&workspace->shape) == lite_shape_elements(&input->shape)) ||
           lite_cl_refuse(reason, "a workspace of another type or size than the input");
}

static void pack_signs(const void* state, float* packed) {
    (void)state;
    for (int x = 0; x <= UINT8_MAX; x++) ((uint8_t*)packed)[x] = (uint8_t)(x ^ 0x80);
}

// The input as signed bytes, and in the workspace blocks of each row in turn. The storage of the first.
static int make_signed(LiteClPlan* plan, const LiteClNode* node) {
    const int64_t count = lite_shape_elements(&node->inputs[0]->shape);
    const int rows = rows_of(node), depth = (int)(count / rows);
    const int table = lite_cl_plan_constant(plan, (LiteClConstantKey){.role = kLiteClRoleSigns},
                                            UINT8_MAX + 1, pack_signs, NULL);
    const int bytes = lite_cl_plan_add_storage(plan, kLiteClArena, (size_t)count);
    LiteMove move = {0};
    lite_move_add(&move, depth / BLOCK, BLOCK, (int64_t)BLOCK * rows);
    lite_move_add(&move, rows, depth, BLOCK);
    lite_move_add(&move, BLOCK, 1, 1);
    const bool done = lite_cl_look_up_bytes(plan, count, lite_cl_plan_tensor(plan, node->inputs[0]), table,
                                            bytes) == kTfLiteOk &&
                      lite_cl_move_storage(plan, &move, kTfLiteUInt8, bytes, 0,
                                           lite_cl_plan_tensor(plan, node->outputs[1]), 0) == kTfLiteOk;
    return done ? bytes : -1;
}

TfLiteStatus lite_cl_shuffled_lower(LiteClPlan* plan, const LiteClNode* node,
                                    TfLiteFusedActivation activation) {
    const int32_t* dims = node->inputs[1]->shape.dims;
    const int units = dims[0], depth = dims[1];
    // Both have a zero point of 128, whatever they say, which is 0 when they are signed.
    LiteClTensor input = *node->inputs[0], weights = *node->inputs[1];
    input.type = weights.type = kTfLiteInt8;
    input.zero_point = weights.zero_point = 0;
    input.storage = make_signed(plan, node);
    int8_t* values = lite_calloc((size_t)units * (size_t)depth + 1, 1);
    if (input.storage < 0 || values == NULL) {
        lite_free(values);
        return lite_report(plan->reporter, "OpenCL: no room for shuffled weights");
    }
    lite_unshuffle_weights(weights.data, units, depth, values);
    weights.data = values;
    const LiteClDirectConv matmul = {.args = lite_cl_direct_matmul_args(rows_of(node), depth, units),
                                     .input = &input,
                                     .weights = {&weights, 1, depth, 1, depth},
                                     .bias = lite_cl_input(node, 2),
                                     .coarse = true,
                                     .activation = activation};
    const TfLiteStatus status = lite_cl_direct_conv_lower(plan, node, &matmul);
    lite_free(values);
    return status;
}
