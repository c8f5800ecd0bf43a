// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "kernels-cpu/gemm_internal.h"

void lite_gemm_pack_f32(LiteGemm* gemm, const float* weights, size_t column_step, size_t depth_step) {
    const int panel = gemm->micro->panel;
    const size_t steps = (size_t)gemm->taps * (size_t)gemm->depth;
    float* to = gemm->packed;
    for (int32_t g = 0; g < gemm->shape.groups; g++) {
        for (int32_t p = 0; p < gemm->panels; p++, to += gemm->panel_size) {
            for (int n = 0; n < panel; n++) {
                const int64_t column = (int64_t)p * panel + n;
                const bool real = column < gemm->columns;
                const size_t index = (size_t)(g * (int64_t)gemm->columns + column);
                const float* from = real ? weights + index * column_step : NULL;
                for (size_t k = 0; k < steps; k++) to[k * panel + n] = real ? from[k * depth_step] : 0.0f;
            }
        }
    }
    gemm->source = weights;
}

void lite_gemm_bias_f32(LiteGemm* gemm, const float* bias) {
    const size_t width = (size_t)gemm->panels * (size_t)gemm->micro->panel; // of one group
    for (int32_t g = 0; g < gemm->shape.groups; g++) {
        float* to = gemm->bias + (size_t)g * width;
        const float* from = bias == NULL ? NULL : bias + (size_t)g * (size_t)gemm->columns;
        for (int32_t n = 0; n < gemm->columns; n++) to[n] = from == NULL ? 0.0f : from[n];
    }
}

typedef struct Job {
    const float* input;
    float* output;
    float low;
    float high;
    const LiteGrid* grid;
} Job;

// Pointers of one tile, [tap][micro->rows]; those in the padding point to zeros.
static void point_tile(const LiteGemm* gemm, const float* input, int64_t first_row, int rows,
                       const float* zeros, const float** to) {
    const LiteConvShape* s = &gemm->shape;
    LitePixel pixel = lite_gemm_pixel(s, first_row);
    for (int r = 0; r < rows; r++, lite_gemm_next_pixel(s, &pixel)) {
        const float* image = input + pixel.image;
        const float** at = to + r;
        for (int32_t f = 0; f < s->filter_d * s->filter_h; f++) {
            const int64_t z = pixel.z + (int64_t)(f / s->filter_h) * s->dilation_d;
            const int64_t y = pixel.y + (int64_t)(f % s->filter_h) * s->dilation_h;
            const bool is_line = z >= 0 && z < s->in_d && y >= 0 && y < s->in_h;
            for (int32_t fx = 0; fx < s->filter_w; fx++, at += gemm->micro->rows) {
                const int64_t x = pixel.x + (int64_t)fx * s->dilation_w;
                const bool inside = is_line && x >= 0 && x < s->in_w;
                *at = inside ? image + ((z * s->in_h + y) * s->in_w + x) * s->in_c : zeros;
            }
        }
    }
}

// One tile, to the output's rows or, where they do not follow each other, by way of a buffer.
static void run_tile(const LiteGemm* gemm, const Job* job, const float* const* pointers, int64_t row,
                     int rows, int64_t panel, int32_t column, int columns) {
    const LiteMicro* micro = gemm->micro;
    const float* packed = (const float*)gemm->packed + (size_t)panel * gemm->panel_size;
    const float* bias = gemm->bias + (size_t)panel * (size_t)micro->panel;
    const size_t out_c = (size_t)gemm->shape.out_c;
    if (job->grid == NULL) {
        micro->gemm_f32(rows, columns, gemm->taps, gemm->depth, pointers, packed, bias, job->low, job->high,
                        job->output + (size_t)row * out_c + column, out_c);
        return;
    }
    float tile[LITE_MICRO_MAX_ROWS * LITE_MICRO_MAX_PANEL];
    micro->gemm_f32(rows, columns, gemm->taps, gemm->depth, pointers, packed, bias, job->low, job->high, tile,
                    (size_t)micro->panel);
    for (int r = 0; r < rows; r++) {
        memcpy(job->output + lite_gemm_offset(gemm, job->grid, row + r) + column, tile + r * micro->panel,
               (size_t)columns * sizeof(float));
    }
}

static void run_item(const LiteGemm* gemm, const LiteGemmItem* item, const void* argument) {
    const Job* job = argument;
    const LiteMicro* micro = gemm->micro;
    const float** pointers = (const float**)(void*)item->scratch;
    const size_t tile_pointers = (size_t)gemm->taps * (size_t)micro->rows;
    const float* zeros = gemm->bias + (size_t)gemm->shape.groups * (size_t)gemm->panels * micro->panel;
    int64_t pointed_group = -1;
    for (int64_t p = item->first_panel; p < item->end_panel; p++) {
        const int64_t group = p / gemm->panels;
        const int32_t column = (int32_t)(p % gemm->panels) * micro->panel;
        const int32_t left = gemm->columns - column;
        const int columns = left < micro->panel ? left : micro->panel;
        const float** at = pointers;
        for (int64_t row = item->first_row; row < item->end_row; row += micro->rows, at += tile_pointers) {
            const int64_t rest = item->end_row - row;
            const int rows = rest < micro->rows ? (int)rest : micro->rows;
            if (pointed_group != group) {
                point_tile(gemm, job->input + group * gemm->depth, row, rows, zeros, at);
            }
            run_tile(gemm, job, at, row, rows, p, (int32_t)group * gemm->columns + column, columns);
        }
        pointed_group = group;
    }
}

TfLiteStatus lite_gemm_run_f32(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                               const float* input, float low, float high, float* output,
                               const LiteGrid* grid) {
    const Job job = {input, output, low, high, grid};
    return lite_gemm_run_items(context, op, gemm, run_item, &job);
}
