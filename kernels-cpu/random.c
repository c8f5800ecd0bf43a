// SPDX-License-Identifier: Apache-2.0
// RANDOM_UNIFORM, RANDOM_STANDARD_NORMAL and MULTINOMIAL. For given seeds they compute the bits of the
// reference. The sequence goes on from one invoke to the next and begins anew when the operator is prepared.
// Without seeds (both 0) each interpreter gets other numbers.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/parallel.h"
#include "core/base/system.h"
#include "kernels-cpu/support/philox.h"
#include "kernels-cpu/support/size.h"

enum { kGrain = 4096 }; // blocks worth a thread

static void* random_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    return lite_calloc(1, sizeof(LitePhilox));
}

static void random_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    lite_free(data);
}

static TfLiteStatus seed_generator(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op) {
    const TfLiteRandomParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LitePhilox* philox = TfLiteOpaqueNodeGetUserData(node);
    if (params == NULL) return lite_fail(context, "%s: no parameters", op);
    if (philox == NULL) return lite_fail(context, "%s: out of memory", op);
    *philox = params->seed == 0 && params->seed2 == 0
                  ? lite_philox_seed(lite_entropy(), lite_entropy())
                  : lite_philox_seed((uint64_t)params->seed, (uint64_t)params->seed2);
    return kTfLiteOk;
}

// In [0, 1): the lowest 23 bits are the mantissa of a number in [1, 2).
static float to_unit_f32(uint32_t word) {
    const uint32_t bits = UINT32_C(0x3F800000) | (word & UINT32_C(0x7FFFFF));
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value - 1.0f;
}

static double to_unit_f64(uint32_t high, uint32_t low) {
    const uint64_t bits = UINT64_C(0x3FF) << 52 | (uint64_t)(high & UINT32_C(0xFFFFF)) << 32 | low;
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value - 1.0;
}

// Four numbers from a block.
typedef void (*Distribution)(const uint32_t words[LITE_PHILOX_WORDS], float values[LITE_PHILOX_WORDS]);

static void draw_uniform(const uint32_t words[LITE_PHILOX_WORDS], float values[LITE_PHILOX_WORDS]) {
    for (int i = 0; i < LITE_PHILOX_WORDS; i++) values[i] = to_unit_f32(words[i]);
}

// The Box-Muller transform of pairs.
static void draw_normal(const uint32_t words[LITE_PHILOX_WORDS], float values[LITE_PHILOX_WORDS]) {
    for (int i = 0; i < LITE_PHILOX_WORDS; i += 2) {
        const float angle = (float)(6.28318530717958647692 * (double)to_unit_f32(words[i + 1]));
        const float radius = sqrtf(-2.0f * logf(fmaxf(to_unit_f32(words[i]), 1.0e-7f)));
        values[i] = sinf(angle) * radius;
        values[i + 1] = cosf(angle) * radius;
    }
}

typedef struct Job {
    const LitePhilox* philox;
    Distribution draw;
    float* output;
    int64_t count;
} Job;

static void fill_blocks(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Job* job = argument;
    for (int64_t i = begin; i < end; i++) {
        uint32_t words[LITE_PHILOX_WORDS];
        float values[LITE_PHILOX_WORDS];
        const int64_t at = i * LITE_PHILOX_WORDS, left = job->count - at;
        lite_philox_at(job->philox, (uint64_t)i, words);
        job->draw(words, values);
        memcpy(job->output + at, values,
               (size_t)(left < LITE_PHILOX_WORDS ? left : LITE_PHILOX_WORDS) * sizeof(float));
    }
}

// The output has the shape that input 0 says.
static TfLiteStatus shape_rule_of(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                  LiteShape* shape) {
    LiteView sizes;
    int64_t dims[LITE_MAX_RANK];
    int rank;
    LITE_TRY(lite_kernel_input(context, node, op, 0, &sizes));
    LITE_TRY(lite_ints_read(context, op, "shape", &sizes, LITE_MAX_RANK, dims, &rank));
    for (int i = 0; i < rank; i++) LITE_TRY(lite_size_append(context, op, shape, dims[i]));
    return kTfLiteOk;
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                            LiteShapeRule rule) {
    LiteView sizes, output;
    LITE_TRY(lite_kernel_check_counts(context, node, op, 1, 1, 1));
    LITE_TRY(lite_kernel_input(context, node, op, 0, &sizes));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    LITE_TRY(lite_check_types(context, op, "shape", &sizes, LITE_TYPE(Int32)));
    LITE_TRY(lite_check_types(context, op, "output", &output, LITE_TYPE(Float32)));
    if (sizes.shape.rank != 1) {
        return lite_fail(context, "%s: shape has %d dimensions, expected 1", op, sizes.shape.rank);
    }
    LITE_TRY(seed_generator(context, node, op));
    return lite_size_output(context, node, op, 1u << 0, rule);
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                           LiteShapeRule rule, Distribution draw) {
    LitePhilox* philox = TfLiteOpaqueNodeGetUserData(node);
    LiteView output;
    LITE_TRY(lite_size_output_view(context, node, op, rule, &output));
    Job job = {philox, draw, output.data, output.count};
    const int64_t blocks = (output.count + LITE_PHILOX_WORDS - 1) / LITE_PHILOX_WORDS;
    lite_parallel_for(lite_kernel_num_threads(context), blocks, kGrain, fill_blocks, &job);
    lite_philox_skip(philox, (uint64_t)blocks);
    return kTfLiteOk;
}

#define DEFINE_RANDOM(NAME, name, draw)                                                                      \
    static TfLiteStatus name##_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,                    \
                                    LiteShape* shape) {                                                      \
        return shape_rule_of(context, node, #NAME, shape);                                                   \
    }                                                                                                        \
    static TfLiteStatus name##_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {               \
        return prepare(context, node, #NAME, name##_rule);                                                   \
    }                                                                                                        \
    static TfLiteStatus name##_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {                \
        return invoke(context, node, #NAME, name##_rule, draw);                                              \
    }                                                                                                        \
    const LiteKernel lite_kernel_##NAME = {                                                                  \
        .init = random_init, .free = random_free, .prepare = name##_prepare, .invoke = name##_invoke};

DEFINE_RANDOM(RANDOM_UNIFORM, uniform, draw_uniform)
DEFINE_RANDOM(RANDOM_STANDARD_NORMAL, normal, draw_normal)

enum { kLogits, kSamples };

static TfLiteStatus multinomial_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    LiteView logits, samples;
    int64_t count;
    LITE_TRY(lite_kernel_input(context, node, "MULTINOMIAL", kLogits, &logits));
    LITE_TRY(lite_kernel_input(context, node, "MULTINOMIAL", kSamples, &samples));
    LITE_TRY(lite_ints_read_one(context, "MULTINOMIAL", "number of samples", &samples, &count));
    LITE_TRY(lite_size_append(context, "MULTINOMIAL", shape, logits.shape.dims[0]));
    return lite_size_append(context, "MULTINOMIAL", shape, count);
}

static TfLiteStatus multinomial_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView logits, samples, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "MULTINOMIAL", 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, "MULTINOMIAL", kLogits, &logits));
    LITE_TRY(lite_kernel_input(context, node, "MULTINOMIAL", kSamples, &samples));
    LITE_TRY(lite_kernel_output(context, node, "MULTINOMIAL", 0, &output));
    LITE_TRY(lite_check_types(context, "MULTINOMIAL", "logits", &logits, LITE_TYPE(Float32)));
    LITE_TRY(lite_check_types(context, "MULTINOMIAL", "number of samples", &samples, LITE_TYPE(Int32)));
    LITE_TRY(
        lite_check_types(context, "MULTINOMIAL", "output", &output, LITE_TYPE(Int32) | LITE_TYPE(Int64)));
    if (logits.shape.rank != 2 || samples.shape.rank != 0) {
        return lite_fail(
            context, "MULTINOMIAL: logits and number of samples of %d and %d dimensions, expected 2 and 0",
            logits.shape.rank, samples.shape.rank);
    }
    if (logits.shape.dims[1] == 0) return lite_fail(context, "MULTINOMIAL: logits of 0 classes");
    LITE_TRY(seed_generator(context, node, "MULTINOMIAL"));
    return lite_size_output(context, node, "MULTINOMIAL", 1u << kSamples, multinomial_rule);
}

// Sums of exp(logit - highest), which are in proportion to the probabilities of the classes up to each.
// Logits that are not finite have none.
static void accumulate_odds(const float* logits, int32_t classes, double* sums) {
    float highest = -FLT_MAX;
    double sum = 0.0;
    for (int32_t i = 0; i < classes; i++) {
        if (isfinite(logits[i])) highest = fmaxf(highest, logits[i]);
    }
    for (int32_t i = 0; i < classes; i++) {
        if (isfinite(logits[i])) sum += exp((double)logits[i] - (double)highest);
        sums[i] = sum;
    }
}

// The first class whose sum is above `value`; `classes` when there is none, as without finite logits.
static int32_t find_class(const double* sums, int32_t classes, double value) {
    int32_t first = 0;
    for (int32_t count = classes; count > 0;) {
        const int32_t half = count / 2;
        const bool above = value < sums[first + half];
        first = above ? first : first + half + 1;
        count = above ? half : count - half - 1;
    }
    return first;
}

static TfLiteStatus multinomial_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LitePhilox* philox = TfLiteOpaqueNodeGetUserData(node);
    LiteView logits, output;
    LITE_TRY(lite_size_output_view(context, node, "MULTINOMIAL", multinomial_rule, &output));
    LITE_TRY(lite_kernel_input(context, node, "MULTINOMIAL", kLogits, &logits));
    const int32_t classes = logits.shape.dims[1], samples = output.shape.dims[1];
    LiteArena arena = {0};
    double* sums = lite_arena_alloc(&arena, (size_t)classes, sizeof(double));
    if (sums == NULL) return lite_fail(context, "MULTINOMIAL: out of memory");
    uint32_t words[LITE_PHILOX_WORDS];
    for (int64_t i = 0; i < output.count; i++) {
        if (i % samples == 0) {
            accumulate_odds((const float*)logits.data + i / samples * classes, classes, sums);
        }
        if (i % 2 == 0) lite_philox_at(philox, (uint64_t)i / 2, words); // two words a sample
        const double unit = to_unit_f64(words[i % 2 * 2], words[i % 2 * 2 + 1]);
        const int32_t chosen = find_class(sums, classes, unit * sums[classes - 1]);
        if (output.type == kTfLiteInt64) {
            ((int64_t*)output.data)[i] = chosen;
        } else {
            ((int32_t*)output.data)[i] = chosen;
        }
    }
    lite_arena_free(&arena);
    // As many blocks as the reference sets aside, of which most are never drawn.
    const uint64_t rounded = ((uint64_t)samples + 3) / 4 * 4;
    lite_philox_skip(philox, (uint64_t)output.shape.dims[0] * rounded * 512);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_MULTINOMIAL = {
    .init = random_init, .free = random_free, .prepare = multinomial_prepare, .invoke = multinomial_invoke};
