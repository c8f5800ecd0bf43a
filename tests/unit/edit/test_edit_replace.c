// SPDX-License-Identifier: Apache-2.0
// Nodes that are found, and become one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "tests/support/edit_case.h"

// Replacement
// -----------------------------------------------------------------------------------------------------

static const OcliteEditOperator twice = {"Twice", 1, NULL, 0};
static const OcliteEditOperator fused = {"Fused", 2, "options", 7};

static void nodes_become_one(void** state) {
    (void)state;
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(edit_diamond(), &bytes);
    assert_int_equal(oclite_edit_replace(edit, 0, (int[]){3, 1, 2}, 3, 1, &fused), kTfLiteOk);
    edit_expect_ops(edit, 0, 2, (const char*[]){"Twice", "Fused"});
    const OcliteEditNode n = edit_node(edit, 0, 1);
    assert_int_equal(n.version, 2);
    assert_memory_equal(n.custom_options, "options", 7);
    assert_int_equal(n.input_count, 1);
    assert_string_equal(edit_tensor(edit, 0, n.inputs[0]).name, "a");
    assert_int_equal(n.output_count, 1);
    assert_string_equal(edit_tensor(edit, 0, n.outputs[0]).name, "y");
    // b and c, and the operators of the others, are gone; signatures and metadata are not.
    assert_int_equal(edit_subgraph(edit, 0).tensor_count, 3);
    assert_int_equal(oclite_edit_operator_code_count(edit), 2);
    assert_int_equal(oclite_edit_metadata_count(edit), 1);
    LiteModel* model = edit_model(edit);
    assert_int_equal(lite_model_signature(model, 0)->outputs[0].tensor, edit_tensor_named(edit, "y"));
    lite_model_release(model);
    // And once more: with operators that can be run.
    assert_int_equal(oclite_edit_replace(edit, 0, (int[]){1}, 1, 1, &twice), kTfLiteOk);
    edit_expect_run(edit, 3, 12);
    oclite_edit_delete(edit);
    free(bytes);
}

static void nodes_between_move_behind(void** state) {
    (void)state;
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(edit_diamond(), &bytes);
    // Twice and the other Twice: the Scratch between them reads what the first makes.
    assert_int_equal(oclite_edit_replace(edit, 0, (int[]){0, 2}, 2, 1, &fused), kTfLiteOk);
    edit_expect_ops(edit, 0, 3, (const char*[]){"Fused", "Scratch", "Sum"});
    assert_int_equal(edit_node(edit, 0, 0).output_count, 2);
    oclite_edit_delete(edit);
    free(bytes);
}

static void a_value_that_comes_back_is_refused(void** state) {
    (void)state;
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(edit_diamond(), &bytes);
    assert_int_equal(oclite_edit_replace(edit, 0, (int[]){0, 3}, 2, 1, &fused), kTfLiteError);
    edit_expect_error(
        "node 3 (Sum) cannot become one with the others: tensor 2 (b), which it reads, depends on them");
    // Each group would do, but not both.
    assert_int_equal(oclite_edit_replace(edit, 0, (int[]){0, 1, 2, 3}, 2, 2, &fused), kTfLiteOk);
    oclite_edit_delete(edit);
    free(bytes);
}

static void groups_in_a_circle_are_refused(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 6; i++) fixture_tensor(b, 4);
    fixture_node(b, "Twice", 0, 2);   // group 0
    fixture_node(b, "Scratch", 1, 3); // group 1
    fixture_node(b, "Twice", 2, 4);   // group 1
    fixture_node(b, "Scratch", 3, 5); // group 0
    builder_inputs(b, (BuilderInts){2, {0, 1}});
    builder_outputs(b, (BuilderInts){2, {4, 5}});
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(b, &bytes);
    assert_int_equal(oclite_edit_replace(edit, 0, (int[]){0, 3, 1, 2}, 2, 2, &fused), kTfLiteError);
    edit_expect_error("cannot become one");
    assert_int_equal(oclite_edit_replace(edit, 0, (int[]){0, 3}, 2, 1, &fused), kTfLiteOk);
    oclite_edit_delete(edit);
    free(bytes);
}

static void variables_keep_their_order(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    builder_tensor(b,
                   (BuilderTensor){
                       .name = "state", .type = kTfLiteFloat32, .rank = 1, .dims = {1}, .is_variable = true});
    for (int i = 0; i < 5; i++) fixture_tensor(b, 4); // 1 .. 5
    fixture_node2(b, "Count", 1, 0, 2);
    fixture_node2(b, "Count", 1, 0, 3);
    fixture_node2(b, "Count", 1, 0, 4);
    fixture_node(b, "Twice", 1, 5);
    builder_inputs(b, (BuilderInts){1, {1}});
    builder_outputs(b, (BuilderInts){4, {2, 3, 4, 5}});
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(b, &bytes);
    assert_int_equal(oclite_edit_replace(edit, 0, (int[]){0, 2}, 2, 1, &fused), kTfLiteError);
    edit_expect_error("tensor 0 (state)");
    assert_int_equal(oclite_edit_replace(edit, 0, (int[]){0, 1, 3}, 3, 1, &fused), kTfLiteOk);
    edit_expect_ops(edit, 0, 2, (const char*[]){"Fused", "Count"});
    LiteModel* model = edit_model(edit);
    const LiteModelOperator* op = &lite_model_subgraph(model, 0)->operators[0];
    assert_int_equal(op->inputs.count, 2); // x, state
    assert_int_equal(op->mutating_inputs.data[0], 0);
    assert_int_equal(op->mutating_inputs.data[1], 1);
    lite_model_release(model);
    oclite_edit_delete(edit);
    free(bytes);
}

static void side_effects_keep_their_order(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    builder_tensor(b, (BuilderTensor){.name = "handle", .type = kTfLiteResource});
    for (int i = 0; i < 3; i++) fixture_tensor(b, 4); // 1 .. 3
    fixture_node2(b, "Read", 1, 0, 2);
    builder_operator(b, (BuilderOperator){.custom_name = "Assign", .inputs = {2, {0, 1}}});
    fixture_node2(b, "Read", 1, 0, 3);
    builder_inputs(b, (BuilderInts){2, {0, 1}});
    builder_outputs(b, (BuilderInts){2, {2, 3}});
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(b, &bytes);
    assert_int_equal(oclite_edit_replace(edit, 0, (int[]){0, 2}, 2, 1, &fused), kTfLiteError);
    edit_expect_error("nodes between them have side effects");
    oclite_edit_delete(edit);
    free(bytes);
}

// Finding
// ---------------------------------------------------------------------------------------------------------

static void chains_are_found(void** state) {
    (void)state;
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(fixture_chain("Twice", 5), &bytes);
    const char* const pair[] = {"Twice", "Twice"};
    const char* const other[] = {"Twice", "Sum"};
    int nodes[4] = {-1, -1, -1, -1};
    assert_int_equal(oclite_edit_find_chains(edit, 0, pair, 2, nodes, 1), 2);
    assert_int_equal(nodes[1], 1);
    assert_int_equal(nodes[2], -1); // there was room for one
    assert_int_equal(oclite_edit_find_chains(edit, 0, pair, 2, nodes, 2), 2);
    assert_int_equal(nodes[2], 2);
    assert_int_equal(oclite_edit_find_chains(edit, 0, other, 2, NULL, 0), 0);
    assert_int_equal(oclite_edit_find_chains(edit, 0, pair, 0, NULL, 0), -1);
    assert_int_equal(oclite_edit_replace(edit, 0, nodes, 2, 2, &twice), kTfLiteOk);
    edit_expect_run(edit, 1, 8); // three of five are left
    oclite_edit_delete(edit);
    free(bytes);
    // What others read ends a chain.
    edit = edit_open(edit_diamond(), &bytes);
    assert_int_equal(oclite_edit_find_chains(edit, 0, (const char*[]){"Twice", "Scratch"}, 2, nodes, 2), 0);
    assert_int_equal(oclite_edit_find_chains(edit, 0, other, 2, nodes, 2), 1);
    assert_int_equal(nodes[0], 2);
    oclite_edit_delete(edit);
    free(bytes);
}

static void nodes_between_tensors_are_found(void** state) {
    (void)state;
    uint8_t* bytes;
    OcliteEdit* edit = edit_open(edit_diamond(), &bytes);
    int nodes[4];
    assert_int_equal(oclite_edit_find_between(edit, 0, (int[]){1}, 1, (int[]){4}, 1, nodes, 4), 3);
    assert_int_equal(nodes[0], 1);
    assert_int_equal(oclite_edit_find_between(edit, 0, (int[]){1, 2}, 2, (int[]){4}, 1, nodes, 4), 2);
    assert_int_equal(nodes[0], 2);
    assert_int_equal(oclite_edit_find_between(edit, 0, (int[]){2}, 1, (int[]){4}, 1, nodes, 4), -1);
    edit_expect_error("tensor 0 (x), an input of the model, is needed too");
    assert_int_equal(oclite_edit_find_between(edit, 0, (int[]){9}, 1, (int[]){4}, 1, nodes, 4), -1);
    oclite_edit_delete(edit);
    free(bytes);
}

// Out of memory
// ---------------------------------------------------------------------------------------------------

static void ignore(void* user_data, const char* name, const char* value) {
    (void)user_data;
    (void)name;
    (void)value;
}

// Everything with one model. false: something failed, for lack of memory.
static bool live(const uint8_t* bytes, size_t size) {
    const char* const chain[] = {"Rich", "Twice"};
    int nodes[2];
    OcliteEdit* edit = oclite_edit_create(bytes, size);
    if (edit == NULL) return false;
    OcliteEdit* one = oclite_edit_extract(edit, 0, (int[]){0}, 1);
    const bool done = one != NULL && oclite_edit_parameters(edit, 0, 0, ignore, NULL) == kTfLiteOk &&
                      oclite_edit_set_outputs(edit, 0, (int[]){7, 8}, 2) == kTfLiteOk &&
                      oclite_edit_set_outputs(edit, 0, (int[]){8}, 1) == kTfLiteOk &&
                      oclite_edit_find_between(edit, 0, (int[]){1}, 1, (int[]){8}, 1, nodes, 2) == 2 &&
                      oclite_edit_find_chains(edit, 0, chain, 2, nodes, 1) == 1 &&
                      oclite_edit_replace(edit, 0, nodes, 2, 1, &fused) == kTfLiteOk;
    if (!done) edit_expect_error("out of memory");
    oclite_edit_delete(one);
    oclite_edit_delete(edit);
    return done;
}

static void every_allocation_may_fail(void** state) {
    (void)state;
    size_t size;
    uint8_t* bytes = builder_finish(edit_rich("opts", 4), &size);
    int point = 0;
    lite_memory_count_live(true);
    const int64_t before = lite_memory_live();
    for (int alone = 0; alone < 2; alone++) {
        bool done = false;
        for (point = 0; !done; point++) {
            assert_true(point < 10000);
            alone ? lite_memory_fail_once(point) : lite_memory_fail_after(point);
            done = live(bytes, size) && lite_memory_failures() == 0;
            lite_memory_fail_after(-1);
            assert_int_equal(lite_memory_live(), before);
        }
        assert_true(point > 20);
    }
    lite_memory_count_live(false);
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_become_one),
        cmocka_unit_test(nodes_between_move_behind),
        cmocka_unit_test(a_value_that_comes_back_is_refused),
        cmocka_unit_test(groups_in_a_circle_are_refused),
        cmocka_unit_test(variables_keep_their_order),
        cmocka_unit_test(side_effects_keep_their_order),
        cmocka_unit_test(chains_are_found),
        cmocka_unit_test(nodes_between_tensors_are_found),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
