// SPDX-License-Identifier: Apache-2.0
// How hybrid operators quantize and scale, against the definition, on every instruction set and for every
// length of rests.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/cpu_path.h"
#include "kernels-cpu/loops/hybrid_loops.h"
#include "tests/support/random_numbers.h"

enum { kCount = 75 };

static float numbers[kCount];

static void fill(int seed) {
    // Halves, what is next to them, and what is no number.
    static const float odd[] = {0.5f,  -0.5f,      1.5f,      0x1.fffffep-2f, -0x1.fffffep-2f, 0x1.000002p-1f,
                                -0.0f, 126.50001f, -127.5f,   1e30f,          -1e30f,          127.49999f,
                                NAN,   INFINITY,   -INFINITY, 255.5f,         -255.5f,         0x1p-140f};
    enum { kOdd = sizeof odd / sizeof *odd };
    random_seed = (uint32_t)seed;
    for (int i = 0; i < kCount; i++) {
        const int at = random_int(0, 3 * kOdd);
        numbers[i] = at < kOdd ? odd[at] : (float)random_int(-5200, 5200) / 20;
    }
}

static int8_t quantized(float x, float inverse, int32_t zero_point, int32_t low) {
    const float q = (float)zero_point + roundf(x * inverse);
    if (isnan(q)) return 0;
    return (int8_t)(q >= 127.0f ? 127 : q <= (float)low ? low : (int32_t)q);
}

static void check_quantize(const LiteHybridLoops* loops) {
    static const float inverses[] = {1.0f, 0.5f, 3.7f, 0.0f, 1e38f};
    static const int zeros[] = {0, -128, 127, -3};
    for (int count = 0; count <= kCount; count++) {
        for (int k = 0; k < 20; k++) {
            int8_t out[kCount + 1];
            out[count] = 77;
            const float inverse = inverses[k % 5];
            const int32_t zero = zeros[k / 5], low = zero == 0 ? -127 : -128;
            loops->quantize(numbers, count, inverse, zero, low, out);
            for (int i = 0; i < count; i++)
                assert_int_equal(out[i], quantized(numbers[i], inverse, zero, low));
            assert_int_equal(out[count], 77);
        }
    }
}

static void check_extremes(const LiteHybridLoops* loops) {
    for (int count = 0; count <= kCount; count++) {
        float low = 5, high = -5, least = 0, most = 0;
        for (int i = 0; i < count; i++) {
            least = numbers[i] < least ? numbers[i] : least;
            most = numbers[i] > most ? numbers[i] : most;
        }
        loops->extremes(numbers, count, &low, &high);
        assert_true(low == least && high == most);
    }
}

static void check_subtract(const LiteHybridLoops* loops) {
    enum { kRows = 3 };
    static const int32_t zero_points[kRows] = {-128, 0, 255};
    static int32_t column_sums[kCount], before[kRows * kCount], sums[kRows * kCount];
    for (int i = 0; i < kRows * kCount; i++) before[i] = random_int(-100000, 100000);
    for (int i = 0; i < kCount; i++) column_sums[i] = i == 3 ? INT32_MIN : random_int(-100000, 100000);
    for (int columns = 0; columns <= kCount; columns++) {
        memcpy(sums, before, sizeof sums);
        loops->subtract(kRows, columns, zero_points, column_sums, sums, kCount);
        for (int i = 0; i < kRows * kCount; i++) {
            const uint32_t less = (uint32_t)zero_points[i / kCount] * (uint32_t)column_sums[i % kCount];
            const uint32_t taken = i % kCount < columns ? less : 0;
            assert_int_equal(sums[i], (int32_t)((uint32_t)before[i] - taken));
        }
    }
}

static void check_scale(const LiteHybridLoops* loops) {
    static const float scales[] = {0.01f, 0.02f, 0.7f};
    static int32_t sums[3 * kCount];
    static float weights[kCount], bias[kCount], out[3 * kCount + 1];
    for (int i = 0; i < 3 * kCount; i++) sums[i] = random_int(-100000, 100000);
    for (int i = 0; i < kCount; i++) {
        weights[i] = (float)random_int(1, 100) / 1000;
        bias[i] = (float)random_int(-100, 100);
    }
    for (int kind = 0; kind < 4; kind++) {
        for (int columns = 0; columns <= kCount; columns++) {
            const LiteHybridSums s = {.rows = 3,
                                      .columns = columns,
                                      .sums = sums,
                                      .sums_step = kCount,
                                      .scales = scales,
                                      .scales_step = kind < 2,
                                      .weights = weights,
                                      .is_per_channel = kind % 2 == 1,
                                      .bias = kind >= 2 ? bias : NULL,
                                      .low = -20.0f,
                                      .high = INFINITY,
                                      .out = out,
                                      .out_step = (size_t)columns};
            out[3 * columns] = 77.0f;
            loops->scale(&s);
            for (int i = 0; i < 3 * columns; i++) {
                const int column = i % columns;
                const float weight = weights[s.is_per_channel ? column : 0];
                const float scale = scales[kind < 2 ? i / columns : 0];
                const float x = (float)sums[i / columns * kCount + column] * (scale * weight) +
                                (s.bias != NULL ? bias[column] : 0.0f);
                assert_true(out[i] == (x < -20.0f ? -20.0f : x));
            }
            assert_true(out[3 * columns] == 77.0f);
        }
    }
}

static void loops_are_as_defined(void** state) {
    (void)state;
    for (LiteCpuPath path = kLiteCpuReference; path < kLiteCpuPaths; path++) {
        if (!lite_cpu_path_choose(path)) continue;
        const LiteHybridLoops loops = lite_hybrid_loops();
        for (int seed = 0; seed < 50; seed++) {
            fill(seed);
            check_quantize(&loops);
            check_extremes(&loops);
        }
        check_subtract(&loops);
        check_scale(&loops);
    }
    assert_true(lite_cpu_path_choose(kLiteCpuAuto));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(loops_are_as_defined)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
