// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/hybrid.h"

#include <math.h>

#include "core/base/parallel.h"
#include "kernels-cpu/loops/hybrid_loops.h"

// Numbers that take longer than a thread needs to begin.
enum { GRAIN = 1 << 15 };

// Zero point in [-128, 127] such that 0 is exact: the one of the two ends with the smaller rounding error.
static int32_t choose_zero_point(double low, double high, double scale) {
    const double from_low = -128.0 - low / scale;
    const double from_high = 127.0 - high / scale;
    const double low_error = 128.0 + fabs(low / scale);
    const double high_error = 127.0 + fabs(high / scale);
    const double zero_point = low_error < high_error ? from_low : from_high;
    if (!(zero_point > -128.0)) return -128;
    return zero_point >= 127.0 ? 127 : (int32_t)round(zero_point);
}

// How the numbers of a batch become bytes.
typedef struct Steps {
    float inverse; // of the scale
    int32_t low;   // the least byte
} Steps;

static Steps choose_steps(float low, float high, bool asymmetric, float* scale, int32_t* zero_point) {
    *scale = 1.0f;
    *zero_point = 0;
    if (low == high) return (Steps){0.0f, 0};
    if (asymmetric) {
        const double step = ((double)high - (double)low) / 255.0;
        *zero_point = choose_zero_point(low, high, step);
        *scale = (float)step;
        return (Steps){*scale == 0.0f ? 0.0f : 1.0f / *scale, -128};
    }
    const float range = high > -low ? high : -low;
    *scale = range / 127.0f;
    return (Steps){127.0f / range, -127};
}

void lite_hybrid_quantize(const float* in, int64_t count, bool asymmetric, int8_t* out, float* scale,
                          int32_t* zero_point) {
    const LiteHybridLoops loops = lite_hybrid_loops();
    float low, high;
    loops.extremes(in, count, &low, &high);
    const Steps steps = choose_steps(low, high, asymmetric, scale, zero_point);
    loops.quantize(in, count, steps.inverse, *zero_point, steps.low, out);
}

// A batch that several threads quantize.
typedef struct LargeBatch {
    LiteHybridLoops loops;
    const float* in;
    float low[LITE_MAX_PARTS], high[LITE_MAX_PARTS]; // of a thread's part
    Steps steps;
    int32_t zero_point;
    int8_t* out;
} LargeBatch;

static void find_extremes(void* argument, int64_t begin, int64_t end, int thread) {
    LargeBatch* batch = argument;
    float low, high;
    batch->loops.extremes(batch->in + begin, end - begin, &low, &high);
    // In an inference that can be cancelled a part comes in pieces.
    if (low < batch->low[thread]) batch->low[thread] = low;
    if (high > batch->high[thread]) batch->high[thread] = high;
}

static void quantize_part(void* argument, int64_t begin, int64_t end, int thread) {
    const LargeBatch* batch = argument;
    (void)thread;
    batch->loops.quantize(batch->in + begin, end - begin, batch->steps.inverse, batch->zero_point,
                          batch->steps.low, batch->out + begin);
}

static void quantize_large(int threads, const float* in, int64_t count, bool asymmetric, int8_t* out,
                           float* scale, int32_t* zero_point) {
    LargeBatch batch = {.loops = lite_hybrid_loops(), .in = in, .out = out};
    lite_parallel_for(threads, count, GRAIN, find_extremes, &batch);
    float low = 0.0f, high = 0.0f;
    for (int i = 0; i < LITE_MAX_PARTS; i++) {
        low = batch.low[i] < low ? batch.low[i] : low;
        high = batch.high[i] > high ? batch.high[i] : high;
    }
    batch.steps = choose_steps(low, high, asymmetric, scale, zero_point);
    batch.zero_point = *zero_point;
    lite_parallel_for(threads, count, GRAIN, quantize_part, &batch);
}

// Several batches, each of which one thread quantizes.
typedef struct Batches {
    const float* in;
    int64_t size;
    bool asymmetric;
    LiteHybridInput* out;
} Batches;

static void quantize_batches(void* argument, int64_t begin, int64_t end, int thread) {
    const Batches* batches = argument;
    const LiteHybridInput* out = batches->out;
    (void)thread;
    for (int64_t b = begin; b < end; b++) {
        lite_hybrid_quantize(batches->in + b * batches->size, batches->size, batches->asymmetric,
                             out->values + b * batches->size, out->scales + b, out->zero_points + b);
    }
}

TfLiteStatus lite_hybrid_prepare(TfLiteOpaqueContext* context, const char* op, LiteHybrid* hybrid,
                                 int64_t batches, int64_t count, int temporaries[3]) {
    if (count > INT32_MAX || batches > INT32_MAX) {
        return lite_fail(context, "%s: the input has too many elements to be quantized", op);
    }
    const LiteShape values = {1, {(int32_t)count}};
    const LiteShape per_batch = {1, {(int32_t)batches}};
    LITE_TRY(lite_kernel_temporary(context, &hybrid->values, kTfLiteInt8, &values, false));
    LITE_TRY(lite_kernel_temporary(context, &hybrid->scales, kTfLiteFloat32, &per_batch, false));
    LITE_TRY(lite_kernel_temporary(context, &hybrid->zero_points, kTfLiteInt32, &per_batch, false));
    temporaries[0] = hybrid->values;
    temporaries[1] = hybrid->scales;
    temporaries[2] = hybrid->zero_points;
    return kTfLiteOk;
}

void lite_hybrid_input(TfLiteOpaqueContext* context, const LiteHybrid* hybrid, const float* in,
                       int64_t batches, int64_t size, bool asymmetric, LiteHybridInput* out) {
    out->values = lite_kernel_temporary_data(context, hybrid->values);
    out->scales = lite_kernel_temporary_data(context, hybrid->scales);
    out->zero_points = lite_kernel_temporary_data(context, hybrid->zero_points);
    const int threads = lite_kernel_num_threads(context);
    if (batches == 1 && size > GRAIN) {
        quantize_large(threads, in, size, asymmetric, out->values, out->scales, out->zero_points);
        return;
    }
    Batches all = {in, size, asymmetric, out};
    if (batches == 1) {
        quantize_batches(&all, 0, 1, 0);
        return;
    }
    lite_parallel_for(threads, batches, size < GRAIN ? GRAIN / (size + 1) + 1 : 1, quantize_batches, &all);
}

void lite_hybrid_store_rows(const LiteHybridRows* rows, const LiteTile* tile) {
    const bool is_per_channel = rows->weights->size > 1;
    const LiteHybridSums sums = {
        .rows = tile->rows,
        .columns = tile->columns,
        .sums = tile->sums,
        .sums_step = (size_t)tile->step,
        .scales = rows->scales + tile->row,
        .scales_step = 1,
        .weights = rows->weights->data + (is_per_channel ? tile->column : 0),
        .is_per_channel = is_per_channel,
        .bias = rows->bias != NULL ? rows->bias + tile->column : NULL,
        .low = -INFINITY,
        .high = INFINITY,
        .out = rows->out + (size_t)tile->row * (size_t)rows->columns + tile->column,
        .out_step = (size_t)rows->columns,
    };
    lite_hybrid_loops().scale(&sums);
}
