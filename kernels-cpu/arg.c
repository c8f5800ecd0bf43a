// SPDX-License-Identifier: Apache-2.0
// ARG_MAX and ARG_MIN find where the largest or smallest element along an axis is. Among equals it is the
// first; NaN is passed over.
#include "kernels-cpu/loops/arg_loops.h"

#include "core/base/parallel.h"
#include "kernels-cpu/support/size.h"

enum { kGrain = 16 * 1024 }; // input elements worth a thread

static TfLiteStatus find_axis(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op, int rank,
                              int* axis) {
    LiteView view;
    int64_t value;
    LITE_TRY(lite_kernel_input(context, node, op, 1, &view));
    LITE_TRY(lite_ints_read_one(context, op, "axis", &view, &value));
    return lite_ints_axis(context, op, value, rank, axis);
}

static TfLiteStatus arg_shape(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                              LiteShape* shape) {
    LiteView input;
    int axis;
    LITE_TRY(lite_kernel_input(context, node, op, 0, &input));
    LITE_TRY(find_axis(context, node, op, input.shape.rank, &axis));
    if (input.shape.dims[axis] == 0) return lite_fail(context, "%s: axis %d is empty", op, axis);
    int64_t product;
    LITE_TRY(lite_size_product(context, op, &input.shape, 0, axis, &product));
    LITE_TRY(lite_size_product(context, op, &input.shape, axis + 1, input.shape.rank, &product));
    for (int i = 0; i < input.shape.rank; i++) {
        if (i != axis) LITE_TRY(lite_size_append(context, op, shape, input.shape.dims[i]));
    }
    return kTfLiteOk;
}

static TfLiteStatus prepare_arg(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                TfLiteType places, LiteShapeRule rule) {
    LiteView input, axis, output;
    LITE_TRY(lite_kernel_check_counts(context, node, op, 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, op, 0, &input));
    LITE_TRY(lite_kernel_input(context, node, op, 1, &axis));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    LiteArgLoops loops;
    if (!lite_arg_loops(input.type, true, &loops)) {
        return lite_fail(
            context,
            "%s: input of type %s is not supported: Unknown input type: %d, only float32, int types "
            "and bool are supported",
            op, TfLiteTypeGetName(input.type), (int)input.type);
    }
    LITE_TRY(lite_check_types(context, op, "output", &output, LITE_TYPE(Int32) | LITE_TYPE(Int64)));
    LITE_TRY(lite_check_type(context, op, "output", &output, places));
    if (axis.count != 1) return lite_fail(context, "%s: %lld axes, expected 1", op, (long long)axis.count);
    return lite_size_output(context, node, op, 1u << 1, rule);
}

typedef struct ArgJob {
    LiteArgLoops loops;
    const LiteView* input;
    const LiteView* output;
    int64_t count;  // elements along the axis
    int64_t inner;  // elements from one to the next
    int64_t chunks; // of columns, in `inner`
} ArgJob;

static void store_places(const LiteView* output, int64_t first, const int32_t* found, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        if (output->type == kTfLiteInt64) {
            ((int64_t*)output->data)[first + i] = found[i];
        } else {
            ((int32_t*)output->data)[first + i] = found[i];
        }
    }
}

// Tasks [begin, end): each is a chunk of columns, or one row where the axis is the last one.
static void search_tasks(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const ArgJob* job = argument;
    const size_t size = lite_type_size(job->input->type);
    const char* data = job->input->data;
    int32_t found[kLiteArgColumns] = {0};
    for (int64_t task = begin; task < end; task++) {
        const int64_t outer = task / job->chunks, column = task % job->chunks * kLiteArgColumns;
        const int64_t left = job->inner - column;
        const int64_t columns = left < kLiteArgColumns ? left : kLiteArgColumns;
        const char* first = data + (size_t)(outer * job->count * job->inner + column) * size;
        if (job->inner == 1) {
            found[0] = (int32_t)job->loops.along(first, job->count);
        } else {
            job->loops.across(first, job->count, job->inner, columns, found);
        }
        store_places(job->output, outer * job->inner + column, found, columns);
    }
}

static TfLiteStatus invoke_arg(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                               bool maximum, LiteShapeRule rule) {
    LiteView input, output;
    ArgJob job = {.input = &input, .output = &output, .inner = 1};
    int axis;
    LITE_TRY(lite_kernel_input(context, node, op, 0, &input));
    LITE_TRY(lite_size_output_view(context, node, op, rule, &output));
    LITE_TRY(find_axis(context, node, op, input.shape.rank, &axis));
    if (output.count == 0) return kTfLiteOk;
    job.count = input.shape.dims[axis];
    for (int i = axis + 1; i < input.shape.rank; i++) job.inner *= input.shape.dims[i];
    if (!lite_arg_loops(input.type, maximum, &job.loops)) {
        return lite_fail(context, "%s: input of type %s is not supported", op, TfLiteTypeGetName(input.type));
    }
    job.chunks = (job.inner + kLiteArgColumns - 1) / kLiteArgColumns;
    const int64_t tasks = output.count / job.inner * job.chunks;
    lite_parallel_for(lite_kernel_num_threads(context), tasks, 1 + kGrain * tasks / input.count, search_tasks,
                      &job);
    return kTfLiteOk;
}

#define DEFINE_ARG(NAME, PARAMS, MAXIMUM)                                                                    \
    static TfLiteStatus rule_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,                    \
                                    LiteShape* shape) {                                                      \
        return arg_shape(context, node, #NAME, shape);                                                       \
    }                                                                                                        \
    static TfLiteStatus prepare_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {               \
        const PARAMS* params = TfLiteOpaqueNodeGetBuiltinData(node);                                         \
        return prepare_arg(context, node, #NAME, params == NULL ? kTfLiteNoType : params->output_type,       \
                           rule_##NAME);                                                                     \
    }                                                                                                        \
    static TfLiteStatus invoke_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {                \
        return invoke_arg(context, node, #NAME, MAXIMUM, rule_##NAME);                                       \
    }                                                                                                        \
    const LiteKernel lite_kernel_##NAME = {.prepare = prepare_##NAME, .invoke = invoke_##NAME};

DEFINE_ARG(ARG_MAX, TfLiteArgMaxParams, true)
DEFINE_ARG(ARG_MIN, TfLiteArgMinParams, false)
