// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution of bytes by strips: part of an output line, a vector of channels.
#include <stdalign.h>
#include <string.h>

#include "core/base/parallel.h"
#include "kernels-cpu/depthwise.h"
#include "kernels-cpu/gemm_internal.h"
#include "kernels-cpu/weights.h"

// Outputs of a strip; their sums are on the stack.
#define MOST_PIXELS 32
// Multiplications that are worth a second thread.
#define STRIP_WORK (64 * 1024)

// Fours of filter lines.
static int32_t groups_of(const LiteConvShape* s) {
    return (s->filter_h + 3) / 4;
}

// Outputs that fit a strip; 0: none.
static int32_t most_pixels(const LiteConvShape* s) {
    if (s->filter_h > LITE_STRIP_LINES || s->stride_w > s->filter_w) return 0;
    const int64_t window = (int64_t)(s->filter_w - 1) * s->dilation_w + 1;
    const int64_t columns = LITE_STRIP_SIZE / groups_of(s);
    if (window > columns / 2) return 0;
    const int64_t pixels = (columns - window) / s->stride_w + 1;
    return pixels < MOST_PIXELS ? (int32_t)pixels : MOST_PIXELS;
}

static int32_t blocks_of(const LiteDepthwise* core) {
    return (core->shape.in_c + core->micro->lanes - 1) / core->micro->lanes;
}

// Of one vector of channels.
static size_t block_size(const LiteDepthwise* core) {
    return (size_t)core->shape.filter_w * (size_t)groups_of(&core->shape) * (size_t)core->micro->lanes * 4;
}

size_t lite_depthwise_strip_weights(const LiteDepthwise* core) {
    const bool possible = core->micro->depthwise_strip != NULL && core->multiplier == 1 &&
                          core->type != kTfLiteInt16 && most_pixels(&core->shape) > 0;
    return possible ? (size_t)blocks_of(core) * block_size(core) : 0;
}

bool lite_depthwise_pack_strips(LiteDepthwise* core, TfLiteType type, const void* weights,
                                int32_t zero_point) {
    const LiteConvShape* s = &core->shape;
    const int32_t lanes = core->micro->lanes;
    memset(core->strips, 0, (size_t)blocks_of(core) * block_size(core));
    for (int32_t i = 0; i < core->taps * s->out_c; i++) {
        const int32_t w = lite_weight(type, weights, (size_t)i) - zero_point;
        if (w < INT8_MIN || w > INT8_MAX) return false;
        const int32_t channel = i % s->out_c, tap = i / s->out_c;
        const int32_t line = tap / s->filter_w, column = tap % s->filter_w;
        const int32_t four = (column * groups_of(s) + line / 4) * lanes + channel % lanes;
        core->strips[(size_t)(channel / lanes) * block_size(core) + (size_t)(4 * four + line % 4)] =
            (int8_t)w;
    }
    return true;
}

typedef struct Run {
    const LiteDepthwise* core;
    const LiteDepthwiseInt* job;
    int32_t pixels; // of a strip
    int32_t blocks;
    alignas(64) uint8_t padding[LITE_MICRO_MAX_PANEL]; // a filter line outside of the picture
} Run;

static int clamp(int64_t x, int64_t high) {
    return (int)(x < 0 ? 0 : x > high ? high : x);
}

// The strip of outputs from `out_x` on, whose line begins with `row`, for channels from `channel` on.
static void run_strip(const Run* run, LiteStrip* strip, const LitePixel* line, int64_t row, int32_t out_x,
                      int32_t channel) {
    const LiteDepthwise* core = run->core;
    const LiteConvShape* s = &core->shape;
    const uint8_t* input = run->job->input.data;
    const int64_t x = (int64_t)out_x * s->stride_w - s->pad_w;
    const int64_t width = (int64_t)(strip->pixels - 1) * s->stride_w + (s->filter_w - 1) * s->dilation_w + 1;
    strip->begin = clamp(-x, width);
    strip->end = clamp(s->in_w - x, width);
    for (int32_t f = 0; f < s->filter_h; f++) {
        const int64_t y = line->y + (int64_t)f * s->dilation_h;
        const bool inside = y >= 0 && y < s->in_h && strip->begin < strip->end;
        strip->in[f] = run->padding;
        strip->step[f] = 0;
        if (!inside) continue;
        strip->in[f] = input + line->image + (y * s->in_w + x + strip->begin) * s->in_c + channel;
        strip->step[f] = (size_t)s->in_c;
    }
    alignas(64) int32_t sums[MOST_PIXELS * LITE_MICRO_MAX_PANEL];
    core->micro->depthwise_strip(strip, sums);
    LiteRequantization scale = *run->job->scale;
    scale.multiplier += channel;
    scale.shift += channel;
    core->micro->requantize(strip->pixels, strip->channels, sums, (size_t)core->micro->lanes, &scale,
                            run->job->output + (row + out_x) * s->out_c + channel, (size_t)s->out_c);
}

// Items are vectors of channels of lines.
static void run_range(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Run* run = argument;
    const LiteDepthwise* core = run->core;
    const LiteConvShape* s = &core->shape;
    const uint8_t flip = lite_byte_flip(run->job->input.type);
    LiteStrip strip = {.stride = s->stride_w,
                       .lines = s->filter_h,
                       .columns = s->filter_w,
                       .dilation = s->dilation_w,
                       .padding = run->padding[0] ^ flip,
                       .flip = flip};
    const int32_t strips = (s->out_w + run->pixels - 1) / run->pixels;
    int64_t row = begin / run->blocks * s->out_w;
    int32_t block = (int32_t)(begin % run->blocks);
    LitePixel line = lite_gemm_pixel(s, row);
    for (int64_t i = begin; i < end; i++, block++) {
        if (block == run->blocks) {
            block = 0;
            row += s->out_w;
            line = lite_gemm_pixel(s, row);
        }
        const int32_t channel = block * core->micro->lanes, left = s->in_c - channel;
        strip.channels = left < core->micro->lanes ? left : core->micro->lanes;
        strip.w = core->strips + (size_t)block * block_size(core);
        strip.init = core->init + channel;
        for (int32_t n = 0; n < strips; n++) {
            const int32_t first = (int32_t)((int64_t)s->out_w * n / strips);
            strip.pixels = (int32_t)((int64_t)s->out_w * (n + 1) / strips) - first;
            run_strip(run, &strip, &line, row, first, channel);
        }
    }
}

void lite_depthwise_run_strips(const LiteDepthwise* core, const LiteDepthwiseInt* job, int threads) {
    const LiteConvShape* s = &core->shape;
    Run run = {.core = core, .job = job, .pixels = most_pixels(s), .blocks = blocks_of(core)};
    memset(run.padding, (uint8_t)job->input.zero_points[0], sizeof run.padding);
    const int64_t work = (int64_t)core->taps * s->out_w * core->micro->lanes + 1;
    const int64_t lines = (int64_t)s->batches * s->out_h;
    lite_parallel_for(threads, lines * run.blocks, STRIP_WORK / work + 1, run_range, &run);
}
