// SPDX-License-Identifier: Apache-2.0
// IF, WHILE, CALL_ONCE and graphs within graphs, through the public API; and such graphs as cannot be run.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/api/cmocka_setup.h"
#include "tests/api/program.h"

static const TfLiteAddParams kAdd = {.activation = kTfLiteActNone};
static const TfLiteMulParams kMul = {.activation = kTfLiteActNone};
static const TfLiteConcatenationParams kJoin = {.axis = 0, .activation = kTfLiteActNone};
static const float kOne[] = {1};

// A graph x[2] -> y by one operator of two inputs, both x.
static void branch(ModelBuilder* b, TfLiteBuiltinOperator code, const void* params, int output_count) {
    builder_subgraph(b, "branch");
    const int x = float_tensor(b, 2), y = float_tensor(b, output_count);
    add_node(b, code, INTS(x, x), INTS(y), params);
    set_io(b, INTS(x), INTS(y));
}

// The main graph: IF of inputs 0 (condition) and 1.
static ModelBuilder* begin_if(const TfLiteIfParams* params) {
    ModelBuilder* b = builder_create();
    const int c = typed_tensor(b, kTfLiteBool, 1), x = float_tensor(b, 2), y = float_tensor(b, 2);
    add_node(b, kTfLiteBuiltinIf, INTS(c, x), INTS(y), params);
    set_io(b, INTS(c, x), INTS(y));
    return b;
}

static void choose(Program* p, bool condition) {
    TfLiteTensor* tensor = TfLiteInterpreterGetInputTensor(p->interpreter, 0);
    assert_int_equal(TfLiteTensorCopyFromBuffer(tensor, &condition, sizeof condition), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(p->interpreter), kTfLiteOk);
}

static void a_branch_is_chosen_by_each_inference(void** state) {
    (void)state;
    static const TfLiteIfParams params = {1, 2};
    ModelBuilder* b = begin_if(&params);
    branch(b, kTfLiteBuiltinAdd, &kAdd, 2);
    branch(b, kTfLiteBuiltinMul, &kMul, 2);
    Program p;
    program_open(&p, b, NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    program_write(&p, 1, VALUES(3, 4));
    choose(&p, true);
    program_expect(&p, 0, VALUES(6, 8));
    choose(&p, false);
    program_expect(&p, 0, VALUES(9, 16));
    const int three = 3; // branches follow the size of what they are given
    assert_int_equal(TfLiteInterpreterResizeInputTensor(p.interpreter, 1, &three, 1), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    program_write(&p, 1, VALUES(1, 2, 3));
    choose(&p, true);
    program_expect(&p, 0, VALUES(2, 4, 6));
    program_close(&p);
}

static void branches_may_have_different_shapes(void** state) {
    (void)state;
    static const TfLiteIfParams params = {1, 2};
    ModelBuilder* b = begin_if(&params);
    branch(b, kTfLiteBuiltinConcatenation, &kJoin, 4);
    branch(b, kTfLiteBuiltinMul, &kMul, 2);
    Program p;
    program_open(&p, b, NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    program_write(&p, 1, VALUES(3, 4));
    choose(&p, true);
    program_expect(&p, 0, VALUES(3, 4, 3, 4));
    choose(&p, false);
    program_expect(&p, 0, VALUES(9, 16));
    choose(&p, true);
    program_expect(&p, 0, VALUES(3, 4, 3, 4));
    program_close(&p);
}

// WHILE x[0] < limit[0]: body, over values x and limit; graph 1 is the condition.
static ModelBuilder* begin_while(const TfLiteWhileParams* params) {
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 1), limit = float_tensor(b, 1);
    const int y = float_tensor(b, 1), same = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinWhile, INTS(x, limit), INTS(y, same), params);
    set_io(b, INTS(x, limit), INTS(y, same));
    builder_subgraph(b, "condition");
    const int value = float_tensor(b, 1), bound = float_tensor(b, 1), less = typed_tensor(b, kTfLiteBool, 1);
    add_node(b, kTfLiteBuiltinLess, INTS(value, bound), INTS(less), NULL);
    set_io(b, INTS(value, bound), INTS(less));
    return b;
}

static void a_loop_runs_until_its_condition_fails(void** state) {
    (void)state;
    static const TfLiteWhileParams params = {1, 2};
    ModelBuilder* b = begin_while(&params);
    builder_subgraph(b, "body");
    const int x = float_tensor(b, 1), limit = float_tensor(b, 1), one = float_constant(b, 1, kOne);
    const int next = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, one), INTS(next), &kAdd);
    set_io(b, INTS(x, limit), INTS(next, limit)); // an input that is an output
    Program p;
    program_open(&p, b, NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    program_write(&p, 0, VALUES(0));
    program_write(&p, 1, VALUES(1000));
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(1000));
    program_expect(&p, 1, VALUES(1000));
    program_write(&p, 0, VALUES(2000)); // not once
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(2000));
    program_close(&p);
}

// A value that grows with every round: x = {x, sum}, with sum = 2 x[0] compared to the limit by way of a
// second value.
static void shapes_may_change_in_a_loop(void** state) {
    (void)state;
    static const TfLiteWhileParams params = {1, 2};
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 1), n = float_tensor(b, 1), y = float_tensor(b, 1), m = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinWhile, INTS(x, n), INTS(y, m), &params);
    set_io(b, INTS(x, n), INTS(y, m));
    builder_subgraph(b, "condition");
    const int v = float_tensor(b, 1), left = float_tensor(b, 1), less = typed_tensor(b, kTfLiteBool, 1);
    static const float zero[] = {0};
    const int none = float_constant(b, 1, zero);
    add_node(b, kTfLiteBuiltinLess, INTS(none, left), INTS(less), NULL);
    set_io(b, INTS(v, left), INTS(less));
    builder_subgraph(b, "body");
    static const float minus[] = {-1};
    const int in = float_tensor(b, 1), rounds = float_tensor(b, 1), step = float_constant(b, 1, minus);
    const int longer = float_tensor(b, 2), fewer = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinConcatenation, INTS(in, rounds), INTS(longer), &kJoin);
    add_node(b, kTfLiteBuiltinAdd, INTS(rounds, step), INTS(fewer), &kAdd);
    set_io(b, INTS(in, rounds), INTS(longer, fewer));
    Program p;
    program_open(&p, b, NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    program_write(&p, 0, VALUES(9));
    program_write(&p, 1, VALUES(3));
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(9, 3, 2, 1));
    program_expect(&p, 1, VALUES(0));
    program_write(&p, 1, VALUES(1));
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(9, 1));
    program_close(&p);
}

// A loop whose body is a branch whose branch is a loop.
static void graphs_nest(void** state) {
    (void)state;
    static const TfLiteWhileParams outer = {1, 2}, inner = {1, 4};
    static const TfLiteIfParams choice = {3, 3};
    static const bool yes = true;
    ModelBuilder* b = begin_while(&outer);
    builder_subgraph(b, "body");
    const int x = float_tensor(b, 1), limit = float_tensor(b, 1), y = float_tensor(b, 1);
    const int c = builder_tensor(b, (BuilderTensor){.type = kTfLiteBool, .data = &yes, .bytes = 1});
    add_node(b, kTfLiteBuiltinIf, INTS(c, x, limit), INTS(y), &choice);
    set_io(b, INTS(x, limit), INTS(y, limit));
    builder_subgraph(b, "branch");
    const int u = float_tensor(b, 1), bound = float_tensor(b, 1), v = float_tensor(b, 1),
              same = float_tensor(b, 1), shifted = float_tensor(b, 1), one = float_constant(b, 1, kOne);
    add_node(b, kTfLiteBuiltinAdd, INTS(u, one), INTS(shifted), &kAdd);
    add_node(b, kTfLiteBuiltinWhile, INTS(shifted, bound), INTS(v, same), &inner);
    set_io(b, INTS(u, bound), INTS(v));
    builder_subgraph(b, "inner body");
    const int w = float_tensor(b, 1), end = float_tensor(b, 1), doubled = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinAdd, INTS(w, w), INTS(doubled), &kAdd);
    set_io(b, INTS(w, end), INTS(doubled, end));
    Program p;
    program_open(&p, b, NULL);
    // The condition (graph 1) is used on two levels, but never while it runs.
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    program_write(&p, 0, VALUES(2));
    program_write(&p, 1, VALUES(20));
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(24)); // (2 + 1), 6, 12, 24
    program_close(&p);
}

// Forms of bad input.

static void keep_message(void* user_data, const char* format, va_list args) {
    vsnprintf(user_data, 1000, format, args);
}

static void expect_no_model(ModelBuilder* b, const char* message) {
    char said[1000] = "";
    size_t size;
    uint8_t* bytes = builder_finish(b, &size);
    assert_null(TfLiteModelCreateWithErrorReporter(bytes, size, keep_message, said));
    assert_non_null(strstr(said, message));
    free(bytes);
}

static void expect_refused(ModelBuilder* b, const char* message) {
    Program p;
    program_open(&p, b, NULL);
    assert_non_null(p.interpreter);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteError);
    program_expect_message(&p, message);
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteError);
    program_expect_message(&p, "Invoke called on model that is not ready.");
    program_close(&p);
}

static void subgraphs_out_of_range_are_refused(void** state) {
    (void)state;
    static const TfLiteIfParams bad_if[] = {{1, 2}, {2, 1}, {-1, 1}, {1, INT32_MIN}, {INT32_MAX, 1}};
    for (int i = 0; i < 5; i++) {
        ModelBuilder* b = begin_if(&bad_if[i]);
        branch(b, kTfLiteBuiltinAdd, &kAdd, 2);
        expect_no_model(b, "_subgraph_index is ");
    }
    static const TfLiteWhileParams bad_while[] = {{1, 2}, {-1, 1}, {1, -7}};
    for (int i = 0; i < 3; i++) expect_no_model(begin_while(&bad_while[i]), "_subgraph_index is ");
    static const TfLiteCallOnceParams bad_init = {3};
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinCallOnce, NO_INTS, NO_INTS, &bad_init);
    set_io(b, INTS(x), INTS(x));
    expect_no_model(b, "init_subgraph_index is 3, but the model has 1 subgraph");
}

static void interfaces_that_do_not_fit_are_refused(void** state) {
    (void)state;
    static const TfLiteWhileParams loop = {1, 1}; // the condition as the body: one output for two values
    expect_refused(begin_while(&loop), "WHILE: subgraph 1 has 2 inputs and 1 outputs, expected 2 and 2");
    static const TfLiteIfParams params = {1, 1};
    ModelBuilder* b = begin_if(&params);
    builder_subgraph(b, "less");
    const int x = float_tensor(b, 2), less = typed_tensor(b, kTfLiteBool, 2);
    add_node(b, kTfLiteBuiltinLess, INTS(x, x), INTS(less), NULL);
    set_io(b, INTS(x), INTS(less));
    expect_refused(b, "IF: tensor 0 is of type BOOL on one side and FLOAT32 on the other");
    static const TfLiteWhileParams number = {1, 2};
    b = builder_create();
    const int v = float_tensor(b, 1), w = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinWhile, INTS(v), INTS(w), &number);
    set_io(b, INTS(v), INTS(w));
    for (int i = 0; i < 2; i++) {
        builder_subgraph(b, "same");
        const int same = float_tensor(b, 1);
        set_io(b, INTS(same), INTS(same));
    }
    expect_refused(b, "WHILE: the condition is not one BOOL");
}

static void cycles_are_refused(void** state) {
    (void)state;
    static const TfLiteIfParams self = {0, 0}, one = {1, 1};
    ModelBuilder* b = builder_create();
    const int c = typed_tensor(b, kTfLiteBool, 1), d = typed_tensor(b, kTfLiteBool, 1);
    add_node(b, kTfLiteBuiltinIf, INTS(c, c), INTS(d), &self);
    set_io(b, INTS(c), INTS(d));
    expect_refused(b, "in use");
    // A graph that is fine and runs one that runs itself; and two that run each other.
    for (int back = 1; back >= 0; back--) {
        const TfLiteIfParams second = {back, back};
        b = builder_create();
        for (int i = 0; i < 2; i++) {
            if (i > 0) builder_subgraph(b, "second");
            const int x = typed_tensor(b, kTfLiteBool, 1), y = typed_tensor(b, kTfLiteBool, 1);
            add_node(b, kTfLiteBuiltinIf, INTS(x, x), INTS(y), i == 0 ? &one : &second);
            set_io(b, INTS(x), INTS(y));
        }
        expect_refused(b, "in use");
    }
    // An initialiser that calls itself is found out when it runs.
    static const TfLiteCallOnceParams init = {1};
    b = builder_create();
    const int x = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinCallOnce, NO_INTS, NO_INTS, &init);
    set_io(b, INTS(x), INTS(x));
    builder_subgraph(b, "init");
    add_node(b, kTfLiteBuiltinCallOnce, NO_INTS, NO_INTS, &init);
    Program p;
    program_open(&p, b, NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteError);
    program_expect_message(&p, "in use");
    program_close(&p);
}

static void errors_inside_travel_out(void** state) {
    (void)state;
    static const TfLiteIfParams params = {1, 1};
    static const float three[] = {1, 2, 3};
    ModelBuilder* b = begin_if(&params);
    builder_subgraph(b, "branch");
    const int x = float_tensor(b, 2), y = float_tensor(b, 3), c = float_constant(b, 3, three);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, c), INTS(y), &kAdd);
    set_io(b, INTS(x), INTS(y));
    Program p;
    program_open(&p, b, NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteError);
    program_expect_message(&p, "Node number 0 (IF) failed to prepare.");
    const int fits = 3;
    assert_int_equal(TfLiteInterpreterResizeInputTensor(p.interpreter, 1, &fits, 1), kTfLiteOk);
    program_run(&p);
    program_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_branch_is_chosen_by_each_inference),
        cmocka_unit_test(branches_may_have_different_shapes),
        cmocka_unit_test(a_loop_runs_until_its_condition_fails),
        cmocka_unit_test(shapes_may_change_in_a_loop),
        cmocka_unit_test(graphs_nest),
        cmocka_unit_test(subgraphs_out_of_range_are_refused),
        cmocka_unit_test(interfaces_that_do_not_fit_are_refused),
        cmocka_unit_test(cycles_are_refused),
        cmocka_unit_test(errors_inside_travel_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
