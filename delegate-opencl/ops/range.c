// SPDX-License-Identifier: Apache-2.0
// RANGE: a vector of constants, from a start to a limit.
#include <math.h>

#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "kernels-cl/args/range.h"

static bool count_floats(const LiteClNode* node, double* count) {
    const float start = lite_cl_constant_float(node->inputs[0], 0),
                limit = lite_cl_constant_float(node->inputs[1], 0);
    const float delta = lite_cl_constant_float(node->inputs[2], 0);
    *count = (double)ceilf(fabsf((limit - start) / delta));
    return (delta > 0 && start <= limit) || (delta < 0 && start >= limit);
}

static bool count_integers(const LiteClNode* node, double* count) {
    const int64_t start = lite_cl_int_at(node->inputs[0], 0), limit = lite_cl_int_at(node->inputs[1], 0);
    const int64_t delta = lite_cl_int_at(node->inputs[2], 0);
    if (delta == 0 || (delta > 0 && start > limit) || (delta < 0 && start < limit)) return false;
    const uint64_t span = delta > 0 ? (uint64_t)limit - (uint64_t)start : (uint64_t)start - (uint64_t)limit;
    const uint64_t step = delta > 0 ? (uint64_t)delta : -(uint64_t)delta;
    const uint64_t steps = span / step + (span % step != 0);
    *count = (double)steps;
    return true;
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    double count = 0.0;
    for (int i = 0; i < 3; i++) {
        if (node->inputs[i]->shape.rank != 0) return lite_cl_refuse(reason, "input %d is not a scalar", i);
        if (node->inputs[i]->data == NULL) return lite_cl_refuse(reason, "input %d is not constant", i);
    }
    const bool real = lite_cl_element_type(node) == kTfLiteFloat32;
    if (!(real ? count_floats(node, &count) : count_integers(node, &count)) || !(count <= INT32_MAX))
        return lite_cl_refuse(reason, "steps do not lead from the start to the limit");
    *output = (LiteShape){1, {(int32_t)count}};
    return true;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClRangeArgs args = {.count = node->outputs[0]->shape.dims[0]};
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", node->inputs[0]->type);
    const bool real = lite_cl_element_type(node) == kTfLiteFloat32;
    lite_cl_define(&prelude, real ? "SUM(a, b) ((a) + (b))" : "SUM(a, b) (VALUE)((U)(a) + (U)(b))");
    const LiteClLaunch launch = {.family = &lite_cl_source_range,
                                 .kernel = "range",
                                 .prelude = prelude.text,
                                 .args = &args,
                                 .args_size = sizeof args,
                                 .items = {1, 1, 1}};
    return lite_cl_launch_buffers(plan, node, &launch, false);
}

const LiteClOp lite_cl_op_RANGE = {.min_inputs = 3,
                                   .max_inputs = 3,
                                   .inputs = "V",
                                   .types = LITE_TYPE(Float32) | LITE_TYPE(Int32) | LITE_TYPE(Int64),
                                   .infer = infer,
                                   .lower = lower};
