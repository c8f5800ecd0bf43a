// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/common/rows.h"

#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/shape.h"

LiteClAxisArgs lite_cl_rows(const LiteShape* shape, int axis) {
    const LiteClAxis a = lite_cl_axis(shape, axis);
    return (LiteClAxisArgs){.outer = a.outer, .length = a.length, .inner = a.inner};
}

TfLiteStatus lite_cl_launch_rows(LiteClPlan* plan, const LiteClNode* node, const LiteClSource* family,
                                 const char* kernel, const LiteClPrelude* prelude,
                                 const LiteClAxisArgs* args) {
    const LiteClLaunch launch = {
        .family = family,
        .kernel = kernel,
        .prelude = prelude->text,
        .args = args,
        .args_size = sizeof *args,
        .items = {(size_t)args->outer * (size_t)args->inner, 1, 1},
    };
    return lite_cl_launch_unary(plan, node, &launch);
}
