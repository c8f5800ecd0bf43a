// SPDX-License-Identifier: Apache-2.0
// Delegates: replacing nodes, previews, failures that leave the CPU plan, resizing, buffer handles.
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

// A delegate that takes nodes called `takes`: each of its kernels doubles as often as it replaces nodes.
static struct {
    const char* takes;
    int inits, frees, prepares, invokes;
    bool fail_delegate, fail_prepare, fail_invoke;
    bool leave_in_buffer; // outputs are in `buffer` until they are asked for
    float buffer[64];
    int copies, freed_handles;
} own;

static void* kernel_init(TfLiteContext* context, const char* buffer, size_t length) {
    const TfLiteDelegateParams* params = (const TfLiteDelegateParams*)buffer;
    assert_int_equal(length, sizeof *params);
    own.inits++;
    TfLiteNode* node;
    TfLiteRegistration* registration;
    for (int i = 0; i < params->nodes_to_replace->size; i++) {
        assert_int_equal(
            context->GetNodeAndRegistration(context, params->nodes_to_replace->data[i], &node, &registration),
            kTfLiteOk);
        assert_string_equal(registration->custom_name, own.takes);
    }
    int* count = malloc(sizeof *count);
    if (count != NULL) *count = params->nodes_to_replace->size;
    return count;
}

static void kernel_free(TfLiteContext* context, void* data) {
    (void)context;
    own.frees++;
    free(data);
}

static TfLiteStatus kernel_prepare(TfLiteContext* context, TfLiteNode* node) {
    own.prepares++;
    if (own.fail_prepare || node->user_data == NULL) return kTfLiteError;
    TfLiteIntArray* plan;
    assert_int_equal(context->GetExecutionPlan(context, &plan), kTfLiteError);
    TfLiteTensor* y = &context->tensors[node->outputs->data[0]];
    TfLiteIntArray* dims = TfLiteIntArrayCopy(context->tensors[node->inputs->data[0]].dims);
    return dims ? context->ResizeTensor(context, y, dims) : kTfLiteError;
}

static TfLiteStatus kernel_invoke(TfLiteContext* context, TfLiteNode* node) {
    own.invokes++;
    if (own.fail_invoke) return kTfLiteError;
    const TfLiteTensor* x = &context->tensors[node->inputs->data[0]];
    TfLiteTensor* y = &context->tensors[node->outputs->data[0]];
    float* to = own.leave_in_buffer ? own.buffer : y->data.f;
    const int doublings = *(const int*)node->user_data;
    for (size_t i = 0; i < x->bytes / sizeof(float); i++) to[i] = x->data.f[i] * (float)(1 << doublings);
    if (own.leave_in_buffer) {
        y->buffer_handle = 7;
        y->data_is_stale = true;
    }
    return kTfLiteOk;
}

static const TfLiteRegistration kernel = {.init = kernel_init,
                                          .free = kernel_free,
                                          .prepare = kernel_prepare,
                                          .invoke = kernel_invoke,
                                          .custom_name = "Doubler",
                                          .version = 1};

// The nodes that the delegate takes, to be freed; NULL when memory runs out.
static TfLiteIntArray* taken_nodes(TfLiteContext* context) {
    TfLiteIntArray* plan;
    if (context->GetExecutionPlan(context, &plan) != kTfLiteOk) return NULL;
    TfLiteIntArray* taken = TfLiteIntArrayCreate(plan->size);
    if (taken == NULL) return NULL;
    taken->size = 0;
    for (int i = 0; i < plan->size; i++) {
        TfLiteNode* node;
        TfLiteRegistration* registration;
        if (context->GetNodeAndRegistration(context, plan->data[i], &node, &registration) != kTfLiteOk)
            continue;
        const char* name = registration->custom_name;
        if (name != NULL && strcmp(name, own.takes) == 0) taken->data[taken->size++] = plan->data[i];
    }
    return taken;
}

static TfLiteStatus delegate_prepare(TfLiteContext* context, TfLiteDelegate* delegate) {
    TfLiteIntArray* taken = taken_nodes(context);
    if (taken == NULL) return kTfLiteError;
    const TfLiteStatus status =
        context->ReplaceNodeSubsetsWithDelegateKernels(context, kernel, taken, delegate);
    TfLiteIntArrayFree(taken);
    return own.fail_delegate ? kTfLiteError : status;
}

static TfLiteStatus copy_from(TfLiteContext* context, TfLiteDelegate* delegate, TfLiteBufferHandle handle,
                              TfLiteTensor* tensor) {
    (void)context, (void)delegate;
    assert_int_equal(handle, 7);
    own.copies++;
    memcpy(tensor->data.raw, own.buffer, tensor->bytes);
    return kTfLiteOk;
}

static void free_handle(TfLiteContext* context, TfLiteDelegate* delegate, TfLiteBufferHandle* handle) {
    (void)context, (void)delegate;
    assert_int_equal(*handle, 7);
    own.freed_handles++;
}

static TfLiteDelegate fixed_sizes = {
    .Prepare = delegate_prepare, .CopyFromBufferHandle = copy_from, .FreeBufferHandle = free_handle};
static TfLiteDelegate any_sizes = {.Prepare = delegate_prepare,
                                   .CopyFromBufferHandle = copy_from,
                                   .FreeBufferHandle = free_handle,
                                   .flags = kTfLiteDelegateFlagsAllowDynamicTensors};

static int reset_delegate(void** state) {
    (void)state;
    memset(&own, 0, sizeof own);
    own.takes = "Twice";
    return 0;
}

static void create(Fixture* f, ModelBuilder* builder, TfLiteDelegate* delegate) {
    fixture_create(f, builder, &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1});
    assert_non_null(f->interpreter);
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
    TfLiteDelegate* const both[] = {&fixed_sizes, &any_sizes};
    for (int i = 0; i < 2; i++) {
        reset_delegate(NULL);
        Fixture f;
        create(&f, mixed_model(), both[i]);
        expect_plan(&f, 3, (int[]){4, 2, 5});
        LiteNodeInfo info;
        assert_true(lite_subgraph_node_info(f.graph, 0, &info));
        assert_int_equal(info.delegate_node, 4);
        assert_false(info.in_plan);
        assert_true(lite_subgraph_node_info(f.graph, 4, &info));
        assert_string_equal(info.op, "Doubler");
        assert_int_equal(info.builtin_code, kTfLiteBuiltinDelegate);
        assert_int_equal(info.replaced_count, 2);
        assert_false(lite_subgraph_node_info(f.graph, 6, &info));
        run_mixed(&f, 3);
        assert_int_equal(own.prepares, 2);
        assert_int_equal(fixture_calls.invoke, 1); // only Scratch
        fixture_destroy(&f);
        assert_int_equal(own.inits, 2);
        assert_int_equal(own.frees, 2);
    }
}

static void a_failing_delegate_leaves_the_cpu_plan(void** state) {
    (void)state;
    TfLiteDelegate* const both[] = {&fixed_sizes, &any_sizes};
    for (int i = 0; i < 2; i++) {
        reset_delegate(NULL);
        own.fail_delegate = true;
        Fixture f;
        create(&f, mixed_model(), both[i]);
        fixture_expect_message(&f, "Restored original execution plan after delegate application failure.");
        expect_plan(&f, 4, (int[]){0, 1, 2, 3});
        assert_int_equal(lite_subgraph_node_count(f.graph), 4);
        assert_int_equal(own.frees, own.inits);
        run_mixed(&f, 2);
        assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, both[i]), kTfLiteDelegateError);
        run_mixed(&f, 5);
        fixture_destroy(&f);
    }
}

static void a_kernel_that_cannot_prepare_is_replaced_by_the_cpu(void** state) {
    (void)state;
    TfLiteDelegate* const both[] = {&fixed_sizes, &any_sizes};
    for (int i = 0; i < 2; i++) {
        reset_delegate(NULL);
        own.fail_prepare = true;
        Fixture f;
        create(&f, mixed_model(), both[i]);
        run_mixed(&f, 2);
        fixture_expect_message(&f, "A delegate failed and has been removed");
        expect_plan(&f, 4, (int[]){0, 1, 2, 3});
        fixture_destroy(&f);
        assert_int_equal(own.frees, own.inits);
    }
}

static void a_kernel_that_cannot_invoke_is_replaced_by_the_cpu(void** state) {
    (void)state;
    Fixture f;
    create(&f, mixed_model(), &any_sizes);
    run_mixed(&f, 1);
    own.fail_invoke = true;
    run_mixed(&f, 2); // the inputs are those given before the failure
    fixture_expect_message(&f, "A delegate failed and has been removed");
    assert_int_equal(fixture_calls.invoke, 1 + 4);
    own.fail_invoke = false;
    run_mixed(&f, 3); // stays on the CPU
    assert_int_equal(own.invokes, 3);
    assert_int_equal(own.frees, own.inits);
    fixture_destroy(&f);
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
    create(&f, b, &any_sizes);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    for (int run = 1; run < 5; run++) {
        own.fail_invoke = run == 3;
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        fixture_expect(&f, 3, 4, (float)run);
    }
    fixture_destroy(&f);
}

static void errors_of_cpu_nodes_are_errors(void** state) {
    (void)state;
    Fixture f;
    create(&f, mixed_model(), &any_sizes);
    run_mixed(&f, 1);
    fixture_failing_invokes = 1;
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteError);
    expect_plan(&f, 3, (int[]){4, 2, 5});
    run_mixed(&f, 2);
    fixture_destroy(&f);
}

static void resizing_follows(void** state) {
    (void)state;
    TfLiteDelegate* const both[] = {&fixed_sizes, &any_sizes};
    for (int i = 0; i < 2; i++) {
        reset_delegate(NULL);
        Fixture f;
        create(&f, mixed_model(), both[i]);
        for (int size = 9; size > 0; size -= 4) {
            assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &size, 1), kTfLiteOk);
            run_mixed(&f, (float)size);
            assert_int_equal(lite_subgraph_plan(f.graph).count, 3);
        }
        // A size that cannot be allocated does not cost the delegate.
        const int bad[] = {1 << 30, 15};
        if (lite_subgraph_resize_input(f.graph, 0, bad, 2) == kTfLiteOk)
            (void)lite_subgraph_allocate(f.graph);
        const int good = 2;
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &good, 1), kTfLiteOk);
        run_mixed(&f, 1);
        assert_int_equal(lite_subgraph_plan(f.graph).count, 3);
        fixture_destroy(&f);
        assert_int_equal(own.frees, own.inits);
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

static void delegates_for_fixed_sizes_do_not_take_dynamic_graphs(void** state) {
    (void)state;
    Fixture f;
    create(&f, dynamic_model(), &fixed_sizes);
    fixture_expect_message(&f, "Attempting to use a delegate that only supports static-sized tensors");
    assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &fixed_sizes), kTfLiteApplicationError);
    assert_int_equal(own.inits, 0);
    assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &any_sizes), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, 6);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 2, 6, 12);
    assert_int_equal(own.invokes, 1);
    // A kernel behind a dynamic tensor is prepared, and may fail, in the middle of an inference.
    own.fail_prepare = true;
    fixture_fill(&f, 0, 7);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 2, 7, 14);
    fixture_destroy(&f);
}

static void unresolved_operators_can_be_claimed(void** state) {
    (void)state;
    own.takes = "Nobody";
    Fixture f;
    create(&f, fixture_chain("Nobody", 3), &any_sizes);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, 1);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 3, 4, 8);
    own.fail_invoke = true; // there is no other way to run them
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteUnresolvedOps);
    fixture_destroy(&f);
}

static void buffers_are_copied_when_someone_reads(void** state) {
    (void)state;
    own.leave_in_buffer = true;
    Fixture f;
    create(&f, fixture_chain("Twice", 2), &any_sizes);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, 1);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    assert_int_equal(own.copies, 1); // a graph output
    fixture_expect(&f, 2, 4, 4);
    lite_interpreter_allow_buffer_handle_output(f.interpreter, true);
    fixture_fill(&f, 0, 2);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    assert_int_equal(own.copies, 1);
    assert_int_equal(lite_subgraph_make_readable(f.graph, 2), kTfLiteOk);
    assert_int_equal(lite_subgraph_make_readable(f.graph, 2), kTfLiteOk);
    assert_int_equal(own.copies, 2);
    fixture_expect(&f, 2, 4, 8);
    fixture_destroy(&f);
    assert_int_equal(own.freed_handles, 1);

    reset_delegate(NULL);
    own.leave_in_buffer = true;
    create(&f, mixed_model(), &any_sizes);
    run_mixed(&f, 2); // Scratch reads what a kernel left in its buffer
    assert_int_equal(own.copies, 2);
    fixture_destroy(&f);
}

static TfLiteStatus preview_prepare(TfLiteContext* context, TfLiteDelegate* delegate) {
    (void)delegate;
    for (int round = 0; round < 2; round++) {
        TfLiteIntArray* taken = taken_nodes(context);
        TfLiteDelegateParams* params;
        int count;
        assert_int_equal(context->PreviewDelegatePartitioning(context, taken, &params, &count), kTfLiteOk);
        assert_int_equal(count, 2);
        assert_true(TfLiteIntArrayEqualsArray(params[0].nodes_to_replace, 2, (int[]){0, 1}));
        assert_true(TfLiteIntArrayEqualsArray(params[0].input_tensors, 1, (int[]){0}));
        assert_true(TfLiteIntArrayEqualsArray(params[0].output_tensors, 1, (int[]){2}));
        assert_true(TfLiteIntArrayEqualsArray(params[1].nodes_to_replace, 1, (int[]){3}));
        TfLiteIntArrayFree(taken);
    }
    return kTfLiteOk;
}

static void partitions_can_be_previewed(void** state) {
    (void)state;
    TfLiteDelegate previewing = {.Prepare = preview_prepare,
                                 .flags = kTfLiteDelegateFlagsAllowDynamicTensors};
    Fixture f;
    create(&f, mixed_model(), &previewing);
    expect_plan(&f, 4, (int[]){0, 1, 2, 3});
    run_mixed(&f, 1);
    fixture_destroy(&f);
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
    assert_int_equal(context->ReplaceNodeSubsetsWithDelegateKernels(context, kernel, NULL, NULL),
                     kTfLiteError);
    assert_int_equal(context->AcquireSubgraphContext(context, 0, &other), kTfLiteError);
    fixture_destroy(&f);
}

// The opaque form: a builder, and a kernel that is a TfLiteOperator.

static void* opaque_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    const TfLiteOpaqueDelegateParams* params = (const TfLiteOpaqueDelegateParams*)buffer;
    assert_int_equal(length, sizeof *params);
    assert_ptr_equal(params->delegate_data, &own);
    assert_int_equal(params->nodes_to_replace->size, 2);
    own.inits++;
    return NULL;
}

static TfLiteStatus opaque_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    own.invokes++;
    const TfLiteTensor* x = (const TfLiteTensor*)TfLiteOpaqueNodeGetInput(context, node, 0);
    TfLiteTensor* y = (TfLiteTensor*)TfLiteOpaqueNodeGetOutput(context, node, 0);
    for (size_t i = 0; i < x->bytes / sizeof(float); i++) y->data.f[i] = 4 * x->data.f[i];
    return kTfLiteOk;
}

static TfLiteStatus opaque_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate, void* data) {
    assert_ptr_equal(data, &own);
    TfLiteIntArray* plan;
    assert_int_equal(TfLiteOpaqueContextGetExecutionPlan(context, &plan), kTfLiteOk);
    TfLiteOperator* op = TfLiteOperatorCreate(kTfLiteBuiltinDelegate, "Opaque", 1, NULL);
    TfLiteOperatorSetInit(op, opaque_init);
    TfLiteOperatorSetInvoke(op, opaque_invoke);
    return TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(context, op, plan, delegate);
}

static void opaque_delegates_work(void** state) {
    (void)state;
    const TfLiteOpaqueDelegateBuilder form = {.data = &own, .Prepare = opaque_prepare};
    TfLiteOpaqueDelegate* delegate = TfLiteOpaqueDelegateCreate(&form);
    Fixture f;
    create(&f, fixture_chain("Twice", 2), delegate);
    expect_plan(&f, 1, (int[]){2});
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, 3);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 2, 4, 12);
    assert_int_equal(own.invokes, 1);
    fixture_destroy(&f);
    TfLiteOpaqueDelegateDelete(delegate);
}

static void delegates_stack(void** state) {
    (void)state;
    Fixture f;
    create(&f, mixed_model(), &any_sizes);
    own.takes = "Scratch"; // the doubling kernel computes something else: only the plan counts here
    TfLiteDelegate second = any_sizes;
    assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &second), kTfLiteOk);
    expect_plan(&f, 3, (int[]){4, 6, 5});
    lite_delegate_undo(f.graph, 0);
    expect_plan(&f, 4, (int[]){0, 1, 2, 3});
    assert_int_equal(own.frees, 3);
    fixture_destroy(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nodes_are_replaced, reset_delegate),
        cmocka_unit_test_setup(a_failing_delegate_leaves_the_cpu_plan, reset_delegate),
        cmocka_unit_test_setup(a_kernel_that_cannot_prepare_is_replaced_by_the_cpu, reset_delegate),
        cmocka_unit_test_setup(a_kernel_that_cannot_invoke_is_replaced_by_the_cpu, reset_delegate),
        cmocka_unit_test_setup(variables_survive_a_delegates_failure, reset_delegate),
        cmocka_unit_test_setup(errors_of_cpu_nodes_are_errors, reset_delegate),
        cmocka_unit_test_setup(resizing_follows, reset_delegate),
        cmocka_unit_test_setup(delegates_for_fixed_sizes_do_not_take_dynamic_graphs, reset_delegate),
        cmocka_unit_test_setup(unresolved_operators_can_be_claimed, reset_delegate),
        cmocka_unit_test_setup(buffers_are_copied_when_someone_reads, reset_delegate),
        cmocka_unit_test_setup(partitions_can_be_previewed, reset_delegate),
        cmocka_unit_test_setup(kernels_may_not_look_around, reset_delegate),
        cmocka_unit_test_setup(opaque_delegates_work, reset_delegate),
        cmocka_unit_test_setup(delegates_stack, reset_delegate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
