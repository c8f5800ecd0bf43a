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
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/interpreter.h"
#include "oclite/opencl.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/trial_answers.h"

enum { ROW = 3, NODES = 2 + 2 * ROW, CHECKS = 4, NOBODY = 65534, EXIT_SKIPPED = 77 };

static char folder[64];
static int elements = 200000; // of each tensor, which no two tests have alike
static bool forks;

// Each node computes the double of the one before; where the graph forks, there are two rows of them between
// the first and the last, which adds them.
static ModelBuilder* make_model(void) {
    static const TfLiteAddParams add = {.activation = kTfLiteActNone};
    ModelBuilder* b = builder_create();
    for (int t = 0; t <= NODES; t++) fixture_tensor(b, elements);
    for (int n = 0; n < NODES; n++) {
        const int from = forks && n == 1 + ROW ? 1 : n, other = forks && n == NODES - 1 ? 1 + ROW : from;
        builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinAdd,
                                              .inputs = {2, {from, other}},
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
        &f, make_model(),
        &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1, .trial = &trial_answering});
    assert_non_null(f.interpreter);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, 0.5f);
    fixture_run(&f);
    fixture_expect(&f, NODES, elements, forks ? 16 : 128);
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

// What a process chooses where the host, the device and both at once take so long: how many nodes are on the
// device, and with how many races of either kind.
static void expect_fork(const int64_t ns[3], bool taken, int all_races, int both_races) {
    trial_answers = (TrialAnswers){.host = ns[0],
                                   .device = ns[1],
                                   .both = ns[2],
                                   .node_ns = ns[0] / NODES,
                                   .device_node_ns = ns[1] / NODES,
                                   .node_count = NODES};
    assert_int_equal(apply() > 0, taken);
    assert_int_equal(trial_answers.asked[1], all_races);
    assert_int_equal(trial_answers.asked[2], both_races);
}

// A race for which the first process has no time is a later one's.
static void races_that_waited(void** state) {
    (void)state;
    const int64_t ms = 1000000, some[] = {130 * ms, 140 * ms, 80 * ms},
                  long_ones[] = {200 * ms, 220 * ms, 130 * ms}, too_long[] = {900 * ms, 950 * ms, 500 * ms};
    forks = true;
    elements++;
    expect_fork(some, true, 1, 1); // the one that promises most comes first
    expect_fork(some, true, 1, 0); // then the other
    expect_fork(some, true, 0, 0); // and that is all: one more would take over half a second
    elements++;
    expect_fork(long_ones, false, 1, 0); // two inferences of the device, and the second is over
    expect_fork(long_ones, true, 0, 1);
    for (int p = 0; p < CHECKS; p++) expect_fork(long_ones, true, 0, 0);
    elements++;
    for (int p = 0; p < 2 + CHECKS; p++) expect_fork(too_long, false, p == 0, 0);
    forks = false;
}

// Calls it with the path of each file of the folder.
static void each_file(void (*call)(const char* path)) {
    DIR* entries = opendir(folder);
    for (const struct dirent* entry = entries != NULL ? readdir(entries) : NULL; entry != NULL;
         entry = readdir(entries)) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.') call(path);
    }
    if (entries != NULL) closedir(entries);
}

static void give_to_nobody(const char* path) {
    assert_int_equal(chown(path, NOBODY, (gid_t)-1), 0);
}

static void take_back(const char* path) {
    assert_int_equal(chown(path, getuid(), (gid_t)-1), 0);
}

// Permissions bind everybody but root.
static void set_writable(bool writable) {
    const bool is_root = getuid() == 0;
    if (is_root && writable) assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(folder, writable ? 0700 : 0500), 0);
    if (!is_root) return;
    each_file(writable ? take_back : give_to_nobody);
    (writable ? take_back : give_to_nobody)(folder);
    if (!writable) assert_int_equal(seteuid(NOBODY), 0);
}

// Kept times count, and what cannot be kept is measured by each process.
static void a_folder_that_is_read_only(void** state) {
    (void)state;
    expect_first(1000000, 1040000, false);
    const int kept = elements;
    set_writable(false);
    for (int p = 0; p < 2 + CHECKS; p++)
        expect_process(1000000, 1040000, false, true); // nobody can say how often
    expect_first(1000000, 1040000, false);
    elements--;
    expect_first(1000000, 3000000, false);
    set_writable(true);
    elements = kept;
    expect_process(1000000, 1040000, false, true);
    elements++;
    expect_first(1000000, 1040000, false);
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

static void remove_file(const char* path) {
    unlink(path);
}

static void remove_folder(void) {
    each_file(remove_file);
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
        cmocka_unit_test(races_that_waited),
        cmocka_unit_test(a_folder_that_is_read_only),
        cmocka_unit_test(failures),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_folder();
    return failed;
}
