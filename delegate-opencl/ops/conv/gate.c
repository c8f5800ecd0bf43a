// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/conv/gate.h"

#include "delegate-opencl/ops/conv/gemm.h"
#include "delegate-opencl/ops/conv/pointwise.h"
#include "delegate-opencl/ops/conv/tail.h"

// Is `gate` a row of the channels for each image of x?
static bool is_gate(const LiteClTensor* x, const LiteClTensor* gate) {
    const LiteShape* shape = &x->shape;
    if (shape->rank != 4 || x->type != kTfLiteFloat32 || gate->type != kTfLiteFloat32) return false;
    const LiteShape rows = {4, {shape->dims[0], 1, 1, shape->dims[3]}};
    return lite_shape_equal(&gate->shape, &rows);
}

// Which input of the MUL is the gate of the other one; -1: neither.
static int find_gate(const LiteClNode* mul) {
    for (int i = 1; i >= 0; i--) {
        const LiteClTensor *x = mul->inputs[1 - i], *gate = mul->inputs[i];
        if (is_gate(x, gate) && lite_shape_equal(&x->shape, &mul->outputs[0]->shape)) return i;
    }
    return -1;
}

// The followers behind the first one.
static LiteClFollowers behind_first(const LiteClFollowers* followers) {
    LiteClFollowers rest = {.count = followers->count - 1};
    for (int i = 0; i < rest.count; i++) {
        rest.nodes[i] = followers->nodes[i + 1];
        rest.places[i] = followers->places[i + 1];
        rest.closed[i] = followers->closed[i + 1];
    }
    return rest;
}

static bool suits(const LiteClPlan* plan, const LiteClNode* mul) {
    const TfLiteMulParams* params = mul->params;
    return plan->device->class != kLiteClGpu && !lite_cl_device_has_local_tiles(plan->device) &&
           plan->gemm_by != kLiteClGemmByClblast && (params == NULL || params->activation == kTfLiteActNone);
}

TfLiteStatus lite_cl_join_gated(LiteClPlan* plan, const LiteClNode* mul, const LiteClFollowers* followers,
                                int* joined) {
    if (followers->count == 0 || !followers->closed[0] || !suits(plan, mul)) return kTfLiteOk;
    const LiteClNode* conv = followers->nodes[0];
    const int i = find_gate(mul);
    LiteClGemm gemm;
    if (i < 0 || conv->inputs[0] != mul->outputs[0] || !lite_cl_as_product(conv, &gemm)) return kTfLiteOk;
    const int32_t* dims = mul->outputs[0]->shape.dims;
    if (gemm.args.group_in != dims[3]) return kTfLiteOk; // a FULLY_CONNECTED of several pixels
    gemm.args = lite_cl_gemm_matmul_args(dims[1] * dims[2], dims[3], gemm.args.group_out);
    gemm.args.images = dims[0];
    gemm.gate = mul->inputs[i];
    gemm.gated = mul->inputs[1 - i];
    const LiteClFollowers rest = behind_first(followers);
    int behind = 0;
    LITE_TRY(lite_cl_gemm_join(plan, conv, &gemm, &rest, &behind));
    *joined = 1 + behind;
    return behind > 0 ? kTfLiteOk : lite_cl_gemm_launch(plan, &gemm, gemm.gated, conv->outputs[0]);
}
