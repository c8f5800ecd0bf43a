// SPDX-License-Identifier: Apache-2.0
// Subgraphs that list -1 among their inputs: converters write it for an input that nothing uses.
#include <string.h>

#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/api/cmocka_setup.h"
#include "tests/api/program.h"

static const TfLiteAddParams kAdd = {.activation = kTfLiteActNone};

// The second input is absent.
static ModelBuilder* sum(void) {
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 2), y = float_tensor(b, 2), z = float_tensor(b, 2);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, y), INTS(z), &kAdd);
    set_io(b, INTS(x, kTfLiteOptionalTensor, y), INTS(z));
    return b;
}

static void absent_inputs_are_counted(void** state) {
    (void)state;
    Program p;
    program_open(&p, sum(), NULL);
    assert_int_equal(TfLiteInterpreterGetInputTensorCount(p.interpreter), 3);
    assert_int_equal(TfLiteInterpreterInputTensorIndices(p.interpreter)[1], -1);
    assert_int_equal(TfLiteInterpreterGetInputTensorIndex(p.interpreter, 1), -1);
    assert_null(TfLiteInterpreterGetInputTensor(p.interpreter, 1));
    const int dims[] = {3};
    assert_int_equal(TfLiteInterpreterResizeInputTensor(p.interpreter, 1, dims, 1), kTfLiteError);
    for (int i = 0; i < 3; i += 2) {
        assert_int_equal(TfLiteInterpreterResizeInputTensor(p.interpreter, i, dims, 1), kTfLiteOk);
    }
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    program_write(&p, 0, VALUES(1, 2, 3));
    program_write(&p, 2, VALUES(10, 20, 30));
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(11, 22, 33));
    program_close(&p);
}

// The runner of a model without signatures names the inputs that there are.
static void absent_inputs_have_no_name(void** state) {
    (void)state;
    Program p;
    program_open(&p, sum(), NULL);
    TfLiteSignatureRunner* runner = TfLiteInterpreterGetSignatureRunner(p.interpreter, NULL);
    assert_int_equal(TfLiteSignatureRunnerGetInputCount(runner), 2);
    assert_string_equal(TfLiteSignatureRunnerGetInputName(runner, 0), "t0");
    assert_string_equal(TfLiteSignatureRunnerGetInputName(runner, 1), "t1");
    assert_int_equal(TfLiteSignatureRunnerAllocateTensors(runner), kTfLiteOk);
    tensor_write(TfLiteSignatureRunnerGetInputTensor(runner, "t0"), VALUES(1, 2));
    tensor_write(TfLiteSignatureRunnerGetInputTensor(runner, "t1"), VALUES(3, 4));
    assert_int_equal(TfLiteSignatureRunnerInvoke(runner), kTfLiteOk);
    tensor_expect(TfLiteSignatureRunnerGetOutputTensor(runner, "t2"), VALUES(4, 6));
    TfLiteSignatureRunnerDelete(runner);
    program_close(&p);
}

// x + x, of arguments x and y.
static void doubled(ModelBuilder* b, BuilderInts inputs, int read) {
    builder_subgraph(b, "branch");
    const int x = float_tensor(b, 2), y = float_tensor(b, 2), z = float_tensor(b, 2);
    assert_true(x == 0 && y == 1);
    add_node(b, kTfLiteBuiltinAdd, INTS(read, read), INTS(z), &kAdd);
    set_io(b, inputs, INTS(z));
}

static void nothing_is_passed_to_an_absent_input(void** state) {
    (void)state;
    static const TfLiteIfParams params = {1, 2};
    ModelBuilder* b = builder_create();
    const int c = typed_tensor(b, kTfLiteBool, 1), x = float_tensor(b, 2), y = float_tensor(b, 3),
              z = float_tensor(b, 2);
    add_node(b, kTfLiteBuiltinIf, INTS(c, x, y), INTS(z), &params);
    set_io(b, INTS(c, x, y), INTS(z));
    doubled(b, INTS(0, -1), 0);
    doubled(b, INTS(0, -1), 0);
    Program p;
    program_open(&p, b, NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    for (int i = 0; i < 2; i++) {
        const bool chosen = i == 0;
        TfLiteTensor* condition = TfLiteInterpreterGetInputTensor(p.interpreter, 0);
        assert_int_equal(TfLiteTensorCopyFromBuffer(condition, &chosen, sizeof chosen), kTfLiteOk);
        program_write(&p, 1, VALUES(3, 4));
        assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
        program_expect(&p, 0, VALUES(6, 8));
    }
    program_close(&p);
}

// WHILE (y, x < 3): the body doubles x and gives y as it is; only the body's or the condition's y is absent.
static ModelBuilder* loop(BuilderInts condition_inputs, BuilderInts body_inputs) {
    static const TfLiteWhileParams params = {1, 2};
    static const float three[] = {3};
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 1), y = float_tensor(b, 1), u = float_tensor(b, 1), v = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinWhile, INTS(x, y), INTS(u, v), &params);
    set_io(b, INTS(x, y), INTS(u, v));
    builder_subgraph(b, "condition");
    const int a = float_tensor(b, 1), most = (float_tensor(b, 1), float_constant(b, 1, three)),
              holds = typed_tensor(b, kTfLiteBool, 1);
    add_node(b, kTfLiteBuiltinLess, INTS(a, most), INTS(holds), NULL);
    set_io(b, condition_inputs, INTS(holds));
    builder_subgraph(b, "body");
    const int from = float_tensor(b, 1);
    (void)float_tensor(b, 1);
    const int to = float_tensor(b, 1), other = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinAdd, INTS(from, from), INTS(to), &kAdd);
    add_node(b, kTfLiteBuiltinAdd, INTS(from, from), INTS(other), &kAdd);
    set_io(b, body_inputs, INTS(to, other));
    return b;
}

static void loops_may_ignore_a_value(void** state) {
    (void)state;
    Program p;
    program_open(&p, loop(INTS(0, 1), INTS(0, -1)), NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    program_write(&p, 0, VALUES(1));
    program_write(&p, 1, VALUES(9));
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(4));
    program_expect(&p, 1, VALUES(4));
    program_close(&p);
    // The condition's inputs are where the values are from round to round.
    program_open(&p, loop(INTS(0, -1), INTS(0, 1)), NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteError);
    program_expect_message(&p, "WHILE: tensor 1 is absent");
    program_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absent_inputs_are_counted),
        cmocka_unit_test(absent_inputs_have_no_name),
        cmocka_unit_test(nothing_is_passed_to_an_absent_input),
        cmocka_unit_test(loops_may_ignore_a_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
