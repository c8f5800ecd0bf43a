// SPDX-License-Identifier: Apache-2.0
// SUM, MEAN, REDUCE_PROD, REDUCE_MAX, REDUCE_MIN, REDUCE_ANY and REDUCE_ALL combine the elements along some
// axes into one.
#include "kernels-cpu/loops/reduce_loops.h"

#include <math.h>
#include <string.h>

#include "core/base/epilogue.h"
#include "core/base/parallel.h"
#include "core/semantics/fixedpoint.h"
#include "core/semantics/half.h"
#include "core/semantics/move.h"
#include "kernels-cpu/support/elementwise.h"
#include "kernels-cpu/support/selected.h"
#include "kernels-cpu/support/size.h"

enum {
    kGrain = 16 * 1024, // input elements worth a thread
    kMaxParts = 16,     // of a sum, whatever the number of threads: results do not depend on that
    kPart = 64 * 1024,  // elements of a part
    kColumns = 64,      // that loops are quick with
};

#define SUM_TYPES (LITE_TYPE(Float32) | LITE_TYPE(Float16) | LITE_TYPES_INTEGER)

typedef struct ReduceForm {
    const char* op;
    LiteReduction reduction;
    bool mean;
    uint32_t types;
} ReduceForm;

// One reduction of this shape. Dimensions of one kind that follow each other are one. The last one is the row
// that the loops work on: columns of as many outputs, or a run that becomes one. The last one but the row
// that is reduced makes these rows many.
//
// A task is up to kLiteReduceBytes of accumulators, for outputs that follow each other; where there are few
// tasks, each is split into parts of the rows, or of the run.
typedef struct Reduction {
    LiteMove kept;    // all but the columns; `from` holds strides of the input in elements
    LiteMove reduced; // all but the run and the rows
    int64_t columns;  // length of the kept row; 1 when the row is reduced
    int64_t run;      // length of the reduced row; 1 when the row is kept
    int64_t rows;
    int64_t stride;            // from one row to the next
    int64_t elements;          // that meet in one output
    int64_t repeats;           // positions of `reduced`
    int64_t chunk;             // outputs of a task
    int64_t chunks;            // of the columns, or of all outputs
    int64_t parts;             // of a task
    LiteAccumulators* partial; // results of all parts, where there are several
    const LiteView* input;
    const LiteView* output;
    bool is_in_place; // accumulators are the results
    bool has_seed;    // the only one begins with it
    float seed;
    LiteReduceLoops loops;
    LiteReduceScale scale;
    LiteReduceFinish finish;
} Reduction;

static TfLiteStatus read_axes(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op, int rank,
                              unsigned* axes) {
    LiteView view;
    LITE_TRY(lite_kernel_input(context, node, op, 1, &view));
    if (view.count > 0 && view.data == NULL) return lite_fail(context, "%s: the axes have no data", op);
    *axes = 0;
    // A scalar has nothing to reduce, whatever the axes say.
    for (int64_t i = 0; i < view.count && rank > 0; i++) {
        const int64_t axis = lite_ints_at(&view, i);
        if (axis < -rank || axis >= rank) {
            return lite_fail(context, "%s: axis %lld is out of range for %d dimensions: Invalid axis index.",
                             op, (long long)axis, rank);
        }
        *axes |= 1u << (axis < 0 ? axis + rank : axis);
    }
    return kTfLiteOk;
}

static TfLiteStatus reduced_shape(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                  LiteShape* shape) {
    const TfLiteReducerParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "%s: no parameters", op);
    LiteView input;
    unsigned axes;
    LITE_TRY(lite_kernel_input(context, node, op, 0, &input));
    LITE_TRY(read_axes(context, node, op, input.shape.rank, &axes));
    for (int i = 0; i < input.shape.rank; i++) {
        const bool reduced = (axes >> i & 1u) != 0;
        if (reduced && !params->keep_dims) continue;
        LITE_TRY(lite_size_append(context, op, shape, reduced ? 1 : input.shape.dims[i]));
    }
    return kTfLiteOk;
}

static TfLiteStatus prepare_reduction(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                      const ReduceForm* form, LiteShapeRule rule) {
    LiteView input, axes, output;
    LITE_TRY(lite_kernel_check_counts(context, node, form->op, 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, form->op, 0, &input));
    LITE_TRY(lite_kernel_input(context, node, form->op, 1, &axes));
    LITE_TRY(lite_kernel_output(context, node, form->op, 0, &output));
    LITE_TRY(lite_check_types(context, form->op, "input", &input, form->types));
    LITE_TRY(lite_check_types(context, form->op, "axes", &axes, LITE_TYPE(Int32)));
    LITE_TRY(lite_check_same_type(context, form->op, &input, &output));
    const bool has_step = input.type == kTfLiteInt8 || input.type == kTfLiteInt16;
    if (form->reduction == kLiteReduceProduct && input.affine != NULL && !has_step) {
        return lite_fail(context, "%s: products of quantized %s are not supported", form->op,
                         TfLiteTypeGetName(input.type));
    }
    // Numbers that are not quantized are multiplied as they are.
    const bool plain_product = form->reduction == kLiteReduceProduct && input.affine == NULL;
    const bool moves = form->reduction == kLiteReduceMaximum || form->reduction == kLiteReduceMinimum;
    if (moves || plain_product) LITE_TRY(lite_check_same_elements(context, form->op, &input, &output));
    if (form->reduction == kLiteReduceSum || form->reduction == kLiteReduceProduct) {
        LITE_TRY(lite_check_symmetric(context, form->op, "input", &input));
        LITE_TRY(lite_check_symmetric(context, form->op, "output", &output));
    }
    return lite_size_output(context, node, form->op, 1u << 1, rule);
}

// Groups the dimensions of the input.
static void plan_dimensions(Reduction* r, unsigned axes) {
    const LiteShape* shape = &r->input->shape;
    int64_t strides[LITE_MAX_RANK];
    lite_move_strides(shape, strides);
    r->columns = r->run = r->rows = r->elements = r->repeats = 1;
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
    if (r->reduced.rank > 0) {
        r->rows = r->reduced.dims[--r->reduced.rank];
        r->stride = r->reduced.from[r->reduced.rank];
    }
    for (int i = 0; i < r->reduced.rank; i++) r->repeats *= r->reduced.dims[i];
}

// How the work is divided, which depends on the shapes alone.
static int64_t plan_tasks(Reduction* r) {
    const int64_t most = kLiteReduceBytes / r->loops.size;
    int64_t outputs = r->columns, groups = r->output->count / r->columns;
    if (r->columns == 1) {
        outputs = groups;
        groups = 1;
        r->chunk = 1 + kGrain / (r->elements + 1);
        if (r->chunk > most) r->chunk = most;
    } else { // a whole number of times as many chunks as there may be few threads, all of about one size
        const int64_t chunks = (outputs + most - 1) / most;
        const int64_t wanted = chunks == 1 ? 1 : (chunks + 3) / 4 * 4;
        r->chunk = chunks == 1 ? outputs : (outputs / wanted + kColumns - 1) / kColumns * kColumns;
        if (r->chunk > most) r->chunk = most;
    }
    r->chunks = (outputs + r->chunk - 1) / r->chunk;
    const int64_t tasks = groups * r->chunks;
    const int64_t length = r->rows > 1 ? r->rows : r->run;
    r->parts = tasks >= kMaxParts || r->loops.combine == NULL ? 1 : r->input->count / tasks / kPart;
    if (r->parts > kMaxParts) r->parts = kMaxParts;
    if (r->parts > length) r->parts = length;
    if (r->parts < 1) r->parts = 1;
    return tasks;
}

static int64_t offset_of(const LiteMove* group, int64_t position) {
    int64_t offset = 0;
    for (int i = group->rank - 1; i >= 0; i--) {
        offset += position % group->dims[i] * group->from[i];
        position /= group->dims[i];
    }
    return offset;
}

static void* output_at(const Reduction* r, int64_t first) {
    return (char*)r->output->data + (size_t)first * lite_type_size(r->output->type);
}

// The first output of a task, and how many it has.
static int64_t task_outputs(const Reduction* r, int64_t task, int64_t* count) {
    const int64_t at = task % r->chunks * r->chunk;
    const int64_t left = (r->columns > 1 ? r->columns : r->output->count) - at;
    *count = left < r->chunk ? left : r->chunk;
    return task / r->chunks * r->columns + at;
}

static void reduce_part(const Reduction* r, int64_t task, int64_t part, LiteAccumulators* a) {
    const size_t element = lite_type_size(r->input->type);
    const char* data = r->input->data;
    int64_t count;
    const int64_t output = task_outputs(r, task, &count);
    LiteReduceRows rows = {.stride = r->stride, .scale = &r->scale};
    const int64_t length = r->rows > 1 ? r->rows : r->run;
    const int64_t first = length * part / r->parts, after = length * (part + 1) / r->parts;
    rows.rows = r->rows > 1 ? after - first : r->rows;
    const int64_t run = r->rows > 1 ? r->run : after - first;
    const int64_t skipped = r->rows > 1 ? first * r->stride : first;
    r->loops.start(a, count);
    if (r->has_seed) a->f32[0] = r->seed;
    for (int64_t i = 0; i < r->repeats; i++) {
        const int64_t from = skipped + offset_of(&r->reduced, i);
        if (r->columns > 1) {
            const int64_t column = output % r->columns;
            rows.count = count;
            rows.data = data + (size_t)(from + offset_of(&r->kept, output / r->columns) + column) * element;
            r->loops.columns(a, &rows);
            continue;
        }
        // Outputs whose runs are as far from each other, one row of the kept dimensions at a time.
        const int last = r->kept.rank - 1;
        const int64_t length_kept = last < 0 ? 1 : r->kept.dims[last];
        rows.count = run;
        rows.next = last < 0 ? 0 : r->kept.from[last];
        for (int64_t k = 0; k < count; k += rows.outputs) {
            const int64_t left = length_kept - (output + k) % length_kept;
            rows.outputs = left < count - k ? left : count - k;
            rows.data = data + (size_t)(from + offset_of(&r->kept, output + k)) * element;
            r->loops.run(a, k, &rows);
        }
    }
}

static void reduce_tasks(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Reduction* r = argument;
    LiteAccumulators a;
    int64_t count;
    for (int64_t task = begin; task < end; task++) {
        void* out = output_at(r, task_outputs(r, task, &count));
        const bool in_place = r->is_in_place && (uintptr_t)out % _Alignof(LiteAccumulators) == 0;
        reduce_part(r, task, 0, in_place ? out : &a);
        if (!in_place) r->loops.store(&a, count, &r->finish, out);
    }
}

static void reduce_parts(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Reduction* r = argument;
    for (int64_t i = begin; i < end; i++) reduce_part(r, i / r->parts, i % r->parts, &r->partial[i]);
}

static TfLiteStatus run_parts(TfLiteOpaqueContext* context, const char* op, Reduction* r, int64_t tasks) {
    LiteArena arena = {0};
    r->partial = lite_arena_alloc(&arena, (size_t)(tasks * r->parts), sizeof(LiteAccumulators));
    if (r->partial == NULL) return lite_fail(context, "%s: out of memory", op);
    lite_parallel_for(lite_kernel_num_threads(context), tasks * r->parts, 1, reduce_parts, r);
    for (int64_t task = 0; task < tasks; task++) {
        LiteAccumulators* all = &r->partial[task * r->parts];
        int64_t count;
        const int64_t output = task_outputs(r, task, &count);
        for (int64_t i = 1; i < r->parts; i++) r->loops.combine(all, all + i, count);
        r->loops.store(all, count, &r->finish, output_at(r, output));
    }
    lite_arena_free(&arena);
    return kTfLiteOk;
}

// The scales of a sum of quantized elements.
static LiteReduceEnd plan_sum(const ReduceForm* form, Reduction* r) {
    const LiteView *in = r->input, *out = r->output;
    LiteReduceFinish* finish = &r->finish;
    finish->bias = (int32_t)((uint32_t)in->zero_point * (uint32_t)r->elements);
    finish->multiplier =
        lite_quantize_multiplier(out->scale > 0 ? (double)in->scale / (double)out->scale : 0);
    if (form->mean && r->elements > 0)
        finish->multiplier = lite_divide_multiplier(finish->multiplier, r->elements);
    // Without a scale of the output the reference's quotient is no number, which becomes the lowest one.
    if (!form->mean && in->type != kTfLiteUInt8 && !(out->scale > 0)) finish->high = finish->low;
    if (form->mean || in->type != kTfLiteInt8 || !(out->scale > 0)) return kLiteReduceRescale;
    finish->ratio = in->scale / out->scale;
    finish->offset = -(float)in->zero_point * finish->ratio * (float)r->elements;
    return kLiteReduceRound;
}

static TfLiteStatus plan_product(TfLiteOpaqueContext* context, const char* op, Reduction* r) {
    const LiteView *in = r->input, *out = r->output;
    if (in->zero_point < INT8_MIN || in->zero_point > INT8_MAX) {
        return lite_fail(context, "%s: zero point %d is out of range", op, in->zero_point);
    }
    const double root = pow((double)out->scale, 1.0 / (double)(r->elements > 0 ? r->elements : 1));
    r->finish.multiplier = lite_quantize_multiplier(root > 0 ? (double)in->scale / root : 0);
    if (r->finish.multiplier.shift > 14) return lite_fail(context, "%s: the output scale is too small", op);
    r->scale = (LiteReduceScale){in->zero_point, r->finish.multiplier};
    return kTfLiteOk;
}

// Chooses the loops, and what becomes of their results.
static TfLiteStatus plan_arithmetic(TfLiteOpaqueContext* context, const ReduceForm* form, Reduction* r) {
    const LiteView *in = r->input, *out = r->output;
    const bool narrow = in->type == kTfLiteInt8 || in->type == kTfLiteUInt8 || in->type == kTfLiteInt16;
    LiteReduction reduction = form->reduction;
    LiteReduceEnd end = form->mean ? kLiteReduceDivide : kLiteReduceStore;
    LiteReduceFinish* finish = &r->finish;
    finish->divisor = (float)r->elements;
    finish->elements = r->elements > 0 ? r->elements : 1;
    int32_t low = 0, high = 0;
    lite_type_limits(out->type, &low, &high);
    finish->zero_point = out->zero_point;
    finish->low = lite_saturate_i32((int64_t)low - out->zero_point);
    finish->high = lite_saturate_i32((int64_t)high - out->zero_point);
    if (narrow && reduction == kLiteReduceSum) {
        end = plan_sum(form, r);
    } else if (narrow && reduction == kLiteReduceProduct && in->affine != NULL) {
        LITE_TRY(plan_product(context, form->op, r));
        reduction = kLiteReduceQuantizedProduct;
    }
    if (lite_reduce_loops(reduction, end, in->type, &r->loops)) {
        const int64_t size = (int64_t)lite_type_size(out->type);
        r->is_in_place = end == kLiteReduceStore && r->loops.size == size;
        return kTfLiteOk;
    }
    return lite_fail(context, "%s: %s is not supported", form->op, TfLiteTypeGetName(in->type));
}

// In the reference extremes of a whole FLOAT32 tensor begin with its first element: a NaN there stays, others
// are passed over.
static void plan_seed(Reduction* r, LiteReduction reduction, unsigned axes) {
    const LiteView* in = r->input;
    const bool extreme = reduction == kLiteReduceMaximum || reduction == kLiteReduceMinimum;
    const bool whole = axes == (1u << in->shape.rank) - 1;
    r->has_seed = extreme && whole && in->type == kTfLiteFloat32 && in->count > 0;
    if (r->has_seed) r->seed = *(const float*)in->data;
}

static TfLiteStatus invoke_reduction(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                     const ReduceForm* form, LiteShapeRule rule) {
    LiteView input, output;
    unsigned axes;
    Reduction r = {.input = &input, .output = &output};
    LITE_TRY(lite_kernel_input(context, node, form->op, 0, &input));
    LITE_TRY(lite_size_output_view(context, node, form->op, rule, &output));
    LITE_TRY(read_axes(context, node, form->op, input.shape.rank, &axes));
    if (output.count == 0) return kTfLiteOk;
    plan_dimensions(&r, axes);
    if (input.count == 0) r.repeats = 0; // of no matter how many empty rows
    LITE_TRY(plan_arithmetic(context, form, &r));
    plan_seed(&r, form->reduction, axes);
    const int64_t tasks = plan_tasks(&r);
    if (r.parts > 1) return run_parts(context, form->op, &r, tasks);
    const int64_t work = input.count / tasks;
    lite_parallel_for(lite_kernel_num_threads(context), tasks, work < kGrain ? kGrain / (work + 1) + 1 : 1,
                      reduce_tasks, &r);
    return kTfLiteOk;
}

static bool find_row_loops(const ReduceForm* form, LiteReduceLoops* loops) {
    return lite_reduce_loops(form->reduction, form->mean ? kLiteReduceDivide : kLiteReduceStore,
                             kTfLiteFloat32, loops);
}

// Rows that follow each other, as invoke_reduction reduces them.
static void reduce_rows(const ReduceForm* form, const float* rows, int64_t count, int64_t channels,
                        float* out) {
    enum { OUTPUTS = kLiteReduceBytes / sizeof(float) };
    const LiteReduceFinish finish = {.divisor = (float)channels};
    LiteReduceLoops loops;
    LiteAccumulators a;
    if (!find_row_loops(form, &loops)) return; // describe has looked
    for (int64_t first = 0; first < count; first += OUTPUTS) {
        const int64_t outputs = count - first < OUTPUTS ? count - first : OUTPUTS;
        const LiteReduceRows some = {.data = rows + first * channels,
                                     .rows = 1,
                                     .count = channels,
                                     .outputs = outputs,
                                     .next = channels};
        loops.start(&a, outputs);
        loops.run(&a, 0, &some);
        loops.store(&a, outputs, &finish, out + first);
    }
}

// Along the last axis alone, of rows that no shape has summed in parts. A tensor of one dimension is a whole
// one, whose extremes begin otherwise.
static bool describe(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const ReduceForm* form,
                     LiteRowReduction reduce, LiteEpilogueStep* step) {
    LiteView input, axes;
    unsigned reduced;
    LiteReduceLoops loops;
    if (lite_kernel_input(context, node, form->op, 0, &input) != kTfLiteOk ||
        lite_kernel_input(context, node, form->op, 1, &axes) != kTfLiteOk) {
        return false;
    }
    const int rank = input.shape.rank;
    if (rank < 2 || input.shape.dims[rank - 1] > kPart - kGrain || !axes.constant ||
        read_axes(context, node, form->op, rank, &reduced) != kTfLiteOk || reduced != 1u << (rank - 1) ||
        !find_row_loops(form, &loops)) {
        return false;
    }
    step->reduce = reduce;
    step->cost = 1;
    step->operand_count = 1;
    return true;
}

#define DEFINE_REDUCTION(NAME, REDUCTION, MEAN, TYPES, FOLD)                                                 \
    static const ReduceForm form_##NAME = {#NAME, REDUCTION, MEAN, TYPES};                                   \
    static TfLiteStatus rule_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,                    \
                                    LiteShape* shape) {                                                      \
        return reduced_shape(context, node, #NAME, shape);                                                   \
    }                                                                                                        \
    static TfLiteStatus invoke_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {                \
        return invoke_reduction(context, node, &form_##NAME, rule_##NAME);                                   \
    }                                                                                                        \
    static TfLiteStatus prepare_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {               \
        return prepare_reduction(context, node, &form_##NAME, rule_##NAME);                                  \
    }                                                                                                        \
    static void rows_##NAME(const float* rows, int64_t count, int64_t channels, float* out) {                \
        reduce_rows(&form_##NAME, rows, count, channels, out);                                               \
    }                                                                                                        \
    static bool describe_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,                        \
                                LiteEpilogueStep* step) {                                                    \
        return describe(context, node, &form_##NAME, rows_##NAME, step);                                     \
    }                                                                                                        \
    static const LiteLines lines_##NAME = {.describe = describe_##NAME};                                     \
    const LiteKernel lite_kernel_##NAME = {.prepare = prepare_##NAME,                                        \
                                           .invoke = invoke_##NAME,                                          \
                                           .lines = LITE_HAS_TYPE(kTfLiteFloat32) ? &lines_##NAME : NULL,    \
                                           .fold = FOLD};

DEFINE_REDUCTION(SUM, kLiteReduceSum, false, SUM_TYPES | LITE_TYPE(Bool), kLiteFoldSizes)
DEFINE_REDUCTION(MEAN, kLiteReduceSum, true, SUM_TYPES, kLiteFoldSizes)
DEFINE_REDUCTION(REDUCE_PROD, kLiteReduceProduct, false, (SUM_TYPES & ~LITE_TYPE(Float16)) | LITE_TYPE(Bool),
                 kLiteFoldFew)
DEFINE_REDUCTION(REDUCE_MAX, kLiteReduceMaximum, false, SUM_TYPES | LITE_TYPE(Bool), kLiteFoldSizes)
DEFINE_REDUCTION(REDUCE_MIN, kLiteReduceMinimum, false, SUM_TYPES | LITE_TYPE(Bool), kLiteFoldSizes)
DEFINE_REDUCTION(REDUCE_ANY, kLiteReduceMaximum, false, LITE_TYPE(Bool), kLiteFoldNever)
DEFINE_REDUCTION(REDUCE_ALL, kLiteReduceMinimum, false, LITE_TYPE(Bool), kLiteFoldNever)
