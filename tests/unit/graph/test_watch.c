// SPDX-License-Identifier: Apache-2.0
// Delegates that are asked, before a graph is given its memory anew, whether they are outdated.
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
#include "core/graph/trial.h"
#include "core/graph/watch.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/probe_delegate.h"
#include "tests/support/probe_graph.h"

enum { CHAIN = 3 };

static bool outdated; // the answer
static int asked;
static LiteGraphUse seen;       // of the last question
static int inner[2];            // elements of what is between nodes, in the last Prepare of either probe
static ProbeDelegate probes[2]; // the second one is applied on top of the first

static bool is_outdated(TfLiteContext* context, TfLiteDelegate* delegate, const LiteGraphUse* use) {
    assert_int_equal(context->tensors[0].dims->size, 1);
    assert_ptr_equal(delegate, &probes[0].delegate);
    asked++;
    seen = *use;
    return outdated;
}

static void look_first(TfLiteContext* context) {
    inner[0] = context->tensors[2].dims->data[0];
    const LiteTrialService* service = lite_trial_service(context);
    if (service != NULL) service->watch(context, is_outdated);
}

static void look_second(TfLiteContext* context) {
    inner[1] = context->tensors[1].dims->data[0];
}

// The first delegate takes the last of three nodes, the second one the node before.
static void begin(Fixture* f, const LiteTrialService* trial, int delegates, ModelBuilder* model) {
    static const int last = 2, middle = 1;
    for (int p = 0; p < 2; p++) probe_init(&probes[p], kTfLiteDelegateFlagsAllowDynamicTensors);
    probes[0].nodes = &last, probes[1].nodes = &middle;
    probes[0].node_count = probes[1].node_count = 1;
    probes[0].look = look_first, probes[1].look = look_second;
    outdated = false;
    asked = 0;
    TfLiteDelegate* applied[] = {&probes[0].delegate, &probes[1].delegate};
    fixture_create(
        f, model,
        &(LiteInterpreterOptions){.delegates = applied, .delegate_count = delegates, .trial = trial});
    assert_non_null(f->interpreter);
    assert_int_equal(lite_subgraph_allocate(f->graph), kTfLiteOk);
    asked = 0;
}

static void resize(Fixture* f, int size, TfLiteStatus status) {
    assert_int_equal(lite_subgraph_resize_input(f->graph, 0, &size, 1), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(f->graph), status);
}

static void expect_result(Fixture* f, int size) {
    fixture_fill(f, 0, 3);
    fixture_run(f);
    fixture_expect(f, CHAIN, size, 24);
}

static void only_when_memory_is_given(void** state) {
    (void)state;
    Fixture f;
    begin(&f, lite_trial(), 1, fixture_chain("Twice", CHAIN));
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    expect_result(&f, 4);
    assert_int_equal(asked, 0);
    resize(&f, 7, kTfLiteOk);
    assert_int_equal(asked, 1);
    assert_int_equal(probes[0].prepares, 1);
    expect_result(&f, 7);
    // Variables and what is in them stay when the program only wants its memory back for a while.
    outdated = true;
    assert_int_equal(lite_subgraph_release_memory(f.graph), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    assert_int_equal(asked, 1);
    expect_result(&f, 7);
    fixture_destroy(&f);
}

static void what_is_outdated_is_applied_again(void** state) {
    (void)state;
    Fixture f;
    begin(&f, lite_trial(), 2, fixture_chain("Twice", CHAIN));
    probe_expect_plan(&f, 3, (int[]){0, 4, 3});
    outdated = true;
    resize(&f, 1000, kTfLiteOk);
    for (int p = 0; p < 2; p++) {
        assert_int_equal(probes[p].prepares, 2);
        assert_int_equal(inner[p], 1000);
        assert_int_equal(probes[p].inits, 2);
        assert_int_equal(probes[p].frees, 1);
    }
    probe_expect_plan(&f, 3, (int[]){0, 4, 3});
    expect_result(&f, 1000);
    outdated = false;
    resize(&f, 3, kTfLiteOk);
    assert_int_equal(probes[0].prepares, 2);
    expect_result(&f, 3);
    fixture_destroy(&f);
    assert_int_equal(probes[0].inits, probes[0].frees);
}

static void inferences_are_counted(void** state) {
    (void)state;
    Fixture f;
    begin(&f, lite_trial(), 1, fixture_chain("Twice", CHAIN));
    for (int run = 0; run < 5; run++) expect_result(&f, 4);
    fixture_failing_invokes = 1; // of the CPU's, which does not count
    assert_int_not_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    resize(&f, 5, kTfLiteOk);
    assert_int_equal(seen.runs, 5);
    assert_true(seen.least_ns > 0);
    resize(&f, 6, kTfLiteOk);
    assert_int_equal(seen.runs, 0);
    fixture_destroy(&f);
}

// Afterwards an inference does not look at the clock.
static void the_first_inferences_count(void** state) {
    (void)state;
    Fixture f;
    begin(&f, lite_trial(), 1, fixture_chain("Twice", CHAIN));
    fixture_fill(&f, 0, 3);
    for (int run = 0; run < LITE_GRAPH_USE_MOST; run++) {
        assert_true(lite_watch_begin(f.graph) > 0);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    }
    assert_true(lite_watch_begin(f.graph) == 0);
    for (int run = 0; run < 10; run++) expect_result(&f, 4);
    assert_int_equal(f.graph->use.runs, LITE_GRAPH_USE_MOST);
    resize(&f, 5, kTfLiteOk);
    assert_int_equal(seen.runs, LITE_GRAPH_USE_MOST);
    assert_true(lite_watch_begin(f.graph) > 0);
    fixture_destroy(&f);
}

static void who_is_not_asked(void** state) {
    (void)state;
    Fixture f;
    begin(&f, NULL, 1, fixture_chain("Twice", CHAIN)); // as a trial itself
    resize(&f, 9, kTfLiteOk);
    assert_int_equal(asked, 0);
    expect_result(&f, 9);
    assert_int_equal(f.graph->use.runs, 0);
    fixture_destroy(&f);
    begin(&f, lite_trial(), 1, fixture_chain("Twice", CHAIN));
    assert_int_equal(lite_delegate_remove_everywhere(f.interpreter), kTfLiteOk);
    resize(&f, 9, kTfLiteOk);
    assert_int_equal(asked, 0);
    expect_result(&f, 9);
    fixture_destroy(&f);
}

static bool refuse_large(TfLiteContext* context, TfLiteDelegate* delegate, const LiteGraphUse* use) {
    (void)delegate, (void)use;
    return context->tensors[0].dims->data[0] > 100;
}

static void look_large(TfLiteContext* context) {
    lite_trial_service(context)->watch(context, refuse_large);
}

// The delegate that is asked again may fail, and leaves the graph to the CPU; what cannot be prepared is an
// error once, and nothing is lost.
static void failures(void** state) {
    (void)state;
    Fixture f;
    begin(&f, lite_trial(), 1, fixture_chain("Twice", CHAIN));
    outdated = true;
    probes[0].prepare_status = kTfLiteError;
    resize(&f, 8, kTfLiteOk);
    probe_expect_plan(&f, 3, (int[]){0, 1, 2});
    expect_result(&f, 8);
    fixture_destroy(&f);

    begin(&f, lite_trial(), 1, fixture_chain("Twice", CHAIN));
    probes[0].look = look_large;
    outdated = true;
    resize(&f, 8, kTfLiteOk);
    const size_t limit = f.interpreter->memory_limit;
    f.interpreter->memory_limit = f.interpreter->memory_used + 1000;
    resize(&f, 1 << 20, kTfLiteError);
    f.interpreter->memory_limit = limit;
    resize(&f, 1 << 20, kTfLiteOk);
    expect_result(&f, 1 << 20);
    probe_expect_plan(&f, 3, (int[]){0, 1, 3});
    fixture_destroy(&f);
}

static void graphs_with_operators_of_the_delegate_alone(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    for (int i = 0; i <= CHAIN; i++) fixture_tensor(b, 4);
    fixture_node(b, "Twice", 0, 1);
    fixture_node(b, "Twice", 1, 2);
    fixture_node(b, "Unknown", 2, 3);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {CHAIN}});
    Fixture f;
    begin(&f, lite_trial(), 1, b);
    outdated = true;
    resize(&f, 11, kTfLiteOk);
    assert_int_equal(probes[0].prepares, 2);
    fixture_destroy(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_when_memory_is_given),
        cmocka_unit_test(what_is_outdated_is_applied_again),
        cmocka_unit_test(inferences_are_counted),
        cmocka_unit_test(the_first_inferences_count),
        cmocka_unit_test(who_is_not_asked),
        cmocka_unit_test(failures),
        cmocka_unit_test(graphs_with_operators_of_the_delegate_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
