// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/gemm_int.h"

#include <stdalign.h>
#include <string.h>

#include "core/base/cancel.h"
#include "kernels-cpu/gemm/gemm_gather.h"
#include "kernels-cpu/gemm/gemm_items.h"
#include "kernels-cpu/gemm/gemm_lines.h"
#include "kernels-cpu/gemm/weights.h"
#include "kernels-cpu/loops/hybrid_loops.h"
#include "kernels-cpu/support/selected.h"

// int16 inputs times int8 weights: this many pairs of products stay under 2^31 (2 * 2^15 * 2^7 * 128 = 2^30).
#define WIDE_PAIRS 128

// One column in its place in a panel: elements in groups of `group`, one group of every column after the
// other. Returns their sum.
#define PACK_COLUMN(NAME, TYPE, GROUP)                                                                       \
    static int32_t NAME(TfLiteType type, const void* weights, size_t first, size_t depth_step, size_t steps, \
                        int32_t zero_point, int panel, TYPE* to) {                                           \
        uint32_t sum = 0;                                                                                    \
        for (size_t k = 0; k < steps; k++) {                                                                 \
            const int32_t w = lite_weight(type, weights, first + k * depth_step) - zero_point;               \
            to[k / GROUP * GROUP * (size_t)panel + k % GROUP] = (TYPE)w;                                     \
            sum += (uint32_t)w;                                                                              \
        }                                                                                                    \
        return (int32_t)sum;                                                                                 \
    }
PACK_COLUMN(pack_pairs, int16_t, 2)
PACK_COLUMN(pack_bytes, int8_t, 4)

// Unsigned bytes become signed ones with another zero point, which the product deals with.
static int32_t moved_by(const LiteGemm* gemm, TfLiteType type) {
    return gemm->form == kLiteGemmBytes && type == kTfLiteUInt8 ? 128 : 0;
}

int32_t lite_gemm_packed_zero_point(const LiteGemm* gemm, TfLiteType type, int32_t zero_point) {
    return gemm->form == kLiteGemmBytes ? zero_point - moved_by(gemm, type) : 0;
}

void lite_gemm_pack_int(LiteGemm* gemm, TfLiteType type, const void* weights, size_t column_step,
                        size_t depth_step, int32_t zero_point) {
    const bool bytes = gemm->form == kLiteGemmBytes;
    const int panel = gemm->micro->panel;
    const size_t steps = (size_t)gemm->taps * (size_t)gemm->depth;
    const size_t panels = (size_t)gemm->shape.groups * (size_t)gemm->panels;
    const int32_t moved = moved_by(gemm, type);
    memset(gemm->sums, 0, panels * (size_t)panel * sizeof *gemm->sums);
    memset(gemm->packed, 0, panels * gemm->panel_size * (bytes ? sizeof(int8_t) : sizeof(int16_t)));
    for (int32_t column = 0; column < gemm->shape.out_c; column++) {
        const int32_t in_group = column % gemm->columns;
        const size_t p = (size_t)(column / gemm->columns) * (size_t)gemm->panels + (size_t)(in_group / panel);
        const size_t first = (size_t)column * column_step;
        const size_t n = (size_t)(in_group % panel);
        if (bytes) {
            int8_t* to = (int8_t*)gemm->packed + p * gemm->panel_size + 4 * n;
            const int32_t sum = pack_bytes(type, weights, first, depth_step, steps, moved, panel, to);
            const uint32_t offset = (uint32_t)steps * (uint32_t)gemm->zero_point;
            gemm->sums[p * (size_t)panel + n] = (int32_t)((uint32_t)sum - offset);
        } else {
            int16_t* to = (int16_t*)gemm->packed + p * gemm->panel_size + 2 * n;
            pack_pairs(type, weights, first, depth_step, steps, zero_point, panel, to);
        }
    }
}

typedef struct Job {
    const LiteGemmInput* input;
    LiteTileSink sink;
    const void* argument;
    const LiteGemmOutput* output; // NULL: to the sink
} Job;

// The zero point of a row's bytes as they are multiplied.
static uint32_t byte_zero_point(const LiteGemm* gemm, const LiteGemmInput* input, int64_t batch) {
    const int32_t zero_point = input->zero_points == NULL ? 0 : input->zero_points[batch];
    return (uint32_t)zero_point + lite_gemm_flip(gemm, input->type);
}

// Rows of sums, each less its zero point times the sums of columns.
static void subtract(int rows, int columns, const int32_t* zero_points, const int32_t* column_sums,
                     int32_t* sums, size_t step) {
    if (LITE_HAS_TYPE(kTfLiteFloat32)) { // else there are no such loops
        lite_hybrid_loops().subtract(rows, columns, zero_points, column_sums, sums, step);
        return;
    }
    for (int r = 0; r < rows; r++, sums += step) {
        const uint32_t zero_point = (uint32_t)zero_points[r];
        for (int n = 0; n < columns; n++)
            sums[n] = (int32_t)((uint32_t)sums[n] - zero_point * (uint32_t)column_sums[n]);
    }
}

// What the sums begin with. With inputs a of zero point x and weights w of zero point y,
// sum of (a - x) * (w - y) = sum of a * w - y * sum of a - x * sum of (w - y).
static void set_init(const LiteGemm* gemm, const LiteGemmInput* input) {
    const size_t width = (size_t)gemm->panels * (size_t)gemm->micro->panel; // of one group
    const bool offset = gemm->form == kLiteGemmBytes && !input->per_batch;
    const int32_t zero_point = offset ? (int32_t)byte_zero_point(gemm, input, 0) : 0;
    const size_t columns = (size_t)gemm->columns;
    for (size_t g = 0; g < (size_t)gemm->shape.groups; g++) {
        int32_t* init = gemm->init + g * width;
        if (gemm->add != NULL) {
            memcpy(init, gemm->add + g * columns, columns * sizeof *init);
        } else {
            memset(init, 0, columns * sizeof *init);
        }
        if (zero_point != 0) subtract(1, gemm->columns, &zero_point, gemm->sums + g * width, init, columns);
    }
}

// y * sum of a, taken away from all outputs of a row; NULL: y is 0.
static const int32_t* sum_rows(const LiteGemm* gemm, const LiteGemmRows* rows, int64_t count, int32_t* to) {
    if (gemm->form != kLiteGemmBytes || gemm->zero_point == 0) return NULL;
    for (int64_t r = 0; r < count; r++) {
        const uint8_t* row = (const uint8_t*)rows->data + (size_t)r * rows->stride;
        const uint32_t sum = gemm->micro->sum_u8((size_t)gemm->taps * (size_t)gemm->depth, row);
        to[r] = (int32_t)(0u - (uint32_t)gemm->zero_point * sum);
    }
    return to;
}

static const int8_t* packed_panel(const LiteGemm* gemm, int64_t number) {
    const size_t element = gemm->form == kLiteGemmBytes ? sizeof(int8_t) : sizeof(int16_t);
    return (const int8_t*)gemm->packed + (size_t)number * gemm->panel_size * element;
}

// What a panel of an item is computed with.
typedef struct Panel {
    const LiteGemm* gemm;
    const LiteGemmInput* input;
    LiteGemmRows rows;
    const int32_t* offsets; // of the rows; NULL: none
    int row_count;
    int64_t number;
    int columns;
    const int8_t* next; // the weights that follow
} Panel;

// The whole of an item's rows; without a scale the sums are left.
static LiteIntRows int_rows(const Panel* panel) {
    const LiteGemm* gemm = panel->gemm;
    const bool bytes = gemm->form == kLiteGemmBytes;
    const size_t quad = bytes ? 4 : 2;
    return (LiteIntRows){
        .rows = panel->row_count,
        .line_rows = panel->rows.line_rows,
        .columns = panel->columns,
        .quads = (int)(gemm->steps / quad),
        .run_quads = (int)(panel->rows.run / quad),
        .a = panel->rows.data,
        .a_stride = panel->rows.stride,
        .line_step = panel->rows.line_step,
        .run_step = panel->rows.run_step,
        .b = packed_panel(gemm, panel->number),
        .init = gemm->init + panel->number * gemm->micro->panel,
        .offsets = panel->offsets,
        .next = panel->next,
        .is_signed = bytes && panel->input->type == kTfLiteInt8 && lite_gemm_flip(gemm, kTfLiteInt8) == 0,
    };
}

// Sums of 64 bits, in steps that fit 32.
static void multiply_wide(const Panel* panel, int first, int rows, int64_t* wide) {
    static const int32_t zeros[LITE_MICRO_MAX_PANEL];
    const LiteGemm* gemm = panel->gemm;
    const int width = gemm->micro->panel;
    int32_t sums[LITE_MICRO_MAX_ROWS * LITE_MICRO_MAX_PANEL];
    const int pairs = (int)(gemm->steps / 2);
    LiteIntRows part = int_rows(panel);
    part.rows = part.line_rows = rows;
    part.columns = width;
    part.init = zeros;
    part.a += (size_t)first * part.a_stride;
    memset(wide, 0, (size_t)(rows * width) * sizeof(int64_t));
    for (int p = 0; p < pairs; p += WIDE_PAIRS) {
        part.quads = part.run_quads = pairs - p < WIDE_PAIRS ? pairs - p : WIDE_PAIRS;
        gemm->micro->gemm_i16(&part, sums);
        for (int i = 0; i < rows * width; i++) wide[i] += sums[i];
        part.a += 4 * part.quads;
        part.b += 4 * part.quads * width;
    }
}

// x * sum of (w - y), where every batch has another x.
static void subtract_zero_points(const Panel* panel, const LiteTile* tile, int32_t* sums) {
    const int width = panel->gemm->micro->panel;
    int32_t zero_points[LITE_ITEM_ROWS];
    int64_t batch = tile->row / tile->batch_rows, end = (batch + 1) * tile->batch_rows;
    for (int r = 0; r < tile->rows; r++) {
        if (tile->row + r == end) batch++, end += tile->batch_rows;
        zero_points[r] = (int32_t)byte_zero_point(panel->gemm, panel->input, batch);
    }
    subtract(tile->rows, tile->columns, zero_points, panel->gemm->sums + panel->number * width, sums,
             (size_t)width);
}

// Sums of 64 bits go to the sink tile by tile.
static void run_wide(const Job* job, const Panel* panel, const LiteTile* all) {
    const LiteMicro* micro = panel->gemm->micro;
    int64_t sums[LITE_MICRO_MAX_ROWS * LITE_MICRO_MAX_PANEL];
    LiteTile tile = *all;
    tile.wide = sums;
    for (int first = 0; first < panel->row_count; first += micro->rows) {
        const int left = panel->row_count - first;
        tile.row = all->row + first;
        tile.rows = left < micro->rows ? left : micro->rows;
        multiply_wide(panel, first, tile.rows, sums);
        job->sink(job->argument, &tile);
    }
}

static void run_panel(const Job* job, const Panel* panel, const LiteTile* all) {
    alignas(64) int32_t sums[LITE_ITEM_ROWS * LITE_MICRO_MAX_PANEL];
    const LiteGemm* gemm = panel->gemm;
    LiteIntRows rows = int_rows(panel);
    LiteTile tile = *all;
    LiteRequantization scale;
    if (job->output != NULL) {
        scale = job->output->scale;
        scale.multiplier += tile.column;
        scale.shift += tile.column;
        rows.scale = &scale;
        rows.out = job->output->data + tile.row * gemm->shape.out_c + tile.column;
        rows.out_step = (size_t)gemm->shape.out_c;
    }
    if (gemm->form == kLiteGemmBytes) {
        gemm->micro->gemm_u8(&rows, sums);
    } else {
        gemm->micro->gemm_i16(&rows, sums);
    }
    if (job->output != NULL) return;
    tile.sums = sums;
    const bool is_hybrid =
        LITE_HAS_TYPE(kTfLiteFloat32) && gemm->form == kLiteGemmBytes && job->input->per_batch;
    if (is_hybrid) subtract_zero_points(panel, &tile, sums);
    job->sink(job->argument, &tile);
}

static void run_item(const LiteGemm* gemm, const LiteGemmItem* item, const void* argument) {
    const Job* job = argument;
    const int width = gemm->micro->panel;
    int32_t row_sums[LITE_ITEM_ROWS];
    Panel panel = {.gemm = gemm, .input = job->input, .row_count = (int)(item->end_row - item->first_row)};
    LiteTile tile = {.batch_rows = gemm->shape.out_d * gemm->shape.out_h * gemm->shape.out_w, .step = width};
    int64_t gathered_group = -1;
    for (int64_t p = item->first_panel; p < item->end_panel && !lite_cancelled(); p++) {
        const int64_t group = p / gemm->panels;
        const int32_t column = (int32_t)(p % gemm->panels) * width;
        if (gathered_group != group) {
            panel.rows = lite_gemm_is_by_lines(gemm) ? lite_gemm_lines(gemm, job->input, item)
                                                     : lite_gemm_gather(gemm, job->input, item, group);
            panel.offsets = sum_rows(gemm, &panel.rows, panel.row_count, row_sums);
        }
        gathered_group = group;
        // Later items of a thread find the panels in its cache.
        const int64_t next = p + 1 < item->end_panel && item->part == 0 ? p + 1 : p;
        panel.number = p;
        panel.next = packed_panel(gemm, next);
        panel.columns = gemm->columns - column < width ? gemm->columns - column : width;
        tile.column = (int32_t)group * gemm->columns + column;
        tile.columns = panel.columns;
        tile.row = item->first_row;
        tile.rows = panel.row_count;
        if (job->input->type == kTfLiteInt16) {
            run_wide(job, &panel, &tile);
        } else {
            run_panel(job, &panel, &tile);
        }
    }
}

static TfLiteStatus run_items(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                              const Job* job) {
    int32_t init[LITE_STACK_SUMS];
    LiteGemm with_init = *gemm;
    LiteGemmInput input = *job->input;
    Job of_input = *job;
    of_input.input = &input;
    if (gemm->shape.batches == 1) input.per_batch = false;
    if (gemm->init == NULL) with_init.init = init;
    set_init(&with_init, &input);
    return lite_gemm_run_items(context, op, &with_init, 1, run_item, &of_input);
}

TfLiteStatus lite_gemm_run_int(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                               const LiteGemmInput* input, LiteTileSink sink, const void* argument) {
    const Job job = {input, sink, argument, NULL};
    return run_items(context, op, gemm, &job);
}

TfLiteStatus lite_gemm_run_8(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                             const LiteGemmInput* input, const LiteGemmOutput* output) {
    const Job job = {input, NULL, NULL, output};
    return run_items(context, op, gemm, &job);
}
