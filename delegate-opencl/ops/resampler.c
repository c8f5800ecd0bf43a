// SPDX-License-Identifier: Apache-2.0
#include "kernels-cl/args/resampler.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/launch.h"

static bool resampler_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape *image = &node->inputs[0]->shape, *warp = &node->inputs[1]->shape;
    if (image->rank != 4 || warp->rank < 2 || warp->dims[warp->rank - 1] != 2 ||
        warp->dims[0] != image->dims[0])
        return lite_cl_refuse(reason, "image and warp do not fit together");
    *output = *warp;
    output->dims[output->rank - 1] = image->dims[3];
    return true;
}

static TfLiteStatus resampler_lower(LiteClPlan* plan, const LiteClNode* node) {
    const int32_t* image = node->inputs[0]->shape.dims;
    const int points = (int)(lite_shape_elements(&node->inputs[1]->shape) / 2);
    const LiteClResamplerArgs args = {.points = points,
                                      .image_points = image[0] > 0 ? points / image[0] : 0,
                                      .height = image[1],
                                      .width = image[2],
                                      .channels = image[3]};
    const LiteClLaunch launch = {.family = &lite_cl_source_resampler,
                                 .kernel = "resample",
                                 .prelude = "",
                                 .args = &args,
                                 .args_size = sizeof args,
                                 .items = {(size_t)points, 1, 1}};
    return lite_cl_launch_buffers(plan, node, &launch, false);
}

const LiteClOp lite_cl_op_Resampler = {
    .min_inputs = 2, .max_inputs = 2, .infer = resampler_infer, .lower = resampler_lower};
