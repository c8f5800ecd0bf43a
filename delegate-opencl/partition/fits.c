// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/fits.h"

#include "core/base/shape.h"
#include "delegate-opencl/graph/op.h"
#include "delegate-opencl/graph/support.h"

bool lite_cl_device_suits(const LiteClDevice* device, LiteClReason* reason) {
    return device->limits.lack[0] == '\0' ||
           lite_cl_refuse(reason, "the device cannot run it: %s", device->limits.lack);
}

static bool tensors_fit(const LiteClDevice* device, LiteClTensor* const* tensors, int count,
                        LiteClReason* reason) {
    for (int i = 0; i < count; i++) {
        const size_t bytes = tensors[i] != NULL ? lite_cl_tensor_bytes(tensors[i]) : 0;
        if (bytes > device->max_allocation)
            return lite_cl_refuse(
                reason, "tensor %d has %zu bytes, the device allows %zu (CL_DEVICE_MAX_MEM_ALLOC_SIZE)",
                tensors[i]->index, bytes, device->max_allocation);
    }
    return true;
}

static int64_t largest(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t last_dimension(const LiteShape* shape) {
    return shape->rank > 0 ? largest(shape->dims[shape->rank - 1], 1) : 1;
}

static int64_t row_rounds(const LiteShape* input, const LiteShape* output) {
    int64_t rounds = lite_shape_elements(input) / largest(lite_shape_elements(output), 1);
    for (int d = 0; d < input->rank; d++) rounds = largest(rounds, input->dims[d]);
    return rounds;
}

// INT64_MAX: more than anybody counts.
static int64_t count_rounds(const LiteClNode* node) {
    static const LiteShape none = {0};
    const LiteShape* first = node->input_count > 0 ? &node->inputs[0]->shape : &none;
    const LiteShape* output = node->output_count > 0 ? &node->outputs[0]->shape : &none;
    int64_t rounds = 0;
    switch (node->op->rounds) {
    case kLiteClRoundsFew:
        return 0;
    case kLiteClRoundsFilter:
        return lite_shape_elements(&node->inputs[1]->shape) / last_dimension(output);
    case kLiteClRoundsRow:
        return row_rounds(first, output);
    case kLiteClRoundsPlane:
        return lite_shape_elements(first) / last_dimension(first);
    case kLiteClRoundsAll:
        for (int i = 0; i < node->input_count && rounds <= LITE_CL_ROUNDS; i++)
            rounds += node->inputs[i] != NULL ? lite_shape_elements(&node->inputs[i]->shape) : 0;
        return rounds;
    default:
        return INT64_MAX;
    }
}

static bool is_late(const LiteClNode* node) {
    bool late = lite_cl_awaits(node);
    for (int i = 0; i < node->input_count; i++) late |= node->inputs[i] != NULL && node->inputs[i]->late;
    for (int i = 0; i < node->output_count; i++) late |= node->outputs[i]->late;
    return late;
}

static bool rounds_fit(const LiteClDevice* device, const LiteClNode* node, LiteClReason* reason) {
    if (!device->ends_loops || node->op->rounds == kLiteClRoundsFew) return true;
    if (!is_late(node) && count_rounds(node) <= LITE_CL_ROUNDS) return true;
    return lite_cl_refuse(reason, "the device's driver ends loops of more than %d rounds early",
                          LITE_CL_ROUNDS);
}

bool lite_cl_node_fits(const LiteClDevice* device, const LiteClNode* node, LiteClReason* reason) {
    if (!rounds_fit(device, node, reason)) return false;
    return tensors_fit(device, node->inputs, node->input_count, reason) &&
           tensors_fit(device, node->outputs, node->output_count, reason) &&
           (node->op->fits == NULL || lite_cl_awaits(node) || node->op->fits(device, node, reason));
}
