// SPDX-License-Identifier: Apache-2.0
// Tensors whose size is known only when a node runs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/invoke.h"
#include "tests/support/graph_fixture.h"

// Repeat, Twice, Twice, Repeat, Twice: x -> {x, x, ...} -> {4x, ...} -> {4x times 4x} -> {8x, ...}
static ModelBuilder* two_dynamic_points(void) {
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 6; i++) fixture_tensor(b, 1);
    fixture_node(b, "Repeat", 0, 1);
    fixture_node(b, "Twice", 1, 2);
    fixture_node(b, "Twice", 2, 3);
    fixture_node(b, "Repeat", 3, 4);
    fixture_node(b, "Twice", 4, 5);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){2, {5, 3}});
    return b;
}

static void run(Fixture* f, float x) {
    fixture_fill(f, 0, x);
    assert_int_equal(lite_subgraph_invoke(f->graph), kTfLiteOk);
    fixture_expect(f, 3, (int)x, 4 * x);
    fixture_expect(f, 5, (int)(4 * x), 8 * x);
}

static void later_nodes_follow_the_sizes(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, two_dynamic_points(), NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    assert_int_equal(fixture_calls.prepare, 1); // up to the first dynamic output
    run(&f, 3);
    assert_int_equal(fixture_calls.prepare, 5);
    run(&f, 3); // same sizes: nothing to prepare
    assert_int_equal(fixture_calls.prepare, 5);
    run(&f, 100);
    run(&f, 1);
    run(&f, 50);
    assert_int_equal(fixture_calls.prepare, 5 + 3 * 4);
    fixture_destroy(&f);
}

static void no_elements_at_all(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 3; i++) fixture_tensor(b, 1);
    fixture_node(b, "Repeat", 0, 1);
    fixture_node(b, "Twice", 1, 2);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {2}});
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    static const float sizes[] = {0, 5, 0, 2};
    for (int i = 0; i < 4; i++) {
        fixture_fill(&f, 0, sizes[i]);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        fixture_expect(&f, 2, (int)sizes[i], 2 * sizes[i]);
    }
    fixture_destroy(&f);
}

static void sizes_that_cannot_be_are_errors(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, two_dynamic_points(), NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, -5);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteError);
    fixture_expect_message(&f, "Node number 0 (Repeat) failed to invoke.");
    run(&f, 4); // and the graph is as good as before
    fixture_destroy(&f);
}

static void an_early_tensor_outlives_later_segments(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 7; i++) fixture_tensor(b, i < 2 ? 4 : 1);
    fixture_node(b, "Twice", 0, 1);  // read again at the very end
    fixture_node(b, "Repeat", 0, 2); // dynamic
    fixture_node(b, "Scratch", 2, 3);
    fixture_node(b, "Repeat", 3, 4); // dynamic
    fixture_node(b, "Scratch", 4, 5);
    fixture_node2(b, "Sum", 5, 1, 6);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {6}});
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    for (int x = 1; x < 40; x += 9) {
        fixture_fill(&f, 0, (float)x);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        fixture_expect(&f, 6, x + 1, (float)(x + 2 + 2 * x));
    }
    fixture_destroy(&f);
}

static void a_resize_starts_over(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, two_dynamic_points(), NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    run(&f, 2);
    const int dims[] = {3};
    assert_int_equal(lite_subgraph_resize_input(f.graph, 0, dims, 1), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    run(&f, 2);
    run(&f, 6);
    fixture_destroy(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_nodes_follow_the_sizes),
        cmocka_unit_test(no_elements_at_all),
        cmocka_unit_test(sizes_that_cannot_be_are_errors),
        cmocka_unit_test(an_early_tensor_outlives_later_segments),
        cmocka_unit_test(a_resize_starts_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
