// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/cpu_path.h"
#include "kernels-cpu/loops/quantize_loops.h"

enum { kCount = 997 };

// With the C library's rounding, and what x86-64 makes of floats that are no int32.
static int16_t expected(float x, const LiteQuantize* q) {
    const float steps = roundf(x / q->scale);
    const bool fits = steps >= -2147483648.0f && steps < 2147483648.0f;
    const int32_t value = lite_wrapping_add(fits ? (int32_t)steps : INT32_MIN, q->zero_point);
    return (int16_t)lite_clamp_i32(value, q->low, q->high);
}

static void fill(float x[kCount]) {
    static const float special[] = {0.0f,          -0.0f,          0.5f,           -0.5f,      0.49999997f,
                                    -0.49999997f,  8388607.5f,     -8388607.5f,    8388609.0f, 2147483520.0f,
                                    2147483648.0f, -2147483648.0f, -2147483904.0f, 3e38f,      -3e38f,
                                    1e-40f,        INFINITY,       -INFINITY,      NAN};
    const int specials = (int)(sizeof special / sizeof special[0]);
    for (int i = 0; i < kCount; i++) x[i] = i < specials ? special[i] : ((float)i - 500.0f) * 0.25f;
}

static void floats_are_rounded_as_roundf_does(void** state) {
    (void)state;
    static const LiteQuantize parameters[] = {
        {.scale = 1.0f, .zero_point = 0, .low = INT16_MIN, .high = INT16_MAX},
        {.scale = 0.5f, .zero_point = -3, .low = -100, .high = 90},
        {.scale = 3e-5f, .zero_point = 127, .low = INT16_MIN, .high = INT16_MAX},
    };
    float x[kCount];
    int16_t out[kCount];
    fill(x);
    for (int path = kLiteCpuReference; path < kLiteCpuOneDnn; path++) {
        if (!lite_cpu_path_choose((LiteCpuPath)path)) continue;
        for (size_t p = 0; p < sizeof parameters / sizeof parameters[0]; p++) {
            const LiteRow row = {
                .out = out, .in = {x}, .step = {1}, .count = kCount, .params = &parameters[p]};
            lite_quantize_loop(kTfLiteFloat32, kTfLiteInt16, false)(&row);
            for (int i = 0; i < kCount; i++) assert_int_equal(out[i], expected(x[i], &parameters[p]));
        }
    }
    lite_cpu_path_choose(kLiteCpuAuto);
}

// Around all middles between two numbers, where the reciprocal of the scale decides nothing.
static void bytes_are_rounded_as_quotients(void** state) {
    (void)state;
    const LiteQuantize q = {.scale = 0.1f, .zero_point = -5, .low = INT8_MIN, .high = INT8_MAX};
    static float x[1200];
    static int8_t out[1200];
    fill(x);
    for (int i = 0; i < 1200; i++) {
        const int number = i / 4;
        const float middle = ((float)number - 150.0f + 0.5f) * q.scale;
        if (i > 20) x[i] = i % 4 == 0 ? middle : nextafterf(middle, i % 4 == 1 ? -100.0f : 100.0f);
    }
    for (int path = kLiteCpuReference; path < kLiteCpuOneDnn; path++) {
        if (!lite_cpu_path_choose((LiteCpuPath)path)) continue;
        const LiteRow row = {.out = out, .in = {x}, .step = {1}, .count = 1200, .params = &q};
        lite_quantize_loop(kTfLiteFloat32, kTfLiteInt8, false)(&row);
        for (int i = 0; i < 1200; i++) assert_int_equal(out[i], expected(x[i], &q));
    }
    lite_cpu_path_choose(kLiteCpuAuto);
}

static void channels_have_their_own_scales(void** state) {
    (void)state;
    const LiteQuantize q = {.low = INT8_MIN, .high = INT8_MAX};
    const float scales[] = {0.5f, 0.25f, 1.0f}, x[] = {3.3f, -8.0f, 500.0f};
    const int32_t zeros[] = {1, -2, 3};
    int8_t out[3];
    float back[3];
    for (int one_zero = 0; one_zero < 2; one_zero++) {
        const LiteRow row = {
            .out = out, .in = {x, scales, zeros}, .step = {1, 1, !one_zero}, .count = 3, .params = &q};
        const LiteRow other = {
            .out = back, .in = {out, scales, zeros}, .step = {1, 1, !one_zero}, .count = 3, .params = &q};
        lite_quantize_loop(kTfLiteFloat32, kTfLiteInt8, true)(&row);
        lite_quantize_loop(kTfLiteInt8, kTfLiteFloat32, true)(&other);
        assert_int_equal(out[0], 8);
        assert_int_equal(out[1], one_zero ? -31 : -34);
        assert_int_equal(out[2], 127);
        assert_float_equal(back[1], -8.0f, 0.0f);
    }
}

static void bytes_come_back(void** state) {
    (void)state;
    const LiteQuantize q = {.scale = 0.25f, .zero_point = 7, .low = INT8_MIN, .high = INT8_MAX};
    int8_t in[256], out[256];
    float real[256];
    for (int i = 0; i < 256; i++) in[i] = (int8_t)(i - 128);
    const LiteRow there = {.out = real, .in = {in}, .step = {1}, .count = 256, .params = &q};
    const LiteRow back = {.out = out, .in = {real}, .step = {1}, .count = 256, .params = &q};
    lite_quantize_loop(kTfLiteInt8, kTfLiteFloat32, false)(&there);
    lite_quantize_loop(kTfLiteFloat32, kTfLiteInt8, false)(&back);
    assert_float_equal(real[0], -33.75f, 0.0f);
    assert_memory_equal(in, out, sizeof in);
}

static void other_types_have_no_loop(void** state) {
    (void)state;
    assert_null(lite_quantize_loop(kTfLiteFloat32, kTfLiteFloat32, false));
    assert_null(lite_quantize_loop(kTfLiteInt8, kTfLiteInt16, false));
    assert_null(lite_quantize_loop(kTfLiteFloat32, kTfLiteInt32, false));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_are_rounded_as_roundf_does), cmocka_unit_test(bytes_are_rounded_as_quotients),
        cmocka_unit_test(channels_have_their_own_scales),    cmocka_unit_test(bytes_come_back),
        cmocka_unit_test(other_types_have_no_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
