// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "core/base/parallel.h"
#include "kernels-cpu/gemm_internal.h"

#define ITEM_BYTES(form) ((form) == kLiteGemmBytes ? 256 * 1024 : 128 * 1024)
// Bytes: from this depth on, weights are worth using for more rows; outputs of fewer steps fill the cache.
#define DEEP 256
// Float: filter lines of at most so many elements are read in one go.
#define MERGED_DEPTH 32
// Float: with fewer rows for each thread, threads share the panels rather than the rows.
#define THREAD_ROWS 24
// Float: items for each thread, about.
#define ITEMS 8
// Products smaller than this are not worth waking a second thread.
#define SMALL_PRODUCT (256 * 1024)

LiteConvShape lite_conv_shape_of_product(int32_t rows, int32_t depth, int32_t columns) {
    const LiteConvShape shape = {
        .batches = rows,
        .in_d = 1,
        .in_h = 1,
        .in_w = 1,
        .in_c = depth,
        .filter_d = 1,
        .filter_h = 1,
        .filter_w = 1,
        .out_d = 1,
        .out_h = 1,
        .out_w = 1,
        .out_c = columns,
        .stride_h = 1,
        .stride_w = 1,
        .dilation_h = 1,
        .dilation_w = 1,
        .groups = 1,
    };
    return shape;
}

int64_t lite_gemm_rows(const LiteConvShape* shape) {
    return (int64_t)shape->batches * shape->out_d * shape->out_h * shape->out_w;
}

LitePixel lite_gemm_pixel(const LiteConvShape* shape, int64_t row) {
    const int64_t line = row / shape->out_w, plane = line / shape->out_h;
    LitePixel pixel;
    pixel.batch = (int32_t)(plane / shape->out_d);
    pixel.out_z = (int32_t)(plane % shape->out_d);
    pixel.out_y = (int32_t)(line % shape->out_h);
    pixel.out_x = (int32_t)(row % shape->out_w);
    pixel.image = pixel.batch * lite_gemm_image(shape);
    pixel.z = (int64_t)pixel.out_z * shape->stride_d - shape->pad_d;
    pixel.y = (int64_t)pixel.out_y * shape->stride_h - shape->pad_h;
    pixel.x = (int64_t)pixel.out_x * shape->stride_w - shape->pad_w;
    return pixel;
}

void lite_gemm_free(LiteGemm* gemm) {
    lite_free(gemm->packed);
    lite_free(gemm->bias);
    lite_free(gemm->init);
    lite_free(gemm->sums);
    gemm->packed = NULL;
    gemm->source = NULL;
    gemm->bias = NULL;
    gemm->init = NULL;
    gemm->sums = NULL;
}

LiteGemmForm lite_gemm_form(TfLiteType input, TfLiteType weights) {
    if (weights == kTfLiteFloat32) return kLiteGemmFloat;
    return input == kTfLiteInt16 ? kLiteGemmPairs : kLiteGemmBytes;
}

static size_t element_size(LiteGemmForm form) {
    return form == kLiteGemmFloat ? sizeof(float) : form == kLiteGemmPairs ? sizeof(int16_t) : 1;
}

// Derived sizes; false when they overflow.
static bool derive(LiteGemm* gemm) {
    const LiteConvShape* shape = &gemm->shape;
    int64_t taps = (int64_t)shape->filter_h * shape->filter_w;
    gemm->depth = shape->in_c / shape->groups;
    gemm->columns = shape->out_c / shape->groups;
    gemm->panels = gemm->columns / gemm->micro->panel + (gemm->columns % gemm->micro->panel != 0);
    if (taps > INT32_MAX) return false;
    taps *= shape->filter_d;
    if (taps > INT32_MAX || (gemm->depth > 0 && taps > (INT32_MAX - 3) / gemm->depth)) return false;
    gemm->taps = (int32_t)taps;
    const bool merged = gemm->form == kLiteGemmFloat && shape->groups == 1 && shape->dilation_w == 1 &&
                        taps > 0 && gemm->depth <= MERGED_DEPTH / shape->filter_w;
    gemm->runs = merged ? gemm->taps / shape->filter_w : gemm->taps;
    gemm->run_depth = merged ? gemm->depth * shape->filter_w : gemm->depth;
    const size_t group = gemm->form == kLiteGemmFloat ? 1 : gemm->form == kLiteGemmPairs ? 2 : 4;
    gemm->steps = ((size_t)taps * (size_t)gemm->depth + group - 1) / group * group;
    // Rows that begin with a cache line are read in whole ones.
    const bool aligned = gemm->form == kLiteGemmBytes && gemm->steps > 64;
    gemm->row_step = aligned ? (gemm->steps + 63) / 64 * 64 : gemm->steps;
    return lite_size_mul(gemm->steps, (size_t)gemm->micro->panel, &gemm->panel_size);
}

static TfLiteStatus allocate(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemm) {
    size_t panels, elements, bytes;
    lite_gemm_free(gemm);
    if (!lite_size_mul((size_t)gemm->shape.groups, (size_t)gemm->panels, &panels) ||
        !lite_size_mul(panels, gemm->panel_size, &elements) ||
        !lite_size_mul(elements, element_size(gemm->form), &bytes)) {
        return lite_fail(context, "%s: the weights are too large", op);
    }
    const size_t columns = panels * (size_t)gemm->micro->panel;
    gemm->packed = lite_aligned_alloc(64, bytes > 0 ? bytes : 64);
    bool whole = gemm->packed != NULL;
    if (gemm->form == kLiteGemmFloat) {
        gemm->bias = lite_calloc(columns + (size_t)gemm->run_depth, sizeof(float));
        whole = whole && gemm->bias != NULL;
    } else {
        gemm->init = lite_calloc(columns + 1, sizeof(int32_t));
        gemm->sums = lite_calloc(columns + 1, sizeof(int32_t));
        whole = whole && gemm->init != NULL && gemm->sums != NULL;
    }
    return whole ? kTfLiteOk : lite_fail(context, "%s: out of memory for packed weights", op);
}

TfLiteStatus lite_gemm_prepare_weights(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemm,
                                       const LiteConvShape* shape, LiteGemmForm form) {
    const LiteGemm old = *gemm;
    gemm->shape = *shape;
    gemm->micro = lite_micro();
    gemm->form = form == kLiteGemmBytes && gemm->micro->gemm_u8 == NULL ? kLiteGemmPairs : form;
    gemm->rows = form == kLiteGemmFloat ? gemm->micro->rows_f32 : gemm->micro->rows;
    if (!derive(gemm)) return lite_fail(context, "%s: the filter is too large", op);
    const bool same = old.packed != NULL && old.micro == gemm->micro && old.form == gemm->form &&
                      old.shape.groups == shape->groups && old.panel_size == gemm->panel_size &&
                      old.panels == gemm->panels && old.depth == gemm->depth &&
                      old.run_depth == gemm->run_depth;
    return same ? kTfLiteOk : allocate(context, op, gemm);
}

// Scratch of one thread: the row pointers, with room for merged lines, or gathered rows of a work item.
static size_t size_scratch(LiteGemm* gemm) {
    const size_t merged = gemm->runs == gemm->taps ? 0 : (size_t)gemm->run_depth * sizeof(float);
    const size_t per_row = gemm->form == kLiteGemmFloat ? (size_t)gemm->runs * (sizeof(float*) + merged)
                                                        : gemm->row_step * element_size(gemm->form);
    const size_t per_tile = per_row * (size_t)gemm->rows;
    const bool is_deep = gemm->form == kLiteGemmBytes && gemm->steps >= DEEP;
    const size_t most = (size_t)((is_deep ? LITE_ITEM_ROWS : LITE_ITEM_ROWS / 2) / gemm->rows);
    size_t tiles = per_tile > 0 ? ITEM_BYTES(gemm->form) / per_tile : most;
    if (tiles > most) tiles = most;
    if (tiles < 1) tiles = 1;
    gemm->tiles = (int)tiles;
    return (per_tile * tiles + LITE_GATHER_SLACK + 63) / 64 * 64;
}

TfLiteStatus lite_gemm_prepare_scratch(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemms,
                                       int64_t count, int* scratch_tensor) {
    size_t bytes = 0;
    for (int64_t i = 0; i < count; i++) {
        const size_t scratch = size_scratch(gemms + i);
        if (scratch > bytes) bytes = scratch;
    }
    if (bytes > INT32_MAX) return lite_fail(context, "%s: the filter is too large", op);
    int threads = lite_num_threads(context);
    while (threads > 1 && bytes > (size_t)INT32_MAX / (size_t)threads) threads--;
    const LiteShape scratch = {1, {bytes > LITE_STACK_SCRATCH ? (int32_t)(bytes * (size_t)threads) : 0}};
    LITE_TRY(lite_temporary(context, scratch_tensor, kTfLiteInt8, &scratch, false));
    for (int64_t i = 0; i < count; i++) {
        gemms[i].scratch = bytes;
        gemms[i].threads = threads;
        gemms[i].scratch_tensor = *scratch_tensor;
    }
    return kTfLiteOk;
}

TfLiteStatus lite_gemm_prepare(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemm,
                               const LiteConvShape* shape, LiteGemmForm form) {
    LITE_TRY(lite_gemm_prepare_weights(context, op, gemm, shape, form));
    return lite_gemm_prepare_scratch(context, op, gemm, 1, &gemm->scratch_tensor);
}

int64_t lite_gemm_offset(const LiteGemm* gemm, const LiteGrid* grid, int64_t row) {
    const LiteConvShape* shape = &gemm->shape;
    if (grid == NULL) return row * shape->out_c;
    const int64_t line = row / shape->out_w, plane = line / shape->out_h;
    return grid->first + plane / shape->out_d * grid->batch + plane % shape->out_d * grid->plane +
           line % shape->out_h * grid->line + row % shape->out_w * grid->pixel;
}

typedef struct Run {
    const LiteGemm* gemm;
    LiteGemmItemBody body;
    const void* argument;
    char* scratch;
    int64_t rows;
    int64_t item_rows; // at most
    int64_t panels;
    int threads;
    int64_t blocks;    // ranges of rows
    int64_t splits;    // ranges of panels
    bool rows_inside;  // items follow each other by range of panels, then of rows
    int64_t row_parts; // bytes: threads that the ranges of rows are divided among; else 1
} Run;

static int64_t ceil_div(int64_t x, int64_t y) {
    return (x + y - 1) / y;
}

static LiteGemmItem find_item(const Run* run, int64_t i) {
    const int64_t block = run->rows_inside ? i % run->blocks : i / run->splits;
    const int64_t split = run->rows_inside ? i / run->blocks : i % run->splits;
    const int64_t parts = ceil_div(run->blocks, run->row_parts);
    LiteGemmItem item = {
        .first_row = run->rows * block / run->blocks,
        .end_row = run->rows * (block + 1) / run->blocks,
        .first_panel = run->panels * split / run->splits,
        .end_panel = run->panels * (split + 1) / run->splits,
        .part = run->rows_inside ? block % parts : 0,
        .parts = run->rows_inside ? parts : 1,
    };
    if (lite_gemm_is_by_lines(run->gemm)) lite_gemm_line_block(run->gemm, run->blocks, block, &item);
    return item;
}

static void run_range(void* argument, int64_t begin, int64_t end, int thread) {
    const Run* run = argument;
    const LiteGemm* gemm = run->gemm;
    alignas(64) char small[LITE_STACK_SCRATCH];
    char* scratch = gemm->scratch > sizeof small ? run->scratch + (size_t)thread * gemm->scratch : small;
    for (int64_t i = begin; i < end; i++) {
        LiteGemmItem item = find_item(run, i);
        item.scratch = scratch;
        run->body(gemm, &item, run->argument);
    }
    if (begin == end && gemm->micro->release != NULL) gemm->micro->release();
}

// Blocks of rows as large as the scratch allows, a whole number of them for each thread; or, with few rows,
// single tiles of single panels.
static void split_float(const LiteGemm* gemm, Run* run) {
    const int threads = run->threads;
    run->rows_inside = run->rows < (int64_t)threads * THREAD_ROWS;
    run->blocks = ceil_div(run->rows, run->rows_inside ? gemm->rows : run->item_rows);
    run->splits = run->panels;
    if (run->rows_inside) return;
    run->blocks = ceil_div(run->blocks, threads) * threads;
    const int64_t splits = threads > 1 ? ITEMS * (int64_t)threads / run->blocks + 1 : 1;
    if (run->splits > splits) run->splits = splits;
}

// Threads of an integer product form a grid, ranges of rows times ranges of panels. With many ranges of rows
// all threads read the same weights; with many ranges of panels they gather the same inputs, and what one
// writes is read by others later. What the largest share costs, in some 1/128 of a cycle, decides: 1 for a
// product, 24 for a byte of weights, which comes from far, 8 for one that is gathered, 32 for one that
// another core has.
static void split_int(const LiteGemm* gemm, Run* run) {
    const int threads = run->threads;
    const int64_t most_rows = run->item_rows, width = gemm->micro->panel;
    double least = INFINITY;
    run->rows_inside = true; // the weights of a range of panels stay in the thread's cache
    for (int splits = 1; splits <= threads && splits <= run->panels; splits++) {
        const int64_t row_parts = threads / splits < run->rows ? threads / splits : run->rows;
        const int64_t share = ceil_div(run->rows, row_parts); // rows of a thread
        const double rows = (double)share, columns = (double)(ceil_div(run->panels, splits) * width);
        const double remote = 1.0 - 1.0 / splits; // of inputs and outputs
        const double cost = (rows * columns + 24 * columns + 8 * rows) * (double)gemm->steps +
                            64 * remote * rows * (gemm->depth + columns);
        if (cost >= least) continue;
        least = cost;
        run->splits = splits;
        run->blocks = lite_gemm_is_by_lines(gemm) ? lite_gemm_line_blocks(gemm, row_parts)
                                                  : ceil_div(share, most_rows) * row_parts;
        run->threads = (int)row_parts * splits;
        run->row_parts = row_parts;
    }
}

TfLiteStatus lite_gemm_run_items(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                                 LiteGemmItemBody body, const void* argument) {
    LiteView scratch;
    LITE_TRY(lite_temporary_view(context, op, gemm->scratch_tensor, &scratch));
    Run run = {.gemm = gemm, .body = body, .argument = argument, .scratch = scratch.data, .row_parts = 1};
    run.rows = lite_gemm_rows(&gemm->shape);
    run.item_rows = (int64_t)gemm->tiles * gemm->rows;
    run.panels = (int64_t)gemm->shape.groups * gemm->panels;
    if (run.rows == 0 || run.panels == 0) return kTfLiteOk;
    const double products = (double)run.rows * gemm->shape.out_c * gemm->taps * gemm->depth;
    run.threads = lite_num_threads(context);
    if (run.threads > gemm->threads) run.threads = gemm->threads;
    if (products < SMALL_PRODUCT) run.threads = 1;
    if (gemm->form == kLiteGemmFloat) {
        split_float(gemm, &run);
    } else {
        split_int(gemm, &run);
    }
    lite_parallel_share(run.threads, run.blocks * run.splits, run_range, &run);
    return kTfLiteOk;
}
