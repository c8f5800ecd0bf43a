// SPDX-License-Identifier: Apache-2.0
// L2_NORMALIZATION divides the channels of a pixel by their length.
// LOCAL_RESPONSE_NORMALIZATION divides each channel by a power of the sum over its neighbours.
#include <math.h>

#include "core/base/cancel.h"
#include "core/base/parallel.h"
#include "core/semantics/fixedpoint.h"
#include "kernels-cpu/loops/vector_math.h"
#include "kernels-cpu/support/size.h"

enum {
    kLanes = 16,       // partial sums of a row
    kChannels = 256,   // that are normalized at a time
    kGrain = 8 * 1024, // elements worth a thread
};

typedef struct NormJob {
    const LiteView* input;
    const LiteView* output;
    int64_t depth;
    const TfLiteLocalResponseNormParams* params;
} NormJob;

// All rows, which are the last dimension.
static TfLiteStatus run_rows(TfLiteOpaqueContext* context, LiteRangeBody body, NormJob* job) {
    const int64_t grain = 1 + kGrain / (job->depth + 1);
    if (job->input->count == 0) return kTfLiteOk;
    lite_parallel_for(lite_kernel_num_threads(context), job->input->count / job->depth, grain, body, job);
    return kTfLiteOk;
}

static TfLiteStatus l2_norm_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "L2_NORMALIZATION", 1, 1, 1));
    LITE_TRY(lite_kernel_input(context, node, "L2_NORMALIZATION", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "L2_NORMALIZATION", 0, &output));
    LITE_TRY(lite_check_types(context, "L2_NORMALIZATION", "input", &input,
                              LITE_TYPE(Float32) | LITE_TYPE(Int8) | LITE_TYPE(UInt8)));
    LITE_TRY(lite_check_same_type(context, "L2_NORMALIZATION", &input, &output));
    const TfLiteL2NormParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params != NULL && params->activation != kTfLiteActNone) {
        return lite_fail(context, "L2_NORMALIZATION: fused activation %d is not supported",
                         (int)params->activation);
    }
    if (input.shape.rank < 1) return lite_fail(context, "L2_NORMALIZATION: the input has no dimensions");
    int32_t low = 0, high = 0;
    lite_type_limits(input.type, &low, &high);
    if (input.zero_point < low || input.zero_point > high) {
        return lite_fail(context, "L2_NORMALIZATION: zero point %d is out of range", input.zero_point);
    }
    const int32_t zero_point = input.type == kTfLiteUInt8 ? 128 : 0;
    if (input.type != kTfLiteFloat32 && (output.scale != 1.0f / 128.0f || output.zero_point != zero_point)) {
        return lite_fail(context, "L2_NORMALIZATION: output scale %g, zero point %d, expected 1/128 and %d",
                         (double)output.scale, output.zero_point, zero_point);
    }
    return lite_kernel_resize(context, output.tensor, &input.shape);
}

static void l2_norm_f32(const float* from, float* to, int64_t depth) {
    float lanes[kLanes] = {0}, sum = 0.0f;
    int64_t at = 0;
    for (; at + kLanes <= depth; at += kLanes) {
        for (int i = 0; i < kLanes; i++) lanes[i] += from[at + i] * from[at + i];
    }
    for (; at < depth; at++) sum += from[at] * from[at];
    for (int i = 0; i < kLanes; i++) sum += lanes[i];
    // The reference's guard against a division by zero.
    const float length = sqrtf(sum);
    const float norm = length < 1e-6f ? 1e-6f : length; // NaN stays
    for (int64_t i = 0; i < depth; i++) to[i] = from[i] / norm;
}

// The output's scale, 1 / 128, is in BEFORE or in AFTER, as the reference rounds either type.
#define DEFINE_L2_NORM(NAME, TYPE, LOW, HIGH, BEFORE, AFTER)                                                 \
    static void NAME(const LiteView* input, const LiteView* output, int64_t first, int64_t depth) {          \
        const TYPE* from = (const TYPE*)input->data + first;                                                 \
        TYPE* to = (TYPE*)output->data + first;                                                              \
        uint32_t sum = 0;                                                                                    \
        for (int64_t i = 0; i < depth; i++) {                                                                \
            const int32_t difference = from[i] - input->zero_point;                                          \
            sum += (uint32_t)(difference * difference);                                                      \
        }                                                                                                    \
        LiteMultiplier m = lite_inverse_sqrt((int32_t)sum);                                                  \
        m.shift += (AFTER);                                                                                  \
        for (int64_t i = 0; i < depth; i++) {                                                                \
            const int32_t difference = from[i] - input->zero_point;                                          \
            const int32_t scaled = lite_multiply(difference * (BEFORE), m);                                  \
            to[i] = (TYPE)lite_clamp_i32(scaled + output->zero_point, LOW, HIGH);                            \
        }                                                                                                    \
    }

DEFINE_L2_NORM(l2_norm_i8, int8_t, INT8_MIN, INT8_MAX, 1, 7)
DEFINE_L2_NORM(l2_norm_u8, uint8_t, 0, UINT8_MAX, 128, 0)

static void l2_norm_rows(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const NormJob* job = argument;
    for (int64_t row = begin; row < end; row++) {
        const int64_t first = row * job->depth;
        if (job->input->type == kTfLiteFloat32) {
            l2_norm_f32((const float*)job->input->data + first, (float*)job->output->data + first,
                        job->depth);
        } else if (job->input->type == kTfLiteInt8) {
            l2_norm_i8(job->input, job->output, first, job->depth);
        } else {
            l2_norm_u8(job->input, job->output, first, job->depth);
        }
    }
}

static TfLiteStatus l2_norm_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_input(context, node, "L2_NORMALIZATION", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "L2_NORMALIZATION", 0, &output));
    NormJob job = {.input = &input, .output = &output, .depth = input.shape.dims[input.shape.rank - 1]};
    return run_rows(context, l2_norm_rows, &job);
}

const LiteKernel lite_kernel_L2_NORMALIZATION = {.prepare = l2_norm_prepare, .invoke = l2_norm_invoke};

static TfLiteStatus lrn_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    static const char op[] = "LOCAL_RESPONSE_NORMALIZATION";
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, op, 1, 1, 1));
    LITE_TRY(lite_kernel_input(context, node, op, 0, &input));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    LITE_TRY(lite_check_types(context, op, "input", &input, LITE_TYPE(Float32)));
    LITE_TRY(lite_check_same_type(context, op, &input, &output));
    if (TfLiteOpaqueNodeGetBuiltinData(node) == NULL) return lite_fail(context, "%s: no parameters", op);
    if (input.shape.rank != 4) {
        return lite_fail(context,
                         "%s: input has %d dimensions, expected 4: NumDimensions(input) != 4 (%d != 4)", op,
                         input.shape.rank, input.shape.rank);
    }
    return lite_kernel_resize(context, output.tensor, &input.shape);
}

// sums[i] = the squares of the channels at most `radius` beside channel first + i, in their order.
static void sum_neighbours(const float* row, int64_t depth, int64_t radius, int64_t first, int64_t count,
                           float* sums) {
    for (int64_t i = 0; i < count; i++) sums[i] = 0.0f;
    for (int64_t d = -radius; d <= radius && !lite_cancelled_at(d); d++) {
        const int64_t begin = first + d < 0 ? -(first + d) : 0;
        const int64_t end = first + d + count > depth ? depth - first - d : count;
        const float* x = row + first + d;
        for (int64_t i = begin; i < end; i++) sums[i] += x[i] * x[i];
    }
}

// to[i] = from[i] * base[i]^-beta
static void divide_by_powers(const float* from, const float* base, int64_t count, float beta, float* to) {
    int odd = 0; // bases that have no logarithm
    for (int64_t i = 0; i < count; i++) odd += base[i] > 0.0f ? 0 : 1;
    if (odd > 0) {
        for (int64_t i = 0; i < count; i++) to[i] = from[i] * powf(base[i], -beta);
    } else if (beta == 1.0f) {
        for (int64_t i = 0; i < count; i++) to[i] = from[i] / base[i];
    } else if (beta == 0.5f) {
        for (int64_t i = 0; i < count; i++) to[i] = from[i] / sqrtf(base[i]);
    } else {
        for (int64_t i = 0; i < count; i++) to[i] = from[i] * lite_expf(-beta * lite_logf(base[i]));
    }
}

static void lrn_rows(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const NormJob* job = argument;
    const TfLiteLocalResponseNormParams* p = job->params;
    const int64_t radius = p->radius < job->depth ? p->radius : job->depth;
    float bases[kChannels] = {0};
    for (int64_t row = begin; row < end; row++) {
        const float* from = (const float*)job->input->data + row * job->depth;
        float* to = (float*)job->output->data + row * job->depth;
        for (int64_t first = 0; first < job->depth; first += kChannels) {
            const int64_t count = job->depth - first < kChannels ? job->depth - first : kChannels;
            sum_neighbours(from, job->depth, radius, first, count, bases);
            for (int64_t i = 0; i < count; i++) bases[i] = p->bias + p->alpha * bases[i];
            divide_by_powers(from + first, bases, count, p->beta, to + first);
        }
    }
}

static TfLiteStatus lrn_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_input(context, node, "LOCAL_RESPONSE_NORMALIZATION", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "LOCAL_RESPONSE_NORMALIZATION", 0, &output));
    NormJob job = {.input = &input,
                   .output = &output,
                   .depth = input.shape.dims[3],
                   .params = TfLiteOpaqueNodeGetBuiltinData(node)};
    return run_rows(context, lrn_rows, &job);
}

const LiteKernel lite_kernel_LOCAL_RESPONSE_NORMALIZATION = {.prepare = lrn_prepare, .invoke = lrn_invoke};
