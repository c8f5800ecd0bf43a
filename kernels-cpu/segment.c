// SPDX-License-Identifier: Apache-2.0
// SEGMENT_SUM and UNSORTED_SEGMENT_{MAX,MIN,PROD,SUM} combine slices with the same segment id into one.
#include <float.h>

#include "core/base/cancel.h"
#include "kernels-cpu/support/size.h"
#include "kernels-cpu/support/types.h"

enum { kData, kIds, kNumSegments };

static const uint32_t data_types = LITE_TYPE(Int32) | LITE_TYPE(Float32);

// Combine the slices of `length` elements of all segments that have an id; negative ids are left out. The
// output holds the operation's neutral elements beforehand.
typedef struct Job {
    const int32_t* ids;
    int64_t count; // of ids
    int64_t length;
    const void* input;
    void* output;
} Job;

// Integers wrap around.
#define MAX(a, b) ((b) > (a) ? (b) : (a))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define ADD_f32(a, b) ((a) + (b))
#define ADD_i32(a, b) ((int32_t)((uint32_t)(a) + (uint32_t)(b)))
#define MUL_f32(a, b) ((a) * (b))
#define MUL_i32(a, b) ((int32_t)((uint32_t)(a) * (uint32_t)(b)))

#define DEFINE_COMBINE(name, T, NEUTRAL, COMBINE)                                                            \
    static void name(const Job* job, int64_t output_count) {                                                 \
        T* output = job->output;                                                                             \
        const T* input = job->input;                                                                         \
        for (int64_t i = 0; i < output_count; i++) output[i] = NEUTRAL;                                      \
        for (int64_t i = 0; i < job->count && !lite_cancelled_at(i * job->length);                           \
             i++, input += job->length) {                                                                    \
            if (job->ids[i] < 0) continue;                                                                   \
            T* restrict segment = output + job->ids[i] * job->length;                                        \
            const int64_t length = job->length;                                                              \
            for (int64_t j = 0; j < length; j++) segment[j] = COMBINE(segment[j], input[j]);                 \
        }                                                                                                    \
    }

DEFINE_COMBINE(sum_f32, float, 0.0f, ADD_f32)
DEFINE_COMBINE(sum_i32, int32_t, 0, ADD_i32)
DEFINE_COMBINE(prod_f32, float, 1.0f, MUL_f32)
DEFINE_COMBINE(prod_i32, int32_t, 1, MUL_i32)
DEFINE_COMBINE(max_f32, float, -FLT_MAX, MAX)
DEFINE_COMBINE(max_i32, int32_t, INT32_MIN, MAX)
DEFINE_COMBINE(min_f32, float, FLT_MAX, MIN)
DEFINE_COMBINE(min_i32, int32_t, INT32_MAX, MIN)

typedef struct Combine {
    const char* op;
    void (*f32)(const Job* job, int64_t output_count);
    void (*i32)(const Job* job, int64_t output_count);
} Combine;

static const Combine segment_sum = {"SEGMENT_SUM", sum_f32, sum_i32};
static const Combine unsorted_max = {"UNSORTED_SEGMENT_MAX", max_f32, max_i32};
static const Combine unsorted_min = {"UNSORTED_SEGMENT_MIN", min_f32, min_i32};
static const Combine unsorted_prod = {"UNSORTED_SEGMENT_PROD", prod_f32, prod_i32};
static const Combine unsorted_sum = {"UNSORTED_SEGMENT_SUM", sum_f32, sum_i32};

static TfLiteStatus check_tensors(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op) {
    LiteView data, ids, output;
    LITE_TRY(lite_kernel_input(context, node, op, kData, &data));
    LITE_TRY(lite_kernel_input(context, node, op, kIds, &ids));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    LITE_TRY(lite_check_types(context, op, "data", &data, data_types));
    LITE_TRY(lite_check_types(context, op, "segment ids", &ids, LITE_TYPE(Int32)));
    LITE_TRY(lite_check_same_type(context, op, &data, &output));
    if (ids.shape.rank > data.shape.rank) {
        return lite_fail(context, "%s: segment ids of %d dimensions for data of %d", op, ids.shape.rank,
                         data.shape.rank);
    }
    for (int i = 0; i < ids.shape.rank; i++) {
        if (ids.shape.dims[i] != data.shape.dims[i]) {
            return lite_fail(context, "%s: dimension %d is %d for segment ids and %d for data", op, i,
                             ids.shape.dims[i], data.shape.dims[i]);
        }
    }
    return kTfLiteOk;
}

// [segments] followed by the dimensions of data that ids do not have.
static TfLiteStatus segment_shape(TfLiteOpaqueContext* context, const char* op, const LiteView* data,
                                  const LiteView* ids, int64_t segments, LiteShape* shape) {
    LITE_TRY(lite_size_append(context, op, shape, segments));
    for (int i = ids->shape.rank; i < data->shape.rank; i++) {
        LITE_TRY(lite_size_append(context, op, shape, data->shape.dims[i]));
    }
    return kTfLiteOk;
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const Combine* combine,
                           LiteShapeRule rule) {
    LiteView data, ids, output;
    LITE_TRY(lite_size_output_view(context, node, combine->op, rule, &output));
    LITE_TRY(lite_kernel_input(context, node, combine->op, kData, &data));
    LITE_TRY(lite_kernel_input(context, node, combine->op, kIds, &ids));
    const int64_t segments = output.shape.dims[0];
    const int32_t* numbers = ids.data;
    int64_t length;
    LITE_TRY(lite_size_product(context, combine->op, &data.shape, 1, data.shape.rank, &length));
    if (output.count > 0 && output.data == NULL)
        return lite_fail(context, "%s: the output has no memory", combine->op);
    for (int64_t i = 0; i < ids.count && !lite_cancelled_at(i); i++) {
        if (numbers[i] >= segments) {
            return lite_fail(context, "%s: segment id %d is outside %lld segments", combine->op, numbers[i],
                             (long long)segments);
        }
    }
    if (lite_cancelled()) return kTfLiteOk; // ids that have not been looked at may be out of range
    const Job job = {numbers, ids.count, ids.count > 0 ? data.count / ids.count : 0, data.data, output.data};
    (data.type == kTfLiteFloat32 ? combine->f32 : combine->i32)(&job, output.count);
    return kTfLiteOk;
}

// SEGMENT_SUM: ids are 0, 0, 1, 1, 2, …; as many segments as there are ids.
static TfLiteStatus sum_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    LiteView data, ids;
    LITE_TRY(lite_kernel_input(context, node, segment_sum.op, kData, &data));
    LITE_TRY(lite_kernel_input(context, node, segment_sum.op, kIds, &ids));
    const int32_t* numbers = ids.data;
    int32_t last = -1;
    for (int64_t i = 0; i < ids.count; i++) {
        if ((i == 0 || numbers[i] != last) && numbers[i] != last + 1) {
            return lite_fail(context, "SEGMENT_SUM: segment id %d at position %lld follows %d", numbers[i],
                             (long long)i, last);
        }
        last = numbers[i];
    }
    return segment_shape(context, segment_sum.op, &data, &ids, (int64_t)last + 1, shape);
}

static TfLiteStatus sum_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LITE_TRY(lite_kernel_check_counts(context, node, segment_sum.op, 2, 2, 1));
    LITE_TRY(check_tensors(context, node, segment_sum.op));
    LiteView ids;
    LITE_TRY(lite_kernel_input(context, node, segment_sum.op, kIds, &ids));
    if (ids.shape.rank != 1) {
        return lite_fail(context, "SEGMENT_SUM: segment ids have %d dimensions, expected 1", ids.shape.rank);
    }
    return lite_size_output(context, node, segment_sum.op, 1u << kIds, sum_rule);
}

static TfLiteStatus sum_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return invoke(context, node, &segment_sum, sum_rule);
}

const LiteKernel lite_kernel_SEGMENT_SUM = {.prepare = sum_prepare, .invoke = sum_invoke};

static TfLiteStatus unsorted_rule_of(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                     LiteShape* shape) {
    LiteView data, ids, num_segments;
    int64_t segments;
    LITE_TRY(lite_kernel_input(context, node, op, kData, &data));
    LITE_TRY(lite_kernel_input(context, node, op, kIds, &ids));
    LITE_TRY(lite_kernel_input(context, node, op, kNumSegments, &num_segments));
    LITE_TRY(lite_ints_read_one(context, op, "number of segments", &num_segments, &segments));
    return segment_shape(context, op, &data, &ids, segments, shape);
}

static TfLiteStatus unsorted_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                     LiteShapeRule rule) {
    LiteView num_segments;
    LITE_TRY(lite_kernel_check_counts(context, node, op, 3, 3, 1));
    LITE_TRY(check_tensors(context, node, op));
    LITE_TRY(lite_kernel_input(context, node, op, kNumSegments, &num_segments));
    LITE_TRY(lite_check_types(context, op, "number of segments", &num_segments, LITE_TYPE(Int32)));
    if (num_segments.shape.rank > 1) {
        return lite_fail(context, "%s: the number of segments has %d dimensions, expected at most 1", op,
                         num_segments.shape.rank);
    }
    return lite_size_output(context, node, op, 1u << kNumSegments, rule);
}

#define DEFINE_UNSORTED(NAME, combine)                                                                       \
    static TfLiteStatus combine##_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,                 \
                                       LiteShape* shape) {                                                   \
        return unsorted_rule_of(context, node, combine.op, shape);                                           \
    }                                                                                                        \
    static TfLiteStatus combine##_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {            \
        return unsorted_prepare(context, node, combine.op, combine##_rule);                                  \
    }                                                                                                        \
    static TfLiteStatus combine##_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {             \
        return invoke(context, node, &combine, combine##_rule);                                              \
    }                                                                                                        \
    const LiteKernel lite_kernel_##NAME = {.prepare = combine##_prepare, .invoke = combine##_invoke};

DEFINE_UNSORTED(UNSORTED_SEGMENT_MAX, unsorted_max)
DEFINE_UNSORTED(UNSORTED_SEGMENT_MIN, unsorted_min)
DEFINE_UNSORTED(UNSORTED_SEGMENT_PROD, unsorted_prod)
DEFINE_UNSORTED(UNSORTED_SEGMENT_SUM, unsorted_sum)
