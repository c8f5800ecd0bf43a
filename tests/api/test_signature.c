// SPDX-License-Identifier: Apache-2.0
// Signature runners: several entries of one model, by name.
#include "tests/api/cmocka_setup.h"
#include "tests/api/program.h"

static const TfLiteAddParams kAdd = {.activation = kTfLiteActNone};
static const TfLiteMulParams kMul = {.activation = kTfLiteActNone};

// Subgraph 0: zz + aa. Subgraph 1: x * x, and x itself. "sum", "late" and "rest" are signatures.
static ModelBuilder* two_graphs(void) {
    ModelBuilder* b = builder_create();
    const int a = open_tensor(b, 1), c = open_tensor(b, 1), sum = open_tensor(b, 1);
    add_node(b, kTfLiteBuiltinAdd, INTS(a, c), INTS(sum), &kAdd);
    set_io(b, INTS(a, c), INTS(sum));
    builder_signature(b, "sum", 0, (BuilderNames){2, {{"zz", a}, {"aa", c}}},
                      (BuilderNames){1, {{"out", sum}}});
    builder_subgraph(b, "square");
    const int x = open_tensor(b, 2), square = open_tensor(b, 2);
    add_node(b, kTfLiteBuiltinMul, INTS(x, x), INTS(square), &kMul);
    set_io(b, INTS(x), INTS(square, x));
    builder_signature(b, "square", 1, (BuilderNames){1, {{"x", x}}},
                      (BuilderNames){2, {{"square", square}, {"same", x}}});
    return b;
}

static TfLiteSignatureRunner* runner_of(Program* p, const char* key) {
    TfLiteSignatureRunner* runner = TfLiteInterpreterGetSignatureRunner(p->interpreter, key);
    assert_non_null(runner);
    return runner;
}

static TfLiteStatus resize(TfLiteSignatureRunner* runner, const char* name, int count) {
    return TfLiteSignatureRunnerResizeInputTensor(runner, name, &count, 1);
}

static void names_are_sorted_and_looked_up(void** state) {
    (void)state;
    Program p;
    program_open(&p, two_graphs(), NULL);
    assert_int_equal(TfLiteInterpreterGetSignatureCount(p.interpreter), 2);
    assert_string_equal(TfLiteInterpreterGetSignatureKey(p.interpreter, 0), "sum");
    assert_string_equal(TfLiteInterpreterGetSignatureKey(p.interpreter, 1), "square");
    assert_null(TfLiteInterpreterGetSignatureKey(p.interpreter, 2));
    assert_null(TfLiteInterpreterGetSignatureKey(p.interpreter, -1));
    assert_null(TfLiteInterpreterGetSignatureRunner(p.interpreter, "SUM"));
    program_expect_message(&p, "there is no signature 'SUM'");
    TfLiteSignatureRunner* sum = runner_of(&p, "sum");
    assert_int_equal(TfLiteSignatureRunnerGetInputCount(sum), 2);
    assert_string_equal(TfLiteSignatureRunnerGetInputName(sum, 0), "aa");
    assert_string_equal(TfLiteSignatureRunnerGetInputName(sum, 1), "zz");
    assert_null(TfLiteSignatureRunnerGetInputName(sum, 2));
    assert_ptr_equal(TfLiteSignatureRunnerGetInputTensor(sum, "zz"),
                     TfLiteInterpreterGetInputTensor(p.interpreter, 0));
    assert_null(TfLiteSignatureRunnerGetInputTensor(sum, "out"));
    program_expect_message(&p, "Input name out was not found");
    assert_null(TfLiteSignatureRunnerGetOutputTensor(sum, "aa"));
    program_expect_message(&p, "Output name aa was not found");
    assert_int_equal(resize(sum, "a", 3), kTfLiteError);
    program_expect_message(&p, "Input name a was not found");
    TfLiteSignatureRunnerDelete(sum);
    program_close(&p);
}

static void graphs_are_independent(void** state) {
    (void)state;
    Program p;
    program_open(&p, two_graphs(), NULL);
    TfLiteSignatureRunner* sum = runner_of(&p, "sum");
    TfLiteSignatureRunner* square = runner_of(&p, "square");
    assert_int_equal(resize(sum, "aa", 2), kTfLiteOk);
    assert_int_equal(resize(sum, "zz", 2), kTfLiteOk);
    assert_int_equal(TfLiteSignatureRunnerAllocateTensors(sum), kTfLiteOk);
    assert_int_equal(TfLiteSignatureRunnerInvoke(square), kTfLiteError); // that one is not allocated
    program_expect_message(&p, "Invoke called on model that is not ready.");
    assert_int_equal(resize(square, "x", 3), kTfLiteOk);
    assert_int_equal(TfLiteSignatureRunnerAllocateTensors(square), kTfLiteOk);
    tensor_write(TfLiteSignatureRunnerGetInputTensor(sum, "aa"), VALUES(1, 2));
    tensor_write(TfLiteSignatureRunnerGetInputTensor(sum, "zz"), VALUES(10, 20));
    tensor_write(TfLiteSignatureRunnerGetInputTensor(square, "x"), VALUES(2, 3, 4));
    assert_int_equal(TfLiteSignatureRunnerInvoke(square), kTfLiteOk);
    assert_int_equal(TfLiteSignatureRunnerInvoke(sum), kTfLiteOk);
    tensor_expect(TfLiteSignatureRunnerGetOutputTensor(sum, "out"), VALUES(11, 22));
    tensor_expect(TfLiteSignatureRunnerGetOutputTensor(square, "square"), VALUES(4, 9, 16));
    // The main graph is that of "sum".
    program_write(&p, 0, VALUES(5, 5));
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(6, 7));
    TfLiteSignatureRunnerDelete(sum);
    TfLiteSignatureRunnerDelete(square);
    program_close(&p);
}

static void a_tensor_may_be_input_and_output(void** state) {
    (void)state;
    Program p;
    program_open(&p, two_graphs(), NULL);
    TfLiteSignatureRunner* square = runner_of(&p, "square");
    assert_int_equal(TfLiteSignatureRunnerAllocateTensors(square), kTfLiteOk);
    TfLiteTensor* x = TfLiteSignatureRunnerGetInputTensor(square, "x");
    assert_ptr_equal(x, TfLiteSignatureRunnerGetOutputTensor(square, "same"));
    tensor_write(x, VALUES(-1, 7));
    assert_int_equal(TfLiteSignatureRunnerInvoke(square), kTfLiteOk);
    tensor_expect(TfLiteSignatureRunnerGetOutputTensor(square, "same"), VALUES(-1, 7));
    TfLiteSignatureRunnerDelete(square);
    program_close(&p);
}

// Two signatures of one graph: inputs and outputs are the same tensors.
static void signatures_may_share_a_graph(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    const int x = open_tensor(b, 2), sum = open_tensor(b, 2), square = open_tensor(b, 2);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, x), INTS(sum), &kAdd);
    add_node(b, kTfLiteBuiltinMul, INTS(x, x), INTS(square), &kMul);
    set_io(b, INTS(x), INTS(sum, square));
    builder_signature(b, "twice", 0, (BuilderNames){1, {{"x", x}}}, (BuilderNames){1, {{"y", sum}}});
    builder_signature(b, "square", 0, (BuilderNames){1, {{"value", x}}}, (BuilderNames){1, {{"y", square}}});
    Program p;
    program_open(&p, b, NULL);
    TfLiteSignatureRunner* twice = runner_of(&p, "twice");
    TfLiteSignatureRunner* other = runner_of(&p, "square");
    assert_int_equal(TfLiteSignatureRunnerAllocateTensors(twice), kTfLiteOk);
    tensor_write(TfLiteSignatureRunnerGetInputTensor(other, "value"), VALUES(3, 4));
    assert_int_equal(TfLiteSignatureRunnerInvoke(twice), kTfLiteOk);
    tensor_expect(TfLiteSignatureRunnerGetOutputTensor(twice, "y"), VALUES(6, 8));
    tensor_expect(TfLiteSignatureRunnerGetOutputTensor(other, "y"), VALUES(9, 16));
    TfLiteSignatureRunnerDelete(twice);
    TfLiteSignatureRunnerDelete(other);
    program_close(&p);
}

// Of the dimensions only those that the signature leaves open can be resized, whatever the interpreter
// allows.
static void runners_resize_strictly(void** state) {
    (void)state;
    static const int32_t signature[] = {-1, 2};
    const BuilderTensor shape = {.type = kTfLiteFloat32, .rank = 2, .dims = {1, 2}, .signature = signature};
    ModelBuilder* b = builder_create();
    const int x = builder_tensor(b, shape), y = builder_tensor(b, shape), fixed = float_tensor(b, 3);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, x), INTS(y), &kAdd);
    set_io(b, INTS(x, fixed), INTS(y));
    builder_signature(b, "f", 0, (BuilderNames){2, {{"x", x}, {"fixed", fixed}}},
                      (BuilderNames){1, {{"y", y}}});
    Program p;
    program_open(&p, b, NULL);
    TfLiteSignatureRunner* f = runner_of(&p, "f");
    const int good[] = {4, 2}, wide[] = {4, 3}, flat[] = {8}, negative[] = {-1, 2};
    assert_int_equal(TfLiteSignatureRunnerResizeInputTensor(f, "x", good, 2), kTfLiteOk);
    assert_int_equal(TfLiteSignatureRunnerResizeInputTensor(f, "x", wide, 2), kTfLiteError);
    program_expect_message(&p, "Attempting to resize dimension 1 of tensor 0 with value 2 to 3. "
                               "ResizeInputTensorStrict only allows mutating unknown dimensions identified "
                               "by -1.");
    assert_int_equal(TfLiteSignatureRunnerResizeInputTensor(f, "x", flat, 1), kTfLiteError);
    assert_int_equal(TfLiteSignatureRunnerResizeInputTensor(f, "x", negative, 2), kTfLiteError);
    assert_int_equal(TfLiteSignatureRunnerResizeInputTensor(f, "x", NULL, 2), kTfLiteError);
    assert_int_equal(resize(f, "fixed", 4), kTfLiteError);
    assert_int_equal(resize(f, "fixed", 3), kTfLiteOk);
    assert_int_equal(TfLiteSignatureRunnerAllocateTensors(f), kTfLiteOk);
    const TfLiteTensor* result = TfLiteSignatureRunnerGetOutputTensor(f, "y");
    assert_int_equal(TfLiteTensorDim(result, 0), 4);
    int32_t length;
    const TfLiteOpaqueTensor* opaque = (const TfLiteOpaqueTensor*)result;
    assert_int_equal(TfLiteOpaqueTensorGetNumDimsSignature(opaque, &length), kTfLiteOk);
    assert_int_equal(length, 2);
    assert_int_equal(TfLiteOpaqueTensorGetDimSignature(opaque, 0, &length), kTfLiteOk);
    assert_int_equal(length, -1); // resizing leaves it as the model has it
    assert_int_equal(TfLiteInterpreterResizeInputTensor(p.interpreter, 0, flat, 1), kTfLiteOk);
    TfLiteSignatureRunnerDelete(f);
    program_close(&p);
}

static void the_default_is_a_signature_of_the_main_graph(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    const int x = open_tensor(b, 1);
    set_io(b, INTS(x), INTS(x));
    builder_subgraph(b, "other");
    const int y = open_tensor(b, 1);
    set_io(b, INTS(y), INTS(y));
    builder_signature(b, "other", 1, (BuilderNames){1, {{"y", y}}}, (BuilderNames){1, {{"z", y}}});
    builder_signature(b, "main", 0, (BuilderNames){1, {{"x", x}}}, (BuilderNames){1, {{"z", x}}});
    Program p;
    program_open(&p, b, NULL);
    TfLiteSignatureRunner* runner = runner_of(&p, NULL);
    assert_string_equal(TfLiteSignatureRunnerGetInputName(runner, 0), "x");
    TfLiteSignatureRunnerDelete(runner);
    program_close(&p);

    b = builder_create();
    float_tensor(b, 1);
    builder_subgraph(b, "other");
    const int only = float_tensor(b, 1);
    set_io(b, INTS(only), INTS(only));
    builder_signature(b, "other", 1, (BuilderNames){1, {{"y", only}}}, (BuilderNames){1, {{"z", only}}});
    program_open(&p, b, NULL);
    assert_null(TfLiteInterpreterGetSignatureRunner(p.interpreter, NULL));
    program_expect_message(&p, "The model has signature def but none of those points to primary subgraph.");
    program_close(&p);
}

// Without signatures the tensors' names serve, or their positions.
static void a_model_without_signatures_has_a_default_one(void** state) {
    (void)state;
    const BuilderTensor named = {.name = "named", .type = kTfLiteFloat32, .rank = 1, .dims = {1}};
    const BuilderTensor nameless = {.name = "", .type = kTfLiteFloat32, .rank = 1, .dims = {1}};
    ModelBuilder* b = builder_create();
    const int x = builder_tensor(b, named), y = builder_tensor(b, nameless), z = builder_tensor(b, nameless);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, y), INTS(z), &kAdd);
    set_io(b, INTS(x, y), INTS(z));
    Program p;
    program_open(&p, b, NULL);
    assert_int_equal(TfLiteInterpreterGetSignatureCount(p.interpreter), 0);
    assert_null(TfLiteInterpreterGetSignatureRunner(p.interpreter, "main"));
    TfLiteSignatureRunner* runner = runner_of(&p, NULL);
    assert_int_equal(TfLiteSignatureRunnerGetInputCount(runner), 2);
    assert_string_equal(TfLiteSignatureRunnerGetInputName(runner, 0), "input1");
    assert_string_equal(TfLiteSignatureRunnerGetInputName(runner, 1), "named");
    assert_int_equal(TfLiteSignatureRunnerAllocateTensors(runner), kTfLiteOk);
    tensor_write(TfLiteSignatureRunnerGetInputTensor(runner, "named"), VALUES(1));
    tensor_write(TfLiteSignatureRunnerGetInputTensor(runner, "input1"), VALUES(2));
    assert_int_equal(TfLiteSignatureRunnerInvoke(runner), kTfLiteOk);
    tensor_expect(TfLiteSignatureRunnerGetOutputTensor(runner, "output0"), VALUES(3));
    TfLiteSignatureRunnerDelete(runner);
    program_close(&p);
}

static void of_equal_names_the_last_counts(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 1), y = float_tensor(b, 2);
    set_io(b, INTS(x, y), INTS(x));
    builder_signature(b, "f", 0, (BuilderNames){3, {{"v", x}, {"u", x}, {"v", y}}},
                      (BuilderNames){1, {{"w", x}}});
    Program p;
    program_open(&p, b, NULL);
    TfLiteSignatureRunner* f = runner_of(&p, "f");
    assert_int_equal(TfLiteSignatureRunnerGetInputCount(f), 2);
    assert_ptr_equal(TfLiteSignatureRunnerGetInputTensor(f, "v"),
                     TfLiteInterpreterGetTensor(p.interpreter, y));
    TfLiteSignatureRunnerDelete(f);
    program_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_sorted_and_looked_up),
        cmocka_unit_test(graphs_are_independent),
        cmocka_unit_test(a_tensor_may_be_input_and_output),
        cmocka_unit_test(signatures_may_share_a_graph),
        cmocka_unit_test(runners_resize_strictly),
        cmocka_unit_test(the_default_is_a_signature_of_the_main_graph),
        cmocka_unit_test(a_model_without_signatures_has_a_default_one),
        cmocka_unit_test(of_equal_names_the_last_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
