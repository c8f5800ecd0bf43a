// SPDX-License-Identifier: Apache-2.0
// Operators of two tensors that are one formula of core/elementwise.def, with broadcasting.
#include <float.h>
#include <math.h>

#include "delegate-opencl/ops/ops.h"

typedef struct Formula {
    const char* name;
    const char* real;
    const char* integer; // NULL: none
    bool signed_only;
} Formula;

static const Formula formulas[] = {
#define BINARY(NAME, REAL, INTEGER) {#NAME, #REAL, #INTEGER, false},
#define DIVISION(NAME, REAL, INTEGER) {#NAME, #REAL, #INTEGER, true},
#define REAL_BINARY(NAME, REAL) {#NAME, #REAL, NULL, false},
#define COMPARE(NAME, RESULT) {#NAME, #RESULT, #RESULT, false},
#include "core/elementwise.def"
    {"LOGICAL_AND", NULL, "a != 0 && b != 0", false},
    {"LOGICAL_OR", NULL, "a != 0 || b != 0", false},
    {"STABLEHLO_AND", NULL, "a & b", false},
    {"BITWISE_XOR", NULL, "a ^ b", false},
    // At most all bits but one, at least none.
    {"RIGHT_SHIFT", NULL, "b < 0 ? a : (T)(a >> min((int)b, (int)(sizeof(T) * 8 - 1)))", false},
    {"RIGHT_SHIFT_UNSIGNED", NULL, "(T)(a >> min((uint)b, (uint)(sizeof(T) * 8 - 1)))", false},
    {"STABLEHLO_SHIFT_LEFT", NULL, "(T)((U)a << ((int)b & 31))", false},
};
enum { FORMULA_COUNT = sizeof formulas / sizeof formulas[0] };

// What the family's operators have beside a formula.
typedef enum Variant {
    kActivation = 1,   // the parameters begin with the fused activation
    kCompare = 2,      // the output is a truth value
    kQuantized = 4,    // bytes are numbers with a scale
    kStablehlo = 8,    // no broadcasting; the formula has the name without the prefix
    kDivides = 16,     // a divisor of 0 is an error, of integers
    kDividesReal = 32, // … of real numbers too
    kPlain16 = 64,     // INT16 without a scale are integers
    kNarrows = 128,    // quantized INT16 may have an output of bytes
    kAsymmetric = 256, // quantized INT16 may have a zero point
    kSums = 512,       // results are about as large as the inputs
} Variant;

static const Formula* find_formula(const LiteClNode* node) {
    const char* name = strcmp(node->name, "STABLEHLO_MULTIPLY") == 0 ? "MUL" : node->name;
    const TfLiteType type = lite_cl_element_type(node);
    if (strcmp(name, "RIGHT_SHIFT") == 0 &&
        (type == kTfLiteUInt8 || type == kTfLiteUInt16 || type == kTfLiteUInt32)) {
        name = "RIGHT_SHIFT_UNSIGNED";
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < FORMULA_COUNT; i++) {
            if (strcmp(formulas[i].name, name) == 0) return &formulas[i];
        }
        name += strlen("STABLEHLO_");
    }
    return NULL;
}

static bool is_real(const LiteClNode* node) {
    return lite_cl_is_float(lite_cl_element_type(node));
}

// EQUAL and NOT_EQUAL take types that have no order.
static bool is_equality(const LiteClNode* node) {
    return strcmp(node->name, "EQUAL") == 0 || strcmp(node->name, "NOT_EQUAL") == 0;
}

static bool is_quantized(const LiteClNode* node) {
    if ((node->op->variant & kQuantized) == 0) return false;
    const TfLiteType type = lite_cl_element_type(node);
    if (lite_cl_is_byte(type)) return true;
    if (type != kTfLiteInt16) return false;
    if (node->outputs[0]->type != type && (node->op->variant & kNarrows) != 0) return true;
    if ((node->op->variant & kCompare) == 0)
        return (node->op->variant & kPlain16) == 0 || node->outputs[0]->affine != NULL;
    return node->inputs[0]->affine != NULL && is_equality(node);
}

static TfLiteFusedActivation activation_of(const LiteClNode* node) {
    const bool has = (node->op->variant & kActivation) != 0 && node->params != NULL;
    return has ? *(const TfLiteFusedActivation*)node->params : kTfLiteActNone;
}

// ADD and SUB of INT16 with scales that are powers of 2, where the model says so.
static bool pot_scales(const LiteClNode* node, int shifts[2]) {
    // The parameters of both begin in the same way.
    const TfLiteAddParams* params = node->params;
    const bool sums = strcmp(node->name, "ADD") == 0 || strcmp(node->name, "SUB") == 0;
    if (!sums || params == NULL || !params->pot_scale_int16 || node->outputs[0]->type != kTfLiteInt16)
        return false;
    const LiteClTensor* tensors[] = {node->outputs[0], node->inputs[0], node->inputs[1]};
    int logs[3];
    for (int i = 0; i < 3; i++) {
        const double exact = log2((double)tensors[i]->scale), rounded = round(exact);
        if (!(fabs(exact - rounded) < 1e-3)) return false;
        logs[i] = (int)rounded;
    }
    shifts[0] = logs[1] - logs[0];
    shifts[1] = logs[2] - logs[0];
    return true;
}

static bool check_quantized(const LiteClNode* node, LiteClReason* reason) {
    const bool compares = (node->op->variant & kCompare) != 0;
    const bool asymmetric = (node->op->variant & kAsymmetric) != 0;
    const LiteClTensor* tensors[] = {node->inputs[0], node->inputs[1], node->outputs[0]};
    for (int i = 0; i < (compares ? 2 : 3); i++) {
        if (!(asymmetric ? lite_cl_check_quantized(tensors[i], reason)
                         : lite_cl_check_symmetric(tensors[i], reason)))
            return false;
    }
    int shifts[2];
    if (!pot_scales(node, shifts)) return true;
    if (shifts[0] <= 0 && shifts[1] <= 0 && (shifts[0] == 0 || shifts[1] == 0)) return true;
    return lite_cl_refuse(reason, "scales of 2^%d and 2^%d times the output's", shifts[0], shifts[1]);
}

static bool check_output(const LiteClNode* node, LiteClReason* reason) {
    const TfLiteType in = lite_cl_element_type(node), out = node->outputs[0]->type;
    if ((node->op->variant & kNarrows) == 0 || in == out || (in == kTfLiteInt16 && lite_cl_is_byte(out)))
        return true;
    return lite_cl_refuse(reason, "output 0 is %s, not %s", TfLiteTypeGetName(out), TfLiteTypeGetName(in));
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteType type = lite_cl_element_type(node);
    const TfLiteFusedActivation activation = activation_of(node);
    float low, high;
    if (!lite_cl_activation(activation, &low, &high, reason)) return false;
    if (!lite_shape_broadcast(&node->inputs[0]->shape, &node->inputs[1]->shape, output)) {
        return lite_cl_refuse(reason, "the inputs' shapes do not broadcast");
    }
    if ((node->op->variant & kStablehlo) != 0 &&
        !lite_shape_equal(&node->inputs[0]->shape, &node->inputs[1]->shape)) {
        return lite_cl_refuse(reason, "the inputs differ in shape");
    }
    if (!check_output(node, reason)) return false;
    if (is_quantized(node)) return check_quantized(node, reason);
    const Formula* formula = find_formula(node);
    const bool ordered = (node->op->variant & kCompare) != 0 && !is_equality(node);
    if (ordered && type == kTfLiteBool) return lite_cl_refuse(reason, "truth values have no order");
    if ((is_real(node) ? formula->real : formula->integer) != NULL) return true;
    return lite_cl_refuse(reason, "no kernel for elements of type %s", TfLiteTypeGetName(type));
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

static LiteClMultiplier multiplier(double real) {
    const LiteMultiplier m = lite_quantize_multiplier(real);
    return lite_cl_multiplier(m);
}

// ADD, SUB and SQUARED_DIFFERENCE: both inputs to twice the larger scale, with left_shift more bits.
static void fill_sum(const LiteClNode* node, LiteClQuantized* q) {
    const LiteClTensor *a = node->inputs[0], *b = node->inputs[1], *out = node->outputs[0];
    const bool squares = strcmp(node->name, "SQUARED_DIFFERENCE") == 0;
    const double twice_max = 2.0 * (double)(a->scale > b->scale ? a->scale : b->scale);
    q->left_shift = squares ? 7 : out->type == kTfLiteInt16 ? 15 : 20;
    q->a = multiplier((double)a->scale / twice_max);
    q->b = multiplier((double)b->scale / twice_max);
    const double unit = squares ? twice_max * twice_max : twice_max;
    q->result = multiplier(unit / ((double)(1LL << q->left_shift * (squares ? 2 : 1)) * (double)out->scale));
}

// The scales as the reference combines them.
static void fill_quantized(const LiteClNode* node, LiteClBinaryArgs* args) {
    const LiteClTensor *a = node->inputs[0], *b = node->inputs[1], *out = node->outputs[0];
    LiteClQuantized* q = &args->q;
    q->zero_a = a->zero_point;
    q->zero_b = b->zero_point;
    if ((node->op->variant & kCompare) != 0) {
        q->left_shift = 8;
        q->a = multiplier((double)a->scale);
        q->b = multiplier((double)b->scale);
        return;
    }
    q->zero = out->zero_point;
    (void)lite_activation_range_quantized(activation_of(node), out->type, out->scale, out->zero_point,
                                          &args->int_low, &args->int_high);
    int shifts[2];
    if (strcmp(node->name, "MUL") == 0) {
        q->result = multiplier((double)(a->scale * b->scale / out->scale));
    } else if (strcmp(node->name, "DIV") == 0) {
        q->result = multiplier((double)(a->scale / (b->scale * out->scale)));
    } else if (strcmp(node->name, "PRELU") == 0) {
        q->a = multiplier((double)(a->scale / out->scale));
        q->b = multiplier((double)(a->scale * b->scale / out->scale));
    } else if (pot_scales(node, shifts)) {
        q->a.shift = shifts[0];
        q->b.shift = shifts[1];
    } else {
        fill_sum(node, q);
    }
}

static void fill_limits(const LiteClNode* node, LiteClBinaryArgs* args) {
    const TfLiteFusedActivation activation = activation_of(node);
    lite_cl_activation_limits(activation, &args->low, &args->high);
    args->int_low = activation == kTfLiteActNone ? INT32_MIN : activation == kTfLiteActReluN1To1 ? -1 : 0;
    args->int_high = activation == kTfLiteActRelu6 ? 6 : activation == kTfLiteActReluN1To1 ? 1 : INT32_MAX;
}

// QUANTIZED_… of kernels-cl/binary.cl.
static void define_quantized(const LiteClNode* node, LiteClPrelude* prelude) {
    int shifts[2];
    const char* form = node->outputs[0]->type != lite_cl_element_type(node) ? "_16"
                       : pot_scales(node, shifts)                           ? "_POT"
                                                                            : "";
    lite_cl_define(prelude, "QUANTIZED");
    if (form[0] != '\0' || strcmp(node->name, "DIV") == 0) lite_cl_define(prelude, "NUMBERS");
    lite_cl_define(prelude, "RESULT(a, b) QUANTIZED_%s%s(a, b)", node->name, form);
}

// Integers beyond int32 have a form of their own for a fused activation.
static void define_wide(TfLiteType type, TfLiteFusedActivation activation, LiteClPrelude* prelude) {
    const bool is_signed = type == kTfLiteInt64;
    lite_cl_define(prelude, "WIDE(v) %s",
                   activation == kTfLiteActRelu        ? "max(v, (VALUE)0)"
                   : activation == kTfLiteActRelu6     ? "clamp(v, (VALUE)0, (VALUE)6)"
                   : activation != kTfLiteActReluN1To1 ? "(v)"
                   : is_signed                         ? "clamp(v, (VALUE)-1, (VALUE)1)"
                                                       : "min(v, (VALUE)1)");
}

static void define_formula(const LiteClNode* node, LiteClPrelude* prelude) {
    const TfLiteType type = lite_cl_element_type(node);
    const Formula* formula = find_formula(node);
    const bool compares = (node->op->variant & kCompare) != 0, quantized = is_quantized(node);
    lite_cl_define_type(prelude, "", type);
    lite_cl_define_type(prelude, "OUT_", node->outputs[0]->type);
    if (compares || type == kTfLiteBool) lite_cl_define(prelude, "TRUTH");
    if (type == kTfLiteInt64 || type == kTfLiteUInt32 || type == kTfLiteUInt64)
        define_wide(type, activation_of(node), prelude);
    if (quantized && compares) {
        lite_cl_define(prelude, "QUANTIZED");
        lite_cl_define(prelude, "RESULT(a, b) COMPARED(a, b)");
        lite_cl_define(prelude, "COMPARISON(a, b) (%s)", formula->real);
    } else if (quantized) {
        define_quantized(node, prelude);
    } else {
        lite_cl_define(prelude, "RESULT(a, b) (%s)", is_real(node) ? formula->real : formula->integer);
    }
    if ((node->op->variant & (is_real(node) ? kDividesReal : kDivides)) != 0)
        lite_cl_define(prelude, "DIVISOR(b) (b)");
}

// Those of float32 that need nothing but their formula, see binary.cl.
static bool as_formula(const LiteClNode* node, LiteClFormula* formula) {
    const int other = kCompare | kStablehlo | kDividesReal;
    if (node->inputs[0]->type != kTfLiteFloat32 || (node->op->variant & other) != 0) return false;
    formula->parameters = "a, b";
    snprintf(formula->text, sizeof formula->text, "%s", find_formula(node)->real);
    formula->limited = activation_of(node) != kTfLiteActNone;
    lite_cl_activation_limits(activation_of(node), &formula->low, &formula->high);
    return strstr(formula->text, "F_STORED") == NULL;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClPrelude prelude = {0};
    define_formula(node, &prelude);
    LiteClBinaryArgs args = {.chunk = lite_cl_tune(plan->device->class)->chunk, .node = node->index + 1};
    fill_args(node, &args);
    fill_limits(node, &args);
    if (is_quantized(node)) fill_quantized(node, &args);
    // StableHLO's extremes are the first operand when either is NaN, the formulas are the second.
    const bool swaps = (node->op->variant & kStablehlo) != 0 && strstr(node->name, "IMUM") != NULL;
    const bool checks = strstr(prelude.text, "DIVISOR") != NULL;
    const LiteClLaunch launch = {
        .family = "binary",
        .kernel = "binary",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = checks ? 4 : 3,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[swaps ? 1 : 0]),
                    lite_cl_plan_tensor(plan, node->inputs[swaps ? 0 : 1]),
                    lite_cl_plan_tensor(plan, node->outputs[0]), checks ? lite_cl_plan_status(plan) : 0},
        .items = {lite_cl_chunks(args.width, args.chunk), (size_t)args.rows, 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}

static bool infer_same(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    if (!infer(node, output, reason)) return false;
    return lite_shape_equal(&node->inputs[0]->shape, &node->inputs[1]->shape) ||
           lite_cl_refuse(reason, "the inputs differ in shape");
}

// The slope of a negative element; broadcasts towards the input only.
static bool infer_prelu(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    if (!infer(node, output, reason)) return false;
    if (!lite_shape_equal(output, &node->inputs[0]->shape)) {
        return lite_cl_refuse(reason, "the slopes do not broadcast to the input's shape");
    }
    return true;
}

#define FORMULA_OP(NAME, parameters, inference, element_types, kind)                                         \
    const LiteClOp lite_cl_op_##NAME = {.params_size = (parameters),                                         \
                                        .min_inputs = 2,                                                     \
                                        .max_inputs = 2,                                                     \
                                        .outputs = (kind)&kCompare   ? "b"                                   \
                                                   : (kind)&kNarrows ? "."                                   \
                                                                     : "T",                                  \
                                        .types = (element_types),                                            \
                                        .half = true,                                                        \
                                        .keeps_wide = ((kind)&kSums) != 0,                                   \
                                        .variant = (kind),                                                   \
                                        .infer = (inference),                                                \
                                        .lower = lower,                                                      \
                                        .formula = as_formula};
#define TYPE(Name) LITE_CL_TYPE(Name)
#define I32_I64 (TYPE(Int32) | TYPE(Int64))
#define SHORTS (TYPE(Int16) | TYPE(UInt16))
#define WIDE (LITE_CL_FLOATS | LITE_CL_INTS | TYPE(UInt16) | TYPE(UInt32) | TYPE(UInt64))
#define QUANTIZED (LITE_CL_BYTES | TYPE(Int16))
#define BITS (LITE_CL_BYTES | SHORTS | TYPE(Int32) | TYPE(UInt32))

FORMULA_OP(ADD, LITE_CL_PARAMS_UP_TO(TfLiteAddParams, pot_scale_int16), infer,
           LITE_CL_FLOATS | I32_I64 | QUANTIZED, kActivation | kQuantized | kPlain16 | kSums)
FORMULA_OP(SUB, LITE_CL_PARAMS_UP_TO(TfLiteSubParams, pot_scale_int16), infer,
           LITE_CL_FLOATS | I32_I64 | QUANTIZED, kActivation | kQuantized | kSums)
FORMULA_OP(MUL, LITE_CL_PARAMS_UP_TO(TfLiteMulParams, activation), infer,
           LITE_CL_FLOATS | I32_I64 | TYPE(UInt32) | QUANTIZED,
           kActivation | kQuantized | kPlain16 | kNarrows)
FORMULA_OP(DIV, LITE_CL_PARAMS_UP_TO(TfLiteDivParams, activation), infer,
           LITE_CL_FLOATS | TYPE(Int32) | QUANTIZED, kActivation | kQuantized | kDivides | kAsymmetric)
FORMULA_OP(MAXIMUM, 0, infer, LITE_CL_FLOATS | TYPE(BFloat16) | LITE_CL_INTS, 0)
FORMULA_OP(MINIMUM, 0, infer, LITE_CL_FLOATS | TYPE(BFloat16) | LITE_CL_INTS, 0)
FORMULA_OP(POW, 0, infer, TYPE(Float32), 0)
FORMULA_OP(PRELU, 0, infer_prelu, TYPE(Float32) | QUANTIZED, kQuantized | kAsymmetric)
FORMULA_OP(SQUARED_DIFFERENCE, 0, infer, LITE_CL_FLOATS | TYPE(Int32) | TYPE(Int8), kQuantized)
FORMULA_OP(FLOOR_DIV, 0, infer, TYPE(Float32) | TYPE(Int8) | TYPE(Int16) | TYPE(Int32),
           kDivides | kDividesReal)
FORMULA_OP(FLOOR_MOD, 0, infer, TYPE(Float32) | TYPE(Int8) | TYPE(Int16) | I32_I64, kDivides)
FORMULA_OP(ATAN2, 0, infer_same, LITE_CL_FLOATS | TYPE(BFloat16), 0)

#define COMPARE(NAME, RESULT)                                                                                \
    FORMULA_OP(NAME, 0, infer, LITE_CL_FLOATS | LITE_CL_BYTES | TYPE(Int16) | I32_I64 | TYPE(Bool),          \
               kCompare | kQuantized)
#include "core/elementwise.def"

FORMULA_OP(LOGICAL_AND, 0, infer, TYPE(Bool), 0)
FORMULA_OP(LOGICAL_OR, 0, infer, TYPE(Bool), 0)
FORMULA_OP(BITWISE_XOR, 0, infer, BITS, 0)
FORMULA_OP(RIGHT_SHIFT, 0, infer, BITS, 0)
FORMULA_OP(STABLEHLO_AND, 0, infer, LITE_CL_INTS | TYPE(UInt16) | TYPE(UInt32) | TYPE(UInt64) | TYPE(Bool),
           kStablehlo)
FORMULA_OP(STABLEHLO_SHIFT_LEFT, 0, infer, TYPE(Int8) | TYPE(Int16) | TYPE(Int32), kStablehlo)
FORMULA_OP(STABLEHLO_ADD, 0, infer, WIDE, kStablehlo)
FORMULA_OP(STABLEHLO_MULTIPLY, 0, infer, WIDE, kStablehlo)
FORMULA_OP(STABLEHLO_MAXIMUM, 0, infer, WIDE, kStablehlo)
FORMULA_OP(STABLEHLO_MINIMUM, 0, infer, WIDE, kStablehlo)

static bool infer_sum(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    *output = node->inputs[0]->shape;
    for (int i = 0; i < node->input_count; i++) {
        if (node->inputs[i] == NULL || !lite_shape_equal(output, &node->inputs[i]->shape))
            return lite_cl_refuse(reason, "input %d has another shape", i);
    }
    return true;
}

// Partial sums go to and fro between two intermediates, and end at the largest float, as in the reference.
static TfLiteStatus lower_sum(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClTensor* output = node->outputs[0];
    const int count = (int)lite_shape_elements(&output->shape);
    const LiteClBinaryArgs args = {.rows = 1,
                                   .width = count,
                                   .a_step = 1,
                                   .b_step = 1,
                                   .chunk = lite_cl_tune(plan->device->class)->chunk,
                                   .low = -FLT_MAX,
                                   .high = FLT_MAX,
                                   .int_low = INT32_MIN,
                                   .int_high = INT32_MAX};
    LiteClPrelude prelude = {0};
    lite_cl_define_type(&prelude, "", output->type);
    lite_cl_define_type(&prelude, "OUT_", output->type);
    const Formula* add = &formulas[0];
    lite_cl_define(&prelude, "RESULT(a, b) (%s)", is_real(node) ? add->real : add->integer);
    int sum = lite_cl_plan_tensor(plan, node->inputs[0]);
    for (int i = 1; i < node->input_count; i++) {
        const bool last = i + 1 == node->input_count;
        const int next = last ? lite_cl_plan_tensor(plan, node->outputs[0])
                              : lite_cl_plan_add_storage(plan, kLiteClArena, lite_cl_tensor_bytes(output));
        const LiteClLaunch launch = {
            .family = "binary",
            .kernel = "binary",
            .prelude = prelude.text,
            .args = &args,
            .args_size = sizeof args,
            .buffer_count = 3,
            .buffers = {sum, lite_cl_plan_tensor(plan, node->inputs[i]), next},
            .items = {lite_cl_chunks(args.width, args.chunk), 1, 1},
        };
        LITE_TRY(lite_cl_plan_launch(plan, &launch));
        sum = next;
    }
    return kTfLiteOk;
}

const LiteClOp lite_cl_op_ADD_N = {.min_inputs = 2,
                                   .max_inputs = LITE_CL_MANY,
                                   .types = TYPE(Float32) | TYPE(Int32),
                                   .infer = infer_sum,
                                   .lower = lower_sum};
