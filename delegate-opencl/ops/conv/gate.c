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

// Each tile of columns multiplies by the gate again, which in a launch of its own takes as long as that many
// columns, and as so many products in all for the launch. Measured on PoCL (AVX2, two cores, microseconds,
// gated and apart): 112 x 112 x 32 to 16 184 and 215, 28 x 28 x 240 to 40 196 and 200, 14 x 14 x 240 to 80
// 89 and 83, 14 x 14 x 672 to 112 343 and 294, 7 x 7 x 576 to 96 77 and 70, 7 x 7 x 1152 to 320 515 and 390.
static bool pays(const LiteClPlan* plan, const LiteShape* gated, int columns) {
    enum { VECTORS = 6, LAUNCH = 768 * 1024 };
    const int64_t elements = lite_shape_elements(gated);
    const int64_t beyond = columns - VECTORS * (int64_t)lite_cl_tune(plan->device->class)->vector;
    return beyond <= 0 || elements <= LAUNCH / beyond;
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
    if (!pays(plan, &mul->outputs[0]->shape, gemm.args.group_out)) return kTfLiteOk;
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
