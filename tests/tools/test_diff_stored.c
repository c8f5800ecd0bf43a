// SPDX-License-Identifier: Apache-2.0
// How oclite diff finds the tensor whose being looked at makes outputs agree: against sides that are made up,
// in a graph of a chain of nodes, each of which writes one tensor.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/diff/alone.h"
#include "tools/diff/stored.h"

enum { NODES = 20 };

// Node n reads tensor n and writes tensor n + 1; tensor NODES is the output.
static int numbers[NODES + 1];
static int culprit; // outputs differ unless this tensor is exposed
static int probes;
static bool is_exposed;
static int fails_at; // the probe that cannot be computed; 0: none

OcliteNode diff_graph_node(const DiffGraph* graph, int node) {
    (void)graph;
    return (OcliteNode){.op = "TANH",
                        .input_count = 1,
                        .inputs = &numbers[node],
                        .output_count = 1,
                        .outputs = &numbers[node + 1]};
}

ToolStatus diff_graph_close_set(const DiffGraph* graph, bool* set, bool* changed, ToolMessage* message) {
    (void)graph, (void)set, (void)message;
    *changed = false;
    return kToolOk;
}

ToolStatus diff_cut_expose(const DiffGraph* graph, const int* outputs, int count, const char* path,
                           ToolMessage* message) {
    (void)graph, (void)path, (void)message;
    is_exposed = false;
    assert_int_equal(outputs[0], NODES);
    for (int o = 0; o < count; o++) is_exposed = is_exposed || outputs[o] == culprit;
    return kToolOk;
}

ToolStatus diff_alone_compare(const DiffWork* work, const char* path, DiffAlone* alone,
                              ToolMessage* message) {
    (void)work, (void)path;
    if (++probes == fails_at) return tool_fail(message, kToolInvoke, "the device is gone");
    alone->errors = calloc((size_t)alone->output_count, sizeof(*alone->errors));
    assert_non_null(alone->errors);
    alone->errors[0].verdict = is_exposed ? kDiffAgrees : kDiffDiffers;
    return kToolOk;
}

bool diff_alone_check(DiffWork* work, DiffFinding* finding) {
    (void)work;
    finding->is_alone = true;
    return true;
}

bool diff_is_beyond(const DiffError* error) {
    return error->verdict >= kDiffDiffers;
}

bool diff_is_worse(const DiffError* error, const DiffError* other) {
    return error->excess > other->excess;
}

// The output first, then what the nodes write one after the other.
static ToolStatus search(DiffWork* work, ToolMessage* message) {
    static int tensors[NODES];
    static int group[NODES];
    static int writer[NODES + 1];
    static DiffError output;
    for (int n = 0; n <= NODES; n++) {
        numbers[n] = n;
        writer[n] = n - 1;
    }
    for (int n = 0; n < NODES; n++) group[n] = n;
    tensors[0] = NODES;
    for (int t = 1; t < NODES; t++) tensors[t] = t;
    output = (DiffError){.verdict = kDiffDiffers, .excess = 3};
    *work = (DiffWork){
        .folder = "/tmp",
        .output_count = 1,
        .outputs = &output,
        .row_count = NODES,
        .tensors = tensors,
        .graph = {.node_count = NODES, .tensor_count = NODES + 1, .group = group, .writer = writer}};
    probes = 0;
    return diff_search_stored(work, message);
}

static void every_tensor_is_found(void** state) {
    (void)state;
    for (culprit = 1; culprit < NODES; culprit++) {
        DiffWork work;
        ToolMessage message = {{0}};
        assert_int_equal(search(&work, &message), kToolOk);
        assert_int_equal(work.finding.cause, kDiffStored);
        assert_int_equal(work.finding.tensor, culprit);
        // The node that writes it, and the one that reads it.
        assert_int_equal(work.finding.node_count, 2);
        assert_int_equal(work.finding.nodes[0], culprit - 1);
        assert_int_equal(work.finding.nodes[1], culprit);
        assert_true(work.finding.is_alone && work.finding.error.excess == 3);
        assert_true(probes <= 5);
        free(work.finding.nodes);
    }
}

static void failures_end_it(void** state) {
    (void)state;
    DiffWork work;
    ToolMessage message = {{0}};
    culprit = 7;
    fails_at = 2;
    assert_int_equal(search(&work, &message), kToolInvoke);
    assert_string_equal(message.text, "the device is gone");
    assert_null(work.finding.nodes);
    fails_at = 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_tensor_is_found),
                                       cmocka_unit_test(failures_end_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
