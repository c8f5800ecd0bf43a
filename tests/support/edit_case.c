// SPDX-License-Identifier: Apache-2.0
#include "tests/support/edit_case.h"
#include "core/model/open.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"

void edit_expect_error(const char* part) {
    if (strstr(oclite_edit_last_error(), part) == NULL) {
        fail_msg("expected \"%s\" in \"%s\"", part, oclite_edit_last_error());
    }
}

OcliteEdit* edit_open(ModelBuilder* b, uint8_t** bytes) {
    size_t size;
    *bytes = builder_finish(b, &size);
    OcliteEdit* edit = oclite_edit_create(*bytes, size);
    if (edit == NULL) fail_msg("%s", oclite_edit_last_error());
    return edit;
}

LiteModel* edit_model(const OcliteEdit* edit) {
    size_t size;
    const void* data = oclite_edit_data(edit, &size);
    LiteModel* model = lite_model_create(data, size, NULL);
    assert_non_null(model);
    return model;
}

OcliteEditSubgraph edit_subgraph(const OcliteEdit* edit, int index) {
    OcliteEditSubgraph result;
    assert_int_equal(oclite_edit_subgraph(edit, index, &result), kTfLiteOk);
    return result;
}

OcliteEditNode edit_node(const OcliteEdit* edit, int graph, int index) {
    OcliteEditNode result;
    assert_int_equal(oclite_edit_node(edit, graph, index, &result), kTfLiteOk);
    return result;
}

OcliteEditTensor edit_tensor(const OcliteEdit* edit, int graph, int index) {
    OcliteEditTensor result;
    assert_int_equal(oclite_edit_tensor(edit, graph, index, &result), kTfLiteOk);
    return result;
}

int edit_tensor_named(const OcliteEdit* edit, const char* name) {
    const int found = oclite_edit_find_tensor(edit, 0, name);
    if (found < 0) fail_msg("%s", oclite_edit_last_error());
    return found;
}

void edit_expect_ops(const OcliteEdit* edit, int graph, int count, const char* const* ops) {
    assert_int_equal(edit_subgraph(edit, graph).node_count, count);
    for (int i = 0; i < count; i++) assert_string_equal(edit_node(edit, graph, i).op, ops[i]);
}

// A diamond: y = Sum(Scratch(Twice(x)), Twice(Twice(x))), nodes 0 Twice, 1 Scratch, 2 Twice, 3 Sum; and a
// signature of it. All tensors have 4 elements.
ModelBuilder* edit_diamond(void) {
    ModelBuilder* b = builder_create();
    static const char* const names[] = {"x", "a", "b", "c", "y"};
    for (int i = 0; i < 5; i++) {
        builder_tensor(b, (BuilderTensor){.name = names[i], .type = kTfLiteFloat32, .rank = 1, .dims = {4}});
    }
    fixture_node(b, "Twice", 0, 1);
    fixture_node(b, "Scratch", 1, 2);
    fixture_node(b, "Twice", 1, 3);
    fixture_node2(b, "Sum", 2, 3, 4);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {4}});
    builder_signature(b, "serve", 0, (BuilderNames){1, {{"in", 0}}}, (BuilderNames){1, {{"out", 4}}});
    builder_metadata(b, "note", "kept", 4);
    return b;
}

// Runs a model of the fixture's operators: input 0 is filled with `x`, output 0 is expected to be `y`.
void edit_expect_run(const OcliteEdit* edit, float x, float y) {
    const LiteOperatorEntry* entries;
    const int entry_count = fixture_operators(&entries);
    const LiteInterpreterOptions options = {.operator_count = entry_count, .operators = entries};
    LiteModel* model = edit_model(edit);
    LiteInterpreter* interpreter = lite_interpreter_create(model, &options);
    assert_non_null(interpreter);
    LiteSubgraph* graph = lite_interpreter_subgraph(interpreter, 0);
    assert_int_equal(lite_subgraph_allocate(graph), kTfLiteOk);
    TfLiteTensor* input = lite_subgraph_tensor(graph, edit_subgraph(edit, 0).inputs[0]);
    for (int i = 0; i < 4; i++) input->data.f[i] = x;
    assert_int_equal(lite_subgraph_invoke(graph), kTfLiteOk);
    assert_true(lite_subgraph_tensor(graph, edit_subgraph(edit, 0).outputs[0])->data.f[3] == y);
    lite_interpreter_destroy(interpreter);
    lite_model_release(model);
}

// z = CUSTOM(x, constant, variable, an empty constant) with everything that a tensor can have.
ModelBuilder* edit_rich(const void* options, size_t options_size) {
    static const float data[] = {1, 2, 3, 4}, scales[] = {0.5f, 0.25f};
    static const int8_t bytes[] = {5, 6}, junk[] = {9, 9, 9};
    static const int64_t zeros[] = {0, 0};
    static const int32_t signature[] = {-1};
    ModelBuilder* b = builder_create();
    builder_tensor(
        b, (BuilderTensor){
               .name = "unused", .type = kTfLiteInt8, .rank = 1, .dims = {3}, .data = junk, .bytes = 3});
    builder_tensor(
        b,
        (BuilderTensor){.name = "x", .type = kTfLiteFloat32, .rank = 1, .dims = {4}, .signature = signature});
    builder_tensor(
        b, (BuilderTensor){
               .name = "weights", .type = kTfLiteFloat32, .rank = 1, .dims = {4}, .data = data, .bytes = 16});
    builder_tensor(b,
                   (BuilderTensor){
                       .name = "state", .type = kTfLiteFloat32, .rank = 1, .dims = {1}, .is_variable = true});
    builder_tensor(b, (BuilderTensor){.name = "nothing", .type = kTfLiteInt32, .rank = 1, .dims = {0}});
    builder_tensor(b, (BuilderTensor){.name = "channels",
                                      .type = kTfLiteInt8,
                                      .rank = 1,
                                      .dims = {2},
                                      .data = bytes,
                                      .bytes = 2,
                                      .scale_count = 2,
                                      .scales = scales,
                                      .zero_points = zeros});
    builder_tensor(b, (BuilderTensor){.name = "sparse",
                                      .type = kTfLiteFloat32,
                                      .rank = 1,
                                      .dims = {1000},
                                      .data = data,
                                      .bytes = 4,
                                      .sparse = true});
    builder_tensor(b, (BuilderTensor){.name = "z", .type = kTfLiteFloat32, .rank = 1, .dims = {4}});
    builder_tensor(b, (BuilderTensor){.name = "end", .type = kTfLiteFloat32, .rank = 1, .dims = {4}});
    builder_operator(b, (BuilderOperator){.custom_name = "Rich",
                                          .version = 3,
                                          .inputs = {7, {1, 2, 3, 4, -1, 5, 6}},
                                          .outputs = {1, {7}},
                                          .intermediates = {2, {8, -1}},
                                          .custom_options = options,
                                          .custom_options_size = options_size});
    fixture_node(b, "Twice", 7, 8);
    builder_inputs(b, (BuilderInts){1, {1}});
    builder_outputs(b, (BuilderInts){1, {8}});
    return b;
}
