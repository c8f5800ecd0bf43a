// SPDX-License-Identifier: Apache-2.0
// 16-bit floating point types: every bit pattern, and the rounding between them.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/semantics/half.h"

// The value by its definition.
static double f16_value(uint16_t half) {
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const double sign = half & 0x8000 ? -1.0 : 1.0;
    if (exponent == 31) return fraction != 0 ? (double)NAN : sign * (double)INFINITY;
    if (exponent == 0) return sign * ldexp(fraction, -24);
    return sign * ldexp(1024 + fraction, exponent - 25);
}

static void test_every_f16(void** state) {
    (void)state;
    for (uint32_t half = 0; half < 0x10000; half++) {
        const double want = f16_value((uint16_t)half);
        const float got = lite_f16_to_f32((uint16_t)half);
        if (isnan(want)) {
            assert_true(isnan(got));
            assert_true(isnan(lite_f16_to_f32(lite_f32_to_f16(got))));
            continue;
        }
        assert_true((double)got == want);
        assert_int_equal(lite_f32_to_f16(got), half);
    }
}

// Halfway between neighbours goes to the even one, a little more or less to the nearest.
static void test_f16_rounding(void** state) {
    (void)state;
    for (uint16_t half = 0; half < 0x7BFF; half++) {
        const float middle = (float)((f16_value(half) + f16_value((uint16_t)(half + 1))) / 2.0);
        assert_int_equal(lite_f32_to_f16(middle), half + (half & 1));
        assert_int_equal(lite_f32_to_f16(nextafterf(middle, 0.0f)), half);
        assert_int_equal(lite_f32_to_f16(nextafterf(middle, INFINITY)), half + 1);
        assert_int_equal(lite_f32_to_f16(-middle), 0x8000 | (half + (half & 1)));
    }
    assert_int_equal(lite_f32_to_f16(65519.996f), 0x7BFF);
    assert_int_equal(lite_f32_to_f16(65520.0f), 0x7C00);
    assert_int_equal(lite_f32_to_f16(3e38f), 0x7C00);
    assert_int_equal(lite_f32_to_f16(-INFINITY), 0xFC00);
    assert_int_equal(lite_f32_to_f16(1e-30f), 0);
}

static void test_bf16(void** state) {
    (void)state;
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        const float value = lite_bf16_to_f32((uint16_t)bits);
        if (isnan(value)) {
            assert_true(isnan(lite_bf16_to_f32(lite_f32_to_bf16(value))));
        } else {
            assert_int_equal(lite_f32_to_bf16(value), bits);
        }
    }
    assert_int_equal(lite_f32_to_bf16(lite_float_from_bits(0x3F808000)), 0x3F80);
    assert_int_equal(lite_f32_to_bf16(lite_float_from_bits(0x3F818000)), 0x3F82);
    assert_int_equal(lite_f32_to_bf16(lite_float_from_bits(0x3F808001)), 0x3F81);
    assert_int_equal(lite_f32_to_bf16(lite_float_from_bits(0x7F7FFFFF)), 0x7F80);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_f16),
        cmocka_unit_test(test_f16_rounding),
        cmocka_unit_test(test_bf16),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
