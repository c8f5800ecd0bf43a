// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops.h"
#include "kernels-cpu/softmax.h"
#include "kernels-cpu/vector_math.h"

enum { kLanes = 16 }; // partial results, so that rows are computed in vectors

static float largest(const float* in, int64_t count) {
    float lanes[kLanes], max = -INFINITY;
    for (int i = 0; i < kLanes; i++) lanes[i] = -INFINITY;
    int64_t at = 0;
    for (; at + kLanes <= count; at += kLanes) {
        for (int i = 0; i < kLanes; i++) lanes[i] = in[at + i] > lanes[i] ? in[at + i] : lanes[i];
    }
    for (; at < count; at++) max = in[at] > max ? in[at] : max;
    for (int i = 0; i < kLanes; i++) max = lanes[i] > max ? lanes[i] : max;
    return max;
}

static float sum_of(const float* in, int64_t count) {
    float lanes[kLanes] = {0}, sum = 0.0f;
    int64_t at = 0;
    for (; at + kLanes <= count; at += kLanes) {
        for (int i = 0; i < kLanes; i++) lanes[i] += in[at + i];
    }
    for (; at < count; at++) sum += in[at];
    for (int i = 0; i < kLanes; i++) sum += lanes[i];
    return sum;
}

// out[i] = exp((in[i] - max) * beta)
static void exponentials(const float* in, int64_t count, float max, float beta, float* out) {
    for (int64_t i = 0; i < count; i++) out[i] = lite_expf((in[i] - max) * beta);
}

static void softmax(const float* in, int64_t depth, float beta, float* out) {
    exponentials(in, depth, largest(in, depth), beta, out);
    const float sum = sum_of(out, depth);
    for (int64_t i = 0; i < depth; i++) out[i] /= sum;
}

static void log_softmax(const float* in, int64_t depth, float beta, float* out) {
    (void)beta;
    const float max = largest(in, depth);
    exponentials(in, depth, max, 1.0f, out);
    // cppcheck-suppress invalidFunctionArg ; depth is at least 1 and the greatest element adds 1
    const float log_sum = logf(sum_of(out, depth));
    for (int64_t i = 0; i < depth; i++) out[i] = in[i] - max - log_sum;
}

LITE_EXPORT_LOOPS(LiteSoftmaxRow, lite_softmax_row, (bool logarithm), (logarithm)) {
    return logarithm ? log_softmax : softmax;
}
