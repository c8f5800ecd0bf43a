// SPDX-License-Identifier: Apache-2.0
// Partitioner: properties on random graphs, minimality against an exhaustive search, faults, policy.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "partitioner/partition.h"
#include "partitioner/policy.h"
#include "tests/support/random_numbers.h"

enum { MAX_NODES = 40, MAX_TENSORS = 60, MAX_ENDS = 4, MAX_CONTROLS = 12, RANDOM_GRAPHS = 10000 };

// A graph small enough to look at from every side; `edge` is derived from the contract pair by pair.
typedef struct Sample {
    LitePartitionGraph graph;
    int input_start[MAX_NODES + 1];
    int inputs[MAX_NODES * MAX_ENDS];
    int output_start[MAX_NODES + 1];
    int outputs[MAX_NODES * MAX_ENDS];
    int control_from[MAX_CONTROLS];
    int control_to[MAX_CONTROLS];
    bool supported[MAX_NODES];
    bool edge[MAX_NODES][MAX_NODES];
} Sample;

static bool touches(const int* start, const int* items, int node, int tensor) {
    for (int i = start[node]; i < start[node + 1]; i++) {
        if (items[i] == tensor) return true;
    }
    return false;
}

static bool reads(const Sample* s, int node, int tensor) {
    return touches(s->input_start, s->inputs, node, tensor);
}

static bool writes(const Sample* s, int node, int tensor) {
    return touches(s->output_start, s->outputs, node, tensor);
}

static void derive_edges(Sample* s) {
    memset(s->edge, 0, sizeof(s->edge));
    for (int t = 0; t < s->graph.tensor_count; t++) {
        for (int to = 0; to < s->graph.node_count; to++) {
            for (int from = 0; from < to; from++) {
                if (writes(s, to, t) && (reads(s, from, t) || writes(s, from, t))) s->edge[from][to] = true;
                if (!reads(s, to, t) || !writes(s, from, t)) continue;
                bool is_last = true;
                for (int k = from + 1; k < to; k++) is_last = is_last && !writes(s, k, t);
                if (is_last) s->edge[from][to] = true;
            }
        }
    }
    for (int c = 0; c < s->graph.control_count; c++) s->edge[s->control_from[c]][s->control_to[c]] = true;
}

// `tidy`: every tensor is written once, before it is read, as in real models; otherwise anything goes.
static void make_sample(Sample* s, int node_count, bool tidy) {
    memset(s, 0, sizeof(*s));
    int tensors = 2;
    int in = 0;
    int out = 0;
    for (int n = 0; n < node_count; n++) {
        s->input_start[n] = in;
        s->output_start[n] = out;
        for (int k = random_below(3); k >= 0; k--) {
            s->inputs[in++] = random_below(8) == 0 ? -1 : random_below(tidy ? tensors : MAX_TENSORS / 4);
        }
        if (random_below(3) == 0 && tensors > 2) s->inputs[in - 1] = tidy ? tensors - 1 : 0;
        if (tidy) {
            s->outputs[out++] = tensors++;
        } else {
            for (int k = random_below(3); k > 0; k--) s->outputs[out++] = random_below(MAX_TENSORS / 4);
        }
        s->supported[n] = random_below(2) == 0;
    }
    s->input_start[node_count] = in;
    s->output_start[node_count] = out;
    const int controls = node_count > 1 ? random_below(3) : 0;
    for (int c = 0; c < controls; c++) {
        s->control_to[c] = 1 + random_below(node_count - 1);
        s->control_from[c] = random_below(s->control_to[c]);
    }
    s->graph = (LitePartitionGraph){
        .node_count = node_count,
        .tensor_count = MAX_TENSORS,
        .input_start = s->input_start,
        .inputs = s->inputs,
        .output_start = s->output_start,
        .outputs = s->outputs,
        .control_count = controls,
        .control_from = s->control_from,
        .control_to = s->control_to,
    };
    derive_edges(s);
}

static void check_order_and_kinds(const Sample* s, const int* subset_of, int subset_count) {
    const int n = s->graph.node_count;
    bool seen[MAX_NODES] = {false};
    for (int a = 0; a < n; a++) {
        assert_in_range(subset_of[a], 0, subset_count - 1);
        seen[subset_of[a]] = true;
        for (int b = 0; b < n; b++) {
            if (subset_of[a] == subset_of[b]) assert_int_equal(s->supported[a], s->supported[b]);
            // Within a subset the original order is kept, and every edge goes forward in it.
            if (s->edge[a][b]) assert_true(subset_of[a] <= subset_of[b]);
        }
    }
    for (int k = 0; k < subset_count; k++) assert_true(seen[k]);
}

static void check_convex(const Sample* s, const int* subset_of) {
    static bool path[MAX_NODES][MAX_NODES];
    const int n = s->graph.node_count;
    memcpy(path, s->edge, sizeof(path));
    for (int k = 0; k < n; k++) {
        for (int a = 0; a < n; a++) {
            for (int b = 0; path[a][k] && b < n; b++) path[a][b] = path[a][b] || path[k][b];
        }
    }
    for (int a = 0; a < n; a++) {
        for (int c = 0; c < n; c++) {
            if (subset_of[a] != subset_of[c]) continue;
            for (int b = 0; b < n; b++) {
                if (path[a][b] && path[b][c]) assert_int_equal(subset_of[b], subset_of[a]);
            }
        }
    }
}

static void test_random_graphs(void** state) {
    (void)state;
    static Sample s;
    random_seed = 1;
    for (int round = 0; round < RANDOM_GRAPHS; round++) {
        make_sample(&s, 1 + random_below(MAX_NODES), round % 2 == 0);
        int subset_of[MAX_NODES];
        int again[MAX_NODES];
        int count = -1;
        int count_again = -1;
        assert_int_equal(lite_partition(&s.graph, s.supported, subset_of, &count), kLitePartitionOk);
        check_order_and_kinds(&s, subset_of, count);
        check_convex(&s, subset_of);
        assert_int_equal(lite_partition(&s.graph, s.supported, again, &count_again), kLitePartitionOk);
        assert_int_equal(count, count_again);
        assert_memory_equal(subset_of, again, (size_t)s.graph.node_count * sizeof(int));
    }
}

// Can the groups be executed one after the other? (Is the graph of groups free of cycles?)
static bool groups_can_run(const Sample* s, const int* group_of, int group_count) {
    bool done[MAX_NODES] = {false};
    for (int finished = 0; finished < group_count;) {
        int ready = -1;
        for (int g = 0; g < group_count && ready < 0; g++) {
            bool waits = done[g];
            for (int a = 0; a < s->graph.node_count && !waits; a++) {
                if (group_of[a] == g || done[group_of[a]]) continue;
                for (int b = 0; b < s->graph.node_count; b++) waits |= group_of[b] == g && s->edge[a][b];
            }
            if (!waits) ready = g;
        }
        if (ready < 0) return false;
        done[ready] = true;
        finished++;
    }
    return true;
}

typedef struct Fewest {
    int supported;
    int total;
} Fewest;

// Tries every way to group nodes [node, node_count) given the groups of those before.
static void search(const Sample* s, int node, int* group_of, int group_count, const bool* group_supported,
                   Fewest* best) {
    if (node == s->graph.node_count) {
        int supported = 0;
        for (int g = 0; g < group_count; g++) supported += group_supported[g];
        if (supported >= best->supported && group_count >= best->total) return;
        if (!groups_can_run(s, group_of, group_count)) return;
        if (supported < best->supported) best->supported = supported;
        if (group_count < best->total) best->total = group_count;
        return;
    }
    bool kinds[MAX_NODES];
    memcpy(kinds, group_supported, sizeof(kinds));
    for (int g = 0; g <= group_count; g++) {
        if (g < group_count && kinds[g] != s->supported[node]) continue;
        if (g == group_count) kinds[g] = s->supported[node];
        group_of[node] = g;
        search(s, node + 1, group_of, g == group_count ? group_count + 1 : group_count, kinds, best);
    }
}

static void test_fewest_against_search(void** state) {
    (void)state;
    static Sample s;
    random_seed = 2;
    for (int round = 0; round < 4000; round++) {
        make_sample(&s, 1 + random_below(round % 20 == 0 ? 8 : 6), round % 2 == 0);
        int subset_of[MAX_NODES];
        int count = 0;
        assert_int_equal(lite_partition(&s.graph, s.supported, subset_of, &count), kLitePartitionOk);
        bool is_supported[MAX_NODES] = {false};
        for (int n = 0; n < s.graph.node_count; n++) is_supported[subset_of[n]] = s.supported[n];
        int supported = 0;
        for (int k = 0; k < count; k++) supported += is_supported[k];

        int group_of[MAX_NODES];
        const bool none[MAX_NODES] = {false};
        Fewest best = {.supported = MAX_NODES, .total = MAX_NODES};
        search(&s, 0, group_of, 0, none, &best);
        assert_int_equal(supported, best.supported);
        assert_in_range(count, best.total, best.total + 1);
    }
}

// Nodes of one input and one output each.
static LitePartitionStatus partition_pairs(int node_count, const int* from, const int* to,
                                           const bool* supported, int* subset_of, int* count) {
    static int start[MAX_NODES + 1];
    for (int n = 0; n <= node_count; n++) start[n] = n;
    const LitePartitionGraph graph = {
        .node_count = node_count,
        .tensor_count = MAX_TENSORS,
        .input_start = start,
        .inputs = from,
        .output_start = start,
        .outputs = to,
    };
    return lite_partition(&graph, supported, subset_of, count);
}

static void expect_subsets(int node_count, const int* from, const int* to, const bool* supported,
                           const int* expected) {
    int subset_of[MAX_NODES];
    int count = 0;
    assert_int_equal(partition_pairs(node_count, from, to, supported, subset_of, &count), kLitePartitionOk);
    for (int n = 0; n < node_count; n++) assert_int_equal(subset_of[n], expected[n]);
}

static void test_examples(void** state) {
    (void)state;
    // The picture in the header: a -> b -> c, d -> e.
    expect_subsets(5, (const int[]){0, 1, 2, 3, 4}, (const int[]){1, 2, 5, 4, 6},
                   (const bool[]){true, false, true, false, true}, (const int[]){1, 2, 3, 0, 1});
    // All on one side.
    expect_subsets(2, (const int[]){0, 1}, (const int[]){1, 2}, (const bool[]){true, true},
                   (const int[]){0, 0});
    expect_subsets(2, (const int[]){0, 1}, (const int[]){1, 2}, (const bool[]){false, false},
                   (const int[]){0, 0});
    // Tensor 1 is written by two nodes; the reader of the second must not run with the first.
    expect_subsets(4, (const int[]){0, 1, 0, 1}, (const int[]){1, 2, 1, 3},
                   (const bool[]){true, false, true, true}, (const int[]){0, 1, 2, 2});
    // Read before written: the reader sees the old contents, so the writer waits.
    expect_subsets(2, (const int[]){1, 0}, (const int[]){2, 1}, (const bool[]){false, true},
                   (const int[]){0, 1});
    int count = -1;
    assert_int_equal(partition_pairs(0, NULL, NULL, NULL, NULL, &count), kLitePartitionOk);
    assert_int_equal(count, 0);
}

static void test_bad_graphs(void** state) {
    (void)state;
    const bool supported[2] = {true, false};
    int subset_of[2];
    int count = 0;
    const int start[3] = {0, 1, 2};
    const int falling[3] = {0, 2, 1};
    const int tensors[2] = {0, 1};
    const int outside[2] = {0, 2};
    const LitePartitionGraph good = {2, 2, start, tensors, start, tensors, 0, NULL, NULL};
    assert_int_equal(lite_partition(&good, supported, subset_of, &count), kLitePartitionOk);

    LitePartitionGraph bad = good;
    bad.inputs = outside;
    assert_int_equal(lite_partition(&bad, supported, subset_of, &count), kLitePartitionBadGraph);
    bad = good;
    bad.outputs = outside;
    assert_int_equal(lite_partition(&bad, supported, subset_of, &count), kLitePartitionBadGraph);
    bad = good;
    bad.input_start = falling;
    assert_int_equal(lite_partition(&bad, supported, subset_of, &count), kLitePartitionBadGraph);
    bad = good;
    bad.node_count = -1;
    assert_int_equal(lite_partition(&bad, supported, subset_of, &count), kLitePartitionBadGraph);

    const int pairs[][2] = {{1, 0}, {1, 1}, {-1, 1}, {0, 2}, {-1, -1}};
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        bad = good;
        bad.control_count = 1;
        bad.control_from = &pairs[i][0];
        bad.control_to = &pairs[i][1];
        assert_int_equal(lite_partition(&bad, supported, subset_of, &count), kLitePartitionBadGraph);
        assert_int_equal(count, 0);
    }
}

static void test_out_of_memory(void** state) {
    (void)state;
    const bool supported[1] = {true};
    const bool keepable = true;
    int subset_of[1];
    int count = 0;
    const int tensor[1] = {0};
    LitePartitionStatus status = kLitePartitionNoMemory;
    for (int allowed = 0; status == kLitePartitionNoMemory && allowed < 100; allowed++) {
        lite_memory_fail_after(allowed);
        status = partition_pairs(1, tensor, tensor, supported, subset_of, &count);
    }
    lite_memory_fail_after(-1);
    assert_int_equal(status, kLitePartitionOk);

    const LitePolicy policy = {.min_nodes = 1, .max_subsets = -1};
    bool keep = keepable;
    lite_memory_fail_after(0);
    const int kept = lite_policy_choose(&policy, (const int[]){1}, (const int64_t[]){1}, 1, &keep);
    lite_memory_fail_after(-1);
    assert_int_equal(kept, -1);
    assert_true(keep);
}

// A chain of alternating kinds, the worst case, has as many subsets as nodes; it must not take forever.
static void test_long_chain(void** state) {
    (void)state;
    enum { NODES = 1000000 };
    int* start = malloc((NODES + 2) * sizeof(int));
    int* subset_of = malloc(NODES * sizeof(int));
    bool* supported = malloc(NODES * sizeof(bool));
    assert_true(start != NULL && subset_of != NULL && supported != NULL);
    for (int n = 0; n < NODES + 2; n++) start[n] = n;
    for (int n = 0; n < NODES; n++) supported[n] = n % 2 == 0;
    const LitePartitionGraph graph = {
        .node_count = NODES,
        .tensor_count = NODES + 1,
        .input_start = start,
        .inputs = start,
        .output_start = start,
        .outputs = start + 1,
    };
    int count = 0;
    assert_int_equal(lite_partition(&graph, supported, subset_of, &count), kLitePartitionOk);
    assert_int_equal(count, NODES);
    for (int n = 0; n < NODES; n++) assert_int_equal(subset_of[n], n);
    free(start);
    free(subset_of);
    free(supported);
}

static void test_policy_choose(void** state) {
    (void)state;
    const int counts[5] = {3, 9, 1, 4, 9};
    const int64_t weights[5] = {30, 10, 99, 30, 50};
    const struct {
        LitePolicy policy;
        bool keep[5];
        int kept;
    } rows[] = {
        {{0, -1}, {true, false, true, true, true}, 4},     // subset 1 is not supported
        {{2, -1}, {true, false, false, true, true}, 3},    // too small
        {{0, 2}, {false, false, true, false, true}, 2},    // the two heaviest
        {{2, 2}, {true, false, false, false, true}, 2},    // the earlier of two equals
        {{0, 0}, {false, false, false, false, false}, 0},  // none
        {{10, 9}, {false, false, false, false, false}, 0}, // none large enough
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        bool keep[5] = {true, false, true, true, true};
        assert_int_equal(lite_policy_choose(&rows[i].policy, counts, weights, 5, keep), rows[i].kept);
        assert_memory_equal(keep, rows[i].keep, sizeof(keep));
    }
    assert_int_equal(lite_policy_choose(&rows[0].policy, counts, weights, 0, NULL), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_graphs), cmocka_unit_test(test_fewest_against_search),
        cmocka_unit_test(test_examples),      cmocka_unit_test(test_bad_graphs),
        cmocka_unit_test(test_out_of_memory), cmocka_unit_test(test_long_chain),
        cmocka_unit_test(test_policy_choose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
