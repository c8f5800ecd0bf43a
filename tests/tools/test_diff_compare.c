// SPDX-License-Identifier: Apache-2.0
// How oclite diff compares tensors: every type, what tolerances allow, NaN and infinities.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/diff/compare.h"

static ToolInput vector(TfLiteType type, const void* data, int count, size_t bytes) {
    return (ToolInput){.array = {.type = type,
                                 .shape = {.rank = 1, .dims = {count}},
                                 .count = (size_t)count,
                                 .bytes = bytes,
                                 .data = data}};
}

#define VECTOR(type, values) vector(type, values, (int)(sizeof(values) / sizeof((values)[0])), sizeof(values))

static DiffError compare_as(ToolInput a, ToolInput b, DiffKind kind, const char* tolerance) {
    ToolMessage message = {{0}};
    DiffTolerance parsed = diff_default_tolerance;
    if (tolerance != NULL) assert_int_equal(diff_tolerance_parse(tolerance, &parsed, &message), kToolOk);
    return diff_compare(&a, &b, kind, &parsed);
}

static DiffError compare(ToolInput a, ToolInput b, const char* tolerance) {
    return compare_as(a, b, (DiffKind){.type = a.array.type}, tolerance);
}

static void floats(void** state) {
    (void)state;
    const float a[] = {100, -2, 0};
    const float near[] = {100.009f, -2, 0};
    const float far[] = {100, -2, 0.02f};
    DiffError error = compare(VECTOR(kTfLiteFloat32, a), VECTOR(kTfLiteFloat32, a), NULL);
    assert_int_equal(error.verdict, kDiffSame);
    assert_true(error.max == 0 && error.signal == INFINITY && error.range == 100);
    error = compare(VECTOR(kTfLiteFloat32, a), VECTOR(kTfLiteFloat32, near), NULL);
    assert_int_equal(error.verdict, kDiffAgrees);
    assert_true(fabs(error.max - 0.009) < 1e-5 && fabs(error.mean - 0.003) < 1e-5 && error.worst == 0);
    error = compare(VECTOR(kTfLiteFloat32, a), VECTOR(kTfLiteFloat32, far), NULL);
    assert_int_equal(error.verdict, kDiffDiffers);
    assert_int_equal(error.beyond, 1);
    assert_int_equal(error.worst, 2);
    assert_string_equal(error.values[0], "0");
    assert_string_equal(error.values[1], "0.0199999996");
    assert_int_equal(compare(VECTOR(kTfLiteFloat32, a), VECTOR(kTfLiteFloat32, far), "1e-3").verdict,
                     kDiffAgrees);
    assert_int_equal(compare(VECTOR(kTfLiteFloat32, a), VECTOR(kTfLiteFloat32, near), "0").verdict,
                     kDiffDiffers);
}

static void tolerances_of_floats(void** state) {
    (void)state;
    float a[] = {1, 1000};
    float b[] = {nextafterf(nextafterf(1, 2), 2), 1000};
    assert_int_equal(
        compare(VECTOR(kTfLiteFloat32, a), VECTOR(kTfLiteFloat32, b), "rel=0,abs=0,ulp=2").verdict,
        kDiffAgrees);
    assert_int_equal(
        compare(VECTOR(kTfLiteFloat32, a), VECTOR(kTfLiteFloat32, b), "rel=0,abs=0,ulp=1").verdict,
        kDiffDiffers);
    b[0] = 1.5f;
    assert_int_equal(
        compare(VECTOR(kTfLiteFloat32, a), VECTOR(kTfLiteFloat32, b), "rel=0,abs=0.5,ulp=0").verdict,
        kDiffAgrees);
    assert_int_equal(
        compare(VECTOR(kTfLiteFloat32, a), VECTOR(kTfLiteFloat32, b), "rel=0,abs=0.4,ulp=0").verdict,
        kDiffDiffers);
    // Zeros of different signs are the same number, but not the same bits.
    const float plus[] = {0};
    const float minus[] = {-0.0f};
    assert_int_equal(compare(VECTOR(kTfLiteFloat32, plus), VECTOR(kTfLiteFloat32, minus), "0").verdict,
                     kDiffAgrees);
}

static void no_numbers(void** state) {
    (void)state;
    const float a[] = {NAN, INFINITY, -INFINITY, 1};
    const float other_nan[] = {-NAN, INFINITY, -INFINITY, 1};
    DiffError error = compare(VECTOR(kTfLiteFloat32, a), VECTOR(kTfLiteFloat32, other_nan), NULL);
    assert_int_equal(error.verdict, kDiffAgrees);
    assert_true(error.max == 0);
    for (int i = 0; i < 4; i++) {
        for (int v = 0; v < 3; v++) {
            float b[] = {NAN, INFINITY, -INFINITY, 1};
            b[i] = (const float[]){NAN, INFINITY, 1e30f}[v];
            if (memcmp(a, b, sizeof(a)) == 0) continue;
            error = compare(VECTOR(kTfLiteFloat32, a), VECTOR(kTfLiteFloat32, b), "1e6");
            const bool is_finite = i == 3 && v == 2;
            assert_int_equal(error.verdict, kDiffDiffers);
            assert_int_equal(error.worst, i);
            assert_true(is_finite ? fabs(error.max - 1e30) < 1e24 : error.max == INFINITY);
            assert_true(is_finite || error.signal == -INFINITY);
        }
    }
}

static void integers(void** state) {
    (void)state;
    const int8_t a[] = {-128, 5, 127};
    const int8_t step[] = {-127, 5, 126};
    const int8_t two[] = {-128, 7, 127};
    const DiffKind plain = {.type = kTfLiteInt8};
    const DiffKind quantized = {.type = kTfLiteInt8, .is_quantized = true};
    assert_int_equal(compare_as(VECTOR(kTfLiteInt8, a), VECTOR(kTfLiteInt8, step), plain, "rel=1").verdict,
                     kDiffDiffers);
    DiffError error = compare_as(VECTOR(kTfLiteInt8, a), VECTOR(kTfLiteInt8, step), quantized, NULL);
    assert_int_equal(error.verdict, kDiffAgrees);
    error = compare_as(VECTOR(kTfLiteInt8, a), VECTOR(kTfLiteInt8, step), quantized, "0");
    assert_int_equal(error.verdict, kDiffDiffers);
    assert_int_equal(error.beyond, 2);
    error = compare_as(VECTOR(kTfLiteInt8, a), VECTOR(kTfLiteInt8, two), quantized, NULL);
    assert_int_equal(error.verdict, kDiffDiffers);
    assert_int_equal(error.worst, 1);
    assert_true(error.max == 2);
    assert_int_equal(
        compare_as(VECTOR(kTfLiteInt8, a), VECTOR(kTfLiteInt8, two), quantized, "steps=2").verdict,
        kDiffAgrees);
}

// A double does not hold all integers of 64 bits.
static void large_integers(void** state) {
    (void)state;
    const int64_t a[] = {INT64_MAX, INT64_MIN};
    const int64_t b[] = {INT64_MAX - 1, INT64_MIN};
    const DiffError error = compare(VECTOR(kTfLiteInt64, a), VECTOR(kTfLiteInt64, b), NULL);
    assert_int_equal(error.verdict, kDiffDiffers);
    assert_true(error.max == 1);
    assert_string_equal(error.values[0], "9223372036854775807");
    assert_string_equal(error.values[1], "9223372036854775806");
    const uint64_t c[] = {UINT64_MAX};
    const uint64_t d[] = {UINT64_MAX - 1};
    assert_string_equal(compare(VECTOR(kTfLiteUInt64, c), VECTOR(kTfLiteUInt64, d), NULL).values[0],
                        "18446744073709551615");
}

static void other_types(void** state) {
    (void)state;
    const uint16_t halves[] = {0x3c00, 0x0001, 0xfc00, 0x7bff}; // 1, the least, -infinity, 65504
    const uint16_t near[] = {0x3c01, 0x0001, 0xfc00, 0x7bff};
    DiffError error =
        compare(VECTOR(kTfLiteFloat16, halves), VECTOR(kTfLiteFloat16, near), "rel=0,abs=0,ulp=1");
    assert_int_equal(error.verdict, kDiffAgrees);
    assert_true(error.range == 65504 && error.max == 0x1p-10);
    const uint16_t finite[] = {0x3c00, 0x0001, 0xfbff, 0x7bff};
    error = compare(VECTOR(kTfLiteFloat16, halves), VECTOR(kTfLiteFloat16, finite), NULL);
    assert_int_equal(error.verdict, kDiffDiffers);
    assert_string_equal(error.values[0], "-inf");
    assert_string_equal(error.values[1], "-65504");
    // bfloat16 is stored as float, but is as coarse as it is.
    const float wide[] = {1};
    const float step[] = {1.0078125f};
    const DiffKind bfloat = {.type = kTfLiteBFloat16};
    assert_int_equal(
        compare_as(VECTOR(kTfLiteFloat32, wide), VECTOR(kTfLiteFloat32, step), bfloat, NULL).verdict,
        kDiffAgrees);
    assert_int_equal(compare(VECTOR(kTfLiteFloat32, wide), VECTOR(kTfLiteFloat32, step), NULL).verdict,
                     kDiffDiffers);
    const float complex_a[] = {3, 4};
    const float complex_b[] = {3, -4};
    error = compare(vector(kTfLiteComplex64, complex_a, 1, sizeof(complex_a)),
                    vector(kTfLiteComplex64, complex_b, 1, sizeof(complex_b)), NULL);
    assert_true(error.max == 8 && error.range == 5);
    assert_string_equal(error.values[1], "3-4i");
    const bool yes[] = {true};
    const bool no[] = {false};
    assert_int_equal(compare(VECTOR(kTfLiteBool, yes), VECTOR(kTfLiteBool, no), "1").verdict, kDiffDiffers);
}

static ToolInput strings(const char** items, int* lengths, int count) {
    return (ToolInput){.is_strings = true,
                       .strings = {.count = count,
                                   .items = items,
                                   .lengths = lengths,
                                   .has_shape = true,
                                   .shape = {.rank = 1, .dims = {count}}}};
}

static void texts(void** state) {
    (void)state;
    const char* a[] = {"one", "two"};
    const char* b[] = {"one", "twp"};
    int lengths[] = {3, 3};
    int shorter[] = {3, 2};
    const DiffKind kind = {.type = kTfLiteString};
    assert_int_equal(compare_as(strings(a, lengths, 2), strings(a, lengths, 2), kind, NULL).verdict,
                     kDiffSame);
    const DiffError error = compare_as(strings(a, lengths, 2), strings(b, lengths, 2), kind, NULL);
    assert_int_equal(error.verdict, kDiffDiffers);
    assert_int_equal(error.worst, 1);
    assert_string_equal(error.values[1], "'twp'");
    assert_int_equal(compare_as(strings(a, lengths, 2), strings(a, shorter, 2), kind, NULL).verdict,
                     kDiffDiffers);
    assert_int_equal(compare_as(strings(a, lengths, 2), strings(a, lengths, 1), kind, NULL).verdict,
                     kDiffOtherShape);
}

static void shapes(void** state) {
    (void)state;
    const float a[] = {1, 2, 3, 4};
    ToolInput square = VECTOR(kTfLiteFloat32, a);
    square.array.shape = (ToolShape){.rank = 2, .dims = {2, 2}};
    const DiffError error = compare(VECTOR(kTfLiteFloat32, a), square, NULL);
    assert_int_equal(error.verdict, kDiffOtherShape);
    assert_string_equal(error.values[0], "(4)");
    assert_string_equal(error.values[1], "(2x2)");
    assert_int_equal(compare(VECTOR(kTfLiteFloat32, a), vector(kTfLiteInt32, a, 4, sizeof(a)), NULL).verdict,
                     kDiffOtherShape);
    const ToolInput handle = {.array = {.type = kTfLiteNoType}};
    assert_int_equal(compare(handle, square, NULL).verdict, kDiffNotCompared);
    const ToolInput empty = vector(kTfLiteFloat32, NULL, 0, 0);
    assert_int_equal(compare(empty, empty, "0").verdict, kDiffSame);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats),         cmocka_unit_test(tolerances_of_floats),
        cmocka_unit_test(no_numbers),     cmocka_unit_test(integers),
        cmocka_unit_test(large_integers), cmocka_unit_test(other_types),
        cmocka_unit_test(texts),          cmocka_unit_test(shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
