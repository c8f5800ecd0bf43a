// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/common/launch.h"

TfLiteStatus lite_cl_launch_unary(LiteClPlan* plan, const LiteClNode* node, const LiteClLaunch* launch) {
    LiteClLaunch whole = *launch;
    whole.buffer_count = 2;
    whole.buffers[0] = lite_cl_plan_tensor(plan, node->inputs[0]);
    whole.buffers[1] = lite_cl_plan_tensor(plan, node->outputs[0]);
    return lite_cl_plan_launch(plan, &whole);
}

TfLiteStatus lite_cl_launch_buffers(LiteClPlan* plan, const LiteClNode* node, const LiteClLaunch* launch,
                                    bool status) {
    LiteClLaunch whole = *launch;
    for (int i = 0; i < node->input_count; i++)
        whole.buffers[whole.buffer_count++] = lite_cl_plan_tensor(plan, node->inputs[i]);
    whole.buffers[whole.buffer_count++] = lite_cl_plan_tensor(plan, node->outputs[0]);
    if (status) whole.buffers[whole.buffer_count++] = lite_cl_plan_status(plan);
    return lite_cl_plan_launch(plan, &whole);
}

size_t lite_cl_vector_items(const LiteClDevice* device, int channels, int vector) {
    return device->class == kLiteClGpu ? lite_cl_chunks(channels, vector) : 1;
}
