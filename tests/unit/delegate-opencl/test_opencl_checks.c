// SPDX-License-Identifier: Apache-2.0
// Later processes look whether what a folder keeps of a graph is true: where it is close, or on the device,
// some times, and never again.
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/interpreter.h"
#include "oclite/opencl.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/trial_answers.h"

enum { NODES = 4, CHECKS = 4, EXIT_SKIPPED = 77 };

static char folder[64];
static int elements = 200000; // of each tensor, which no two tests have alike

// Each node computes the double of the one before.
static ModelBuilder* make_chain(void) {
    static const TfLiteAddParams add = {.activation = kTfLiteActNone};
    ModelBuilder* b = builder_create();
    for (int t = 0; t <= NODES; t++) fixture_tensor(b, elements);
    for (int n = 0; n < NODES; n++) {
        builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinAdd,
                                              .inputs = {2, {n, n}},
                                              .outputs = {1, {n + 1}},
                                              .params = &add});
    }
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {NODES}});
    return b;
}

static void count_taken(void* user_data, const OcliteOpenclNode* node) {
    *(int*)user_data += node->taken;
}

static TfLiteDelegate* make_delegate(void) {
    char options[128];
    snprintf(options, sizeof options, "partition=cost,cache_dir=%s", folder);
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string(options);
    if (delegate == NULL) fail_msg("%s", oclite_opencl_last_error());
    return delegate;
}

// How many nodes are on the device.
static int apply(void) {
    int taken = 0;
    Fixture f;
    TfLiteDelegate* delegate = make_delegate();
    fixture_create(
        &f, make_chain(),
        &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1, .trial = &trial_answering});
    assert_non_null(f.interpreter);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, 0.5f);
    fixture_run(&f);
    fixture_expect(&f, NODES, elements, 8);
    fixture_destroy(&f);
    oclite_opencl_delegate_explain(delegate, count_taken, &taken);
    assert_int_equal(trial_answers.entered, 0);
    oclite_opencl_delegate_delete(delegate);
    return taken;
}

// What a process does on a machine where the host and the device take so long. Without a delegate the
// device is closed, and what the process knows is gone. Are its nodes there, and has it raced?
static void expect_process(int64_t host, int64_t device, bool taken, bool races) {
    trial_answers = (TrialAnswers){
        .host = host, .device = device, .both = -1, .node_ns = host / NODES, .node_count = NODES};
    TfLiteDelegate* held = make_delegate(); // until the process ends
    assert_int_equal(apply(), taken ? NODES : 0);
    assert_int_equal(trial_answers.asked[0], races);
    assert_int_equal(trial_answers.asked[1], races);
    assert_int_equal(apply(), taken ? NODES : 0); // once is enough
    assert_int_equal(trial_answers.asked[0], races);
    oclite_opencl_delegate_delete(held);
}

static void expect_first(int64_t host, int64_t device, bool taken) {
    elements++;
    trial_answers = (TrialAnswers){
        .host = host, .device = device, .both = -1, .node_ns = host / NODES, .node_count = NODES};
    TfLiteDelegate* held = make_delegate(); // until the process ends
    assert_int_equal(apply(), taken ? NODES : 0);
    assert_true(trial_answers.asked[0] > 1 && trial_answers.asked[1] > 1); // timed, and in turns
    oclite_opencl_delegate_delete(held);
}

static void wrong_choices_are_mended(void** state) {
    (void)state;
    expect_first(1000000, 950000, true); // on a bad day
    expect_process(1000000, 1100000, false, true);
    for (int p = 0; p < CHECKS; p++) expect_process(1000000, 1100000, false, true);
    expect_process(1000000, 1100000, false, false);
    expect_first(1000000, 1040000, false);
    expect_process(1000000, 900000, true, true);
    for (int p = 0; p < CHECKS; p++) expect_process(1000000, 900000, true, true);
    expect_process(1000000, 900000, true, false);
    expect_first(1000000, 700000, true); // by far: it takes more than one to see it
    expect_process(1000000, 1150000, true, true);
    expect_process(1000000, 1150000, true, true);
    expect_process(1000000, 1150000, true, true);
    expect_process(1000000, 1150000, false, true);
}

static void right_choices_stay(void** state) {
    (void)state;
    expect_first(1000000, 3000000, false); // the host by far: there is nothing to look at
    expect_process(1000000, 3000000, false, false);
    expect_first(1000000, 300000, true); // the device by far is compared with the host
    for (int p = 0; p < CHECKS; p++) expect_process(1000000, 300000, true, true);
    expect_process(1000000, 300000, true, false);
    expect_first(1000000, 800000, true);
    expect_process(1000000, 9000000, true, true); // one bad day of the other kind
    for (int p = 1; p < CHECKS; p++) expect_process(1000000, 800000, true, true);
    expect_process(1000000, 800000, true, false);
    expect_first(1000000, 1010000, false); // that neither is ahead is no contradiction
    for (int p = 0; p < CHECKS; p++) expect_process(1000000, p % 2 == 0 ? 960000 : 1050000, p % 2 == 0, true);
    expect_process(1000000, 1050000, false, false);
}

// What takes too long to be looked at in a process that has other things to do.
static void long_inferences(void** state) {
    (void)state;
    const int64_t ms = 1000000;
    expect_first(80 * ms, 79 * ms, true);
    expect_process(80 * ms, 85 * ms, false, true);
    elements++;
    expect_first(100 * ms, 95 * ms, true);
    expect_process(100 * ms, 110 * ms, true, false);
}

static void failures(void** state) {
    (void)state;
    expect_first(1000000, 950000, true);
    expect_process(1000000, 0, false, true); // the device fails in its turn
    expect_first(1000000, 950000, true);
    expect_process(0, 1000000, true, true);
    expect_first(1000000, 950000, true);
    expect_process(0, 0, true, true);
}

static void remove_folder(void) {
    DIR* entries = opendir(folder);
    for (const struct dirent* entry = entries != NULL ? readdir(entries) : NULL; entry != NULL;
         entry = readdir(entries)) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.') unlink(path);
    }
    if (entries != NULL) closedir(entries);
    rmdir(folder);
}

int main(void) {
    strcpy(folder, "oclite_checks.XXXXXX");
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    if (delegate == NULL) return EXIT_SKIPPED;
    oclite_opencl_delegate_delete(delegate);
    if (mkdtemp(folder) == NULL) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_choices_are_mended),
        cmocka_unit_test(right_choices_stay),
        cmocka_unit_test(long_inferences),
        cmocka_unit_test(failures),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_folder();
    return failed;
}
