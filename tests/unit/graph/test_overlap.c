// SPDX-License-Identifier: Apache-2.0
// Kernels that go on while the host runs other nodes: when they have to end, and that they end whatever
// happens.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/apply.h"
#include "core/graph/graph.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/probe_delegate.h"
#include "tests/support/probe_graph.h"

// What has happened in an inference, in its order.
static char events[64];

static void note(char event) {
    const size_t length = strlen(events);
    if (length + 1 < sizeof events) events[length] = event;
}

// Operator "Note" of one number: y = x + 1, and says which node it is.
static const ProbeDelegate* watched;
static int failing; // the call of the operator that fails, from 1 on; 0: none
static int calls;

static TfLiteStatus note_prepare(TfLiteContext* context, TfLiteNode* node) {
    TfLiteIntArray* dims = TfLiteIntArrayCopy(context->tensors[node->inputs->data[0]].dims);
    return context->ResizeTensor(context, &context->tensors[node->outputs->data[0]], dims);
}

static TfLiteStatus note_invoke(TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* x = &context->tensors[node->inputs->data[0]];
    const TfLiteTensor* y = &context->tensors[node->outputs->data[0]];
    note((char)('0' + node->outputs->data[0]));
    if (watched->invokes > watched->ends) note('+'); // a kernel goes on
    if (++calls == failing) return kTfLiteError;
    for (size_t i = 0; i < x->bytes / sizeof(float); i++) y->data.f[i] = x->data.f[i] + 1;
    return kTfLiteOk;
}

static TfLiteRegistration note_operator = {
    .prepare = note_prepare, .invoke = note_invoke, .custom_name = "Note"};

//     0 -Note-> 1 -Note-> 2 -Note-> 3
//               '-Twice-> 4 -Twice-> 5      3 and 5 -Sum-> 6 = (x + 3) + 4 (x + 1)
static ModelBuilder* fork_model(void) {
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 7; i++) fixture_tensor(b, 4);
    fixture_node(b, "Note", 0, 1);
    fixture_node(b, "Note", 1, 2);
    fixture_node(b, "Note", 2, 3);
    fixture_node(b, "Twice", 1, 4);
    fixture_node(b, "Twice", 4, 5);
    fixture_node2(b, "Sum", 3, 5, 6);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {6}});
    return b;
}

typedef struct Fork {
    Fixture f;
    ProbeDelegate probe;
} Fork;

static void begin(Fork* fork, ModelBuilder* model, bool opaque) {
    const LiteOperatorEntry entry = {kTfLiteBuiltinCustom, "Note", 1, 1, note_operator};
    (opaque ? probe_init_opaque : probe_init)(&fork->probe, kTfLiteDelegateFlagsAllowDynamicTensors);
    fork->probe.takes = "Twice";
    fork->probe.goes_on = true;
    watched = &fork->probe;
    failing = 0;
    TfLiteDelegate* delegate = &fork->probe.delegate;
    const LiteInterpreterOptions options = {
        .delegates = &delegate, .delegate_count = 1, .operators = &entry, .operator_count = 1};
    fixture_create(&fork->f, model, &options);
    assert_non_null(fork->f.interpreter);
    assert_int_equal(lite_subgraph_allocate(fork->f.graph), kTfLiteOk);
}

// No kernel goes on afterwards.
static void invoke(Fork* fork, float x, TfLiteStatus status) {
    memset(events, 0, sizeof events);
    calls = 0;
    fixture_fill(&fork->f, 0, x);
    assert_int_equal(lite_subgraph_invoke(fork->f.graph), status);
    if (fork->probe.invoke_status == kTfLiteOk) assert_int_equal(fork->probe.ends, fork->probe.invokes);
    assert_null(fork->f.graph->going);
}

static void expect_result(Fork* fork, float x, int count, const char* happened) {
    invoke(fork, x, kTfLiteOk);
    fixture_expect(&fork->f, 6, count, (x + 3) + 4 * (x + 1));
    assert_string_equal(events, happened);
}

static void the_host_goes_on_with_what_does_not_wait(void** state) {
    (void)state;
    for (int form = 0; form < 2; form++) {
        Fork fork;
        begin(&fork, fork_model(), form == 1);
        probe_expect_plan(&fork.f, 5, (int[]){0, 6, 1, 2, 5});
        expect_result(&fork, 3, 4, "12+3+");
        const int size = 1000;
        assert_int_equal(lite_subgraph_resize_input(fork.f.graph, 0, &size, 1), kTfLiteOk);
        assert_int_equal(lite_subgraph_allocate(fork.f.graph), kTfLiteOk);
        for (int run = 0; run < 3; run++) expect_result(&fork, (float)run, size, "12+3+");
        assert_int_equal(fork.probe.ends, 4);
        fixture_destroy(&fork.f);
    }
}

static void ignore_node(void* data, int subgraph, int node, uint64_t begin_ns, uint64_t end_ns) {
    (void)data, (void)subgraph, (void)node, (void)begin_ns, (void)end_ns;
}

static void nodes_that_are_timed_run_one_by_one(void** state) {
    (void)state;
    Fork fork;
    begin(&fork, fork_model(), false);
    lite_interpreter_set_profile(fork.f.interpreter, ignore_node, NULL);
    expect_result(&fork, 2, 4, "123");
    lite_interpreter_set_profile(fork.f.interpreter, NULL, NULL);
    expect_result(&fork, 2, 4, "12+3+");
    fixture_destroy(&fork.f);
}

static void kernels_end_when_a_node_fails(void** state) {
    (void)state;
    Fork fork;
    begin(&fork, fork_model(), false);
    for (failing = 1; failing <= 3; failing++) {
        invoke(&fork, 1, kTfLiteError);
        fixture_expect_message(&fork.f, "failed to invoke");
    }
    assert_int_equal(fork.probe.ends, 2);
    failing = 0;
    expect_result(&fork, 1, 4, "12+3+");
    fixture_destroy(&fork.f);
}

static bool is_cancelled(void* data) {
    return strchr(events, *(const char*)data) != NULL;
}

static void kernels_end_when_the_inference_is_cancelled(void** state) {
    (void)state;
    char after = '2';
    Fork fork;
    begin(&fork, fork_model(), false);
    lite_interpreter_set_cancellation(fork.f.interpreter, is_cancelled, &after);
    invoke(&fork, 1, kTfLiteError);
    assert_int_equal(fork.probe.ends, 1);
    after = '9';
    expect_result(&fork, 1, 4, "12+3+");
    fixture_destroy(&fork.f);
}

static void a_kernel_may_fail_at_its_end(void** state) {
    (void)state;
    for (int form = 0; form < 2; form++) {
        Fork fork;
        begin(&fork, fork_model(), form == 1);
        fork.probe.end_status = kTfLiteError;
        invoke(&fork, 1, kTfLiteError);
        fixture_expect_message(&fork.f, "Node number 6 (Probe) failed to invoke");
        fork.probe.end_status = kTfLiteDelegateError; // the CPU computes its nodes, from the beginning
        expect_result(&fork, 5, 4, "12+3+123");
        fixture_expect_message(&fork.f, "A delegate failed and has been removed");
        assert_int_equal(fork.probe.invokes, 2);
        expect_result(&fork, 6, 4, "123");
        fixture_destroy(&fork.f);
    }
}

// Its result is one of the graph, and nobody in the graph reads it.
static void a_kernel_ends_with_the_graph(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 4; i++) fixture_tensor(b, 4);
    fixture_node(b, "Note", 0, 1);
    fixture_node(b, "Note", 1, 2);
    fixture_node(b, "Twice", 0, 3);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){2, {2, 3}});
    Fork fork;
    begin(&fork, b, false);
    probe_expect_plan(&fork.f, 3, (int[]){3, 0, 1});
    invoke(&fork, 4, kTfLiteOk);
    assert_string_equal(events, "1+2+");
    fixture_expect(&fork.f, 2, 4, 6);
    fixture_expect(&fork.f, 3, 4, 8);
    fixture_destroy(&fork.f);
}

// Behind a node whose result gets its size when it runs tensors get memory anew.
static void a_kernel_ends_before_memory_moves(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 6; i++) fixture_tensor(b, 4);
    fixture_node(b, "Note", 0, 1);
    fixture_node(b, "Note", 1, 2);
    fixture_node(b, "Repeat", 2, 3);
    fixture_node(b, "Note", 3, 4);
    fixture_node(b, "Twice", 0, 5);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){2, {4, 5}});
    Fork fork;
    begin(&fork, b, false);
    for (int x = 1; x < 4; x++) {
        invoke(&fork, (float)x, kTfLiteOk);
        assert_string_equal(events, "1+2+4");
        fixture_expect(&fork.f, 4, x + 2, (float)(x + 3));
        fixture_expect(&fork.f, 5, 4, (float)(2 * x));
    }
    fixture_destroy(&fork.f);
}

// Two kernels do not go on together.
static void a_kernel_ends_before_the_next_one(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 6; i++) fixture_tensor(b, 4);
    fixture_node(b, "Twice", 0, 1);
    fixture_node(b, "Note", 0, 2);
    fixture_node(b, "Twice", 2, 3);
    fixture_node(b, "Note", 2, 4);
    fixture_node2(b, "Sum", 1, 3, 5);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){2, {4, 5}});
    Fork fork;
    begin(&fork, b, false);
    for (int x = 1; x < 4; x++) {
        invoke(&fork, (float)x, kTfLiteOk);
        fixture_expect(&fork.f, 4, 4, (float)(x + 2));
        fixture_expect(&fork.f, 5, 4, (float)(2 * x + 2 * (x + 1)));
    }
    fixture_destroy(&fork.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_host_goes_on_with_what_does_not_wait),
        cmocka_unit_test(nodes_that_are_timed_run_one_by_one),
        cmocka_unit_test(kernels_end_when_a_node_fails),
        cmocka_unit_test(kernels_end_when_the_inference_is_cancelled),
        cmocka_unit_test(a_kernel_may_fail_at_its_end),
        cmocka_unit_test(a_kernel_ends_with_the_graph),
        cmocka_unit_test(a_kernel_ends_before_memory_moves),
        cmocka_unit_test(a_kernel_ends_before_the_next_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
