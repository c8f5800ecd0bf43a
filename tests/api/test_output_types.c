// SPDX-License-Identifier: Apache-2.0
// Outputs whose type in the model is not what their operator gives: most operators set it, as LiteRT's do in
// prepare.
#include <string.h>

#include "tests/api/cmocka_setup.h"
#include "tests/api/program.h"

static const TfLiteAddParams kAdd = {.activation = kTfLiteActNone};

static int quantized(ModelBuilder* b, TfLiteType type, float scale, int zero_point) {
    return builder_tensor(
        b, (BuilderTensor){.type = type, .rank = 1, .dims = {4}, .scale = scale, .zero_point = zero_point});
}

// z = (x + x) + (x + x) of INT8, whose sums are declared as another type: 5 becomes 7.
static ModelBuilder* sums(TfLiteType type) {
    ModelBuilder* b = builder_create();
    const int x = quantized(b, kTfLiteInt8, 0.5f, 1), y = quantized(b, type, 1.0f, -2),
              z = quantized(b, type, 2.0f, 3);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, x), INTS(y), &kAdd);
    add_node(b, kTfLiteBuiltinAdd, INTS(y, y), INTS(z), &kAdd);
    set_io(b, INTS(x), INTS(z));
    return b;
}

static void expect_sums(const Program* p, int count) {
    int8_t values[8];
    memset(values, 5, sizeof values);
    TfLiteTensor* x = TfLiteInterpreterGetInputTensor(p->interpreter, 0);
    assert_int_equal(TfLiteTensorCopyFromBuffer(x, values, (size_t)count), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(p->interpreter), kTfLiteOk);
    const TfLiteTensor* z = TfLiteInterpreterGetOutputTensor(p->interpreter, 0);
    assert_int_equal(TfLiteTensorType(z), kTfLiteInt8);
    assert_int_equal(TfLiteTensorByteSize(z), count);
    assert_int_equal(TfLiteTensorCopyToBuffer(z, values, (size_t)count), kTfLiteOk);
    for (int i = 0; i < count; i++) assert_int_equal(values[i], 7);
}

static void operators_set_the_types_of_their_outputs(void** state) {
    (void)state;
    static const TfLiteType declared[] = {kTfLiteFloat32, kTfLiteComplex128, kTfLiteBool,
                                          kTfLiteString,  kTfLiteResource,   kTfLiteInt8};
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++) {
        Program p;
        program_open(&p, sums(declared[i]), NULL);
        const TfLiteTensor* z = TfLiteInterpreterGetOutputTensor(p.interpreter, 0);
        assert_int_equal(TfLiteTensorType(z), declared[i]); // until it is allocated
        for (int count = 4; count <= 8; count += 2) {
            assert_int_equal(TfLiteInterpreterResizeInputTensor(p.interpreter, 0, &count, 1), kTfLiteOk);
            assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
            assert_int_equal(TfLiteTensorType(TfLiteInterpreterGetTensor(p.interpreter, 1)), kTfLiteInt8);
            expect_sums(&p, count);
        }
        program_close(&p);
    }
}

static void expect_refused(ModelBuilder* b, const char* message) {
    Program p;
    program_open(&p, b, NULL);
    for (int i = 0; i < 2; i++) { // another try changes nothing
        assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteError);
        program_expect_message(&p, message);
    }
    program_close(&p);
}

// One operator of x[4].
static ModelBuilder* one(TfLiteBuiltinOperator code, TfLiteType input, TfLiteType output) {
    ModelBuilder* b = builder_create();
    const int x = typed_tensor(b, input, 4), y = typed_tensor(b, output, 4);
    add_node(b, code, INTS(x), INTS(y), NULL);
    set_io(b, INTS(x), INTS(y));
    return b;
}

static void others_refuse_another_type(void** state) {
    (void)state;
    expect_refused(one(kTfLiteBuiltinAbs, kTfLiteFloat32, kTfLiteInt32),
                   "ABS: output has type INT32, expected FLOAT32");
    // LiteRT writes 16 bytes of FLOAT32 into 4.
    expect_refused(one(kTfLiteBuiltinSqueeze, kTfLiteFloat32, kTfLiteInt8),
                   "element types FLOAT32 and INT8 differ");
    // What it sets is not what the next operator takes.
    ModelBuilder* b = builder_create();
    const int x = typed_tensor(b, kTfLiteInt32, 4), y = float_tensor(b, 4), z = float_tensor(b, 4);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, x), INTS(y), &kAdd);
    add_node(b, kTfLiteBuiltinFloor, INTS(y), INTS(z), NULL);
    set_io(b, INTS(x), INTS(z));
    expect_refused(b, "INT32");
}

// The program writes y, which it was told is FLOAT32.
static void an_input_of_the_graph_keeps_its_type(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    const int x = typed_tensor(b, kTfLiteInt32, 4), y = float_tensor(b, 4);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, x), INTS(y), &kAdd);
    set_io(b, INTS(x, y), INTS(y));
    expect_refused(b, "output 0 (tensor 1) is INT32, but");
}

static void memory_of_the_program_has_to_suffice(void** state) {
    (void)state;
    _Alignas(64) static char memory[128];
    const TfLiteCustomAllocation allocation = {memory, 4}; // enough for BOOL
    Program p;
    program_open(&p, one(kTfLiteBuiltinFloor, kTfLiteFloat32, kTfLiteBool), NULL);
    assert_int_equal(TfLiteInterpreterSetCustomAllocationForTensor(p.interpreter, 1, &allocation, 0),
                     kTfLiteOk);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteError);
    program_expect_message(&p, "Custom allocation is too small");
    const TfLiteCustomAllocation larger = {memory, sizeof memory};
    assert_int_equal(TfLiteInterpreterSetCustomAllocationForTensor(p.interpreter, 1, &larger, 0), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    program_write(&p, 0, VALUES(1.5f, 2.5f, -0.5f, 4));
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(1, 2, -1, 4));
    program_close(&p);
}

// A user's operator may give its output another type each time.
static TfLiteType next_type;

static TfLiteStatus prepare_typed(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
    ((TfLiteTensor*)(void*)output)->type = next_type;
    TfLiteOpaqueTensorSetAllocationTypeToDynamic(output);
    return prepare_same_shape(context, node);
}

static void memory_follows_the_type(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 4), y = float_tensor(b, 4);
    add_custom(b, "Typed", INTS(x), INTS(y));
    set_io(b, INTS(x), INTS(y));
    Program p;
    program_open(&p, b, options_with(make_operator("Typed", prepare_typed, prepare_nothing)));
    static const TfLiteType types[] = {kTfLiteFloat32, kTfLiteFloat64, kTfLiteInt8};
    static const size_t bytes[] = {16, 32, 4};
    for (int i = 0; i < 3; i++) {
        const int count = 4, other = 3;
        next_type = types[i];
        // The same dimensions in the end, with a preparation of their own.
        assert_int_equal(TfLiteInterpreterResizeInputTensor(p.interpreter, 0, &other, 1), kTfLiteOk);
        assert_int_equal(TfLiteInterpreterResizeInputTensor(p.interpreter, 0, &count, 1), kTfLiteOk);
        assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
        assert_int_equal(TfLiteTensorByteSize(TfLiteInterpreterGetOutputTensor(p.interpreter, 0)), bytes[i]);
    }
    program_close(&p);
}

// IF of INT32 with one branch, x + x, that declares its tensors as FLOAT32.
static ModelBuilder* branch_of_floats(TfLiteType output) {
    static const TfLiteIfParams params = {1, 1};
    ModelBuilder* b = builder_create();
    const int c = typed_tensor(b, kTfLiteBool, 1), x = typed_tensor(b, kTfLiteInt32, 4),
              y = typed_tensor(b, output, 4);
    add_node(b, kTfLiteBuiltinIf, INTS(c, x), INTS(y), &params);
    set_io(b, INTS(c, x), INTS(y));
    builder_subgraph(b, "branch");
    const int u = float_tensor(b, 4), v = float_tensor(b, 4);
    add_node(b, kTfLiteBuiltinAdd, INTS(u, u), INTS(v), &kAdd);
    set_io(b, INTS(u), INTS(v));
    return b;
}

static void subgraphs_take_the_types_of_arguments(void** state) {
    (void)state;
    Program p;
    program_open(&p, branch_of_floats(kTfLiteInt32), NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    static const int32_t given[] = {1, -2, 30000000, 4};
    const bool yes = true;
    int32_t values[4];
    assert_int_equal(TfLiteTensorCopyFromBuffer(TfLiteInterpreterGetInputTensor(p.interpreter, 0), &yes, 1),
                     kTfLiteOk);
    assert_int_equal(
        TfLiteTensorCopyFromBuffer(TfLiteInterpreterGetInputTensor(p.interpreter, 1), given, sizeof given),
        kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    assert_int_equal(
        TfLiteTensorCopyToBuffer(TfLiteInterpreterGetOutputTensor(p.interpreter, 0), values, sizeof values),
        kTfLiteOk);
    for (int i = 0; i < 4; i++) assert_int_equal(values[i], 2 * given[i]);
    program_close(&p);
    expect_refused(branch_of_floats(kTfLiteFloat32),
                   "IF: tensor 0 is of type INT32 on one side and FLOAT32 on the other");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_set_the_types_of_their_outputs),
        cmocka_unit_test(others_refuse_another_type),
        cmocka_unit_test(an_input_of_the_graph_keeps_its_type),
        cmocka_unit_test(memory_of_the_program_has_to_suffice),
        cmocka_unit_test(memory_follows_the_type),
        cmocka_unit_test(subgraphs_take_the_types_of_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
