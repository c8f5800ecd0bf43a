// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/conv/depthwise_strip.h"

#include <stdalign.h>
#include <string.h>

#include "core/base/parallel.h"
#include "kernels-cpu/gemm/weights.h"

// Output lines of a strip: enough to be worth its preparation, few enough for two threads to share a picture.
#define MAX_ROWS 14
#define FEW_ROWS 6
// Multiplications that are worth a second thread.
#define STRIP_WORK (64 * 1024)

// Groups of filter lines.
static int32_t groups_of(const LiteDepthwise* core) {
    return (core->shape.filter_h + core->micro->strip_group - 1) / core->micro->strip_group;
}

// Outputs of a line that fit a strip; 0: none.
static int32_t most_pixels(const LiteDepthwise* core) {
    const LiteConvShape* s = &core->shape;
    if (s->filter_h > LITE_STRIP_LINES || s->stride_w > s->filter_w) return 0;
    const int64_t window = (int64_t)(s->filter_w - 1) * s->dilation_w + 1;
    const int64_t columns = LITE_STRIP_SIZE / groups_of(core);
    if (window > columns / 2) return 0;
    return (int32_t)((columns - window) / s->stride_w + 1);
}

// Output lines that fit a strip; 0: none.
static int32_t most_rows(const LiteConvShape* s) {
    const int64_t window = (int64_t)(s->filter_h - 1) * s->dilation_h + 1;
    if (window > LITE_STRIP_LINES) return 0;
    const int64_t rows = (LITE_STRIP_LINES - window) / s->stride_h + 1;
    return rows < MAX_ROWS ? (int32_t)rows : MAX_ROWS;
}

static int32_t blocks_of(const LiteDepthwise* core) {
    return (core->shape.in_c + core->micro->lanes - 1) / core->micro->lanes;
}

// Of one vector of channels.
static size_t block_size(const LiteDepthwise* core) {
    return (size_t)core->shape.filter_w * (size_t)groups_of(core) * (size_t)core->micro->lanes * 4;
}

size_t lite_depthwise_strip_weights(const LiteDepthwise* core) {
    const bool possible = core->micro->depthwise_strip != NULL && core->multiplier == 1 &&
                          core->type != kTfLiteInt16 && most_pixels(core) > 0 && most_rows(&core->shape) > 0;
    return possible ? (size_t)blocks_of(core) * block_size(core) : 0;
}

bool lite_depthwise_pack_strips(LiteDepthwise* core, TfLiteType type, const void* weights,
                                int32_t zero_point) {
    const LiteConvShape* s = &core->shape;
    const int32_t lanes = core->micro->lanes, group = core->micro->strip_group;
    memset(core->strips, 0, (size_t)blocks_of(core) * block_size(core));
    for (int32_t i = 0; i < core->taps * s->out_c; i++) {
        const int32_t w = lite_weight(type, weights, (size_t)i) - zero_point;
        const int32_t channel = i % s->out_c, tap = i / s->out_c;
        const int32_t line = tap / s->filter_w, column = tap % s->filter_w;
        const int32_t lane = (column * groups_of(core) + line / group) * lanes + channel % lanes;
        char* block = core->strips + (size_t)(channel / lanes) * block_size(core);
        if (group == 4) {
            if (w < INT8_MIN || w > INT8_MAX) return false;
            ((int8_t*)block)[4 * lane + line % 4] = (int8_t)w;
        } else {
            ((int16_t*)(void*)block)[2 * lane + line % 2] = (int16_t)w;
        }
    }
    return true;
}

typedef struct Run {
    const LiteDepthwise* core;
    const LiteDepthwiseInt* job;
    int32_t strips; // side by side
    int32_t chunks; // one below the other
    int32_t blocks;
    alignas(64) uint8_t padding[LITE_MICRO_MAX_PANEL]; // a line outside of the picture
} Run;

static int clamp(int64_t x, int64_t high) {
    return (int)(x < 0 ? 0 : x > high ? high : x);
}

// Part n of `count` things in `parts` parts begins there.
static int32_t begin_of(int32_t count, int32_t parts, int32_t n) {
    return (int32_t)((int64_t)count * n / parts);
}

// The strip of outputs from `out_x` and line `out_y` on, for channels from `channel` on.
static void run_strip(const Run* run, LiteStrip* strip, int32_t batch, int32_t out_y, int32_t out_x,
                      int32_t channel) {
    const LiteDepthwise* core = run->core;
    const LiteConvShape* s = &core->shape;
    const uint8_t* image = (const uint8_t*)run->job->input.data + batch * lite_gemm_image(s);
    const int64_t x = (int64_t)out_x * s->stride_w - s->pad_w;
    const int64_t y = (int64_t)out_y * s->stride_h - s->pad_h;
    const int64_t width = (int64_t)(strip->pixels - 1) * s->stride_w + (s->filter_w - 1) * s->dilation_w + 1;
    const int64_t height = (int64_t)(strip->rows - 1) * s->stride_h + (s->filter_h - 1) * s->dilation_h + 1;
    strip->begin = clamp(-x, width);
    strip->end = clamp(s->in_w - x, width);
    for (int64_t i = 0; i < height; i++) {
        const bool inside = y + i >= 0 && y + i < s->in_h && strip->begin < strip->end;
        strip->in[i] = run->padding;
        strip->step[i] = 0;
        if (!inside) continue;
        strip->in[i] = image + ((y + i) * s->in_w + x + strip->begin) * s->in_c + channel;
        strip->step[i] = (size_t)s->in_c;
    }
    const int64_t row = ((int64_t)batch * s->out_h + out_y) * s->out_w;
    strip->out = run->job->output + (row + out_x) * s->out_c + channel;
    core->micro->depthwise_strip(strip);
}

// Items are vectors of channels of some lines.
static void run_range(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Run* run = argument;
    const LiteDepthwise* core = run->core;
    const LiteConvShape* s = &core->shape;
    const uint8_t flip = lite_byte_flip(run->job->input.type);
    LiteStrip strip = {.stride = s->stride_w,
                       .row_stride = s->stride_h,
                       .lines = s->filter_h,
                       .columns = s->filter_w,
                       .dilation = s->dilation_w,
                       .line_dilation = s->dilation_h,
                       .padding = run->padding[0] ^ flip,
                       .flip = flip,
                       .scale = *run->job->scale,
                       .out_step = (size_t)s->out_c,
                       .out_row = (size_t)s->out_w * (size_t)s->out_c};
    for (int64_t i = begin; i < end; i++) {
        const int32_t block = (int32_t)(i % run->blocks);
        const int64_t part = i / run->blocks; // of all pictures
        const int32_t chunk = (int32_t)(part % run->chunks), batch = (int32_t)(part / run->chunks);
        const int32_t channel = block * core->micro->lanes, left = s->in_c - channel;
        const int32_t out_y = begin_of(s->out_h, run->chunks, chunk);
        strip.rows = begin_of(s->out_h, run->chunks, chunk + 1) - out_y;
        strip.channels = left < core->micro->lanes ? left : core->micro->lanes;
        strip.w = core->strips + (size_t)block * block_size(core);
        strip.init = core->init + channel;
        strip.scale.multiplier = run->job->scale->multiplier + channel;
        strip.scale.shift = run->job->scale->shift + channel;
        for (int32_t n = 0; n < run->strips; n++) {
            const int32_t out_x = begin_of(s->out_w, run->strips, n);
            strip.pixels = begin_of(s->out_w, run->strips, n + 1) - out_x;
            run_strip(run, &strip, batch, out_y, out_x, channel);
        }
    }
}

// Threads take lines rather than channels where there are enough, as convolutions before and after do: the
// data stay in their caches.
static int32_t count_chunks(const LiteConvShape* s, int32_t rows, int threads) {
    const int32_t chunks = (s->out_h + rows - 1) / rows;
    const int32_t even = (chunks + threads - 1) / threads * threads;
    return s->batches < threads && s->out_h / even >= FEW_ROWS ? even : chunks;
}

void lite_depthwise_run_strips(const LiteDepthwise* core, const LiteDepthwiseInt* job, int threads) {
    const LiteConvShape* s = &core->shape;
    const int32_t pixels = most_pixels(core), rows = most_rows(s);
    if (pixels == 0 || rows == 0) return; // lite_depthwise_strip_weights has seen to that
    Run run = {.core = core, .job = job, .blocks = blocks_of(core), .chunks = count_chunks(s, rows, threads)};
    run.strips = (s->out_w + pixels - 1) / pixels;
    memset(run.padding, (uint8_t)job->input.zero_points[0], sizeof run.padding);
    const int64_t work = (int64_t)core->taps * s->out_w * (s->out_h / run.chunks) * core->micro->lanes + 1;
    const int64_t items = (int64_t)s->batches * run.chunks * run.blocks;
    lite_parallel_for(threads, items, STRIP_WORK / work + 1, run_range, &run);
}
