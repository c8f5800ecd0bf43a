// SPDX-License-Identifier: Apache-2.0
// Operators that go along one axis, row by row.
#include "delegate-opencl/ops/ops.h"

static TfLiteStatus launch_rows(LiteClPlan* plan, const LiteClNode* node, const char* kernel,
                                const LiteClPrelude* prelude, const LiteClAxisArgs* args) {
    const LiteClLaunch launch = {
        .family = "axis",
        .kernel = kernel,
        .prelude = prelude->text,
        .args = args,
        .args_size = sizeof *args,
        .items = {(size_t)args->outer * (size_t)args->inner, 1, 1},
    };
    return lite_cl_launch_unary(plan, node, &launch);
}

static LiteClAxisArgs args_of(const LiteShape* shape, int axis) {
    const LiteClAxis a = lite_cl_axis(shape, axis);
    return (LiteClAxisArgs){.outer = a.outer, .length = a.length, .inner = a.inner};
}

static bool arg_check(const LiteClNode* node, LiteClReason* reason) {
    const TfLiteArgMaxParams* params = node->params; // those of ARG_MIN are the same
    return lite_cl_is_output_type(node, params->output_type, reason);
}

static bool arg_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    int axis;
    if (!lite_cl_constant_axis(node, 1, input->rank, &axis, reason)) return false;
    if (input->dims[axis] == 0) return lite_cl_refuse(reason, "axis %d is empty", axis);
    for (int d = 0; d < input->rank; d++) {
        if (d != axis) output->dims[output->rank++] = input->dims[d];
    }
    return true;
}

static TfLiteStatus arg_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClReason reason;
    int axis = 0;
    (void)lite_cl_constant_axis(node, 1, node->inputs[0]->shape.rank, &axis,
                                &reason); // infer has agreed to it
    const LiteClAxisArgs args = args_of(&node->inputs[0]->shape, axis);
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", node->inputs[0]->type);
    lite_cl_define_type(&prelude, "OUT_", node->outputs[0]->type);
    lite_cl_define(&prelude, "FOR_ARG");
    lite_cl_define(&prelude, "BETTER(a, b) ((a) %s (b))", node->op->definitions);
    return launch_rows(plan, node, "arg", &prelude, &args);
}

#define ARG_OP(NAME, comparison)                                                                             \
    const LiteClOp lite_cl_op_##NAME = {.params_size = sizeof(TfLiteArgMaxParams),                           \
                                        .min_inputs = 2,                                                     \
                                        .max_inputs = 2,                                                     \
                                        .inputs = "TP",                                                      \
                                        .outputs = "I",                                                      \
                                        .types = LITE_CL_TYPE(Float32) | LITE_CL_BYTES |                     \
                                                 LITE_CL_TYPE(Int32) | LITE_CL_TYPE(Bool),                   \
                                        .check = arg_check,                                                  \
                                        .definitions = (comparison),                                         \
                                        .infer = arg_infer,                                                  \
                                        .lower = arg_lower};
ARG_OP(ARG_MAX, ">")
ARG_OP(ARG_MIN, "<")

static bool cumsum_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    int axis;
    *output = node->inputs[0]->shape;
    return lite_cl_constant_axis(node, 1, output->rank, &axis, reason);
}

static TfLiteStatus cumsum_lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteCumsumParams* params = node->params;
    LiteClReason reason;
    int axis = 0;
    (void)lite_cl_constant_axis(node, 1, node->inputs[0]->shape.rank, &axis,
                                &reason); // infer has agreed to it
    LiteClAxisArgs args = args_of(&node->inputs[0]->shape, axis);
    args.exclusive = params->exclusive ? 1 : 0;
    args.reverse = params->reverse ? 1 : 0;
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", node->inputs[0]->type);
    lite_cl_define(&prelude, "FOR_CUMSUM");
    const bool real = node->inputs[0]->type == kTfLiteFloat32;
    lite_cl_define(&prelude, real ? "SUM(a, b) ((a) + (b))" : "SUM(a, b) (VALUE)((U)(a) + (U)(b))");
    return launch_rows(plan, node, "cumsum", &prelude, &args);
}

const LiteClOp lite_cl_op_CUMSUM = {.params_size = sizeof(TfLiteCumsumParams),
                                    .min_inputs = 2,
                                    .max_inputs = 2,
                                    .inputs = "Tp",
                                    .types =
                                        LITE_CL_TYPE(Float32) | LITE_CL_TYPE(Int32) | LITE_CL_TYPE(Int64),
                                    .infer = cumsum_infer,
                                    .lower = cumsum_lower};

static TfLiteStatus lower_last(LiteClPlan* plan, const LiteClNode* node, const char* kernel,
                               const LiteClAxisArgs* args) {
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", node->inputs[0]->type);
    lite_cl_define(&prelude, "FOR_REAL");
    return launch_rows(plan, node, kernel, &prelude, args);
}

static bool l2_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteL2NormParams* params = node->params;
    const LiteClTensor *in = node->inputs[0], *out = node->outputs[0];
    *output = in->shape;
    if (params != NULL && params->activation != kTfLiteActNone)
        return lite_cl_refuse(reason, "fused activation %d", (int)params->activation);
    if (output->rank < 1) return lite_cl_refuse(reason, "the input is a scalar");
    if (lite_cl_is_float(in->type)) return true;
    if (!lite_cl_check_quantized(in, reason)) return false;
    return (out->scale == 1.0f / 128.0f && out->zero_point == (in->type == kTfLiteUInt8 ? 128 : 0)) ||
           lite_cl_refuse(reason, "the output's scale is %g, not 1/128", (double)out->scale);
}

static TfLiteStatus l2_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClTensor* in = node->inputs[0];
    LiteClAxisArgs args = args_of(&in->shape, in->shape.rank - 1);
    if (lite_cl_is_float(in->type)) return lower_last(plan, node, "l2_normalization", &args);
    args.zero_x = in->zero_point;
    args.zero_y = node->outputs[0]->zero_point;
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", in->type);
    lite_cl_define(&prelude, "FOR_BYTES");
    lite_cl_define(&prelude, "QUANTIZED");
    lite_cl_define(&prelude, "NUMBERS");
    lite_cl_define(&prelude, "BEFORE %d", in->type == kTfLiteUInt8 ? 128 : 1);
    lite_cl_define(&prelude, "AFTER %d", in->type == kTfLiteUInt8 ? 0 : 7);
    return launch_rows(plan, node, "l2_normalization", &prelude, &args);
}

const LiteClOp lite_cl_op_L2_NORMALIZATION = {.params_size = sizeof(TfLiteL2NormParams),
                                              .optional_params = true,
                                              .min_inputs = 1,
                                              .max_inputs = 1,
                                              .types = LITE_CL_TYPE(Float32) | LITE_CL_BYTES,
                                              .half = true,
                                              .infer = l2_infer,
                                              .lower = l2_lower};

static bool lrn_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteLocalResponseNormParams* params = node->params;
    *output = node->inputs[0]->shape;
    if (params->radius < -INT32_MAX / 4 || params->radius > INT32_MAX / 4)
        return lite_cl_refuse(reason, "radius %d", params->radius);
    return output->rank == 4 || lite_cl_refuse(reason, "input has %d dimensions, not 4", output->rank);
}

static TfLiteStatus lrn_lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteLocalResponseNormParams* params = node->params;
    LiteClAxisArgs args = args_of(&node->inputs[0]->shape, 3);
    args.radius = params->radius;
    args.bias = params->bias;
    args.alpha = params->alpha;
    args.beta = params->beta;
    return lower_last(plan, node, "local_response_normalization", &args);
}

const LiteClOp lite_cl_op_LOCAL_RESPONSE_NORMALIZATION = {.params_size =
                                                              sizeof(TfLiteLocalResponseNormParams),
                                                          .min_inputs = 1,
                                                          .max_inputs = 1,
                                                          .half = true,
                                                          .infer = lrn_infer,
                                                          .lower = lrn_lower};

// TOPK_V2 has two outputs: values and where they were.
static bool topk_infer(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason) {
    const LiteShape* input = &node->inputs[0]->shape;
    LiteClInts k;
    if (node->output_count != 2) return lite_cl_refuse(reason, "%d outputs", node->output_count);
    if (!lite_cl_constant_ints(node, 1, &k, reason)) return false;
    if (k.count != 1 || input->rank < 1 || k.values[0] < 0 || k.values[0] > input->dims[input->rank - 1])
        return lite_cl_refuse(reason, "k is not a number of elements");
    outputs[0] = *input;
    outputs[0].dims[input->rank - 1] = (int32_t)k.values[0];
    outputs[1] = outputs[0];
    return true;
}

static TfLiteStatus topk_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteShape* shape = &node->inputs[0]->shape;
    LiteClAxisArgs args = args_of(shape, shape->rank - 1);
    args.k = node->outputs[0]->shape.dims[shape->rank - 1];
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", node->inputs[0]->type);
    lite_cl_define_type(&prelude, "I_", node->outputs[1]->type);
    lite_cl_define(&prelude, "FOR_TOPK");
    const LiteClLaunch launch = {
        .family = "axis",
        .kernel = "topk",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 3,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[0]), lite_cl_plan_tensor(plan, node->outputs[0]),
                    lite_cl_plan_tensor(plan, node->outputs[1])},
        .items = {args.k > 0 ? (size_t)args.outer : 0, 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

const LiteClOp lite_cl_op_TOPK_V2 = {.min_inputs = 2,
                                     .max_inputs = 2,
                                     .max_outputs = 2,
                                     .inputs = "TS",
                                     .outputs = "Ts",
                                     .types = LITE_CL_TYPE(Float32) | LITE_CL_INTS,
                                     .infer = topk_infer,
                                     .lower = topk_lower};
