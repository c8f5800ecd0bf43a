// SPDX-License-Identifier: Apache-2.0
// SUM, MEAN, REDUCE_PROD, REDUCE_MAX, REDUCE_MIN, REDUCE_ANY, REDUCE_ALL: one value for all elements along
// some axes.
#include "kernels-cpu/reduce.h"

#include <math.h>
#include <string.h>

#include "core/base/half.h"
#include "core/base/parallel.h"
#include "kernels-cpu/move.h"
#include "kernels-cpu/sizing.h"

enum { kGrain = 16 * 1024 }; // input elements worth a thread

#define SUM_TYPES (LITE_TYPE_BIT(Float32) | LITE_TYPE_BIT(Float16) | LITE_TYPES_INTEGER)

// What becomes of an accumulator.
typedef enum Finish {
    kStore,         // as it is
    kDivide,        // by the number of elements
    kRescaleSum,    // quantized values to the scale of the output
    kRoundSum,      // the same in float, as the reference does for INT8
    kRescaleMean,   // the same, divided
    kRescaleFactor, // the last step of a quantized product
} Finish;

typedef struct ReduceForm {
    const char* op;
    LiteReduction reduction;
    bool mean;
    uint32_t types;
} ReduceForm;

// One reduction of this shape. Dimensions of one kind that follow each other are one; the last one, of
// either kind, is the row that the loops work on.
typedef struct Reduction {
    LiteMove kept;    // all but the columns; `from` holds strides of the input in elements
    LiteMove reduced; // all but the run
    int64_t columns;  // length of the kept row; 1 when the row is reduced
    int64_t run;      // length of the reduced row; 1 when the row is kept
    int64_t chunks;   // of the columns
    int64_t elements; // that meet in one output
    int64_t repeats;  // positions of `reduced`
    const LiteView* input;
    const LiteView* output;
    LiteReduceLoops loops;
    LiteReduceScale scale;
    Finish finish;
    LiteMultiplier multiplier; // of the output
    uint64_t bias;             // zero points of all elements; wraps around
    float ratio;               // kRoundSum: of the scales
    float offset;              // kRoundSum: zero points of all elements, on the output's scale
} Reduction;

static TfLiteStatus read_axes(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op, int rank,
                              unsigned* axes) {
    LiteView view;
    LITE_TRY(lite_input(context, node, op, 1, &view));
    if (view.count > 0 && view.data == NULL) return lite_fail(context, "%s: the axes have no data", op);
    *axes = 0;
    // A scalar has nothing to reduce, whatever the axes say.
    for (int64_t i = 0; i < view.count && rank > 0; i++) {
        int axis;
        LITE_TRY(lite_resolve_axis(context, op, lite_int_at(&view, i), rank, &axis));
        *axes |= 1u << axis;
    }
    return kTfLiteOk;
}

static TfLiteStatus reduced_shape(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                  LiteShape* shape) {
    const TfLiteReducerParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "%s: no parameters", op);
    LiteView input;
    unsigned axes;
    LITE_TRY(lite_input(context, node, op, 0, &input));
    LITE_TRY(read_axes(context, node, op, input.shape.rank, &axes));
    for (int i = 0; i < input.shape.rank; i++) {
        const bool reduced = (axes >> i & 1u) != 0;
        if (reduced && !params->keep_dims) continue;
        LITE_TRY(lite_append_dim(context, op, shape, reduced ? 1 : input.shape.dims[i]));
    }
    return kTfLiteOk;
}

static TfLiteStatus prepare_reduction(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                      const ReduceForm* form, LiteShapeRule rule, LiteInvoke invoke) {
    LiteView input, axes, output;
    LITE_TRY(lite_check_counts(context, node, form->op, 2, 2, 1));
    LITE_TRY(lite_input(context, node, form->op, 0, &input));
    LITE_TRY(lite_input(context, node, form->op, 1, &axes));
    LITE_TRY(lite_output(context, node, form->op, 0, &output));
    LITE_TRY(lite_check_types(context, form->op, "input", &input, form->types));
    LITE_TRY(lite_check_types(context, form->op, "axes", &axes, LITE_TYPE_BIT(Int32)));
    LITE_TRY(lite_check_same_type(context, form->op, &input, &output));
    const bool moves = form->reduction == kLiteReduceMaximum || form->reduction == kLiteReduceMinimum;
    if (moves && (input.type == kTfLiteInt8 || input.type == kTfLiteUInt8 || input.type == kTfLiteInt16)) {
        LITE_TRY(lite_check_same_quantization(context, form->op, &input, &output));
    }
    if (form->mean && input.type == kTfLiteInt16 && (input.zero_point != 0 || output.zero_point != 0)) {
        return lite_fail(context, "%s: INT16 needs zero points of 0", form->op);
    }
    return lite_size_output(context, node, form->op, 1u << 1, rule, invoke);
}

// Groups the dimensions of the input.
static void plan_dimensions(Reduction* r, unsigned axes) {
    const LiteShape* shape = &r->input->shape;
    int64_t strides[LITE_MAX_RANK];
    lite_move_strides(shape, strides);
    r->columns = r->run = r->elements = r->repeats = 1;
    bool last_reduced = false, last_kept = false;
    for (int i = 0; i < shape->rank; i++) {
        if (shape->dims[i] == 1) continue;
        const bool reduced = (axes >> i & 1u) != 0;
        LiteMove* group = reduced ? &r->reduced : &r->kept;
        if (reduced ? last_reduced : last_kept) {
            group->dims[group->rank - 1] *= shape->dims[i];
            group->from[group->rank - 1] = strides[i];
        } else {
            lite_move_add(group, shape->dims[i], strides[i], 0);
        }
        last_reduced = reduced;
        last_kept = !reduced;
        if (reduced) r->elements *= shape->dims[i];
    }
    if (last_kept) r->columns = r->kept.dims[--r->kept.rank];
    if (last_reduced) r->run = r->reduced.dims[--r->reduced.rank];
    for (int i = 0; i < r->reduced.rank; i++) r->repeats *= r->reduced.dims[i];
    r->chunks = (r->columns + kLiteReduceColumns - 1) / kLiteReduceColumns;
}

static int64_t offset_of(const LiteMove* group, int64_t position) {
    int64_t offset = 0;
    for (int i = group->rank - 1; i >= 0; i--) {
        offset += position % group->dims[i] * group->from[i];
        position /= group->dims[i];
    }
    return offset;
}

static int64_t finish_integer(const Reduction* r, int64_t accumulated) {
    if (r->finish == kStore) return accumulated;
    if (r->finish == kDivide) return r->elements > 0 ? accumulated / r->elements : 0;
    int64_t value = 0;
    if (r->finish == kRoundSum) {
        const float rounded = roundf((float)accumulated * r->ratio + r->offset);
        value = rounded > -1e9f ? rounded < 1e9f ? (int64_t)rounded : 1000000000 : -1000000000;
    } else if (r->finish == kRescaleFactor) {
        value = lite_multiply_i64(accumulated, r->multiplier);
    } else if (r->elements > 0) {
        value = lite_multiply((int32_t)((uint64_t)accumulated - r->bias), r->multiplier);
    }
    int32_t low, high;
    lite_type_limits(r->output->type, &low, &high);
    value += r->output->zero_point;
    return value < low ? low : value > high ? high : value;
}

static void store_results(const Reduction* r, const LiteAccumulators* a, int64_t first, int64_t count) {
    const float divisor = r->finish == kDivide ? (float)r->elements : 1.0f;
    void* data = r->output->data;
    for (int64_t i = 0; i < count; i++) {
        switch (r->output->type) {
        case kTfLiteFloat32:
            ((float*)data)[first + i] = a->f[i] / divisor;
            break;
        case kTfLiteFloat16:
            ((uint16_t*)data)[first + i] = lite_f32_to_f16(a->f[i] / divisor);
            break;
        case kTfLiteInt64:
            ((int64_t*)data)[first + i] = finish_integer(r, a->i[i]);
            break;
        case kTfLiteInt32:
            ((int32_t*)data)[first + i] = (int32_t)finish_integer(r, a->i[i]);
            break;
        case kTfLiteInt16:
            ((int16_t*)data)[first + i] = (int16_t)finish_integer(r, a->i[i]);
            break;
        case kTfLiteBool:
            ((bool*)data)[first + i] = a->i[i] != 0;
            break;
        default:
            ((uint8_t*)data)[first + i] = (uint8_t)finish_integer(r, a->i[i]);
            break;
        }
    }
}

// Tasks [begin, end): each is a chunk of the columns at one position of the kept dimensions.
static void reduce_tasks(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Reduction* r = argument;
    const int64_t element = (int64_t)lite_type_size(r->input->type);
    LiteAccumulators a;
    for (int64_t task = begin; task < end; task++) {
        const int64_t column = task % r->chunks * kLiteReduceColumns;
        const int64_t left = r->columns - column;
        const int64_t count = left < kLiteReduceColumns ? left : kLiteReduceColumns;
        const int64_t from = offset_of(&r->kept, task / r->chunks) + column;
        r->loops.start(&a, count);
        for (int64_t i = 0; i < r->repeats; i++) {
            const char* row = (const char*)r->input->data + (from + offset_of(&r->reduced, i)) * element;
            if (r->columns > 1) {
                r->loops.columns(&a, row, count, &r->scale);
            } else {
                r->loops.run(&a, row, r->run, &r->scale);
            }
        }
        store_results(r, &a, task / r->chunks * r->columns + column, count);
    }
}

// How a mean is rescaled: the number of elements goes into the multiplier, as far as its bits allow.
static LiteMultiplier divide_multiplier(LiteMultiplier m, int64_t elements) {
    int shift = 63 - __builtin_clzll((unsigned long long)elements);
    if (shift > 32) shift = 32;
    if (shift > 31 + m.shift) shift = 31 + m.shift;
    if (shift < 0) shift = 0;
    m.value = (int32_t)((int64_t)m.value * (INT64_C(1) << shift) / elements);
    m.shift -= shift;
    return m;
}

static TfLiteStatus plan_quantization(TfLiteOpaqueContext* context, const ReduceForm* form, Reduction* r) {
    const LiteView *in = r->input, *out = r->output;
    const bool narrow = in->type == kTfLiteInt8 || in->type == kTfLiteUInt8;
    const bool quantized = in->scale > 0.0f && out->scale > 0.0f;
    r->finish = form->mean ? kDivide : kStore;
    if (!narrow && in->type != kTfLiteInt16) return kTfLiteOk;
    if (form->reduction == kLiteReduceSum && (form->mean || quantized)) {
        r->finish = form->mean ? kRescaleMean : kRescaleSum;
        r->bias = (uint64_t)in->zero_point * (uint64_t)r->elements;
        r->multiplier = lite_quantize_multiplier(out->scale > 0 ? (double)in->scale / (double)out->scale : 0);
        if (!form->mean && in->type == kTfLiteInt8) {
            r->finish = kRoundSum;
            r->ratio = in->scale / out->scale;
            r->offset = -(float)in->zero_point * r->ratio * (float)r->elements;
        }
        if (form->mean && r->elements > 0) r->multiplier = divide_multiplier(r->multiplier, r->elements);
    }
    if (form->reduction == kLiteReduceProduct) {
        if (in->zero_point < INT8_MIN || in->zero_point > INT8_MAX) {
            return lite_fail(context, "%s: zero point %d is out of range", form->op, in->zero_point);
        }
        const double root = pow((double)out->scale, 1.0 / (double)(r->elements > 0 ? r->elements : 1));
        r->multiplier = lite_quantize_multiplier(root > 0 ? (double)in->scale / root : 0);
        if (r->multiplier.shift > 14)
            return lite_fail(context, "%s: the output scale is too small", form->op);
        r->scale = (LiteReduceScale){in->zero_point, r->multiplier};
        r->finish = kRescaleFactor;
        lite_reduce_loops(kLiteReduceQuantizedProduct, in->type, &r->loops);
    }
    return kTfLiteOk;
}

static TfLiteStatus invoke_reduction(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                     const ReduceForm* form, LiteShapeRule rule) {
    LiteView input, output;
    unsigned axes;
    Reduction r = {.input = &input, .output = &output};
    LITE_TRY(lite_input(context, node, form->op, 0, &input));
    LITE_TRY(lite_sized_output(context, node, form->op, rule, &output));
    LITE_TRY(read_axes(context, node, form->op, input.shape.rank, &axes));
    if (output.count == 0) return kTfLiteOk;
    if (!lite_reduce_loops(form->reduction, input.type, &r.loops)) {
        return lite_fail(context, "%s: %s is not supported", form->op, TfLiteTypeGetName(input.type));
    }
    plan_dimensions(&r, axes);
    LITE_TRY(plan_quantization(context, form, &r));
    const int64_t tasks = output.count / r.columns * r.chunks;
    const int64_t work = input.count / tasks;
    lite_parallel_for(lite_num_threads(context), tasks, work < kGrain ? kGrain / (work + 1) + 1 : 1,
                      reduce_tasks, &r);
    return kTfLiteOk;
}

#define DEFINE_REDUCTION(NAME, REDUCTION, MEAN, TYPES)                                                       \
    static const ReduceForm form_##NAME = {#NAME, REDUCTION, MEAN, TYPES};                                   \
    static TfLiteStatus rule_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,                    \
                                    LiteShape* shape) {                                                      \
        return reduced_shape(context, node, #NAME, shape);                                                   \
    }                                                                                                        \
    static TfLiteStatus invoke_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {                \
        return invoke_reduction(context, node, &form_##NAME, rule_##NAME);                                   \
    }                                                                                                        \
    static TfLiteStatus prepare_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {               \
        return prepare_reduction(context, node, &form_##NAME, rule_##NAME, invoke_##NAME);                   \
    }                                                                                                        \
    const LiteKernel lite_kernel_##NAME = {.prepare = prepare_##NAME, .invoke = invoke_##NAME};

DEFINE_REDUCTION(SUM, kLiteReduceSum, false, SUM_TYPES | LITE_TYPE_BIT(Bool))
DEFINE_REDUCTION(MEAN, kLiteReduceSum, true, SUM_TYPES)
DEFINE_REDUCTION(REDUCE_PROD, kLiteReduceProduct, false,
                 (SUM_TYPES & ~(LITE_TYPE_BIT(UInt8) | LITE_TYPE_BIT(Float16))) | LITE_TYPE_BIT(Bool))
DEFINE_REDUCTION(REDUCE_MAX, kLiteReduceMaximum, false, SUM_TYPES | LITE_TYPE_BIT(Bool))
DEFINE_REDUCTION(REDUCE_MIN, kLiteReduceMinimum, false, SUM_TYPES | LITE_TYPE_BIT(Bool))
DEFINE_REDUCTION(REDUCE_ANY, kLiteReduceMaximum, false, LITE_TYPE_BIT(Bool))
DEFINE_REDUCTION(REDUCE_ALL, kLiteReduceMinimum, false, LITE_TYPE_BIT(Bool))
