// SPDX-License-Identifier: Apache-2.0
// Corners of operators with several outputs, or none: UNIQUE, whose indices have the type that its parameters
// say, pooling with windows larger than the picture, and parts that lie outside of what they are taken from.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/node_case.h"

#define UNIQUE(type)                                                                                         \
    .code = kTfLiteBuiltinUnique, .params = &(const TfLiteUniqueParams) {                                    \
        type                                                                                                 \
    }
#define VALUES NUMBERS(Float32, DIMS(6), 2, -0.0, 7, 0, -1, 2)
#define DIFFERENT NUMBERS(Float32, DIMS(4), 2, 0, 7, -1)
#define PLACES(Type) NUMBERS(Type, DIMS(6), 0, 1, 2, 1, 3, 0)

static const NodeCase unique[] = {
    {UNIQUE(kTfLiteInt32), .inputs = {VALUES}, .outputs = {DIFFERENT, PLACES(Int32)}},
    {UNIQUE(kTfLiteInt64), .inputs = {VALUES}, .outputs = {DIFFERENT, PLACES(Int64)}},
    {UNIQUE(kTfLiteInt32), .inputs = {SHAPED(Int64, DIMS(0))},
     .outputs = {SHAPED(Int64, DIMS(0)), SHAPED(Int32, DIMS(0))}},
    // What is not INT64 stands for INT32.
    {UNIQUE(kTfLiteNoType), .inputs = {VALUES}, .outputs = {DIFFERENT, PLACES(Int32)}},
    {UNIQUE(kTfLiteInt64), .inputs = {VALUES}, .outputs = {DIFFERENT, PLACES(Int32)},
     .message = "UNIQUE: indices of type INT32, parameters say INT64"},
    {UNIQUE(kTfLiteInt32), .inputs = {VALUES}, .outputs = {DIFFERENT, PLACES(Int64)},
     .message = "UNIQUE: indices of type INT64, parameters say INT32"},
    {UNIQUE(kTfLiteInt32), .inputs = {VALUES}, .outputs = {DIFFERENT, PLACES(Float32)},
     .message = "UNIQUE: indices of type FLOAT32 is not supported"},
    {UNIQUE(kTfLiteInt32), .inputs = {VALUES}, .outputs = {PLACES(Int32), PLACES(Int32)},
     .message = "UNIQUE: element types FLOAT32 and INT32 differ"},
    {UNIQUE(kTfLiteInt32), .inputs = {SHAPED(Float32, DIMS(2, 3))}, .outputs = {DIFFERENT, PLACES(Int32)},
     .message = "UNIQUE: input has 2 dimensions, expected 1"},
    {UNIQUE(kTfLiteInt32), .inputs = {STRINGS(DIMS(1), "a")},
     .outputs = {STRINGS(DIMS(1), "a"), PLACES(Int32)},
     .message = "UNIQUE: input of type STRING is not supported"},
    {UNIQUE(kTfLiteInt32), .inputs = {VALUES}, .outputs = {DIFFERENT}, .message = "UNIQUE"},
};

#define PARAMS(height, width, stride)                                                                        \
    .params = &(const TfLitePoolParams) {                                                                    \
        .padding = kTfLitePaddingValid, .stride_width = stride, .stride_height = 1, .filter_width = width,   \
        .filter_height = height                                                                              \
    }
#define MAX_POOL .code = kTfLiteBuiltinMaxPool2d
#define PICTURE SHAPED(Float32, DIMS(1, 4, 3, 2))

// As in the reference: rows are counted only where a step would take the window into the picture.
static const NodeCase pool[] = {
    {MAX_POOL, PARAMS(2, 4, 1), .inputs = {PICTURE}, .outputs = {SHAPED(Float32, DIMS(1, 3, 0, 2))}},
    {MAX_POOL, PARAMS(2, 5, 1), .inputs = {PICTURE}, .outputs = {SHAPED(Float32, DIMS(1, 0, 0, 2))}},
    {MAX_POOL, PARAMS(2, 7, 2), .inputs = {PICTURE}, .outputs = {SHAPED(Float32, DIMS(1, 0, 0, 2))}},
    {MAX_POOL, PARAMS(2, 7, 3), .inputs = {PICTURE}, .outputs = {SHAPED(Float32, DIMS(1, 3, 0, 2))}},
    {MAX_POOL, PARAMS(7, 2, 1), .inputs = {PICTURE}, .outputs = {SHAPED(Float32, DIMS(1, 0, 2, 2))}},
    {.code = kTfLiteBuiltinAveragePool2d,
     PARAMS(2, 5, 1),
     .inputs = {PICTURE},
     .outputs = {SHAPED(Float32, DIMS(1, 0, 0, 2))}},
    {.code = kTfLiteBuiltinL2Pool2d,
     PARAMS(2, 5, 1),
     .inputs = {PICTURE},
     .outputs = {SHAPED(Float32, DIMS(1, 0, 0, 2))}},
};

#define PART(...)                                                                                            \
    .code = kTfLiteBuiltinStridedSlice, .params = &(const TfLiteStridedSliceParams) {                        \
        __VA_ARGS__                                                                                          \
    }
#define INDEX(value) NUMBERS(Int32, DIMS(1), value)
#define FOUR NUMBERS(Float32, DIMS(4), 1, 2, 3, 4)

// Before the first element is at it; behind the last one there is nothing.
static const NodeCase parts[] = {
    {PART(.shrink_axis_mask = 1), .inputs = {FOUR, INDEX(-1), INDEX(0), INDEX(1)},
     .outputs = {NUMBERS(Float32, SCALAR, 4)}},
    {PART(.shrink_axis_mask = 1), .inputs = {FOUR, INDEX(4), INDEX(5), INDEX(1)},
     .outputs = {NUMBERS(Float32, SCALAR, 0)}},
    {PART(.shrink_axis_mask = 1), .inputs = {FOUR, INDEX(-9), INDEX(-8), INDEX(1)},
     .outputs = {NUMBERS(Float32, SCALAR, 1)}},
    {PART(.offset = true), .inputs = {FOUR, INDEX(2), INDEX(4), INDEX(1)},
     .outputs = {NUMBERS(Float32, DIMS(4), 3, 4, 0, 0)}},
    {PART(.offset = true), .inputs = {FOUR, INDEX(1), INDEX(6), INDEX(2)},
     .outputs = {NUMBERS(Float32, DIMS(3), 2, 4, 0)}},
    {PART(.offset = true), .inputs = {FOUR, INDEX(1), INDEX(-4), INDEX(-1)},
     .outputs = {NUMBERS(Float32, DIMS(4), 2, 1, 0, 0)}},
    {PART(.shrink_axis_mask = 1), .inputs = {STRINGS(DIMS(1), "a"), INDEX(1), INDEX(2), INDEX(1)},
     .outputs = {STRINGS(SCALAR, "a")}, .message = "STRIDED_SLICE: strings outside of the input"},
};

static void values_places_and_errors(void** state) {
    (void)state;
    NODE_CHECK(unique, NULL);
}

static void windows_larger_than_the_picture(void** state) {
    (void)state;
    NODE_CHECK(pool, NULL);
}

static void elements_outside_are_zero(void** state) {
    (void)state;
    NODE_CHECK(parts, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_places_and_errors),
                                       cmocka_unit_test(windows_larger_than_the_picture),
                                       cmocka_unit_test(elements_outside_are_zero)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
