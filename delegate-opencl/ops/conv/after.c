// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/conv/after.h"

#include <string.h>

#include "delegate-opencl/ops/common/tensor.h"

static bool is_plain(const LiteClNode* mul) {
    const TfLiteMulParams* params = mul->params;
    return params == NULL || params->activation == kTfLiteActNone;
}

bool lite_cl_find_after(const LiteClNode* node, const LiteClNode* next, LiteClAfter* after) {
    const LiteClTensor* output = node->outputs[0];
    if (node->inputs[0]->type != kTfLiteFloat32 || output->type != kTfLiteFloat32) return false;
    *after = (LiteClAfter){.hard_swish = strcmp(next->name, "HARD_SWISH") == 0, .factor = 1.0f};
    if (after->hard_swish) return true;
    if (strcmp(next->name, "MUL") != 0 || !is_plain(next)) return false;
    const LiteClTensor* factor = next->inputs[next->inputs[0] == output];
    if (factor == output || factor->data == NULL || lite_shape_elements(&factor->shape) != 1 ||
        !lite_shape_equal(&next->outputs[0]->shape, &output->shape))
        return false;
    after->factor = lite_cl_constant_float(factor, 0);
    return true;
}
