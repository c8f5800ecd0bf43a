// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/conv/winograd.h"

#include <math.h>
#include <string.h>

#include "core/base/cancel.h"
#include "core/base/cpu_path.h"
#include "core/base/parallel.h"
#include "kernels-cpu/conv/winograd_weights.h"
#include "kernels-cpu/gemm/gemm.h"
#include "kernels-cpu/support/zeros.h"

// The node is computed in another way.
static void forget(LiteWinograd* winograd) {
    if (winograd == NULL) return;
    lite_shared_release(winograd->block);
    lite_free(winograd->own);
    winograd->block = NULL;
    winograd->packed = NULL;
    winograd->bias = winograd->zeros = winograd->own = NULL;
    winograd->source = NULL;
    winograd->plan.tile = 0;
}

void lite_winograd_destroy(LiteWinograd* winograd) {
    forget(winograd);
    lite_free(winograd);
}

bool lite_winograd_computes(const LiteWinograd* winograd) {
    return winograd != NULL && winograd->plan.tile != 0;
}

static LiteWinogradMicro sizes_of(const LiteMicro* micro) {
    return (LiteWinogradMicro){micro->rows_f32, micro->panel, micro->lanes};
}

static int choose_tile(const LiteMicro* micro, const LiteConvShape* shape, const LiteView* input,
                       const LiteView* filter) {
    if (lite_cpu_path_compares()) return 0;
    if (input->type != kTfLiteFloat32 || filter->type != kTfLiteFloat32) return 0;
    if (!filter->constant || filter->data == NULL) return 0;
    const LiteWinogradMicro sizes = sizes_of(micro);
    return lite_winograd_tile(shape, &sizes, lite_winograd_choice());
}

static size_t planes_of(const LiteWinogradPlan* plan) {
    return (size_t)plan->size * (size_t)plan->size;
}

static bool fill(void* argument, void* memory) {
    return lite_winograd_pack(argument, memory);
}

// A block with the packed weights; NULL when there is no memory, or they cannot be packed.
static LiteSharedBlock* pack_block(LiteWinograd* w, const LiteView* filter, LitePrecision precision) {
    const size_t columns = (size_t)w->plan.panels * (size_t)w->micro->panel;
    const size_t bytes = planes_of(&w->plan) * (size_t)w->shape.in_c * columns * lite_weight_bytes(precision);
    LiteWinogradWeights weights = {w->micro,      w->plan.tile, w->shape.out_c,
                                   w->shape.in_c, filter->data, precision};
    const int64_t key[] = {(int64_t)(uintptr_t)filter->data,
                           weights.tile,
                           weights.out_c,
                           weights.in_c,
                           w->micro->panel,
                           precision};
    const LiteSharedSource source = {.kind = "winograd",
                                     .table = w->micro->name,
                                     .contents = {filter->data, filter->bytes},
                                     .numbers = key + 1,
                                     .number_count = sizeof key / sizeof *key - 1};
    w->precision = precision;
    return lite_shared_get(w->shared, &(LiteSharedContents){.key = key,
                                                            .key_count = sizeof key / sizeof *key,
                                                            .bytes = bytes,
                                                            .precision = precision,
                                                            .source = &source,
                                                            .fill = fill,
                                                            .argument = &weights});
}

// The way back from planes enlarges what is lost in rounding them: 1.7 times with tiles of 2 and 5 times with
// tiles of 4 (measured, in the mean), which BFLOAT16 has too few bits for.
static LitePrecision precision_of(LitePrecision wanted, int tile) {
    return wanted == kLitePrecisionBfloat16 && tile == 4 ? kLitePrecisionFloat32 : wanted;
}

static bool needs_own_bias(const LiteWinograd* w) {
    return w->shape.out_c % w->micro->panel != 0 || w->shape.out_c > kLiteZeros || w->shape.in_c > kLiteZeros;
}

static bool allocate_bias(LiteWinograd* w) {
    const size_t columns = (size_t)w->plan.panels * (size_t)w->micro->panel;
    w->bias = w->zeros = lite_zeros();
    if (!needs_own_bias(w)) return true;
    if (w->own == NULL) w->own = lite_calloc(2 * columns + (size_t)w->shape.in_c, sizeof(float));
    w->zeros = w->own + columns;
    return w->own != NULL;
}

// One per channel; NULL: zeros.
static void set_bias(LiteWinograd* w, const float* bias) {
    if (!needs_own_bias(w)) {
        w->bias = bias == NULL ? lite_zeros() : bias;
        return;
    }
    for (int32_t n = 0; n < w->shape.out_c; n++) w->own[n] = bias == NULL ? 0.0f : bias[n];
    w->bias = w->own;
}

// False when there is no memory, or the weights are not finite.
static bool pack(LiteWinograd* w, const LiteView* filter) {
    if (!allocate_bias(w)) return false;
    if (w->block != NULL && !lite_kernel_is_unpacked(filter, w->source)) return true;
    lite_shared_release(w->block);
    w->block = w->wanted == kLitePrecisionFloat32 ? NULL : pack_block(w, filter, w->wanted);
    if (w->block == NULL) w->block = pack_block(w, filter, kLitePrecisionFloat32);
    if (w->block == NULL) return false;
    w->packed = lite_shared_memory(w->block);
    w->source = filter->data;
    return true;
}

// Elements of scratch for transformed inputs, where later the weights of a panel may lie for the direct way.
static size_t inputs_of(const LiteWinograd* w) {
    const size_t inputs = planes_of(&w->plan) * w->plan.in_plane;
    const size_t direct = 9 * (size_t)w->shape.in_c * (size_t)w->micro->panel;
    return ((inputs > direct ? inputs : direct) + 15) / 16 * 16;
}

// Where several items are of the same tiles, these are transformed once for all of them.
static size_t common_of(const LiteWinograd* w) {
    return w->plan.blocks == 1 && w->plan.splits > 1 ? inputs_of(w) : 0;
}

// Elements for a tile of the input with the padding around it.
static size_t copy_of(const LiteWinograd* w) {
    return (planes_of(&w->plan) * (size_t)w->shape.in_c + 15) / 16 * 16;
}

// Pointers to the rows of a plane, of each row tile as many as the largest has; in the direct way to nine
// taps.
static size_t pointers_of(const LiteWinograd* w) {
    return (size_t)w->plan.most + 10 * (size_t)w->micro->rows_f32;
}

// Scratch of a thread: transformed inputs, products, a tile of the input, pointers, and for each tile
// whether its results were finite.
static size_t scratch_of(const LiteWinograd* w) {
    const size_t floats = inputs_of(w) + planes_of(&w->plan) * w->plan.out_plane + copy_of(w);
    const size_t bytes = floats * sizeof(float) + pointers_of(w) * sizeof(float*) + (size_t)w->plan.most;
    return (bytes + 63) / 64 * 64;
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, LiteWinograd* winograd, int tile,
                            const LiteConvShape* shape, const LiteView* filter) {
    const LiteWinograd old = *winograd;
    const LiteMicro* micro = lite_micro();
    winograd->shared = lite_kernel_shared(context, filter);
    winograd->wanted = precision_of(lite_gemm_precision(context, micro, winograd->shared), tile);
    if (old.micro != micro || old.wanted != winograd->wanted || old.plan.tile != tile ||
        old.shared != winograd->shared || old.shape.in_c != shape->in_c || old.shape.out_c != shape->out_c) {
        forget(winograd);
    }
    if (tile == 0) return kTfLiteOk;
    winograd->shape = *shape;
    winograd->micro = micro;
    int threads = lite_kernel_num_threads(context);
    const LiteWinogradMicro sizes = sizes_of(micro);
    lite_winograd_plan(shape, &sizes, tile, threads, &winograd->plan);
    const size_t bytes = scratch_of(winograd), common = common_of(winograd) * sizeof(float);
    if (bytes > INT32_MAX || common > INT32_MAX - bytes || !pack(winograd, filter)) {
        forget(winograd);
        return kTfLiteOk;
    }
    while (threads > 1 && bytes > ((size_t)INT32_MAX - common) / (size_t)threads) threads--;
    winograd->threads = threads;
    winograd->scratch = bytes;
    const LiteShape scratch = {1, {(int32_t)(bytes * (size_t)threads + common)}};
    return lite_kernel_temporary(context, &winograd->scratch_tensor, kTfLiteInt8, &scratch, false);
}

TfLiteStatus lite_winograd_prepare(TfLiteOpaqueContext* context, LiteWinograd** winograd,
                                   const LiteConvShape* shape, const LiteView* input,
                                   const LiteView* filter) {
    const int tile = choose_tile(lite_micro(), shape, input, filter);
    if (*winograd == NULL) {
        if (tile == 0) return kTfLiteOk;
        *winograd = lite_calloc(1, sizeof **winograd);
        if (*winograd == NULL) return kTfLiteOk; // the direct way needs less
        (*winograd)->scratch_tensor = -1;
    }
    return prepare(context, *winograd, tile, shape, filter);
}

typedef struct Job {
    const LiteWinograd* winograd;
    const LiteWinogradRun* run;
    char* scratch;
    float* common; // transformed inputs of all tiles; NULL: each item transforms its own
} Job;

// A block of tiles times a range of panels.
typedef struct Item {
    const LiteWinograd* winograd;
    const LiteWinogradRun* run;
    LiteWinogradRange range;
    float* inputs; // transformed
    float* spare;  // as large, of the thread alone; may be the same
    float* products;
    float* copy;
    const float** pointers;
    bool* finite; // of each tile, in the present panel
} Item;

static LiteWinogradTile find_tile(const LiteWinograd* w, int64_t index) {
    return lite_winograd_find_tile(&w->plan, &w->shape, index);
}

// Tiles [begin, end) of the item.
static void transform_inputs(const Item* item, int64_t begin, int64_t end) {
    const LiteWinograd* w = item->winograd;
    const size_t depth = (size_t)w->shape.in_c;
    for (int64_t i = begin; i < end; i++) {
        const LiteWinogradTile tile = find_tile(w, item->range.first + i);
        const LiteWinogradWindow window = lite_winograd_window(&w->plan, &w->shape, &tile, item->run->input,
                                                               sizeof *item->inputs, 0, item->copy);
        const LiteWinogradInput input = {.tile = w->plan.tile,
                                         .channels = w->shape.in_c,
                                         .in = window.in,
                                         .line = window.line,
                                         .pixel = depth,
                                         .out = item->inputs + (size_t)i * depth,
                                         .plane = w->plan.in_plane};
        w->micro->winograd_input(&input);
    }
}

// The columns of a panel that there are.
static int columns_of(const LiteWinograd* w, int64_t panel) {
    return lite_winograd_columns(&w->shape, panel, w->micro->panel);
}

// A plane of the tiles, in row tiles of nearly one size, times its panels.
static void multiply_plane(const Item* item, size_t plane) {
    const LiteWinograd* w = item->winograd;
    const LiteMicro* micro = w->micro;
    const size_t depth = (size_t)w->shape.in_c, width = (size_t)micro->panel, panels = (size_t)w->plan.panels;
    const int64_t count = (item->range.tiles + micro->rows_f32 - 1) / micro->rows_f32;
    const int64_t rows = item->range.tiles / count, larger = item->range.tiles % count;
    const float* row = item->inputs + plane * w->plan.in_plane;
    for (int64_t i = 0; i < count; i++) {
        const float** to = item->pointers + i * micro->rows_f32;
        for (int64_t r = 0; r < rows + (i < larger); r++, row += depth) to[r] = row;
    }
    const size_t weight = lite_weight_bytes(w->precision), size = depth * width * weight; // of a panel
    const size_t share = (width * weight + (size_t)count - 1) / (size_t)count;
    for (int64_t p = item->range.first_panel; p < item->range.end_panel; p++) {
        const bool is_last = p + 1 == item->range.end_panel;
        const char* b = (const char*)w->packed + (plane * panels + (size_t)p) * size;
        const size_t after = is_last ? panels - (size_t)(item->range.end_panel - item->range.first_panel) : 0;
        LiteFloatTile tile = {.tiles = (int)larger,
                              .rows = (int)rows + 1,
                              .columns = columns_of(w, p),
                              .taps = 1,
                              .depth = w->shape.in_c,
                              .a = item->pointers,
                              .b = b,
                              .bias = w->zeros,
                              .low = -INFINITY,
                              .high = INFINITY,
                              .c = item->products + plane * w->plan.out_plane +
                                   (size_t)(p - item->range.first_panel) * width,
                              .c_step = (size_t)w->plan.width,
                              .ahead = b + (1 + after) * size,
                              .ahead_step = share,
                              .weights = w->precision};
        if (larger > 0) micro->gemm_f32(&tile);
        tile.a += larger * micro->rows_f32;
        tile.c += (size_t)larger * (size_t)tile.rows * tile.c_step;
        tile.ahead += (size_t)larger * depth * share;
        tile.tiles = (int)(count - larger);
        tile.rows = (int)rows;
        micro->gemm_f32(&tile);
    }
}

// A line of a tile and a panel again in the direct way: the same sums as those of a product without this.
static void compute_directly(const Item* item, const LiteWinogradTile* tile, int line, int64_t panel) {
    const LiteWinograd* w = item->winograd;
    const LiteConvShape* s = &w->shape;
    const int rows = w->micro->rows_f32;
    const int64_t y = (int64_t)tile->y - s->pad_h, x = (int64_t)tile->x - s->pad_w;
    const float* image = item->run->input + tile->batch * lite_gemm_image(s);
    for (int tap = 0; tap < 9; tap++) {
        for (int r = 0; r < tile->columns; r++) {
            const int64_t in_y = y + line + tap / 3, in_x = x + r + tap % 3;
            const bool inside = in_y >= 0 && in_y < s->in_h && in_x >= 0 && in_x < s->in_w;
            item->pointers[tap * rows + r] = inside ? image + (in_y * s->in_w + in_x) * s->in_c : w->zeros;
        }
    }
    const int64_t pixel = ((int64_t)tile->batch * s->out_h + tile->y + line) * s->out_w + tile->x;
    const LiteFloatTile product = {.tiles = 1,
                                   .rows = tile->columns,
                                   .columns = columns_of(w, panel),
                                   .taps = 9,
                                   .depth = s->in_c,
                                   .a = item->pointers,
                                   .b = item->spare,
                                   .bias = w->bias + panel * w->micro->panel,
                                   .low = item->run->low,
                                   .high = item->run->high,
                                   .c = item->run->output + pixel * s->out_c + panel * w->micro->panel,
                                   .c_step = (size_t)s->out_c,
                                   .ahead = (const char*)item->spare};
    w->micro->gemm_f32(&product);
}

// The panel of tiles whose results are not all finite. What the thread itself transformed is no longer
// needed.
static void repeat_panel(const Item* item, int64_t panel) {
    const LiteWinograd* w = item->winograd;
    lite_winograd_pack_direct(w->shape.out_c, w->shape.in_c, w->micro->panel, panel, item->run->weights,
                              item->spare);
    for (int64_t i = 0; i < item->range.tiles && !lite_cancelled(); i++) {
        if (item->finite[i]) continue;
        const LiteWinogradTile tile = find_tile(w, item->range.first + i);
        for (int line = 0; line < tile.lines; line++) compute_directly(item, &tile, line, panel);
    }
}

static void transform_outputs(const Item* item, int64_t panel) {
    const LiteWinograd* w = item->winograd;
    const LiteConvShape* s = &w->shape;
    const int64_t column = panel * w->micro->panel, first_column = item->range.first_panel * w->micro->panel;
    bool finite = true;
    for (int64_t i = 0; i < item->range.tiles; i++) {
        const LiteWinogradTile tile = find_tile(w, item->range.first + i);
        const int64_t pixel = ((int64_t)tile.batch * s->out_h + tile.y) * s->out_w + tile.x;
        const LiteWinogradOutput output = {.tile = w->plan.tile,
                                           .channels = columns_of(w, panel),
                                           .lines = tile.lines,
                                           .columns = tile.columns,
                                           .in = item->products + i * w->plan.width + (column - first_column),
                                           .plane = w->plan.out_plane,
                                           .bias = w->bias + column,
                                           .low = item->run->low,
                                           .high = item->run->high,
                                           .out = item->run->output + pixel * s->out_c + column,
                                           .line = (size_t)s->out_w * (size_t)s->out_c,
                                           .pixel = (size_t)s->out_c};
        item->finite[i] = w->micro->winograd_output(&output);
        finite = finite && item->finite[i];
    }
    if (!finite) repeat_panel(item, panel);
}

// Of tiles that are neighbours: whole lines at once where they reach from one side to the other.
static void run_epilogue(const Item* item) {
    const LiteWinograd* w = item->winograd;
    const LiteConvShape* s = &w->shape;
    const int64_t column = item->range.first_panel * w->micro->panel,
                  limit = item->range.end_panel * w->micro->panel;
    const int64_t columns = (limit < s->out_c ? limit : s->out_c) - column;
    for (int64_t i = 0, count; i < item->range.tiles; i += count) {
        const LiteWinogradTile tile = find_tile(w, item->range.first + i);
        count = w->plan.across - tile.x / w->plan.tile;
        if (count > item->range.tiles - i) count = item->range.tiles - i;
        const int64_t end = tile.x + count * w->plan.tile,
                      pixels = (end < s->out_w ? end : s->out_w) - tile.x;
        const int64_t row = ((int64_t)tile.batch * s->out_h + tile.y) * s->out_w + tile.x;
        const bool whole = pixels == s->out_w;
        for (int line = 0; line < (whole ? 1 : tile.lines); line++) {
            lite_epilogue_run(item->run->epilogue, row + (int64_t)line * s->out_w,
                              whole ? pixels * tile.lines : pixels, column, columns);
        }
    }
}

static void run_item(const Item* item) {
    const size_t planes = planes_of(&item->winograd->plan);
    if (item->inputs == item->spare) transform_inputs(item, 0, item->range.tiles);
    for (size_t plane = 0; plane < planes && !lite_cancelled(); plane++) multiply_plane(item, plane);
    for (int64_t p = item->range.first_panel; p < item->range.end_panel && !lite_cancelled(); p++) {
        transform_outputs(item, p);
    }
    if (item->run->epilogue != NULL && !lite_cancelled()) run_epilogue(item);
}

// An item of a thread, still without tiles and panels.
static Item item_of(const Job* job, int thread) {
    const LiteWinograd* w = job->winograd;
    float* floats = (float*)(void*)(job->scratch + (size_t)thread * w->scratch);
    Item item = {.winograd = w, .run = job->run, .inputs = job->common, .spare = floats};
    if (item.inputs == NULL) item.inputs = item.spare;
    item.products = item.spare + inputs_of(w);
    item.copy = item.products + planes_of(&w->plan) * w->plan.out_plane;
    item.pointers = (const float**)(void*)(item.copy + copy_of(w));
    item.finite = (bool*)(void*)(item.pointers + pointers_of(w));
    return item;
}

static void run_range(void* argument, int64_t begin, int64_t end, int thread) {
    const Job* job = argument;
    const LiteWinogradPlan* plan = &job->winograd->plan;
    Item item = item_of(job, thread);
    for (int64_t i = begin; i < end; i++) {
        // A thread that has several blocks has the same weights for them.
        item.range = lite_winograd_range(plan, i % plan->blocks, i / plan->blocks);
        run_item(&item);
    }
}

// Tiles [begin, end) of all.
static void transform_range(void* argument, int64_t begin, int64_t end, int thread) {
    const Item item = item_of(argument, thread);
    transform_inputs(&item, begin, end);
}

TfLiteStatus lite_winograd_run(TfLiteOpaqueContext* context, const char* op, const LiteWinograd* winograd,
                               const LiteWinogradRun* run) {
    LiteView scratch;
    LITE_TRY(lite_kernel_temporary_view(context, op, winograd->scratch_tensor, &scratch));
    LiteWinograd with_bias = *winograd;
    set_bias(&with_bias, run->bias);
    winograd = &with_bias;
    Job job = {winograd, run, scratch.data, NULL};
    if (common_of(winograd) > 0) {
        job.common = (float*)(void*)(job.scratch + (size_t)winograd->threads * winograd->scratch);
        lite_parallel_share(winograd->threads, winograd->plan.tiles, transform_range, &job);
    }
    lite_parallel_share(winograd->threads, winograd->plan.blocks * winograd->plan.splits, run_range, &job);
    return kTfLiteOk;
}
