// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "core/semantics/quant.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/agreed.h"
#include "delegate-opencl/ops/common/group.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "delegate-opencl/ops/conv/product.h"
#include "delegate-opencl/ops/conv/two_products.h"
#include "kernels-cl/args/common.h"
#include "kernels-cl/args/reduce.h"

// Which dimensions go.
static bool reduced_dims(const LiteClNode* node, bool reduced[LITE_MAX_RANK], LiteClReason* reason) {
    const int rank = node->inputs[0]->shape.rank;
    LiteClInts axes;
    if (!lite_cl_constant_ints(node, 1, &axes, reason)) return false;
    for (int d = 0; d < LITE_MAX_RANK; d++) reduced[d] = false;
    // A scalar has nothing to reduce, whatever the axes say.
    for (int i = 0; i < axes.count && rank > 0; i++) {
        const int64_t axis = axes.values[i];
        if (axis < -rank || axis >= rank) return lite_cl_refuse(reason, "axis %lld", (long long)axis);
        reduced[axis < 0 ? axis + rank : axis] = true;
    }
    return true;
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteReducerParams* params = node->params;
    const LiteShape* input = &node->inputs[0]->shape;
    bool reduced[LITE_MAX_RANK];
    if (!reduced_dims(node, reduced, reason)) return false;
    for (int d = 0; d < input->rank; d++) {
        if (!reduced[d]) {
            output->dims[output->rank++] = input->dims[d];
        } else if (params->keep_dims) {
            output->dims[output->rank++] = 1;
        }
    }
    return true;
}

// Runs of neighbouring dimensions that are all reduced or all kept become one. Returns how many kept ones
// there are.
static void fill_args(const LiteShape* input, const bool reduced[LITE_MAX_RANK], LiteClReduceArgs* args) {
    int stride = 1, kept = 0, gone = 0;
    int kept_dims[LITE_MAX_RANK] = {0}, kept_strides[LITE_MAX_RANK] = {0}; // innermost first
    int gone_dims[LITE_MAX_RANK] = {0}, gone_strides[LITE_MAX_RANK] = {0};
    for (int d = input->rank - 1; d >= 0; d--) {
        const bool joins = d + 1 < input->rank && reduced[d] == reduced[d + 1];
        int* dims = reduced[d] ? gone_dims : kept_dims;
        int* strides = reduced[d] ? gone_strides : kept_strides;
        int* count = reduced[d] ? &gone : &kept;
        if (joins) {
            dims[*count - 1] *= input->dims[d];
        } else {
            dims[*count] = input->dims[d];
            strides[(*count)++] = stride;
        }
        stride *= input->dims[d];
    }
    const int inner = kept > 0 && kept_strides[0] == 1 ? 1 : 0;
    args->inner = inner > 0 ? kept_dims[0] : 1;
    args->outer_rank = kept - inner;
    args->rows = args->reduced = 1;
    for (int i = 0; i < args->outer_rank; i++) {
        args->outer_dims[i] = kept_dims[kept - 1 - i];
        args->outer_strides[i] = kept_strides[kept - 1 - i];
        args->rows *= args->outer_dims[i];
    }
    args->reduced_rank = gone;
    for (int i = 0; i < gone; i++) {
        args->reduced_dims[i] = gone_dims[gone - 1 - i];
        args->reduced_strides[i] = gone_strides[gone - 1 - i];
        args->reduced *= args->reduced_dims[i];
    }
    args->divisor = (float)args->reduced;
}

// What is done with elements of integers and reals.
typedef enum Reduction { kSum, kMean, kProduct, kMaximum, kMinimum } Reduction;

static bool is_scaled(const LiteClNode* node) {
    const LiteClTensor* in = node->inputs[0];
    if (!lite_cl_is_byte(in->type) && in->type != kTfLiteInt16) return false;
    return node->op->variant == kMean || node->op->variant == kSum;
}

static bool is_scaled_product(const LiteClNode* node) {
    const LiteClTensor* in = node->inputs[0];
    return node->op->variant == kProduct && in->affine != NULL &&
           (in->type == kTfLiteInt8 || in->type == kTfLiteInt16);
}

// What each factor is multiplied by: the root of the output's scale for as many factors as there are.
static bool product_step(const LiteClNode* node, const LiteShape* output, LiteMultiplier* step,
                         LiteClReason* reason) {
    const LiteClTensor *in = node->inputs[0], *out = node->outputs[0];
    const int64_t outputs = lite_shape_elements(output);
    const int64_t factors = outputs > 0 ? lite_shape_elements(&in->shape) / outputs : 0;
    if (in->zero_point < INT8_MIN || in->zero_point > INT8_MAX)
        return lite_cl_refuse(reason, "zero point %d", (int)in->zero_point);
    const double root = pow((double)out->scale, 1.0 / (double)(factors > 0 ? factors : 1));
    *step = lite_quantize_multiplier(root > 0 ? (double)in->scale / root : 0);
    return step->shift <= 14 || lite_cl_refuse(reason, "the output's scale is too small");
}

static bool infer_typed(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    LiteMultiplier step;
    if (!infer(node, output, reason)) return false;
    return !is_scaled_product(node) || product_step(node, output, &step, reason);
}

static bool check(const LiteClNode* node, LiteClReason* reason) {
    const LiteClTensor *in = node->inputs[0], *out = node->outputs[0];
    const Reduction reduction = (Reduction)node->op->variant;
    const bool narrow = lite_cl_is_byte(in->type) || in->type == kTfLiteInt16;
    if (in->shape.rank > 0 && node->inputs[1]->type != kTfLiteInt32)
        return lite_cl_refuse(reason, "axes not INT32");
    if (reduction == kProduct && in->affine != NULL && !is_scaled_product(node))
        return lite_cl_refuse(reason, "a product of quantized %s", TfLiteTypeGetName(in->type));
    if (narrow && reduction == kSum && (!(in->scale > 0.0f) || !(out->scale > 0.0f)))
        return lite_cl_refuse(reason, "a sum of %s without scales", TfLiteTypeGetName(in->type));
    if (narrow && (reduction == kMean || reduction == kSum) &&
        (!lite_cl_check_symmetric(in, reason) || !lite_cl_check_symmetric(out, reason)))
        return false;
    const bool plain_product = reduction == kProduct && in->affine == NULL;
    return !narrow || (reduction != kMaximum && reduction != kMinimum && !plain_product) ||
           lite_cl_same_quantization(in, out, reason);
}

static void fill_scale(const LiteClNode* node, LiteClReduceArgs* args) {
    const LiteClTensor *in = node->inputs[0], *out = node->outputs[0];
    LiteMultiplier m = lite_quantize_multiplier((double)in->scale / (double)out->scale);
    if (node->op->variant == kMean && args->reduced > 0) m = lite_divide_multiplier(m, args->reduced);
    args->multiplier = lite_cl_multiplier(m);
    args->bias = (int)((uint32_t)in->zero_point * (uint32_t)args->reduced);
    args->zero = out->zero_point;
    lite_type_limits(out->type, &args->low, &args->high);
    args->ratio = in->scale / out->scale;
    if (is_scaled_product(node)) {
        lite_cl_agreed(product_step(node, &out->shape, &m, &(LiteClReason){0}));
        args->multiplier = (LiteClMultiplier){m.value, m.shift};
        args->bias = in->zero_point;
    }
    args->offset = -(float)in->zero_point * args->ratio * (float)args->reduced;
}

// whole: the tensor becomes one value.
static void define_reduction(const LiteClNode* node, const LiteClReduceArgs* args, bool whole,
                             LiteClPrelude* prelude) {
    static const struct {
        const char* real_start;
        const char* start;
        const char* join;
    } forms[] = {
        [kSum] = {"0.0f", "0", "(acc) + (v)"},
        [kMean] = {"0.0f", "0", "(acc) + (v)"},
        [kProduct] = {"1.0f", "1", "(acc) * (v)"},
        [kMaximum] = {"-FLT_MAX", "LOW", "(v) > (acc) ? (v) : (acc)"},
        [kMinimum] = {"FLT_MAX", "HIGH", "(v) < (acc) ? (v) : (acc)"},
    };
    const TfLiteType type = node->inputs[0]->type;
    const bool real = type == kTfLiteFloat32 || type == kTfLiteFloat16;
    const Reduction reduction = (Reduction)node->op->variant;
    if (real) {
        lite_cl_define(prelude, "VECTORS");
        lite_cl_define_vectors(prelude, type);
    } else {
        lite_cl_define_type(prelude, "", type);
    }
    if (is_scaled_product(node)) {
        lite_cl_define(prelude, "QUANTIZED");
        lite_cl_define(prelude, "START NO_FACTOR");
        lite_cl_define(prelude, "JOIN(acc, v) SCALED_PRODUCT(acc, v)");
        lite_cl_define(prelude, "FINISH(acc) LAST_FACTOR(acc)");
        return;
    }
    // Extremes of a whole FLOAT32 tensor begin with its first element: a NaN there stays, others are passed
    // over.
    const bool first = whole && type == kTfLiteFloat32 && args->reduced > 0 &&
                       (reduction == kMaximum || reduction == kMinimum);
    lite_cl_define(prelude, "START %s",
                   first  ? "READ(0)"
                   : real ? forms[reduction].real_start
                          : forms[reduction].start);
    lite_cl_define(prelude, "JOIN(acc, v) (%s)", forms[reduction].join);
    if (is_scaled(node)) {
        const bool rounds = reduction == kSum && type == kTfLiteInt8;
        lite_cl_define(prelude, "QUANTIZED");
        lite_cl_define(prelude, "FINISH(acc) %s",
                       args->reduced == 0 ? "a.zero"
                       : rounds           ? "ROUNDED(acc)"
                                          : "RESCALED(acc)");
    } else if (reduction == kMean && real) {
        lite_cl_define(prelude, "FINISH(acc) ((acc) / a.divisor)");
    } else {
        lite_cl_define(prelude, "FINISH(acc) %s",
                       reduction == kMean ? "((acc) / max(a.reduced, 1))" : "(acc)");
    }
}

// Items along dimension 0: on a CPU as many as keep its cores busy where the output has few rows.
static size_t column_items(const LiteClDevice* device, const LiteClReduceArgs* args, int vector) {
    const size_t most = 8, vectors = lite_cl_chunks(args->inner, vector);
    if (device->class == kLiteClGpu || vectors == 0) return vectors;
    return (size_t)args->rows >= most ? 1 : vectors < most ? vectors : most;
}

// May floats that are neighbours be joined in another order? A whole tensor's extremes depend on where a NaN
// is.
static bool may_reorder(const LiteClNode* node, const LiteClReduceArgs* args, bool whole) {
    const Reduction reduction = (Reduction)node->op->variant;
    const TfLiteType type = node->inputs[0]->type;
    const bool sums = reduction == kSum || reduction == kMean;
    return args->inner == 1 && reduction != kProduct && (!whole || sums) &&
           (type == kTfLiteFloat32 || type == kTfLiteFloat16);
}

// Elements that an item joins at a time, where those of a row are neighbours; otherwise 1. 0 after a report.
static int find_along(LiteClPlan* plan, const LiteClNode* node, const LiteClReduceArgs* args) {
    const int last = args->reduced_rank - 1;
    return last >= 0 && args->reduced_strides[last] == 1
               ? lite_cl_plan_row_vector(plan, node, args->reduced_dims[last])
               : 1;
}

static void define_group(const LiteClDevice* device, const LiteClNode* node, int group,
                         LiteClPrelude* prelude) {
    const Reduction reduction = (Reduction)node->op->variant;
    lite_cl_define_row_group(device, group, prelude);
    lite_cl_define(prelude, "ACROSS %s",
                   reduction == kMaximum   ? "most_across"
                   : reduction == kMinimum ? "least_across"
                                           : "sum_across");
}

// Vectors of columns that a work-group does, each by several items that meet in local memory; 0: an item does
// one alone.
static int lanes_of(const LiteClDevice* device, const LiteClNode* node, const LiteClReduceArgs* args,
                    int vector) {
    enum { LEAST = 16 /* elements of a column */, FEWEST = 4, MOST = 16 };
    if (!lite_cl_device_has_local_tiles(device) || node->op->variant == kProduct || args->inner == 1 ||
        args->reduced < LEAST)
        return 0;
    int lanes = FEWEST;
    while (lanes < MOST && lanes * vector < args->inner) lanes *= 2;
    return lanes;
}

// Columns of bytes are joined as vectors of int, which have room for so many.
static bool are_byte_vectors(const LiteClDevice* device, const LiteClNode* node,
                             const LiteClReduceArgs* args) {
    enum { MOST = 1 << 22 };
    return lite_cl_is_byte(node->inputs[0]->type) && node->op->variant != kProduct && args->inner > 1 &&
           args->reduced <= MOST && !lite_cl_device_has_local_tiles(device);
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    bool reduced[LITE_MAX_RANK];
    lite_cl_agreed(reduced_dims(node, reduced, &(LiteClReason){0}));
    LiteClReduceArgs args = {0};
    fill_args(&node->inputs[0]->shape, reduced, &args);
    if (is_scaled(node) || is_scaled_product(node)) fill_scale(node, &args);
    LiteClPrelude prelude = {0};
    bool whole = true;
    for (int d = 0; d < node->inputs[0]->shape.rank; d++) whole = whole && reduced[d];
    define_reduction(node, &args, whole, &prelude);
    const bool reorders = may_reorder(node, &args, whole);
    const int group = reorders ? lite_cl_tune_group(plan->device, kLiteClReducedRow, args.reduced) : 0;
    const int along = reorders && group == 0 ? find_along(plan, node, &args) : 1;
    if (along == 0) return kTfLiteError;
    const bool are_bytes = are_byte_vectors(plan->device, node, &args);
    const bool are_vectors = are_bytes || lite_cl_is_float(node->inputs[0]->type);
    const int vector = along > 1 ? along : are_vectors ? lite_cl_vector(plan->device->class, args.inner) : 1;
    lite_cl_define(&prelude, "VW %d", vector);
    if (are_bytes) lite_cl_define(&prelude, "BYTE_VECTORS");
    if (along > 1) lite_cl_define_type(&prelude, "", node->inputs[0]->type);
    if (along > 1) lite_cl_define(&prelude, "ALONG");
    if (group > 0) define_group(plan->device, node, group, &prelude);
    const int lanes = lanes_of(plan->device, node, &args, vector);
    const size_t items = lanes > 0 ? lite_cl_largest_group(plan->device) : (size_t)group;
    if (lanes > 0) lite_cl_define(&prelude, "LANES %d", lanes);
    if (lanes > 0) lite_cl_define(&prelude, "ITEMS %zu", items);
    const LiteClLaunch launch = {
        .family = lanes > 0 ? &lite_cl_source_reduce_columns : &lite_cl_source_reduce,
        .version_3 = group > 0 && plan->device->subgroups,
        .group = items,
        .kernel = lanes > 0 ? "reduce_columns" : "reduce",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .items = {lanes > 0   ? lite_cl_chunks(args.inner, vector * lanes) * items
                  : group > 0 ? items
                              : column_items(plan->device, &args, along > 1 ? 1 : vector),
                  (size_t)args.rows, 1},
    };
    return lite_cl_launch_unary(plan, node, &launch);
}

// The means of the channels of images, with the products behind them.
static TfLiteStatus join(LiteClPlan* plan, const LiteClNode* node, const LiteClFollowers* followers,
                         int* joined) {
    const int rank = node->inputs[0]->shape.rank;
    bool reduced[LITE_MAX_RANK], are_pixels = rank > 2 && node->op->variant == kMean;
    lite_cl_agreed(reduced_dims(node, reduced, &(LiteClReason){0}));
    for (int d = 0; d < rank; d++) are_pixels = are_pixels && reduced[d] == (d > 0 && d < rank - 1);
    return are_pixels ? lite_cl_join_mean_products(plan, node, followers, joined) : kTfLiteOk;
}

// Rows along the last dimension, which stays with one element.
static bool as_formula(const LiteClNode* node, LiteClFormula* formula) {
    static const char* const rows[] = {
        [kSum] = "SUM_ROW", [kMean] = "SUM_ROW", [kMaximum] = "MOST_OF_ROW", [kMinimum] = "LEAST_OF_ROW"};
    const Reduction reduction = (Reduction)node->op->variant;
    const LiteShape* input = &node->inputs[0]->shape;
    bool reduced[LITE_MAX_RANK], only_last = input->rank > 0;
    if (node->inputs[0]->type != kTfLiteFloat32 || reduction == kProduct ||
        !((const TfLiteReducerParams*)node->params)->keep_dims ||
        !reduced_dims(node, reduced, &(LiteClReason){0}))
        return false;
    for (int d = 0; d < input->rank; d++) only_last = only_last && reduced[d] == (d == input->rank - 1);
    // A whole tensor's extremes depend on where a NaN is.
    if (!only_last || (input->rank == 1 && reduction != kSum && reduction != kMean)) return false;
    formula->row = rows[reduction];
    formula->is_mean = reduction == kMean;
    return true;
}

#define REDUCE_OP(NAME, reduction, element_types)                                                            \
    const LiteClOp lite_cl_op_##NAME = {                                                                     \
        .rounds = kLiteClRoundsRow,                                                                          \
        .params_size = LITE_CL_PARAMS_UP_TO(TfLiteReducerParams, keep_dims),                                 \
        .min_inputs = 2,                                                                                     \
        .max_inputs = 2,                                                                                     \
        .inputs = "TP",                                                                                      \
        .types = (element_types),                                                                            \
        .float16 = true,                                                                                     \
        .wide = (reduction) == kSum,                                                                         \
        .keeps_wide = true,                                                                                  \
        .variant = (reduction),                                                                              \
        .check = check,                                                                                      \
        .infer = infer_typed,                                                                                \
        .lower = lower,                                                                                      \
        .join = LITE_CL_HAS_GATES ? join : NULL,                                                             \
        .formula = as_formula,                                                                               \
    };
REDUCE_OP(SUM, kSum, LITE_TYPES_FLOAT | LITE_TYPES_INTEGER | LITE_TYPE(Bool))
REDUCE_OP(MEAN, kMean, LITE_TYPES_FLOAT | LITE_TYPES_INTEGER)
REDUCE_OP(REDUCE_PROD, kProduct, LITE_TYPE(Float32) | LITE_TYPES_INTEGER | LITE_TYPE(Bool))
REDUCE_OP(REDUCE_MAX, kMaximum, LITE_TYPES_FLOAT | LITE_TYPES_INTEGER | LITE_TYPE(Bool))
REDUCE_OP(REDUCE_MIN, kMinimum, LITE_TYPES_FLOAT | LITE_TYPES_INTEGER | LITE_TYPE(Bool))
REDUCE_OP(REDUCE_ANY, kMaximum, LITE_TYPE(Bool))
REDUCE_OP(REDUCE_ALL, kMinimum, LITE_TYPE(Bool))
