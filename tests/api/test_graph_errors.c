// SPDX-License-Identifier: Apache-2.0
// Graphs that a program builds by itself (oclite/graph.h): what is refused, and in which state that leaves
// them. The sanitizers see that nothing is leaked.
#include <math.h>
#include <stdlib.h>

#include "oclite/oclite.h"
#include "tensorflow/lite/c/builtin_op_data.h"
#include "tests/api/built.h"
#include "tests/api/cmocka_setup.h"

static const int kOne = 1, kThree = kLength;

static int reset(void** state) {
    (void)state;
    fixture_reset();
    return 0;
}

static void expect_inconsistent(TfLiteInterpreter* interpreter, const char* part) {
    built_expect_message(part);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteError);
    built_expect_message("AllocateTensors() called on inconsistent model.");
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteError);
    built_expect_message("Invoke called on model that is not consistent.");
    TfLiteInterpreterDelete(interpreter);
}

static void indices_that_do_not_exist(void** state) {
    (void)state;
    TfLiteInterpreter* interpreter = built_create(2);
    assert_int_equal(oclite_graph_set_inputs(interpreter, 0, LIST(0, 5)), kTfLiteError);
    assert_int_equal(TfLiteInterpreterGetInputTensorCount(interpreter), 0);
    expect_inconsistent(interpreter, "Invalid tensor index 5 in inputs. The subgraph has 2 tensors");
    interpreter = built_create(2);
    assert_int_equal(oclite_graph_set_outputs(interpreter, 0, LIST(-2)), kTfLiteError);
    expect_inconsistent(interpreter, "Invalid tensor index -2 in outputs");
    interpreter = built_create(2);
    assert_int_equal(oclite_graph_set_variables(interpreter, 0, LIST(-1)), kTfLiteError);
    expect_inconsistent(interpreter, "Invalid tensor index -1 in variables");
    interpreter = built_create(2);
    assert_int_equal(oclite_graph_set_inputs(interpreter, 0, NULL, 1), kTfLiteError);
    expect_inconsistent(interpreter, "inputs: 1 indices of tensors at NULL");
    const TfLiteRegistration copy = built_copy();
    interpreter = built_create(2);
    assert_int_equal(built_add_unary(interpreter, 0, &copy, 2, 0), kTfLiteError);
    expect_inconsistent(interpreter, "Invalid tensor index 2 in node inputs");
    interpreter = built_create(2);
    assert_int_equal(built_add_unary(interpreter, 0, &copy, 0, -1), kTfLiteError);
    expect_inconsistent(interpreter, "Invalid tensor index -1 in node outputs");
    assert_int_equal(fixture_calls.init, 0);
}

static void tensors_that_overlap(void** state) {
    (void)state;
    const TfLiteRegistration copy = built_copy();
    TfLiteInterpreter* interpreter = built_create(2);
    OcliteNewNode node = {.inputs = (const int[]){1, 0},
                          .input_count = 2,
                          .outputs = (const int[]){0},
                          .output_count = 1,
                          .builtin_data = malloc(4),
                          .registration = &copy};
    assert_int_equal(oclite_graph_add_node(interpreter, 0, &node, NULL), kTfLiteError);
    expect_inconsistent(interpreter, "Tensor 0 is both input 1 and output 0");
    interpreter = built_create(2);
    assert_int_equal(built_add_unary(interpreter, 0, built_library(kTfLiteBuiltinNeg), 0, 0), kTfLiteError);
    expect_inconsistent(interpreter, "Tensor 0 is both input 0 and output 0");
    // An operator of the library next to others that write the same tensor, or read it.
    for (int reads = 0; reads < 2; reads++) {
        interpreter = built_create(3);
        oclite_graph_set_inputs(interpreter, 0, LIST(0));
        assert_int_equal(built_add_unary(interpreter, 0, &copy, 0, 1), kTfLiteOk);
        assert_int_equal(built_add_unary(interpreter, 0, &copy, 0, 1), kTfLiteOk);
        const TfLiteRegistration* neg = built_library(kTfLiteBuiltinNeg);
        assert_int_equal(built_add_unary(interpreter, 0, neg, reads ? 1 : 2, reads ? 2 : 1), kTfLiteOk);
        assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteError);
        built_expect_message("NEG: tensor 1 is written by several nodes");
        TfLiteInterpreterDelete(interpreter);
    }
}

static void expect_refused(TfLiteInterpreter* interpreter, const OcliteNewTensor* description,
                           const char* part) {
    const TfLiteTensor before = *TfLiteInterpreterGetTensor(interpreter, 0);
    assert_int_equal(oclite_graph_set_tensor(interpreter, 0, 0, description), kTfLiteError);
    built_expect_message(part);
    assert_memory_equal(&before, TfLiteInterpreterGetTensor(interpreter, 0), sizeof before);
}

static void descriptions_that_cannot_be(void** state) {
    (void)state;
    static const int negative[] = {2, -1}, many[] = {1 << 30, 1 << 30, 4, 16};
    TfLiteInterpreter* interpreter = built_create(1);
    OcliteNewTensor t = {.type = kTfLiteFloat32, .dims = negative, .rank = 2};
    expect_refused(interpreter, &t, "tensor 0: dimension 1 is -1");
    t = (OcliteNewTensor){.type = kTfLiteFloat32, .dims = many, .rank = 3};
    expect_refused(interpreter, &t, "BytesRequired number of bytes overflowed.\n");
    t.rank = 4;
    expect_refused(interpreter, &t, "BytesRequired number of elements overflowed.\n");
    t = (OcliteNewTensor){.type = kTfLiteFloat32, .rank = 1};
    expect_refused(interpreter, &t, "1 dimensions at NULL");
    t = (OcliteNewTensor){.type = kTfLiteFloat32, .rank = -1};
    expect_refused(interpreter, &t, "-1 dimensions");
    t = (OcliteNewTensor){
        .type = kTfLiteFloat32, .dims = &kOne, .rank = 1, .dims_signature = many, .signature_rank = 2};
    expect_refused(interpreter, &t, "a signature of 2 dimensions for a tensor of 1");
    t = (OcliteNewTensor){.type = (TfLiteType)99, .dims = &kOne, .rank = 1};
    expect_refused(interpreter, &t, "no size is known");
    t = (OcliteNewTensor){.type = kTfLiteString, .dims = &kOne, .rank = 1, .is_variable = true};
    expect_refused(interpreter, &t, "a variable cannot be of type STRING");
    t = built_vector(kTfLiteFloat32, &kThree);
    assert_int_equal(oclite_graph_set_tensor(interpreter, 0, 1, &t), kTfLiteError);
    built_expect_message("there is no tensor 1");
    assert_int_equal(oclite_graph_set_tensor(interpreter, 3, 0, &t), kTfLiteError);
    built_expect_message("there is no subgraph 3: there are 1");
    // Too large for the machine, but not for a description.
    t = (OcliteNewTensor){.type = kTfLiteFloat32, .dims = many, .rank = 2};
    assert_int_equal(oclite_graph_set_tensor(interpreter, 0, 0, &t), kTfLiteOk);
    oclite_graph_set_inputs(interpreter, 0, LIST(0));
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteError);
    built_expect_message("its dimensions are negative or too large");
    TfLiteInterpreterDelete(interpreter);
}

static void quantization_that_cannot_be(void** state) {
    (void)state;
    static const int square[] = {2, 3};
    TfLiteInterpreter* interpreter = built_create(1);
    OcliteNewTensor t = {.type = kTfLiteInt8, .dims = square, .rank = 2};
    t.quantization = built_quantization(2, 0.5f, 1, 0, 0);
    expect_refused(interpreter, &t, "2 scales, but 1 zero points");
    t.quantization = built_quantization(2, 0.5f, 2, 0, 1);
    expect_refused(interpreter, &t, "2 scales for the 3 channels of dimension 1");
    t.quantization = built_quantization(2, 0.5f, 2, 0, 2);
    expect_refused(interpreter, &t, "quantized_dimension is 2");
    t.quantization = built_quantization(1, -1.0f, 1, 0, 0);
    expect_refused(interpreter, &t, "scale[0] is -1");
    t.quantization = built_quantization(1, NAN, 1, 0, 0);
    expect_refused(interpreter, &t, "scale[0] is");
    t.quantization = built_quantization(1, 1.0f, 1, 200, 0);
    expect_refused(interpreter, &t, "zero_point[0] is 200, not in [-128, 127]");
    t.quantization =
        (TfLiteQuantization){kTfLiteBlockwiseQuantization, malloc(sizeof(TfLiteBlockwiseQuantization))};
    expect_refused(interpreter, &t, "expected an affine one");
    t.quantization = (TfLiteQuantization){kTfLiteAffineQuantization, NULL};
    expect_refused(interpreter, &t, "without parameters");
    t.quantization = built_quantization(3, 0.5f, 3, 0, 1);
    assert_int_equal(oclite_graph_set_tensor(interpreter, 0, 0, &t), kTfLiteOk);
    assert_true(TfLiteInterpreterGetTensor(interpreter, 0)->params.scale == 0);
    t.quantization = built_quantization(1, 0.5f, 1, -3, 0);
    assert_int_equal(oclite_graph_set_tensor(interpreter, 0, 0, &t), kTfLiteOk);
    assert_true(TfLiteInterpreterGetTensor(interpreter, 0)->params.scale == 0.5f);
    assert_int_equal(TfLiteInterpreterGetTensor(interpreter, 0)->params.zero_point, -3);
    TfLiteInterpreterDelete(interpreter);
}

static void contents_that_cannot_be(void** state) {
    (void)state;
    static const float numbers[4] = {1, 2, 3, 4};
    static const int32_t outside[] = {1, 12, 99}, short_one[] = {2, 12};
    TfLiteInterpreter* interpreter = built_create(1);
    OcliteNewTensor t = built_vector(kTfLiteFloat32, &kThree);
    assert_int_equal(oclite_graph_set_constant(interpreter, 0, 0, &t, numbers, 11), kTfLiteError);
    built_expect_message("needs 12 bytes, but its buffer holds 11");
    assert_int_equal(oclite_graph_set_constant(interpreter, 0, 0, &t, NULL, 12), kTfLiteError);
    built_expect_message("no contents for a constant");
    t.is_variable = true;
    assert_int_equal(oclite_graph_set_constant(interpreter, 0, 0, &t, numbers, 12), kTfLiteError);
    built_expect_message("a variable, cannot be a constant");
    t = built_vector(kTfLiteString, &kOne);
    assert_int_equal(oclite_graph_set_constant(interpreter, 0, 0, &t, outside, sizeof outside), kTfLiteError);
    built_expect_message("string 1 begins at byte 99");
    assert_int_equal(oclite_graph_set_constant(interpreter, 0, 0, &t, short_one, sizeof short_one),
                     kTfLiteError);
    built_expect_message("2 strings do not fit into 8 bytes");
    t = built_vector(kTfLiteResource, &kOne);
    assert_int_equal(oclite_graph_set_constant(interpreter, 0, 0, &t, numbers, 4), kTfLiteError);
    built_expect_message("RESOURCE cannot be a constant");
    // More bytes than needed are not part of the tensor, and elements need no alignment.
    t = built_vector(kTfLiteFloat32, &kThree);
    assert_int_equal(oclite_graph_set_constant(interpreter, 0, 0, &t, (const char*)numbers + 1, 13),
                     kTfLiteOk);
    const TfLiteTensor* constant = TfLiteInterpreterGetTensor(interpreter, 0);
    assert_int_equal(constant->bytes, 12);
    assert_int_equal((uintptr_t)constant->data.raw % sizeof(float), 0);
    assert_memory_equal(constant->data.raw, (const char*)numbers + 1, 12);
    assert_int_equal(oclite_interpreter_resize_input(interpreter, 0, 0, &kOne, 1), kTfLiteError);
    built_expect_message("fixed-size");
    TfLiteInterpreterDelete(interpreter);
}

static void* failing_init(TfLiteContext* context, const char* buffer, size_t length) {
    (void)context;
    (void)buffer;
    (void)length;
    return TfLiteKernelInitFailed();
}

static void nodes_that_cannot_be(void** state) {
    (void)state;
    const TfLiteRegistration empty = {.builtin_code = 0}, failing = {.init = failing_init};
    TfLiteInterpreter* interpreter = built_create(2);
    oclite_graph_set_inputs(interpreter, 0, LIST(0));
    OcliteNewNode node = {.builtin_data = malloc(4)};
    assert_int_equal(oclite_graph_add_node(interpreter, 0, &node, NULL), kTfLiteError);
    built_expect_message("a node without registration");
    node = (OcliteNewNode){.registration = &failing, .builtin_data = malloc(4)};
    assert_int_equal(oclite_graph_add_node(interpreter, 0, &node, NULL), kTfLiteError);
    built_expect_message("Failed to initialize kernel.");
    assert_int_equal(oclite_interpreter_node_count(interpreter, 0), 0);
    assert_int_equal(oclite_graph_set_plan(interpreter, 0, LIST(0)), kTfLiteError);
    built_expect_message("there is no node 0: the subgraph has 0");
    // Without any function a node can be prepared, but not invoked.
    assert_int_equal(built_add_unary(interpreter, 0, &empty, 0, 1), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteError);
    built_expect_message("no Invoke method");
    TfLiteIfParams* params = calloc(1, sizeof *params);
    *params = (TfLiteIfParams){1, 7};
    static const int one = 1;
    const OcliteNewTensor condition = built_vector(kTfLiteBool, &one);
    oclite_graph_set_tensor(interpreter, 0, 0, &condition);
    node = (OcliteNewNode){.inputs = (const int[]){0},
                           .input_count = 1,
                           .builtin_data = params,
                           .registration = built_library(kTfLiteBuiltinIf)};
    assert_int_equal(oclite_graph_add_node(interpreter, 0, &node, NULL), kTfLiteOk);
    assert_int_equal(oclite_graph_set_plan(interpreter, 0, LIST(1)), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteError);
    built_expect_message("subgraph");
    TfLiteInterpreterDelete(interpreter);
}

static void nobody_to_ask(void** state) {
    (void)state;
    OcliteNewTensor t = built_vector(kTfLiteInt8, &kThree);
    t.quantization = built_quantization(1, 1, 1, 0, 0);
    assert_int_equal(oclite_graph_set_tensor(NULL, 0, 0, &t), kTfLiteError);
    t.quantization = built_quantization(1, 1, 1, 0, 0);
    assert_int_equal(oclite_graph_set_constant(NULL, 0, 0, &t, "abc", 3), kTfLiteError);
    const OcliteNewNode node = {.builtin_data = malloc(4)};
    assert_int_equal(oclite_graph_add_node(NULL, 0, &node, NULL), kTfLiteError);
    assert_int_equal(oclite_graph_add_tensors(NULL, 0, 1, NULL), kTfLiteError);
    assert_int_equal(oclite_graph_set_inputs(NULL, 0, NULL, 0), kTfLiteError);
    assert_int_equal(oclite_graph_set_plan(NULL, 0, NULL, 0), kTfLiteError);
    assert_int_equal(oclite_graph_set_name(NULL, 0, "x"), kTfLiteError);
    assert_int_equal(oclite_graph_allocate(NULL, 0), kTfLiteError);
    assert_int_equal(oclite_graph_invoke(NULL, 0), kTfLiteError);
    assert_int_equal(oclite_graph_release_memory(NULL, 0), kTfLiteError);
    assert_int_equal(oclite_interpreter_add_subgraphs(NULL, 1, NULL), kTfLiteError);
    assert_int_equal(oclite_interpreter_set_preserve_all_tensors(NULL, true), kTfLiteError);
    assert_int_equal(oclite_interpreter_set_release_dynamic_tensors(NULL, true), kTfLiteError);
    TfLiteInterpreter* interpreter = built_create(1);
    assert_int_equal(oclite_graph_set_tensor(interpreter, 0, 0, NULL), kTfLiteError);
    assert_int_equal(oclite_graph_add_node(interpreter, 0, NULL, NULL), kTfLiteError);
    assert_int_equal(oclite_graph_add_tensors(interpreter, 0, -1, NULL), kTfLiteError);
    built_expect_message("cannot add -1 tensors");
    assert_int_equal(oclite_interpreter_add_subgraphs(interpreter, -1, NULL), kTfLiteError);
    built_expect_message("cannot add -1 subgraphs");
    TfLiteInterpreterDelete(interpreter);
}

static TfLiteStatus take_all(TfLiteContext* context, TfLiteDelegate* delegate) {
    TfLiteIntArray* plan = NULL;
    if (context->GetExecutionPlan(context, &plan) != kTfLiteOk) return kTfLiteError;
    return context->ReplaceNodeSubsetsWithDelegateKernels(context, built_copy(), plan, delegate);
}

static void delegates(void** state) {
    (void)state;
    const TfLiteRegistration copy = built_copy();
    TfLiteDelegate delegate = TfLiteDelegateCreate();
    delegate.Prepare = take_all;
    // One that comes before there is a graph does not stand in its way.
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddDelegate(options, &delegate);
    TfLiteInterpreter* early = oclite_interpreter_create_empty(options);
    TfLiteInterpreterOptionsDelete(options);
    assert_int_equal(oclite_graph_add_tensors(early, 0, 1, NULL), kTfLiteOk);
    assert_int_equal(oclite_graph_set_inputs(early, 0, LIST(0)), kTfLiteOk);
    TfLiteInterpreterDelete(early);
    TfLiteInterpreter* interpreter = built_create(2);
    oclite_graph_set_inputs(interpreter, 0, LIST(0));
    oclite_graph_set_outputs(interpreter, 0, LIST(1));
    built_add_unary(interpreter, 0, built_library(kTfLiteBuiltinNeg), 0, 1);
    assert_int_equal(TfLiteInterpreterModifyGraphWithDelegate(interpreter, &delegate), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    built_write(interpreter, 0, FLOATS(1, 2, 3));
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    built_expect(interpreter, 1, FLOATS(1, 2, 3)); // by the delegate's kernel
    OcliteNewTensor t = built_vector(kTfLiteFloat32, &kThree);
    assert_int_equal(built_add_unary(interpreter, 0, &copy, 0, 1), kTfLiteError);
    built_expect_message("AddNodeWithParameters is disallowed when graph is immutable");
    assert_int_equal(oclite_graph_set_tensor(interpreter, 0, 0, &t), kTfLiteError);
    built_expect_message("immutable");
    assert_int_equal(oclite_graph_set_inputs(interpreter, 0, LIST(0)), kTfLiteError);
    assert_int_equal(oclite_graph_set_plan(interpreter, 0, LIST(0)), kTfLiteError);
    assert_int_equal(oclite_graph_add_tensors(interpreter, 0, 1, NULL), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    TfLiteInterpreterDelete(interpreter);
    // Several writers of one tensor.
    interpreter = built_create(2);
    oclite_graph_set_inputs(interpreter, 0, LIST(0));
    built_add_unary(interpreter, 0, &copy, 0, 1);
    built_add_unary(interpreter, 0, &copy, 0, 1);
    fixture_messages[0] = '\0';
    assert_int_equal(TfLiteInterpreterModifyGraphWithDelegate(interpreter, &delegate), kTfLiteDelegateError);
    built_expect_message("tensor 1 is written by several nodes: no delegate can take them");
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    TfLiteInterpreterDelete(interpreter);
    assert_int_equal(fixture_calls.init, fixture_calls.free);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(indices_that_do_not_exist, reset),
        cmocka_unit_test_setup(tensors_that_overlap, reset),
        cmocka_unit_test_setup(descriptions_that_cannot_be, reset),
        cmocka_unit_test_setup(quantization_that_cannot_be, reset),
        cmocka_unit_test_setup(contents_that_cannot_be, reset),
        cmocka_unit_test_setup(nodes_that_cannot_be, reset),
        cmocka_unit_test_setup(nobody_to_ask, reset),
        cmocka_unit_test_setup(delegates, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
