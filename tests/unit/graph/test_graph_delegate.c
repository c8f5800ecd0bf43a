// SPDX-License-Identifier: Apache-2.0
// Delegates that work: nodes are replaced, and stay so while sizes change. What delegates may call is in
// test_graph_delegate_calls.c, those that fail in test_delegate_failures.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/apply.h"
#include "core/graph/buffer_handle.h"
#include "core/graph/delegate.h"
#include "core/graph/delegate_form.h"
#include "core/graph/graph.h"
#include "core/graph/inspect.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/probe_delegate.h"
#include "tests/support/probe_graph.h"

enum { kStatic = kTfLiteDelegateFlagsNone, kDynamic = kTfLiteDelegateFlagsAllowDynamicTensors };

static ProbeDelegate probe;

static void nodes_are_replaced(void** state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        probe_init_variant(&probe, variant);
        Fixture f;
        probe_create(&f, probe_mixed_model(), &probe.delegate);
        probe_expect_plan(&f, 3, (int[]){4, 2, 5});
        LiteNodeInfo info;
        assert_true(lite_subgraph_node_info(f.graph, 0, &info));
        assert_int_equal(info.delegate_node, 4);
        assert_false(info.in_plan);
        assert_true(lite_subgraph_node_info(f.graph, 4, &info));
        assert_string_equal(info.op, "Probe");
        assert_int_equal(info.builtin_code, kTfLiteBuiltinDelegate);
        assert_int_equal(info.replaced_count, 2);
        assert_ptr_equal(info.node->delegate, &probe.delegate);
        assert_false(lite_subgraph_node_info(f.graph, 6, &info));
        probe_run_mixed(&f, 3);
        assert_int_equal(probe.kernel_prepares, 2);
        assert_int_equal(fixture_calls.invoke, 1); // only Scratch
        fixture_destroy(&f);
        assert_int_equal(probe.inits, 2);
        assert_int_equal(probe.frees, 2);
    }
}

static void what_is_for_fixed_sizes_can_run_at_once(void** state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        probe_init_variant(&probe, variant);
        Fixture f;
        probe_create(&f, probe_mixed_model(), &probe.delegate);
        assert_int_equal(lite_subgraph_invoke(f.graph), variant & 2 ? kTfLiteError : kTfLiteOk);
        fixture_destroy(&f);
        // So can what could run before.
        fixture_create(&f, probe_mixed_model(), NULL);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate), kTfLiteOk);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        fixture_destroy(&f);
    }
}

static void variables_survive_a_delegates_failure(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    fixture_tensor(b, 4);
    builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 1, .dims = {1}, .is_variable = true});
    for (int i = 0; i < 2; i++) fixture_tensor(b, 4);
    fixture_node(b, "Twice", 0, 2);
    fixture_node2(b, "Count", 2, 1, 3);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {3}});
    Fixture f;
    probe_init_variant(&probe, 2);
    probe_create(&f, b, &probe.delegate);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    for (int run = 1; run < 5; run++) {
        probe.invoke_status = run == 3 ? kTfLiteDelegateError : kTfLiteOk;
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        fixture_expect(&f, 3, 4, (float)run);
    }
    fixture_destroy(&f);
}

static void errors_of_cpu_nodes_are_errors(void** state) {
    (void)state;
    Fixture f;
    probe_init_variant(&probe, 2);
    probe_create(&f, probe_mixed_model(), &probe.delegate);
    probe_run_mixed(&f, 1);
    fixture_failing_invokes = 1;
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteError);
    probe_expect_plan(&f, 3, (int[]){4, 2, 5});
    probe_run_mixed(&f, 2);
    fixture_destroy(&f);
}

static void resizing_follows(void** state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        probe_init_variant(&probe, variant);
        Fixture f;
        probe_create(&f, probe_mixed_model(), &probe.delegate);
        for (int round = 0; round < 100; round++) {
            const int size = 1 + round % 7;
            assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &size, 1), kTfLiteOk);
            assert_int_equal(lite_subgraph_plan(f.graph).count, variant & 2 ? 3 : 4);
            probe_run_mixed(&f, (float)size);
            assert_int_equal(lite_subgraph_plan(f.graph).count, 3);
            assert_int_equal(f.graph->owned_count, variant & 1); // operators do not pile up
        }
        // Applied again without an allocation.
        const int other = 12;
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &other, 1), kTfLiteOk);
        assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate), kTfLiteOk);
        assert_int_equal(lite_subgraph_plan(f.graph).count, 3);
        probe_run_mixed(&f, 7);
        // A size that cannot be allocated does not cost the delegate.
        const int bad[] = {1 << 30, 15};
        if (lite_subgraph_resize_input(f.graph, 0, bad, 2) == kTfLiteOk)
            (void)lite_subgraph_allocate(f.graph);
        const int good = 2;
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &good, 1), kTfLiteOk);
        probe_run_mixed(&f, 1);
        assert_int_equal(lite_subgraph_plan(f.graph).count, 3);
        fixture_destroy(&f);
        assert_int_equal(probe.frees, probe.inits);
    }
}

static void kernels_behind_dynamic_tensors(void** state) {
    (void)state;
    Fixture f;
    probe_init_variant(&probe, 2);
    probe_create(&f, probe_dynamic_model(), &probe.delegate);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, 6);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 2, 6, 12);
    assert_int_equal(probe.invokes, 1);
    // They are prepared, and may fail, in the middle of an inference.
    probe.kernel_prepare_status = kTfLiteError;
    fixture_fill(&f, 0, 7);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 2, 7, 14);
    fixture_destroy(&f);
}

static void unresolved_operators_can_be_claimed(void** state) {
    (void)state;
    static const int all[] = {0, 1, 2};
    Fixture f;
    probe_init_variant(&probe, 2);
    probe.nodes = all;
    probe.node_count = 3;
    probe_create(&f, fixture_chain("Nobody", 3), &probe.delegate);
    fixture_run(&f);
    probe.invoke_status = kTfLiteDelegateError; // there is no other way to run them
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteUnresolvedOps);
    fixture_destroy(&f);
}

// Shapes inside of subsets, which kernels do not compute themselves.
static void shapes_are_propagated_where_it_is_asked_for(void** state) {
    (void)state;
    for (int variant = 0; variant < 8; variant++) {
        const bool asked = variant & 4;
        probe_init_variant(&probe, variant & 3);
        if (asked) probe.delegate.flags |= kTfLiteDelegateFlagsRequirePropagatedShapes;
        probe.opaque.flags = probe.delegate.flags | (variant & 2 ? kDynamic : kStatic);
        probe.relies_on_shapes = true;
        Fixture f;
        probe_create(&f, probe_mixed_model(), &probe.delegate);
        const int size = 9;
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &size, 1), kTfLiteOk);
        probe_run_mixed(&f, 2);
        // For fixed sizes all nodes have been prepared before, whatever is asked for.
        assert_int_equal(lite_subgraph_plan(f.graph).count, asked || !(variant & 2) ? 3 : 4);
        fixture_destroy(&f);
    }
    probe_init_variant(&probe, 2);
    probe.delegate.flags |= kTfLiteDelegateFlagsRequirePropagatedShapes;
    probe.relies_on_shapes = true;
    Fixture f;
    probe_create(&f, probe_dynamic_model(), &probe.delegate);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    for (int size = 3; size < 6; size++) {
        fixture_fill(&f, 0, (float)size);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        fixture_expect(&f, 2, size, 2 * (float)size);
    }
    assert_int_equal(probe.invokes, 3);
    fixture_destroy(&f);
}

static void delegates_stack(void** state) {
    (void)state;
    for (int variant = 0; variant < 16; variant++) {
        Fixture f;
        probe_init_variant(&probe, variant & 3);
        probe_create(&f, probe_mixed_model(), &probe.delegate);
        ProbeDelegate second;
        (variant & 4 ? probe_init_opaque : probe_init)(&second, variant & 8 ? kDynamic : kStatic);
        assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &second.delegate), kTfLiteOk);
        probe_expect_plan(&f, 3, (int[]){4, 6, 5});
        probe_run_mixed(&f, 1);
        const int size = 6;
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &size, 1), kTfLiteOk);
        probe_run_mixed(&f, 2);
        probe_expect_plan(&f, 3, (int[]){4, 6, 5});
        assert_int_equal(second.invokes, 2);
        lite_delegate_undo(f.graph, 0);
        probe_expect_plan(&f, 4, (int[]){0, 1, 2, 3});
        fixture_destroy(&f);
        assert_int_equal(probe.frees, probe.inits);
        assert_int_equal(second.frees, second.inits);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_replaced),
        cmocka_unit_test(what_is_for_fixed_sizes_can_run_at_once),
        cmocka_unit_test(variables_survive_a_delegates_failure),
        cmocka_unit_test(errors_of_cpu_nodes_are_errors),
        cmocka_unit_test(resizing_follows),
        cmocka_unit_test(kernels_behind_dynamic_tensors),
        cmocka_unit_test(unresolved_operators_can_be_claimed),
        cmocka_unit_test(shapes_are_propagated_where_it_is_asked_for),
        cmocka_unit_test(delegates_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
