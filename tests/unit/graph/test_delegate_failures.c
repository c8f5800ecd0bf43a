// SPDX-License-Identifier: Apache-2.0
// Delegates that fail: the statuses that programs see, and what runs afterwards.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/apply.h"
#include "core/graph/buffer_handle.h"
#include "core/graph/graph.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/probe_delegate.h"
#include "tests/support/probe_graph.h"

enum { kStatic = kTfLiteDelegateFlagsNone, kDynamic = kTfLiteDelegateFlagsAllowDynamicTensors };

static ProbeDelegate probe, second;

static void create(Fixture* f, ModelBuilder* builder, bool fallback) {
    TfLiteDelegate* const delegates[] = {&probe.delegate, &second.delegate};
    const int count = second.delegate.data_ != NULL || second.opaque.data != NULL ? 2 : 1;
    fixture_create(f, builder,
                   &(LiteInterpreterOptions){
                       .delegates = delegates, .delegate_count = count, .delegate_fallback = fallback});
}

static int plan_size(const Fixture* f) {
    return lite_subgraph_plan(f->graph).count;
}

static void expect_invoke(Fixture* f, TfLiteStatus status, float x) {
    fixture_fill(f, 0, x);
    assert_int_equal(lite_subgraph_invoke(f->graph), status);
    if (status == kTfLiteOk || status == kTfLiteDelegateError) fixture_expect(f, 4, 4, (4 * x + 1) * 2);
}

static int reset(void** state) {
    (void)state;
    memset(&second, 0, sizeof second);
    return 0;
}

// The ways in which a delegate can fail to be applied.
static const int bad_nodes[][2] = {{0, -1}, {0, 4}, {INT32_MAX, 0}};
static void fails_itself(void) {
    probe.prepare_status = kTfLiteError;
}
static void fails_otherwise(void) {
    probe.prepare_status = kTfLiteUnresolvedOps;
}
static void fails_in_init(void) {
    probe.init_fails = true;
}
static void asks_for_nodes_that_do_not_exist(void) {
    static int round;
    probe.nodes = bad_nodes[round++ % 3];
    probe.node_count = 2;
}
static void has_no_prepare(void) {
    probe.delegate.Prepare = NULL;
    probe.opaque.Prepare = NULL;
}
static void
fails_in_kernel_prepare(void) { // only delegates for fixed sizes are prepared when they are applied
    probe.delegate.flags = probe.opaque.flags = kStatic;
    probe.kernel_prepare_status = kTfLiteError;
}
static void has_no_data_in_kernel_prepare(void) {
    probe.delegate.flags = probe.opaque.flags = kStatic;
    probe.init_gives_null = true;
}
static void (*const failures[])(void) = {
    fails_itself,
    fails_otherwise,
    fails_in_init,
    asks_for_nodes_that_do_not_exist,
    has_no_prepare,
    fails_in_kernel_prepare,
    has_no_data_in_kernel_prepare,
};

static void for_each_failure(void (*check)(void)) {
    for (int variant = 0; variant < 4; variant++) {
        for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
            (variant & 1 ? probe_init_opaque : probe_init)(&probe, variant & 2 ? kDynamic : kStatic);
            failures[i]();
            check();
            assert_int_equal(probe.frees, probe.init_fails || probe.init_gives_null ? 0 : probe.inits);
        }
    }
}

static void check_no_creation(void) {
    Fixture f;
    create(&f, probe_mixed_model(), false);
    assert_null(f.interpreter);
    fixture_expect_message(&f, "Delegate 0 could not be applied.");
    fixture_destroy(&f);
}

static void no_interpreter_is_made(void** state) {
    (void)state;
    for_each_failure(check_no_creation);
}

static void check_creation_with_fallback(void) {
    Fixture f;
    create(&f, probe_mixed_model(), true);
    assert_non_null(f.interpreter);
    fixture_expect_message(&f, "the CPU runs the model");
    assert_int_equal(plan_size(&f), 4);
    assert_int_equal(lite_subgraph_node_count(f.graph), 4);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    expect_invoke(&f, kTfLiteOk, 3);
    fixture_destroy(&f);
}

static void with_fallback_the_cpu_takes_over(void** state) {
    (void)state;
    for_each_failure(check_creation_with_fallback);
}

static void check_modify(void) {
    Fixture f;
    ProbeDelegate good;
    probe_init(&good, kDynamic);
    good.takes = "Scratch";
    fixture_create(&f, probe_mixed_model(), NULL);
    assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &good.delegate), kTfLiteOk);
    assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate), kTfLiteDelegateError);
    // Both are gone, and the graph can run at once.
    assert_int_equal(plan_size(&f), 4);
    assert_int_equal(good.frees, good.inits);
    expect_invoke(&f, kTfLiteOk, 2);
    assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &good.delegate), kTfLiteOk);
    expect_invoke(&f, kTfLiteOk, 1);
    assert_int_equal(good.invokes, 1);
    fixture_destroy(&f);
}

static void a_failure_removes_all_delegates(void** state) {
    (void)state;
    for_each_failure(check_modify);
}

static void without_a_delegate(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, probe_mixed_model(), NULL);
    assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, NULL), kTfLiteDelegateError);
    fixture_expect_message(&f, "Null delegate.");
    expect_invoke(&f, kTfLiteOk, 1);
    fixture_destroy(&f);
}

// 0 -Repeat-> 1 -Twice-> 2: sizes are known when it runs.
static void fixed_sizes_do_not_suit_dynamic_graphs(void** state) {
    (void)state;
    Fixture f;
    probe_init(&probe, kDynamic);
    probe_init(&second, kStatic); // also when a delegate is there already
    second.takes = "Sum";
    fixture_create(&f, probe_dynamic_model(), NULL);
    assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate), kTfLiteOk);
    assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &second.delegate),
                     kTfLiteApplicationError);
    assert_int_equal(second.prepares, 0);
    fixture_fill(&f, 0, 3); // it can run at once, with the first delegate
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 2, 3, 6);
    assert_int_equal(probe.invokes, 1);
    fixture_destroy(&f);
    create(&f, probe_dynamic_model(), false);
    assert_null(f.interpreter);
    fixture_destroy(&f);
    create(&f, probe_dynamic_model(), true);
    assert_int_equal(plan_size(&f), 2);
    fixture_destroy(&f);
}

static void what_is_fixed_stays_fixed(void** state) {
    (void)state;
    static const int first_nodes[] = {0, 1}, last_node[] = {3};
    for (int round = 0; round < 2; round++) {
        Fixture f;
        fixture_create(&f, probe_mixed_model(), NULL);
        probe_init(&probe, kStatic);
        probe.nodes = round ? last_node : first_nodes;
        probe.node_count = round ? 1 : 2;
        probe_init_opaque(&second, kDynamic);
        second.nodes = round ? first_nodes : last_node;
        second.node_count = round ? 2 : 1;
        second.dynamic_outputs = true;
        assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate), kTfLiteOk);
        assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &second.delegate),
                         kTfLiteApplicationError);
        fixture_expect_message(&f, "Cannot allow dynamic tensors due to previous delegation");
        assert_int_equal(plan_size(&f), 4);
        expect_invoke(&f, kTfLiteOk, 1);
        // A second one for fixed sizes is welcome.
        second.dynamic_outputs = false;
        second.opaque.flags = kStatic;
        assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate), kTfLiteOk);
        assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &second.delegate), kTfLiteOk);
        assert_int_equal(plan_size(&f), 3);
        expect_invoke(&f, kTfLiteOk, 2);
        fixture_destroy(&f);
    }
}

static void promises_of_full_delegation_are_kept(void** state) {
    (void)state;
    for (int flags = 0; flags < 2; flags++) {
        Fixture f;
        probe_init(&probe, flags | kTfLiteDelegateFlagsHintFullyDelegatedToSingleDelegate);
        create(&f, probe_mixed_model(), false);
        assert_int_equal(plan_size(&f), 1);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        expect_invoke(&f, kTfLiteOk, 1);
        fixture_destroy(&f);
        probe.takes = "Twice";
        fixture_create(&f, probe_mixed_model(), NULL);
        assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate),
                         kTfLiteApplicationError);
        fixture_expect_message(&f, "the graph is not fully delegated");
        assert_int_equal(plan_size(&f), 4);
        expect_invoke(&f, kTfLiteOk, 1);
        fixture_destroy(&f);
    }
}

static void unresolved_operators(void** state) {
    (void)state;
    Fixture f;
    probe_init(&probe, kStatic);
    static const int all[] = {0, 1};
    probe.nodes = all;
    probe.node_count = 2;
    fixture_create(&f, fixture_chain("Nobody", 2), NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteUnresolvedOps);
    // What is for fixed sizes needs to know them.
    assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate), kTfLiteUnresolvedOps);
    probe.delegate.flags = kDynamic;
    probe.init_fails = true;
    assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate), kTfLiteUnresolvedOps);
    probe.init_fails = false;
    assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_destroy(&f);
}

// Inferences.

static void a_kernels_error_is_the_inferences(void** state) {
    (void)state;
    static const TfLiteStatus statuses[][2] = {{kTfLiteError, kTfLiteError},
                                               {kTfLiteApplicationError, kTfLiteError},
                                               {kTfLiteUnresolvedOps, kTfLiteError},
                                               {kTfLiteCancelled, kTfLiteCancelled}};
    Fixture f;
    probe_init(&probe, kStatic);
    probe.takes = "Twice";
    create(&f, probe_mixed_model(), false);
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        probe.invoke_status = statuses[i][0];
        for (int round = 0; round < 3; round++) expect_invoke(&f, statuses[i][1], 1);
        assert_int_equal(plan_size(&f), 3);
    }
    probe.invoke_status = kTfLiteOk;
    expect_invoke(&f, kTfLiteOk, 2);
    fixture_destroy(&f);
}

static void a_device_that_fails_is_given_up(void** state) {
    (void)state;
    for (int flags = 0; flags < 2; flags++) {
        Fixture f;
        probe_init(&probe, flags);
        probe.takes = "Twice";
        probe_init_opaque(&second, flags);
        second.takes = "Scratch";
        create(&f, probe_mixed_model(), false);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        expect_invoke(&f, kTfLiteOk, 1);
        probe.invoke_status = kTfLiteDelegateError;
        expect_invoke(&f, kTfLiteOk, 2);
        fixture_expect_message(&f, "A delegate failed and has been removed");
        assert_int_equal(probe.frees, probe.inits);
        assert_int_equal(plan_size(&f), 4);
        const int before = second.invokes;
        expect_invoke(&f, kTfLiteOk, 3); // the other delegate stays
        assert_int_equal(second.invokes, before + 1);
        second.invoke_status = kTfLiteDelegateError;
        expect_invoke(&f, kTfLiteOk, 4);
        assert_int_equal(second.frees, second.inits);
        fixture_destroy(&f);
        reset(NULL);
    }
}

static TfLiteStatus pass_on(TfLiteContext* context, TfLiteDelegate* delegate) {
    TfLiteDelegate* inner = delegate->data_;
    return inner->Prepare(context, inner);
}

static void a_device_behind_a_wrapper(void** state) {
    (void)state;
    Fixture f;
    probe_init(&probe, kDynamic);
    probe.leaves_in_buffer = true;
    TfLiteDelegate wrapper = {.data_ = &probe.delegate, .Prepare = pass_on, .flags = kDynamic};
    fixture_create(&f, probe_mixed_model(), NULL);
    assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &wrapper), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    expect_invoke(&f, kTfLiteOk, 1);
    probe.invoke_status = kTfLiteDelegateError;
    expect_invoke(&f, kTfLiteOk, 2);
    assert_null(lite_subgraph_tensor(f.graph, 4)->delegate);
    assert_int_equal(probe.freed_handles, 1);
    fixture_destroy(&f);
}

static void with_fallback_an_inference_is_repeated(void** state) {
    (void)state;
    static const TfLiteStatus statuses[] = {kTfLiteError, kTfLiteDelegateError, kTfLiteUnresolvedOps};
    for (int flags = 0; flags < 2; flags++) {
        for (int i = 0; i < 3; i++) {
            Fixture f;
            probe_init(&probe, flags);
            probe.takes = "Scratch";
            probe_init(&second, flags);
            second.takes = "Twice";
            create(&f, probe_mixed_model(), true);
            assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
            expect_invoke(&f, kTfLiteOk, 1);
            probe.invoke_status = statuses[i];
            expect_invoke(&f, kTfLiteDelegateError, 2);
            fixture_expect_message(&f, "Retrying without");
            assert_int_equal(plan_size(&f), 4);
            assert_int_equal(probe.frees + second.frees, probe.inits + second.inits);
            expect_invoke(&f, kTfLiteOk, 3);
            const int size = 9; // and it stays so
            assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &size, 1), kTfLiteOk);
            assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
            assert_int_equal(plan_size(&f), 4);
            fixture_destroy(&f);
        }
    }
}

static void fallback_has_limits(void** state) {
    (void)state;
    Fixture f;
    probe_init(&probe, kDynamic);
    probe.takes = "Twice";
    create(&f, probe_mixed_model(), true);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteError); // not allocated
    assert_int_equal(plan_size(&f), 3);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    probe.invoke_status = kTfLiteCancelled;
    expect_invoke(&f, kTfLiteCancelled, 1);
    assert_int_equal(plan_size(&f), 3);
    // Whoever failed, the second try is without delegates; when it fails too, it has failed.
    probe.invoke_status = kTfLiteOk;
    fixture_failing_invokes = 2;
    expect_invoke(&f, kTfLiteError, 1);
    assert_int_equal(plan_size(&f), 4);
    fixture_failing_invokes = 1; // there is no delegate any more
    expect_invoke(&f, kTfLiteError, 1);
    expect_invoke(&f, kTfLiteOk, 1);
    fixture_destroy(&f);
}

static void fallback_reads_inputs_from_the_delegate(void** state) {
    (void)state;
    Fixture f;
    probe_init(&probe, kDynamic);
    create(&f, probe_mixed_model(), true);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    TfLiteTensor* x = lite_subgraph_tensor(f.graph, 0);
    assert_int_equal(lite_subgraph_set_buffer_handle(f.graph, 0, 5, &probe.delegate), kTfLiteOk);
    x->data_is_stale = true;
    for (int i = 0; i < 4; i++) probe.buffer[i] = 10;
    probe.invoke_status = kTfLiteError;
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteDelegateError);
    fixture_expect(&f, 4, 4, 82);
    assert_int_equal(probe.freed_handles, 1);
    assert_null(x->delegate);
    fixture_destroy(&f);
}

// Allocations.

static void a_kernel_that_cannot_prepare_leaves_it_to_the_cpu(void** state) {
    (void)state;
    static const TfLiteStatus statuses[] = {kTfLiteError, kTfLiteDelegateError};
    for (int i = 0; i < 2; i++) {
        Fixture f;
        probe_init(&probe, kDynamic);
        probe.kernel_prepare_status = statuses[i];
        probe.takes = "Twice";
        probe_init(&second, kDynamic);
        second.takes = "Scratch";
        create(&f, probe_mixed_model(), false);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        fixture_expect_message(&f, "A delegate failed and has been removed");
        expect_invoke(&f, kTfLiteOk, 1);
        assert_int_equal(second.invokes, 1);
        assert_int_equal(probe.frees, probe.inits);
        fixture_destroy(&f);
        reset(NULL);
    }
}

static void a_delegate_that_does_not_come_back(void** state) {
    (void)state;
    Fixture f;
    probe_init(&probe, kStatic);
    create(&f, probe_mixed_model(), false);
    expect_invoke(&f, kTfLiteOk, 1);
    const int sizes[] = {9, 4};
    for (int i = 0; i < 2; i++) {
        probe.prepare_status = kTfLiteError;
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &sizes[i], 1), kTfLiteOk);
        assert_int_equal(plan_size(&f), 4);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        assert_int_equal(plan_size(&f), 4);
    }
    assert_int_equal(probe.prepares, 2); // once it has failed it is not asked again
    expect_invoke(&f, kTfLiteOk, 1);
    fixture_destroy(&f);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, reset)
    const struct CMUnitTest tests[] = {
        TEST(no_interpreter_is_made),
        TEST(with_fallback_the_cpu_takes_over),
        TEST(a_failure_removes_all_delegates),
        TEST(without_a_delegate),
        TEST(fixed_sizes_do_not_suit_dynamic_graphs),
        TEST(what_is_fixed_stays_fixed),
        TEST(promises_of_full_delegation_are_kept),
        TEST(unresolved_operators),
        TEST(a_kernels_error_is_the_inferences),
        TEST(a_device_that_fails_is_given_up),
        TEST(a_device_behind_a_wrapper),
        TEST(with_fallback_an_inference_is_repeated),
        TEST(fallback_has_limits),
        TEST(fallback_reads_inputs_from_the_delegate),
        TEST(a_kernel_that_cannot_prepare_leaves_it_to_the_cpu),
        TEST(a_delegate_that_does_not_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
