// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/shape.h"
#include "core/semantics/slice.h"

#define SHAPE(...)                                                                                           \
    (LiteShape) {                                                                                            \
        (int)(sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t)), {                                         \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }

static void elements_are_counted(void** state) {
    (void)state;
    int64_t count;
    assert_true(lite_shape_count(NULL, 0, &count));
    assert_int_equal(count, 1);
    const int32_t dims[] = {2, 3, 5};
    assert_true(lite_shape_count(dims, 3, &count));
    assert_int_equal(count, 30);
    const int32_t empty[] = {4, 0, 5};
    assert_true(lite_shape_count(empty, 3, &count));
    assert_int_equal(count, 0);
    const int32_t huge_but_empty[] = {INT32_MAX, INT32_MAX, 0};
    assert_true(lite_shape_count(huge_but_empty, 3, &count));
    assert_int_equal(count, 0);
    assert_int_equal(lite_shape_elements(&SHAPE(2, 3, 5)), 30);
    assert_true(lite_shape_elements(&SHAPE(INT32_MAX, INT32_MAX, 3)) == INT64_MAX);
    assert_int_equal(lite_shape_elements(&SHAPE(INT32_MAX, INT32_MAX, INT32_MAX, 0)), 0);
    assert_true(lite_shape_elements(&SHAPE(INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX)) == INT64_MAX);
}

static void impossible_shapes_are_refused(void** state) {
    (void)state;
    int64_t count;
    const int32_t negative[] = {2, -1};
    const int32_t huge[] = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
    const int32_t too_huge[] = {INT32_MAX, INT32_MAX, 0, INT32_MAX};
    const int32_t large[] = {INT32_MAX, 8};
    assert_false(lite_shape_count(negative, 2, &count));
    assert_false(lite_shape_count(huge, 4, &count));
    assert_false(lite_shape_count(too_huge, 4, &count));
    assert_true(lite_shape_count(large, 2, &count));
    assert_int_equal(count, (int64_t)INT32_MAX * 8);
}

static void products_are_checked(void** state) {
    (void)state;
    size_t product;
    assert_true(lite_size_mul(0, SIZE_MAX, &product));
    assert_int_equal(product, 0);
    assert_true(lite_size_mul(SIZE_MAX, 1, &product));
    assert_false(lite_size_mul(SIZE_MAX / 2 + 1, 2, &product));
}

static void bytes_of_types(void** state) {
    (void)state;
    static const struct {
        TfLiteType type;
        int64_t count;
        size_t bytes;
    } cases[] = {
        {kTfLiteFloat32, 3, 12},     {kTfLiteInt8, 3, 3},        {kTfLiteInt4, 3, 2},
        {kTfLiteInt4, 4, 2},         {kTfLiteUInt4, 5, 3},       {kTfLiteInt2, 5, 2},
        {kTfLiteInt2, 0, 0},         {kTfLiteComplex128, 2, 32}, {kTfLiteBool, 7, 7},
        {kTfLiteFloat8E4M3FN, 7, 7}, {kTfLiteInt64, 2, 16},      {kTfLiteBFloat16, 2, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t bytes;
        assert_true(lite_tensor_bytes(cases[i].type, cases[i].count, &bytes));
        assert_int_equal(bytes, cases[i].bytes);
    }
    size_t bytes;
    assert_false(lite_tensor_bytes(kTfLiteString, 1, &bytes));
    assert_false(lite_tensor_bytes(kTfLiteNoType, 1, &bytes));
    assert_false(lite_tensor_bytes((TfLiteType)99, 1, &bytes));
    assert_false(lite_tensor_bytes(kTfLiteFloat64, INT64_MAX, &bytes));
    assert_false(lite_tensor_bytes(kTfLiteFloat64, -1, &bytes));
    assert_int_equal(lite_type_size(kTfLiteInt4), 0);
}

static void shapes_broadcast(void** state) {
    (void)state;
    LiteShape out;
    assert_true(lite_shape_broadcast(&SHAPE(4, 1, 3), &SHAPE(5, 1), &out));
    assert_true(lite_shape_equal(&out, &SHAPE(4, 5, 3)));
    assert_true(lite_shape_broadcast(&SHAPE(0), &SHAPE(2, 1), &out));
    assert_true(lite_shape_equal(&out, &SHAPE(2, 0)));
    assert_false(lite_shape_broadcast(&SHAPE(2, 3), &SHAPE(2, 2), &out));
    assert_false(lite_shape_equal(&SHAPE(1, 2), &SHAPE(1, 2, 1)));
}

static void axes_count_from_the_end(void** state) {
    (void)state;
    assert_int_equal(lite_axis(-1, 4), 3);
    assert_int_equal(lite_axis(0, 4), 0);
    assert_int_equal(lite_axis(4, 4), -1);
    assert_int_equal(lite_axis(-5, 4), -1);
}

static void check_window(TfLitePadding padding, int in, int filter, int stride, int dilation, int out,
                         int before, int offset) {
    const LiteAxisPadding window = lite_axis_padding(padding, in, filter, stride, dilation);
    assert_int_equal(window.out, out);
    assert_int_equal(window.before, before);
    assert_int_equal(window.offset, offset);
}

static void windows_slide(void** state) {
    (void)state;
    check_window(kTfLitePaddingSame, 224, 3, 2, 1, 112, 0, 1);
    check_window(kTfLitePaddingSame, 5, 3, 1, 1, 5, 1, 0);
    check_window(kTfLitePaddingSame, 5, 3, 1, 2, 5, 2, 0);
    check_window(kTfLitePaddingValid, 5, 3, 1, 1, 3, 0, 0);
    check_window(kTfLitePaddingValid, 5, 3, 2, 2, 1, 0, 0);
    check_window(kTfLitePaddingValid, 2, 3, 1, 1, 0, 0, 0);
}

static void impossible_windows_are_empty(void** state) {
    (void)state;
    check_window(kTfLitePaddingSame, 5, 3, 0, 1, 0, 0, 0);
    check_window(kTfLitePaddingSame, 5, 3, -1, 1, 0, 0, 0);
    check_window(kTfLitePaddingUnknown, 5, 3, 1, 1, 0, 0, 0);
    check_window(kTfLitePaddingValid, 5, INT32_MAX, 1, INT32_MAX, 0, 0, 0);
    const LiteAxisPadding window =
        lite_axis_padding(kTfLitePaddingValid, INT32_MAX, -INT32_MAX, 1, INT32_MAX);
    assert_true(window.out >= 0);
}

// [2, 2, 2, 4] as one index and a new axis behind it see it: the new axis takes the place of the last
// dimension.
static void new_axes_behind_the_indices_count(void** state) {
    (void)state;
    const LiteShape input = {4, {2, 2, 2, 4}};
    const int64_t begin = 0, end = 2, stride = 1;
    const TfLiteStridedSliceParams params = {.new_axis_mask = 2};
    const LiteStrides strides = {1, &begin, &end, &stride, &params};
    const LiteReporter silent = {0};
    LitePart part;
    assert_int_equal(lite_strided_part(&input, &strides, &part, &silent), kTfLiteOk);
    const int64_t lengths[] = {2, 1, 2, 2};
    assert_int_equal(part.rank, 4);
    assert_memory_equal(part.length, lengths, sizeof lengths);
}

// Three indices of which the last is a new axis, for one dimension: nothing is left for the second.
static void indices_without_a_dimension_are_refused(void** state) {
    (void)state;
    const LiteShape input = {1, {2}};
    const int64_t begin[] = {0, 0, 0}, end[] = {1, 1, 1}, stride[] = {1, 1, 1};
    const TfLiteStridedSliceParams params = {.new_axis_mask = 4};
    const LiteStrides strides = {3, begin, end, stride, &params};
    const LiteReporter silent = {0};
    LitePart part;
    assert_int_equal(lite_strided_part(&input, &strides, &part, &silent), kTfLiteError);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_counted),
        cmocka_unit_test(impossible_shapes_are_refused),
        cmocka_unit_test(products_are_checked),
        cmocka_unit_test(bytes_of_types),
        cmocka_unit_test(shapes_broadcast),
        cmocka_unit_test(axes_count_from_the_end),
        cmocka_unit_test(new_axes_behind_the_indices_count),
        cmocka_unit_test(indices_without_a_dimension_are_refused),
        cmocka_unit_test(windows_slide),
        cmocka_unit_test(impossible_windows_are_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
