// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/fits.h"

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

bool lite_cl_node_fits(const LiteClDevice* device, const LiteClNode* node, LiteClReason* reason) {
    return tensors_fit(device, node->inputs, node->input_count, reason) &&
           tensors_fit(device, node->outputs, node->output_count, reason) &&
           (node->op->fits == NULL || lite_cl_awaits(node) || node->op->fits(device, node, reason));
}
