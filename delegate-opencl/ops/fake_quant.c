// SPDX-License-Identifier: Apache-2.0
// FAKE_QUANT: floats as a quantized type would hold them.
#include <math.h>

#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/convert.h"
#include "kernels-cl/args/cast.h"

// The range, moved so that 0 is one of its steps.
static bool find_range(const LiteClNode* node, LiteClCastArgs* args, LiteClReason* reason) {
    const TfLiteFakeQuantParams* params = node->params;
    if (params->num_bits < 2 || params->num_bits > 16)
        return lite_cl_refuse(reason, "%d bits", params->num_bits);
    if (params->narrow_range) return lite_cl_refuse(reason, "a narrow range");
    if (!(params->max > params->min) || !isfinite(params->max - params->min))
        return lite_cl_refuse(reason, "range from %g to %g", (double)params->min, (double)params->max);
    const float last = (float)((1 << params->num_bits) - 1);
    args->scale = (params->max - params->min) / last;
    const float exact_zero = 0.0f - params->min / args->scale;
    const float zero = exact_zero < 0.0f ? 0.0f : exact_zero > last ? last : roundf(exact_zero);
    args->real_low = (0.0f - zero) * args->scale;
    args->real_high = (last - zero) * args->scale;
    args->inverse_scale = 1.0f / args->scale;
    return true;
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    LiteClCastArgs args = {0};
    *output = node->inputs[0]->shape;
    return find_range(node, &args, reason);
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClCastArgs args = {0};
    lite_cl_agreed(find_range(node, &args, &(LiteClReason){0}));
    return lite_cl_convert(plan, node, "FAKE_QUANTIZED", NULL, &args);
}

const LiteClOp lite_cl_op_FAKE_QUANT = {.params_size = sizeof(TfLiteFakeQuantParams),
                                        .min_inputs = 1,
                                        .max_inputs = 1,
                                        .infer = infer,
                                        .lower = lower};
