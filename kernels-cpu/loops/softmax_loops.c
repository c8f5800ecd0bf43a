// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops/softmax_loops.h"
#include "kernels-cpu/loops/loops.h"
#include "kernels-cpu/loops/vector_math.h"

enum {
    kLanes = 16, // partial results, so that rows are computed in vectors
    kBlock = 512,
};

// A short loop that is to become vectors before anything unrolls it.
#define LOOP _Pragma("GCC unroll 1")
// The upper half of the lanes on to the lower one, until one is left.
#define FOLD(LANES, JOIN)                                                                                    \
    LOOP for (int i_ = 0; i_ < 8; i_++)(LANES)[i_] = JOIN((LANES)[i_], (LANES)[i_ + 8]);                     \
    LOOP for (int i_ = 0; i_ < 4; i_++)(LANES)[i_] = JOIN((LANES)[i_], (LANES)[i_ + 4]);                     \
    (LANES)[0] = JOIN(JOIN((LANES)[0], (LANES)[2]), JOIN((LANES)[1], (LANES)[3]))
#define GREATER(A, B) ((B) > (A) ? (B) : (A))
#define ADD(A, B) ((A) + (B))

#define DEFINE_JOINED(NAME, JOIN, START)                                                                     \
    static inline float NAME(const float* in, int64_t count) {                                               \
        float lanes[kLanes], rest = (START);                                                                 \
        for (int i = 0; i < kLanes; i++) lanes[i] = (START);                                                 \
        int64_t at = 0;                                                                                      \
        for (; at + kLanes <= count; at += kLanes) {                                                         \
            for (int i = 0; i < kLanes; i++) lanes[i] = JOIN(lanes[i], in[at + i]);                          \
        }                                                                                                    \
        for (; at < count; at++) rest = JOIN(rest, in[at]);                                                  \
        FOLD(lanes, JOIN);                                                                                   \
        return JOIN(rest, lanes[0]);                                                                         \
    }
DEFINE_JOINED(most_of, GREATER, -INFINITY)
DEFINE_JOINED(sum_of, ADD, 0.0f)

// The largest number; of long rows in more lanes, which do not wait for each other.
static inline float largest(const float* in, int64_t count) {
    enum { kMany = 4 * kLanes };
    if (count < 2 * kMany) return most_of(in, count);
    float lanes[kMany];
    for (int i = 0; i < kMany; i++) lanes[i] = -INFINITY;
    int64_t at = 0;
    for (; at + kMany <= count; at += kMany) {
        for (int i = 0; i < kMany; i++) lanes[i] = GREATER(lanes[i], in[at + i]);
    }
    const float rest = most_of(in + at, count - at);
    for (int i = 0; i < kLanes; i++) {
        const float low = GREATER(lanes[i], lanes[i + kLanes]);
        const float high = GREATER(lanes[i + 2 * kLanes], lanes[i + 3 * kLanes]);
        lanes[i] = GREATER(low, high);
    }
    FOLD(lanes, GREATER);
    return GREATER(rest, lanes[0]);
}

static inline float exponential(float x) {
    const float y = lite_exp_normalf(x);
    return x != x ? x : y;
}

// out[i] = exp((in[i] - largest of the row) * beta). Short rows are done in one loop.
static void exponentials(const float* in, int64_t rows, int64_t depth, float beta, float* restrict out) {
    for (int64_t row = 0; row < rows; row++) {
        const float max = largest(in + row * depth, depth);
        for (int64_t i = row * depth; i < (row + 1) * depth; i++) out[i] = (in[i] - max) * beta;
    }
    for (int64_t i = 0; i < rows * depth; i++) out[i] = exponential(out[i]);
}

// The same for a long row and beta >= 0, and their sum.
static float long_exponentials(const float* in, int64_t depth, float beta, float* restrict out) {
    const float max = largest(in, depth);
    float lanes[kLanes] = {0}, rest = 0.0f;
    int64_t at = 0;
    for (; at + kLanes <= depth; at += kLanes) {
        for (int i = 0; i < kLanes; i++) {
            const float y = lite_exp_fallingf((in[at + i] - max) * beta);
            out[at + i] = y;
            lanes[i] += y;
        }
    }
    for (; at < depth; at++) {
        out[at] = lite_exp_fallingf((in[at] - max) * beta);
        rest += out[at];
    }
    FOLD(lanes, ADD);
    return rest + lanes[0];
}

static inline void divide(float* out, int64_t depth, float sum) {
    const float scale = 1.0f / sum;
    for (int64_t i = 0; i < depth; i++) out[i] *= scale;
}

static inline void logarithms(const float* in, int64_t depth, float sum, float* restrict out) {
    const float max = largest(in, depth), log_sum = lite_logf(sum);
    for (int64_t i = 0; i < depth; i++) out[i] = in[i] - max - log_sum;
}

#define DEFINE_ROWS(NAME, END_ROW)                                                                           \
    static void NAME(const float* in, int64_t rows, int64_t depth, float beta, float* out) {                 \
        const bool together = kBlock / depth > 1 || !(beta >= 0.0f);                                         \
        const int64_t most = depth < kBlock ? kBlock / depth : 1;                                            \
        for (int64_t row = 0; row < rows; row += most) {                                                     \
            const int64_t count = rows - row < most ? rows - row : most;                                     \
            float sum = 0.0f;                                                                                \
            if (together) {                                                                                  \
                exponentials(in, count, depth, beta, out);                                                   \
            } else {                                                                                         \
                sum = long_exponentials(in, depth, beta, out);                                               \
            }                                                                                                \
            for (int64_t i = 0; i < count; i++, in += depth, out += depth) {                                 \
                if (together) sum = sum_of(out, depth);                                                      \
                END_ROW;                                                                                     \
            }                                                                                                \
        }                                                                                                    \
    }
DEFINE_ROWS(softmax, divide(out, depth, sum))
DEFINE_ROWS(log_softmax, logarithms(in, depth, sum, out))

LITE_EXPORT_LOOPS(LiteSoftmaxRows, lite_softmax_rows, (bool logarithm), (logarithm)) {
    return logarithm ? log_softmax : softmax;
}
