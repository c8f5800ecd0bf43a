// SPDX-License-Identifier: Apache-2.0
// Products of floats with halves as weights: every instruction set gives the bits that it gives with the
// floats for which these stand, and narrows as the definition of the types says.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/semantics/half.h"
#include "tests/support/micro_case.h"
#include "tests/support/random_numbers.h"

enum { kTaps = 3, kDepth = 20, kPanels = 4, kRows = 2 * LITE_MICRO_MAX_ROWS };
enum {
    kStep = kPanels * LITE_MICRO_MAX_PANEL + 3,
    kWeights = kPanels * kTaps * kDepth * LITE_MICRO_MAX_PANEL
};

static float a[kTaps * kRows][kDepth], wide[kWeights], bias[kPanels * LITE_MICRO_MAX_PANEL];
static uint16_t half[kWeights];
static float want[kRows * kStep], got[kRows * kStep];
static const float* pointers[kTaps * kRows];

static bool takes(const LiteMicro* m, LitePrecision precision) {
    return (m->precisions & LITE_PRECISION_BIT(precision)) != 0;
}

static uint16_t narrowed(LitePrecision precision, float x) {
    return precision == kLitePrecisionFloat16 ? lite_f32_to_f16(x) : lite_f32_to_bf16(x);
}

static float widened(LitePrecision precision, uint16_t x) {
    return precision == kLitePrecisionFloat16 ? lite_f16_to_f32(x) : lite_bf16_to_f32(x);
}

// Also halves that are not normal, and those of 0.
static void draw(const LiteMicro* m, LitePrecision precision, int taps, int rows) {
    micro_fill_f32(&a[0][0], kTaps * kRows * kDepth);
    micro_fill_f32(bias, kPanels * m->panel);
    for (int i = 0; i < kWeights; i++) {
        const int sign = (int)(random_next() % 2) << 15;
        half[i] = random_next() % 8 == 0 ? (uint16_t)(sign | (int)(random_next() % 0x80))
                                         : narrowed(precision, (float)random_int(-1000, 1000) / 1000);
        wide[i] = widened(precision, half[i]);
    }
    for (int t = 0; t < taps; t++) {
        for (int r = 0; r < rows; r++) pointers[t * m->rows_f32 + r] = a[t * kRows + r];
    }
    for (int i = 0; i < kRows * kStep; i++) want[i] = got[i] = (float)kMicroTail;
}

static void check_tile(const LiteMicro* m, LitePrecision precision, int rows, int columns) {
    const int taps = 1 + (int)(random_next() % kTaps), depth = (int)(random_next() % kDepth);
    draw(m, precision, taps, rows);
    LiteFloatTile tile = {.tiles = 1,
                          .rows = rows,
                          .columns = columns,
                          .taps = taps,
                          .depth = depth,
                          .a = pointers,
                          .b = wide,
                          .bias = bias,
                          .low = -1.5f,
                          .high = 2.0f,
                          .c = want,
                          .c_step = kStep,
                          .ahead = (const char*)wide,
                          .ahead_step = 24,
                          .weights = kLitePrecisionFloat32};
    m->gemm_f32(&tile);
    tile.b = half;
    tile.c = got;
    tile.weights = precision;
    m->gemm_f32(&tile);
    assert_memory_equal(got, want, sizeof got);
}

static void check_few(const LiteMicro* m, LitePrecision precision, int rows, int columns) {
    const int taps = 1 + (int)(random_next() % kTaps), depth = (int)(random_next() % kDepth);
    draw(m, precision, taps, rows);
    const size_t step = (size_t)taps * (size_t)depth * (size_t)m->panel;
    LiteFloatPanels few = {rows,
                           columns,
                           taps,
                           depth,
                           pointers,
                           wide,
                           step,
                           (size_t)m->panel,
                           bias,
                           -1.5f,
                           2.0f,
                           want,
                           kStep,
                           2 * step,
                           kLitePrecisionFloat32};
    m->few_f32(&few);
    few.b = half;
    few.c = got;
    few.weights = precision;
    m->few_f32(&few);
    assert_memory_equal(got, want, sizeof got);
}

static void products_level(const LiteMicro* plain, const LiteMicro* m) {
    (void)plain;
    assert_true(takes(m, kLitePrecisionFloat32));
    for (LitePrecision p = kLitePrecisionBfloat16; p < kLitePrecisions; p++) {
        if (!takes(m, p)) continue;
        for (int rows = 1; rows <= m->rows_f32; rows++) {
            for (int columns = 1; columns <= m->panel; columns++) check_tile(m, p, rows, columns);
        }
        for (int rows = 1; rows <= LITE_FEW_ROWS; rows++) {
            for (int columns = 1; columns <= LITE_FEW_PANELS(rows) * m->panel; columns++) {
                check_few(m, p, rows, columns);
            }
        }
    }
}

MICRO_LEVEL_TEST(products)

// The nearest half, from the definition: no other is nearer, and of two that are as near it is the even one.
static void check_nearest(LitePrecision precision, float x, uint16_t got_half) {
    const uint16_t infinite = precision == kLitePrecisionFloat16 ? 0x7C00 : 0x7F80;
    const uint16_t magnitude = got_half & 0x7FFF;
    if (isnan(x)) {
        assert_true(magnitude > infinite);
        return;
    }
    assert_int_equal(got_half >> 15, signbit(x) != 0);
    assert_true(magnitude <= infinite);
    // What would come behind the largest half stands for what is rounded to infinity.
    const double top = precision == kLitePrecisionFloat16 ? 0x1p16 : 0x1p128;
    const double here = magnitude == infinite ? top : (double)widened(precision, magnitude);
    const double above = magnitude + 1 >= infinite ? top : (double)widened(precision, magnitude + 1);
    const double below = magnitude == 0 ? 0.0 : (double)widened(precision, magnitude - 1);
    const double error = fabs(fabs((double)x) - here);
    if (isinf(x)) {
        assert_int_equal(magnitude, infinite);
        return;
    }
    if (magnitude < infinite) assert_true(error <= fabs(fabs((double)x) - above));
    if (magnitude > 0) assert_true(error <= fabs(fabs((double)x) - below));
    const bool tie = (magnitude < infinite && error == fabs(fabs((double)x) - above)) ||
                     (magnitude > 0 && error == fabs(fabs((double)x) - below));
    if (tie && error > 0) assert_int_equal(magnitude & 1, 0);
}

static void narrowing_level(const LiteMicro* plain, const LiteMicro* m) {
    enum { kCount = 1003 };
    static float in[kCount];
    static uint16_t out[kCount + 1], reference[kCount];
    for (LitePrecision p = kLitePrecisionBfloat16; p < kLitePrecisions; p++) {
        for (int round = 0; round < 40; round++) {
            for (int i = 0; i < kCount; i++) {
                uint32_t bits = random_next() << 8 ^ random_next();
                if (i % 3 == 0) bits &= 0xFFFF8000u << (i % 5); // ties, and what is exact
                if (i % 7 == 0)
                    bits = (bits & 0x80000000u) | (0x33000000u + bits % 0x14800000u); // of FLOAT16
                memcpy(&in[i], &bits, sizeof bits);
            }
            out[kCount] = kMicroTail;
            m->narrow(p, kCount, in, out);
            plain->narrow(p, kCount, in, reference);
            assert_int_equal(out[kCount], kMicroTail);
            assert_memory_equal(out, reference, sizeof reference);
            for (int i = 0; i < kCount; i++) check_nearest(p, in[i], out[i]);
        }
    }
}

MICRO_LEVEL_TEST(narrowing)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_is_the_same_everywhere),
        cmocka_unit_test(narrowing_is_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
