// SPDX-License-Identifier: Apache-2.0
// Every instruction set of the micro kernels against level 0, plain C, on random data of odd sizes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernels-cpu/micro/micro.h"

enum { kMost = 4096, kTail = 12345 };

static uint32_t seed = 1;

static uint32_t next_random(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static float random_f32(void) {
    return (float)(int32_t)(next_random() % 2001) / 1000.0f - 1.0f;
}

static void fill_f32(float* to, int count) {
    for (int i = 0; i < count; i++) to[i] = random_f32();
}

static void fill_bytes(void* to, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) ((uint8_t*)to)[i] = (uint8_t)next_random();
}

// Calls `test` for each level that this processor has.
static void for_levels(void (*test)(const LiteMicro* plain, const LiteMicro* micro)) {
    const LiteMicro* plain = lite_micro_level(0);
    assert_non_null(plain);
    for (int level = 0; level < LITE_MICRO_LEVELS; level++) {
        const LiteMicro* micro = lite_micro_level(level);
        if (micro == NULL) continue;
        assert_true(micro->rows >= 1 && micro->rows <= LITE_MICRO_MAX_ROWS);
        assert_true(micro->panel >= 1 && micro->panel <= LITE_MICRO_MAX_PANEL);
        seed = 1;
        test(plain, micro);
    }
}

static void assert_near(float got, float want) {
    if (!(fabsf(got - want) <= 1e-5f * (1.0f + fabsf(want))))
        fail_msg("%g, expected %g", (double)got, (double)want);
}

// The tile is computed from the definition, since levels differ in rows and panel.
static void check_gemm_f32(const LiteMicro* m, int rows, int columns, int taps, int depth) {
    float a[8][8][20], bias[LITE_MICRO_MAX_PANEL], c[8 * 40];
    static float b[8 * 20 * LITE_MICRO_MAX_PANEL];
    const float* pointers[8 * 8];
    fill_f32(&a[0][0][0], 8 * 8 * 20);
    fill_f32(b, taps * depth * m->panel);
    fill_f32(bias, m->panel);
    for (int t = 0; t < taps; t++) {
        for (int r = 0; r < rows; r++) pointers[t * m->rows + r] = a[t][r];
    }
    for (int i = 0; i < 8 * 40; i++) c[i] = (float)kTail;
    m->gemm_f32(rows, columns, taps, depth, pointers, b, bias, -1.5f, 2.0f, c, 40);
    for (int r = 0; r < 8; r++) {
        for (int n = 0; n < 40; n++) {
            if (r >= rows || n >= columns) {
                assert_true(c[r * 40 + n] == (float)kTail); // nothing beside the tile is written
                continue;
            }
            double sum = bias[n];
            for (int t = 0; t < taps; t++) {
                for (int k = 0; k < depth; k++) {
                    sum += (double)a[t][r][k] * (double)b[(t * depth + k) * m->panel + n];
                }
            }
            assert_near(c[r * 40 + n], (float)(sum < -1.5 ? -1.5 : sum > 2.0 ? 2.0 : sum));
        }
    }
}

static void gemm_f32_level(const LiteMicro* plain, const LiteMicro* m) {
    (void)plain;
    for (int rows = 1; rows <= m->rows; rows++) {
        for (int columns = 1; columns <= m->panel; columns++) {
            check_gemm_f32(m, rows, columns, 1 + (int)(next_random() % 8), (int)(next_random() % 20));
        }
    }
}

static void gemm_i16_level(const LiteMicro* plain, const LiteMicro* m) {
    (void)plain;
    enum { kPairs = 37, kStride = 2 * kPairs + 6 };
    static int16_t a[8 * kStride], b[kPairs * LITE_MICRO_MAX_PANEL * 2];
    int32_t c[LITE_MICRO_MAX_ROWS * LITE_MICRO_MAX_PANEL];
    fill_bytes(a, sizeof a);
    fill_bytes(b, sizeof b);
    for (int i = 0; i < 40; i++) a[i] = b[i] = INT16_MIN; // sums wrap
    for (int rows = 1; rows <= m->rows; rows++) {
        for (int pairs = 0; pairs <= kPairs; pairs += 1 + (int)(next_random() % 4)) {
            m->gemm_i16(rows, pairs, a, kStride, b, c);
            for (int i = 0; i < rows * m->panel; i++) {
                uint32_t sum = 0;
                for (int k = 0; k < 2 * pairs; k++) {
                    const int16_t w = b[(k / 2 * m->panel + i % m->panel) * 2 + k % 2];
                    sum += (uint32_t)(a[i / m->panel * kStride + k] * w);
                }
                assert_int_equal(c[i], (int32_t)sum);
            }
        }
    }
}

static void depthwise_level(const LiteMicro* plain, const LiteMicro* m) {
    enum { kChannels = 150, kTaps = 9 };
    static float in[kTaps][kChannels], w[kTaps * kChannels], bias[kChannels];
    static uint8_t bytes[kTaps][kChannels];
    static uint32_t w16[kTaps * kChannels];
    const float* pointers[kTaps];
    const uint8_t* pointers_u8[kTaps];
    const int8_t* pointers_i8[kTaps];
    for (int t = 0; t < kTaps; t++) {
        pointers[t] = in[t];
        pointers_u8[t] = bytes[t];
        pointers_i8[t] = (const int8_t*)bytes[t];
    }
    for (int channels = 1; channels <= kChannels; channels += 1 + (channels > 40 ? 13 : 0)) {
        float want[kChannels + 1], got[kChannels + 1];
        int32_t want_int[kChannels + 1], got_int[kChannels + 1];
        const int taps = (int)(next_random() % (kTaps + 1));
        fill_f32(&in[0][0], kTaps * kChannels);
        fill_f32(w, kTaps * kChannels);
        fill_f32(bias, kChannels);
        fill_bytes(bytes, sizeof bytes);
        for (int i = 0; i < kTaps * kChannels; i++)
            w16[i] = (uint16_t)(int16_t)((int)(next_random() % 511) - 255);
        got[channels] = (float)kTail;
        got_int[channels] = kTail;
        plain->depthwise_f32(channels, taps, pointers, w, bias, -1.0f, 1.5f, want);
        m->depthwise_f32(channels, taps, pointers, w, bias, -1.0f, 1.5f, got);
        for (int c = 0; c < channels; c++) assert_near(got[c], want[c]);
        plain->depthwise_i8(channels, taps, pointers_i8, w16, want_int);
        m->depthwise_i8(channels, taps, pointers_i8, w16, got_int);
        assert_memory_equal(got_int, want_int, (size_t)channels * sizeof(int32_t));
        plain->depthwise_u8(channels, taps, pointers_u8, w16, want_int);
        m->depthwise_u8(channels, taps, pointers_u8, w16, got_int);
        assert_memory_equal(got_int, want_int, (size_t)channels * sizeof(int32_t));
        assert_true(got[channels] == (float)kTail && got_int[channels] == kTail);
    }
}

static void requantize_level(const LiteMicro* plain, const LiteMicro* m) {
    static int32_t in[kMost], bias[kMost], multiplier[kMost], shift[kMost];
    static uint8_t want[kMost], got[kMost];
    for (int i = 0; i < kMost; i++) {
        in[i] = (int32_t)(next_random() << 8) >> next_random() % 30;
        bias[i] = (int32_t)(next_random() << 8) >> next_random() % 30;
        multiplier[i] = i % 50 == 0 ? 0 : (int32_t)((1u << 30) + next_random() * 60);
        shift[i] = (int32_t)(next_random() % 62) - 31;
    }
    in[0] = in[1] = INT32_MIN;
    const LiteRequantization q = {bias, multiplier, shift, -5, -128, 127};
    const LiteRequantization q_u8 = {bias, multiplier, shift, 130, 17, 201};
    for (int count = kMost; count > 0; count = count * 2 / 3 - 1) {
        plain->requantize(count, in, &q, want);
        m->requantize(count, in, &q, got);
        assert_memory_equal(got, want, (size_t)count);
        plain->requantize(count, in, &q_u8, want);
        m->requantize(count, in, &q_u8, got);
        assert_memory_equal(got, want, (size_t)count);
    }
}

static void widen_level(const LiteMicro* plain, const LiteMicro* m) {
    static uint8_t in[kMost];
    static int16_t want[kMost], got[kMost];
    fill_bytes(in, sizeof in);
    for (int count = 0; count < 200; count++) {
        plain->widen_i8(count, (const int8_t*)in + 1, -128, want);
        m->widen_i8(count, (const int8_t*)in + 1, -128, got);
        assert_memory_equal(got, want, (size_t)count * sizeof(int16_t));
        plain->widen_u8(count, in + 3, 255, want);
        m->widen_u8(count, in + 3, 255, got);
        assert_memory_equal(got, want, (size_t)count * sizeof(int16_t));
    }
}

static void pool_level(const LiteMicro* plain, const LiteMicro* m) {
    static float in[kMost], want[64], got[64];
    fill_f32(in, kMost);
    in[70] = NAN;
    for (int channels = 1; channels <= 63; channels++) {
        const int height = 1 + (int)(next_random() % 4);
        const int width = 1 + (int)(next_random() % 5);
        const size_t line = (size_t)(channels * (width + 2));
        plain->max_f32(channels, height, width, in, line, want);
        m->max_f32(channels, height, width, in, line, got);
        for (int c = 0; c < channels; c++)
            assert_true(got[c] == want[c] || (isnan(got[c]) && isnan(want[c])));
        plain->sum_f32(channels, height, width, in, line, want);
        m->sum_f32(channels, height, width, in, line, got);
        for (int c = 0; c < channels; c++) {
            if (!isnan(want[c])) assert_near(got[c], want[c]);
            assert_int_equal(isnan(got[c]), isnan(want[c]));
        }
    }
}

#define LEVEL_TEST(NAME)                                                                                     \
    static void NAME##_is_the_same_everywhere(void** state) {                                                \
        (void)state;                                                                                         \
        for_levels(NAME##_level);                                                                            \
    }
LEVEL_TEST(gemm_f32)
LEVEL_TEST(gemm_i16)
LEVEL_TEST(depthwise)
LEVEL_TEST(requantize)
LEVEL_TEST(widen)
LEVEL_TEST(pool)

static void levels_can_be_forced(void** state) {
    (void)state;
    const LiteMicro* best = lite_micro();
    assert_non_null(best);
    lite_micro_force(0);
    assert_ptr_equal(lite_micro(), lite_micro_level(0));
    lite_micro_force(-1);
    assert_ptr_equal(lite_micro(), best);
    assert_null(lite_micro_level(LITE_MICRO_LEVELS));
    assert_null(lite_micro_level(-1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gemm_f32_is_the_same_everywhere),
        cmocka_unit_test(gemm_i16_is_the_same_everywhere),
        cmocka_unit_test(depthwise_is_the_same_everywhere),
        cmocka_unit_test(requantize_is_the_same_everywhere),
        cmocka_unit_test(widen_is_the_same_everywhere),
        cmocka_unit_test(pool_is_the_same_everywhere),
        cmocka_unit_test(levels_can_be_forced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
