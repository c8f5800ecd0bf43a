// SPDX-License-Identifier: Apache-2.0
// Delegates that take arbitrary nodes of arbitrary graphs, some while the host goes on: the results are those
// of the CPU. And delegates on
// the graphs that control flow runs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/apply.h"
#include "core/graph/graph.h"
#include "core/graph/inspect.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/probe_delegate.h"
#include "tests/support/random_numbers.h"

enum { kStatic = kTfLiteDelegateFlagsNone, kDynamic = kTfLiteDelegateFlagsAllowDynamicTensors };
enum { kMaxNodes = 24, kInputs = 2, kMaxOutputs = 4, kMaxDelegates = 3, kGraphs = 3000 };

// Random graphs: tensors 0 and 1 are inputs, 2 a variable, node i writes tensor 3 + i.
typedef struct Sample {
    int node_count;
    int lists[kMaxDelegates][2 * kMaxNodes]; // what the delegates ask for
    ProbeDelegate probes[kMaxDelegates];
    int probe_count;
    int output_count;
    int outputs[kMaxOutputs];
} Sample;

static ModelBuilder* build(Sample* sample, uint32_t seed) {
    static const char* const names[] = {"Twice", "Sum", "Scratch", "Count"};
    random_seed = seed;
    ModelBuilder* b = builder_create();
    for (int i = 0; i < kInputs; i++) fixture_tensor(b, 4);
    builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 1, .dims = {1}, .is_variable = true});
    sample->node_count = 1 + random_below(kMaxNodes);
    for (int i = 0; i < sample->node_count; i++) {
        const int output = fixture_tensor(b, 4);
        int inputs[2];
        for (int k = 0; k < 2; k++) {
            inputs[k] = random_below(kInputs + i);
            if (inputs[k] >= kInputs) inputs[k]++;
        }
        const int op = random_below(12) == 0 ? 3 : random_below(3);
        if (op == 3) inputs[1] = kInputs; // Count: the variable
        if (op == 1 || op == 3) {
            fixture_node2(b, names[op], inputs[0], inputs[1], output);
        } else {
            fixture_node(b, names[op], inputs[0], output);
        }
    }
    builder_inputs(b, (BuilderInts){kInputs, {0, 1}});
    BuilderInts outputs = {1 + random_below(kMaxOutputs), {0}};
    sample->output_count = outputs.count;
    for (int i = 0; i < outputs.count; i++) {
        sample->outputs[i] = outputs.values[i] = kInputs + 1 + random_below(sample->node_count);
    }
    builder_outputs(b, outputs);
    return b;
}

// What a delegate of the sample asks for: nodes that the probe can compute, in any order, some twice, some
// that others have.
static void choose_nodes(Sample* sample, int index, const LiteSubgraph* graph) {
    ProbeDelegate* probe = &sample->probes[index];
    (random_below(2) ? probe_init_opaque : probe_init)(probe, random_below(2) ? kDynamic : kStatic);
    probe->nodes = sample->lists[index];
    probe->goes_on = random_below(2) == 0;
    const int wanted = random_below(2 * sample->node_count);
    for (int i = 0; i < wanted; i++) {
        const int node = random_below(sample->node_count);
        LiteNodeInfo info;
        assert_true(lite_subgraph_node_info(graph, node, &info));
        if (strcmp(info.op, "Count") != 0) sample->lists[index][probe->node_count++] = node;
    }
}

// The outputs of both graphs after the same inputs.
static void compare(const Sample* sample, Fixture* with, Fixture* without, int size) {
    Fixture* const both[] = {with, without};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(lite_subgraph_resize_input(both[i]->graph, 0, &size, 1), kTfLiteOk);
        assert_int_equal(lite_subgraph_resize_input(both[i]->graph, 1, &size, 1), kTfLiteOk);
        assert_int_equal(lite_subgraph_allocate(both[i]->graph), kTfLiteOk);
        for (int run = 0; run < 2; run++) {
            fixture_fill(both[i], 0, (float)(3 + run));
            fixture_fill(both[i], 1, (float)(5 * run));
            assert_int_equal(lite_subgraph_invoke(both[i]->graph), kTfLiteOk);
        }
    }
    for (int i = 0; i < sample->output_count; i++) {
        const TfLiteTensor* x = lite_subgraph_tensor(with->graph, sample->outputs[i]);
        const TfLiteTensor* y = lite_subgraph_tensor(without->graph, sample->outputs[i]);
        assert_int_equal(x->bytes, y->bytes);
        assert_memory_equal(x->data.raw, y->data.raw, x->bytes);
    }
}

// Every node runs once, by itself or in one kernel.
static void check_plan(const LiteSubgraph* graph, int node_count) {
    int runs[kMaxNodes] = {0};
    const LiteModelInts plan = lite_subgraph_plan(graph);
    for (int i = 0; i < plan.count; i++) {
        LiteNodeInfo info;
        assert_true(lite_subgraph_node_info(graph, plan.data[i], &info));
        if (plan.data[i] < node_count) runs[plan.data[i]]++;
        for (int k = 0; k < info.replaced_count; k++) runs[info.replaced[k]]++;
    }
    for (int n = 0; n < node_count; n++) assert_int_equal(runs[n], 1);
}

static void run_sample(uint32_t seed) {
    static Sample sample;
    memset(&sample, 0, sizeof sample);
    Fixture with, without;
    fixture_create(&with, build(&sample, seed), NULL);
    fixture_create(&without, build(&sample, seed), NULL);
    with.interpreter->preserve_all_tensors = random_below(8) == 0;
    sample.probe_count = 1 + random_below(kMaxDelegates);
    for (int i = 0; i < sample.probe_count; i++) {
        choose_nodes(&sample, i, with.graph);
        assert_int_equal(lite_interpreter_apply_delegate(with.interpreter, &sample.probes[i].delegate),
                         kTfLiteOk);
        check_plan(with.graph, sample.node_count);
    }
    compare(&sample, &with, &without, 4);
    compare(&sample, &with, &without, 7);
    check_plan(with.graph, sample.node_count);
    const int failing = random_below(sample.probe_count);
    ProbeDelegate* probe = &sample.probes[failing];
    *(probe->goes_on && random_below(2) ? &probe->end_status : &probe->invoke_status) = kTfLiteDelegateError;
    compare(&sample, &with, &without, 5);
    check_plan(with.graph, sample.node_count);
    lite_interpreter_destroy(with.interpreter);
    with.interpreter = NULL;
    for (int i = 0; i < sample.probe_count; i++) {
        const ProbeDelegate* p = &sample.probes[i];
        assert_int_equal(p->frees, p->inits);
        if (p->goes_on && p->invoke_status == kTfLiteOk) assert_int_equal(p->ends, p->invokes);
    }
    lite_interpreter_destroy(without.interpreter);
    without.interpreter = NULL;
    fixture_calls = (FixtureCalls){0};
    fixture_destroy(&with);
    fixture_destroy(&without);
}

static void any_nodes_of_any_graph(void** state) {
    (void)state;
    for (uint32_t seed = 0; seed < kGraphs; seed++) run_sample(seed * 2654435761u);
}

// Lists of nodes.

static void expect_replaced(ProbeDelegate* probe, Fixture* f, int count, const int* nodes,
                            TfLiteStatus status) {
    probe->nodes = nodes;
    probe->node_count = count;
    assert_int_equal(lite_interpreter_apply_delegate(f->interpreter, &probe->delegate), status);
    assert_int_equal(probe->replace_status, status == kTfLiteOk ? kTfLiteOk : kTfLiteError);
}

static void lists_that_are_odd(void** state) {
    (void)state;
    for (int form = 0; form < 2; form++) {
        Fixture f;
        ProbeDelegate probe, other;
        (form ? probe_init_opaque : probe_init)(&probe, kDynamic);
        (form ? probe_init : probe_init_opaque)(&other, kDynamic);
        fixture_create(&f, fixture_chain("Twice", 4), NULL);
        expect_replaced(&probe, &f, 1, (int[]){-1}, kTfLiteDelegateError);
        expect_replaced(&probe, &f, 1, (int[]){4}, kTfLiteDelegateError);
        expect_replaced(&probe, &f, 2, (int[]){0, INT32_MIN}, kTfLiteDelegateError);
        fixture_expect_message(&f, "there is no node");
        assert_int_equal(probe.inits, 0);
        expect_replaced(&probe, &f, 0, (int[]){0}, kTfLiteOk); // nothing
        assert_int_equal(lite_subgraph_plan(f.graph).count, 4);
        expect_replaced(&probe, &f, 5, (int[]){2, 1, 2, 2, 1}, kTfLiteOk); // in any order, repeated
        assert_int_equal(lite_subgraph_plan(f.graph).count, 3);
        assert_int_equal(probe.inits, 1);
        expect_replaced(&other, &f, 3, (int[]){0, 1, 2}, kTfLiteOk); // what others have is left to them
        assert_int_equal(lite_subgraph_plan(f.graph).count, 3);
        expect_replaced(&other, &f, 1, (int[]){5}, kTfLiteOk); // its own kernel
        assert_int_equal(lite_subgraph_plan(f.graph).count, 3);
        expect_replaced(&other, &f, 1, (int[]){4}, kTfLiteDelegateError); // another's kernel
        fixture_expect_message(&f, "node 4 is another delegate's");
        assert_int_equal(lite_subgraph_plan(f.graph).count, 4);
        fixture_destroy(&f);
    }
}

// A delegate may replace nodes in several steps.
static TfLiteStatus replace_in_steps(TfLiteContext* context, TfLiteDelegate* delegate) {
    static const int steps[][2] = {{0, 3}, {1, 2}};
    ProbeDelegate *probe = delegate->data_, usual;
    probe_init(&usual, kDynamic);
    for (int i = 0; i < 2; i++) {
        probe->nodes = steps[i];
        probe->node_count = 2;
        const TfLiteStatus status = usual.delegate.Prepare(context, delegate);
        if (status != kTfLiteOk) return status;
    }
    return kTfLiteOk;
}

static void several_lists_in_one_go(void** state) {
    (void)state;
    Fixture f;
    ProbeDelegate probe;
    probe_init(&probe, kDynamic);
    probe.delegate.Prepare = replace_in_steps;
    fixture_create(&f, fixture_chain("Twice", 4), NULL);
    assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate), kTfLiteOk);
    assert_int_equal(lite_subgraph_plan(f.graph).count, 3);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, 1);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 4, 4, 16);
    fixture_destroy(&f);
    assert_int_equal(probe.inits, 3);
    assert_int_equal(probe.frees, 3);
}

// Control flow.

static int add_float_subgraph(ModelBuilder* b, const char* name, const char* op) {
    const int index = builder_subgraph(b, name);
    fixture_tensor(b, 4);
    fixture_tensor(b, 4);
    fixture_node(b, op, 0, 1);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {1}});
    return index;
}

// Inputs 0 (condition) and 1; 3 = 2 * (0 ? then(1) : otherwise(1)).
static ModelBuilder* if_model(const char* then_name, const char* then_op, const char* otherwise_op) {
    static const TfLiteIfParams params = {1, 2};
    ModelBuilder* b = builder_create();
    builder_tensor(b, (BuilderTensor){.type = kTfLiteBool, .rank = 0});
    for (int i = 0; i < 3; i++) fixture_tensor(b, 4);
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinIf, .inputs = {2, {0, 1}}, .outputs = {1, {2}}, .params = &params});
    fixture_node(b, "Twice", 2, 3);
    builder_inputs(b, (BuilderInts){2, {0, 1}});
    builder_outputs(b, (BuilderInts){1, {3}});
    add_float_subgraph(b, then_name, then_op);
    add_float_subgraph(b, "otherwise", otherwise_op);
    return b;
}

static int plan_front(const Fixture* f, int subgraph) {
    return lite_subgraph_plan(lite_interpreter_subgraph(f->interpreter, subgraph)).data[0];
}

static void expect_if(Fixture* f, bool condition, float x, TfLiteStatus status, float y) {
    *lite_subgraph_tensor(f->graph, 0)->data.b = condition;
    fixture_fill(f, 1, x);
    assert_int_equal(lite_subgraph_invoke(f->graph), status);
    fixture_expect(f, 3, 4, y);
}

static void branches_are_delegated(void** state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        Fixture f;
        ProbeDelegate probe;
        (variant & 1 ? probe_init_opaque : probe_init)(&probe, variant & 2 ? kDynamic : kStatic);
        fixture_create(&f, if_model("then", "Twice", "Scratch"), NULL);
        assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate), kTfLiteOk);
        assert_int_equal(probe.prepares, 3);
        assert_int_equal(plan_front(&f, 1), 1);
        assert_int_equal(plan_front(&f, 2), 1);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        expect_if(&f, true, 3, kTfLiteOk, 12);
        expect_if(&f, false, 3, kTfLiteOk, 8);
        assert_int_equal(probe.invokes, 4);
        // A branch of which the device fails goes on on the CPU, and so do others when they fail.
        probe.invoke_status = kTfLiteDelegateError;
        expect_if(&f, true, 4, kTfLiteOk, 16);
        probe.invoke_status = kTfLiteOk;
        assert_int_equal(plan_front(&f, 1), 0);
        assert_int_equal(plan_front(&f, 2), 1);
        expect_if(&f, false, 4, kTfLiteOk, 10);
        fixture_destroy(&f);
        assert_int_equal(probe.frees, probe.inits);
    }
}

static void branches_fall_back(void** state) {
    (void)state;
    for (int flags = 0; flags < 2; flags++) {
        Fixture f;
        ProbeDelegate probe;
        probe_init(&probe, flags);
        probe.takes = "Scratch"; // nothing of the main graph
        TfLiteDelegate* const delegate = &probe.delegate;
        fixture_create(&f, if_model("then", "Twice", "Scratch"),
                       &(LiteInterpreterOptions){
                           .delegates = &delegate, .delegate_count = 1, .delegate_fallback = true});
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        probe.invoke_status = kTfLiteError;
        expect_if(&f, true, 3, kTfLiteOk, 12);
        expect_if(&f, false, 3, kTfLiteDelegateError, 8);
        assert_int_equal(plan_front(&f, 2), 0);
        expect_if(&f, false, 4, kTfLiteOk, 10);
        fixture_destroy(&f);
        assert_int_equal(probe.frees, probe.inits);
    }
}

static void look_into_branches(TfLiteContext* context) {
    TfLiteOpaqueContext* opaque = (TfLiteOpaqueContext*)context;
    if (strcmp(TfLiteOpaqueContextGetName(opaque), "then") == 0) return;
    if (TfLiteOpaqueContextGetNumTensors(opaque) == 2) return;
    TfLiteContext *branch, *again;
    TfLiteIntArray* plan;
    assert_int_equal(context->AcquireSubgraphContext(context, 2, &branch), kTfLiteOk);
    assert_int_equal(context->AcquireSubgraphContext(context, 2, &again), kTfLiteOk);
    assert_ptr_equal(branch, again);
    assert_int_equal(context->ReleaseSubgraphContext(context, 2), kTfLiteOk);
    assert_int_equal(branch->GetExecutionPlan(branch, &plan), kTfLiteOk); // acquired once more
    assert_int_equal(plan->size, 1);
    const TfLiteRegistration kernel = {.custom_name = "Kernel"};
    assert_int_equal(branch->ReplaceNodeSubsetsWithDelegateKernels(branch, kernel, plan, NULL), kTfLiteError);
    assert_int_equal(context->ReleaseSubgraphContext(context, 2), kTfLiteOk);
    assert_int_equal(context->ReleaseSubgraphContext(context, 2), kTfLiteOk); // once too often
    assert_int_equal(branch->GetExecutionPlan(branch, &plan), kTfLiteError);
    assert_int_equal(context->ReleaseSubgraphContext(context, 0), kTfLiteOk);
    assert_int_equal(context->GetExecutionPlan(context, &plan), kTfLiteOk);
    assert_int_equal(context->AcquireSubgraphContext(context, 2, NULL), kTfLiteError);
    assert_int_equal(TfLiteOpaqueContextMarkSubgraphAsDelegationSkippable(opaque, 0), kTfLiteError);
    assert_int_equal(TfLiteOpaqueContextMarkSubgraphAsDelegationSkippable(opaque, 3), kTfLiteError);
    assert_int_equal(TfLiteOpaqueContextMarkSubgraphAsDelegationSkippable(opaque, -1), kTfLiteError);
    assert_int_equal(TfLiteOpaqueContextMarkSubgraphAsDelegationSkippable(opaque, 2), kTfLiteOk);
}

static void branches_can_be_left_out(void** state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        Fixture f;
        ProbeDelegate probe;
        (variant & 1 ? probe_init_opaque : probe_init)(&probe, variant & 2 ? kDynamic : kStatic);
        probe.look = look_into_branches;
        fixture_create(&f, if_model("then", "Twice", "Scratch"), NULL);
        assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate), kTfLiteOk);
        assert_int_equal(probe.prepares, 2);
        assert_int_equal(plan_front(&f, 1), 1);
        assert_int_equal(plan_front(&f, 2), 0);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        expect_if(&f, true, 3, kTfLiteOk, 12);
        expect_if(&f, false, 3, kTfLiteOk, 8);
        fixture_destroy(&f);
        // Graphs that check others are left alone by their name.
        probe.look = NULL;
        fixture_create(&f, if_model("VALIDATION:then", "Twice", "Scratch"), NULL);
        assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate), kTfLiteOk);
        assert_int_equal(plan_front(&f, 1), 0);
        assert_int_equal(plan_front(&f, 2), 1);
        fixture_destroy(&f);
        assert_int_equal(probe.frees, probe.inits);
    }
}

static int failing_call;

static void fail_later(TfLiteContext* context) {
    (void)context;
    failing_call--;
}

static TfLiteStatus fail_in_a_branch(TfLiteContext* context, TfLiteDelegate* delegate) {
    ProbeDelegate *probe = delegate->data_, usual;
    probe_init(&usual, kDynamic);
    probe->prepare_status = failing_call == 1 ? kTfLiteError : kTfLiteOk;
    return usual.delegate.Prepare(context, delegate);
}

static void a_failure_in_a_branch_is_a_failure(void** state) {
    (void)state;
    for (int call = 1; call <= 3; call++) {
        Fixture f;
        ProbeDelegate probe;
        probe_init(&probe, kDynamic);
        probe.look = fail_later;
        probe.delegate.Prepare = fail_in_a_branch;
        failing_call = call;
        fixture_create(&f, if_model("then", "Twice", "Scratch"), NULL);
        assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate),
                         kTfLiteDelegateError);
        for (int i = 0; i < 3; i++) assert_int_equal(plan_front(&f, i), 0);
        assert_int_equal(probe.frees, probe.inits);
        expect_if(&f, true, 3, kTfLiteOk, 12);
        fixture_destroy(&f);
    }
    // A branch of dynamic sizes does not suit a delegate for fixed ones: the others lose it again.
    Fixture f;
    ProbeDelegate probe, other;
    probe_init(&probe, kStatic);
    probe_init(&other, kDynamic);
    other.takes = "Scratch";
    fixture_create(&f, if_model("then", "Scratch", "Repeat"), NULL);
    assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &other.delegate), kTfLiteOk);
    assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate),
                     kTfLiteApplicationError);
    assert_int_equal(probe.frees, probe.inits);
    assert_int_equal(plan_front(&f, 1), 1); // what was there before stays
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    expect_if(&f, true, 3, kTfLiteOk, 8);
    fixture_destroy(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_nodes_of_any_graph),
        cmocka_unit_test(lists_that_are_odd),
        cmocka_unit_test(several_lists_in_one_go),
        cmocka_unit_test(branches_are_delegated),
        cmocka_unit_test(branches_fall_back),
        cmocka_unit_test(branches_can_be_left_out),
        cmocka_unit_test(a_failure_in_a_branch_is_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
