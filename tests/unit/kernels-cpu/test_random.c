// SPDX-License-Identifier: Apache-2.0
// RANDOM_UNIFORM, RANDOM_STANDARD_NORMAL and MULTINOMIAL: the reference's numbers for given seeds, from one
// invoke to the next, and others without seeds.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/node_case.h"

#define SEEDS(...)                                                                                           \
    .params = &(const TfLiteRandomParams) {                                                                  \
        __VA_ARGS__                                                                                          \
    }
#define UNIFORM .code = kTfLiteBuiltinRandomUniform, SEEDS(1, 2)
#define NORMAL .code = kTfLiteBuiltinRandomStandardNormal, SEEDS(1, 2)
#define MULTINOMIAL .code = kTfLiteBuiltinMultinomial, SEEDS(1, 2)
#define SHAPE(...)                                                                                           \
    CONSTANT(Int32, .rank = 1 COMMA_.dims = {sizeof((int[]){__VA_ARGS__}) / sizeof(int)}, __VA_ARGS__)
#define LOGITS NUMBERS(Float32, DIMS(2, 3), 0, 1, 2, 2, 0, -INFINITY)
#define SAMPLES(n) CONSTANT(Int32, SCALAR, n)
#define OUT SHAPED(Float32, DIMS(6))
#define CLASSES SHAPED(Int64, DIMS(2, 7))

#define FIRST 0.40639675, 0.8575996, 0.05539584, 0.08587229, 0.4121536, 0.03663087

static const NodeCase cases[] = {
    {UNIFORM, .inputs = {SHAPE(6)}, .outputs = {NUMBERS(Float32, DIMS(6), FIRST)}},
    {UNIFORM, .inputs = {SHAPE(2, 3)}, .outputs = {NUMBERS(Float32, DIMS(2, 3), FIRST)}},
    {UNIFORM, .inputs = {NUMBERS(Int32, DIMS(2), 1, 6)}, .outputs = {NUMBERS(Float32, DIMS(1, 6), FIRST)}},
    {UNIFORM, .inputs = {SHAPE(3, 0)}, .outputs = {SHAPED(Float32, DIMS(3, 0))}},
    {NORMAL, .inputs = {SHAPE(5)},
     .outputs = {NUMBERS(Float32, DIMS(5), -1.0467793, 0.8397046, 1.2358364, 2.0637853, 0.3037427)}},
    {MULTINOMIAL, .inputs = {LOGITS, SAMPLES(7)},
     .outputs = {NUMBERS(Int64, DIMS(2, 7), 1, 2, 1, 1, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0)}},
    {MULTINOMIAL, .inputs = {LOGITS, NUMBERS(Int32, SCALAR, 7)},
     .outputs = {NUMBERS(Int32, DIMS(2, 7), 1, 2, 1, 1, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0)}},
    {MULTINOMIAL, .inputs = {LOGITS, SAMPLES(0)}, .outputs = {SHAPED(Int64, DIMS(2, 0))}},
    // Without seeds nobody can tell; that it is the same numbers is too unlikely.
    {.code = kTfLiteBuiltinRandomUniform,
     SEEDS(0, 0),
     .inputs = {SHAPE(6)},
     .outputs = {{.type = kTfLiteFloat32, DIMS(6), .numbers = (const double[]){FIRST}, .differs = true}}},
    // What makes no sense.
    {UNIFORM, .inputs = {SHAPE(2, -1)}, .outputs = {OUT},
     .message = "RANDOM_UNIFORM: dimension 1 of the output would be -1"},
    {UNIFORM, .inputs = {SHAPE(1 << 30, 1 << 30)}, .outputs = {OUT}, .message = "would be too large"},
    {UNIFORM, .inputs = {CONSTANT(Int32, SCALAR, 2)}, .outputs = {OUT}, .message = "shape has 0 dimensions"},
    {UNIFORM, .inputs = {NUMBERS(Int64, DIMS(1), 2)}, .outputs = {OUT}, .message = "shape of type INT64"},
    {UNIFORM, .inputs = {SHAPE(2)}, .outputs = {SHAPED(Int32, DIMS(2))}, .message = "output of type INT32"},
    {NORMAL, .inputs = {SHAPE(-7)}, .outputs = {OUT},
     .message = "RANDOM_STANDARD_NORMAL: dimension 0 of the output would be -7"},
    {MULTINOMIAL, .inputs = {LOGITS, SAMPLES(-1)}, .outputs = {CLASSES},
     .message = "MULTINOMIAL: dimension 1 of the output would be -1"},
    {MULTINOMIAL, .inputs = {SHAPED(Float32, DIMS(3)), SAMPLES(1)}, .outputs = {CLASSES},
     .message = "logits and number of samples of 1 and 0 dimensions"},
    {MULTINOMIAL, .inputs = {LOGITS, CONSTANT(Int32, DIMS(1), 1)}, .outputs = {CLASSES},
     .message = "of 2 and 1 dimensions, expected 2 and 0"},
    {MULTINOMIAL, .inputs = {SHAPED(Float32, DIMS(2, 0)), SAMPLES(1)}, .outputs = {CLASSES},
     .message = "logits of 0 classes"},
    {MULTINOMIAL, .inputs = {LOGITS, SAMPLES(1)}, .outputs = {OUT},
     .message = "MULTINOMIAL: output of type FLOAT32"},
};

static void numbers_and_errors(void** state) {
    (void)state;
    NODE_CHECK(cases, NULL);
}

static const NodeValue second =
    NUMBERS(Float32, DIMS(6), 0.8690897, 0.04222715, 0.35364604, 0.23803174, 0.06833863, 0.4921664);
static const NodeValue second_classes = NUMBERS(Int64, DIMS(2, 7), 2, 1, 1, 1, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0);

// A further invoke goes on; one after an allocation begins anew.
static void check_state(NodeSetup setup) {
    const struct {
        const NodeCase* node;
        const NodeValue* second;
    } runs[] = {{&cases[0], &second}, {&cases[5], &second_classes}};
    for (int i = 0; i < 2; i++) {
        NodeRun run;
        node_open(&run, runs[i].node, setup);
        assert_int_equal(node_invoke(&run, runs[i].node), kTfLiteOk);
        node_expect(&run, 0, &runs[i].node->outputs[0]);
        assert_int_equal(TfLiteInterpreterInvoke(run.interpreter), kTfLiteOk);
        node_expect(&run, 0, runs[i].second);
        node_close(&run);
    }
    NodeRun run;
    const NodeCase* logits = &cases[5];
    node_open(&run, logits, setup);
    assert_int_equal(node_invoke(&run, logits), kTfLiteOk);
    for (int rows = 1; rows <= 2; rows++) {
        assert_int_equal(TfLiteInterpreterResizeInputTensor(run.interpreter, 0, (int[]){rows, 3}, 2),
                         kTfLiteOk);
        assert_int_equal(TfLiteInterpreterAllocateTensors(run.interpreter), kTfLiteOk);
    }
    assert_int_equal(node_invoke(&run, logits), kTfLiteOk);
    node_expect(&run, 0, &logits->outputs[0]);
    node_close(&run);
}

static void numbers_go_on(void** state) {
    (void)state;
    check_state(NULL);
}

static void on_opencl(void** state) {
    (void)state;
    node_check_opencl(cases, sizeof cases / sizeof cases[0]);
}

static void state_on_opencl(void** state) {
    (void)state;
    node_require_opencl();
    check_state(node_use_opencl);
    node_release_opencl();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_errors),
        cmocka_unit_test(numbers_go_on),
        cmocka_unit_test(on_opencl),
        cmocka_unit_test(state_on_opencl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
