// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "kernels-cpu/gemm_internal.h"
#include "kernels-cpu/weights.h"

// int16 inputs times int8 weights: this many pairs of products stay under 2^31 (2 * 2^15 * 2^7 * 128 = 2^30).
#define WIDE_PAIRS 128

void lite_gemm_pack_int(LiteGemm* gemm, TfLiteType type, const void* weights, size_t column_step,
                        size_t depth_step, int32_t zero_point) {
    const int panel = gemm->micro->panel;
    const size_t steps = (size_t)gemm->taps * (size_t)gemm->depth;
    int16_t* to = gemm->packed;
    for (int32_t g = 0; g < gemm->shape.groups; g++) {
        for (int32_t p = 0; p < gemm->panels; p++, to += gemm->panel_size) {
            memset(to, 0, gemm->panel_size * sizeof(int16_t));
            for (int n = 0; n < panel && (int64_t)p * panel + n < gemm->columns; n++) {
                const size_t column = (size_t)(g * (int64_t)gemm->columns + (int64_t)p * panel + n);
                for (size_t k = 0; k < steps; k++) {
                    const int32_t w = lite_weight(type, weights, column * column_step + k * depth_step);
                    to[(k / 2 * panel + n) * 2 + k % 2] = (int16_t)(w - zero_point);
                }
            }
        }
    }
    gemm->source = weights;
}

typedef struct Job {
    const LiteGemmInput* input;
    LiteTileSink sink;
    const void* argument;
} Job;

// Runs as short as the few channels of a first layer are not worth a call.
#define SHORT_RUN 12

static void widen_short(const LiteGemmInput* input, int64_t at, int32_t count, int32_t zero_point,
                        int16_t* to) {
    if (input->type == kTfLiteInt8) {
        const int8_t* in = (const int8_t*)input->data + at;
        for (int32_t i = 0; i < count; i++) to[i] = (int16_t)(in[i] - zero_point);
    } else {
        const uint8_t* in = (const uint8_t*)input->data + at;
        for (int32_t i = 0; i < count; i++) to[i] = (int16_t)(in[i] - zero_point);
    }
}

static void widen(const LiteGemm* gemm, const LiteGemmInput* input, int64_t at, int32_t count,
                  int32_t zero_point, int16_t* to) {
    if (input->type == kTfLiteInt16) {
        memcpy(to, (const int16_t*)input->data + at, (size_t)count * sizeof(int16_t));
    } else if (count <= SHORT_RUN) {
        widen_short(input, at, count, zero_point, to);
    } else if (input->type == kTfLiteInt8) {
        gemm->micro->widen_i8(count, (const int8_t*)input->data + at, zero_point, to);
    } else {
        gemm->micro->widen_u8(count, (const uint8_t*)input->data + at, zero_point, to);
    }
}

// One row of a filter: taps [0, filter_w) of one pixel at input line `line` (its first element).
static void widen_line(const LiteGemm* gemm, const LiteGemmInput* input, int64_t line, int64_t x,
                       int32_t zero_point, int16_t* to) {
    const LiteConvShape* s = &gemm->shape;
    const bool whole = s->dilation_w == 1 && s->groups == 1 && x >= 0 && x + s->filter_w <= s->in_w;
    if (whole) {
        widen(gemm, input, line + x * s->in_c, s->filter_w * gemm->depth, zero_point, to);
        return;
    }
    for (int32_t fx = 0; fx < s->filter_w; fx++, x += s->dilation_w, to += gemm->depth) {
        if (x >= 0 && x < s->in_w) {
            widen(gemm, input, line + x * s->in_c, gemm->depth, zero_point, to);
        } else {
            memset(to, 0, (size_t)gemm->depth * sizeof(int16_t));
        }
    }
}

// Rows of the item for one group, [rows][stride], zero points subtracted and padding 0.
static void widen_rows(const LiteGemm* gemm, const LiteGemmInput* input, const LiteGemmItem* item,
                       int64_t group, size_t stride, int16_t* to) {
    const LiteConvShape* s = &gemm->shape;
    const size_t line_size = (size_t)s->filter_w * (size_t)gemm->depth;
    const size_t used = (size_t)gemm->taps * (size_t)gemm->depth;
    if (stride == 0) return; // a filter without taps: there is no memory either
    LitePixel pixel = lite_gemm_pixel(s, item->first_row);
    for (int64_t row = item->first_row; row < item->end_row; row++, to += stride) {
        const int32_t zero_point =
            input->zero_points == NULL ? 0 : input->zero_points[input->per_batch ? pixel.batch : 0];
        int16_t* at = to;
        for (int32_t f = 0; f < s->filter_d * s->filter_h; f++, at += line_size) {
            const int64_t z = pixel.z + (int64_t)(f / s->filter_h) * s->dilation_d;
            const int64_t y = pixel.y + (int64_t)(f % s->filter_h) * s->dilation_h;
            if (z >= 0 && z < s->in_d && y >= 0 && y < s->in_h) {
                const int64_t line =
                    pixel.image + (z * s->in_h + y) * s->in_w * s->in_c + group * gemm->depth;
                widen_line(gemm, input, line, pixel.x, zero_point, at);
            } else {
                memset(at, 0, line_size * sizeof(int16_t));
            }
        }
        for (size_t i = used; i < stride; i++) to[i] = 0;
        lite_gemm_next_pixel(s, &pixel);
    }
}

// A tile whose sums need 64 bits, in steps that fit 32.
static void multiply_wide(const LiteGemm* gemm, int rows, size_t pairs, const int16_t* a, size_t stride,
                          const int16_t* b, int64_t* wide) {
    const int panel = gemm->micro->panel;
    int32_t sums[LITE_MICRO_MAX_ROWS * LITE_MICRO_MAX_PANEL];
    memset(wide, 0, (size_t)(rows * panel) * sizeof(int64_t));
    for (size_t p = 0; p < pairs; p += WIDE_PAIRS) {
        const size_t step = pairs - p < WIDE_PAIRS ? pairs - p : WIDE_PAIRS;
        gemm->micro->gemm_i16(rows, (int)step, a + 2 * p, stride, b + 2 * p * panel, sums);
        for (int i = 0; i < rows * panel; i++) wide[i] += sums[i];
    }
}

static void run_item(const LiteGemm* gemm, const LiteGemmItem* item, const void* argument) {
    const Job* job = argument;
    const LiteMicro* micro = gemm->micro;
    const size_t stride = gemm->panel_size / (size_t)micro->panel;
    const bool is_wide = job->input->type == kTfLiteInt16;
    int16_t* rows16 = (int16_t*)(void*)item->scratch;
    int32_t sums[LITE_MICRO_MAX_ROWS * LITE_MICRO_MAX_PANEL];
    int64_t wide[LITE_MICRO_MAX_ROWS * LITE_MICRO_MAX_PANEL];
    const int32_t batch_rows = gemm->shape.out_d * gemm->shape.out_h * gemm->shape.out_w;
    LiteTile tile = {.batch_rows = batch_rows, .step = micro->panel};
    if (is_wide) {
        tile.wide = wide;
    } else {
        tile.sums = sums;
    }
    int64_t widened_group = -1;
    for (int64_t p = item->first_panel; p < item->end_panel; p++) {
        const int64_t group = p / gemm->panels;
        const int32_t column = (int32_t)(p % gemm->panels) * micro->panel;
        const int32_t left = gemm->columns - column;
        const int16_t* packed = (const int16_t*)gemm->packed + (size_t)p * gemm->panel_size;
        if (widened_group != group) widen_rows(gemm, job->input, item, group, stride, rows16);
        widened_group = group;
        tile.column = (int32_t)group * gemm->columns + column;
        tile.columns = left < micro->panel ? left : micro->panel;
        for (tile.row = item->first_row; tile.row < item->end_row; tile.row += micro->rows) {
            const int64_t rest = item->end_row - tile.row;
            const int16_t* a = rows16 + (size_t)(tile.row - item->first_row) * stride;
            tile.rows = rest < micro->rows ? (int)rest : micro->rows;
            if (is_wide) {
                multiply_wide(gemm, tile.rows, stride / 2, a, stride, packed, wide);
            } else {
                micro->gemm_i16(tile.rows, (int)(stride / 2), a, stride, packed, sums);
            }
            job->sink(job->argument, &tile);
        }
    }
}

TfLiteStatus lite_gemm_run_int(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                               const LiteGemmInput* input, LiteTileSink sink, const void* argument) {
    const Job job = {input, sink, argument};
    return lite_gemm_run_items(context, op, gemm, run_item, &job);
}
