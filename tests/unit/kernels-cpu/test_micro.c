// SPDX-License-Identifier: Apache-2.0
// Every instruction set of the micro kernels against level 0, plain C, on random data of odd sizes. Depthwise
// convolutions are in test_micro_depthwise.c.
#include <math.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/semantics/quant.h"
#include "kernels-cpu/micro/micro.h"
#include "tests/support/micro_case.h"
#include "tests/support/random_numbers.h"

enum { kMost = 4096 };

// Tiles are computed from the definition, since levels differ in rows and panel.
static void check_gemm_f32(const LiteMicro* m, int tiles, int rows, int columns, int taps, int depth,
                           bool is_series) {
    enum { kTaps = 8, kDepth = 20, kRows = 3 * LITE_MICRO_MAX_ROWS, kStep = 40 };
    static float a[kTaps][kRows][kDepth], b[kTaps * kDepth * LITE_MICRO_MAX_PANEL], c[kRows * kStep];
    float bias[LITE_MICRO_MAX_PANEL];
    const float* pointers[kTaps * kRows];
    micro_fill_f32(&a[0][0][0], kTaps * kRows * kDepth);
    micro_fill_f32(b, taps * depth * m->panel);
    micro_fill_f32(bias, m->panel);
    for (int i = 0; i < (is_series ? 1 : tiles) * taps * rows; i++) {
        const int tile = i / rows / taps, t = i / rows % taps, r = i % rows;
        pointers[(tile * taps + t) * m->rows_f32 + r] = a[t][tile * rows + r];
    }
    for (int i = 0; i < kRows * kStep; i++) c[i] = (float)kMicroTail;
    const LiteFloatTile tile = {.tiles = tiles,
                                .rows = rows,
                                .columns = columns,
                                .taps = taps,
                                .depth = depth,
                                .a = pointers,
                                .a_step = is_series ? (size_t)rows * kDepth : 0,
                                .b = b,
                                .bias = bias,
                                .low = -1.5f,
                                .high = 2.0f,
                                .c = c,
                                .c_step = kStep,
                                .ahead = (const char*)b,
                                .ahead_step = 24,
                                .weights = kLitePrecisionFloat32};
    m->gemm_f32(&tile);
    for (int r = 0; r < kRows; r++) {
        for (int n = 0; n < kStep; n++) {
            if (r >= tiles * rows || n >= columns) {
                assert_true(c[r * kStep + n] == (float)kMicroTail); // nothing beside the tiles is written
                continue;
            }
            double sum = bias[n];
            for (int i = 0; i < taps * depth; i++) {
                sum += (double)a[i / depth][r][i % depth] * (double)b[i * m->panel + n];
            }
            micro_expect_near(c[r * kStep + n], (float)(sum < -1.5 ? -1.5 : sum > 2.0 ? 2.0 : sum));
        }
    }
}

static void gemm_f32_level(const LiteMicro* plain, const LiteMicro* m) {
    (void)plain;
    for (int rows = 1; rows <= m->rows_f32; rows++) {
        for (int columns = 1; columns <= m->panel; columns++) {
            const int tiles = 1 + (int)(random_next() % 3), taps = 1 + (int)(random_next() % 8);
            const int depth = (int)(random_next() % 20);
            check_gemm_f32(m, tiles, rows, columns, taps, depth, false);
            check_gemm_f32(m, tiles, rows, columns, taps, depth, true);
        }
    }
}

// The same panels beside each other.
static void put_beside(const LiteMicro* m, const float* b, LiteFloatPanels* few) {
    static float beside[4 * 3 * 20 * LITE_MICRO_MAX_PANEL];
    const size_t steps = (size_t)few->taps * (size_t)few->depth, width = (size_t)m->panel;
    const size_t row = LITE_FEW_PANELS(few->rows) * width;
    assert_true(steps * row <= sizeof beside / sizeof *beside);
    for (size_t i = 0; i < steps * row; i++) {
        const size_t k = i / row, n = i % row;
        beside[i] = b[n / width * few->b_step + k * width + n % width];
    }
    few->b = beside;
    few->b_step = width;
    few->b_row = row;
}

// Several panels at a time give the bits that they give one by one.
static void check_few_f32(const LiteMicro* m, int rows, int columns, int taps, int depth) {
    enum { kTaps = 3, kDepth = 20, kStep = 4 * LITE_MICRO_MAX_PANEL + 3 };
    static float a[kTaps * LITE_FEW_ROWS][kDepth], b[4 * kTaps * kDepth * LITE_MICRO_MAX_PANEL];
    float bias[4 * LITE_MICRO_MAX_PANEL], want[LITE_FEW_ROWS * kStep], got[LITE_FEW_ROWS * kStep];
    const float* pointers[kTaps * LITE_MICRO_MAX_ROWS];
    const size_t b_step = (size_t)taps * (size_t)depth * (size_t)m->panel;
    micro_fill_f32(&a[0][0], kTaps * LITE_FEW_ROWS * kDepth);
    micro_fill_f32(b, 4 * (int)b_step);
    micro_fill_f32(bias, 4 * m->panel);
    for (int t = 0; t < taps; t++) {
        for (int r = 0; r < rows; r++) pointers[t * m->rows_f32 + r] = a[t * LITE_FEW_ROWS + r];
    }
    for (int i = 0; i < LITE_FEW_ROWS * kStep; i++) want[i] = got[i] = (float)kMicroTail;
    for (int n = 0; n < columns; n += m->panel) {
        const int left = columns - n < m->panel ? columns - n : m->panel;
        const float* panel = b + (size_t)(n / m->panel) * b_step;
        const LiteFloatTile tile = {.tiles = 1,
                                    .rows = rows,
                                    .columns = left,
                                    .taps = taps,
                                    .depth = depth,
                                    .a = pointers,
                                    .b = panel,
                                    .bias = bias + n,
                                    .low = -1.5f,
                                    .high = 2.0f,
                                    .c = want + n,
                                    .c_step = kStep,
                                    .ahead = (const char*)panel,
                                    .weights = kLitePrecisionFloat32};
        m->gemm_f32(&tile);
    }
    LiteFloatPanels few = {rows,
                           columns,
                           taps,
                           depth,
                           pointers,
                           b,
                           b_step,
                           (size_t)m->panel,
                           bias,
                           -1.5f,
                           2.0f,
                           got,
                           kStep,
                           b_step,
                           kLitePrecisionFloat32};
    m->few_f32(&few);
    assert_memory_equal(got, want, sizeof got);
    put_beside(m, b, &few);
    for (int i = 0; i < LITE_FEW_ROWS * kStep; i++) got[i] = (float)kMicroTail;
    m->few_f32(&few);
    assert_memory_equal(got, want, sizeof got);
}

static void few_f32_level(const LiteMicro* plain, const LiteMicro* m) {
    (void)plain;
    for (int rows = 1; rows <= LITE_FEW_ROWS; rows++) {
        for (int columns = 1; columns <= LITE_FEW_PANELS(rows) * m->panel; columns++) {
            check_few_f32(m, rows, columns, 1 + (int)(random_next() % 3), (int)(random_next() % 20));
        }
    }
}

enum { kQuads = 37, kIntRows = 50, kIntStep = LITE_MICRO_MAX_PANEL + 3, kIntStride = 4 * kQuads + 4 };

// Which of the products of integers, and with what.
typedef struct IntForm {
    bool bytes;
    bool has_offsets;
    bool has_scale;
    bool is_signed;
} IntForm;

// The product of element k of a row and a column of the panel.
static uint32_t int_product(const LiteMicro* m, const LiteIntRows* t, bool bytes, int row, int column,
                            int k) {
    const int group = bytes ? 4 : 2, run_size = group * t->run_quads;
    const size_t line = (size_t)(row / t->line_rows) * t->line_step;
    const uint8_t* a = t->a + line + (size_t)(row % t->line_rows) * t->a_stride;
    a += (size_t)(k / run_size) * t->run_step;
    const int at = (k / group * m->panel + column) * group + k % group;
    if (!bytes) {
        return (uint32_t)(((const int16_t*)(const void*)a)[k % run_size] *
                          ((const int16_t*)(const void*)t->b)[at]);
    }
    const uint8_t x = a[k % run_size];
    return (uint32_t)((t->is_signed ? (int8_t)x : x) * t->b[at]);
}

// The sum from the definition.
static int32_t int_sum(const LiteMicro* m, const LiteIntRows* t, bool bytes, int row, int column) {
    uint32_t sum = (uint32_t)t->init[column] + (t->offsets == NULL ? 0 : (uint32_t)t->offsets[row]);
    for (int k = 0; k < (bytes ? 4 : 2) * t->quads; k++) {
        sum += int_product(m, t, bytes, row, column, k);
    }
    return (int32_t)sum;
}

// Three lines of rows, which may overlap each other or have a row between them, times two runs.
static void set_lines(LiteIntRows* t) {
    t->line_rows = t->rows / 3;
    t->quads = 2 * LITE_RUN_QUADS;
    t->run_quads = LITE_RUN_QUADS;
    t->a_stride = 5 + random_next() % 8;
    t->line_step = ((size_t)t->line_rows + random_next() % 2) * t->a_stride + random_next() % 2 * 7;
    t->run_step = random_next() % 40;
}

// Products that would saturate 16 bits, or whose sums wrap.
static void fill_operands(bool bytes, uint8_t* a, size_t a_size, int8_t* b, size_t b_size) {
    micro_fill_bytes(a, a_size);
    micro_fill_bytes(b, b_size);
    for (int i = 0; i < 40 && bytes; i++) {
        a[i] = 255;
        b[i] = i < 20 ? -128 : 127;
    }
    for (int i = 0; i < 40 && !bytes; i++) {
        ((int16_t*)(void*)a)[i] = ((int16_t*)(void*)b)[i] = INT16_MIN;
    }
}

static void check_int_rows(const LiteMicro* m, int rows, int columns, const IntForm* form) {
    alignas(4) static uint8_t a[kIntRows * kIntStride];
    static uint8_t got[kIntRows * kIntStep], want[kIntRows * kIntStep];
    alignas(4) static int8_t b[kQuads * LITE_MICRO_MAX_PANEL * 4];
    int32_t c[kIntRows * LITE_MICRO_MAX_PANEL + 1], init[LITE_MICRO_MAX_PANEL], offsets[kIntRows];
    int32_t multiplier[LITE_MICRO_MAX_PANEL], shift[LITE_MICRO_MAX_PANEL];
    const int high = (int)random_next() % 100;
    const LiteRequantization scale = {multiplier, shift, -7, high % 2 == 0 ? -7 : -128, high, NULL};
    fill_operands(form->bytes, a, sizeof a, b, sizeof b);
    micro_fill_bytes(got, sizeof got);
    memcpy(want, got, sizeof got);
    for (int i = 0; i < kIntRows; i++) offsets[i] = (int32_t)random_next() % 20000;
    // In some cases most results are far beyond what a byte, or the integers on the way to it, can hold.
    const int right = random_next() % 4 == 0 ? 1 : form->bytes ? 10 : 24;
    for (int i = 0; i < LITE_MICRO_MAX_PANEL; i++) {
        init[i] = form->has_scale ? (int32_t)random_next() % 20000 : (int32_t)(random_next() << 8);
        multiplier[i] = (int32_t)((1u << 30) + random_next() * 60);
        shift[i] = random_next() % 400 == 0 ? 1 : -right - (int)random_next() % 3;
    }
    c[rows * m->panel] = kMicroTail;
    LiteIntRows t = {.rows = rows,
                     .columns = columns,
                     .quads = (int)random_next() % (kQuads + 1),
                     .a = a,
                     .a_stride = form->bytes ? kIntStride - 1 : kIntStride - 2,
                     .b = b,
                     .init = init,
                     .offsets = form->has_offsets ? offsets : NULL,
                     .next = b,
                     .scale = form->has_scale ? &scale : NULL,
                     .out = got,
                     .out_step = kIntStep,
                     .is_signed = form->is_signed};
    t.line_rows = rows;
    t.run_quads = t.quads;
    if (t.quads == 0) t.a_stride = 0;
    if (form->bytes && m->takes_lines && rows % 3 == 0) set_lines(&t);
    (form->bytes ? m->gemm_u8 : m->gemm_i16)(&t, c);
    assert_int_equal(c[rows * m->panel], kMicroTail);
    for (int i = 0; i < rows * columns; i++) {
        const int row = i / columns, column = i % columns;
        const int32_t sum = int_sum(m, &t, form->bytes, row, column);
        if (form->has_scale) want[row * kIntStep + column] = micro_scaled_byte(&scale, sum, column);
        if (!form->has_scale) assert_int_equal(c[row * m->panel + column], sum);
    }
    assert_memory_equal(got, want, sizeof got);
}

static void check_int_products(const LiteMicro* m, bool bytes) {
    const int forms = bytes && m->takes_signed ? 8 : 4;
    for (int rows = 1; rows <= kIntRows; rows += rows < 20 ? 1 : 5) {
        for (int columns = 1; columns <= m->panel; columns++) {
            for (int i = 0; i < forms; i++) {
                const IntForm form = {bytes, i % 2 != 0, i / 2 % 2 != 0, i > 3};
                check_int_rows(m, rows, columns, &form);
            }
        }
    }
}

static void gemm_i16_level(const LiteMicro* plain, const LiteMicro* m) {
    (void)plain;
    check_int_products(m, false);
}

static void gemm_u8_level(const LiteMicro* plain, const LiteMicro* m) {
    (void)plain;
    if (m->gemm_u8 != NULL) check_int_products(m, true);
}

// NaN is no value to be clamped.
static void nan_level(const LiteMicro* plain, const LiteMicro* m) {
    (void)plain;
    float a = NAN, b[LITE_MICRO_MAX_PANEL], bias[LITE_MICRO_MAX_PANEL] = {0}, c[LITE_MICRO_MAX_PANEL];
    const float* pointer = &a;
    micro_fill_f32(b, LITE_MICRO_MAX_PANEL);
    const LiteFloatTile tile = {.tiles = 1,
                                .rows = 1,
                                .columns = m->panel,
                                .taps = 1,
                                .depth = 1,
                                .a = &pointer,
                                .b = b,
                                .bias = bias,
                                .low = 0.0f,
                                .high = 6.0f,
                                .c = c,
                                .c_step = 40,
                                .ahead = (const char*)b,
                                .weights = kLitePrecisionFloat32};
    m->gemm_f32(&tile);
    for (int n = 0; n < m->panel; n++) assert_true(isnan(c[n]));
}

typedef struct Columns {
    int32_t multiplier[kMost], shift[kMost], start[kMost];
} Columns;

static void check_requantize(const LiteMicro* plain, const LiteMicro* m, const int32_t* in,
                             const Columns* columns, int rows, int count) {
    enum { kStep = 70 };
    static uint8_t want[kMost], got[kMost];
    const LiteRequantization forms[] = {
        {columns->multiplier, columns->shift, -5, -128, 127, NULL},
        {columns->multiplier, columns->shift, -128, -100, 90, columns->start},
        {columns->multiplier, columns->shift, 130, 17, 201, columns->start},
        {columns->multiplier, columns->shift, 0, 0, 255, columns->start},
        {columns->multiplier, columns->shift, -7, -7, 100, NULL},
    };
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        memset(want, 7, sizeof want);
        memset(got, 7, sizeof got);
        plain->requantize(rows, count, in, kStep, &forms[f], want, kStep + 1);
        m->requantize(rows, count, in, kStep, &forms[f], got, kStep + 1);
        assert_memory_equal(got, want, sizeof got);
    }
}

static void requantize_level(const LiteMicro* plain, const LiteMicro* m) {
    static int32_t in[kMost];
    static Columns columns;
    for (int round = 0; round < 400; round++) {
        // Multipliers of models, about 2^-2 to 2^-20, in three quarters of the rounds; else any.
        const bool usual = round % 4 != 0;
        for (int i = 0; i < kMost; i++) {
            in[i] = (int32_t)(random_next() << 8 | random_next() % 256) >> random_next() % 30;
            if (i % 61 == 0) in[i] = i % 2 == 0 ? INT32_MIN + (int32_t)(random_next() % 3) : INT32_MAX;
            columns.multiplier[i] = (int32_t)((1u << 30) + random_next() * 60);
            columns.start[i] = (int32_t)(random_next() << 8) >> random_next() % 32;
            columns.shift[i] = usual ? -2 - (int32_t)random_next() % 19 : (int32_t)(random_next() % 62) - 31;
            if (!usual && i % 50 == 0) columns.multiplier[i] = 0;
            // Products that are half of the last place, whose rounding depends on the sign.
            if (round % 3 != 0) continue;
            columns.multiplier[i] = 1 << 30;
            in[i] = (in[i] >> 8) * 2 + 1;
            if (usual && columns.shift[i] > -30) in[i] *= 1 << (-columns.shift[i] % 8);
        }
        check_requantize(plain, m, in, &columns, 1 + (int)random_next() % 9, 1 + (int)random_next() % 70);
    }
}

static void bytes_level(const LiteMicro* plain, const LiteMicro* m) {
    static uint8_t in[kMost], want[kMost], got[kMost];
    micro_fill_bytes(in, sizeof in);
    for (size_t count = 0; count < 300; count++) {
        plain->copy_u8(count, in + 1, 0x80, want);
        m->copy_u8(count, in + 1, 0x80, got);
        assert_memory_equal(got, want, sizeof got);
        assert_int_equal(m->sum_u8(count, in + 2), plain->sum_u8(count, in + 2));
    }
}

static void gather_level(const LiteMicro* plain, const LiteMicro* m) {
    static uint8_t in[kMost], want[kMost + LITE_GATHER_SLACK], got[kMost + LITE_GATHER_SLACK];
    micro_fill_bytes(in, sizeof in);
    for (int i = 0; i < 1000 && m->gather_u8 != NULL; i++) {
        const int pixels = 1 + (int)random_next() % 9, lines = 1 + (int)random_next() % 4;
        const size_t run = 1 + random_next() % 70, out_step = run * (size_t)lines + random_next() % 4;
        const uint8_t* from[4];
        for (int l = 0; l < lines; l++) from[l] = in + random_next() % (kMost - 9 * 80 - LITE_GATHER_SLACK);
        plain->gather_u8(pixels, lines, from, 80, run, 0x80, want, out_step);
        m->gather_u8(pixels, lines, from, 80, run, 0x80, got, out_step);
        for (int p = 0; p < pixels; p++) {
            const size_t at = (size_t)p * out_step;
            assert_memory_equal(got + at, want + at, run * (size_t)lines);
        }
    }
}

static void widen_level(const LiteMicro* plain, const LiteMicro* m) {
    static uint8_t in[kMost];
    static int16_t want[kMost], got[kMost];
    micro_fill_bytes(in, sizeof in);
    for (int count = 0; count < 200; count++) {
        plain->widen_i8(count, (const int8_t*)in + 1, -128, want);
        m->widen_i8(count, (const int8_t*)in + 1, -128, got);
        assert_memory_equal(got, want, (size_t)count * sizeof(int16_t));
        plain->widen_u8(count, in + 3, 255, want);
        m->widen_u8(count, in + 3, 255, got);
        assert_memory_equal(got, want, (size_t)count * sizeof(int16_t));
    }
}

MICRO_LEVEL_TEST(gemm_f32)
MICRO_LEVEL_TEST(few_f32)
MICRO_LEVEL_TEST(nan)
MICRO_LEVEL_TEST(gemm_i16)
MICRO_LEVEL_TEST(gemm_u8)
MICRO_LEVEL_TEST(requantize)
MICRO_LEVEL_TEST(widen)
MICRO_LEVEL_TEST(bytes)
MICRO_LEVEL_TEST(gather)

static void levels_can_be_forced(void** state) {
    (void)state;
    const LiteMicro* best = lite_micro();
    assert_non_null(best);
    for (LiteCpuPath level = kLiteCpuReference; level <= kLiteCpuAvx512Amx; level++) {
        if (!lite_cpu_path_choose(level)) continue;
        assert_ptr_equal(lite_micro(), lite_micro_level(level));
        assert_string_equal(lite_micro()->name, lite_cpu_path_name(level));
    }
    assert_true(lite_cpu_path_choose(kLiteCpuAuto));
    assert_ptr_equal(lite_micro(), best);
    assert_null(lite_micro_level(kLiteCpuAuto));
    assert_null(lite_micro_level(kLiteCpuPaths));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gemm_f32_is_the_same_everywhere),
        cmocka_unit_test(few_f32_is_the_same_everywhere),
        cmocka_unit_test(nan_is_the_same_everywhere),
        cmocka_unit_test(gemm_i16_is_the_same_everywhere),
        cmocka_unit_test(gemm_u8_is_the_same_everywhere),
        cmocka_unit_test(requantize_is_the_same_everywhere),
        cmocka_unit_test(widen_is_the_same_everywhere),
        cmocka_unit_test(bytes_is_the_same_everywhere),
        cmocka_unit_test(gather_is_the_same_everywhere),
        cmocka_unit_test(levels_can_be_forced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
