// SPDX-License-Identifier: Apache-2.0
// Fixed-point arithmetic against what LiteRT 2.3 computes (a QUANTIZE from int16 to int16 of zero points 0).
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/semantics/fixed16.h"
#include "core/semantics/quant.h"

enum { kSamples = 26 };

static const int32_t samples[kSamples] = {-32768, -20001, -12345, -1001, -258, -129,  -128,  -7,   -3,
                                          -2,     -1,     0,      1,     2,    3,     5,     6,    7,
                                          127,    128,    129,    258,   1001, 12345, 20001, 32767};

static const struct {
    double real; // input scale / output scale
    int32_t expected[kSamples];
} recorded[] = {
    {0x1p-1, {-16384, -10000, -6172, -500, -129, -64, -64, -3, -1,  -1,  0,    0,     1,
              1,      2,      3,     3,    4,    64,  64,  65, 129, 501, 6173, 10001, 16384}},
    {0x1p-2, {-8192, -5000, -3086, -250, -65, -32, -32, -2, -1, -1,  0,    0,    1,
              1,     1,     2,     2,    2,   32,  32,  33, 65, 251, 3087, 5001, 8192}},
    {0x1.b6db6f58d0fb4p-2, {-14044, -8572, -5291, -429, -111, -56, -55, -3, -2,  -1,  -1,   0,    1,
                            1,      2,     2,     3,    3,    55,  55,  56, 111, 429, 5291, 8572, 14043}},
    {0x1.5555555555555p-2, {-10923, -6667, -4115, -334, -86, -43, -43, -3, -1, -1,  -1,   0,    1,
                            1,      1,     2,     2,    3,   43,  43,  43, 86, 334, 4115, 6667, 10923}},
    {0x1p0, {-32768, -20001, -12345, -1001, -258, -129, -128, -7,  -3,  -2,   -1,    0,     1,
             2,      3,      5,      6,     7,    127,  128,  129, 258, 1001, 12345, 20001, 32767}},
    {0x1.d950c9b5eb045p-7,
     {-473, -289, -178, -14, -4, -2, -2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 4, 14, 178, 289, 473}},
};

static void products_are_those_of_the_reference(void** state) {
    (void)state;
    for (size_t r = 0; r < sizeof recorded / sizeof recorded[0]; r++) {
        const LiteMultiplier m = lite_quantize_multiplier(recorded[r].real);
        for (int i = 0; i < kSamples; i++) {
            assert_int_equal(lite_multiply(samples[i], m), recorded[r].expected[i]);
        }
    }
}

static void halves_of_vector_instructions_go_up(void** state) {
    (void)state;
    const LiteMultiplier eighth = lite_quantize_multiplier(0x1p-3);
    assert_int_equal(lite_multiply(-12, eighth), -2);
    assert_int_equal(lite_multiply_half_up(-12, eighth), -1);
    assert_int_equal(lite_multiply_half_up(-14, eighth), -2);
    assert_int_equal(lite_multiply_half_up(12, eighth), 2);
    const LiteMultiplier eight = lite_quantize_multiplier(8.0);
    assert_int_equal(lite_multiply_half_up(-12, eight), -96);
    assert_int_equal(lite_multiply_half_up(INT32_MAX, lite_quantize_multiplier(0x1p-31)), 1);
}

static void check_multiplier(double real, int32_t value, int32_t shift) {
    const LiteMultiplier m = lite_quantize_multiplier(real);
    assert_int_equal(m.value, value);
    assert_int_equal(m.shift, shift);
}

static void multipliers_are_normalised(void** state) {
    (void)state;
    check_multiplier(0.0, 0, 0);
    check_multiplier(1.0, 1 << 30, 1);
    check_multiplier(0.5, 1 << 30, 0);
    check_multiplier(0.75, 3 << 29, 0);
    check_multiplier(-0.5, -(1 << 30), 0);
    check_multiplier(1.0 - 0x1p-40, 1 << 30, 1); // rounds up to the next power of two
    check_multiplier(0x1p-40, 0, 0);
    check_multiplier(0x1p40, INT32_MAX, 30);
    check_multiplier((double)NAN, 0, 0);
    check_multiplier((double)INFINITY, 0, 0);
}

static void extremes_saturate(void** state) {
    (void)state;
    assert_int_equal(lite_doubling_high_mul(INT32_MIN, INT32_MIN), INT32_MAX);
    assert_int_equal(lite_doubling_high_mul(INT32_MAX, INT32_MAX), INT32_MAX - 1);
    assert_int_equal(lite_rounding_shift_right(INT32_MIN, 31), -1);
    assert_int_equal(lite_rounding_shift_right(INT32_MAX, 31), 1);
    assert_int_equal(lite_rounding_shift_right(-3, 1), -2); // ties away from zero
    assert_int_equal(lite_rounding_shift_right(3, 1), 2);
    assert_int_equal(lite_rounding_shift_right(77, 0), 77);
}

static void activations_clamp(void** state) {
    (void)state;
    int32_t low, high;
    assert_int_equal(lite_activation_range_quantized(kTfLiteActRelu6, kTfLiteUInt8, 0.1f, 10, &low, &high),
                     kTfLiteOk);
    assert_int_equal(low, 10);
    assert_int_equal(high, 70);
    assert_int_equal(lite_activation_range_quantized(kTfLiteActReluN1To1, kTfLiteInt8, 0.5f, 0, &low, &high),
                     kTfLiteOk);
    assert_int_equal(low, -2);
    assert_int_equal(high, 2);
    assert_int_equal(lite_activation_range_quantized(kTfLiteActRelu, kTfLiteInt16, 1e-30f, 5, &low, &high),
                     kTfLiteOk);
    assert_int_equal(low, 5);
    assert_int_equal(high, INT16_MAX);
    assert_int_equal(lite_activation_range_quantized(kTfLiteActNone, kTfLiteInt8, 0.0f, 0, &low, &high),
                     kTfLiteOk);
    assert_int_equal(low, INT8_MIN);
    assert_int_equal(lite_activation_range_quantized(kTfLiteActTanh, kTfLiteInt8, 1.0f, 0, &low, &high),
                     kTfLiteError);
    assert_int_equal(lite_activation_range_quantized(kTfLiteActRelu, kTfLiteFloat32, 1.0f, 0, &low, &high),
                     kTfLiteError);
    // A scale of 0 in a hostile model: no trap, no overflow.
    assert_int_equal(lite_activation_range_quantized(kTfLiteActRelu6, kTfLiteInt8, 0.0f, 127, &low, &high),
                     kTfLiteOk);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_the_reference),
        cmocka_unit_test(halves_of_vector_instructions_go_up),
        cmocka_unit_test(multipliers_are_normalised),
        cmocka_unit_test(extremes_saturate),
        cmocka_unit_test(activations_clamp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
