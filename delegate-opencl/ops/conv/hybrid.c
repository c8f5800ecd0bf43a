// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/conv/hybrid.h"

#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/ops/common/group.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/shape.h"
#include "kernels-cl/args/hybrid.h"

bool lite_cl_hybrid_check(const LiteClTensor* input, const LiteClTensor* weights, int channels,
                          LiteClReason* reason) {
    if (!lite_cl_is_hybrid(input, weights)) return true;
    const TfLiteAffineQuantization* affine = weights->affine;
    if (affine == NULL || affine->scale == NULL)
        return lite_cl_refuse(reason, "no kernel for weights without a scale");
    const int count = affine->scale->size;
    return count == 1 || count == channels ||
           lite_cl_refuse(reason, "%d scales of the weights for %d channels", count, channels);
}

TfLiteStatus lite_cl_quantize_images(LiteClPlan* plan, LiteClTensor* input, bool asymmetric,
                                     LiteClHybrid* hybrid) {
    const LiteClAxis images = lite_cl_axis(&input->shape, 0);
    return lite_cl_quantize_rows(plan, input, images.inner, asymmetric, hybrid);
}

TfLiteStatus lite_cl_quantize_rows(LiteClPlan* plan, LiteClTensor* input, int width, bool asymmetric,
                                   LiteClHybrid* hybrid) {
    const int rows = width > 0 ? (int)(lite_shape_elements(&input->shape) / width) : 0;
    const LiteClTune* tune = lite_cl_tune(plan->device->class);
    const LiteClQuantizeArgs args = {.rows = rows,
                                     .width = width,
                                     .how = asymmetric ? LITE_CL_ASYMMETRIC : LITE_CL_SYMMETRIC,
                                     .chunk = tune->chunk};
    LiteClPrelude prelude = {0};
    lite_cl_define(&prelude, "WIDE %s", plan->device->doubles ? "double" : "float");
    if (plan->device->doubles) lite_cl_define(&prelude, "DOUBLES");
    size_t group;
    LITE_TRY(lite_cl_choose_group(plan, &lite_cl_source_hybrid, "find_scales", &prelude, &group));
    hybrid->scales = lite_cl_plan_add_storage(plan, kLiteClArena, (size_t)rows * sizeof(LiteClRowScale));
    hybrid->values = lite_cl_plan_add_storage(plan, kLiteClArena, (size_t)rows * (size_t)width);
    LiteClLaunch launch = {
        .family = &lite_cl_source_hybrid,
        .kernel = "find_scales",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 2,
        .buffers = {lite_cl_plan_tensor(plan, input), hybrid->scales},
        .items = {(size_t)rows * group, 1, 1},
        .group = group,
    };
    LITE_TRY(lite_cl_plan_launch(plan, &launch));
    launch.kernel = "quantize";
    launch.buffers[launch.buffer_count++] = hybrid->values;
    launch.items[0] = lite_cl_chunks(width, args.chunk);
    launch.items[1] = (size_t)rows;
    launch.group = 0;
    return lite_cl_plan_launch(plan, &launch);
}
