// SPDX-License-Identifier: Apache-2.0
#include <float.h>
#include <math.h>

#include "core/semantics/quant.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "delegate-opencl/ops/common/window.h"
#include "kernels-cl/args/pool.h"

static bool windows(const LiteClNode* node, LiteAxisPadding* h, LiteAxisPadding* w, LiteClReason* reason) {
    const TfLitePoolParams* params = node->params;
    const int32_t* in = node->inputs[0]->shape.dims;
    return lite_cl_window(params->padding, in[1], params->filter_height, params->stride_height, 1, h,
                          reason) &&
           lite_cl_window(params->padding, in[2], params->filter_width, params->stride_width, 1, w, reason);
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLitePoolParams* params = node->params;
    const LiteShape* input = &node->inputs[0]->shape;
    if (input->rank != 4) return lite_cl_refuse(reason, "input has %d dimensions, not 4", input->rank);
    float low, high;
    LiteAxisPadding h, w;
    if (!lite_cl_activation(params->activation, &low, &high, reason)) return false;
    if (!windows(node, &h, &w, reason)) return false;
    if (!lite_cl_is_float(node->inputs[0]->type) && params->activation != kTfLiteActNone &&
        !lite_cl_check_quantized(node->outputs[0], reason)) {
        return false;
    }
    *output = (LiteShape){4, {input->dims[0], h.out, w.out, input->dims[3]}};
    return true;
}

typedef enum Pool { kAverage, kMax, kL2 } Pool;

// Means of integers are rounded to nearest, halves away from 0.
static void define_pool(const LiteClNode* node, bool integer, LiteClPrelude* prelude) {
    const Pool pool = (Pool)node->op->variant;
    lite_cl_define(prelude, "START %s", pool != kMax ? "0" : integer ? "LOW" : "-FLT_MAX");
    lite_cl_define(prelude, "JOIN(acc, v) (%s)",
                   pool == kMax  ? "(acc) < (v) ? (v) : (acc)"
                   : pool == kL2 ? "(acc) + (v) * (v)"
                                 : "(acc) + (v)");
    lite_cl_define(prelude, "FINISH(acc, n) (%s)",
                   pool == kMax  ? "acc"
                   : pool == kL2 ? "sqrt((acc) / (n))"
                   : integer     ? "((acc) > 0 ? (acc) + (n) / 2 : (acc) - (n) / 2) / (n)"
                                 : "(acc) / (n)");
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLitePoolParams* params = node->params;
    const int32_t* in = node->inputs[0]->shape.dims;
    const int32_t* out = node->outputs[0]->shape.dims;
    LiteClReason reason;
    LiteAxisPadding h, w;
    if (!windows(node, &h, &w, &reason))
        return lite_report(plan->reporter, "%s: %s", node->name, reason.text);
    LiteClPoolArgs args = {
        .pixels = out[0] * out[1] * out[2],
        .out_h = out[1],
        .out_w = out[2],
        .in_h = in[1],
        .in_w = in[2],
        .channels = in[3],
        .filter_h = params->filter_height,
        .filter_w = params->filter_width,
        .stride_h = params->stride_height,
        .stride_w = params->stride_width,
        .pad_top = h.before,
        .pad_left = w.before,
    };
    lite_activation_range_f32(params->activation, &args.low, &args.high);
    // The reference kernels clamp to finite values even without an activation.
    args.low = fmaxf(args.low, -FLT_MAX);
    args.high = fminf(args.high, FLT_MAX);
    const LiteClTensor* output = node->outputs[0];
    const bool integer = !lite_cl_is_float(output->type);
    (void)lite_activation_range_quantized(params->activation, output->type, output->scale, output->zero_point,
                                          &args.int_low, &args.int_high);
    const int most = lite_cl_vector(plan->device->class, in[3]);
    const bool maxima =
        node->op->variant == kMax && lite_cl_is_byte(output->type) && most > LITE_CL_MOST_OF_GPUS;
    const int vector = integer && !maxima ? 1 : most;
    LiteClPrelude prelude = {0};
    if (maxima) lite_cl_define(&prelude, "BYTE_MAXIMA");
    lite_cl_define(&prelude, "VW %d", vector);
    if (integer) {
        lite_cl_define(&prelude, "INTEGER");
        lite_cl_define_type(&prelude, "", output->type);
    } else {
        lite_cl_define_vectors(&prelude, output->type);
    }
    define_pool(node, integer, &prelude);
    const LiteClLaunch launch = {
        .family = &lite_cl_source_pool,
        .kernel = "pool",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .items = {lite_cl_vector_items(plan->device, in[3], vector), (size_t)args.pixels, 1},
    };
    return lite_cl_launch_unary(plan, node, &launch);
}

#define POOL_OP(NAME, kind, element_types)                                                                   \
    const LiteClOp lite_cl_op_##NAME = {.rounds = kLiteClRoundsPlane,                                        \
                                        .params_size = LITE_CL_PARAMS_UP_TO(TfLitePoolParams, activation),   \
                                        .min_inputs = 1,                                                     \
                                        .max_inputs = 1,                                                     \
                                        .types = (element_types),                                            \
                                        .float16 = true,                                                     \
                                        .variant = (kind),                                                   \
                                        .infer = infer,                                                      \
                                        .lower = lower};

#define POOL_TYPES (LITE_TYPE(Float32) | LITE_TYPES_BYTE | LITE_TYPE(Int16))
POOL_OP(AVERAGE_POOL_2D, kAverage, POOL_TYPES)
POOL_OP(L2_POOL_2D, kL2, LITE_TYPE(Float32))
POOL_OP(MAX_POOL_2D, kMax, POOL_TYPES)
