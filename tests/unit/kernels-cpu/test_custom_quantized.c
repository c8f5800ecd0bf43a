// SPDX-License-Identifier: Apache-2.0
// Custom operators of LiteRT's tools for quantization: NumericVerify and aeq.hadamard_rotation.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/node_case.h"

#define VERIFY(limit, fails)                                                                                 \
    .custom_name = "NumericVerify", .options = {{"tolerance", limit}, {"log_if_failed", fails}}
#define STEPS(Type, zero, ...)                                                                               \
    {                                                                                                        \
        .type = kTfLite##Type, DIMS(4), .numbers = (const double[]){__VA_ARGS__}, .scale = 0.5f,             \
        .zero_point = (zero)                                                                                 \
    }
#define REAL(...) NUMBERS(Float32, DIMS(4), __VA_ARGS__)
#define OUT SHAPED(Float32, DIMS(4))

static const NodeCase verify_cases[] = {
    {VERIFY(1, 1),
     {STEPS(UInt8, 127, 0, 1, 254, 255), REAL(-63.25, -63, 63.5, 64.25)},
     {REAL(-0.25, 0, 0, -0.25)}},
    {VERIFY(1, 1), {STEPS(Int8, -1, -128, 0, 1, 127), REAL(-63.5, 0.75, 1, 64)}, {REAL(0, -0.25, 0, 0)}},
    {VERIFY(1, 1), {STEPS(Int16, -1, -130, 0, 1, 130), REAL(-64.5, 0.5, 1, 65.5)}, {REAL(0, 0, 0, 0)}},
    // Where differences are only reported, any are.
    {VERIFY(5, 0), {STEPS(Int8, 0, 2, 2, 2, 2), REAL(-61.5, 1, 1, 1)}, {REAL(62.5, 0, 0, 0)}},
    {VERIFY(0.05, 1), {STEPS(Int8, 0, 2, 2, 2, 2), REAL(-61.5, 1, 1, 1)}, {REAL(62.5, 0, 0, 0)}},
    {.custom_name = "NumericVerify",
     .options = {{"tolerance", 0, "much"}, {"log_if_failed", 0, "yes"}},
     {STEPS(Int8, 0, 2, 2, 2, 2), REAL(0, 1, 1, 1)},
     {REAL(1, 0, 0, 0)}},
    {VERIFY(1, 1),
     {STEPS(Int8, 0, 2, 2, 2, 2), REAL(1, 1, -1, 1)},
     {OUT},
     "NumericVerify: Mismatch: element 2 is -1.000000, and 1.000000 with scale 0.500000 and zero point 0"},
    {VERIFY(1, 1), {REAL(0), REAL(0)}, {OUT}, "NumericVerify: input of type FLOAT32"},
    {VERIFY(1, 1), {STEPS(Int8, 0, 0), STEPS(Int8, 0, 0)}, {OUT}, "reference of type INT8"},
    {VERIFY(1, 1),
     {STEPS(Int8, 0, 0), SHAPED(Float32, DIMS(5))},
     {OUT},
     "the input is [4], the reference [5]"},
    {VERIFY(1, 1), {STEPS(Int8, 0, 0)}, {OUT}, "NumericVerify"},
};

static void verify(void** state) {
    (void)state;
    NODE_CHECK(verify_cases, NULL);
}

static void verify_reports(void** state) {
    (void)state;
    const NodeCase* c = &verify_cases[3];
    NodeRun run;
    node_open(&run, c, NULL);
    assert_int_equal(node_invoke(&run, c), kTfLiteOk);
    assert_non_null(strstr(run.messages,
                           "std: 27.063294, mean: 15.625000, max_diff: 62.500000 (scale: 0.500000, "
                           "zero_point: 0)."));
    node_close(&run);
}

#define HADAMARD(size) .custom_name = "aeq.hadamard_rotation", .options = {{"hadamard_size", size}}
#define LINE(n, ...) NUMBERS(Float32, DIMS(1, n), __VA_ARGS__)

static const NodeCase hadamard_cases[] = {
    {HADAMARD(4), {LINE(8, 1, 1, 1, 1, 1, 2, 3, 4)}, {LINE(8, 2, 0, 0, 0, 5, -1, -2, 0)}},
    {HADAMARD(2),
     {NUMBERS(Float32, DIMS(1, 2, 2), 3, 1, M_SQRT2, 0)},
     {NUMBERS(Float32, DIMS(1, 2, 2), 4 / M_SQRT2, M_SQRT2, 1, 1)}},
    {HADAMARD(1), {LINE(3, 1, -2, 3)}, {LINE(3, 1, -2, 3)}},
    // One fits into each row, and both lie at the beginning.
    {HADAMARD(4),
     {NUMBERS(Float32, DIMS(2, 5), 1, 1, 1, 1, 2, 2, 2, 2, 7, 8)},
     {NUMBERS(Float32, DIMS(2, 5), 2, 0, 0, 0, 4, 0, 0, 0, 7, 8)}},
    {HADAMARD(8), {LINE(3, 1, -2, 3)}, {LINE(3, 1, -2, 3)}},
    {HADAMARD(4), {SHAPED(Float32, DIMS(0, 4))}, {SHAPED(Float32, DIMS(0, 4))}},
    {HADAMARD(12),
     {LINE(3, 1, 2, 3)},
     {OUT},
     "aeq.hadamard_rotation: hadamard_size 12 is not a power of two"},
    {HADAMARD(0), {LINE(3, 1, 2, 3)}, {OUT}, "hadamard_size 0"},
    {HADAMARD(-4), {LINE(3, 1, 2, 3)}, {OUT}, "hadamard_size -4"},
    {HADAMARD(4294967296), {LINE(3, 1, 2, 3)}, {OUT}, "hadamard_size 4294967296"},
    {.custom_name = "aeq.hadamard_rotation",
     .inputs = {LINE(3, 1, 2, 3)},
     .outputs = {OUT},
     .message = "hadamard_size 0",
     .bytes = "x",
     .byte_count = 1},
    {HADAMARD(4), {REAL(0)}, {OUT}, "input of 1 dimensions, expected 2 or 3"},
    {HADAMARD(4), {SHAPED(Int32, DIMS(1, 4))}, {OUT}, "input of type INT32"},
    {HADAMARD(4), {LINE(1, 1), LINE(1, 1)}, {OUT}, "aeq.hadamard_rotation"},
};

static void hadamard(void** state) {
    (void)state;
    NODE_CHECK(hadamard_cases, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(verify), cmocka_unit_test(verify_reports),
                                       cmocka_unit_test(hadamard)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
