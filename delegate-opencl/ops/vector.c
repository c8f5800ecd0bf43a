// SPDX-License-Identifier: Apache-2.0
// RANGE, BROADCAST_ARGS, BUCKETIZE, and the parts of complex numbers.
#include <math.h>

#include "delegate-opencl/ops/move.h"

static LiteClPrelude prelude_for(const LiteClNode* node, const char* name) {
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", node->inputs[0]->type);
    lite_cl_define(&prelude, "FOR_%s", name);
    return prelude;
}

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

static bool range_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
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

static TfLiteStatus range_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClVectorArgs args = {.count = node->outputs[0]->shape.dims[0]};
    LiteClPrelude prelude = prelude_for(node, "RANGE");
    const bool real = lite_cl_element_type(node) == kTfLiteFloat32;
    lite_cl_define(&prelude, real ? "SUM(a, b) ((a) + (b))" : "SUM(a, b) (VALUE)((U)(a) + (U)(b))");
    const LiteClLaunch launch = {.family = "vector",
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
                                   .types = LITE_CL_TYPE(Float32) | LITE_CL_TYPE(Int32) | LITE_CL_TYPE(Int64),
                                   .infer = range_infer,
                                   .lower = range_lower};

static bool broadcast_args_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const LiteShape *a = &node->inputs[0]->shape, *b = &node->inputs[1]->shape;
    if (a->rank != 1 || b->rank != 1) return lite_cl_refuse(reason, "%d and %d dimensions", a->rank, b->rank);
    *output = a->dims[0] > b->dims[0] ? *a : *b;
    return true;
}

static TfLiteStatus broadcast_args_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClVectorArgs args = {.count = node->outputs[0]->shape.dims[0],
                                   .a_count = node->inputs[0]->shape.dims[0],
                                   .b_count = node->inputs[1]->shape.dims[0],
                                   .node = node->index + 1};
    const LiteClPrelude prelude = prelude_for(node, "BROADCAST_ARGS");
    const LiteClLaunch launch = {.family = "vector",
                                 .kernel = "broadcast_args",
                                 .prelude = prelude.text,
                                 .args = &args,
                                 .args_size = sizeof args,
                                 .items = {(size_t)args.count, 1, 1}};
    return lite_cl_launch_buffers(plan, node, &launch, true);
}

const LiteClOp lite_cl_op_BROADCAST_ARGS = {.min_inputs = 2,
                                            .max_inputs = 2,
                                            .types = LITE_CL_TYPE(Int32) | LITE_CL_TYPE(Int64),
                                            .infer = broadcast_args_infer,
                                            .lower = broadcast_args_lower};

static bool bucketize_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteBucketizeParams* params = node->params;
    for (int i = 1; i < params->num_boundaries; i++) {
        if (!(params->boundaries[i - 1] <= params->boundaries[i]))
            return lite_cl_refuse(reason, "boundary %d is under the one before", i);
    }
    *output = node->inputs[0]->shape;
    return true;
}

static void copy_boundaries(const void* state, float* packed) {
    const TfLiteBucketizeParams* params = state;
    memcpy(packed, params->boundaries, (size_t)params->num_boundaries * sizeof *packed);
}

static TfLiteStatus bucketize_lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteBucketizeParams* params = node->params;
    const int boundaries = params->num_boundaries > 0 ? params->num_boundaries : 0;
    const LiteClBucketizeArgs args = {.count = (int)lite_shape_elements(&node->inputs[0]->shape),
                                      .boundaries = boundaries,
                                      .chunk = lite_cl_tune(plan->device->class)->chunk};
    const LiteClPrelude prelude = prelude_for(node, "BUCKETIZE");
    const LiteClLaunch launch = {
        .family = "vector",
        .kernel = "bucketize",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 3,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[0]),
                    lite_cl_plan_constant(plan, node, 0, (size_t)boundaries * sizeof(float), copy_boundaries,
                                          params),
                    lite_cl_plan_tensor(plan, node->outputs[0])},
        .items = {lite_cl_chunks(args.count, args.chunk), 1, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

const LiteClOp lite_cl_op_BUCKETIZE = {.params_size = sizeof(TfLiteBucketizeParams),
                                       .min_inputs = 1,
                                       .max_inputs = 1,
                                       .outputs = "i",
                                       .types =
                                           LITE_CL_TYPE(Float32) | LITE_CL_TYPE(Int32) | LITE_CL_TYPE(Int64),
                                       .infer = bucketize_infer,
                                       .lower = bucketize_lower};

static bool complex_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteType part = lite_cl_element_type(node) == kTfLiteComplex64 ? kTfLiteFloat32 : kTfLiteFloat64;
    *output = node->inputs[0]->shape;
    return node->outputs[0]->type == part || lite_cl_refuse(reason, "the output is no part of the input");
}

// `variant` is the part's place in the number.
static TfLiteStatus part_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteMove move = {0};
    lite_move_add(&move, lite_shape_elements(&node->outputs[0]->shape), 2, 1);
    return lite_cl_move_tensor(plan, &move, node->inputs[0], node->op->variant, node->outputs[0], 0);
}

static TfLiteStatus abs_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClElementwiseArgs args = {.count = (int)lite_shape_elements(&node->outputs[0]->shape),
                                        .chunk = lite_cl_tune(plan->device->class)->chunk};
    const LiteClLaunch launch = {.family = "vector",
                                 .kernel = "complex_abs",
                                 .prelude = "#define FOR_COMPLEX\n",
                                 .args = &args,
                                 .args_size = sizeof args,
                                 .items = {lite_cl_chunks(args.count, args.chunk), 1, 1}};
    return lite_cl_launch_unary(plan, node, &launch);
}

#define COMPLEX_OP(NAME, part, element_types, lowering)                                                      \
    const LiteClOp lite_cl_op_##NAME = {.min_inputs = 1,                                                     \
                                        .max_inputs = 1,                                                     \
                                        .outputs = ".",                                                      \
                                        .types = (element_types),                                            \
                                        .variant = (part),                                                   \
                                        .infer = complex_infer,                                              \
                                        .lower = (lowering)};
COMPLEX_OP(REAL, 0, LITE_CL_TYPE(Complex64) | LITE_CL_TYPE(Complex128), part_lower)
COMPLEX_OP(IMAG, 1, LITE_CL_TYPE(Complex64) | LITE_CL_TYPE(Complex128), part_lower)
COMPLEX_OP(COMPLEX_ABS, 0, LITE_CL_TYPE(Complex64), abs_lower)
