// SPDX-License-Identifier: Apache-2.0
// AVERAGE_POOL_2D, MAX_POOL_2D, L2_POOL_2D: windows over [batch, height, width, channels]. Padding is left
// out of maxima and averages.
#include <assert.h>
#include <math.h>

#include "core/base/parallel.h"
#include "core/base/quant.h"
#include "kernels-cpu/gemm.h"

#define CHUNK 256 // channels that are accumulated at a time

// Elements that are worth a second thread.
#define PARALLEL_WORK (64 * 1024)

typedef enum Pool { kAverage, kMax, kL2 } Pool;

static const char* const names[] = {
    [kAverage] = "AVERAGE_POOL_2D", [kMax] = "MAX_POOL_2D", [kL2] = "L2_POOL_2D"};

typedef struct PoolJob {
    Pool pool;
    TfLiteType type;
    LiteConvShape shape;
    const LiteMicro* micro;
    const void* input;
    void* output;
    float low;
    float high;
    int32_t quantized_low;
    int32_t quantized_high;
} PoolJob;

// The part of a window that is inside the picture.
typedef struct Window {
    size_t first; // element of its first pixel
    size_t line;  // elements of a line of the picture
    int height;
    int width;
} Window;

static TfLiteStatus check(TfLiteOpaqueContext* context, Pool pool, const LiteView* input,
                          const LiteView* output, const TfLitePoolParams* p) {
    const TfLiteType type = input->type;
    const bool quantized = type == kTfLiteUInt8 || type == kTfLiteInt8 || type == kTfLiteInt16;
    if (type != output->type || !(type == kTfLiteFloat32 || (quantized && pool != kL2))) {
        return lite_fail(context, "%s: %s input and %s output are not supported", names[pool],
                         TfLiteTypeGetName(type), TfLiteTypeGetName(output->type));
    }
    if (input->shape.rank != 4) {
        return lite_fail(context, "%s: the input has %d dimensions, expected 4", names[pool],
                         input->shape.rank);
    }
    if (p->stride_height < 1 || p->stride_width < 1) {
        return lite_fail(context, "%s: strides are %d and %d, expected at least 1", names[pool],
                         p->stride_height, p->stride_width);
    }
    if (p->filter_height < 1 || p->filter_width < 1) {
        return lite_fail(context, "%s: the filter is %d by %d, expected at least 1", names[pool],
                         p->filter_height, p->filter_width);
    }
    if (p->padding != kTfLitePaddingSame && p->padding != kTfLitePaddingValid) {
        return lite_fail(context, "%s: padding %d is neither SAME nor VALID", names[pool], (int)p->padding);
    }
    return kTfLiteOk;
}

static LiteConvShape shape_of(const LiteView* input, const TfLitePoolParams* p) {
    const int32_t* in = input->shape.dims;
    const LiteWindow h = lite_window(p->padding, in[1], p->filter_height, p->stride_height, 1);
    const LiteWindow w = lite_window(p->padding, in[2], p->filter_width, p->stride_width, 1);
    const LiteConvShape shape = {
        .batches = in[0],
        .in_d = 1,
        .in_h = in[1],
        .in_w = in[2],
        .in_c = in[3],
        .filter_d = 1,
        .filter_h = p->filter_height,
        .filter_w = p->filter_width,
        .out_d = 1,
        .out_h = h.out,
        .out_w = w.out,
        .out_c = in[3],
        .stride_h = p->stride_height,
        .stride_w = p->stride_width,
        .pad_h = h.before,
        .pad_w = w.before,
    };
    return shape;
}

static TfLiteStatus activation_range(TfLiteOpaqueContext* context, const TfLitePoolParams* params,
                                     const LiteView* output, PoolJob* job) {
    const TfLiteFusedActivation a = params->activation;
    const bool clamps = a == kTfLiteActRelu || a == kTfLiteActRelu6 || a == kTfLiteActReluN1To1;
    lite_activation_range_f32(a, &job->low, &job->high);
    if (output->type == kTfLiteFloat32) return kTfLiteOk;
    if (clamps && (!(output->scale > 0.0f) || !isfinite(output->scale))) {
        return lite_fail(context, "%s: the output has scale %g, expected a positive number", names[job->pool],
                         (double)output->scale);
    }
    return lite_activation_range_quantized(clamps ? a : kTfLiteActNone, output->type, output->scale,
                                           output->zero_point, &job->quantized_low, &job->quantized_high);
}

static TfLiteStatus pool_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Pool pool) {
    const TfLitePoolParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "%s: has no parameters", names[pool]);
    LITE_TRY(lite_check_counts(context, node, names[pool], 1, 1, 1));
    LiteView input, output;
    LITE_TRY(lite_input(context, node, names[pool], 0, &input));
    LITE_TRY(lite_output(context, node, names[pool], 0, &output));
    LITE_TRY(check(context, pool, &input, &output, params));
    PoolJob job = {.pool = pool};
    LITE_TRY(activation_range(context, params, &output, &job));
    const LiteConvShape shape = shape_of(&input, params);
    const LiteShape out = {4, {shape.batches, shape.out_h, shape.out_w, shape.out_c}};
    return lite_resize(context, output.tensor, &out);
}

// Calls BODY for each pixel of a window, `pixel` being its first channel of those from c0 on.
#define FOR_PIXELS(TYPE, BODY)                                                                               \
    for (int y = 0; y < window->height; y++) {                                                               \
        const TYPE* line = (const TYPE*)job->input + window->first + (size_t)y * window->line + c0;          \
        for (int x = 0; x < window->width; x++) {                                                            \
            const TYPE* pixel = line + (size_t)x * (size_t)channels;                                         \
            BODY                                                                                             \
        }                                                                                                    \
    }

// Averages of a chunk of channels at a time. The quotient of two integers of 53 bits, cut off, is exact in
// double precision.
#define AVERAGE(NAME, TYPE, SUM)                                                                             \
    static void NAME(const PoolJob* job, const Window* window, TYPE* out) {                                  \
        const int channels = job->shape.in_c;                                                                \
        const int64_t count = (int64_t)window->height * window->width, middle = count / 2;                   \
        const double half = (double)middle, divisor = (double)count;                                         \
        for (int c0 = 0; c0 < channels; c0 += CHUNK) {                                                       \
            const int chunk = channels - c0 < CHUNK ? channels - c0 : CHUNK;                                 \
            SUM sums[CHUNK];                                                                                 \
            for (int c = 0; c < chunk; c++) sums[c] = 0;                                                     \
            FOR_PIXELS(TYPE, for (int c = 0; c < chunk; c++) sums[c] = (SUM)(sums[c] + pixel[c]);)           \
            for (int c = 0; c < chunk; c++) {                                                                \
                const double sum = (double)sums[c];                                                          \
                const int32_t v = (int32_t)((sum > 0.0 ? sum + half : sum - half) / divisor);                \
                out[c0 + c] = (TYPE)lite_clamp_i32(v, job->quantized_low, job->quantized_high);              \
            }                                                                                                \
        }                                                                                                    \
    }
// By the bits that sums have: those of a few pixels, of an ordinary window, of any.
#define AVERAGES(NAME, TYPE, MOST_16)                                                                        \
    AVERAGE(NAME##_16, TYPE, int16_t)                                                                        \
    AVERAGE(NAME##_32, TYPE, int32_t)                                                                        \
    AVERAGE(NAME##_64, TYPE, int64_t)                                                                        \
    static void NAME(const PoolJob* job, const Window* window, TYPE* out) {                                  \
        const int64_t count = (int64_t)window->height * window->width;                                       \
        (count <= (MOST_16) ? NAME##_16 : count < 1 << 16 ? NAME##_32 : NAME##_64)(job, window, out);        \
    }
AVERAGES(average_u8, uint8_t, 128)
AVERAGES(average_i8, int8_t, 128)
AVERAGES(average_i16, int16_t, 1)

static void max_i16(const PoolJob* job, const Window* window, int16_t* out) {
    const int channels = job->shape.in_c, c0 = 0;
    for (int c = 0; c < channels; c++) out[c] = INT16_MIN;
    FOR_PIXELS(int16_t, for (int c = 0; c < channels; c++) out[c] = pixel[c] > out[c] ? pixel[c] : out[c];)
    for (int c = 0; c < channels; c++) {
        out[c] = (int16_t)lite_clamp_i32(out[c], job->quantized_low, job->quantized_high);
    }
}

// Maxima of 8 bits, all channels at once.
#define MAX_8(NAME, TYPE, FUNCTION, LOW, HIGH)                                                               \
    static void NAME(const PoolJob* job, const Window* window, TYPE* out) {                                  \
        const int channels = job->shape.in_c;                                                                \
        const int32_t low = job->quantized_low, high = job->quantized_high;                                  \
        job->micro->FUNCTION(channels, window->height, window->width,                                        \
                             (const TYPE*)job->input + window->first, window->line, out);                    \
        if (low == LOW && high == HIGH) return;                                                              \
        for (int c = 0; c < channels; c++) out[c] = (TYPE)lite_clamp_i32(out[c], low, high);                 \
    }
MAX_8(max_8u, uint8_t, max_u8, 0, UINT8_MAX)
MAX_8(max_8i, int8_t, max_i8, INT8_MIN, INT8_MAX)

static void sum_squares(int channels, const Window* window, const float* in, float* out) {
    for (int c = 0; c < channels; c++) out[c] = 0.0f;
    for (int y = 0; y < window->height; y++, in += window->line) {
        for (int x = 0; x < window->width; x++) {
            const float* pixel = in + (size_t)x * channels;
            for (int c = 0; c < channels; c++) out[c] += pixel[c] * pixel[c];
        }
    }
}

static void pool_f32(const PoolJob* job, const Window* window, float* out) {
    const int channels = job->shape.in_c;
    const float* in = (const float*)job->input + window->first;
    const float count = (float)window->height * (float)window->width;
    if (job->pool == kMax) {
        job->micro->max_f32(channels, window->height, window->width, in, window->line, out);
    } else if (job->pool == kAverage) {
        job->micro->sum_f32(channels, window->height, window->width, in, window->line, out);
        for (int c = 0; c < channels; c++) out[c] /= count;
    } else {
        sum_squares(channels, window, in, out);
        for (int c = 0; c < channels; c++) out[c] = sqrtf(out[c] / count);
    }
    const float low = job->low, high = job->high;
    for (int c = 0; c < channels; c++) out[c] = out[c] < low ? low : out[c] > high ? high : out[c];
}

// First position and length of a window of `filter` at `start` that is clipped to [0, size).
static int clip(int64_t start, int32_t filter, int32_t size, int64_t* first) {
    const int64_t end = start + filter < size ? start + filter : size;
    *first = start > 0 ? start : 0;
    return end > *first ? (int)(end - *first) : 0;
}

static void run_pixels(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const PoolJob* job = argument;
    const LiteConvShape* s = &job->shape;
    for (int64_t pixel = begin; pixel < end; pixel++) {
        const int64_t line = pixel / s->out_w;
        int64_t y, x;
        Window window = {.line = (size_t)s->in_w * (size_t)s->in_c};
        window.height = clip(line % s->out_h * s->stride_h - s->pad_h, s->filter_h, s->in_h, &y);
        window.width = clip(pixel % s->out_w * s->stride_w - s->pad_w, s->filter_w, s->in_w, &x);
        window.first = (size_t)(((line / s->out_h * s->in_h + y) * s->in_w + x) * s->in_c);
        const size_t out = (size_t)pixel * (size_t)s->out_c;
        switch (job->type) {
        case kTfLiteFloat32:
            pool_f32(job, &window, (float*)job->output + out);
            break;
        case kTfLiteUInt8:
            (job->pool == kMax ? max_8u : average_u8)(job, &window, (uint8_t*)job->output + out);
            break;
        case kTfLiteInt8:
            (job->pool == kMax ? max_8i : average_i8)(job, &window, (int8_t*)job->output + out);
            break;
        default:
            (job->pool == kMax ? max_i16 : average_i16)(job, &window, (int16_t*)job->output + out);
            break;
        }
    }
}

static TfLiteStatus pool_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Pool pool) {
    const TfLitePoolParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteView input, output;
    LITE_TRY(lite_input(context, node, names[pool], 0, &input));
    LITE_TRY(lite_output(context, node, names[pool], 0, &output));
    if (output.count == 0) return kTfLiteOk;
    PoolJob job = {.pool = pool,
                   .type = input.type,
                   .shape = shape_of(&input, params),
                   .micro = lite_micro(),
                   .input = input.data,
                   .output = output.data};
    LITE_TRY(activation_range(context, params, &output, &job));
    const int64_t pixels = output.count / job.shape.out_c;
    const int64_t work = (int64_t)job.shape.filter_h * job.shape.filter_w;
    const int64_t per_pixel = (work < PARALLEL_WORK ? work : PARALLEL_WORK) * job.shape.out_c;
    lite_parallel_for(lite_num_threads(context), pixels, PARALLEL_WORK / per_pixel + 1, run_pixels, &job);
    return kTfLiteOk;
}

#define POOL_OPERATOR(NAME, POOL)                                                                            \
    static TfLiteStatus prepare_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {               \
        return pool_prepare(context, node, POOL);                                                            \
    }                                                                                                        \
    static TfLiteStatus invoke_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {                \
        return pool_invoke(context, node, POOL);                                                             \
    }                                                                                                        \
    const LiteKernel lite_kernel_##NAME = {.prepare = prepare_##NAME, .invoke = invoke_##NAME};

POOL_OPERATOR(AVERAGE_POOL_2D, kAverage)
POOL_OPERATOR(MAX_POOL_2D, kMax)
POOL_OPERATOR(L2_POOL_2D, kL2)
