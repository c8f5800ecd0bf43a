// SPDX-License-Identifier: Apache-2.0
// Tensors of an interpreter: resizing, variables, constants, inputs, tensors in the memory of the caller.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/buffer_handle.h"
#include "core/graph/graph.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/support/graph_fixture.h"

static void inputs_keep_address_and_contents(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 3; i++) fixture_tensor(b, 4);
    fixture_node2(b, "Sum", 0, 1, 2);
    builder_inputs(b, (BuilderInts){2, {0, 1}});
    builder_outputs(b, (BuilderInts){1, {2}});
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, 5);
    fixture_fill(&f, 1, 1);
    const void* address = lite_subgraph_tensor(f.graph, 0)->data.raw;
    assert_int_equal((uintptr_t)address % 64, 0);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 2, 4, 6);
    const int dims[] = {2};
    assert_int_equal(lite_subgraph_resize_input(f.graph, 1, dims, 1), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    assert_ptr_equal(lite_subgraph_tensor(f.graph, 0)->data.raw, address);
    fixture_fill(&f, 1, 2);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 2, 4, 7);
    fixture_destroy(&f);
}

static void impossible_resizes_are_refused(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, fixture_chain("Twice", 1), NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    const int negative[] = {-4};
    const int huge[] = {INT32_MAX, INT32_MAX, INT32_MAX};
    const int dims[] = {4};
    assert_int_equal(lite_subgraph_resize_input(f.graph, 0, negative, 1), kTfLiteError);
    assert_int_equal(lite_subgraph_resize_input(f.graph, 0, huge, 3), kTfLiteError);
    assert_int_equal(lite_subgraph_resize_input(f.graph, 0, NULL, 2), kTfLiteError);
    assert_int_equal(lite_subgraph_resize_input(f.graph, 0, dims, -1), kTfLiteError);
    assert_int_equal(lite_subgraph_resize_input(f.graph, 99, dims, 1), kTfLiteError);
    assert_int_equal(lite_subgraph_resize_input(f.graph, -1, dims, 1), kTfLiteError);
    // All that changed nothing.
    fixture_fill(&f, 0, 1);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 1, 4, 2);
    fixture_destroy(&f);
}

static ModelBuilder* counting_model(void) {
    ModelBuilder* b = builder_create();
    fixture_tensor(b, 4);
    builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 1, .dims = {1}, .is_variable = true});
    fixture_tensor(b, 4);
    fixture_node2(b, "Count", 0, 1, 2);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {2}});
    return b;
}

static void variables_keep_their_contents(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, counting_model(), NULL);
    assert_int_equal(lite_subgraph_variables(f.graph).count, 1);
    assert_int_equal(lite_subgraph_variables(f.graph).data[0], 1);
    assert_int_equal(lite_subgraph_tensor(f.graph, 1)->allocation_type, kTfLiteArenaRwPersistent);
    fixture_run(&f);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 2, 4, 2);
    assert_int_equal(lite_subgraph_reset_variables(f.graph), kTfLiteOk);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 2, 4, 1);
    fixture_destroy(&f);
}

static void constants_and_inputs_can_be_outputs(void** state) {
    (void)state;
    static const float constant[] = {7, 7};
    ModelBuilder* b = builder_create();
    fixture_tensor(b, 2);
    builder_tensor(
        b, (BuilderTensor){
               .type = kTfLiteFloat32, .rank = 1, .dims = {2}, .data = constant, .bytes = sizeof constant});
    fixture_tensor(b, 2);
    fixture_node2(b, "Sum", 0, 1, 2);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){3, {2, 1, 0}});
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, 3);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 0, 2, 3);
    fixture_expect(&f, 1, 2, 7);
    fixture_expect(&f, 2, 2, 10);
    assert_int_equal(lite_subgraph_tensor(f.graph, 1)->allocation_type, kTfLiteMmapRo);
    fixture_destroy(&f);
}

// As in the reference, contents make a constant of a tensor that is listed as an input. Nothing can change
// it.
static void an_input_with_contents_is_a_constant(void** state) {
    (void)state;
    static const float contents[] = {7, 7};
    static const int same[] = {2}, other[] = {3};
    static float own[64];
    const TfLiteCustomAllocation allocation = {own, sizeof own};
    ModelBuilder* b = builder_create();
    builder_tensor(
        b, (BuilderTensor){
               .type = kTfLiteFloat32, .rank = 1, .dims = {2}, .data = contents, .bytes = sizeof contents});
    fixture_tensor(b, 2);
    fixture_node(b, "Twice", 0, 1);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {1}});
    Fixture f;
    fixture_create(&f, b, NULL);
    TfLiteTensor* input = lite_subgraph_tensor(f.graph, 0);
    assert_int_equal(input->allocation_type, kTfLiteMmapRo);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 1, 2, 14);
    assert_int_equal(TfLiteTensorCopyFromBuffer(input, own, sizeof contents), kTfLiteError);
    assert_int_equal(lite_subgraph_resize_input(f.graph, 0, same, 1), kTfLiteOk);
    assert_int_equal(lite_subgraph_resize_input(f.graph, 0, other, 1), kTfLiteError);
    fixture_expect_message(&f, "fixed-size tensor: 't0' is a constant of the model");
    assert_int_equal(lite_subgraph_set_custom_allocation(f.graph, 0, &allocation, 0), kTfLiteError);
    fixture_expect_message(&f, "cannot live in the caller's memory");
    TfLiteDelegate delegate = TfLiteDelegateCreate();
    assert_int_equal(lite_subgraph_set_buffer_handle(f.graph, 0, 1, &delegate), kTfLiteError);
    fixture_expect_message(&f, "tensor 0 is a constant of the model");
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk); // nothing has changed
    fixture_expect(&f, 1, 2, 14);
    const float* in_model = lite_model_subgraph(f.model, 0)->tensors[0].data;
    assert_true(in_model[0] == 7.0f);
    fixture_destroy(&f);
}

static void a_node_cannot_write_a_constant(void** state) {
    (void)state;
    static const float constant[] = {7, 7};
    ModelBuilder* b = builder_create();
    fixture_tensor(b, 2);
    builder_tensor(
        b, (BuilderTensor){
               .type = kTfLiteFloat32, .rank = 1, .dims = {2}, .data = constant, .bytes = sizeof constant});
    fixture_node(b, "Twice", 0, 1);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {1}});
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteError);
    fixture_expect_message(&f, "is a constant of the model");
    fixture_destroy(&f);
}

static void tensors_are_not_read_before_they_are_written(void** state) {
    (void)state;
    for (int written_later = 0; written_later < 2; written_later++) {
        ModelBuilder* b = builder_create();
        for (int i = 0; i < 3; i++) fixture_tensor(b, 2);
        fixture_node2(b, "Sum", 0, 1, 2);
        if (written_later) fixture_node(b, "Twice", 0, 1);
        builder_inputs(b, (BuilderInts){1, {0}});
        builder_outputs(b, (BuilderInts){1, {2}});
        Fixture f;
        fixture_create(&f, b, NULL);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteError);
        fixture_expect_message(&f, "Input tensor 1 lacks data");
        fixture_destroy(&f);
    }
}

static void a_node_may_write_into_inputs(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    fixture_tensor(b, 2);
    fixture_tensor(b, 2);
    fixture_node(b, "Twice", 0, 1);
    fixture_node(b, "Twice", 1, 0);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {0}});
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, 1);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 0, 2, 4);
    fixture_destroy(&f);
}

static void tensors_can_live_in_the_callers_memory(void** state) {
    (void)state;
    _Alignas(64) float in[4] = {1, 1, 1, 1};
    _Alignas(64) float out[4];
    Fixture f;
    fixture_create(&f, fixture_chain("Twice", 2), NULL);
    TfLiteCustomAllocation input = {in, sizeof in};
    TfLiteCustomAllocation output = {out, 4};
    TfLiteCustomAllocation crooked = {(char*)in + 4, 12};
    assert_int_equal(lite_subgraph_set_custom_allocation(f.graph, 0, &crooked, 0), kTfLiteError);
    assert_int_equal(lite_subgraph_set_custom_allocation(f.graph, 0, &input, 0), kTfLiteOk);
    assert_int_equal(lite_subgraph_set_custom_allocation(f.graph, 2, &output, 0), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteError);
    fixture_expect_message(&f, "Custom allocation is too small for tensor idx: 2");
    output.bytes = sizeof out;
    assert_int_equal(lite_subgraph_set_custom_allocation(f.graph, 2, &output, 0), kTfLiteOk);
    fixture_run(&f);
    assert_float_equal(out[3], 4, 0);
    fixture_destroy(&f);
}

static void tensors_are_described(void** state) {
    (void)state;
    static const float scales[] = {0.5f, 0.25f};
    static const int32_t signature[] = {-1, 2};
    ModelBuilder* b = builder_create();
    builder_tensor(b, (BuilderTensor){.name = "in",
                                      .type = kTfLiteInt8,
                                      .rank = 2,
                                      .dims = {1, 2},
                                      .signature = signature,
                                      .scale = 0.1f,
                                      .zero_point = -3});
    builder_tensor(
        b, (BuilderTensor){.type = kTfLiteInt8, .rank = 1, .dims = {2}, .scale_count = 2, .scales = scales});
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {0}});
    Fixture f;
    fixture_create(&f, b, NULL);
    const TfLiteTensor* t = lite_subgraph_tensor(f.graph, 0);
    assert_string_equal(t->name, "in");
    assert_int_equal(t->params.zero_point, -3);
    assert_float_equal(t->params.scale, 0.1f, 0);
    assert_int_equal(t->dims_signature->data[0], -1);
    assert_int_equal(t->bytes, 2);
    assert_int_equal(t->buffer_handle, kTfLiteNullBufferHandle);
    assert_float_equal(lite_subgraph_tensor(f.graph, 1)->params.scale, 0, 0); // not one scale: none
    assert_int_equal(lite_subgraph_tensor_index(f.graph, t + 1), 1);
    assert_int_equal(lite_subgraph_tensor_index(f.graph, (const TfLiteTensor*)&f), -1);
    fixture_destroy(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_keep_address_and_contents),
        cmocka_unit_test(impossible_resizes_are_refused),
        cmocka_unit_test(variables_keep_their_contents),
        cmocka_unit_test(constants_and_inputs_can_be_outputs),
        cmocka_unit_test(an_input_with_contents_is_a_constant),
        cmocka_unit_test(a_node_cannot_write_a_constant),
        cmocka_unit_test(tensors_are_not_read_before_they_are_written),
        cmocka_unit_test(a_node_may_write_into_inputs),
        cmocka_unit_test(tensors_can_live_in_the_callers_memory),
        cmocka_unit_test(tensors_are_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
