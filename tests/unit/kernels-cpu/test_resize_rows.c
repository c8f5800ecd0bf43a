// SPDX-License-Identifier: Apache-2.0
// Rows of RESIZE_BILINEAR: the same on every instruction set, and nothing beyond their end.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernels-cpu/loops/resize_loops.h"
#include "kernels-cpu/micro/micro.h"
#include "tests/support/random_numbers.h"

enum { kMostWidth = 40, kMostDepth = 70, kBytes = kMostWidth * kMostDepth, kGuard = 8 };

// A place between two columns, also beyond the borders; fractions are multiples of 1 / 128 or not.
static LiteResizeSample random_sample(int32_t low, int32_t width, bool exact) {
    const int32_t step = exact ? 8 : 1;
    LiteResizeSample s = {.low = low, .high = low + 1 < width ? low + 1 : low};
    s.fraction_10 = (int32_t)(random_next() % (1024 / (uint32_t)step)) * step;
    s.fraction = (float)s.fraction_10 / 1024.0f;
    if (s.low == s.high) s.fraction_10 = 0;
    return s;
}

static void check_row(TfLiteType type, int32_t depth, bool exact) {
    static uint8_t low[kBytes], high[kBytes], wanted[2 * kBytes + kGuard], got[2 * kBytes + kGuard];
    LiteResizeSample columns[2 * kMostWidth];
    const int32_t width = 1 + (int32_t)(random_next() % kMostWidth);
    const int32_t out_width = 1 + (int32_t)(random_next() % (2 * kMostWidth));
    for (int i = 0; i < kBytes; i++) {
        low[i] = (uint8_t)random_next();
        high[i] = (uint8_t)random_next();
    }
    for (int32_t i = 0; i < out_width; i++) columns[i] = random_sample(i * width / out_width, width, exact);
    LiteResizeRow row = {low, high, random_sample(0, 2, exact), columns, exact, out_width, depth, wanted};
    const size_t bytes = (size_t)out_width * (size_t)depth;
    lite_cpu_path_choose(kLiteCpuReference);
    row.exact = false;
    lite_resize_row(type)(&row);
    row.exact = exact;
    row.to = got;
    for (LiteCpuPath path = kLiteCpuReference; path < kLiteCpuPaths; path++) {
        if (!lite_cpu_path_choose(path)) continue;
        memset(got, 0x55, sizeof got);
        lite_resize_row(type)(&row);
        assert_memory_equal(got, wanted, bytes);
        for (int i = 0; i < kGuard; i++) assert_int_equal(got[bytes + (size_t)i], 0x55);
    }
    lite_cpu_path_choose(kLiteCpuAuto);
}

static void rows_are_the_same_everywhere(void** state) {
    (void)state;
    for (int i = 0; i < 2000; i++) {
        const int32_t depth = 1 + (int32_t)(random_next() % (i % 2 == 0 ? 5 : kMostDepth));
        check_row(i % 4 < 2 ? kTfLiteInt8 : kTfLiteUInt8, depth, i % 3 != 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_the_same_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
