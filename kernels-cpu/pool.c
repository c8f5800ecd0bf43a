// SPDX-License-Identifier: Apache-2.0
// AVERAGE_POOL_2D, MAX_POOL_2D, L2_POOL_2D: windows over [batch, height, width, channels]. Padding is left
// out of maxima and averages.
#include <math.h>

#include "core/base/cancel.h"
#include "core/base/parallel.h"
#include "core/semantics/quant.h"
#include "kernels-cpu/gemm/gemm_shape.h"
#include "kernels-cpu/loops/pool_loops.h"
#include "kernels-cpu/support/check.h"
#include "kernels-cpu/support/kernel.h"

enum {
    kParallelWork = 16 * 1024, // elements that are worth a second thread
    kFewPixels = 8,            // so few outputs are divided by channels
    kChunk = 64,               // of that many
    kPiece = 1 << 22,          // elements between two looks whether the inference is cancelled
};

static const char* const names[] = {
    [kLitePoolAverage] = "AVERAGE_POOL_2D", [kLitePoolMax] = "MAX_POOL_2D", [kLitePoolL2] = "L2_POOL_2D"};

typedef struct PoolJob {
    LitePool pool;
    LiteConvShape shape;
    size_t element; // bytes of one
    const char* input;
    char* output;
    LitePoolLine line; // what all lines have in common
    LitePoolLoop loop;
    int chunk; // channels of an item, at least
} PoolJob;

static TfLiteStatus check(TfLiteOpaqueContext* context, LitePool pool, const LiteView* input,
                          const LiteView* output, const TfLitePoolParams* p) {
    const TfLiteType type = input->type;
    const bool quantized = type == kTfLiteUInt8 || type == kTfLiteInt8 || type == kTfLiteInt16;
    LITE_TRY(lite_check_same_type(context, names[pool], input, output));
    if (!(type == kTfLiteFloat32 || (quantized && pool != kLitePoolL2))) {
        return lite_fail(
            context, "%s: %s input and %s output are not supported: Type %s not currently supported.",
            names[pool], TfLiteTypeGetName(type), TfLiteTypeGetName(output->type), TfLiteTypeGetName(type));
    }
    if (input->shape.rank != 4) {
        return lite_fail(context,
                         "%s: the input has %d dimensions, expected 4: NumDimensions(input) != 4 (%d != 4)",
                         names[pool], input->shape.rank, input->shape.rank);
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
    LiteAxisPadding h = lite_axis_padding(p->padding, in[1], p->filter_height, p->stride_height, 1);
    // As in the reference, which counts columns first, and no rows where a step does not bring the first
    // window to the last column.
    const int64_t missing = (int64_t)p->filter_width - in[2];
    if (p->padding == kTfLitePaddingValid && missing / p->stride_width >= 2) h = (LiteAxisPadding){0, 0, 0};
    const LiteAxisPadding w = lite_axis_padding(p->padding, in[2], p->filter_width, p->stride_width, 1);
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
    lite_activation_range_f32(a, &job->line.low, &job->line.high);
    if (output->type == kTfLiteFloat32) return kTfLiteOk;
    if (clamps && (!(output->scale > 0.0f) || !isfinite(output->scale))) {
        return lite_fail(context, "%s: the output has scale %g, expected a positive number", names[job->pool],
                         (double)output->scale);
    }
    return lite_activation_range_quantized(clamps ? a : kTfLiteActNone, output->type, output->scale,
                                           output->zero_point, &job->line.quantized_low,
                                           &job->line.quantized_high);
}

static TfLiteStatus pool_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LitePool pool) {
    const TfLitePoolParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "%s: has no parameters", names[pool]);
    LITE_TRY(lite_kernel_check_counts(context, node, names[pool], 1, 1, 1));
    LiteView input, output;
    LITE_TRY(lite_kernel_input(context, node, names[pool], 0, &input));
    LITE_TRY(lite_kernel_output(context, node, names[pool], 0, &output));
    LITE_TRY(check(context, pool, &input, &output, params));
    PoolJob job = {.pool = pool};
    LITE_TRY(activation_range(context, params, &output, &job));
    const LiteConvShape shape = shape_of(&input, params);
    // As far as the reference can count.
    if (shape.pad_h > INT16_MAX || shape.pad_w > INT16_MAX) {
        return lite_fail(context, "%s: padding of %d and %d, expected at most %d", names[pool], shape.pad_h,
                         shape.pad_w, INT16_MAX);
    }
    const LiteShape out = {4, {shape.batches, shape.out_h, shape.out_w, shape.out_c}};
    return lite_kernel_resize(context, output.tensor, &out);
}

// First position and length of a window of `filter` at `start` that is clipped to [0, size).
static int clip(int64_t start, int32_t filter, int32_t size, int64_t* first) {
    const int64_t end = start + filter < size ? start + filter : size;
    *first = start > 0 ? start : 0;
    return end > *first ? (int)(end - *first) : 0;
}

// Columns [x, end) of an output line; `picture` is the first one of its batch, and height and line are known.
static void run_columns(const PoolJob* job, LitePoolLine line, const char* picture, int64_t x, int64_t end) {
    const LiteConvShape* s = &job->shape;
    // Up to this one, windows end inside the picture.
    const int64_t last = ((int64_t)s->in_w + s->pad_w - s->filter_w) / s->stride_w;
    const int64_t most = kPiece / ((int64_t)line.height * s->filter_w * line.channels + 1) + 1;
    while (x < end && !lite_cancelled()) {
        int64_t column;
        line.width = clip(x * s->stride_w - s->pad_w, s->filter_w, s->in_w, &column);
        const bool inside = x * s->stride_w >= s->pad_w && x <= last;
        line.pixels = !inside ? 1 : (int)((end <= last ? end : last + 1) - x);
        if (line.pixels > most) line.pixels = (int)most;
        line.in = picture + (size_t)column * line.depth * job->element;
        job->loop(&line);
        line.out = (char*)line.out + (size_t)line.pixels * line.depth * job->element;
        x += line.pixels;
    }
}

// Channels from `channel` on of the outputs [pixel, end).
static void run_pixels(const PoolJob* job, int64_t pixel, int64_t end, int channel) {
    const LiteConvShape* s = &job->shape;
    LitePoolLine line = job->line;
    line.channels = s->in_c - channel < 2 * job->chunk ? s->in_c - channel : job->chunk;
    while (pixel < end) {
        const int64_t row = pixel / s->out_w, x = pixel % s->out_w;
        const int64_t after = end - pixel < s->out_w - x ? end - pixel + x : s->out_w;
        int64_t y;
        line.height = clip(row % s->out_h * s->stride_h - s->pad_h, s->filter_h, s->in_h, &y);
        const size_t first = (size_t)(row / s->out_h * s->in_h + y) * line.line + (size_t)channel;
        line.out = job->output + ((size_t)pixel * line.depth + (size_t)channel) * job->element;
        run_columns(job, line, job->input + first * job->element, x, after);
        pixel += after - x;
    }
}

static void run_items(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const PoolJob* job = argument;
    const int64_t chunks = job->shape.in_c / job->chunk;
    if (chunks == 1) {
        run_pixels(job, begin, end, 0);
        return;
    }
    for (int64_t item = begin; item < end; item++) {
        run_pixels(job, item / chunks, item / chunks + 1, (int)(item % chunks) * job->chunk);
    }
}

static TfLiteStatus pool_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LitePool pool) {
    const TfLitePoolParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteView input, output;
    LITE_TRY(lite_kernel_input(context, node, names[pool], 0, &input));
    LITE_TRY(lite_kernel_output(context, node, names[pool], 0, &output));
    if (output.count == 0) return kTfLiteOk;
    PoolJob job = {.pool = pool,
                   .shape = shape_of(&input, params),
                   .element = lite_type_size(input.type),
                   .input = input.data,
                   .output = output.data,
                   .loop = lite_pool_loop(pool, input.type)};
    LITE_TRY(activation_range(context, params, &output, &job));
    const LiteConvShape* s = &job.shape;
    job.line.depth = (size_t)s->in_c;
    job.line.step = (size_t)s->stride_w * job.line.depth;
    job.line.line = (size_t)s->in_w * job.line.depth;
    const int64_t pixels = output.count / s->out_c;
    job.chunk = pixels <= kFewPixels && s->in_c > kChunk ? kChunk : s->in_c;
    const int64_t items = pixels * (s->in_c / job.chunk);
    const int64_t window = (int64_t)s->filter_h * s->filter_w;
    const int64_t work = (window < kParallelWork ? window : kParallelWork) * job.chunk;
    lite_parallel_for(lite_kernel_num_threads(context), items, kParallelWork / work + 1, run_items, &job);
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

POOL_OPERATOR(AVERAGE_POOL_2D, kLitePoolAverage)
POOL_OPERATOR(MAX_POOL_2D, kLitePoolMax)
POOL_OPERATOR(L2_POOL_2D, kLitePoolL2)
