// SPDX-License-Identifier: Apache-2.0
// Operators of two tensors that are one formula of core/elementwise.def, with broadcasting.
#include "delegate-opencl/ops/ops.h"

static const struct {
    const char* name;
    const char* result;
} formulas[] = {
#define BINARY(NAME, REAL, INTEGER) {#NAME, #REAL},
#define DIVISION(NAME, REAL, INTEGER) {#NAME, #REAL},
#define REAL_BINARY(NAME, REAL) {#NAME, #REAL},
#include "core/elementwise.def"
};
enum { FORMULA_COUNT = sizeof formulas / sizeof formulas[0] };

static const char* find_formula(const char* name) {
    for (int i = 0; i < FORMULA_COUNT; i++) {
        if (strcmp(formulas[i].name, name) == 0) return formulas[i].result;
    }
    return NULL;
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    float low, high;
    // The parameters of all four operators that have some begin with the activation.
    if (node->params != NULL &&
        !lite_cl_activation(*(const TfLiteFusedActivation*)node->params, &low, &high, reason)) {
        return false;
    }
    if (!lite_shape_broadcast(&node->inputs[0]->shape, &node->inputs[1]->shape, output)) {
        return lite_cl_refuse(reason, "the inputs' shapes do not broadcast");
    }
    return true;
}

// Dimension d, counted from the end, of a shape that is padded with ones in front.
static int dim_from_end(const LiteShape* shape, int d) {
    return d < shape->rank ? shape->dims[shape->rank - 1 - d] : 1;
}

// One dimension of the output with the inputs' strides, 0 where they broadcast.
typedef struct Axis {
    int size;
    int a_stride;
    int b_stride;
} Axis;

// The output's dimensions, innermost first, those that can be walked as one merged.
static int merge_axes(const LiteShape* a, const LiteShape* b, const LiteShape* out,
                      Axis axes[LITE_MAX_RANK]) {
    int count = 0, a_stride = 1, b_stride = 1;
    for (int d = 0; d < out->rank; d++) {
        const int size = dim_from_end(out, d), a_size = dim_from_end(a, d), b_size = dim_from_end(b, d);
        const Axis axis = {size, a_size == 1 ? 0 : a_stride, b_size == 1 ? 0 : b_stride};
        a_stride *= a_size;
        b_stride *= b_size;
        if (size == 1) continue;
        Axis* inner = count > 0 ? &axes[count - 1] : NULL;
        if (inner != NULL && axis.a_stride == inner->a_stride * inner->size &&
            axis.b_stride == inner->b_stride * inner->size) {
            inner->size *= size;
        } else {
            axes[count++] = axis;
        }
    }
    return count;
}

static void fill_args(const LiteClNode* node, LiteClBinaryArgs* args) {
    Axis axes[LITE_MAX_RANK];
    const LiteShape* out = &node->outputs[0]->shape;
    const int count = merge_axes(&node->inputs[0]->shape, &node->inputs[1]->shape, out, axes);
    args->rank = count > 1 ? count - 1 : 0;
    args->width = count > 0 ? axes[0].size : 1;
    args->a_step = count > 0 ? axes[0].a_stride : 0;
    args->b_step = count > 0 ? axes[0].b_stride : 0;
    args->rows = 1;
    for (int d = 0; d < args->rank; d++) {
        const Axis* axis = &axes[args->rank - d];
        args->dims[d] = axis->size;
        args->a_strides[d] = axis->a_stride;
        args->b_strides[d] = axis->b_stride;
        args->rows *= axis->size;
    }
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    char prelude[LITE_CL_PRELUDE];
    snprintf(prelude, sizeof prelude, "#define RESULT(a, b) (%s)\n", find_formula(node->name));
    LiteClBinaryArgs args = {.chunk = lite_cl_tune(plan->device->class)->chunk};
    fill_args(node, &args);
    lite_activation_range_f32(node->params != NULL ? *(const TfLiteFusedActivation*)node->params
                                                   : kTfLiteActNone,
                              &args.low, &args.high);
    const LiteClLaunch launch = {
        .family = "binary",
        .kernel = "binary",
        .prelude = prelude,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 3,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[0]), lite_cl_plan_tensor(plan, node->inputs[1]),
                    lite_cl_plan_tensor(plan, node->outputs[0])},
        .items = {lite_cl_chunks(args.width, args.chunk), (size_t)args.rows, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

// The slope of a negative element; broadcasts towards the input only.
static bool infer_prelu(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    if (!infer(node, output, reason)) return false;
    if (!lite_shape_equal(output, &node->inputs[0]->shape)) {
        return lite_cl_refuse(reason, "the slopes do not broadcast to the input's shape");
    }
    return true;
}

#define FORMULA_OP(NAME, parameters, inference)                                                              \
    const LiteClOp lite_cl_op_##NAME = {.params_size = (parameters),                                         \
                                        .min_inputs = 2,                                                     \
                                        .max_inputs = 2,                                                     \
                                        .float_inputs = 2,                                                   \
                                        .infer = (inference),                                                \
                                        .lower = lower};

// FLOOR_DIV and FLOOR_MOD are not here: the reference checks their divisors for zero, which only the host
// can.
FORMULA_OP(ADD, LITE_CL_PARAMS_UP_TO(TfLiteAddParams, activation), infer)
FORMULA_OP(SUB, LITE_CL_PARAMS_UP_TO(TfLiteSubParams, activation), infer)
FORMULA_OP(MUL, LITE_CL_PARAMS_UP_TO(TfLiteMulParams, activation), infer)
FORMULA_OP(DIV, LITE_CL_PARAMS_UP_TO(TfLiteDivParams, activation), infer)
FORMULA_OP(MAXIMUM, 0, infer)
FORMULA_OP(MINIMUM, 0, infer)
FORMULA_OP(POW, 0, infer)
FORMULA_OP(PRELU, 0, infer_prelu)
FORMULA_OP(SQUARED_DIFFERENCE, 0, infer)
