// SPDX-License-Identifier: Apache-2.0
// NON_MAX_SUPPRESSION_V4 and V5.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/node_case.h"

#define V4 .code = kTfLiteBuiltinNonMaxSuppressionV4
#define V5 .code = kTfLiteBuiltinNonMaxSuppressionV5
// Three of a heap, two of another, and one alone; corners in any order.
#define BOXES                                                                                                \
    NUMBERS(Float32, DIMS(6, 4), 1, 1, 0, 0, 0, 0.1, 1, 1.1, 0, .9, 1, -0.1, 0, 10, 1, 11, 1, 10.1, 0, 11.1, \
            1, 101, 0, 100)
#define SCORES NUMBERS(Float32, DIMS(6), 0.9, 0.75, 0.6, 0.95, 0.5, 0.3)
#define AT_MOST(n) CONSTANT(Int32, SCALAR, n)
#define NUMBER(x) NUMBERS(Float32, SCALAR, x)
#define INPUTS(n, overlap, score) BOXES, SCORES, n, NUMBER(overlap), NUMBER(score)
#define INDICES(n, ...) NUMBERS(Int32, DIMS(n), __VA_ARGS__)
#define COUNT(n) NUMBERS(Int32, SCALAR, n)

static const NodeCase cases[] = {
    {V4, .inputs = {INPUTS(AT_MOST(6), 0.5, 0)}, .outputs = {INDICES(6, 3, 0, 5, 0, 0, 0), COUNT(3)}},
    {V4, .inputs = {INPUTS(AT_MOST(2), 0.5, 0)}, .outputs = {INDICES(2, 3, 0), COUNT(2)}},
    {V4, .inputs = {INPUTS(AT_MOST(0), 0.5, 0)}, .outputs = {SHAPED(Int32, DIMS(0)), COUNT(0)}},
    {V4, .inputs = {INPUTS(AT_MOST(3), 0.5, 0.4)}, .outputs = {INDICES(3, 3, 0, 0), COUNT(2)}},
    {V4, .inputs = {INPUTS(AT_MOST(3), 0.5, NAN)}, .outputs = {INDICES(3, 0, 0, 0), COUNT(0)}},
    {V4, .inputs = {INPUTS(COUNT(4), 0.5, 0)}, .outputs = {INDICES(4, 3, 0, 5, 0), COUNT(3)}},
    {V5, .inputs = {INPUTS(AT_MOST(6), 0.5, 0), NUMBER(0)},
     .outputs = {INDICES(6, 3, 0, 5, 0, 0, 0), NUMBERS(Float32, DIMS(6), 0.95, 0.9, 0.3, 0, 0, 0), COUNT(3)}},
    // Soft: scores decay with the overlap, and no box is removed.
    {V5, .inputs = {INPUTS(COUNT(6), 1, 0), NUMBER(0.5)},
     .outputs = {INDICES(6, 3, 0, 1, 5, 4, 2),
                 NUMBERS(Float32, DIMS(6), 0.95, 0.9, 0.38400355, 0.3, 0.2560026, 0.19697244), COUNT(6)}},
    // As in the reference a box without area comes again and again.
    {V4,
     .inputs = {NUMBERS(Float32, DIMS(2, 4), 0, 0, 1, 1, 5, 5, 5, 6), NUMBERS(Float32, DIMS(2), 0.5, 0.6),
                AT_MOST(2), NUMBER(0.5), NUMBER(0)},
     .outputs = {INDICES(2, 1, 1), COUNT(2)}},
    {V4,
     .inputs = {SHAPED(Float32, DIMS(0, 4)), SHAPED(Float32, DIMS(0)), AT_MOST(2), NUMBER(0.5), NUMBER(0)},
     .outputs = {INDICES(2, 0, 0), COUNT(0)}},
    // What makes no sense.
    {V4, .inputs = {INPUTS(AT_MOST(-1), 0.5, 0)}, .outputs = {INDICES(1, 0), COUNT(0)},
     .message = "NON_MAX_SUPPRESSION_V4: dimension 0 of the output would be -1"},
    {V4, .inputs = {INPUTS(COUNT(-5), 0.5, 0)}, .outputs = {INDICES(1, 0), COUNT(0)},
     .message = "dimension 0 of the output would be -5"},
    {V4, .inputs = {INPUTS(AT_MOST(2147483647), 0.5, 0)}, .outputs = {INDICES(1, 0), COUNT(0)},
     .message = "needs 8589934588 bytes"},
    {V4, .inputs = {SHAPED(Float32, DIMS(6, 5)), SCORES, AT_MOST(1), NUMBER(0.5), NUMBER(0)},
     .outputs = {INDICES(1, 0), COUNT(0)}, .message = "6 boxes of 5 coordinates, and 6 scores"},
    {V4, .inputs = {SHAPED(Float32, DIMS(7, 4)), SCORES, AT_MOST(1), NUMBER(0.5), NUMBER(0)},
     .outputs = {INDICES(1, 0), COUNT(0)}, .message = "7 boxes of 4 coordinates, and 6 scores"},
    {V4, .inputs = {SCORES, SCORES, AT_MOST(1), NUMBER(0.5), NUMBER(0)}, .outputs = {INDICES(1, 0), COUNT(0)},
     .message = "boxes of 1 dimensions, expected 2"},
    {V4, .inputs = {BOXES, SCORES, AT_MOST(1), NUMBERS(Float32, DIMS(1), 0), NUMBER(0)},
     .outputs = {INDICES(1, 0), COUNT(0)}, .message = "IoU threshold of 1 dimensions, expected 0"},
    {V5, .inputs = {INPUTS(AT_MOST(1), 0.5, 0), NUMBER(-0.5)},
     .outputs = {INDICES(1, 0), SHAPED(Float32, DIMS(1)), COUNT(0)},
     .message = "NON_MAX_SUPPRESSION_V5: a sigma of -0.5"},
    {V5, .inputs = {INPUTS(AT_MOST(1), 0.5, 0), NUMBER(0)}, .outputs = {INDICES(1, 0), COUNT(0)},
     .message = "NON_MAX_SUPPRESSION_V5"},
};

static void boxes_and_errors(void** state) {
    (void)state;
    NODE_CHECK(cases, NULL);
}

static void on_opencl(void** state) {
    (void)state;
    node_check_opencl(cases, sizeof cases / sizeof cases[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_and_errors), cmocka_unit_test(on_opencl)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
