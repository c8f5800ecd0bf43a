// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/conv/depthwise.h"

#include <stdalign.h>
#include <string.h>

#include "core/base/parallel.h"
#include "kernels-cpu/conv/depthwise_strip.h"
#include "kernels-cpu/gemm/weights.h"
#include "kernels-cpu/support/zeros.h"

// Multiplications that are worth a second thread.
#define LINE_WORK (64 * 1024)

void lite_depthwise_free(LiteDepthwise* depthwise) {
    lite_shared_release(depthwise->block);
    lite_free(depthwise->init);
    lite_free(depthwise->own_zeros);
    depthwise->block = NULL;
    depthwise->source = NULL;
    depthwise->init = NULL;
    depthwise->zeros = depthwise->own_zeros = NULL;
}

// Do packed weights survive a prepare for this shape?
static bool is_same(const LiteDepthwise* depthwise, const LiteConvShape* shape, TfLiteType type,
                    const LiteShared* shared) {
    const LiteConvShape* old = &depthwise->shape;
    return (depthwise->block != NULL || depthwise->zeros != NULL) && depthwise->micro == lite_micro() &&
           depthwise->type == type && depthwise->shared == shared && old->in_c == shape->in_c &&
           old->out_c == shape->out_c && old->filter_h == shape->filter_h &&
           old->filter_w == shape->filter_w && old->stride_w == shape->stride_w &&
           old->dilation_w == shape->dilation_w;
}

// A block has strips, weights, sums, and whether the strips could be packed.
static void place(LiteDepthwise* depthwise, void* memory) {
    depthwise->strips = memory;
    depthwise->weights = (uint32_t*)(void*)(depthwise->strips + depthwise->strip_bytes);
    depthwise->sums = (int32_t*)depthwise->weights + (size_t)depthwise->taps * (size_t)depthwise->shape.out_c;
    depthwise->in_strips = (uint32_t*)depthwise->sums + depthwise->shape.out_c;
}

static bool allocate(LiteDepthwise* depthwise) {
    const size_t out_c = (size_t)depthwise->shape.out_c;
    if (depthwise->type == kTfLiteFloat32) {
        if (out_c > kLiteZeros) depthwise->own_zeros = lite_calloc(out_c, sizeof(float));
        depthwise->zeros = out_c > kLiteZeros ? depthwise->own_zeros : lite_zeros();
        return depthwise->zeros != NULL;
    }
    size_t bytes;
    depthwise->strip_bytes = lite_depthwise_strip_weights(depthwise);
    if (!lite_size_mul((size_t)depthwise->taps + 1, out_c + 1, &bytes) ||
        !lite_size_mul(bytes, sizeof(uint32_t), &bytes) || bytes > SIZE_MAX - depthwise->strip_bytes) {
        return false;
    }
    depthwise->block_bytes = depthwise->strip_bytes + bytes;
    if (out_c + LITE_MICRO_MAX_PANEL > LITE_STACK_SUMS) {
        depthwise->init = lite_calloc(out_c + LITE_MICRO_MAX_PANEL, sizeof(int32_t));
        if (depthwise->init == NULL) return false;
    }
    if (depthwise->shared != NULL) return true;
    depthwise->block = lite_shared_new_private(depthwise->block_bytes);
    if (depthwise->block == NULL) return false;
    place(depthwise, lite_shared_memory(depthwise->block));
    return true;
}

TfLiteStatus lite_depthwise_prepare(TfLiteOpaqueContext* context, const char* op, LiteDepthwise* depthwise,
                                    const LiteConvShape* shape, TfLiteType type, LiteShared* shared) {
    const int64_t taps = (int64_t)shape->filter_h * shape->filter_w;
    if (taps > INT32_MAX / (int64_t)sizeof(void*))
        return lite_fail(context, "%s: the filter is too large", op);
    const bool same = is_same(depthwise, shape, type, shared);
    depthwise->shape = *shape;
    depthwise->shared = shared;
    depthwise->type = type;
    depthwise->micro = lite_micro();
    depthwise->taps = (int32_t)taps;
    depthwise->multiplier = shape->out_c / shape->in_c;
    if (!same) {
        lite_depthwise_free(depthwise);
        if (!allocate(depthwise)) return lite_fail(context, "%s: out of memory for the weights", op);
    }
    depthwise->pointers = ((size_t)taps * sizeof(void*) + 63) / 64 * 64;
    depthwise->accumulator = ((size_t)shape->out_c * sizeof(int64_t) + 63) / 64 * 64;
    depthwise->scratch = depthwise->pointers + depthwise->accumulator + ((size_t)shape->in_c + 63) / 64 * 64;
    if (type == kTfLiteFloat32) depthwise->scratch = 0;
    depthwise->threads = lite_kernel_num_threads(context);
    if (depthwise->scratch > INT32_MAX) return lite_fail(context, "%s: the filter is too large", op);
    while (depthwise->threads > 1 && depthwise->scratch > (size_t)INT32_MAX / (size_t)depthwise->threads) {
        depthwise->threads--;
    }
    const size_t bytes = depthwise->scratch * (size_t)depthwise->threads;
    const LiteShape scratch = {1, {depthwise->scratch > LITE_STACK_SCRATCH ? (int32_t)bytes : 0}};
    if (depthwise->scratch_tensor < 0 && scratch.dims[0] == 0) return kTfLiteOk;
    return lite_kernel_temporary(context, &depthwise->scratch_tensor, kTfLiteInt8, &scratch, false);
}

typedef struct Packing {
    const LiteDepthwise* depthwise;
    TfLiteType type;
    const void* weights;
    int32_t zero_point;
} Packing;

static bool fill(void* argument, void* memory) {
    const Packing* packing = argument;
    LiteDepthwise depthwise = *packing->depthwise;
    place(&depthwise, memory);
    const size_t out_c = (size_t)depthwise.shape.out_c;
    const size_t count = (size_t)depthwise.taps * out_c;
    uint32_t* sums = (uint32_t*)depthwise.sums;
    memset(sums, 0, out_c * sizeof(*sums));
    for (size_t i = 0; i < count; i++) {
        const int32_t w = lite_weight(packing->type, packing->weights, i) - packing->zero_point;
        depthwise.weights[i] = (uint16_t)w;
        sums[i % out_c] += (uint32_t)w;
    }
    *depthwise.in_strips =
        depthwise.strip_bytes > 0 &&
        lite_depthwise_pack_strips(&depthwise, packing->type, packing->weights, packing->zero_point);
    return true;
}

static bool renew(LiteDepthwise* depthwise, Packing* packing) {
    const LiteConvShape* s = &depthwise->shape;
    const int64_t key[] = {(int64_t)(uintptr_t)packing->weights,
                           packing->type,
                           packing->zero_point,
                           (int64_t)(uintptr_t)depthwise->micro,
                           (int64_t)depthwise->strip_bytes,
                           s->in_c,
                           s->out_c,
                           s->filter_h,
                           s->filter_w};
    const LiteSharedContents contents = {.key = key,
                                         .key_count = sizeof key / sizeof *key,
                                         .bytes = depthwise->block_bytes,
                                         .fill = fill,
                                         .argument = packing};
    return lite_shared_replace(&depthwise->block, depthwise->shared, &contents);
}

TfLiteStatus lite_depthwise_pack(TfLiteOpaqueContext* context, const char* op, LiteDepthwise* depthwise,
                                 TfLiteType type, const void* weights, int32_t zero_point) {
    Packing packing = {depthwise, type, weights, zero_point};
    depthwise->source = weights;
    if (depthwise->shared == NULL) {
        (void)fill(&packing, lite_shared_memory(depthwise->block));
        return kTfLiteOk;
    }
    if (!renew(depthwise, &packing)) {
        depthwise->source = NULL;
        return lite_fail(context, "%s: out of memory for the weights", op);
    }
    place(depthwise, lite_shared_memory(depthwise->block));
    return kTfLiteOk;
}

typedef struct Run {
    const LiteDepthwise* core;
    const LiteDepthwiseInt* integer;
    char* scratch;
} Run;

// Row pointers of the taps of one pixel; those in the padding are `padding`. Returns how many are inside.
static void point_taps(const LiteDepthwise* core, const LitePixel* pixel, const char* input, size_t element,
                       const void* padding, const void** to) {
    const LiteConvShape* s = &core->shape;
    const int64_t end_y = pixel->y + (int64_t)(s->filter_h - 1) * s->dilation_h;
    const int64_t end_x = pixel->x + (int64_t)(s->filter_w - 1) * s->dilation_w;
    const bool interior = pixel->y >= 0 && pixel->x >= 0 && end_y < s->in_h && end_x < s->in_w;
    const int64_t step_x = (int64_t)s->dilation_w * s->in_c * (int64_t)element;
    for (int32_t fy = 0; fy < s->filter_h; fy++) {
        const int64_t y = pixel->y + (int64_t)fy * s->dilation_h;
        const bool line_inside = y >= 0 && y < s->in_h;
        int64_t at = (pixel->image + (y * s->in_w + pixel->x) * s->in_c) * (int64_t)element;
        int64_t x = pixel->x;
        for (int32_t fx = 0; fx < s->filter_w; fx++, at += step_x, x += s->dilation_w) {
            const bool inside = interior || (line_inside && x >= 0 && x < s->in_w);
            *to++ = inside ? input + at : padding;
        }
    }
}

// Any multiplier: accumulators of all output channels, tap by tap.
static void multiply_i16(const LiteDepthwise* core, const void* const* taps, const uint32_t* w,
                         int64_t* sums) {
    const int32_t in_c = core->shape.in_c;
    const int32_t multiplier = core->multiplier;
    memset(sums, 0, (size_t)core->shape.out_c * sizeof(*sums));
    for (int32_t t = 0; t < core->taps; t++) {
        const int16_t* in = taps[t];
        if (in == NULL) {
            w += core->shape.out_c;
            continue;
        }
        int64_t* sum = sums;
        for (int32_t c = 0; c < in_c; c++) {
            for (int32_t m = 0; m < multiplier; m++) *sum++ += in[c] * (int16_t)*w++;
        }
    }
}

// The same for 8 bits; padding has no NULL here but the zero point as value.
#define MULTIPLY_TAPS_8(NAME, IN)                                                                            \
    static void NAME(const LiteDepthwise* core, const void* const* taps, int32_t* sums) {                    \
        const uint32_t* w = core->weights;                                                                   \
        uint32_t* at = (uint32_t*)sums;                                                                      \
        memcpy(at, core->init, (size_t)core->shape.out_c * sizeof(*at));                                     \
        for (int32_t t = 0; t < core->taps; t++) {                                                           \
            const IN* in = taps[t];                                                                          \
            uint32_t* sum = at;                                                                              \
            for (int32_t c = 0; c < core->shape.in_c; c++) {                                                 \
                for (int32_t m = 0; m < core->multiplier; m++) {                                             \
                    *sum++ += (uint32_t)(in[c] * (int16_t)*w++);                                             \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
    }
MULTIPLY_TAPS_8(multiply_i8, int8_t)
MULTIPLY_TAPS_8(multiply_u8, uint8_t)

static void pixel_16(const Run* run, const LitePixel* pixel, int64_t row, const void** taps, int64_t* sums) {
    point_taps(run->core, pixel, run->integer->input.data, sizeof(int16_t), NULL, taps);
    multiply_i16(run->core, taps, run->core->weights, sums);
    run->integer->sink_wide(run->integer->argument, row, sums);
}

static void pixel_8(const Run* run, const LitePixel* pixel, int64_t row, const void** taps, int32_t* sums,
                    const uint8_t* padding) {
    const LiteDepthwise* core = run->core;
    const LiteGemmInput* input = &run->integer->input;
    const int32_t out_c = core->shape.out_c;
    point_taps(core, pixel, input->data, 1, padding, taps);
    if (input->type == kTfLiteInt8 && core->multiplier == 1) {
        core->micro->depthwise_i8(out_c, core->taps, (const int8_t* const*)taps, core->weights, core->init,
                                  sums);
    } else if (core->multiplier == 1) {
        core->micro->depthwise_u8(out_c, core->taps, (const uint8_t* const*)taps, core->weights, core->init,
                                  sums);
    } else if (input->type == kTfLiteInt8) {
        multiply_i8(core, taps, sums);
    } else {
        multiply_u8(core, taps, sums);
    }
    const LiteRequantization* scale = run->integer->scale;
    if (scale == NULL) {
        run->integer->sink(run->integer->argument, row, pixel->batch, sums);
        return;
    }
    core->micro->requantize(1, out_c, sums, 0, scale, run->integer->output + row * out_c, 0);
}

static void run_rows(void* argument, int64_t begin, int64_t end, int thread) {
    const Run* run = argument;
    const LiteDepthwise* core = run->core;
    alignas(64) char small[LITE_STACK_SCRATCH];
    char* scratch = core->scratch > sizeof small ? run->scratch + (size_t)thread * core->scratch : small;
    const void** taps = (const void**)(void*)scratch;
    memset(scratch, 0, core->pointers); // analyzers do not see that each tap is set
    void* sums = scratch + core->pointers;
    uint8_t* padding = (uint8_t*)scratch + core->pointers + core->accumulator;
    LitePixel pixel = lite_gemm_pixel(&core->shape, begin);
    int32_t padded_batch = -1;
    for (int64_t row = begin; row < end; row++, lite_gemm_next_pixel(&core->shape, &pixel)) {
        const LiteGemmInput* input = &run->integer->input;
        if (input->type == kTfLiteInt16) {
            pixel_16(run, &pixel, row, taps, sums);
            continue;
        }
        if (padded_batch != pixel.batch) {
            padded_batch = pixel.batch;
            memset(padding, (uint8_t)input->zero_points[input->per_batch ? pixel.batch : 0],
                   (size_t)core->shape.in_c);
        }
        pixel_8(run, &pixel, row, taps, sums, padding);
    }
}

static TfLiteStatus run_all(TfLiteOpaqueContext* context, const char* op, Run* run) {
    LiteView scratch = {.data = NULL};
    if (run->core->scratch_tensor >= 0)
        LITE_TRY(lite_kernel_temporary_view(context, op, run->core->scratch_tensor, &scratch));
    run->scratch = scratch.data;
    int threads = lite_kernel_num_threads(context);
    if (threads > run->core->threads) threads = run->core->threads;
    const int64_t per_pixel = (int64_t)run->core->taps * run->core->shape.out_c + 1;
    lite_parallel_for(threads, lite_gemm_rows(&run->core->shape), LINE_WORK / per_pixel + 1, run_rows, run);
    return kTfLiteOk;
}

static bool uses_strips(const LiteDepthwise* core, const LiteDepthwiseInt* job) {
    return job->scale != NULL && *core->in_strips != 0;
}

static void set_init(const LiteDepthwise* core, const LiteDepthwiseInt* job) {
    const size_t channels = (size_t)core->shape.out_c;
    uint32_t* init = (uint32_t*)core->init;
    memset(init, 0, channels * sizeof(*init));
    if (job->scale == NULL) return;
    if (job->bias != NULL) memcpy(init, job->bias, channels * sizeof(*init));
    uint32_t zero_point = (uint32_t)job->input.zero_points[0];
    if (uses_strips(core, job)) zero_point += lite_byte_flip(job->input.type); // its inputs are unsigned
    for (size_t c = 0; c < channels; c++) init[c] -= zero_point * (uint32_t)core->sums[c];
}

TfLiteStatus lite_depthwise_run_int(TfLiteOpaqueContext* context, const char* op,
                                    const LiteDepthwise* depthwise, const LiteDepthwiseInt* job) {
    int32_t init[LITE_STACK_SUMS];
    LiteDepthwise core = *depthwise;
    if (core.init == NULL) core.init = init;
    Run run = {.core = &core, .integer = job};
    set_init(&core, job);
    if (!uses_strips(&core, job)) return run_all(context, op, &run);
    lite_depthwise_run_strips(&core, job, lite_kernel_num_threads(context));
    return kTfLiteOk;
}
