// SPDX-License-Identifier: Apache-2.0
// Launches of one kernel on the tensors of a node.
#ifndef DELEGATE_OPENCL_OPS_COMMON_LAUNCH_H_
#define DELEGATE_OPENCL_OPS_COMMON_LAUNCH_H_

#include "core/semantics/quant.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/plan/plan.h"
#include "kernels-cl/args/common.h"

// Launches a kernel that reads input 0 and writes the output: `launch` lacks the buffers only.
TfLiteStatus lite_cl_launch_unary(LiteClPlan* plan, const LiteClNode* node, const LiteClLaunch* launch);

// Launches a kernel that reads all inputs, at most 6, and writes the output; `status`: its last buffer is the
// plan's status.
TfLiteStatus lite_cl_launch_buffers(LiteClPlan* plan, const LiteClNode* node, const LiteClLaunch* launch,
                                    bool status);

// Items for `count` elements, `chunk` each.
static inline size_t lite_cl_chunks(int count, int chunk) {
    return ((size_t)count + (size_t)chunk - 1) / (size_t)chunk;
}

// Items along dimension 0 for kernels that walk vectors of channels: on a CPU one, which does them all, else
// one for each vector.
size_t lite_cl_vector_items(const LiteClDevice* device, int channels, int vector);

static inline LiteClMultiplier lite_cl_multiplier(LiteMultiplier m) {
    return (LiteClMultiplier){m.value, m.shift};
}

#endif
