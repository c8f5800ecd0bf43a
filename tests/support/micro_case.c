// SPDX-License-Identifier: Apache-2.0
#include "tests/support/micro_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/cpu_path.h"
#include "core/semantics/quant.h"
#include "tests/support/random_numbers.h"

static float random_f32(void) {
    return (float)(int32_t)(random_next() % 2001) / 1000.0f - 1.0f;
}

void micro_fill_f32(float* to, int count) {
    for (int i = 0; i < count; i++) to[i] = random_f32();
}

void micro_fill_bytes(void* to, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) ((uint8_t*)to)[i] = (uint8_t)random_next();
}

void micro_for_levels(void (*test)(const LiteMicro* plain, const LiteMicro* micro)) {
    const LiteMicro* plain = lite_micro_level(kLiteCpuReference);
    assert_non_null(plain);
    for (LiteCpuPath level = kLiteCpuReference; level < kLiteCpuPaths; level++) {
        const LiteMicro* micro = lite_micro_level(level);
        if (micro == NULL) continue;
        assert_true(micro->rows >= 1 && micro->rows <= LITE_MICRO_MAX_ROWS);
        assert_true(micro->rows_f32 >= 1 && micro->rows_f32 <= LITE_MICRO_MAX_ROWS);
        assert_true(micro->panel >= 1 && micro->panel <= LITE_MICRO_MAX_PANEL);
        assert_true(micro->lanes >= 1 && micro->panel % micro->lanes == 0);
        random_seed = 1;
        test(plain, micro);
    }
}

void micro_expect_near(float got, float want) {
    if (!(fabsf(got - want) <= 1e-5f * (1.0f + fabsf(want))))
        fail_msg("%g, expected %g", (double)got, (double)want);
}

uint8_t micro_scaled_byte(const LiteRequantization* q, int32_t sum, int column) {
    const int32_t y = lite_multiply(sum, (LiteMultiplier){q->multiplier[column], q->shift[column]});
    return (uint8_t)lite_clamp_i32((int32_t)((uint32_t)y + (uint32_t)q->zero_point), q->low, q->high);
}
