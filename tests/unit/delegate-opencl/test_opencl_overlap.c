// SPDX-License-Identifier: Apache-2.0
// The host goes on while the device works: where it does, what it computes, and what becomes of failures.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/trial.h"
#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "delegate-opencl/device/cl.h"
#include "oclite/opencl.h"
#include "tests/support/cl_failures.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/trial_answers.h"

enum { ROW = 3, NODES = 2 + 2 * ROW, RESULT = NODES, EXIT_SKIPPED = 77 };

static int elements = 1000; // of each tensor

// Node 0, behind it two rows of three nodes, and node 7 adds their results. Each computes t + t of the one
// before it: 2 * 16 x. Node n writes tensor n + 1.
static ModelBuilder* make_fork(void) {
    static const TfLiteAddParams add = {.activation = kTfLiteActNone};
    ModelBuilder* b = builder_create();
    for (int t = 0; t <= NODES; t++) fixture_tensor(b, elements);
    for (int n = 0; n < NODES; n++) {
        const int from = n == 1 + ROW ? 1 : n;
        const BuilderOperator op = {.code = kTfLiteBuiltinAdd,
                                    .inputs = {2, {n == NODES - 1 ? 1 + ROW : from, from}},
                                    .outputs = {1, {n + 1}},
                                    .params = &add};
        builder_operator(b, op);
    }
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {RESULT}});
    return b;
}

typedef struct Fork {
    Fixture f;
    TfLiteDelegate* delegate;
} Fork;

static void begin(Fork* fork, const char* options, LiteInterpreterOptions interpreter) {
    fork->delegate = oclite_opencl_delegate_create_from_string(options);
    if (fork->delegate == NULL) fail_msg("%s: %s", options, oclite_opencl_last_error());
    interpreter.delegates = &fork->delegate;
    interpreter.delegate_count = 1;
    fixture_create(&fork->f, make_fork(), &interpreter);
    if (fork->f.interpreter == NULL) fail_msg("%s", fork->f.messages);
    assert_int_equal(lite_subgraph_allocate(fork->f.graph), kTfLiteOk);
}

static void end(Fork* fork) {
    fixture_destroy(&fork->f);
    oclite_opencl_delegate_delete(fork->delegate);
}

static void expect_results(Fork* fork) {
    for (int x = 1; x < 4; x++) {
        fixture_fill(&fork->f, 0, (float)x);
        fixture_run(&fork->f);
        fixture_expect(&fork->f, RESULT, elements, (float)(32 * x));
    }
}

// How many kernels may go on.
static int count_going(const Fork* fork) {
    int count = 0;
    for (int n = NODES; n < fork->f.graph->node_count; n++)
        count += fork->f.graph->nodes[n]->kernel->end != NULL;
    return count;
}

static int run_with(const char* options, LiteInterpreterOptions interpreter) {
    Fork fork;
    begin(&fork, options, interpreter);
    expect_results(&fork);
    const int going = count_going(&fork);
    end(&fork);
    return going;
}

#define BRANCH "partition=all,deny=0+4+5+6+7,"

static void where_the_host_goes_on(void** state) {
    (void)state;
    const LiteInterpreterOptions plain = {0};
    assert_int_equal(run_with(BRANCH "overlap=on", plain), 1);
    assert_int_equal(run_with(BRANCH "overlap=off", plain), 0);
    assert_int_equal(run_with(BRANCH "overlap=cost", plain), 0); // nothing was measured
    assert_int_equal(run_with(BRANCH "overlap=on,profiling=1", plain), 1);
    assert_int_equal(run_with(BRANCH "overlap=on,watchdog_ms=10000", plain), 0);
    assert_int_equal(run_with(BRANCH "overlap=on,precision=auto", plain), 0);
    assert_int_equal(run_with(BRANCH "overlap=on", (LiteInterpreterOptions){.enable_cancellation = true}), 0);
    assert_int_equal(run_with("partition=all,overlap=on", plain), 1); // there is nothing else to do
}

static void count_runs(void* user_data, const OcliteOpenclKernel* kernel) {
    int* runs = user_data;
    assert_true(kernel->total_ns > 0);
    *runs += (int)kernel->runs;
}

// Kernels are timed all the same.
static void times_of_kernels(void** state) {
    (void)state;
    Fork fork;
    int runs = 0;
    begin(&fork, BRANCH "overlap=on,profiling=1", (LiteInterpreterOptions){0});
    expect_results(&fork);
    oclite_opencl_delegate_profile(fork.delegate, count_runs, &runs);
    assert_true(runs >= 3 && runs % 3 == 0); // as many as inferences, for each kernel
    end(&fork);
}

static void values_of_the_option(void** state) {
    (void)state;
    assert_null(oclite_opencl_delegate_create_from_string("overlap=yes"));
    assert_non_null(
        strstr(oclite_opencl_last_error(), "option overlap: \"yes\" is none of cost, on and off"));
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.overlap = "maybe";
    assert_null(oclite_opencl_delegate_create(&options));
    assert_non_null(strstr(oclite_opencl_last_error(), "\"maybe\""));
}

// The host's row and the device's are one after the other in the plan, whatever their order in the model.
static void the_plan(void** state) {
    (void)state;
    Fork fork;
    begin(&fork, BRANCH "overlap=on", (LiteInterpreterOptions){0});
    const LiteModelInts plan = lite_subgraph_plan(fork.f.graph);
    const int expected[] = {0, NODES, 4, 5, 6, 7};
    assert_int_equal(plan.count, 6);
    for (int i = 0; i < 6; i++) assert_int_equal(plan.data[i], expected[i]);
    assert_int_equal(fork.f.graph->nodes[NODES]->kernel->ends_before, 5);
    expect_results(&fork);
    const int size = 7;
    assert_int_equal(lite_subgraph_resize_input(fork.f.graph, 0, &size, 1), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(fork.f.graph), kTfLiteOk);
    fixture_fill(&fork.f, 0, 2);
    fixture_run(&fork.f);
    fixture_expect(&fork.f, RESULT, size, 64);
    end(&fork);
}

// ---- A host that says what is faster ----

static void note_placement(void* user_data, const OcliteOpenclPlacement* placement) {
    *(OcliteOpenclPlacement*)user_data = *placement;
}

// Each time for other shapes, since the process keeps what it has been told of a graph.
static void expect_placement(const char* options, int64_t host, int64_t device, int64_t both,
                             bool overlapped) {
    static int calls;
    OcliteOpenclPlacement placement = {.graph = -1};
    Fork fork;
    elements = 200000 + ++calls; // enough for trials to be worth their while
    trial_answers = (TrialAnswers){host, device, both, .node_ns = 100000, .node_count = NODES};
    begin(&fork, options, (LiteInterpreterOptions){.trial = &trial_answering});
    expect_results(&fork);
    oclite_opencl_delegate_placements(fork.delegate, note_placement, &placement);
    assert_int_equal(placement.graph, 0);
    assert_int_equal(placement.overlapped, overlapped);
    if (trial_answers.asked[2] > 0)
        assert_in_range(placement.overlapped_run_ns, both - both / 1000, both + both / 1000);
    else
        assert_int_equal(placement.overlapped_run_ns, -1);
    assert_int_equal(trial_answers.entered, 0);
    assert_int_equal(count_going(&fork) > 0, overlapped);
    end(&fork);
}

static void what_a_trial_shows(void** state) {
    (void)state;
    expect_placement("partition=cost,cache_dir=off", 800000, 700000, 600000, true);
    assert_int_equal(trial_answers.asked[2], 1);
    expect_placement("partition=cost,cache_dir=off", 800000, 700000, 750000, false);
    expect_placement("partition=cost,cache_dir=off", 500000, 700000, 600000, false);
    expect_placement("partition=cost,overlap=off,cache_dir=off", 800000, 700000, 600000, false);
    assert_int_equal(trial_answers.asked[2], 0);
}

// ---- Failures ----

static LiteCl working; // the functions as they were
static bool finish_fails;

static cl_int finish(cl_command_queue queue) {
    const cl_int status = working.clFinish(queue);
    return finish_fails ? CL_OUT_OF_RESOURCES : status;
}

static cl_int fail_flush(cl_command_queue queue) {
    (void)queue;
    return CL_INVALID_COMMAND_QUEUE;
}

// The CPU computes all of it, from the beginning.
static void expect_rescue(void (*break_device)(LiteCl* table)) {
    LiteCl* table = (LiteCl*)(uintptr_t)lite_cl_load(NULL);
    working = *table;
    finish_fails = false;
    Fork fork;
    begin(&fork, BRANCH "overlap=on", (LiteInterpreterOptions){0});
    expect_results(&fork);
    break_device(table);
    fixture_fill(&fork.f, 0, 5);
    fixture_run(&fork.f);
    fixture_expect(&fork.f, RESULT, elements, 160);
    assert_int_equal(lite_subgraph_plan(fork.f.graph).count, NODES);
    fixture_expect_message(&fork.f, "A delegate failed and has been removed");
    *table = working;
    expect_results(&fork);
    end(&fork);
}

static void break_launch(LiteCl* table) {
    table->clEnqueueNDRangeKernel = cl_fail_launch;
}

static void break_flush(LiteCl* table) {
    table->clFlush = fail_flush;
}

static void break_finish(LiteCl* table) {
    table->clFinish = finish;
    finish_fails = true;
}

static void a_device_that_fails(void** state) {
    (void)state;
    expect_rescue(break_launch);
    expect_rescue(break_flush);
    expect_rescue(break_finish);
}

int main(void) {
    if (setenv("OCLITE_OPENCL_PARTITION", "all", 1) != 0) return 1;
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    if (delegate == NULL) return EXIT_SKIPPED;
    oclite_opencl_delegate_delete(delegate);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_the_host_goes_on), cmocka_unit_test(times_of_kernels),
        cmocka_unit_test(values_of_the_option),   cmocka_unit_test(the_plan),
        cmocka_unit_test(what_a_trial_shows),     cmocka_unit_test(a_device_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
