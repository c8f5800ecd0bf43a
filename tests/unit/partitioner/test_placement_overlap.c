// SPDX-License-Identifier: Apache-2.0
// Placement for a host that goes on while the device works: examples, and random graphs against a plain
// account of who waits for whom, and against all placements there are.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oclite/partition.h"
#include "partitioner/place.h"
#include "tests/support/placement_case.h"
#include "tests/support/random_numbers.h"

enum { GRAPHS = 3000, LARGE_GRAPHS = 60, SMALL_NODES = 10, MOST = PLACEMENT_MOST_NODES };

static PlacementCase sample;

// ---- Who waits for whom, for graphs without transfers ----

static bool waits_for[SMALL_NODES][SMALL_NODES]; // [later][earlier], at once or by way of others

static bool shares(const int32_t* a, int a_count, const int32_t* b, int b_count) {
    for (int i = 0; i < a_count; i++) {
        for (int k = 0; k < b_count; k++) {
            if (a[i] >= 0 && a[i] == b[k]) return true;
        }
    }
    return false;
}

// One writes what the other reads or writes. For a tensor with several writers that is more than the earlier
// of them leads to, but those lead to each other.
static bool conflicts(int a, int b) {
    const OclitePartitionProblem* p = &sample.problem;
    const int32_t *in_a = p->inputs + p->input_start[a], *out_a = p->outputs + p->output_start[a];
    const int32_t *in_b = p->inputs + p->input_start[b], *out_b = p->outputs + p->output_start[b];
    const int in_a_count = p->input_start[a + 1] - p->input_start[a],
              out_a_count = p->output_start[a + 1] - p->output_start[a];
    const int in_b_count = p->input_start[b + 1] - p->input_start[b],
              out_b_count = p->output_start[b + 1] - p->output_start[b];
    bool found = shares(out_a, out_a_count, in_b, in_b_count) ||
                 shares(in_a, in_a_count, out_b, out_b_count) ||
                 shares(out_a, out_a_count, out_b, out_b_count);
    for (int c = 0; c < p->control_count; c++) found |= p->control_from[c] == a && p->control_to[c] == b;
    return found;
}

static void find_order(void) {
    const int nodes = sample.problem.node_count;
    memset(waits_for, 0, sizeof waits_for);
    for (int later = 0; later < nodes; later++) {
        for (int n = 0; n < later; n++) waits_for[later][n] = conflicts(n, later);
    }
}

// ---- The time of a placement, as the header defines it ----

typedef struct Item {
    bool is_partition;
    int64_t ns;
    bool done, leads, waits;
    int64_t end;
} Item;

static Item items[SMALL_NODES];
static int item_of[SMALL_NODES];
static int item_count;
static bool item_waits_for[SMALL_NODES][SMALL_NODES];

static void make_items(const int32_t* partition_of) {
    const OclitePartitionProblem* p = &sample.problem;
    int item_of_partition[SMALL_NODES];
    memset(items, 0, sizeof items);
    memset(item_waits_for, 0, sizeof item_waits_for);
    for (int i = 0; i < SMALL_NODES; i++) item_of_partition[i] = -1;
    item_count = 0;
    for (int n = 0; n < p->node_count; n++) {
        int* of_partition = partition_of[n] >= 0 ? &item_of_partition[partition_of[n]] : NULL;
        if (of_partition != NULL && *of_partition >= 0) {
            item_of[n] = *of_partition;
        } else {
            item_of[n] = item_count++;
            items[item_of[n]].is_partition = partition_of[n] >= 0;
            items[item_of[n]].ns = of_partition != NULL ? p->partition_ns : 0;
            if (of_partition != NULL) *of_partition = item_of[n];
        }
        items[item_of[n]].ns += partition_of[n] >= 0 ? p->device_ns[n] : p->host_ns[n];
    }
    for (int later = 0; later < p->node_count; later++) {
        for (int n = 0; n < later; n++)
            item_waits_for[item_of[later]][item_of[n]] |= waits_for[later][n] && item_of[later] != item_of[n];
    }
    for (int round = 0; round < item_count; round++) {
        for (int i = 0; i < item_count; i++) {
            for (int k = 0; k < item_count; k++)
                items[i].leads |= item_waits_for[k][i] && (items[k].is_partition || items[k].leads);
        }
    }
}

static bool is_ready(int item) {
    if (items[item].done) return false;
    for (int i = 0; i < item_count; i++) {
        if (item_waits_for[item][i] && !items[i].done) return false;
    }
    return true;
}

static int class_of(int item) {
    for (int i = 0; i < item_count; i++) {
        if (item_waits_for[item][i] && items[i].is_partition) return 3;
    }
    return items[item].is_partition ? 0 : items[item].leads ? 1 : 2;
}

// The least time that the host's order can lead to is not known to it: items of one class may come in any
// order, and here do as the nodes do that come first in their subsets.
static int64_t span_in(const int* preference) {
    int64_t host = 0, device = 0;
    for (int i = 0; i < item_count; i++) items[i].done = false;
    for (int i = 0; i < item_count; i++) {
        int best = -1;
        for (int k = 0; k < item_count; k++) {
            const int item = preference[k];
            if (is_ready(item) && (best < 0 || class_of(item) < class_of(best))) best = item;
        }
        assert_true(best >= 0);
        int64_t begin = host;
        for (int k = 0; k < item_count; k++) {
            if (item_waits_for[best][k] && items[k].end > begin) begin = items[k].end;
        }
        if (items[best].is_partition && begin < device) begin = device;
        host = begin;
        items[best].end = begin + items[best].ns;
        items[best].done = true;
        *(items[best].is_partition ? &device : &host) = items[best].end;
    }
    return host > device ? host : device;
}

// The shortest and the longest over some orders of preference.
static void find_spans(int64_t* shortest, int64_t* longest) {
    int preference[SMALL_NODES];
    *shortest = INT64_MAX;
    *longest = 0;
    for (int i = 0; i < item_count; i++) preference[i] = i;
    for (int round = 0; round < 200; round++) {
        const int64_t span = span_in(preference);
        if (span < *shortest) *shortest = span;
        if (span > *longest) *longest = span;
        for (int i = item_count - 1; i > 0; i--) {
            const int k = random_below(i + 1), kept = preference[i];
            preference[i] = preference[k];
            preference[k] = kept;
        }
    }
}

static void place(OclitePartitionMode mode, int64_t work, int32_t* partition_of,
                  OclitePartitionResult* result) {
    *result = (OclitePartitionResult){.size = sizeof *result};
    assert_int_equal(lite_place(&sample.problem, mode, work, partition_of, result), kOclitePartitionOk);
}

static void check_valid(const int32_t* partition_of, const OclitePartitionResult* result) {
    static bool on_device[MOST];
    OclitePartitionResult priced = {.size = sizeof priced};
    for (int n = 0; n < sample.problem.node_count; n++) on_device[n] = partition_of[n] >= 0;
    assert_true(placement_case_allows(&sample, on_device));
    placement_case_check(&sample, partition_of, result->partition_count);
    assert_int_equal(oclite_partition_price(&sample.problem, on_device, NULL, &priced), kOclitePartitionOk);
    assert_true(result->total_ns <= priced.total_ns);
    assert_false(result->exact);
}

static void check_bounds(int64_t work) {
    static int32_t partition_of[MOST];
    OclitePartitionResult cost, overlap;
    place(kOclitePartitionCost, work, partition_of, &cost);
    place(kOclitePartitionOverlap, work, partition_of, &overlap);
    assert_true(overlap.total_ns <= cost.total_ns);
    assert_true(overlap.host_ns == cost.host_ns && overlap.all_ns == cost.all_ns);
    check_valid(partition_of, &overlap);
    int64_t host = 0, device = overlap.partition_count * sample.problem.partition_ns;
    for (int n = 0; n < sample.problem.node_count; n++)
        *(partition_of[n] >= 0 ? &device : &host) +=
            (partition_of[n] >= 0 ? sample.device_ns : sample.host_ns)[n];
    assert_true(overlap.total_ns >= host && overlap.total_ns >= device);
}

static void test_random_graphs(void** state) {
    (void)state;
    random_seed = 5;
    int64_t together = 0, apart = 0;
    for (int round = 0; round < GRAPHS; round++) {
        placement_case_make(&sample, 1 + random_below(SMALL_NODES), round % 3 == 0 ? 3 : SMALL_NODES);
        check_bounds(kLitePlaceWork);
        sample.problem.to_device_ns = sample.problem.to_host_ns = NULL;
        int32_t partition_of[SMALL_NODES];
        OclitePartitionResult result, cost;
        place(kOclitePartitionCost, kLitePlaceWork, partition_of, &cost);
        place(kOclitePartitionOverlap, kLitePlaceWork, partition_of, &result);
        check_valid(partition_of, &result);
        find_order();
        make_items(partition_of);
        int64_t shortest, longest;
        find_spans(&shortest, &longest);
        if (result.total_ns < shortest || result.total_ns > longest) print_error("graph %d\n", round);
        assert_true(result.total_ns >= shortest && result.total_ns <= longest);
        together += result.total_ns;
        apart += cost.total_ns;
    }
    print_message("%.3f of the time without overlap\n", (double)together / (double)apart);
    assert_true(together < apart);
}

static void test_large_graphs(void** state) {
    (void)state;
    random_seed = 6;
    for (int round = 0; round < LARGE_GRAPHS; round++) {
        placement_case_make(&sample, round % 10 == 0 ? MOST : random_int(200, 400), round % 2 == 0 ? 3 : 40);
        check_bounds(kLitePlaceWork / 100);
    }
}

// ---- Examples ----

enum { NODES = 8 };

// x -> node 0 -> two or three rows of two nodes -> node 7, or 5 where there are two.
typedef struct Fork {
    int32_t input_start[NODES + 1], output_start[NODES + 1], inputs[16], outputs[NODES];
    int64_t host_ns[NODES], device_ns[NODES];
    OclitePartitionProblem problem;
} Fork;

static void make_fork(Fork* f, int rows) {
    const int nodes = 2 + 2 * rows;
    int at = 0;
    memset(f, 0, sizeof *f);
    for (int n = 0; n < nodes; n++) {
        f->input_start[n] = at;
        if (n == 0) f->inputs[at++] = 0;
        for (int row = 0; n == nodes - 1 && row < rows; row++) f->inputs[at++] = 3 + 2 * row;
        if (n > 0 && n < nodes - 1) f->inputs[at++] = n % 2 == 1 ? 1 : n;
        f->output_start[n] = n;
        f->outputs[n] = 1 + n;
        f->host_ns[n] = f->device_ns[n] = 100;
    }
    f->input_start[nodes] = at;
    f->output_start[nodes] = nodes;
    f->problem = (OclitePartitionProblem){.size = sizeof f->problem,
                                          .node_count = nodes,
                                          .tensor_count = nodes + 1,
                                          .input_start = f->input_start,
                                          .inputs = f->inputs,
                                          .output_start = f->output_start,
                                          .outputs = f->outputs,
                                          .host_ns = f->host_ns,
                                          .device_ns = f->device_ns,
                                          .partition_ns = 10};
}

static void expect(const Fork* f, OclitePartitionMode mode, const int32_t* expected, int64_t total_ns) {
    int32_t partition_of[NODES];
    OclitePartitionResult result = {.size = sizeof result};
    assert_int_equal(oclite_partition(&f->problem, mode, partition_of, &result), kOclitePartitionOk);
    assert_int_equal(result.total_ns, total_ns);
    for (int n = 0; n < f->problem.node_count; n++) assert_int_equal(partition_of[n], expected[n]);
}

static void test_examples(void** state) {
    (void)state;
    Fork f;
    make_fork(&f, 2);
    expect(&f, kOclitePartitionCost, (const int32_t[]){-1, -1, -1, -1, -1, -1}, 600);
    // The device takes a row, while the host computes the other one: it waits for 10 ns.
    expect(&f, kOclitePartitionOverlap, (const int32_t[]){-1, 0, 0, -1, -1, -1}, 100 + 10 + 200 + 100);
    // It is a little faster: from all of it no move of a row leads there, since the other one would go on
    // with what both of them wait for.
    for (int n = 0; n < 6; n++) f.device_ns[n] = 95;
    expect(&f, kOclitePartitionCost, (const int32_t[]){0, 0, 0, 0, 0, 0}, 6 * 95 + 10);
    expect(&f, kOclitePartitionOverlap, (const int32_t[]){-1, 0, 0, -1, -1, -1}, 100 + 200 + 100);
    // The device is three times as fast: one row there lasts 77, and the host's 200, which is not worth it.
    for (int n = 0; n < 6; n++) f.device_ns[n] = 33;
    expect(&f, kOclitePartitionOverlap, (const int32_t[]){0, 0, 0, 0, 0, 0}, 6 * 33 + 10);
    // Of three equal rows the faster device takes two: they end after 100 + 10 + 4 * 50, the host's after
    // 300.
    make_fork(&f, 3);
    for (int n = 1; n < 7; n++) f.device_ns[n] = 50;
    f.device_ns[0] = f.device_ns[7] = OCLITE_PARTITION_NEVER;
    expect(&f, kOclitePartitionOverlap, (const int32_t[]){-1, -1, -1, 0, 0, 0, 0, -1},
           100 + 10 + 4 * 50 + 100);
    // What only the device can run stays there, and a group that is in two rows stays together.
    f.host_ns[1] = OCLITE_PARTITION_NEVER;
    f.problem.group_of = (const int32_t[]){-1, -1, 0, 0, -1, -1, -1, -1};
    int32_t partition_of[NODES];
    OclitePartitionResult result = {.size = sizeof result};
    assert_int_equal(oclite_partition(&f.problem, kOclitePartitionOverlap, partition_of, &result),
                     kOclitePartitionOk);
    assert_true(partition_of[1] >= 0 && (partition_of[2] >= 0) == (partition_of[3] >= 0));
    // No partition may be so small.
    make_fork(&f, 2);
    f.problem.min_nodes = 3;
    expect(&f, kOclitePartitionOverlap, (const int32_t[]){-1, -1, -1, -1, -1, -1}, 600);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_large_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
