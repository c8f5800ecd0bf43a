// SPDX-License-Identifier: Apache-2.0
// What delegates may ask of a graph and leave to it: buffer handles, profiling, a preview of partitions, the
// forms of their kernels.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/apply.h"
#include "core/graph/buffer_handle.h"
#include "core/graph/delegate_form.h"
#include "core/graph/graph.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/probe_delegate.h"
#include "tests/support/probe_graph.h"

enum { kStatic = kTfLiteDelegateFlagsNone, kDynamic = kTfLiteDelegateFlagsAllowDynamicTensors };

static ProbeDelegate probe;

static int profiled;

static void count_profile(void* user_data, int subgraph, int node, uint64_t begin_ns, uint64_t end_ns) {
    (void)user_data, (void)subgraph, (void)begin_ns, (void)end_ns;
    profiled += 1 << node;
}

// What the telemetry profiler is not told of: the time of the kernel as a whole.
static void kernels_that_profile_themselves_are_profiled(void** state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        probe_init_variant(&probe, variant);
        probe.delegate.flags |= kTfLiteDelegateFlagsPerOperatorProfiling;
        probe.opaque.flags |= kTfLiteDelegateFlagsPerOperatorProfiling;
        Fixture f;
        probe_create(&f, probe_mixed_model(), &probe.delegate);
        lite_interpreter_set_profile(f.interpreter, count_profile, NULL);
        profiled = 0;
        probe_run_mixed(&f, 1);
        assert_int_equal(profiled, 1 << 2 | 1 << 4 | 1 << 5);
        fixture_destroy(&f);
    }
}

static void buffers_are_copied_when_someone_reads(void** state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        probe_init_variant(&probe, variant);
        probe.leaves_in_buffer = true;
        Fixture f;
        probe_create(&f, fixture_chain("Twice", 2), &probe.delegate);
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

        probe_init_variant(&probe, variant);
        probe.leaves_in_buffer = true;
        probe_create(&f, probe_mixed_model(), &probe.delegate);
        probe_run_mixed(&f, 2); // Scratch reads what a kernel left in its buffer
        assert_int_equal(probe.copies, 2);
        fixture_destroy(&f);
    }
}

static void handles_stay_while_sizes_change(void** state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        Fixture f;
        probe_init_variant(&probe, variant);
        probe_create(&f, probe_mixed_model(), &probe.delegate);
        assert_int_equal(lite_subgraph_set_buffer_handle(f.graph, 0, 5, &probe.delegate), kTfLiteOk);
        const int size = 6;
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &size, 1), kTfLiteOk);
        probe_run_mixed(&f, 1);
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
        probe_init_variant(&probe, variant);
        probe.takes = "nothing";
        probe.look = look_at_partitions;
        probe_create(&f, probe_mixed_model(), &probe.delegate);
        probe_expect_plan(&f, 4, (int[]){0, 1, 2, 3});
        probe_run_mixed(&f, 1);
        fixture_destroy(&f);
    }
}

static void kernels_may_not_look_around(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, probe_mixed_model(), NULL);
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
    probe_create(&f, fixture_chain("Twice", 2), delegate);
    probe_expect_plan(&f, 1, (int[]){2});
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
    probe_create(&f, probe_mixed_model(), &delegate);
    fixture_destroy(&f);
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
    probe_init_variant(&probe, 2);
    probe.look = redirect;
    probe.prepare_status = kTfLiteError;
    fixture_create(&f, probe_mixed_model(), NULL);
    assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate), kTfLiteDelegateError);
    probe_run_mixed(&f, 5);
    fixture_destroy(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_that_profile_themselves_are_profiled),
        cmocka_unit_test(buffers_are_copied_when_someone_reads),
        cmocka_unit_test(handles_stay_while_sizes_change),
        cmocka_unit_test(partitions_can_be_previewed),
        cmocka_unit_test(kernels_may_not_look_around),
        cmocka_unit_test(forms_can_be_mixed),
        cmocka_unit_test(a_builder_does_not_count_beside_a_prepare_function),
        cmocka_unit_test(redirected_inputs_are_restored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
