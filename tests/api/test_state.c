// SPDX-License-Identifier: Apache-2.0
// What outlives an inference: variables, resource variables, hash tables.
#include <string.h>

#include "tests/api/cmocka_setup.h"
#include "tests/api/program.h"

static const TfLiteAddParams kAdd = {.activation = kTfLiteActNone};

// Accumulate(x, variable): adds x to the variable and gives the sum.
static TfLiteStatus accumulate_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteOpaqueTensor* variable = TfLiteOpaqueNodeGetInput(context, node, 1);
    if (!TfLiteOpaqueTensorIsVariable(variable)) return kTfLiteError;
    const float* x = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetInput(context, node, 0));
    float* sum = TfLiteOpaqueTensorData(variable);
    float* y = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetOutput(context, node, 0));
    for (int i = 0; i < 2; i++) y[i] = sum[i] += x[i];
    return kTfLiteOk;
}

static int variable_tensor(ModelBuilder* b, TfLiteType type, float scale, int64_t zero_point) {
    return builder_tensor(b, (BuilderTensor){.type = type,
                                             .rank = 1,
                                             .dims = {2},
                                             .scale = scale,
                                             .zero_point = zero_point,
                                             .is_variable = true});
}

static void open_accumulator(Program* p) {
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 2), v = variable_tensor(b, kTfLiteFloat32, 0, 0), y = float_tensor(b, 2);
    variable_tensor(b, kTfLiteInt8, 0.5f, -3); // unused, for what a reset means
    add_custom(b, "Accumulate", INTS(x, v), INTS(y));
    set_io(b, INTS(x), INTS(y));
    program_open(p, b, options_with(make_operator("Accumulate", prepare_same_shape, accumulate_invoke)));
}

static void invoke_with(Program* p, float value, float expected) {
    program_write(p, 0, VALUES(value, value));
    assert_int_equal(TfLiteInterpreterInvoke(p->interpreter), kTfLiteOk);
    program_expect(p, 0, VALUES(expected, expected));
}

static void variables_keep_their_values(void** state) {
    (void)state;
    Program p;
    open_accumulator(&p);
    assert_int_equal(TfLiteInterpreterGetVariableTensorCount(p.interpreter), 2);
    assert_ptr_equal(TfLiteInterpreterGetVariableTensor(p.interpreter, 0),
                     TfLiteInterpreterGetTensor(p.interpreter, 1));
    assert_null(TfLiteInterpreterGetVariableTensor(p.interpreter, 2));
    assert_null(TfLiteInterpreterGetVariableTensor(p.interpreter, -1));
    assert_int_equal(TfLiteInterpreterResetVariableTensors(p.interpreter), kTfLiteError); // no memory yet
    program_expect_message(&p, "variable 1 of subgraph 0 has no memory yet");
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    invoke_with(&p, 1, 1);
    invoke_with(&p, 2, 3);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk); // nothing to do
    invoke_with(&p, 1, 4);
    program_close(&p);
}

static void a_reset_sets_them_to_zero(void** state) {
    (void)state;
    Program p;
    open_accumulator(&p);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    invoke_with(&p, 5, 5);
    const TfLiteTensor* quantized = TfLiteInterpreterGetVariableTensor(p.interpreter, 1);
    int8_t* values = TfLiteTensorData(quantized);
    assert_int_equal(values[1], -3); // the number that stands for zero
    values[1] = 9;
    assert_int_equal(TfLiteInterpreterResetVariableTensors(p.interpreter), kTfLiteOk);
    assert_int_equal(values[1], -3);
    invoke_with(&p, 1, 1);
    // Allocating again because of a resize starts over too.
    const int three = 3, two = 2;
    assert_int_equal(TfLiteInterpreterResizeInputTensor(p.interpreter, 0, &three, 1), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterResizeInputTensor(p.interpreter, 0, &two, 1), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    invoke_with(&p, 1, 1);
    program_close(&p);
}

static void interpreters_have_variables_of_their_own(void** state) {
    (void)state;
    Program p;
    open_accumulator(&p);
    TfLiteOperator* op = make_operator("Accumulate", prepare_same_shape, accumulate_invoke);
    TfLiteInterpreterOptions* options = options_with(op);
    Program q = {.model = p.model, .interpreter = TfLiteInterpreterCreate(p.model, options)};
    TfLiteInterpreterOptionsDelete(options);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterAllocateTensors(q.interpreter), kTfLiteOk);
    invoke_with(&p, 1, 1);
    invoke_with(&q, 10, 10);
    invoke_with(&p, 1, 2);
    TfLiteInterpreterDelete(q.interpreter);
    program_close(&p);
}

// Variables of a graph that others run are reset with the rest.
static void resets_reach_all_subgraphs(void** state) {
    (void)state;
    static const TfLiteIfParams branches = {1, 1};
    ModelBuilder* b = builder_create();
    const int c = typed_tensor(b, kTfLiteBool, 0), x = float_tensor(b, 2), y = float_tensor(b, 2);
    add_node(b, kTfLiteBuiltinIf, INTS(c, x), INTS(y), &branches);
    set_io(b, INTS(x, c), INTS(y));
    builder_subgraph(b, "branch");
    const int in = float_tensor(b, 2), v = variable_tensor(b, kTfLiteFloat32, 0, 0), out = float_tensor(b, 2);
    add_custom(b, "Accumulate", INTS(in, v), INTS(out));
    set_io(b, INTS(in), INTS(out));
    Program p;
    program_open(&p, b, options_with(make_operator("Accumulate", prepare_same_shape, accumulate_invoke)));
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterGetVariableTensorCount(p.interpreter), 0); // of the main graph
    invoke_with(&p, 1, 1);
    invoke_with(&p, 1, 2);
    assert_int_equal(TfLiteInterpreterResetVariableTensors(p.interpreter), kTfLiteOk);
    invoke_with(&p, 1, 1);
    program_close(&p);
}

// Resource variables.

static const TfLiteVarHandleParams kVariable = {.container = "", .shared_name = "v"};

static int handle(ModelBuilder* b, const TfLiteVarHandleParams* params) {
    const int tensor = typed_tensor(b, kTfLiteResource, 0);
    add_node(b, kTfLiteBuiltinVarHandle, NO_INTS, INTS(tensor), params);
    return tensor;
}

// Graph 0: v = v + x, once v is initialised by graph 1. Signature "peek", graph 2: v.
static ModelBuilder* counter(const TfLiteVarHandleParams* initialised) {
    static const TfLiteCallOnceParams init = {1};
    static const float start[] = {100, 200};
    ModelBuilder* b = builder_create();
    add_node(b, kTfLiteBuiltinCallOnce, NO_INTS, NO_INTS, &init);
    const int x = float_tensor(b, 2), read = float_tensor(b, 2), sum = float_tensor(b, 2);
    const int v = handle(b, &kVariable);
    add_node(b, kTfLiteBuiltinReadVariable, INTS(v), INTS(read), NULL);
    add_node(b, kTfLiteBuiltinAdd, INTS(read, x), INTS(sum), &kAdd);
    add_node(b, kTfLiteBuiltinAssignVariable, INTS(v, sum), NO_INTS, NULL);
    set_io(b, INTS(x), INTS(sum));
    builder_subgraph(b, "init");
    const int value = float_constant(b, 2, start);
    add_node(b, kTfLiteBuiltinAssignVariable, INTS(handle(b, initialised), value), NO_INTS, NULL);
    builder_subgraph(b, "peek");
    const int seen = float_tensor(b, 2);
    add_node(b, kTfLiteBuiltinReadVariable, INTS(handle(b, &kVariable)), INTS(seen), NULL);
    set_io(b, NO_INTS, INTS(seen));
    builder_signature(b, "count", 0, (BuilderNames){1, {{"x", x}}}, (BuilderNames){1, {{"y", sum}}});
    builder_signature(b, "peek", 2, (BuilderNames){0}, (BuilderNames){1, {{"v", seen}}});
    return b;
}

static void resource_variables_are_shared_by_subgraphs(void** state) {
    (void)state;
    Program p;
    program_open(&p, counter(&kVariable), NULL);
    TfLiteSignatureRunner* peek = TfLiteInterpreterGetSignatureRunner(p.interpreter, "peek");
    assert_int_equal(TfLiteSignatureRunnerAllocateTensors(peek), kTfLiteOk);
    assert_int_equal(TfLiteSignatureRunnerInvoke(peek), kTfLiteError);
    program_expect_message(&p, "variable 'v' is read before it is assigned");
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    for (int i = 1; i < 4; i++) { // initialised in the first round only
        program_write(&p, 0, VALUES(1, 2));
        assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
        program_expect(&p, 0, VALUES(100.0f + (float)i, 200.0f + 2.0f * (float)i));
    }
    assert_int_equal(TfLiteSignatureRunnerInvoke(peek), kTfLiteOk);
    tensor_expect(TfLiteSignatureRunnerGetOutputTensor(peek, "v"), VALUES(103, 206));
    // They are no variable tensors: a reset leaves them alone.
    assert_int_equal(TfLiteInterpreterResetVariableTensors(p.interpreter), kTfLiteOk);
    assert_int_equal(TfLiteSignatureRunnerInvoke(peek), kTfLiteOk);
    tensor_expect(TfLiteSignatureRunnerGetOutputTensor(peek, "v"), VALUES(103, 206));
    TfLiteSignatureRunnerDelete(peek);
    program_close(&p);
}

static void names_and_containers_tell_them_apart(void** state) {
    (void)state;
    static const TfLiteVarHandleParams other = {.container = "", .shared_name = "w"};
    static const TfLiteVarHandleParams elsewhere = {.container = "c", .shared_name = "v"};
    const TfLiteVarHandleParams* const cases[] = {&other, &elsewhere};
    for (int i = 0; i < 2; i++) {
        Program p;
        program_open(&p, counter(cases[i]), NULL);
        assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
        assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteError);
        program_expect_message(&p, "is read before it is assigned");
        program_close(&p);
    }
}

// Hash tables.

static const TfLiteHashtableParams kTable = {
    .table_id = 7, .key_dtype = kTfLiteInt64, .value_dtype = kTfLiteString};

static int table(ModelBuilder* b) {
    const int tensor = typed_tensor(b, kTfLiteResource, 1);
    add_node(b, kTfLiteBuiltinHashtable, NO_INTS, INTS(tensor), &kTable);
    return tensor;
}

static int constant(ModelBuilder* b, TfLiteType type, int count, const void* data, size_t bytes) {
    return builder_tensor(
        b, (BuilderTensor){.type = type, .rank = 1, .dims = {count}, .data = data, .bytes = bytes});
}

// The table of graph 1 is filled there and asked in graph 0.
static void tables_are_shared_by_subgraphs(void** state) {
    (void)state;
    static const TfLiteCallOnceParams init = {1};
    static const int64_t keys[] = {5, -6};
    static const struct { // two strings, then one
        int32_t count, offsets[3];
        char text[8];
    } values = {2, {16, 20, 23}, "fivesix"};
    static const struct {
        int32_t count, offsets[2];
        char text[4];
    } nothing = {1, {12, 13}, "?"};
    ModelBuilder* b = builder_create();
    const int wanted = typed_tensor(b, kTfLiteInt64, 3), found = typed_tensor(b, kTfLiteString, 3),
              size = typed_tensor(b, kTfLiteInt64, 1);
    const int missing = constant(b, kTfLiteString, 1, &nothing, 13);
    add_node(b, kTfLiteBuiltinCallOnce, NO_INTS, NO_INTS, &init);
    const int asked = table(b);
    add_node(b, kTfLiteBuiltinHashtableFind, INTS(asked, wanted, missing), INTS(found), NULL);
    add_node(b, kTfLiteBuiltinHashtableSize, INTS(asked), INTS(size), NULL);
    set_io(b, INTS(wanted), INTS(found, size));
    builder_subgraph(b, "fill");
    const int filled = table(b);
    const int key = constant(b, kTfLiteInt64, 2, keys, sizeof keys);
    const int value = constant(b, kTfLiteString, 2, &values, 23);
    add_node(b, kTfLiteBuiltinHashtableImport, INTS(filled, key, value), NO_INTS, NULL);
    Program p;
    program_open(&p, b, NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    const int64_t query[] = {-6, 0, 5};
    const char* const answers[] = {"six", "?", "five"};
    for (int round = 0; round < 2; round++) {
        TfLiteTensor* input = TfLiteInterpreterGetInputTensor(p.interpreter, 0);
        assert_int_equal(TfLiteTensorCopyFromBuffer(input, query, sizeof query), kTfLiteOk);
        assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
        const TfLiteOpaqueTensor* texts =
            (const TfLiteOpaqueTensor*)TfLiteInterpreterGetOutputTensor(p.interpreter, 0);
        assert_int_equal(TfLiteOpaqueTensorGetStringCount(texts), 3);
        for (int i = 0; i < 3; i++) {
            const char* text;
            int length;
            assert_int_equal(TfLiteOpaqueTensorGetString(texts, i, &text, &length), kTfLiteOk);
            assert_int_equal(length, strlen(answers[i]));
            assert_memory_equal(text, answers[i], (size_t)length);
        }
        const int64_t* count = TfLiteTensorData(TfLiteInterpreterGetOutputTensor(p.interpreter, 1));
        assert_int_equal(*count, 2);
    }
    program_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_keep_their_values),
        cmocka_unit_test(a_reset_sets_them_to_zero),
        cmocka_unit_test(interpreters_have_variables_of_their_own),
        cmocka_unit_test(resets_reach_all_subgraphs),
        cmocka_unit_test(resource_variables_are_shared_by_subgraphs),
        cmocka_unit_test(names_and_containers_tell_them_apart),
        cmocka_unit_test(tables_are_shared_by_subgraphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
