// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/common/binary.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "core/semantics/quant.h"
#include "core/semantics/sum_quantized.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/ops/common/activation.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "kernels-cl/args/binary.h"

// Sums of bytes in one formula are not in builds of selected operators, which are small for it.
#ifndef LITE_CL_HAS_BYTE_SUMS
#define LITE_CL_HAS_BYTE_SUMS 1
#endif

// A line of core/elementwise.def.
typedef struct Line {
    LiteClLine formula;  // the line that has the formulas
    const char* real;    // NULL or "NONE": there is none
    const char* integer; // the same
    unsigned plain;      // types computed as they are
    unsigned quantized;  // types with scales and zero points; in both: by whether there is a scale
    unsigned traits;     // LiteTrait
    bool compares;       // the output is a truth value
} Line;

static const Line lines[kLiteClLineCount] = {
#define CPU_ONLY(TYPES) 0
#define BINARY(NAME, PLAIN, QUANTIZED, TRAITS, COST, REAL, INTEGER)                                          \
    {kLiteClLine##NAME, #REAL, #INTEGER, PLAIN, QUANTIZED, TRAITS, false},
#define BINARY_LIKE(NAME, FORMULA, PLAIN, TRAITS, COST)                                                      \
    {kLiteClLine##FORMULA, NULL, NULL, PLAIN, 0, TRAITS, false},
#define BITWISE(NAME, PLAIN, TRAITS, INTEGER) {kLiteClLine##NAME, NULL, #INTEGER, PLAIN, 0, TRAITS, false},
#define COMPARE(NAME, PLAIN, QUANTIZED, RESULT)                                                              \
    {kLiteClLine##NAME, #RESULT, #RESULT, PLAIN, QUANTIZED, 0, true},
#include "core/elementwise.def"
};

static const Line* line_of(const LiteClNode* node) {
    return &lines[node->op->variant];
}

static bool has(const LiteClNode* node, LiteTrait trait) {
    return (line_of(node)->traits & trait) != 0;
}

const char* lite_cl_binary_formula(LiteClLine line, TfLiteType type) {
    const Line* formula = &lines[lines[line].formula];
    const char* text = lite_cl_is_float(type) ? formula->real : formula->integer;
    return text != NULL && strcmp(text, "NONE") != 0 ? text : NULL;
}

static const char* find_formula(const LiteClNode* node) {
    return lite_cl_binary_formula((LiteClLine)node->op->variant, lite_cl_element_type(node));
}

static bool is_real(const LiteClNode* node) {
    return lite_cl_is_float(lite_cl_element_type(node));
}

static bool is_quantized(const LiteClNode* node) {
    if (!LITE_HAS_TYPE(kTfLiteInt8) && !LITE_HAS_TYPE(kTfLiteUInt8) && !LITE_HAS_TYPE(kTfLiteInt16))
        return false;
    const Line* line = line_of(node);
    const TfLiteType type = lite_cl_element_type(node);
    if (!lite_types_contain(line->quantized, type)) return false;
    if (has(node, kLiteTraitNARROWS) && node->outputs[0]->type != type) return true;
    const LiteClTensor* scaled = line->compares ? node->inputs[0] : node->outputs[0];
    return !lite_types_contain(line->plain, type) || scaled->affine != NULL;
}

static TfLiteFusedActivation activation_of(const LiteClNode* node) {
    const bool is_stated = has(node, kLiteTraitACTIVATION) && node->params != NULL;
    return is_stated ? *(const TfLiteFusedActivation*)node->params : kTfLiteActNone;
}

// ADD and SUB of INT16 with scales that are powers of 2, where the model says so.
static bool pot_scales(const LiteClNode* node, int shifts[2]) {
    // The parameters of both begin in the same way.
    const TfLiteAddParams* params = node->params;
    if (!has(node, kLiteTraitPOT_SCALES) || params == NULL || !params->pot_scale_int16 ||
        node->outputs[0]->type != kTfLiteInt16)
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
    const bool compares = line_of(node)->compares;
    const bool asymmetric = has(node, kLiteTraitASYMMETRIC);
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
    if (!has(node, kLiteTraitNARROWS) || in == out || (in == kTfLiteInt16 && lite_cl_is_byte(out)))
        return true;
    return lite_cl_refuse(reason, "output 0 is %s, not %s", TfLiteTypeGetName(out), TfLiteTypeGetName(in));
}

bool lite_cl_binary_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteType type = lite_cl_element_type(node);
    const TfLiteFusedActivation activation = activation_of(node);
    float low, high;
    if (!lite_cl_activation(activation, &low, &high, reason)) return false;
    if (!lite_shape_broadcast(&node->inputs[0]->shape, &node->inputs[1]->shape, output)) {
        return lite_cl_refuse(reason, "the inputs' shapes do not broadcast");
    }
    if (has(node, kLiteTraitSAME_SHAPE) &&
        !lite_shape_equal(&node->inputs[0]->shape, &node->inputs[1]->shape)) {
        return lite_cl_refuse(reason, "the inputs differ in shape");
    }
    if (!check_output(node, reason)) return false;
    if (is_quantized(node)) return check_quantized(node, reason);
    if (find_formula(node) != NULL) return true;
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

static LiteMultiplier multiplier_of(LiteClMultiplier m) {
    return (LiteMultiplier){m.value, m.shift};
}

// ADD and SUB of bytes.
static void fill_form(const LiteClNode* node, const LiteClQuantized* q, LiteClSumForm* sum) {
    const LiteSumScales scales = {.multipliers = {multiplier_of(q->a), multiplier_of(q->b)},
                                  .multiplier = multiplier_of(q->result),
                                  .left_shift = q->left_shift,
                                  .zero_points = {q->zero_a, q->zero_b},
                                  .zero_point = q->zero,
                                  .is_signed = node->outputs[0]->type == kTfLiteInt8,
                                  .subtracts = strcmp(node->name, "SUB") == 0};
    const LiteSumForm form = lite_sum_form(&scales);
    *sum = (LiteClSumForm){form.scales[0], form.scales[1], form.start, form.bits, form.margin};
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

static bool sums_bytes(const LiteClNode* node) {
    return LITE_CL_HAS_BYTE_SUMS && lite_cl_is_byte(node->outputs[0]->type) &&
           (strcmp(node->name, "ADD") == 0 || strcmp(node->name, "SUB") == 0);
}

// The scales as the reference combines them.
static void fill_quantized(const LiteClNode* node, LiteClBinaryArgs* args) {
    const LiteClTensor *a = node->inputs[0], *b = node->inputs[1], *out = node->outputs[0];
    LiteClQuantized* q = &args->q;
    q->zero_a = a->zero_point;
    q->zero_b = b->zero_point;
    if (line_of(node)->compares) {
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
        if (sums_bytes(node)) fill_form(node, q, &args->sum);
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
    const bool compares = line_of(node)->compares, quantized = is_quantized(node);
    lite_cl_define_type(prelude, "", type);
    lite_cl_define_type(prelude, "OUT_", node->outputs[0]->type);
    if (compares || type == kTfLiteBool) lite_cl_define(prelude, "TRUTH");
    if (type == kTfLiteInt64 || type == kTfLiteUInt32 || type == kTfLiteUInt64)
        define_wide(type, activation_of(node), prelude);
    if (quantized && compares) {
        lite_cl_define(prelude, "QUANTIZED");
        lite_cl_define(prelude, "RESULT(a, b) COMPARED(a, b)");
        lite_cl_define(prelude, "COMPARISON(a, b) (%s)", line_of(node)->integer);
    } else if (quantized) {
        define_quantized(node, prelude);
    } else {
        lite_cl_define(prelude, "RESULT(a, b) (%s)", find_formula(node));
    }
    if (has(node, is_real(node) ? kLiteTraitDIVIDES_REAL : kLiteTraitDIVIDES))
        lite_cl_define(prelude, "DIVISOR(b) (b)");
}

// Those of float32 that need nothing but their formula, see binary.cl.
bool lite_cl_binary_as_formula(const LiteClNode* node, LiteClFormula* formula) {
    const Line* line = line_of(node);
    if (node->inputs[0]->type != kTfLiteFloat32 || line->compares || line->real == NULL ||
        has(node, kLiteTraitDIVIDES_REAL))
        return false;
    formula->parameters = "a, b";
    snprintf(formula->text, sizeof formula->text, "%s", line->real);
    formula->limited = activation_of(node) != kTfLiteActNone;
    lite_cl_activation_limits(activation_of(node), &formula->low, &formula->high);
    return true;
}

TfLiteStatus lite_cl_binary_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteClPrelude prelude = {0};
    define_formula(node, &prelude);
    LiteClBinaryArgs args = {.chunk = lite_cl_tune(plan->device->class)->chunk, .node = node->index + 1};
    fill_args(node, &args);
    args.item_rows = args.width > 0 && args.width < args.chunk ? args.chunk / args.width : 1;
    fill_limits(node, &args);
    if (is_quantized(node)) fill_quantized(node, &args);
    const int vector = lite_cl_vector(plan->device->class, args.width);
    if (LITE_CL_HAS_BYTE_SUMS && args.sum.bits > 0 && args.a_step != 0 && args.b_step != 0 &&
        vector > LITE_CL_MOST_OF_GPUS) {
        lite_cl_define(&prelude, "VW %d", vector);
        lite_cl_define(&prelude, "SUMS_OF_BYTES");
    }
    const bool swaps = has(node, kLiteTraitSWAPPED);
    const bool checks = strstr(prelude.text, "DIVISOR") != NULL;
    const LiteClLaunch launch = {
        .family = &lite_cl_source_binary,
        .kernel = "binary",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = checks ? 4 : 3,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[swaps ? 1 : 0]),
                    lite_cl_plan_tensor(plan, node->inputs[swaps ? 0 : 1]),
                    lite_cl_plan_tensor(plan, node->outputs[0]), checks ? lite_cl_plan_status(plan) : 0},
        .items = {lite_cl_chunks(args.width, args.chunk), lite_cl_chunks(args.rows, args.item_rows), 1},
    };
    return lite_cl_plan_launch(plan, &launch);
}
