// SPDX-License-Identifier: Apache-2.0
// Graphs that a program builds by itself (oclite/graph.h): what they compute.
#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"
#include "tensorflow/lite/c/builtin_op_data.h"
#include "tests/api/built.h"
#include "tests/api/cmocka_setup.h"

static int reset(void** state) {
    (void)state;
    fixture_reset();
    return 0;
}

static void run(TfLiteInterpreter* interpreter) {
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
}

static void finish(TfLiteInterpreter* interpreter) {
    TfLiteInterpreterDelete(interpreter);
    assert_string_equal(fixture_messages, "");
    assert_int_equal(fixture_calls.init, fixture_calls.free);
}

static void nothing_at_all(void** state) {
    (void)state;
    TfLiteInterpreter* interpreter = oclite_interpreter_create_empty(NULL);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteError);
    run(interpreter);
    assert_int_equal(TfLiteInterpreterGetInputTensorCount(interpreter), 0);
    assert_int_equal(TfLiteInterpreterGetSignatureCount(interpreter), 0);
    assert_int_equal(oclite_interpreter_subgraph_count(interpreter), 1);
    assert_string_equal(oclite_interpreter_subgraph_name(interpreter, 0), "");
    finish(interpreter);
}

// y = x + c, where c has contents of the program's.
static void operators_of_the_library(void** state) {
    (void)state;
    static const float ones[] = {1, 1, 1}, tens[] = {10, 10, 10};
    static const int length = kLength;
    TfLiteInterpreter* interpreter = built_create(3);
    const OcliteNewTensor vector = built_vector(kTfLiteFloat32, &length);
    assert_int_equal(oclite_graph_set_constant(interpreter, 0, 1, &vector, ones, sizeof ones), kTfLiteOk);
    assert_int_equal(oclite_graph_set_inputs(interpreter, 0, LIST(0)), kTfLiteOk);
    assert_int_equal(oclite_graph_set_outputs(interpreter, 0, LIST(2)), kTfLiteOk);
    TfLiteAddParams* params = calloc(1, sizeof *params);
    params->activation = kTfLiteActRelu6;
    const OcliteNewNode add = {.inputs = (const int[]){0, 1},
                               .input_count = 2,
                               .outputs = (const int[]){2},
                               .output_count = 1,
                               .builtin_data = params,
                               .registration = built_library(kTfLiteBuiltinAdd)};
    int index = -1;
    assert_int_equal(oclite_graph_add_node(interpreter, 0, &add, &index), kTfLiteOk);
    assert_int_equal(index, 0);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    built_write(interpreter, 0, FLOATS(1, 2, 30));
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    built_expect(interpreter, 2, FLOATS(2, 3, 6));
    // Other contents for the constant need no other allocation.
    assert_int_equal(oclite_graph_set_constant(interpreter, 0, 1, &vector, tens, sizeof tens), kTfLiteOk);
    built_write(interpreter, 0, FLOATS(-5, -8, -30));
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    built_expect(interpreter, 2, FLOATS(5, 2, 0));
    // An input takes another shape.
    assert_int_equal(TfLiteInterpreterResizeInputTensor(interpreter, 0, (const int[]){2, 3}, 2), kTfLiteOk);
    run(interpreter);
    assert_int_equal(TfLiteTensorNumDims(TfLiteInterpreterGetOutputTensor(interpreter, 0)), 2);
    finish(interpreter);
}

// The same without parameters: they count as zeros.
static void parameters_left_out(void** state) {
    (void)state;
    TfLiteInterpreter* interpreter = built_create(2);
    oclite_graph_set_inputs(interpreter, 0, LIST(0));
    oclite_graph_set_outputs(interpreter, 0, LIST(1));
    const OcliteNewNode mul = {.inputs = (const int[]){0, 0},
                               .input_count = 2,
                               .outputs = (const int[]){1},
                               .output_count = 1,
                               .registration = built_library(kTfLiteBuiltinMul)};
    assert_int_equal(oclite_graph_add_node(interpreter, 0, &mul, NULL), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    built_write(interpreter, 0, FLOATS(2, 3, -4));
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    built_expect(interpreter, 1, FLOATS(4, 9, 16));
    finish(interpreter);
}

// No operator of the library may crash on a node that has neither parameters nor tensors that suit it.
static void every_operator_without_anything(void** state) {
    (void)state;
    for (int i = 0; i < oclite_operator_count(); i++) {
        for (int count = 0; count <= 3; count++) {
            TfLiteInterpreter* interpreter = built_create(6);
            const OcliteNewNode node = {.inputs = (const int[]){0, 1, 2},
                                        .input_count = count,
                                        .outputs = (const int[]){3, 4, 5},
                                        .output_count = count == 0 ? 0 : 1,
                                        .registration = oclite_operator(i)};
            oclite_graph_set_inputs(interpreter, 0, LIST(0, 1, 2));
            oclite_graph_set_outputs(interpreter, 0, LIST(3));
            if (oclite_graph_add_node(interpreter, 0, &node, NULL) == kTfLiteOk &&
                TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk) {
                (void)TfLiteInterpreterInvoke(interpreter);
            }
            TfLiteInterpreterDelete(interpreter);
            fixture_messages[0] = '\0';
        }
    }
}

static void what_init_receives(void** state) {
    (void)state;
    static const char options[] = "options";
    TfLiteRegistration copy = built_copy();
    TfLiteInterpreter* interpreter = built_create(2);
    OcliteNewNode node = {.inputs = (const int[]){0},
                          .input_count = 1,
                          .outputs = (const int[]){1},
                          .output_count = 1,
                          .init_data = options,
                          .init_data_size = sizeof options,
                          .registration = &copy};
    OcliteNode found;
    assert_int_equal(oclite_graph_add_node(interpreter, 0, &node, NULL), kTfLiteOk);
    assert_int_equal(oclite_interpreter_node(interpreter, 0, 0, &found), kTfLiteOk);
    assert_ptr_equal(found.node->user_data, options);
    assert_ptr_equal(found.node->custom_initial_data, options);
    assert_int_equal(found.node->custom_initial_data_size, sizeof options);
    assert_int_equal(fixture_calls.buffer_length, sizeof options);
    assert_string_equal(found.op, "Copy");
    // Without init data it is the parameters, whose size nobody tells.
    node.init_data = NULL;
    node.init_data_size = 0;
    node.builtin_data = malloc(16);
    node.outputs = (const int[]){1};
    assert_int_equal(oclite_graph_add_node(interpreter, 0, &node, NULL), kTfLiteOk);
    assert_int_equal(oclite_interpreter_node(interpreter, 0, 1, &found), kTfLiteOk);
    assert_ptr_equal(found.node->user_data, node.builtin_data);
    assert_ptr_equal(found.node->builtin_data, node.builtin_data);
    assert_int_equal(fixture_calls.buffer_length, 0);
    finish(interpreter);
}

static TfLiteStatus ramp_invoke(TfLiteContext* context, TfLiteNode* node) {
    TfLiteTensor* output = &context->tensors[node->outputs->data[0]];
    for (int i = 0; i < kLength; i++) output->data.f[i] += (float)i;
    return kTfLiteOk;
}

// Operators of the program's own may lack prepare, write what they read, and write one tensor several times.
static void tensors_of_several_nodes(void** state) {
    (void)state;
    const TfLiteRegistration copy = built_copy();
    const TfLiteRegistration ramp = {.invoke = ramp_invoke};
    TfLiteInterpreter* interpreter = built_create(3);
    oclite_graph_set_inputs(interpreter, 0, LIST(0, 1));
    oclite_graph_set_outputs(interpreter, 0, LIST(2));
    assert_int_equal(built_add_unary(interpreter, 0, &copy, 0, 2), kTfLiteOk);
    assert_int_equal(built_add_unary(interpreter, 0, &ramp, 2, 2), kTfLiteOk);
    assert_int_equal(built_add_unary(interpreter, 0, &copy, 1, 2), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    built_write(interpreter, 0, FLOATS(1, 1, 1));
    built_write(interpreter, 1, FLOATS(5, 5, 5));
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    built_expect(interpreter, 2, FLOATS(5, 5, 5));
    // Another plan: nothing has to be allocated by the program.
    assert_int_equal(oclite_graph_set_plan(interpreter, 0, LIST(2, 0, 1)), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    built_expect(interpreter, 2, FLOATS(1, 2, 3));
    assert_int_equal(oclite_graph_set_plan(interpreter, 0, LIST(2)), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    built_expect(interpreter, 2, FLOATS(5, 5, 5));
    assert_int_equal(oclite_graph_set_plan(interpreter, 0, NULL, 0), kTfLiteOk);
    const int invoked = fixture_calls.invoke;
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    assert_int_equal(fixture_calls.invoke, invoked);
    finish(interpreter);
}

static TfLiteStatus count_invoke(TfLiteContext* context, TfLiteNode* node) {
    TfLiteTensor* variable = &context->tensors[node->inputs->data[0]];
    TfLiteTensor* output = &context->tensors[node->outputs->data[0]];
    output->data.f[0] = ++variable->data.f[0];
    return kTfLiteOk;
}

static void variables(void** state) {
    (void)state;
    static const int length = 1;
    const TfLiteRegistration count = {.invoke = count_invoke};
    TfLiteInterpreter* interpreter = built_create(2);
    OcliteNewTensor scalar = built_vector(kTfLiteFloat32, &length);
    assert_int_equal(oclite_graph_set_tensor(interpreter, 0, 1, &scalar), kTfLiteOk);
    scalar.is_variable = true;
    assert_int_equal(oclite_graph_set_tensor(interpreter, 0, 0, &scalar), kTfLiteOk);
    oclite_graph_set_outputs(interpreter, 0, LIST(1));
    oclite_graph_set_variables(interpreter, 0, LIST(0));
    assert_int_equal(TfLiteInterpreterGetVariableTensorCount(interpreter), 1);
    assert_int_equal(built_add_unary(interpreter, 0, &count, 0, 1), kTfLiteOk);
    run(interpreter);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    built_expect(interpreter, 1, FLOATS(2));
    // Memory that comes and goes does not matter to them.
    assert_int_equal(oclite_graph_release_memory(interpreter, 0), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteError);
    built_expect_message("not ready");
    run(interpreter);
    built_expect(interpreter, 1, FLOATS(3));
    assert_int_equal(TfLiteInterpreterResetVariableTensors(interpreter), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    built_expect(interpreter, 1, FLOATS(1));
    finish(interpreter);
}

// IF(condition, x) runs one of two graphs: x + x or x * x.
static void control_flow(void** state) {
    (void)state;
    static const int length = kLength, one = 1;
    TfLiteInterpreter* interpreter = built_create(3);
    const OcliteNewTensor condition = built_vector(kTfLiteBool, &one);
    assert_int_equal(oclite_graph_set_tensor(interpreter, 0, 0, &condition), kTfLiteOk);
    oclite_graph_set_inputs(interpreter, 0, LIST(0, 1));
    oclite_graph_set_outputs(interpreter, 0, LIST(2));
    int first = 0;
    assert_int_equal(oclite_interpreter_add_subgraphs(interpreter, 2, &first), kTfLiteOk);
    assert_int_equal(first, 1);
    for (int i = 1; i <= 2; i++) {
        const OcliteNewTensor vector = built_vector(kTfLiteFloat32, &length);
        assert_int_equal(oclite_graph_set_name(interpreter, i, i == 1 ? "then" : "else"), kTfLiteOk);
        assert_int_equal(oclite_graph_add_tensors(interpreter, i, 2, NULL), kTfLiteOk);
        for (int t = 0; t < 2; t++) oclite_graph_set_tensor(interpreter, i, t, &vector);
        oclite_graph_set_inputs(interpreter, i, LIST(0));
        oclite_graph_set_outputs(interpreter, i, LIST(1));
        const OcliteNewNode node = {.inputs = (const int[]){0, 0},
                                    .input_count = 2,
                                    .outputs = (const int[]){1},
                                    .output_count = 1,
                                    .registration =
                                        built_library(i == 1 ? kTfLiteBuiltinAdd : kTfLiteBuiltinMul)};
        assert_int_equal(oclite_graph_add_node(interpreter, i, &node, NULL), kTfLiteOk);
    }
    assert_string_equal(oclite_interpreter_subgraph_name(interpreter, 2), "else");
    TfLiteIfParams* params = calloc(1, sizeof *params);
    *params = (TfLiteIfParams){1, 2};
    const OcliteNewNode node = {.inputs = (const int[]){0, 1},
                                .input_count = 2,
                                .outputs = (const int[]){2},
                                .output_count = 1,
                                .builtin_data = params,
                                .registration = built_library(kTfLiteBuiltinIf)};
    assert_int_equal(oclite_graph_add_node(interpreter, 0, &node, NULL), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    built_write(interpreter, 1, FLOATS(3, 4, 5));
    for (int taken = 0; taken < 2; taken++) {
        TfLiteInterpreterGetInputTensor(interpreter, 0)->data.b[0] = taken == 1;
        assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
        if (taken) built_expect(interpreter, 2, FLOATS(6, 8, 10));
        if (!taken) built_expect(interpreter, 2, FLOATS(9, 16, 25));
    }
    // A graph that runs by itself.
    assert_int_equal(oclite_graph_allocate(interpreter, 1), kTfLiteOk);
    assert_int_equal(oclite_graph_invoke(interpreter, 1), kTfLiteOk);
    finish(interpreter);
}

// PADV2 with paddings from outside gives what is known only when it has run; NEG reads it.
static void dynamic_tensors(void** state) {
    (void)state;
    static const int shape[] = {1, 2};
    TfLiteInterpreter* interpreter = built_create(4);
    const OcliteNewTensor paddings = {.type = kTfLiteInt32, .dims = shape, .rank = 2};
    assert_int_equal(oclite_graph_set_tensor(interpreter, 0, 1, &paddings), kTfLiteOk);
    oclite_graph_set_inputs(interpreter, 0, LIST(0, 1));
    oclite_graph_set_outputs(interpreter, 0, LIST(3));
    const OcliteNewNode pad = {.inputs = (const int[]){0, 1},
                               .input_count = 2,
                               .outputs = (const int[]){2},
                               .output_count = 1,
                               .registration = built_library(kTfLiteBuiltinPad)};
    assert_int_equal(oclite_graph_add_node(interpreter, 0, &pad, NULL), kTfLiteOk);
    assert_int_equal(built_add_unary(interpreter, 0, built_library(kTfLiteBuiltinNeg), 2, 3), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    built_write(interpreter, 0, FLOATS(1, 2, 3));
    for (int round = 0; round < 4; round++) {
        int32_t* sizes = TfLiteInterpreterGetTensor(interpreter, 1)->data.i32;
        sizes[0] = round == 3 ? 2 : 1;
        sizes[1] = 0;
        if (round > 0) oclite_interpreter_set_release_dynamic_tensors(interpreter, round > 1);
        assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
        const TfLiteTensor* between = TfLiteInterpreterGetTensor(interpreter, 2);
        assert_int_equal(between->data.raw == NULL, round > 1);
        if (round < 3) built_expect(interpreter, 3, FLOATS(-0.0f, -1, -2, -3));
        if (round == 3) built_expect(interpreter, 3, FLOATS(-0.0f, -0.0f, -1, -2, -3));
    }
    finish(interpreter);
}

// What a model does not give out becomes an output.
static void a_models_graph_changed(void** state) {
    (void)state;
    TfLiteModel* model = fixture_model(2);
    TfLiteInterpreterOptions* options = fixture_options();
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteModelDelete(model);
    assert_int_equal(oclite_graph_set_outputs(interpreter, 0, LIST(1, 2)), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterGetOutputTensorCount(interpreter), 2);
    assert_int_equal(oclite_interpreter_set_preserve_all_tensors(interpreter, true), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    built_write(interpreter, 0, FLOATS(1, 2, 3));
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    built_expect(interpreter, 1, FLOATS(2, 4, 6));
    built_expect(interpreter, 2, FLOATS(4, 8, 12));
    // One node more.
    int added;
    static const int length = kLength;
    const OcliteNewTensor vector = built_vector(kTfLiteFloat32, &length);
    assert_int_equal(oclite_graph_add_tensors(interpreter, 0, 1, &added), kTfLiteOk);
    assert_int_equal(oclite_graph_set_tensor(interpreter, 0, added, &vector), kTfLiteOk);
    assert_int_equal(built_add_unary(interpreter, 0, built_library(kTfLiteBuiltinNeg), 2, added), kTfLiteOk);
    assert_int_equal(oclite_graph_set_outputs(interpreter, 0, &added, 1), kTfLiteOk);
    run(interpreter);
    built_expect(interpreter, added, FLOATS(-4, -8, -12));
    finish(interpreter);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nothing_at_all, reset),
        cmocka_unit_test_setup(operators_of_the_library, reset),
        cmocka_unit_test_setup(parameters_left_out, reset),
        cmocka_unit_test_setup(every_operator_without_anything, reset),
        cmocka_unit_test_setup(what_init_receives, reset),
        cmocka_unit_test_setup(tensors_of_several_nodes, reset),
        cmocka_unit_test_setup(variables, reset),
        cmocka_unit_test_setup(control_flow, reset),
        cmocka_unit_test_setup(dynamic_tensors, reset),
        cmocka_unit_test_setup(a_models_graph_changed, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
