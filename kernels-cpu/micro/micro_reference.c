// SPDX-License-Identifier: Apache-2.0
// The table in plain C.
#include <math.h>
#include <string.h>

#include "core/semantics/half.h"
#include "core/semantics/quant.h"
#include "kernels-cpu/micro/levels.h"

#define ROWS 4
#define PANEL 8

static float clamp_f32(float x, float low, float high) {
    return x < low ? low : x > high ? high : x;
}

static float weight(LitePrecision precision, const void* b, size_t i) {
    switch (precision) {
    case kLitePrecisionFloat16:
        return lite_f16_to_f32(((const uint16_t*)b)[i]);
    case kLitePrecisionBfloat16:
        return lite_bf16_to_f32(((const uint16_t*)b)[i]);
    default:
        return ((const float*)b)[i];
    }
}

static void narrow(LitePrecision precision, size_t count, const float* in, uint16_t* out) {
    const bool is_f16 = precision == kLitePrecisionFloat16;
    for (size_t i = 0; i < count; i++) out[i] = is_f16 ? lite_f32_to_f16(in[i]) : lite_f32_to_bf16(in[i]);
}

static void gemm_f32(const LiteFloatTile* tile) {
    for (size_t i = 0; i < (size_t)tile->tiles * (size_t)tile->rows; i++) {
        const size_t taps = (size_t)tile->taps, rows = (size_t)tile->rows;
        const size_t pointed = tile->a_step == 0 ? i / rows : 0, offset = i / rows * tile->a_step;
        const float* const* a = tile->a + pointed * taps * ROWS + i % rows;
        for (int n = 0; n < tile->columns; n++) {
            float sum = tile->bias[n];
            for (size_t t = 0; t < taps; t++) {
                for (size_t k = 0; k < (size_t)tile->depth; k++) {
                    const size_t at = (t * (size_t)tile->depth + k) * PANEL + (size_t)n;
                    sum += a[t * ROWS][offset + k] * weight(tile->weights, tile->b, at);
                }
            }
            tile->c[i * tile->c_step + (size_t)n] = clamp_f32(sum, tile->low, tile->high);
        }
    }
}

static void few_f32(const LiteFloatPanels* few) {
    for (int r = 0; r < few->rows; r++) {
        for (int n = 0; n < few->columns; n++) {
            size_t at = (size_t)(n / PANEL) * few->b_step + (size_t)(n % PANEL);
            float sum = few->bias[n];
            for (int t = 0; t < few->taps; t++) {
                for (int k = 0; k < few->depth; k++, at += few->b_row) {
                    sum += few->a[t * ROWS + r][k] * weight(few->weights, few->b, at);
                }
            }
            few->c[(size_t)r * few->c_step + (size_t)n] = clamp_f32(sum, few->low, few->high);
        }
    }
}

// B^T and A^T of tiles of 2 and of 4; H is sqrt(1/2).
#define H 0.70710678118654752440
static const double inputs_2[4][4] = {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, -1, 0, 1}};
static const double outputs_2[2][4] = {{1, 1, 1, 0}, {0, 1, -1, 1}};
static const double inputs_4[6][6] = {{1, 0, -2.5, 0, 1, 0},      {0, -2 * H, -2, H, 1, 0},
                                      {0, 2 * H, -2, -H, 1, 0},   {0, -H, -0.5, 2 * H, 1, 0},
                                      {0, H, -0.5, -2 * H, 1, 0}, {0, 1, 0, -2.5, 0, 1}};
static const double outputs_4[4][6] = {{1, 1, 1, 1, 1, 0},
                                       {0, H, -H, 2 * H, -2 * H, 0},
                                       {0, 0.5, 0.5, 2, 2, 0},
                                       {0, H / 2, -H / 2, 4 * H, -4 * H, 1}};

// The element at y, x of M d M^T.
static double transformed(int size, const double* m, const double* d, int y, int x) {
    double sum = 0;
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) sum += m[y * size + i] * d[i * size + j] * m[x * size + j];
    }
    return sum;
}

static void winograd_input(const LiteWinogradInput* t) {
    const int size = t->tile + 2;
    for (int c = 0; c < t->channels; c++) {
        double d[LITE_WINOGRAD_MAX_SIZE * LITE_WINOGRAD_MAX_SIZE] = {0};
        for (int p = 0; p < size * size; p++) {
            d[p] = t->in[(size_t)(p / size) * t->line + (size_t)(p % size) * t->pixel + (size_t)c];
        }
        for (int p = 0; p < size * size; p++) {
            const double* m = t->tile == 2 ? *inputs_2 : *inputs_4;
            t->out[(size_t)p * t->plane + (size_t)c] = (float)transformed(size, m, d, p / size, p % size);
        }
    }
}

static bool winograd_output(const LiteWinogradOutput* t) {
    const int size = t->tile + 2;
    bool finite = true;
    for (int c = 0; c < t->channels; c++) {
        double d[LITE_WINOGRAD_MAX_SIZE * LITE_WINOGRAD_MAX_SIZE] = {0};
        for (int p = 0; p < size * size; p++) d[p] = t->in[(size_t)p * t->plane + (size_t)c];
        for (int y = 0; y < t->tile; y++) {
            for (int x = 0; x < t->tile; x++) {
                const double* m = t->tile == 2 ? *outputs_2 : *outputs_4;
                const float sum = (float)transformed(size, m, d, y, x) + t->bias[c];
                float* out = t->out + (size_t)y * t->line + (size_t)x * t->pixel + (size_t)c;
                finite = finite && isfinite(sum);
                if (y < t->lines && x < t->columns) *out = clamp_f32(sum, t->low, t->high);
            }
        }
    }
    return finite;
}

static void depthwise_f32(const LiteFloatLine* s) {
    const size_t channels = (size_t)s->channels;
    for (size_t i = 0; i < (size_t)s->pixels * channels; i++) {
        const size_t c = i % channels;
        float sum = s->bias[c];
        for (size_t l = 0; l < (size_t)s->lines; l++) {
            for (size_t k = 0; k < (size_t)s->columns; k++) {
                const size_t at = l * s->line - (l < (size_t)s->wrap ? 0 : s->ring);
                sum += s->in[i / channels * s->pixel + at + k * s->column + c] *
                       s->w[l * s->w_line + k * s->w_column + c];
            }
        }
        s->out[i / channels * s->step + c] = clamp_f32(sum, s->low, s->high);
    }
}

#define DEPTHWISE_INTEGER(NAME, TYPE)                                                                        \
    static void NAME(int channels, int taps, const TYPE* const* in, const uint32_t* w, const int32_t* init,  \
                     int32_t* out) {                                                                         \
        for (int c = 0; c < channels; c++) {                                                                 \
            uint32_t sum = (uint32_t)init[c];                                                                \
            for (int t = 0; t < taps; t++) {                                                                 \
                sum += (uint32_t)(in[t][c] * (int16_t)w[(size_t)t * channels + c]);                          \
            }                                                                                                \
            out[c] = (int32_t)sum;                                                                           \
        }                                                                                                    \
    }
DEPTHWISE_INTEGER(depthwise_i8, int8_t)
DEPTHWISE_INTEGER(depthwise_u8, uint8_t)

// A value of a strip: filter line `line` at input column `column`.
static uint8_t strip_value(const LiteStrip* s, int line, int column, int channel) {
    if (column < s->begin || column >= s->end) return s->padding;
    return s->in[line][(size_t)(column - s->begin) * s->step[line] + (size_t)channel] ^ s->flip;
}

static void requantize(int rows, int columns, const int32_t* in, size_t in_step, const LiteRequantization* q,
                       uint8_t* out, size_t out_step) {
    for (int r = 0; r < rows; r++, in += in_step, out += out_step) {
        for (int i = 0; i < columns; i++) {
            const uint32_t start = q->start == NULL ? 0 : (uint32_t)q->start[i];
            const int32_t sum = (int32_t)((uint32_t)in[i] + start);
            const int32_t scaled = lite_multiply(sum, (LiteMultiplier){q->multiplier[i], q->shift[i]});
            const int32_t moved = (int32_t)((uint32_t)scaled + (uint32_t)q->zero_point);
            out[i] = (uint8_t)lite_clamp_i32(moved, q->low, q->high);
        }
    }
}

#define GEMM_INTEGER(NAME, A, B, E)                                                                          \
    static int32_t NAME##_sum(const LiteIntRows* t, int row, int column) {                                   \
        const A* a = (const A*)(const void*)(t->a + (size_t)row * t->a_stride);                              \
        const B* b = (const B*)(const void*)t->b + E * column;                                               \
        uint32_t sum = (uint32_t)t->init[column] + (t->offsets == NULL ? 0 : (uint32_t)t->offsets[row]);     \
        for (int q = 0; q < t->quads; q++, a += E, b += E * PANEL) {                                         \
            for (int i = 0; i < E; i++) sum += (uint32_t)(a[i] * b[i]);                                      \
        }                                                                                                    \
        return (int32_t)sum;                                                                                 \
    }                                                                                                        \
    static void NAME(const LiteIntRows* t, int32_t* c) {                                                     \
        for (int i = 0; i < t->rows * PANEL; i++) c[i] = NAME##_sum(t, i / PANEL, i % PANEL);                \
        if (t->scale != NULL) requantize(t->rows, t->columns, c, PANEL, t->scale, t->out, t->out_step);      \
    }
GEMM_INTEGER(gemm_i16, int16_t, int16_t, 2)
GEMM_INTEGER(gemm_u8, uint8_t, int8_t, 4)

static int32_t strip_sum(const LiteStrip* s, int row, int pixel, int channel) {
    const int groups = (s->lines + 3) / 4;
    uint32_t sum = (uint32_t)s->init[channel];
    for (int t = 0; t < s->columns * s->lines; t++) {
        const int line = t % s->lines, column = t / s->lines;
        const int at = ((column * groups + line / 4) * PANEL + channel) * 4 + line % 4;
        const int y = row * s->row_stride + line * s->line_dilation;
        const int x = pixel * s->stride + column * s->dilation;
        sum += (uint32_t)(strip_value(s, y, x, channel) * ((const int8_t*)s->w)[at]);
    }
    return (int32_t)sum;
}

static void depthwise_strip(const LiteStrip* s) {
    for (int i = 0; i < s->rows * s->pixels; i++) {
        const int row = i / s->pixels, pixel = i % s->pixels;
        int32_t sums[PANEL];
        for (int n = 0; n < s->channels; n++) sums[n] = strip_sum(s, row, pixel, n);
        uint8_t* out = s->out + (size_t)row * s->out_row + (size_t)pixel * s->out_step;
        requantize(1, s->channels, sums, 0, &s->scale, out, 0);
    }
}

#define WIDEN(NAME, TYPE)                                                                                    \
    static void NAME(int count, const TYPE* in, int32_t zero_point, int16_t* out) {                          \
        for (int i = 0; i < count; i++) out[i] = (int16_t)(in[i] - zero_point);                              \
    }
WIDEN(widen_i8, int8_t)
WIDEN(widen_u8, uint8_t)

static void copy_u8(size_t count, const uint8_t* in, uint8_t flip, uint8_t* out) {
    for (size_t i = 0; i < count; i++) out[i] = in[i] ^ flip;
}

static uint32_t sum_u8(size_t count, const uint8_t* in) {
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += in[i];
    return sum;
}

static void gather_u8(int pixels, int lines, const uint8_t* const* in, size_t in_step, size_t run,
                      uint8_t flip, uint8_t* out, size_t out_step) {
    for (size_t p = 0; p < (size_t)pixels; p++) {
        for (size_t l = 0; l < (size_t)lines; l++) {
            copy_u8(run, in[l] + p * in_step, flip, out + p * out_step + l * run);
        }
        // Read later, to be multiplied by 0.
        memset(out + p * out_step + (size_t)lines * run, 0, out_step - (size_t)lines * run);
    }
}

static int sum_bytes(int count, const uint8_t* a, const uint8_t* b, const LiteByteSum* s, uint8_t* out) {
    int i = 0;
    for (; i + LITE_SUM_BLOCK <= count; i += LITE_SUM_BLOCK) {
        uint8_t block[LITE_SUM_BLOCK];
        for (int n = 0; n < LITE_SUM_BLOCK; n++) {
            const int32_t x = s->is_signed ? (int8_t)a[i + n] : a[i + n];
            const int32_t y = s->is_signed ? (int8_t)b[i + n] : b[i + n];
            const int64_t sum = s->start + (int64_t)x * s->scales[0] + (int64_t)y * s->scales[1];
            if ((sum & ((1 << s->bits) - 1)) < s->margin) return i;
            block[n] = (uint8_t)lite_clamp_i32((int32_t)(sum >> s->bits), s->low, s->high);
        }
        memcpy(out + i, block, sizeof block);
    }
    return i;
}

const LiteMicro lite_micro_reference = {
    .name = "reference",
    .rows = ROWS,
    .rows_f32 = ROWS,
    .panel = PANEL,
    .lanes = PANEL,
    .gemm_f32 = LITE_FLOATS(gemm_f32),
    .few_f32 = LITE_FLOATS(few_f32),
    .precisions = LITE_PRECISION_BIT(kLitePrecisionFloat32) | LITE_PRECISION_BIT(kLitePrecisionBfloat16) |
                  LITE_PRECISION_BIT(kLitePrecisionFloat16),
    .narrow = LITE_FLOATS(narrow),
    .gemm_i16 = gemm_i16,
    .gemm_u8 = gemm_u8,
    .depthwise_f32 = LITE_FLOATS(depthwise_f32),
    .winograd_input = LITE_FLOATS(winograd_input),
    .winograd_output = LITE_FLOATS(winograd_output),
    .depthwise_i8 = depthwise_i8,
    .depthwise_u8 = depthwise_u8,
    .depthwise_strip = depthwise_strip,
    .strip_group = 4,
    .requantize = requantize,
    .sum_bytes = sum_bytes,
    .widen_i8 = widen_i8,
    .widen_u8 = widen_u8,
    .copy_u8 = copy_u8,
    .sum_u8 = sum_u8,
    .gather_u8 = gather_u8,
};
