// SPDX-License-Identifier: Apache-2.0
// Models that are looked into, and parts of them as models of their own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oclite/flexbuffers_writer.h"
#include "tests/support/absent.h"
#include "tests/support/edit_case.h"

// Reading
// ---------------------------------------------------------------------------------------------------------

static void what_is_not_changed_is_the_same(void** state) {
    (void)state;
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(edit_diamond(), &bytes);
    size_t size;
    assert_ptr_equal(oclite_edit_data(edit, &size), bytes);
    oclite_edit_delete(edit);
    oclite_edit_delete(NULL);
    assert_null(oclite_edit_create(bytes, 20));
    edit_expect_error("The model is not");
    assert_null(oclite_edit_create_from_file(absent_path()));
    edit_expect_error("Could not open");
    free(bytes);
}

static void a_model_tells_what_it_holds(void** state) {
    (void)state;
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(edit_diamond(), &bytes);
    assert_int_equal(oclite_edit_subgraph_count(edit), 1);
    assert_string_equal(edit_subgraph(edit, 0).name, "main");
    edit_expect_ops(edit, 0, 4, (const char*[]){"Twice", "Scratch", "Twice", "Sum"});
    assert_int_equal(edit_node(edit, 0, 3).inputs[1], 3);
    assert_int_equal(edit_tensor(edit, 0, 4).shape[0], 4);
    assert_int_equal(edit_tensor_named(edit, "c"), 3);
    assert_int_equal(oclite_edit_operator_code_count(edit), 4);
    OcliteEditOperatorCode code;
    assert_int_equal(oclite_edit_operator_code(edit, 1, &code), kTfLiteOk);
    assert_string_equal(code.op, "Scratch");
    assert_int_equal(code.version, 1);
    const char* name;
    const void* data;
    size_t size;
    assert_int_equal(oclite_edit_metadata_count(edit), 1);
    assert_int_equal(oclite_edit_metadata(edit, 0, &name, &data, &size), kTfLiteOk);
    assert_string_equal(name, "note");
    assert_memory_equal(data, "kept", 4);
    assert_int_equal(oclite_edit_buffer(edit, oclite_edit_buffer_count(edit) - 1, &data, &size), kTfLiteOk);
    assert_int_equal(size, 4);
    oclite_edit_delete(edit);
    free(bytes);
}

static void numbers_out_of_range_are_errors(void** state) {
    (void)state;
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(edit_diamond(), &bytes);
    OcliteEditNode n;
    OcliteEditTensor t;
    OcliteEditOperatorCode code;
    const void* data;
    size_t size;
    const OcliteEditOperator op = {"F", 1, NULL, 0}, nameless = {"", 1, NULL, 0}, old = {"F", 0, NULL, 0};
    assert_int_equal(oclite_edit_node(edit, 1, 0, &n), kTfLiteError);
    edit_expect_error("there is no subgraph 1: the model has 1");
    assert_int_equal(oclite_edit_node(edit, 0, 4, &n), kTfLiteError);
    edit_expect_error("there is no node 4: there are 4");
    assert_int_equal(oclite_edit_tensor(edit, 0, -1, &t), kTfLiteError);
    assert_int_equal(oclite_edit_operator_code(edit, 4, &code), kTfLiteError);
    assert_int_equal(oclite_edit_buffer(edit, 99, &data, &size), kTfLiteError);
    assert_int_equal(oclite_edit_set_outputs(edit, 0, (int[]){5}, 1), kTfLiteError);
    edit_expect_error("there is no tensor 5: the subgraph has 5");
    assert_int_equal(oclite_edit_find_tensor(edit, 0, "nobody"), -1);
    edit_expect_error("\"nobody\"");
    assert_null(oclite_edit_extract(edit, 0, NULL, 0));
    assert_null(oclite_edit_extract(edit, 0, (int[]){1, 7}, 2));
    edit_expect_error("there is no node 7");
    assert_null(oclite_edit_extract(edit, 0, (int[]){1, 1}, 2));
    edit_expect_error("node 1 (Scratch) is given twice");
    assert_int_equal(oclite_edit_replace(edit, 0, (int[]){0, 0}, 1, 2, &op), kTfLiteError);
    assert_int_equal(oclite_edit_replace(edit, 0, (int[]){0}, 1, 9, &op), kTfLiteError);
    assert_int_equal(oclite_edit_replace(edit, 0, (int[]){0}, 1, 1, &nameless), kTfLiteError);
    assert_int_equal(oclite_edit_replace(edit, 0, (int[]){0}, 1, 1, &old), kTfLiteError);
    assert_ptr_equal(oclite_edit_data(edit, &size), bytes); // still
    oclite_edit_delete(edit);
    free(bytes);
}

static void collect(void* user_data, const char* name, const char* value) {
    char* text = user_data;
    snprintf(text + strlen(text), 2048 - strlen(text), "%s=%s;", name, value);
}

#define CONV_TEXT                                                                                            \
    "padding=SAME;stride_w=2;stride_h=3;fused_activation_function=RELU6;dilation_w_factor=1;"                \
    "dilation_h_factor=1;quantized_bias_type=FLOAT32;"

static OcliteFlexWriter* write_nested_map(void) {
    OcliteFlexWriter* writer = oclite_flex_writer_create();
    oclite_flex_begin_map(writer);
    oclite_flex_write_key(writer, "mode");
    oclite_flex_write_string(writer, "a\"b", 3);
    oclite_flex_write_key(writer, "pads");
    oclite_flex_begin_vector(writer);
    oclite_flex_write_float(writer, 0.1);
    oclite_flex_write_string(writer, "q\"", 2);
    oclite_flex_end(writer);
    oclite_flex_end(writer);
    return writer;
}

static void parameters_are_told_by_name(void** state) {
    (void)state;
    const TfLiteConvParams conv = {.padding = kTfLitePaddingSame,
                                   .stride_width = 2,
                                   .stride_height = 3,
                                   .dilation_width_factor = 1,
                                   .dilation_height_factor = 1,
                                   .activation = kTfLiteActRelu6};
    const TfLiteReshapeParams reshape = {.shape = {1, -1}, .num_dimensions = 2};
    const TfLiteLeakyReluParams leaky = {.alpha = 0.1f};
    const TfLiteCastParams cast = {.in_data_type = kTfLiteInt8, .out_data_type = kTfLiteFloat16};
    OcliteFlexWriter* writer = write_nested_map();
    size_t flex_size;
    const void* flex = oclite_flex_finish(writer, &flex_size);
    ModelBuilder* b = edit_diamond();
    const BuilderInts x = {1, {0}};
    for (int i = 0; i < 7; i++) fixture_tensor(b, 4); // 5 .. 11
    builder_operator(b, (BuilderOperator){
                            .code = kTfLiteBuiltinConv2d, .inputs = x, .outputs = {1, {5}}, .params = &conv});
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinReshape, .inputs = x, .outputs = {1, {6}}, .params = &reshape});
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinLeakyRelu, .inputs = x, .outputs = {1, {7}}, .params = &leaky});
    builder_operator(
        b, (BuilderOperator){.code = kTfLiteBuiltinCast, .inputs = x, .outputs = {1, {8}}, .params = &cast});
    builder_operator(b, (BuilderOperator){.custom_name = "Flex",
                                          .inputs = x,
                                          .outputs = {1, {9}},
                                          .custom_options = flex,
                                          .custom_options_size = flex_size});
    builder_operator(b, (BuilderOperator){.custom_name = "Raw",
                                          .inputs = x,
                                          .outputs = {1, {10}},
                                          .custom_options = "\0\0\0",
                                          .custom_options_size = 3});
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinAbs, .inputs = x, .outputs = {1, {11}}});
    static const char* const expected[] = {
        CONV_TEXT,
        "new_shape=[1, -1];",
        "alpha=0.1;",
        "in_data_type=INT8;out_data_type=FLOAT16;",
        "mode=a\"b;pads=[0.1, \"q\\\"\"];",
        "custom_options=3 bytes;",
        "",
    };
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(b, &bytes);
    for (int i = 0; i < 7; i++) {
        char text[2048] = "";
        assert_int_equal(oclite_edit_parameters(edit, 0, 4 + i, collect, text), kTfLiteOk);
        assert_string_equal(text, expected[i]);
    }
    assert_int_equal(oclite_edit_parameters(edit, 0, 11, collect, NULL), kTfLiteError);
    oclite_flex_writer_delete(writer);
    oclite_edit_delete(edit);
    free(bytes);
}

// Outputs and extraction
// ------------------------------------------------------------------------------------------

static void tensors_become_outputs(void** state) {
    (void)state;
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(edit_diamond(), &bytes);
    assert_int_equal(oclite_edit_set_outputs(edit, 0, (int[]){2, 4}, 2), kTfLiteOk);
    assert_int_equal(edit_subgraph(edit, 0).output_count, 2);
    assert_int_equal(edit_subgraph(edit, 0).outputs[0], 2);
    assert_int_equal(oclite_edit_metadata_count(edit), 1);
    edit_expect_run(edit, 3, 7);
    oclite_edit_delete(edit);
    free(bytes);
}

static void nodes_become_a_model(void** state) {
    (void)state;
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(edit_diamond(), &bytes);
    OcliteEdit* sum = oclite_edit_extract(edit, 0, (int[]){3, 1}, 2); // y = Sum(Scratch(a), c)
    assert_non_null(sum);
    oclite_edit_delete(edit); // is not needed any more
    free(bytes);
    edit_expect_ops(sum, 0, 2, (const char*[]){"Scratch", "Sum"});
    const OcliteEditSubgraph graph = edit_subgraph(sum, 0);
    assert_int_equal(graph.tensor_count, 4);
    assert_int_equal(graph.input_count, 2);
    assert_string_equal(edit_tensor(sum, 0, graph.inputs[0]).name, "a");
    assert_string_equal(edit_tensor(sum, 0, graph.inputs[1]).name, "c");
    assert_int_equal(graph.output_count, 1);
    assert_string_equal(edit_tensor(sum, 0, graph.outputs[0]).name, "y");
    assert_int_equal(oclite_edit_operator_code_count(sum), 2);
    assert_int_equal(oclite_edit_buffer_count(sum), 1);
    assert_int_equal(oclite_edit_metadata_count(sum), 0);
    oclite_edit_delete(sum);
}

// Alone the second ADD would be one of FLOAT32.
static void tensors_have_the_types_that_operators_give(void** state) {
    (void)state;
    static const TfLiteAddParams add = {.activation = kTfLiteActNone};
    ModelBuilder* b = builder_create();
    for (int t = 0; t < 3; t++) {
        builder_tensor(
            b, (BuilderTensor){
                   .type = t == 0 ? kTfLiteInt8 : kTfLiteFloat32, .scale = 1, .rank = 1, .dims = {2}});
    }
    for (int n = 0; n < 2; n++) {
        builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinAdd,
                                              .inputs = {2, {n, n}},
                                              .outputs = {1, {n + 1}},
                                              .params = &add});
    }
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {2}});
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(b, &bytes);
    OcliteEdit* second = oclite_edit_extract(edit, 0, (int[]){1}, 1);
    oclite_edit_delete(edit);
    free(bytes);
    assert_non_null(second);
    const OcliteEditSubgraph graph = edit_subgraph(second, 0);
    assert_int_equal(edit_tensor(second, 0, graph.inputs[0]).type, kTfLiteInt8);
    assert_int_equal(edit_tensor(second, 0, graph.outputs[0]).type, kTfLiteInt8);
    oclite_edit_delete(second);
}

static void all_that_a_tensor_has_is_kept(void** state) {
    (void)state;
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(edit_rich("opts", 4), &bytes);
    OcliteEdit* one = oclite_edit_extract(edit, 0, (int[]){0}, 1);
    oclite_edit_delete(edit);
    free(bytes);
    assert_non_null(one);
    const OcliteEditSubgraph graph = edit_subgraph(one, 0);
    const OcliteEditNode rich_node = edit_node(one, 0, 0);
    assert_int_equal(graph.input_count, 1); // neither the variable, nor what is constant and empty
    assert_int_equal(graph.tensor_count, 8);
    assert_int_equal(rich_node.version, 3);
    assert_int_equal(rich_node.inputs[4], -1);
    assert_int_equal(rich_node.intermediate_count, 2);
    assert_memory_equal(rich_node.custom_options, "opts", 4);
    assert_int_equal(edit_tensor(one, 0, rich_node.inputs[0]).shape_signature[0], -1);
    assert_true(((const float*)edit_tensor(one, 0, rich_node.inputs[1]).data)[3] == 4);
    assert_true(edit_tensor(one, 0, rich_node.inputs[2]).is_variable);
    LiteModel* model = edit_model(one);
    const LiteModelTensor* tensors = lite_model_subgraph(model, 0)->tensors;
    const TfLiteAffineQuantization* affine = tensors[rich_node.inputs[5]].quantization.params;
    assert_true(affine->scale->data[1] == 0.25f);
    assert_non_null(tensors[rich_node.inputs[6]].sparsity);
    lite_model_release(model);
    assert_int_equal(oclite_edit_buffer_count(one), 4); // the empty one, and three constants
    oclite_edit_delete(one);
}

// A file whose constants and custom options lie behind the tables, as in files beyond 2 GiB.
static void contents_outside_of_the_tables_are_kept(void** state) {
    (void)state;
    ModelBuilder* b = edit_rich(NULL, 0);
    const int buffer = (int)lite_tree_get_scalar(builder_tensor_table(b, 2), kTensorBuffer, 0);
    LiteTreeTable* table = lite_tree_at(builder_model(b), kModelBuffers, buffer);
    LiteTreeTable* op = builder_operator_table(b, 0);
    static const float data[] = {10, 20, 30, 40};
    lite_tree_remove(table, kBufferData);
    lite_tree_outside(table, kBufferOffset, data, sizeof(data));
    lite_tree_scalar(table, kBufferSize, 8, sizeof(data));
    lite_tree_outside(op, kOperatorLargeCustomOptionsOffset, "large", 5);
    lite_tree_scalar(op, kOperatorLargeCustomOptionsSize, 8, 5);
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(b, &bytes);
    assert_true(((const float*)edit_tensor(edit, 0, 2).data)[1] == 20);
    OcliteEdit* one = oclite_edit_extract(edit, 0, (int[]){0}, 1);
    const OcliteEditNode n = edit_node(one, 0, 0);
    const OcliteEditTensor weights = edit_tensor(one, 0, n.inputs[1]);
    assert_true(((const float*)weights.data)[3] == 40);
    assert_int_equal(n.custom_options_size, 5);
    assert_memory_equal(n.custom_options, "large", 5);
    const void* contents;
    size_t size, file_size;
    assert_int_equal(oclite_edit_buffer(one, weights.buffer, &contents, &size), kTfLiteOk);
    const uint8_t* file = oclite_edit_data(one, &file_size);
    assert_true((const uint8_t*)contents >= file + file_size - 64); // still behind the tables
    oclite_edit_delete(one);
    oclite_edit_delete(edit);
    free(bytes);
}

static void subgraphs_that_nodes_run_come_along(void** state) {
    (void)state;
    static const TfLiteIfParams branches = {3, 1};
    ModelBuilder* b = builder_create();
    builder_tensor(b, (BuilderTensor){.name = "condition", .type = kTfLiteBool});
    for (int i = 0; i < 3; i++) fixture_tensor(b, 4);
    fixture_node(b, "Twice", 1, 2);
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinIf, .inputs = {2, {0, 2}}, .outputs = {1, {3}}, .params = &branches});
    builder_inputs(b, (BuilderInts){2, {0, 1}});
    builder_outputs(b, (BuilderInts){1, {3}});
    static const char* const ops[] = {"Scratch", "Repeat", "Sum"};
    for (int i = 0; i < 3; i++) {
        builder_subgraph(b, ops[i]);
        fixture_tensor(b, 4);
        fixture_tensor(b, 4);
        fixture_node(b, ops[i], 0, 1);
        builder_inputs(b, (BuilderInts){1, {0}});
        builder_outputs(b, (BuilderInts){1, {1}});
    }
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(b, &bytes);
    OcliteEdit* one = oclite_edit_extract(edit, 0, (int[]){1}, 1);
    char text[2048] = "";
    assert_non_null(one);
    assert_int_equal(oclite_edit_subgraph_count(one), 3);
    assert_int_equal(oclite_edit_parameters(one, 0, 0, collect, text), kTfLiteOk);
    assert_string_equal(text, "then_subgraph_index=1;else_subgraph_index=2;");
    edit_expect_ops(one, 1, 1, (const char*[]){"Sum"});
    edit_expect_ops(one, 2, 1, (const char*[]){"Scratch"});
    assert_int_equal(edit_subgraph(one, 0).input_count, 2);
    oclite_edit_delete(one);
    oclite_edit_delete(edit);
    free(bytes);
}

static void scales_that_are_tensors_come_along(void** state) {
    (void)state;
    static const float scales[] = {1, 2};
    ModelBuilder* b = edit_rich(NULL, 0);
    const int held = builder_tensor(
        b, (BuilderTensor){
               .name = "scales", .type = kTfLiteFloat32, .rank = 1, .dims = {2}, .data = scales, .bytes = 8});
    LiteTreeTable* quantization = lite_tree_child(builder_tensor_table(b, 2), kTensorQuantization);
    lite_tree_scalar(quantization, kQuantizationDetailsType, 1, kDetailsBlockwise);
    LiteTreeTable* details = lite_tree_child(quantization, kQuantizationDetails);
    lite_tree_scalar(details, kBlockwiseScales, 4, (uint32_t)held);
    lite_tree_scalar(details, kBlockwiseZeroPoints, 4, (uint32_t)-1);
    lite_tree_scalar(details, kBlockwiseBlockSize, 4, 2);
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(b, &bytes);
    OcliteEdit* one = oclite_edit_extract(edit, 0, (int[]){0}, 1);
    LiteModel* model = edit_model(one);
    const LiteModelTensor* weights =
        &lite_model_subgraph(model, 0)->tensors[edit_tensor_named(one, "weights")];
    const TfLiteBlockwiseQuantization* blockwise = weights->quantization.params;
    assert_int_equal(weights->quantization.type, kTfLiteBlockwiseQuantization);
    assert_int_equal(blockwise->scale, edit_tensor_named(one, "scales"));
    assert_int_equal(blockwise->zero_point, -1);
    lite_model_release(model);
    oclite_edit_delete(one);
    oclite_edit_delete(edit);
    free(bytes);
}

static void what_is_not_known_is_not_lost(void** state) {
    (void)state;
    ModelBuilder* b = edit_diamond();
    lite_tree_scalar(builder_operator_table(b, 0), kOperatorBuiltinOptionsType, 1, 200);
    lite_tree_child(builder_operator_table(b, 0), kOperatorBuiltinOptions);
    lite_tree_scalar(builder_tensor_table(b, 4), 20, 4, 1); // a field of a later version
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(b, &bytes);
    assert_null(oclite_edit_extract(edit, 0, (int[]){0}, 1));
    edit_expect_error("Operator: has something that this version does not know");
    assert_null(oclite_edit_extract(edit, 0, (int[]){3}, 1));
    edit_expect_error("Tensor: has something");
    OcliteEdit* one = oclite_edit_extract(edit, 0, (int[]){1}, 1);
    assert_non_null(one);
    oclite_edit_delete(one);
    oclite_edit_delete(edit);
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_changed_is_the_same),
        cmocka_unit_test(a_model_tells_what_it_holds),
        cmocka_unit_test(numbers_out_of_range_are_errors),
        cmocka_unit_test(parameters_are_told_by_name),
        cmocka_unit_test(tensors_become_outputs),
        cmocka_unit_test(nodes_become_a_model),
        cmocka_unit_test(tensors_have_the_types_that_operators_give),
        cmocka_unit_test(all_that_a_tensor_has_is_kept),
        cmocka_unit_test(contents_outside_of_the_tables_are_kept),
        cmocka_unit_test(subgraphs_that_nodes_run_come_along),
        cmocka_unit_test(scales_that_are_tensors_come_along),
        cmocka_unit_test(what_is_not_known_is_not_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
