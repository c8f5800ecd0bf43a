// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/conv/winograd_bytes.h"

#include <string.h>

#include "core/base/cancel.h"
#include "core/base/cpu_path.h"
#include "core/base/parallel.h"
#include "kernels-cpu/gemm/weights.h"

enum { kPlanes = 16, kLine = 64 };

// Input channels at most. Products are at most 1020 * 1152 (inputs of 8 bits less a zero point of 8 bits are
// up to 255, a transform adds four; weights of UINT8 less theirs are twice as large as INT8's), and only the
// last sums, of four times 9 * 255 * 128 for each channel, must fit 32 bits: those before may wrap.
static int most_channels(TfLiteType filter) {
    const int64_t weight = filter == kTfLiteUInt8 ? 255 : 128;
    return (int)(INT32_MAX / (4 * 9 * 255 * weight));
}

void lite_winograd_bytes_forget(LiteWinogradOfBytes* winograd) {
    if (winograd == NULL) return;
    lite_shared_release(winograd->block);
    winograd->block = NULL;
    winograd->packed = NULL;
    winograd->source = NULL;
    winograd->plan.tile = 0;
}

void lite_winograd_bytes_destroy(LiteWinogradOfBytes* winograd) {
    lite_winograd_bytes_forget(winograd);
    lite_free(winograd);
}

bool lite_winograd_bytes_computes(const LiteWinogradOfBytes* winograd) {
    return winograd != NULL && winograd->plan.tile != 0;
}

static LiteWinogradMicro sizes_of(const LiteMicro* micro) {
    return (LiteWinogradMicro){micro->rows, micro->panel, micro->lanes};
}

static bool is_chosen(const LiteMicro* micro, const LiteConvShape* shape, const LiteView* input,
                      const LiteView* filter) {
    const LiteWinogradMicro sizes = sizes_of(micro);
    if (lite_cpu_path() == kLiteCpuOneDnn || micro->winograd_bytes == NULL) return false;
    if (input->type != kTfLiteInt8 && input->type != kTfLiteUInt8) return false;
    if (!filter->constant || filter->data == NULL || shape->in_c > most_channels(filter->type)) return false;
    return lite_winograd_pays_for_bytes(shape, &sizes, lite_winograd_choice());
}

// ---- Weights ----

typedef struct Weights {
    const LiteMicro* micro;
    const void* data;
    TfLiteType type;
    int32_t zero_point;
    int32_t out_c;
    int32_t in_c;
} Weights;

static size_t pairs_of(int32_t in_c) {
    return ((size_t)in_c + 1) / 2;
}

// Of a plane of a panel.
static size_t elements_of(const LiteMicro* micro, int32_t in_c) {
    return 2 * pairs_of(in_c) * (size_t)micro->panel;
}

static void transform_line(const int32_t* g, int step, int32_t* u, int u_step) {
    const int32_t ends = g[0] + g[2 * step];
    u[0] = 2 * g[0];
    u[u_step] = ends + g[step];
    u[2 * u_step] = ends - g[step];
    u[3 * u_step] = 2 * g[2 * step];
}

// A filter's channel, to planes that are `plane` elements apart.
static void pack_filter(const Weights* w, size_t first, int16_t* to, size_t plane) {
    int32_t g[9], half[12], u[kPlanes]; // half: [line][column], columns are done
    for (size_t i = 0; i < 9; i++)
        g[i] = lite_weight(w->type, w->data, first + i * (size_t)w->in_c) - w->zero_point;
    for (int x = 0; x < 3; x++) transform_line(g + x, 3, half + x, 3);
    for (int y = 0; y < 4; y++) transform_line(half + 3 * y, 1, u + 4 * y, 1);
    for (int p = 0; p < kPlanes; p++) to[(size_t)p * plane] = (int16_t)u[p];
}

static bool fill(void* argument, void* memory) {
    const Weights* w = argument;
    const size_t width = (size_t)w->micro->panel, plane = elements_of(w->micro, w->in_c);
    const size_t panels = ((size_t)w->out_c + width - 1) / width, depth = (size_t)w->in_c;
    memset(memory, 0, panels * kPlanes * plane * sizeof(int16_t));
    for (size_t n = 0; n < (size_t)w->out_c; n++) {
        int16_t* panel = (int16_t*)memory + n / width * kPlanes * plane + 2 * (n % width);
        for (size_t k = 0; k < depth; k++)
            pack_filter(w, n * 9 * depth + k, panel + k / 2 * 2 * width + k % 2, plane);
    }
    return true;
}

// False when there is no memory.
static bool pack(LiteWinogradOfBytes* w, const LiteView* filter) {
    if (w->block != NULL && !lite_kernel_is_unpacked(filter, w->source)) return true;
    const bool is_unsigned = filter->type == kTfLiteUInt8;
    Weights weights = {w->micro,       filter->data, filter->type, is_unsigned ? filter->zero_point : 0,
                       w->shape.out_c, w->shape.in_c};
    const int64_t key[] = {(int64_t)(uintptr_t)filter->data,
                           weights.type,
                           weights.zero_point,
                           weights.out_c,
                           weights.in_c,
                           w->micro->panel};
    const LiteSharedSource source = {.kind = "winograd of bytes",
                                     .table = w->micro->name,
                                     .contents = {filter->data, filter->bytes},
                                     .numbers = key + 1,
                                     .number_count = sizeof key / sizeof *key - 1};
    const size_t bytes =
        (size_t)w->plan.panels * kPlanes * elements_of(w->micro, w->shape.in_c) * sizeof(int16_t);
    lite_shared_release(w->block);
    w->block = lite_shared_get(w->shared, &(LiteSharedContents){.key = key,
                                                                .key_count = sizeof key / sizeof *key,
                                                                .bytes = bytes,
                                                                .source = &source,
                                                                .fill = fill,
                                                                .argument = &weights});
    if (w->block == NULL) return false;
    w->packed = lite_shared_memory(w->block);
    w->source = filter->data;
    return true;
}

// ---- Preparation ----

static size_t whole_lines(size_t bytes) {
    return (bytes + kLine - 1) / kLine * kLine;
}

// From a plane of transformed inputs to the next, a line more than they need: planes would lie in the same
// lines of the first cache.
static size_t in_plane_of(const LiteWinogradOfBytes* w) {
    const size_t bytes = (size_t)w->plan.most * 2 * pairs_of(w->shape.in_c) * sizeof(int16_t);
    return (whole_lines(bytes) + kLine) / sizeof(int16_t);
}

static size_t out_plane_of(const LiteWinogradOfBytes* w) {
    const size_t bytes = (size_t)w->plan.most * (size_t)w->micro->panel * sizeof(int32_t);
    return (whole_lines(bytes) + kLine) / sizeof(int32_t);
}

// The parts of a thread's scratch.
typedef struct Scratch {
    int64_t* block;    // whose inputs there are, -1: none
    int16_t* inputs;   // planes
    int32_t* products; // planes of a panel
    int32_t* sums;     // two lines of neighbouring tiles
    char* copy;        // of a tile of the input
} Scratch;

static Scratch find_scratch(const LiteWinogradOfBytes* w, char* memory) {
    const size_t products = kPlanes * out_plane_of(w) * sizeof(int32_t);
    Scratch scratch = {.block = (int64_t*)(void*)memory, .inputs = (int16_t*)(void*)(memory + kLine)};
    scratch.products = (int32_t*)(void*)(scratch.inputs + kPlanes * in_plane_of(w));
    scratch.sums = (int32_t*)(void*)((char*)scratch.products + products);
    scratch.copy = (char*)(scratch.sums + 4 * (size_t)w->plan.most * (size_t)w->micro->panel);
    return scratch;
}

static size_t scratch_of(const LiteWinogradOfBytes* w) {
    return kLine + kPlanes * in_plane_of(w) * sizeof(int16_t) + kPlanes * out_plane_of(w) * sizeof(int32_t) +
           whole_lines(4 * (size_t)w->plan.most * (size_t)w->micro->panel * sizeof(int32_t)) +
           whole_lines(kPlanes * (size_t)w->shape.in_c);
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, LiteWinogradOfBytes* w, const LiteConvShape* shape,
                            const LiteView* filter) {
    const LiteMicro* micro = lite_micro();
    const LiteWinogradMicro sizes = sizes_of(micro);
    LiteShared* shared = lite_kernel_shared(context, filter);
    if (w->micro != micro || w->shared != shared || w->shape.in_c != shape->in_c ||
        w->shape.out_c != shape->out_c)
        lite_winograd_bytes_forget(w);
    w->micro = micro;
    w->shared = shared;
    w->shape = *shape;
    int threads = lite_kernel_num_threads(context);
    lite_winograd_plan(shape, &sizes, 2, threads, &w->plan);
    const size_t bytes = scratch_of(w);
    if (bytes > INT32_MAX || !pack(w, filter)) {
        lite_winograd_bytes_forget(w);
        return kTfLiteOk; // the direct way needs less
    }
    while (threads > 1 && bytes > (size_t)INT32_MAX / (size_t)threads) threads--;
    w->threads = threads;
    w->scratch = bytes;
    const LiteShape scratch = {1, {(int32_t)(bytes * (size_t)threads)}};
    return lite_kernel_temporary(context, &w->scratch_tensor, kTfLiteInt8, &scratch, false);
}

TfLiteStatus lite_winograd_bytes_prepare(TfLiteOpaqueContext* context, LiteWinogradOfBytes** winograd,
                                         const LiteConvShape* shape, const LiteView* input,
                                         const LiteView* filter) {
    if (!is_chosen(lite_micro(), shape, input, filter)) {
        lite_winograd_bytes_forget(*winograd);
        return kTfLiteOk;
    }
    if (*winograd == NULL) {
        *winograd = lite_calloc(1, sizeof **winograd);
        if (*winograd == NULL) return kTfLiteOk;
        (*winograd)->scratch_tensor = -1;
    }
    return prepare(context, *winograd, shape, filter);
}

// ---- Runs ----

// A block of tiles times a range of panels.
typedef struct Item {
    const LiteWinogradOfBytes* winograd;
    const LiteWinogradBytesRun* run;
    LiteWinogradRange range;
    Scratch scratch;
} Item;

static void transform_inputs(const Item* item) {
    const LiteWinogradOfBytes* w = item->winograd;
    const LiteView* input = item->run->input;
    const size_t row = 2 * pairs_of(w->shape.in_c);
    LiteWinogradBytes t = {.channels = w->shape.in_c,
                           .is_signed = input->type == kTfLiteInt8,
                           .zero_point = input->zero_point,
                           .pixel = (size_t)w->shape.in_c,
                           .out = item->scratch.inputs,
                           .plane = in_plane_of(w)};
    for (int64_t i = 0; i < item->range.tiles; i++, t.out += row) {
        const LiteWinogradTile tile = lite_winograd_find_tile(&w->plan, &w->shape, item->range.first + i);
        const LiteWinogradWindow window = lite_winograd_window(&w->plan, &w->shape, &tile, input->data, 1,
                                                               input->zero_point, item->scratch.copy);
        t.in = window.in;
        t.line = window.line;
        w->micro->winograd_bytes(&t);
        for (size_t p = 0; p < kPlanes && row > t.pixel; p++) t.out[p * t.plane + t.pixel] = 0;
    }
}

static int columns_of(const LiteWinogradOfBytes* w, int64_t panel) {
    return lite_winograd_columns(&w->shape, panel, w->micro->panel);
}

static void multiply(const Item* item, int64_t panel) {
    static const int32_t zeros[LITE_MICRO_MAX_PANEL];
    const LiteWinogradOfBytes* w = item->winograd;
    const size_t plane = elements_of(w->micro, w->shape.in_c);
    const int16_t* b = w->packed + (size_t)panel * kPlanes * plane;
    for (size_t p = 0; p < kPlanes && !lite_cancelled(); p++, b += plane) {
        const LiteIntRows rows = {.rows = (int)item->range.tiles,
                                  .line_rows = (int)item->range.tiles,
                                  .columns = columns_of(w, panel),
                                  .quads = (int)pairs_of(w->shape.in_c),
                                  .run_quads = (int)pairs_of(w->shape.in_c),
                                  .a = (const uint8_t*)(item->scratch.inputs + p * in_plane_of(w)),
                                  .a_stride = 2 * pairs_of(w->shape.in_c) * sizeof(int16_t),
                                  .b = (const int8_t*)b,
                                  .init = zeros,
                                  .next = (const int8_t*)(b + plane)};
        w->micro->gemm_i16(&rows, item->scratch.products + p * out_plane_of(w));
    }
}

// Tiles that are neighbours, whose results are two lines of the output, or one at its end.
static void store_lines(const Item* item, int64_t panel, const LiteWinogradTile* tile, int64_t count) {
    const LiteWinogradOfBytes* w = item->winograd;
    const LiteConvShape* s = &w->shape;
    const int32_t column = (int32_t)panel * w->micro->panel;
    const int64_t left = s->out_w - tile->x, pixels = left < 2 * count ? left : 2 * count;
    LiteRequantization scale = item->run->scale;
    scale.multiplier += column;
    scale.shift += column;
    if (scale.start != NULL) scale.start += column;
    for (int64_t line = 0; line < tile->lines; line++) {
        const int64_t pixel = ((int64_t)tile->batch * s->out_h + tile->y + line) * s->out_w + tile->x;
        w->micro->requantize(
            (int)pixels, columns_of(w, panel), item->scratch.sums + line * 2 * w->plan.most * w->micro->panel,
            (size_t)w->micro->panel, &scale, item->run->output + pixel * s->out_c + column, (size_t)s->out_c);
    }
}

static void transform_outputs(const Item* item, int64_t panel) {
    const LiteWinogradOfBytes* w = item->winograd;
    const size_t width = (size_t)w->micro->panel, lanes = (size_t)w->micro->lanes;
    LiteWinogradSums t = {.channels = (int)(((size_t)columns_of(w, panel) + lanes - 1) / lanes * lanes),
                          .in = item->scratch.products,
                          .plane = out_plane_of(w),
                          .line = 2 * (size_t)w->plan.most * width,
                          .pixel = width};
    for (int64_t i = 0, count; i < item->range.tiles; i += count) {
        const LiteWinogradTile tile = lite_winograd_find_tile(&w->plan, &w->shape, item->range.first + i);
        count = w->plan.across - tile.x / w->plan.tile;
        if (count > item->range.tiles - i) count = item->range.tiles - i;
        t.out = item->scratch.sums;
        for (int64_t k = 0; k < count; k++, t.in += width, t.out += 2 * width) w->micro->winograd_sums(&t);
        store_lines(item, panel, &tile, count);
    }
}

static void run_item(const Item* item) {
    for (int64_t p = item->range.first_panel; p < item->range.end_panel && !lite_cancelled(); p++) {
        multiply(item, p);
        if (!lite_cancelled()) transform_outputs(item, p);
    }
}

typedef struct Job {
    const LiteWinogradOfBytes* winograd;
    const LiteWinogradBytesRun* run;
    char* scratch;
} Job;

static void run_range(void* argument, int64_t begin, int64_t end, int thread) {
    const Job* job = argument;
    const LiteWinogradOfBytes* w = job->winograd;
    const LiteWinogradPlan* plan = &w->plan;
    Item item = {.winograd = w,
                 .run = job->run,
                 .scratch = find_scratch(w, job->scratch + (size_t)thread * w->scratch)};
    for (int64_t i = begin; i < end; i++) {
        const int64_t block = i / plan->splits;
        item.range = lite_winograd_range(plan, block, i % plan->splits);
        if (*item.scratch.block != block) transform_inputs(&item);
        *item.scratch.block = block;
        run_item(&item);
    }
}

TfLiteStatus lite_winograd_bytes_run(TfLiteOpaqueContext* context, const char* op,
                                     const LiteWinogradOfBytes* w, const LiteWinogradBytesRun* run) {
    LiteView scratch;
    LITE_TRY(lite_kernel_temporary_view(context, op, w->scratch_tensor, &scratch));
    Job job = {w, run, scratch.data};
    for (int t = 0; t < w->threads; t++) *find_scratch(w, job.scratch + (size_t)t * w->scratch).block = -1;
    lite_parallel_share(w->threads, w->plan.blocks * w->plan.splits, run_range, &job);
    return kTfLiteOk;
}
