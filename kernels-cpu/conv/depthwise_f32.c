// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/conv/depthwise_f32.h"

#include "core/base/cancel.h"
#include "core/base/parallel.h"
#include "core/semantics/quant.h"

// Multiplications that are worth an item of their own, and the most items for each thread.
#define ITEM_WORK (32 * 1024)
#define ITEMS 4
// Bytes of the input that stay in these caches of a processor, among other things.
#define FIRST_CACHE (20 * 1024)
#define SECOND_CACHE (256 * 1024)
// Fewer channels at a time are slower than all, whose memory follows each other.
#define FEWEST_CHANNELS 64
// The first cache.
#define CACHE_LINE ((size_t)64)
#define CACHE_SETS ((size_t)64)
#define CACHE_WAYS ((size_t)8)

typedef struct Run {
    const LiteDepthwise* core;
    const LiteDepthwiseF32* job;
    int64_t items;  // ranges of rows
    bool by_pixels; // as LiteFloatLine has it
} Run;

// Those of a window's taps along one axis that lie inside the input.
typedef struct Part {
    int32_t first;
    int32_t count;
} Part;

static int64_t divide_up(int64_t x, int32_t by) {
    return by == 1 ? x : (x + by - 1) / by;
}

static Part part_inside(int64_t at, int32_t dilation, int32_t taps, int32_t size) {
    int64_t first = at < 0 ? divide_up(-at, dilation) : 0;
    int64_t end = at < size ? divide_up(size - at, dilation) : 0;
    if (end > taps) end = taps;
    if (first > end) first = end;
    return (Part){(int32_t)first, (int32_t)(end - first)};
}

// What LiteMicro's depthwise_f32 does, for one pixel and several output channels of each input channel.
static void multiply(const LiteFloatLine* s, int32_t multiplier) {
    const size_t inputs = (size_t)(s->channels / multiplier);
    for (int c = 0; c < s->channels; c++) s->out[c] = s->bias[c];
    for (size_t l = 0; l < (size_t)s->lines; l++) {
        const float* w = s->w + l * s->w_line;
        for (size_t k = 0; k < (size_t)s->columns; k++) {
            const float* in = s->in + l * s->line + k * s->column;
            float* out = s->out;
            for (size_t c = 0; c < inputs; c++) {
                for (int32_t m = 0; m < multiplier; m++) *out++ += in[c] * *w++;
            }
        }
    }
    for (int c = 0; c < s->channels; c++) {
        const float x = s->out[c];
        s->out[c] = lite_clamp_f32(x, s->low, s->high);
    }
}

// How many outputs from this one on, at most `count`, have their window's columns inside the input.
static int count_inside(const LiteConvShape* s, int64_t x, int count) {
    const int64_t last = s->in_w - 1 - (int64_t)(s->filter_w - 1) * s->dilation_w - x;
    const int64_t inside = last < 0 ? 0 : last / s->stride_w + 1;
    return inside < count ? (int)inside : count;
}

// Channels of neighbouring outputs in a line.
typedef struct Piece {
    LitePixel pixel; // the first
    int64_t row;
    int32_t count;
    int32_t channel;
    int32_t channels;
} Piece;

static LiteFloatLine describe_line(const Run* run, const Piece* piece) {
    const LiteConvShape* s = &run->core->shape;
    const size_t column = run->job->column, out_c = (size_t)s->out_c;
    const float* bias = run->job->bias != NULL ? run->job->bias : run->core->zeros;
    return (LiteFloatLine){.channels = piece->channels,
                           .by_pixels = run->by_pixels,
                           .step = out_c,
                           .wrap = s->filter_h,
                           .pixel = (size_t)s->stride_w * column,
                           .line = (size_t)s->dilation_h * (size_t)s->in_w * column,
                           .column = (size_t)s->dilation_w * column,
                           .w_line = (size_t)s->filter_w * run->job->tap,
                           .w_column = run->job->tap,
                           .bias = bias + piece->channel,
                           .low = run->job->low,
                           .high = run->job->high,
                           .out = run->job->output + (size_t)piece->row * out_c + piece->channel};
}

// Where line y of the piece's image is, and which of those below it are elsewhere.
static const float* find_line(const Run* run, const Piece* piece, int64_t y, LiteFloatLine* line) {
    const LiteConvShape* s = &run->core->shape;
    const LiteDepthwiseF32* job = run->job;
    const int64_t ring = job->ring, size = s->in_w * (int64_t)job->column;
    const float* input = job->input + piece->channel - job->channel;
    if (ring == 0) return input + (piece->pixel.batch * (int64_t)s->in_h + y) * size;
    line->wrap = (int)((ring - y % ring + s->dilation_h - 1) / s->dilation_h);
    line->ring = (size_t)(ring * size);
    return input + y % ring * size;
}

// Padding is left out of the sums.
static void run_piece(const Run* run, const Piece* piece) {
    const LiteDepthwise* core = run->core;
    const LiteConvShape* s = &core->shape;
    const Part lines = part_inside(piece->pixel.y, s->dilation_h, s->filter_h, s->in_h);
    const int64_t y = piece->pixel.y + (int64_t)lines.first * s->dilation_h;
    const float* weights = run->job->weights + piece->channel - run->job->channel;
    LiteFloatLine line = describe_line(run, piece);
    const float* input = lines.count > 0 ? find_line(run, piece, y, &line) : NULL;
    int64_t x = piece->pixel.x;
    for (int32_t left = piece->count; left > 0; left -= line.pixels) {
        const Part columns = part_inside(x, s->dilation_w, s->filter_w, s->in_w);
        const bool inside = columns.count == s->filter_w && core->multiplier == 1;
        line.pixels = inside ? count_inside(s, x, left) : 1;
        line.columns = columns.count;
        line.lines = columns.count > 0 ? lines.count : 0;
        if (line.lines > 0) {
            const int64_t first_x = x + (int64_t)columns.first * s->dilation_w;
            line.in = input + first_x * (int64_t)run->job->column;
            line.w = weights + (lines.first * (int64_t)s->filter_w + columns.first) * (int64_t)run->job->tap;
        }
        if (core->multiplier == 1) {
            core->micro->depthwise_f32(&line);
        } else {
            multiply(&line, core->multiplier);
        }
        line.out += (size_t)line.pixels * line.step;
        x += (int64_t)line.pixels * s->stride_w;
    }
}

// Some channels of rows [begin, end).
static void run_channels(const Run* run, int64_t begin, int64_t end, int32_t channel, int32_t channels) {
    const LiteConvShape* s = &run->core->shape;
    Piece piece = {lite_gemm_pixel(s, begin), begin, 0, channel, channels};
    while (piece.row < end) {
        const int64_t left = s->out_w - piece.pixel.out_x;
        piece.count = (int32_t)(left < end - piece.row ? left : end - piece.row);
        run_piece(run, &piece);
        piece.row += piece.count;
        piece.pixel.out_x = s->out_w - 1;
        lite_gemm_next_pixel(s, &piece.pixel);
    }
}

static int64_t at_least_one(int64_t x) {
    return x < 1 ? 1 : x;
}

bool lite_depthwise_crowds_f32(const LiteConvShape* s) {
    const size_t bytes = (size_t)s->in_c * sizeof(float), apart = bytes / CACHE_LINE;
    if (bytes % CACHE_LINE != 0 || apart == 0) return false;
    const size_t alike = apart & (~apart + 1); // the largest power of two that divides it
    const size_t sets = alike < CACHE_SETS ? CACHE_SETS / alike : 1;
    return (int64_t)s->in_w * s->filter_h > (int64_t)(sets * CACHE_WAYS);
}

// So many channels at a time that the lines of a window stay in the first cache, and for so many lines that
// what these channels share cache lines and pages with stays in the second.
static void run_rows(const Run* run, int64_t begin, int64_t end) {
    const LiteConvShape* s = &run->core->shape;
    const int64_t lanes = run->core->micro->lanes, floats = (int64_t)sizeof(float);
    int64_t channels = FIRST_CACHE / floats / s->filter_h / s->in_w / lanes * lanes;
    if (channels < FEWEST_CHANNELS || run->core->multiplier > 1 || run->by_pixels) channels = s->out_c;
    const int64_t lines = SECOND_CACHE / floats / s->in_w / s->in_c / s->stride_h;
    const int64_t band = at_least_one(lines) * s->out_w;
    for (int64_t row = begin, next; row < end && !lite_cancelled(); row = next) {
        next = row + band < end ? row + band : end;
        for (int64_t c = 0; c < s->out_c; c += channels) {
            const int64_t left = s->out_c - c;
            run_channels(run, row, next, (int32_t)c, (int32_t)(left < channels ? left : channels));
        }
        if (run->job->epilogue != NULL) {
            lite_epilogue_run(run->job->epilogue, row, next - row, 0, s->out_c);
        }
    }
}

void lite_depthwise_channels_f32(const LiteDepthwise* depthwise, const LiteDepthwiseF32* job, int64_t begin,
                                 int64_t end, int32_t channel, int32_t channels) {
    const Run run = {.core = depthwise, .job = job, .items = 1};
    run_channels(&run, begin, end, channel, channels);
}

static void run_items(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Run* run = argument;
    const int64_t rows = lite_gemm_rows(&run->core->shape);
    for (int64_t i = begin; i < end; i++) {
        const int64_t first = rows / run->items * i + rows % run->items * i / run->items;
        const int64_t next = rows / run->items * (i + 1) + rows % run->items * (i + 1) / run->items;
        run_rows(run, first, next);
    }
}

TfLiteStatus lite_depthwise_run_f32(TfLiteOpaqueContext* context, const LiteDepthwise* depthwise,
                                    const LiteDepthwiseF32* job) {
    const int64_t rows = lite_gemm_rows(&depthwise->shape);
    const int64_t item_rows = ITEM_WORK / ((int64_t)depthwise->taps * depthwise->shape.out_c + 1) + 1;
    int threads = lite_kernel_num_threads(context);
    int64_t items = (rows + item_rows - 1) / item_rows;
    if (items > ITEMS * (int64_t)threads) items = ITEMS * (int64_t)threads;
    if (items < 2) threads = 1;
    Run run = {depthwise, job, threads > 1 ? items : 1, lite_depthwise_crowds_f32(&depthwise->shape)};
    lite_parallel_share(threads, run.items, run_items, &run);
    return kTfLiteOk;
}
