// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/conv/depthwise_lines.h"

#include <string.h>

#include "core/base/cancel.h"
#include "core/base/parallel.h"

// A thread's share of an input of fewer bytes stays in its second cache anyway.
#define MIN_BYTES (768 * 1024)
// Bytes of input lines at a time, about, for them to stay in the first cache.
#define BAND_BYTES (32 * 1024)
// Pixels of a window's lines whose copies stay near.
#define MOST_COPIED 2048
// Ranges of lines both compute the input lines that two of them read: they have so many times more of others.
#define MIN_LINES 12
// The most ranges for each thread.
#define RANGES 4
// Fewer ranges than threads will do where these have so many blocks of channels each, of so many.
#define BLOCKS 2
#define BLOCK 32

static int64_t window_lines(const LiteConvShape* s) {
    return (int64_t)(s->filter_h - 1) * s->dilation_h + 1;
}

// How many parts an image has, with few lines that two of them read.
static int64_t count_ranges(const LiteConvShape* s, int threads) {
    const int64_t shared = window_lines(s) - s->stride_h;
    const int64_t most = shared < 1 ? s->out_h : s->in_h / (MIN_LINES * shared);
    const int64_t wanted = (RANGES * (int64_t)threads + s->batches - 1) / s->batches;
    return most < wanted ? most : wanted;
}

// Larger filters than 3 x 3, which take no longer by pixels.
bool lite_depthwise_lines_copied(const LiteConvShape* s) {
    return s->batches > 0 && s->out_h > 0 && s->out_w > 0 && s->out_c == s->in_c && s->filter_w > 3 &&
           lite_depthwise_crowds_f32(s) && window_lines(s) <= s->in_h &&
           window_lines(s) * s->in_w <= MOST_COPIED;
}

void lite_depthwise_copy_lines(const LiteConvShape* s, const float* input, const LiteLineBlock* what,
                               float* out) {
    const int64_t line = (int64_t)what->image * s->in_h + what->first;
    const float* in = input + line * s->in_w * s->in_c + what->block * LITE_DEPTHWISE_COPIED;
    for (int64_t p = (int64_t)(what->end - what->first) * s->in_w; p > 0; p--, in += s->in_c) {
        memcpy(out, in, LITE_DEPTHWISE_COPIED * sizeof *out);
        out += LITE_DEPTHWISE_COPIED;
    }
}

bool lite_depthwise_lines_wanted(const LiteConvShape* s, int threads) {
    if (s->batches < 1 || s->in_w < 1 || s->in_c < 1 || s->out_c != s->in_c || s->out_h < 1 || s->out_w < 1) {
        return false;
    }
    const double image = (double)s->in_h * s->in_w * s->in_c * (double)sizeof(float);
    if (window_lines(s) > s->in_h || image * s->batches < (double)MIN_BYTES * threads) return false;
    const int64_t ranges = count_ranges(s, threads) * s->batches;
    return ranges >= threads || ranges * (s->in_c / BLOCK) >= BLOCKS * (int64_t)threads;
}

static size_t block_bytes(const LiteConvShape* s, const LiteDepthwiseLines* lines) {
    const size_t line = (size_t)s->in_w * (size_t)lines->source.block * sizeof(float);
    return ((size_t)lines->capacity * line + 63) / 64 * 64;
}

static size_t weights_bytes(const LiteConvShape* s, const LiteDepthwiseLines* lines) {
    const size_t taps = LITE_HAS_COPIED_LINES ? (size_t)s->filter_h * (size_t)s->filter_w : 0;
    return (taps * (size_t)lines->source.block * sizeof(float) + 63) / 64 * 64;
}

TfLiteStatus lite_depthwise_lines_prepare(TfLiteOpaqueContext* context, const char* op,
                                          const LiteConvShape* s, LiteDepthwiseLines* lines) {
    const int64_t line = (int64_t)s->in_w * lines->source.block * (int64_t)sizeof(float);
    const int64_t window = window_lines(s), room = BAND_BYTES / line - window;
    const int64_t band = room < 0 ? 1 : room / s->stride_h + 1;
    lines->threads = lite_kernel_num_threads(context);
    const int64_t ranges = count_ranges(s, lines->threads);
    lines->ranges = ranges < 1 ? 1 : (int32_t)ranges;
    lines->band = (int32_t)(band < s->out_h ? band : s->out_h);
    const int64_t capacity = (lines->band - 1) * (int64_t)s->stride_h + window;
    lines->capacity = (int32_t)(capacity < s->in_h ? capacity : s->in_h);
    lines->scratch = block_bytes(s, lines) + weights_bytes(s, lines) + lines->source.scratch;
    if (lines->scratch > INT32_MAX) return lite_fail(context, "%s: the filter is too large", op);
    while (lines->threads > 1 && lines->scratch > (size_t)INT32_MAX / (size_t)lines->threads)
        lines->threads--;
    const LiteShape scratch = {1, {(int32_t)(lines->scratch * (size_t)lines->threads)}};
    return lite_kernel_temporary(context, &lines->scratch_tensor, kTfLiteInt8, &scratch, false);
}

typedef struct Run {
    const LiteDepthwise* core;
    const LiteDepthwiseLines* lines;
    const LiteDepthwiseF32* job;
    char* scratch;
    int64_t blocks; // of channels
} Run;

static int32_t clamp(int64_t x, int32_t low, int32_t high) {
    return x < low ? low : x > high ? high : (int32_t)x;
}

// The input lines that output lines [first, end) read: sets `first` and `end`.
static void set_input_lines(const LiteConvShape* s, int32_t first, int32_t end, LiteLineBlock* what) {
    const int64_t from = (int64_t)first * s->stride_h - s->pad_h;
    const int64_t last = (int64_t)(end - 1) * s->stride_h - s->pad_h + window_lines(s);
    what->first = clamp(from, 0, s->in_h);
    what->end = clamp(last, what->first, s->in_h);
}

// Makes the ring hold the lines of `wanted`, where it holds those of `have`.
static void compute(const Run* run, const LiteLineBlock* have, const LiteLineBlock* wanted, float* ring) {
    const LiteConvShape* s = &run->core->shape;
    const LiteLineSource* source = &run->lines->source;
    const size_t line = (size_t)s->in_w * (size_t)source->block;
    const int32_t end = wanted->end, size = run->lines->capacity;
    LiteLineBlock missing = *wanted;
    if (have->end > missing.first) missing.first = have->end;
    for (; missing.first < end; missing.first = missing.end) {
        const int32_t at = missing.first % size;
        missing.end = end - missing.first < size - at ? end : missing.first + size - at;
        char* scratch = (char*)ring + block_bytes(s, run->lines) + weights_bytes(s, run->lines);
        source->compute_lines(source->node, &missing, scratch, ring + (size_t)at * line);
    }
}

// Weights of channels that are as far from each other as pixels crowd the same sets as these.
static const float* find_weights(const Run* run, int32_t number, float* ring) {
    const LiteConvShape* s = &run->core->shape;
    const int64_t block = run->lines->source.block, left = s->in_c - number * block;
    const size_t bytes = (size_t)(left < block ? left : block) * sizeof(float);
    float* to = (float*)(void*)((char*)ring + block_bytes(s, run->lines));
    const float* from = run->job->weights + number * block;
    for (int32_t tap = 0; tap < run->core->taps; tap++)
        memcpy(to + tap * block, from + (size_t)tap * run->job->tap, bytes);
    return to;
}

// A block of channels of output lines [first, end) of an image.
static void run_block(const Run* run, LiteLineBlock what, int32_t first, int32_t end, float* ring) {
    const LiteConvShape* s = &run->core->shape;
    const int32_t block = run->lines->source.block;
    const int64_t line = (int64_t)what.image * s->out_h;
    LiteDepthwiseF32 job = *run->job;
    job.input = ring;
    job.weights += what.block * block;
    if (LITE_HAS_COPIED_LINES) {
        job.weights = find_weights(run, what.block, ring);
        job.tap = (size_t)block;
    }
    job.column = (size_t)block;
    job.ring = run->lines->capacity;
    job.channel = what.block * block;
    const int32_t left = s->in_c - job.channel, channels = left < block ? left : block;
    for (int32_t next; first < end; first = next) {
        next = end - first < run->lines->band ? end : first + run->lines->band;
        const LiteLineBlock have = what;
        set_input_lines(s, first, next, &what);
        compute(run, &have, &what, ring);
        lite_depthwise_channels_f32(run->core, &job, (line + first) * s->out_w, (line + next) * s->out_w,
                                    job.channel, channels);
        if (job.epilogue == NULL) continue;
        lite_epilogue_run(job.epilogue, (line + first) * s->out_w, (int64_t)(next - first) * s->out_w,
                          job.channel, channels);
    }
}

// Items follow each other by image, range of lines and block.
static void run_items(void* argument, int64_t begin, int64_t end, int thread) {
    const Run* run = argument;
    const LiteConvShape* s = &run->core->shape;
    const int64_t ranges = run->lines->ranges, blocks = run->blocks;
    float* ring = (float*)(void*)(run->scratch + (size_t)thread * run->lines->scratch);
    for (int64_t i = begin; i < end && !lite_cancelled(); i++) {
        const int64_t range = i / blocks % ranges;
        const LiteLineBlock what = {.image = (int32_t)(i / blocks / ranges), .block = (int32_t)(i % blocks)};
        run_block(run, what, (int32_t)(s->out_h * range / ranges), (int32_t)(s->out_h * (range + 1) / ranges),
                  ring);
    }
}

TfLiteStatus lite_depthwise_lines_run(TfLiteOpaqueContext* context, const char* op,
                                      const LiteDepthwise* depthwise, const LiteDepthwiseLines* lines,
                                      const LiteDepthwiseF32* job) {
    const LiteConvShape* s = &depthwise->shape;
    const int32_t block = lines->source.block;
    LiteView scratch;
    LITE_TRY(lite_kernel_temporary_view(context, op, lines->scratch_tensor, &scratch));
    LITE_TRY(lines->source.begin(context, lines->source.node));
    Run run = {depthwise, lines, job, scratch.data, s->in_c / block + (s->in_c % block != 0)};
    int threads = lite_kernel_num_threads(context);
    if (threads > lines->threads) threads = lines->threads;
    lite_parallel_share(threads, s->batches * run.blocks * lines->ranges, run_items, &run);
    return kTfLiteOk;
}
