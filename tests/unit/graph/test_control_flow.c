// SPDX-License-Identifier: Apache-2.0
// Subgraphs that run others: branches, loops, initialisers, and graphs that contain themselves.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"
#include "core/model/open.h"
#include "tests/support/graph_fixture.h"

static int bool_tensor(ModelBuilder* b) {
    return builder_tensor(b, (BuilderTensor){.type = kTfLiteBool, .rank = 0});
}

// IF of inputs 0 (condition) and 1 (float x[4]) and output 2, with these subgraphs as branches.
static void add_if(ModelBuilder* b, const TfLiteIfParams* params) {
    bool_tensor(b);
    fixture_tensor(b, 4);
    fixture_tensor(b, 4);
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinIf, .inputs = {2, {0, 1}}, .outputs = {1, {2}}, .params = params});
    builder_inputs(b, (BuilderInts){2, {0, 1}});
    builder_outputs(b, (BuilderInts){1, {2}});
}

// A subgraph of x[4] with one operator.
static void add_branch(ModelBuilder* b, const char* op) {
    builder_subgraph(b, op);
    fixture_tensor(b, 4);
    fixture_tensor(b, 4);
    fixture_node(b, op, 0, 1);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {1}});
}

static void run_if(Fixture* f, bool condition, float x, int count, float expected) {
    assert_int_equal(lite_subgraph_allocate(f->graph), kTfLiteOk);
    *lite_subgraph_tensor(f->graph, 0)->data.b = condition;
    fixture_fill(f, 1, x);
    assert_int_equal(lite_subgraph_invoke(f->graph), kTfLiteOk);
    fixture_expect(f, 2, count, expected);
}

static void branches_of_one_shape(void** state) {
    (void)state;
    static const TfLiteIfParams params = {1, 2};
    ModelBuilder* b = builder_create();
    add_if(b, &params);
    add_branch(b, "Twice");
    add_branch(b, "Scratch");
    Fixture f;
    fixture_create(&f, b, NULL);
    run_if(&f, true, 3, 4, 6);
    run_if(&f, false, 3, 4, 4);
    assert_int_equal(lite_subgraph_tensor(f.graph, 2)->allocation_type, kTfLiteArenaRw);
    const int dims[] = {9};
    assert_int_equal(lite_subgraph_resize_input(f.graph, 1, dims, 1), kTfLiteOk);
    run_if(&f, true, 3, 9, 6);
    fixture_destroy(&f);
}

// As in the reference: what is passed to a branch takes the place of what the model has for its input.
static void contents_of_a_branch_give_way(void** state) {
    (void)state;
    static const TfLiteIfParams params = {1, 1};
    static const float contents[] = {7, 7, 7, 7};
    ModelBuilder* b = builder_create();
    add_if(b, &params);
    builder_subgraph(b, "Twice");
    builder_tensor(
        b, (BuilderTensor){
               .type = kTfLiteFloat32, .rank = 1, .dims = {4}, .data = contents, .bytes = sizeof contents});
    fixture_tensor(b, 4);
    fixture_node(b, "Twice", 0, 1);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {1}});
    Fixture f;
    fixture_create(&f, b, NULL);
    run_if(&f, true, 3, 4, 6);
    const int dims[] = {9};
    assert_int_equal(lite_subgraph_resize_input(f.graph, 1, dims, 1), kTfLiteOk);
    run_if(&f, true, 5, 9, 10);
    fixture_destroy(&f);
}

static void branches_of_different_shapes(void** state) {
    (void)state;
    static const TfLiteIfParams params = {1, 2};
    ModelBuilder* b = builder_create();
    add_if(b, &params);
    add_branch(b, "Repeat");
    add_branch(b, "Scratch");
    Fixture f;
    fixture_create(&f, b, NULL);
    run_if(&f, true, 5, 5, 5);
    run_if(&f, false, 5, 4, 6);
    run_if(&f, true, 2, 2, 2);
    fixture_destroy(&f);
}

static void subgraphs_that_do_not_fit_are_refused(void** state) {
    (void)state;
    static const TfLiteIfParams missing = {1, 7};
    static const TfLiteIfParams negative = {-1, 1};
    const TfLiteIfParams* const cases[] = {&missing, &negative};
    for (int i = 0; i < 2; i++) {
        ModelBuilder* b = builder_create();
        add_if(b, cases[i]);
        add_branch(b, "Twice");
        size_t size;
        uint8_t* bytes = builder_finish(b, &size);
        LiteModel* model = lite_model_create(bytes, size, NULL); // may refuse it already
        LiteInterpreter* interpreter = model != NULL ? lite_interpreter_create(model, NULL) : NULL;
        if (interpreter != NULL) {
            assert_int_not_equal(lite_subgraph_allocate(lite_interpreter_subgraph(interpreter, 0)),
                                 kTfLiteOk);
        }
        lite_interpreter_destroy(interpreter);
        lite_model_release(model);
        free(bytes);
    }
}

static void a_graph_that_contains_itself_is_refused(void** state) {
    (void)state;
    static const TfLiteIfParams itself = {0, 0};
    ModelBuilder* b = builder_create();
    builder_tensor(b, (BuilderTensor){.type = kTfLiteBool, .rank = 0});
    bool_tensor(b);
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinIf, .inputs = {2, {0, 0}}, .outputs = {1, {1}}, .params = &itself});
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {1}});
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteError);
    fixture_expect_message(&f, "in use");
    fixture_destroy(&f);
}

static void nesting_has_a_limit(void** state) {
    (void)state;
    enum { kLevels = 200 };
    static TfLiteIfParams params[kLevels];
    ModelBuilder* b = builder_create();
    for (int i = 0; i < kLevels; i++) {
        if (i > 0) builder_subgraph(b, "level");
        params[i] = (TfLiteIfParams){i + 1, i + 1};
        bool_tensor(b);
        bool_tensor(b);
        builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinIf,
                                              .inputs = {2, {0, 0}},
                                              .outputs = {1, {1}},
                                              .params = &params[i]});
        builder_inputs(b, (BuilderInts){1, {0}});
        builder_outputs(b, (BuilderInts){1, {1}});
    }
    builder_subgraph(b, "last");
    bool_tensor(b);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {0}});
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteError);
    fixture_expect_message(&f, "nested deeper");
    fixture_destroy(&f);
}

// WHILE sum(x) < limit: x = 2 x, through the library's own kernels.
static void loops_run_until_the_condition_fails(void** state) {
    (void)state;
    static const TfLiteWhileParams params = {1, 2};
    static const float limit[] = {100};
    ModelBuilder* b = builder_create();
    fixture_tensor(b, 1);
    fixture_tensor(b, 1);
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinWhile, .inputs = {1, {0}}, .outputs = {1, {1}}, .params = &params});
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {1}});
    builder_subgraph(b, "condition");
    fixture_tensor(b, 1);
    builder_tensor(b,
                   (BuilderTensor){
                       .type = kTfLiteFloat32, .rank = 1, .dims = {1}, .data = limit, .bytes = sizeof limit});
    builder_tensor(b, (BuilderTensor){.type = kTfLiteBool, .rank = 1, .dims = {1}});
    builder_operator(
        b, (BuilderOperator){.code = kTfLiteBuiltinLess, .inputs = {2, {0, 1}}, .outputs = {1, {2}}});
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {2}});
    builder_subgraph(b, "body");
    fixture_tensor(b, 1);
    fixture_tensor(b, 1);
    fixture_node(b, "Twice", 0, 1);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {1}});
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, 3);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 1, 1, 192);
    assert_int_equal(fixture_calls.invoke, 6);
    fixture_fill(&f, 0, 500); // not once
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 1, 1, 500);
    fixture_destroy(&f);
}

static void initialisers_run_once(void** state) {
    (void)state;
    static const TfLiteCallOnceParams params = {1};
    static const float constant[] = {1, 1, 1, 1};
    ModelBuilder* b = fixture_chain("Twice", 1);
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinCallOnce, .params = &params});
    builder_subgraph(b, "initialiser");
    builder_tensor(
        b, (BuilderTensor){
               .type = kTfLiteFloat32, .rank = 1, .dims = {4}, .data = constant, .bytes = sizeof constant});
    fixture_tensor(b, 4);
    fixture_node(b, "Twice", 0, 1);
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    for (int i = 0; i < 3; i++) assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    assert_int_equal(fixture_calls.invoke, 3 + 1);
    fixture_destroy(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branches_of_one_shape),
        cmocka_unit_test(contents_of_a_branch_give_way),
        cmocka_unit_test(branches_of_different_shapes),
        cmocka_unit_test(subgraphs_that_do_not_fit_are_refused),
        cmocka_unit_test(a_graph_that_contains_itself_is_refused),
        cmocka_unit_test(nesting_has_a_limit),
        cmocka_unit_test(loops_run_until_the_condition_fails),
        cmocka_unit_test(initialisers_run_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
