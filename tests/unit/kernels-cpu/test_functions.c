// SPDX-License-Identifier: Apache-2.0
// The functions of vector_math.h, in the loops of operators on every instruction set, against math.h in
// double precision.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/cpu_path.h"
#include "core/semantics/half.h"
#include "core/semantics/unary_quantized.h"
#include "kernels-cpu/loops/binary_loops.h"
#include "kernels-cpu/loops/softmax_fixed_loops.h"
#include "kernels-cpu/loops/softmax_loops.h"
#include "kernels-cpu/loops/unary_loops.h"

enum { kCount = 20011 }; // no multiple of any vector's length

static float numbers[kCount], results[kCount];

static double logistic(double x) {
    return 1.0 / (1.0 + exp(-x));
}
static double elu(double x) {
    return x < 0.0 ? expm1(x) : x;
}
static double gelu(double x) {
    return 0.5 * x * erfc(x * -sqrt(0.5));
}
static double gelu_tanh(double x) {
    return x / (1.0 + exp(-2.0 * sqrt(2.0 / 3.14159265358979323846) * (x + 0.044715 * x * x * x)));
}
static double inverse_root(double x) {
    return 1.0 / sqrt(x);
}

typedef struct Function {
    LiteUnary op;
    double (*exact)(double x);
    double units;    // of the last place that a result may be wrong by
    double absolute; // or as much as this
} Function;

// Results under the least normal number may be 0, sines are of an argument that was rounded.
static const Function functions[] = {
    {kLiteUnaryEXP, exp, 2.0, 0.0},
    {kLiteUnaryLOG, log, 2.0, 0.0},
    {kLiteUnaryLOGISTIC, logistic, 3.0, 2e-38},
    {kLiteUnaryTANH, tanh, 3.0, 0.0},
    {kLiteUnaryELU, elu, 3.0, 0.0},
    {kLiteUnaryRSQRT, inverse_root, 3.0, 0.0},
    {kLiteUnarySIN, sin, 4.0, 2e-7},
    {kLiteUnaryCOS, cos, 4.0, 2e-7},
    {kLiteUnaryGELU, gelu, 400.0, 2e-37},
    {kLiteUnaryGELU_TANH, gelu_tanh, 400.0, 2e-37},
};

static double unit_of(double x) {
    int exponent;
    frexp(x, &exponent);
    return ldexp(1.0, (exponent < -125 ? -125 : exponent) - 24);
}

static void check_function(const Function* f) {
    const LiteUnaryParams params = {0};
    const LiteRow row = {.out = results, .in = {numbers}, .step = {1}, .count = kCount, .params = &params};
    lite_unary_loop(f->op, kTfLiteFloat32)(&row);
    for (int i = 0; i < kCount; i++) {
        const float x = numbers[i], got = results[i];
        const double want = f->exact((double)x);
        if (isnan(want) || isinf((float)want)) {
            // What the approximation is of infinities follows from how it is written.
            const bool open = isinf(x) && f->op == kLiteUnaryGELU_TANH;
            if (!open && !(isnan(want) ? isnan(got) : got == (float)want))
                fail_msg("%d: f(%a) = %a", f->op, x, got);
            continue;
        }
        const double room = f->units * unit_of(want);
        const double off = fabs((double)got - want);
        if (!(off <= (room > f->absolute ? room : f->absolute))) {
            fail_msg("function %d of %a is %a, expected %a", (int)f->op, (double)x, (double)got, want);
        }
    }
}

// Numbers of all magnitudes, or of those that results are not 0 or 1 for, with a few special ones.
static void fill(bool all) {
    static const float special[] = {0.0f,     -0.0f,   INFINITY, -INFINITY, NAN,    -NAN,    1e-45f, -1e-45f,
                                    1.1e-38f, 3.4e38f, -3.4e38f, 88.5f,     -88.5f, -104.5f, 1e5f};
    const int count = sizeof special / sizeof special[0];
    uint32_t random = 1;
    for (int i = 0; i < kCount; i++) {
        random = random * 1664525u + 1013904223u;
        numbers[i] = all ? lite_float_from_bits(random) : ((float)(random >> 8) * 0x1p-23f - 1.0f) * 20.0f;
        if (all && i % 700 < count) numbers[i] = special[i % 700];
    }
}

static void for_paths(void (*test)(void)) {
    for (int path = kLiteCpuReference; path < kLiteCpuOneDnn; path++) {
        if (lite_cpu_path_choose((LiteCpuPath)path)) test();
    }
    lite_cpu_path_choose(kLiteCpuAuto);
}

static void check_functions(void) {
    for (int all = 0; all < 2; all++) {
        fill(all != 0);
        for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) check_function(&functions[i]);
    }
}

static double hard_swish(double x) {
    const double sum = x + 3.0;
    return x * (sum < 0.0 ? 0.0 : sum > 6.0 ? 6.0 : sum) / 6.0;
}

// Of all halves: the function's value, rounded once.
static void check_function_of_halves(const Function* f) {
    enum { kAll = 1 << 16 };
    static uint16_t halves[kAll], out[kAll];
    const LiteUnaryParams params = {0};
    const LiteRow row = {.out = out, .in = {halves}, .step = {1}, .count = kAll, .params = &params};
    for (int i = 0; i < kAll; i++) halves[i] = (uint16_t)i;
    lite_unary_loop(f->op, kTfLiteFloat16)(&row);
    for (int i = 0; i < kAll; i++) {
        const double x = (double)lite_f16_to_f32(halves[i]), got = (double)lite_f16_to_f32(out[i]);
        const double want = f->exact(x), limit = 65520.0; // what is rounded to infinity
        if (isnan(want) || isinf(want) || fabs(want) >= limit) {
            if (isnan(want) ? isnan(got) : isinf(got) && (got > 0) == (want > 0)) continue;
            if (!isinf(x) || f->op != kLiteUnaryGELU_TANH) fail_msg("%d: f(%a) = %a", (int)f->op, x, got);
            continue;
        }
        int exponent;
        frexp(want, &exponent);
        const double unit = ldexp(1.0, (exponent < -13 ? -13 : exponent) - 11);
        const double room = unit * (0.5 + f->units / 8192.0) + f->absolute; // a float has 13 bits more
        if (!(fabs(got - want) <= room)) {
            fail_msg("function %d of half %a is %a, expected %a", (int)f->op, x, got, want);
        }
    }
}

static void check_halves(void) {
    static const Function more = {kLiteUnaryHARD_SWISH, hard_swish, 4.0, 0.0};
    check_function_of_halves(&more);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        check_function_of_halves(&functions[i]);
}

static void functions_of_halves_are_rounded_once(void** state) {
    (void)state;
    for_paths(check_halves);
}

// Powers of numbers of all kinds, and of positive ones by one exponent.
static void check_powers(void) {
    static float exponents[kCount];
    LiteBinaryRange range;
    range.low.f32 = -INFINITY;
    range.high.f32 = INFINITY;
    for (int all = 0; all < 2; all++) {
        fill(all != 0);
        for (int i = 0; i < kCount; i++) {
            exponents[i] = all ? numbers[kCount - 1 - i] : 1.7f;
            if (!all) numbers[i] = fabsf(numbers[i]) + 1e-3f;
        }
        const LiteRow row = {
            .out = results, .in = {numbers, exponents}, .step = {1, all}, .count = kCount, .params = &range};
        lite_binary_loop(kLiteBinaryPOW, kTfLiteFloat32)(&row);
        for (int i = 0; i < kCount; i++) {
            const double want = pow((double)numbers[i], (double)exponents[i]);
            const double off = fabs((double)results[i] - want);
            const bool same = isnan(want) ? isnan(results[i]) : results[i] == (float)want;
            if (!same && !(off <= unit_of(want))) {
                fail_msg("%a to the power of %a is %a", (double)numbers[i], (double)exponents[i],
                         (double)results[i]);
            }
        }
    }
}

static void powers_are_accurate_everywhere(void** state) {
    (void)state;
    for_paths(check_powers);
}

static void functions_are_accurate_everywhere(void** state) {
    (void)state;
    for_paths(check_functions);
}

// Differences of up to 40 are rounded before they are exponents.
static void check_row(const float* in, const float* soft, const float* logarithm, int depth) {
    double max = -(double)INFINITY, sum = 0.0;
    for (int i = 0; i < depth; i++) max = fmax(max, (double)in[i]);
    for (int i = 0; i < depth; i++) sum += exp((double)in[i] - max);
    for (int i = 0; i < depth; i++) {
        const double want = exp((double)in[i] - max) / sum, log_want = (double)in[i] - max - log(sum);
        assert_true(fabs((double)soft[i] - want) <= 4e-6 * want + 1e-37);
        assert_true(fabs((double)logarithm[i] - log_want) <= 1e-6 * fabs(log_want) + 1e-6);
    }
}

static void check_softmax(void) {
    static const int depths[] = {1, 2, 7, 10, 16, 33, 100, 256, 257, 1001, 5000};
    static float logarithms[kCount];
    fill(false);
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
        const int depth = depths[i], rows = kCount / depth;
        lite_softmax_rows(false)(numbers, rows, depth, 1.0f, results);
        lite_softmax_rows(true)(numbers, rows, depth, 1.0f, logarithms);
        for (int row = 0; row < rows; row++) {
            check_row(numbers + row * depth, results + row * depth, logarithms + row * depth, depth);
        }
    }
    // Of a long row, too, with a negative beta the largest number has the least weight.
    for (int i = 0; i < 1001; i++) logarithms[i] = -0.5f * numbers[i];
    lite_softmax_rows(false)(logarithms, 1, 1001, -2.0f, results);
    lite_softmax_rows(true)(numbers, 1, 1001, 1.0f, logarithms);
    check_row(numbers, results, logarithms, 1001);
    for (int depth = 8; depth <= 800; depth *= 10) {
        fill(false);
        numbers[3] = NAN;
        lite_softmax_rows(false)(numbers, 2, depth, 1.0f, results);
        for (int i = 0; i < 2 * depth; i++) assert_int_equal(isnan(results[i]) != 0, i < depth);
        numbers[3] = -INFINITY; // has no weight
        lite_softmax_rows(false)(numbers, 2, depth, 1.0f, results);
        for (int i = 0; i < depth; i++) assert_int_equal(results[i] > 0.0f, i != 3);
    }
}

static void softmax_is_accurate_everywhere(void** state) {
    (void)state;
    for_paths(check_softmax);
}

enum { kFixedCount = 3000 };

// Rows of bytes against real numbers; results of 16 bits stand for 1/65536 each, logarithms for 1/16.
static void check_fixed_row(const int8_t* in, const void* out, int64_t depth, double scale, bool to_16,
                            bool logarithm) {
    int max = in[0];
    double sum = 0.0;
    for (int64_t i = 0; i < depth; i++) max = in[i] > max ? in[i] : max;
    for (int64_t i = 0; i < depth; i++) sum += exp((in[i] - max) * scale);
    for (int64_t i = 0; i < depth; i++) {
        const double x = (in[i] - max) * scale, part = exp(x) / sum;
        const double want = logarithm ? 127.0 + 16.0 * (x - log(sum))
                            : to_16   ? part * 65536.0 - 32768.0
                                      : part * 256.0 - 128.0;
        const double result = to_16 ? ((const int16_t*)out)[i] : ((const int8_t*)out)[i];
        const double low = to_16 ? INT16_MIN : INT8_MIN, high = to_16 ? INT16_MAX : INT8_MAX;
        assert_true(fabs(result - fmin(fmax(want, low), high)) <= (to_16 ? 12.0 : 1.01));
    }
}

// Signed elements against real numbers, and unsigned ones, 128 more, against them.
static void check_fixed(int64_t depth, double scale, bool to_16, bool logarithm) {
    static int8_t in[kFixedCount];
    static uint8_t in_unsigned[kFixedCount];
    static int16_t out[kFixedCount], out_unsigned[kFixedCount];
    static LiteSoftmaxFixed fixed;
    assert_true(lite_softmax_fixed_init(1.0, scale, &fixed));
    for (int i = 0; i < kFixedCount; i++) {
        in[i] = (int8_t)(i % 7 == 0 ? -128 + i % 256 : i * i % 251 - 128);
        in_unsigned[i] = (uint8_t)(in[i] + 128);
    }
    const TfLiteType to = to_16 ? kTfLiteInt16 : kTfLiteInt8;
    const int64_t rows = kFixedCount / depth, size = to_16 ? 2 : 1;
    lite_softmax_fixed_rows(kTfLiteInt8, to, logarithm)(&fixed, in, rows, depth, out);
    lite_softmax_fixed_rows(kTfLiteUInt8, to_16 ? to : kTfLiteUInt8, logarithm)(&fixed, in_unsigned, rows,
                                                                                depth, out_unsigned);
    for (int64_t row = 0; row < rows; row++) {
        check_fixed_row(in + row * depth, (const int8_t*)out + row * depth * size, depth, scale, to_16,
                        logarithm);
    }
    for (int64_t i = 0; i < rows * depth; i++) {
        if (to_16) {
            assert_int_equal(out_unsigned[i], out[i]);
        } else {
            assert_int_equal(((const uint8_t*)out_unsigned)[i], ((const int8_t*)out)[i] + 128);
        }
    }
}

static void check_fixed_softmax(void) {
    static const int depths[] = {1, 2, 7, 16, 33, 255, 256, 257, 3000};
    static const double scales[] = {1e-6, 0.004, 0.05, 0.3, 20.0};
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
        for (size_t j = 0; j < sizeof scales / sizeof scales[0]; j++) {
            check_fixed(depths[i], scales[j], false, false);
            check_fixed(depths[i], scales[j], true, false);
            check_fixed(depths[i], scales[j], false, true);
        }
    }
}

static void quantized_softmax_is_accurate_everywhere(void** state) {
    (void)state;
    for_paths(check_fixed_softmax);
}

static int16_t saturate_16(int64_t x) {
    return (int16_t)(x < INT16_MIN ? INT16_MIN : x > INT16_MAX ? INT16_MAX : x);
}

// A row as the reference computes it, one element after the other.
static void plain_softmax_16(const LiteSoftmaxTable16* table, const int16_t* in, int64_t depth,
                             int16_t* out) {
    int32_t most = in[0], sum = 0;
    for (int64_t i = 1; i < depth; i++) most = in[i] > most ? in[i] : most;
    for (int64_t i = 0; i < depth; i++) {
        const int64_t scaled = lite_multiply(in[i] - most, table->multiplier);
        out[i] = lite_lut16_at(table->exps, saturate_16(scaled + 32767));
        sum = lite_saturate_i32((int64_t)sum + out[i]);
    }
    const int zeros = __builtin_clz((uint32_t)sum), shift = 31 - zeros;
    const int64_t normalized = (((int64_t)sum << (zeros - 1)) + (1 << 13)) >> 14;
    const int16_t reciprocal =
        lite_lut16_at(table->reciprocals, saturate_16(normalized - (1 << 15) - (1 << 16)));
    const int64_t half = shift > 0 ? INT64_C(1) << (shift - 1) : 0;
    for (int64_t i = 0; i < depth; i++) {
        const int64_t x = ((int64_t)out[i] * reciprocal + half) >> shift;
        out[i] = (int16_t)(x < 0 ? 0 : x > INT16_MAX ? INT16_MAX : x);
    }
}

// Also of all differences, sums that saturate, scales of 0 and such that shifts wrap.
static void check_softmax_16(void) {
    enum { kAll = 70001 };
    static int16_t in[kAll], out[kAll], want[kAll];
    static const int depths[] = {1, 2, 7, 16, 100, 1000, 1023, 1024, 1025, 5000, kAll};
    static const float scales[] = {0.0f, 1e-9f, 1e-6f, 10.0f / 65535.0f, 0.001f, 1.0f, 3e4f};
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        LiteSoftmaxTable16 table;
        assert_true(lite_softmax_table16(1.0f, scales[s], &table));
        for (size_t d = 0; d < sizeof depths / sizeof depths[0]; d++) {
            const int depth = depths[d], rows = depth < 1100 ? 3000 / depth : 1;
            for (int i = 0; i < rows * depth; i++)
                in[i] = (int16_t)(depth == kAll ? 32767 - i : (i * 7919) >> (i % 11));
            lite_softmax_16_rows()(&table, in, rows, depth, out);
            for (int r = 0; r < rows; r++) plain_softmax_16(&table, in + r * depth, depth, want + r * depth);
            assert_memory_equal(out, want, (size_t)(rows * depth) * sizeof out[0]);
        }
    }
}

static void softmax_of_16_bits_is_the_same_everywhere(void** state) {
    (void)state;
    for_paths(check_softmax_16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_accurate_everywhere),
        cmocka_unit_test(functions_of_halves_are_rounded_once),
        cmocka_unit_test(powers_are_accurate_everywhere),
        cmocka_unit_test(softmax_is_accurate_everywhere),
        cmocka_unit_test(quantized_softmax_is_accurate_everywhere),
        cmocka_unit_test(softmax_of_16_bits_is_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
