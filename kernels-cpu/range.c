// SPDX-License-Identifier: Apache-2.0
// RANGE: start, start + delta, start + 2 delta … up to, and without, the limit.
#include <math.h>
#include <string.h>

#include "core/base/parallel.h"
#include "kernels-cpu/support/size.h"

enum { kStart, kLimit, kDelta };
enum { kGrain = 32 * 1024 }; // fewer elements are not worth another thread

static float read_float(const LiteView* view) {
    float value;
    memcpy(&value, view->data, sizeof value);
    return value;
}

static TfLiteStatus fail_direction(TfLiteOpaqueContext* context, double start, double limit, double delta) {
    return lite_fail(context, "RANGE: steps of %g do not lead from the start, %g, to the limit, %g", delta,
                     start, limit);
}

static TfLiteStatus count_integers(TfLiteOpaqueContext* context, const LiteView inputs[3], double* count) {
    const int64_t start = lite_ints_at(&inputs[kStart], 0), limit = lite_ints_at(&inputs[kLimit], 0);
    const int64_t delta = lite_ints_at(&inputs[kDelta], 0);
    if (delta == 0 || (delta > 0 && start > limit) || (delta < 0 && start < limit))
        return fail_direction(context, (double)start, (double)limit, (double)delta);
    const uint64_t span = delta > 0 ? (uint64_t)limit - (uint64_t)start : (uint64_t)start - (uint64_t)limit;
    const uint64_t step = delta > 0 ? (uint64_t)delta : -(uint64_t)delta;
    const uint64_t steps = span / step + (span % step != 0);
    *count = (double)steps;
    return kTfLiteOk;
}

static TfLiteStatus count_floats(TfLiteOpaqueContext* context, const LiteView inputs[3], double* count) {
    const float start = read_float(&inputs[kStart]), limit = read_float(&inputs[kLimit]);
    const float delta = read_float(&inputs[kDelta]);
    const bool forwards = delta > 0 && start <= limit, backwards = delta < 0 && start >= limit;
    if (!forwards && !backwards) return fail_direction(context, (double)start, (double)limit, (double)delta);
    *count = (double)ceilf(fabsf((limit - start) / delta));
    return kTfLiteOk;
}

static TfLiteStatus range_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    LiteView inputs[3];
    double count = 0;
    for (int i = 0; i < 3; i++) {
        LITE_TRY(lite_kernel_input(context, node, "RANGE", i, &inputs[i]));
        if (inputs[i].count != 1 || inputs[i].data == NULL) {
            return lite_fail(context, "RANGE: input %d is not one number", i);
        }
    }
    if (inputs[0].type == kTfLiteFloat32) {
        LITE_TRY(count_floats(context, inputs, &count));
    } else {
        LITE_TRY(count_integers(context, inputs, &count));
    }
    if (!(count <= INT32_MAX)) return lite_fail(context, "RANGE: %g elements are too many", count);
    return lite_size_append(context, "RANGE", shape, (int64_t)count);
}

// Unsigned: the value after the last one may be out of range.
typedef struct RangeJob {
    TfLiteType type;
    uint64_t start, step;
    void* out;
} RangeJob;

// Blocks of elements, each of which is as far from the first as in the block before: additions, where
// products of 32 bits would be slow in vectors. (GCC 12 makes wrong vectors of offsets that are themselves
// added to.) All wraps.
enum { kBlock = 16 };
#define DEFINE_INTEGERS(BITS)                                                                                \
    static void run_integers_##BITS(const RangeJob* job, int64_t begin, int64_t end) {                       \
        const uint##BITS##_t step = (uint##BITS##_t)job->step;                                               \
        uint##BITS##_t offsets[kBlock], offset = 0;                                                          \
        for (int k = 0; k < kBlock; k++, offset += step) offsets[k] = offset;                                \
        uint##BITS##_t first = (uint##BITS##_t)job->start + (uint##BITS##_t)begin * step;                    \
        uint##BITS##_t* restrict out = job->out;                                                             \
        int64_t i = begin;                                                                                   \
        for (; i + kBlock <= end; i += kBlock, first += kBlock * step) {                                     \
            for (int k = 0; k < kBlock; k++) out[i + k] = first + offsets[k];                                \
        }                                                                                                    \
        for (int k = 0; i < end; i++, k++) out[i] = first + offsets[k];                                      \
    }
DEFINE_INTEGERS(32)
DEFINE_INTEGERS(64)

static void run_integers(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const RangeJob* job = argument;
    if (job->type == kTfLiteInt64) {
        run_integers_64(job, begin, end);
    } else {
        run_integers_32(job, begin, end);
    }
}

static TfLiteStatus range_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView start, delta, output;
    LITE_TRY(lite_size_output_view(context, node, "RANGE", range_rule, &output));
    LITE_TRY(lite_kernel_input(context, node, "RANGE", kStart, &start));
    LITE_TRY(lite_kernel_input(context, node, "RANGE", kDelta, &delta));
    if (output.type == kTfLiteFloat32) {
        float value = read_float(&start);
        const float step = read_float(&delta);
        for (int64_t i = 0; i < output.count; i++) {
            ((float*)output.data)[i] = value;
            value += step;
        }
        return kTfLiteOk;
    }
    RangeJob job = {output.type, (uint64_t)lite_ints_at(&start, 0), (uint64_t)lite_ints_at(&delta, 0),
                    output.data};
    lite_parallel_for(lite_kernel_num_threads(context), output.count, kGrain, run_integers, &job);
    return kTfLiteOk;
}

static TfLiteStatus range_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "RANGE", 3, 3, 1));
    LITE_TRY(lite_kernel_output(context, node, "RANGE", 0, &output));
    LITE_TRY(lite_check_types(context, "RANGE", "output", &output,
                              LITE_TYPE(Float32) | LITE_TYPE(Int32) | LITE_TYPE(Int64)));
    for (int i = 0; i < 3; i++) {
        LITE_TRY(lite_kernel_input(context, node, "RANGE", i, &input));
        LITE_TRY(lite_check_same_type(context, "RANGE", &input, &output));
        if (input.shape.rank != 0) {
            return lite_fail(context, "RANGE: input %d has %d dimensions, expected 0", i, input.shape.rank);
        }
    }
    return lite_size_output(context, node, "RANGE", 1u << kStart | 1u << kLimit | 1u << kDelta, range_rule);
}

const LiteKernel lite_kernel_RANGE = {
    .prepare = range_prepare, .invoke = range_invoke, .fold = kLiteFoldConstants};
