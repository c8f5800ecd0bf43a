// SPDX-License-Identifier: Apache-2.0
// Delegates that work: replacing nodes, resizing, buffer handles, flags, and what they may ask. Those that
// fail are in test_delegate_failures.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/graph.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/probe_delegate.h"

enum { kStatic = kTfLiteDelegateFlagsNone, kDynamic = kTfLiteDelegateFlagsAllowDynamicTensors };

static ProbeDelegate probe;

static void create(Fixture* f, ModelBuilder* builder, TfLiteDelegate* delegate) {
    fixture_create(f, builder, &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1});
    assert_non_null(f->interpreter);
}

// The four kinds of probe, taking nodes called "Twice".
static void init_probe(int variant) {
    (variant & 1 ? probe_init_opaque : probe_init)(&probe, variant & 2 ? kDynamic : kStatic);
    probe.takes = "Twice";
}

// 0 -Twice-> 1 -Twice-> 2 -Scratch-> 3 -Twice-> 4: (4 x + 1) * 2
static ModelBuilder* mixed_model(void) {
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 5; i++) fixture_tensor(b, 4);
    fixture_node(b, "Twice", 0, 1);
    fixture_node(b, "Twice", 1, 2);
    fixture_node(b, "Scratch", 2, 3);
    fixture_node(b, "Twice", 3, 4);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {4}});
    return b;
}

static void expect_plan(Fixture* f, int count, const int* nodes) {
    const LiteModelInts plan = lite_subgraph_plan(f->graph);
    assert_int_equal(plan.count, count);
    for (int i = 0; i < count; i++) assert_int_equal(plan.data[i], nodes[i]);
}

static void run_mixed(Fixture* f, float x) {
    assert_int_equal(lite_subgraph_allocate(f->graph), kTfLiteOk);
    fixture_fill(f, 0, x);
    assert_int_equal(lite_subgraph_invoke(f->graph), kTfLiteOk);
    const TfLiteTensor* y = lite_subgraph_tensor(f->graph, 4);
    fixture_expect(f, 4, (int)(y->bytes / sizeof(float)), (4 * x + 1) * 2);
}

static void nodes_are_replaced(void** state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        init_probe(variant);
        Fixture f;
        create(&f, mixed_model(), &probe.delegate);
        expect_plan(&f, 3, (int[]){4, 2, 5});
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
        run_mixed(&f, 3);
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
        init_probe(variant);
        Fixture f;
        create(&f, mixed_model(), &probe.delegate);
        assert_int_equal(lite_subgraph_invoke(f.graph), variant & 2 ? kTfLiteError : kTfLiteOk);
        fixture_destroy(&f);
        // So can what could run before.
        fixture_create(&f, mixed_model(), NULL);
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
    init_probe(2);
    create(&f, b, &probe.delegate);
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
    init_probe(2);
    create(&f, mixed_model(), &probe.delegate);
    run_mixed(&f, 1);
    fixture_failing_invokes = 1;
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteError);
    expect_plan(&f, 3, (int[]){4, 2, 5});
    run_mixed(&f, 2);
    fixture_destroy(&f);
}

static void resizing_follows(void** state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        init_probe(variant);
        Fixture f;
        create(&f, mixed_model(), &probe.delegate);
        for (int round = 0; round < 100; round++) {
            const int size = 1 + round % 7;
            assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &size, 1), kTfLiteOk);
            assert_int_equal(lite_subgraph_plan(f.graph).count, variant & 2 ? 3 : 4);
            run_mixed(&f, (float)size);
            assert_int_equal(lite_subgraph_plan(f.graph).count, 3);
            assert_int_equal(f.graph->owned_count, variant & 1); // operators do not pile up
        }
        // Applied again without an allocation.
        const int other = 12;
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &other, 1), kTfLiteOk);
        assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate), kTfLiteOk);
        assert_int_equal(lite_subgraph_plan(f.graph).count, 3);
        run_mixed(&f, 7);
        // A size that cannot be allocated does not cost the delegate.
        const int bad[] = {1 << 30, 15};
        if (lite_subgraph_resize_input(f.graph, 0, bad, 2) == kTfLiteOk)
            (void)lite_subgraph_allocate(f.graph);
        const int good = 2;
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &good, 1), kTfLiteOk);
        run_mixed(&f, 1);
        assert_int_equal(lite_subgraph_plan(f.graph).count, 3);
        fixture_destroy(&f);
        assert_int_equal(probe.frees, probe.inits);
    }
}

static ModelBuilder* dynamic_model(void) {
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 3; i++) fixture_tensor(b, 1);
    fixture_node(b, "Repeat", 0, 1);
    fixture_node(b, "Twice", 1, 2);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {2}});
    return b;
}

static void kernels_behind_dynamic_tensors(void** state) {
    (void)state;
    Fixture f;
    init_probe(2);
    create(&f, dynamic_model(), &probe.delegate);
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
    init_probe(2);
    probe.nodes = all;
    probe.node_count = 3;
    create(&f, fixture_chain("Nobody", 3), &probe.delegate);
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
        init_probe(variant & 3);
        if (asked) probe.delegate.flags |= kTfLiteDelegateFlagsRequirePropagatedShapes;
        probe.opaque.flags = probe.delegate.flags | (variant & 2 ? kDynamic : kStatic);
        probe.relies_on_shapes = true;
        Fixture f;
        create(&f, mixed_model(), &probe.delegate);
        const int size = 9;
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &size, 1), kTfLiteOk);
        run_mixed(&f, 2);
        // For fixed sizes all nodes have been prepared before, whatever is asked for.
        assert_int_equal(lite_subgraph_plan(f.graph).count, asked || !(variant & 2) ? 3 : 4);
        fixture_destroy(&f);
    }
    init_probe(2);
    probe.delegate.flags |= kTfLiteDelegateFlagsRequirePropagatedShapes;
    probe.relies_on_shapes = true;
    Fixture f;
    create(&f, dynamic_model(), &probe.delegate);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    for (int size = 3; size < 6; size++) {
        fixture_fill(&f, 0, (float)size);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        fixture_expect(&f, 2, size, 2 * (float)size);
    }
    assert_int_equal(probe.invokes, 3);
    fixture_destroy(&f);
}

static int profiled;

static void count_profile(void* user_data, int subgraph, int node, uint64_t begin_ns, uint64_t end_ns) {
    (void)user_data, (void)subgraph, (void)begin_ns, (void)end_ns;
    profiled += 1 << node;
}

// What the telemetry profiler is not told of: the time of the kernel as a whole.
static void kernels_that_profile_themselves_are_profiled(void** state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        init_probe(variant);
        probe.delegate.flags |= kTfLiteDelegateFlagsPerOperatorProfiling;
        probe.opaque.flags |= kTfLiteDelegateFlagsPerOperatorProfiling;
        Fixture f;
        create(&f, mixed_model(), &probe.delegate);
        lite_interpreter_set_profile(f.interpreter, count_profile, NULL);
        profiled = 0;
        run_mixed(&f, 1);
        assert_int_equal(profiled, 1 << 2 | 1 << 4 | 1 << 5);
        fixture_destroy(&f);
    }
}

static void buffers_are_copied_when_someone_reads(void** state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        init_probe(variant);
        probe.leaves_in_buffer = true;
        Fixture f;
        create(&f, fixture_chain("Twice", 2), &probe.delegate);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        fixture_fill(&f, 0, 1);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        assert_int_equal(probe.copies, 1); // a graph output
        fixture_expect(&f, 2, 4, 4);
        lite_interpreter_allow_buffer_handle_output(f.interpreter, true);
        fixture_fill(&f, 0, 2);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        assert_int_equal(probe.copies, 1);
        assert_int_equal(lite_subgraph_make_readable(f.graph, 2), kTfLiteOk);
        assert_int_equal(lite_subgraph_make_readable(f.graph, 2), kTfLiteOk);
        assert_int_equal(probe.copies, 2);
        fixture_expect(&f, 2, 4, 8);
        fixture_destroy(&f);
        assert_int_equal(probe.freed_handles, 1);

        init_probe(variant);
        probe.leaves_in_buffer = true;
        create(&f, mixed_model(), &probe.delegate);
        run_mixed(&f, 2); // Scratch reads what a kernel left in its buffer
        assert_int_equal(probe.copies, 2);
        fixture_destroy(&f);
    }
}

static void handles_stay_while_sizes_change(void** state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        Fixture f;
        init_probe(variant);
        create(&f, mixed_model(), &probe.delegate);
        assert_int_equal(lite_subgraph_set_buffer_handle(f.graph, 0, 5, &probe.delegate), kTfLiteOk);
        const int size = 6;
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &size, 1), kTfLiteOk);
        run_mixed(&f, 1);
        assert_int_equal(lite_subgraph_tensor(f.graph, 0)->buffer_handle, 5);
        assert_ptr_equal(lite_subgraph_tensor(f.graph, 0)->delegate, &probe.delegate);
        // Another one takes its place; there is no other delegate's.
        assert_int_equal(lite_subgraph_set_buffer_handle(f.graph, 0, 6, &probe.delegate), kTfLiteOk);
        assert_int_equal(probe.freed_handles, 1);
        TfLiteDelegate other = probe.delegate;
        assert_int_equal(lite_subgraph_set_buffer_handle(f.graph, 0, 7, &other), kTfLiteError);
        assert_int_equal(lite_subgraph_tensor(f.graph, 0)->buffer_handle, 6);
        // Where handles cannot be freed they cannot be replaced.
        probe.delegate.FreeBufferHandle = NULL;
        probe.opaque.FreeBufferHandle = NULL;
        assert_int_equal(lite_subgraph_set_buffer_handle(f.graph, 0, 8, &probe.delegate), kTfLiteError);
        fixture_destroy(&f);
        assert_int_equal(probe.freed_handles, 1);
    }
}

static void look_at_partitions(TfLiteContext* context) {
    TfLiteIntArray* taken = TfLiteIntArrayCreate(4);
    memcpy(taken->data, (int[]){3, 0, 1, 3}, 4 * sizeof(int)); // in any order, and twice
    for (int round = 0; round < 2; round++) {
        TfLiteDelegateParams* params;
        int count;
        assert_int_equal(context->PreviewDelegatePartitioning(context, taken, &params, &count), kTfLiteOk);
        assert_int_equal(count, 2);
        assert_true(TfLiteIntArrayEqualsArray(params[0].nodes_to_replace, 2, (int[]){0, 1}));
        assert_true(TfLiteIntArrayEqualsArray(params[0].input_tensors, 1, (int[]){0}));
        assert_true(TfLiteIntArrayEqualsArray(params[0].output_tensors, 1, (int[]){2}));
        assert_true(TfLiteIntArrayEqualsArray(params[1].nodes_to_replace, 1, (int[]){3}));
    }
    TfLiteDelegateParams* params;
    int count;
    assert_int_equal(context->PreviewDelegatePartitioning(context, taken, NULL, &count), kTfLiteError);
    assert_int_equal(context->PreviewDelegatePartitioning(context, taken, &params, NULL), kTfLiteError);
    taken->data[2] = 4;
    assert_int_equal(context->PreviewDelegatePartitioning(context, taken, &params, &count), kTfLiteError);
    taken->size = 0;
    assert_int_equal(context->PreviewDelegatePartitioning(context, taken, &params, &count), kTfLiteOk);
    assert_int_equal(count, 0);
    assert_null(params);
    TfLiteIntArrayFree(taken);
}

static void partitions_can_be_previewed(void** state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        Fixture f;
        init_probe(variant);
        probe.takes = "nothing";
        probe.look = look_at_partitions;
        create(&f, mixed_model(), &probe.delegate);
        expect_plan(&f, 4, (int[]){0, 1, 2, 3});
        run_mixed(&f, 1);
        fixture_destroy(&f);
    }
}

static void kernels_may_not_look_around(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, mixed_model(), NULL);
    TfLiteContext* context = &f.graph->context;
    TfLiteIntArray* plan;
    TfLiteNode* node;
    TfLiteRegistration* registration;
    TfLiteDelegateParams* params;
    TfLiteContext* other;
    int count;
    assert_int_equal(context->GetExecutionPlan(context, &plan), kTfLiteError);
    fixture_expect_message(&f, "The function is forbidden if not calling in delegate.");
    assert_int_equal(context->GetNodeAndRegistration(context, 0, &node, &registration), kTfLiteError);
    assert_int_equal(context->PreviewDelegatePartitioning(context, NULL, &params, &count), kTfLiteError);
    const TfLiteRegistration kernel = {.custom_name = "Kernel"};
    assert_int_equal(context->ReplaceNodeSubsetsWithDelegateKernels(context, kernel, NULL, NULL),
                     kTfLiteError);
    assert_int_equal(context->AcquireSubgraphContext(context, 0, &other), kTfLiteError);
    fixture_destroy(&f);
}

// An operator without methods, whose place the functions of the registration take, in a delegate of the
// opaque form; and a kernel without an operator, which is refused there.
static TfLiteStatus mixed_kernel_invoke(TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* x = &context->tensors[node->inputs->data[0]];
    TfLiteTensor* y = &context->tensors[node->outputs->data[0]];
    for (size_t i = 0; i < x->bytes / sizeof(float); i++) y->data.f[i] = 4 * x->data.f[i];
    probe.invokes++;
    return kTfLiteOk;
}

static TfLiteStatus mixed_prepare(TfLiteOpaqueContext* opaque, TfLiteOpaqueDelegate* delegate, void* data) {
    assert_ptr_equal(data, &probe);
    TfLiteContext* context = (TfLiteContext*)opaque;
    TfLiteIntArray* plan;
    assert_int_equal(context->GetExecutionPlan(context, &plan), kTfLiteOk);
    TfLiteRegistration kernel = {.invoke = mixed_kernel_invoke};
    assert_int_equal(context->ReplaceNodeSubsetsWithDelegateKernels(context, kernel, plan, delegate),
                     kTfLiteDelegateError);
    kernel.registration_external = TfLiteOperatorCreate(kTfLiteBuiltinDelegate, "Mixed", 1, NULL);
    return context->ReplaceNodeSubsetsWithDelegateKernels(context, kernel, plan, delegate);
}

static void forms_can_be_mixed(void** state) {
    (void)state;
    probe_init(&probe, kStatic);
    const TfLiteOpaqueDelegateBuilder form = {.data = &probe, .Prepare = mixed_prepare};
    TfLiteOpaqueDelegate* delegate = TfLiteOpaqueDelegateCreate(&form);
    Fixture f;
    create(&f, fixture_chain("Twice", 2), delegate);
    expect_plan(&f, 1, (int[]){2});
    fixture_fill(&f, 0, 3);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 2, 4, 12);
    assert_int_equal(probe.invokes, 1);
    fixture_destroy(&f);
    TfLiteOpaqueDelegateDelete(delegate);
}

static void a_builder_does_not_count_beside_a_prepare_function(void** state) {
    (void)state;
    Fixture f;
    TfLiteOpaqueDelegateBuilder stray = {.Prepare = NULL, .flags = -1};
    probe_init(&probe, kDynamic);
    TfLiteDelegate delegate = probe.delegate;
    delegate.opaque_delegate_builder = &stray;
    delegate.data_ = &probe;
    assert_null(lite_delegate_builder(&delegate));
    assert_int_equal(lite_delegate_flags(&delegate), kDynamic);
    create(&f, mixed_model(), &delegate);
    fixture_destroy(&f);
}

static void delegates_stack(void** state) {
    (void)state;
    for (int variant = 0; variant < 16; variant++) {
        Fixture f;
        init_probe(variant & 3);
        create(&f, mixed_model(), &probe.delegate);
        ProbeDelegate second;
        (variant & 4 ? probe_init_opaque : probe_init)(&second, variant & 8 ? kDynamic : kStatic);
        assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &second.delegate), kTfLiteOk);
        expect_plan(&f, 3, (int[]){4, 6, 5});
        run_mixed(&f, 1);
        const int size = 6;
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &size, 1), kTfLiteOk);
        run_mixed(&f, 2);
        expect_plan(&f, 3, (int[]){4, 6, 5});
        assert_int_equal(second.invokes, 2);
        lite_delegate_undo(f.graph, 0);
        expect_plan(&f, 4, (int[]){0, 1, 2, 3});
        fixture_destroy(&f);
        assert_int_equal(probe.frees, probe.inits);
        assert_int_equal(second.frees, second.inits);
    }
}

// Delegates that compute in other types point nodes at other inputs.
static void redirect(TfLiteContext* context) {
    TfLiteNode* node;
    TfLiteRegistration* registration;
    assert_int_equal(context->GetNodeAndRegistration(context, 2, &node, &registration), kTfLiteOk);
    node->inputs->data[0] = 1;
}

static void redirected_inputs_are_restored(void** state) {
    (void)state;
    Fixture f;
    init_probe(2);
    probe.look = redirect;
    probe.prepare_status = kTfLiteError;
    fixture_create(&f, mixed_model(), NULL);
    assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate), kTfLiteDelegateError);
    run_mixed(&f, 5);
    fixture_destroy(&f);
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
        cmocka_unit_test(kernels_that_profile_themselves_are_profiled),
        cmocka_unit_test(buffers_are_copied_when_someone_reads),
        cmocka_unit_test(handles_stay_while_sizes_change),
        cmocka_unit_test(partitions_can_be_previewed),
        cmocka_unit_test(kernels_may_not_look_around),
        cmocka_unit_test(forms_can_be_mixed),
        cmocka_unit_test(a_builder_does_not_count_beside_a_prepare_function),
        cmocka_unit_test(delegates_stack),
        cmocka_unit_test(redirected_inputs_are_restored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
