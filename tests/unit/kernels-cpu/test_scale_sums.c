// SPDX-License-Identifier: Apache-2.0
// The scaling of FULLY_CONNECTED against its definition, on every instruction set.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/cpu_path.h"
#include "kernels-cpu/loops/fully_connected_loops.h"

enum { kCount = 75 };

static uint8_t scaled(int32_t sum, double scale, int32_t zero_point, int32_t low, int32_t high) {
    const double x = round((double)sum * scale) + zero_point;
    return (uint8_t)(int32_t)(x < low ? low : x > high ? high : x);
}

static void check(const int32_t* sums, const double* scales, int32_t zero_point, int32_t low, int32_t high) {
    for (int count = 0; count <= kCount; count++) {
        uint8_t out[kCount + 1];
        out[count] = 77;
        lite_scale_sums()(count, sums, scales, zero_point, low, high, out);
        for (int i = 0; i < count; i++) {
            assert_int_equal(out[i], scaled(sums[i], scales[i], zero_point, low, high));
        }
        assert_int_equal(out[count], 77);
    }
}

static void scaling_is_as_defined(void** state) {
    (void)state;
    // Halves, and what is next to them; one third is far from any.
    const double scale[] = {0.5, 0x1.fffffffffffffp-2, 0x1.0000000000001p-1, 1.0 / 3, 0.0, 1e-9, 1e30};
    int32_t sums[kCount];
    double scales[kCount];
    for (LiteCpuPath path = kLiteCpuReference; path < kLiteCpuPaths; path++) {
        if (!lite_cpu_path_choose(path)) continue;
        for (int first = -600; first < 600; first += 11) {
            for (int i = 0; i < kCount; i++) {
                sums[i] = first + i / 7;
                scales[i] = scale[i % 7];
            }
            sums[0] = INT32_MIN;
            sums[1] = INT32_MAX;
            check(sums, scales, -5, -128, 127);
            check(sums, scales, 130, 17, 255);
            check(sums, scales, -128, -128, -100);
        }
    }
    assert_true(lite_cpu_path_choose(kLiteCpuAuto));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(scaling_is_as_defined)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
