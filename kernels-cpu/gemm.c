// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm.h"

#include <stdalign.h>
#include <string.h>

#include "core/base/parallel.h"
#include "kernels-cpu/gemm_internal.h"

#define ITEM_BYTES(form) ((form) == kLiteGemmBytes ? 256 * 1024 : 128 * 1024)
#define ITEM_PANELS 6
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
    const size_t group = gemm->form == kLiteGemmFloat ? 1 : gemm->form == kLiteGemmPairs ? 2 : 4;
    gemm->steps = ((size_t)taps * (size_t)gemm->depth + group - 1) / group * group;
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
        gemm->bias = lite_calloc(columns + (size_t)gemm->depth, sizeof(float));
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
    if (!derive(gemm)) return lite_fail(context, "%s: the filter is too large", op);
    const bool same = old.packed != NULL && old.micro == gemm->micro && old.form == gemm->form &&
                      old.shape.groups == shape->groups && old.panel_size == gemm->panel_size &&
                      old.panels == gemm->panels && old.depth == gemm->depth;
    return same ? kTfLiteOk : allocate(context, op, gemm);
}

// Scratch of one thread: the row pointers or gathered rows of a work item.
static size_t size_scratch(LiteGemm* gemm) {
    const size_t per_row = gemm->form == kLiteGemmFloat ? (size_t)gemm->taps * sizeof(float*)
                                                        : gemm->steps * element_size(gemm->form);
    const size_t per_tile = per_row * (size_t)gemm->micro->rows;
    size_t tiles = per_tile > 0 ? ITEM_BYTES(gemm->form) / per_tile : LITE_ITEM_ROWS;
    if (tiles > (size_t)(LITE_ITEM_ROWS / gemm->micro->rows)) {
        tiles = (size_t)(LITE_ITEM_ROWS / gemm->micro->rows);
    }
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
    int64_t item_rows;
    int64_t panels;
    int64_t splits; // ranges of panels for each range of rows
} Run;

static void run_range(void* argument, int64_t begin, int64_t end, int thread) {
    const Run* run = argument;
    const LiteGemm* gemm = run->gemm;
    alignas(64) char small[LITE_STACK_SCRATCH];
    char* scratch = gemm->scratch > sizeof small ? run->scratch + (size_t)thread * gemm->scratch : small;
    for (int64_t i = begin; i < end; i++) {
        const int64_t first_row = i / run->splits * run->item_rows;
        const int64_t split = i % run->splits;
        const LiteGemmItem item = {
            .first_row = first_row,
            .end_row = first_row + run->item_rows < run->rows ? first_row + run->item_rows : run->rows,
            .first_panel = run->panels * split / run->splits,
            .end_panel = run->panels * (split + 1) / run->splits,
            .scratch = scratch,
        };
        run->body(gemm, &item, run->argument);
    }
}

TfLiteStatus lite_gemm_run_items(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                                 LiteGemmItemBody body, const void* argument) {
    LiteView scratch;
    LITE_TRY(lite_temporary_view(context, op, gemm->scratch_tensor, &scratch));
    Run run = {.gemm = gemm, .body = body, .argument = argument, .scratch = scratch.data};
    run.rows = lite_gemm_rows(&gemm->shape);
    run.item_rows = (int64_t)gemm->tiles * gemm->micro->rows;
    run.panels = (int64_t)gemm->shape.groups * gemm->panels;
    if (run.rows == 0 || run.panels == 0) return kTfLiteOk;
    const double products = (double)run.rows * gemm->shape.out_c * gemm->taps * gemm->depth;
    int threads = lite_num_threads(context);
    if (threads > gemm->threads) threads = gemm->threads;
    if (products < SMALL_PRODUCT) threads = 1;
    const int64_t blocks = (run.rows + run.item_rows - 1) / run.item_rows;
    run.item_rows = (run.rows + blocks - 1) / blocks; // items of one size, in float of whole tiles
    if (gemm->form == kLiteGemmFloat) {
        run.item_rows = (run.item_rows + gemm->micro->rows - 1) / gemm->micro->rows * gemm->micro->rows;
    }
    // Several items per thread even when there are few rows, so that threads finish together; but each of
    // them gathers its rows, which is worth it for some panels only.
    run.splits = threads > 1 ? (4 * (int64_t)threads + blocks - 1) / blocks : 1;
    const int64_t most = run.panels / ITEM_PANELS > threads ? run.panels / ITEM_PANELS : threads;
    if (gemm->form != kLiteGemmFloat && run.splits > most) run.splits = most;
    if (run.splits > run.panels) run.splits = run.panels;
    lite_parallel_for(threads, blocks * run.splits, 1, run_range, &run);
    return kTfLiteOk;
}
