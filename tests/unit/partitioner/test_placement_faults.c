// SPDX-License-Identifier: Apache-2.0
// Placement by cost: problems that make no sense, each with its message; examples whose answers are known;
// memory that runs out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "oclite/partition.h"
#include "tests/support/placement_case.h"
#include "tests/support/random_numbers.h"

enum { NODES = 4, TENSORS = 5 };

// A chain of four nodes: tensor n -> node n -> tensor n + 1.
typedef struct Chain {
    OclitePartitionProblem problem;
    int32_t start[NODES + 1];
    int32_t output_start[NODES + 1];
    int32_t inputs[NODES];
    int32_t outputs[NODES];
    int32_t control_from[1];
    int32_t control_to[1];
    int64_t host_ns[NODES];
    int64_t device_ns[NODES];
    int64_t to_device_ns[TENSORS];
    int64_t to_host_ns[TENSORS];
    int32_t group_of[NODES];
    bool wanted[TENSORS];
    bool on_device[NODES];
    OclitePartitionResult result;
} Chain;

static void make_chain(Chain* c) {
    memset(c, 0, sizeof *c);
    for (int n = 0; n < NODES; n++) {
        c->start[n + 1] = c->output_start[n + 1] = n + 1;
        c->inputs[n] = n;
        c->outputs[n] = n + 1;
        c->host_ns[n] = 100;
        c->device_ns[n] = 10;
        c->group_of[n] = -1;
    }
    for (int t = 0; t < TENSORS; t++) c->to_device_ns[t] = c->to_host_ns[t] = 20;
    c->wanted[TENSORS - 1] = true;
    c->result.size = sizeof c->result;
    c->problem = (OclitePartitionProblem){
        .size = sizeof c->problem,
        .node_count = NODES,
        .tensor_count = TENSORS,
        .input_start = c->start,
        .inputs = c->inputs,
        .output_start = c->output_start,
        .outputs = c->outputs,
        .control_from = c->control_from,
        .control_to = c->control_to,
        .host_ns = c->host_ns,
        .device_ns = c->device_ns,
        .to_device_ns = c->to_device_ns,
        .to_host_ns = c->to_host_ns,
        .group_of = c->group_of,
        .wanted_outside = c->wanted,
        .partition_ns = 30,
    };
}

static void expect(const Chain* c, OclitePartitionMode mode, const int32_t* expected, int64_t total_ns) {
    int32_t partition_of[NODES];
    OclitePartitionResult result = {.size = sizeof result};
    assert_int_equal(oclite_partition(&c->problem, mode, partition_of, &result), kOclitePartitionOk);
    for (int n = 0; n < NODES; n++) assert_int_equal(partition_of[n], expected[n]);
    assert_true(result.total_ns == total_ns);
}

static void test_examples(void** state) {
    (void)state;
    Chain c;
    make_chain(&c);
    // Four nodes, both ends moved, one partition.
    expect(&c, kOclitePartitionCost, (const int32_t[]){0, 0, 0, 0}, 40 + 40 + 30);
    expect(&c, kOclitePartitionNone, (const int32_t[]){-1, -1, -1, -1}, 400);
    // The device cannot run node 1: a partition for node 0 alone costs 10 + 40 + 30, as against 100.
    c.device_ns[1] = OCLITE_PARTITION_NEVER;
    expect(&c, kOclitePartitionAll, (const int32_t[]){0, -1, 1, 1}, 80 + 100 + 90);
    expect(&c, kOclitePartitionCost, (const int32_t[]){0, -1, 1, 1}, 80 + 100 + 90);
    c.problem.partition_ns = 51;
    expect(&c, kOclitePartitionCost, (const int32_t[]){-1, -1, 0, 0}, 200 + 20 + 40 + 51);
    expect(&c, kOclitePartitionGreedy, (const int32_t[]){0, -1, 1, 1}, 80 + 21 + 100 + 90 + 21);
    c.problem.max_partitions = 1;
    expect(&c, kOclitePartitionGreedy, (const int32_t[]){-1, -1, 0, 0}, 311);
    // Node 0 has to be on the device, whatever the limits are.
    c.host_ns[0] = OCLITE_PARTITION_NEVER;
    expect(&c, kOclitePartitionNone, (const int32_t[]){0, -1, -1, -1}, 10 + 40 + 51 + 300);
    c.problem.min_nodes = 3;
    expect(&c, kOclitePartitionCost, (const int32_t[]){0, -1, -1, -1}, 401);
    c.problem.max_partitions = 0;
    c.problem.min_nodes = 2;
    expect(&c, kOclitePartitionCost, (const int32_t[]){0, -1, 1, 1}, 101 + 100 + 111);
    // A group goes to one side.
    make_chain(&c);
    c.device_ns[1] = OCLITE_PARTITION_NEVER;
    c.group_of[1] = c.group_of[3] = INT32_MAX;
    expect(&c, kOclitePartitionAll, (const int32_t[]){0, -1, 1, -1}, 80 + 100 + 80 + 100);
}

// The picture in the header, whose times are powers of two: the sum says which are in it, and how often.
static void test_picture(void** state) {
    (void)state;
    enum { X, P, R, S, Q, Z, COUNT };
    const int32_t input_start[] = {0, 1, 2, 3, 5}, inputs[] = {X, R, P, Q, S};
    const int32_t output_start[] = {0, 2, 3, 4, 5}, outputs[] = {P, R, S, Q, Z};
    const int64_t host[] = {1 << 20, 1 << 20, 1 << 0, 1 << 20}, device[] = {1 << 2, 1 << 4, 1 << 20, 1 << 6};
    const int64_t to_device[COUNT] = {[X] = 1 << 8, [Q] = 1 << 10, [S] = 1 << 12, [R] = 1 << 20};
    const int64_t to_host[COUNT] = {[P] = 1 << 14, [S] = 1 << 16, [Z] = 1 << 18, [R] = 1 << 20};
    const bool wanted[COUNT] = {[Z] = true};
    const OclitePartitionProblem problem = {
        .size = sizeof problem,
        .node_count = NODES,
        .tensor_count = COUNT,
        .input_start = input_start,
        .inputs = inputs,
        .output_start = output_start,
        .outputs = outputs,
        .host_ns = host,
        .device_ns = device,
        .to_device_ns = to_device,
        .to_host_ns = to_host,
        .wanted_outside = wanted,
        .partition_ns = INT64_C(1) << 30,
    };
    int32_t partition_of[NODES];
    OclitePartitionResult result = {.size = sizeof result};
    assert_int_equal(
        oclite_partition_price(&problem, (const bool[]){true, true, false, true}, partition_of, &result),
        kOclitePartitionOk);
    assert_true(result.total_ns == 0x55555 + (INT64_C(2) << 30));
    const int32_t expected[NODES] = {0, 0, -1, 1};
    for (int n = 0; n < NODES; n++) assert_int_equal(partition_of[n], expected[n]);
}

static void test_no_nodes(void** state) {
    (void)state;
    const OclitePartitionProblem problem = {.size = sizeof problem};
    for (int mode = kOclitePartitionCost; mode <= kOclitePartitionOverlap; mode++) {
        OclitePartitionResult result = {.size = sizeof result, .total_ns = 1, .partition_count = 1};
        assert_int_equal(oclite_partition(&problem, (OclitePartitionMode)mode, NULL, &result),
                         kOclitePartitionOk);
        assert_true(result.total_ns == 0 && result.partition_count == 0);
    }
    assert_int_equal(oclite_partition_price(&problem, NULL, NULL, NULL), kOclitePartitionOk);
}

// Both functions refuse the problem, say why, and write nothing.
static void expect_refusal(Chain* c, OclitePartitionStatus status, const char* message) {
    int32_t partition_of[NODES] = {5, 6, 7, 8};
    const OclitePartitionResult before = c->result;
    assert_int_equal(oclite_partition(&c->problem, kOclitePartitionCost, partition_of, &c->result), status);
    assert_string_equal(oclite_partition_last_error(), message);
    assert_int_equal(oclite_partition_price(&c->problem, c->on_device, partition_of, &c->result), status);
    assert_string_equal(oclite_partition_last_error(), message);
    for (int n = 0; n < NODES; n++) assert_int_equal(partition_of[n], 5 + n);
    assert_memory_equal(&c->result, &before, sizeof before);
    make_chain(c);
    assert_int_equal(oclite_partition(&c->problem, kOclitePartitionCost, partition_of, &c->result),
                     kOclitePartitionOk);
    assert_string_equal(oclite_partition_last_error(), "");
    make_chain(c);
}

static void test_bad_graphs(void** state) {
    (void)state;
    Chain c;
    make_chain(&c);
    c.problem.size = 8;
    char text[128];
    snprintf(text, sizeof text, "the problem has size 8, not sizeof(OclitePartitionProblem), %zu",
             sizeof c.problem);
    expect_refusal(&c, kOclitePartitionBadGraph, text);
    c.result.size = 7;
    snprintf(text, sizeof text, "the result has size 7, not sizeof(OclitePartitionResult), %zu",
             sizeof c.result);
    expect_refusal(&c, kOclitePartitionBadGraph, text);
    c.problem.node_count = -1;
    expect_refusal(&c, kOclitePartitionBadGraph, "node_count is -1");
    c.problem.tensor_count = -2;
    expect_refusal(&c, kOclitePartitionBadGraph, "tensor_count is -2");
    c.problem.control_count = -3;
    expect_refusal(&c, kOclitePartitionBadGraph, "control_count is -3");
    c.problem.input_start = NULL;
    expect_refusal(&c, kOclitePartitionBadGraph, "input_start is NULL");
    c.problem.output_start = NULL;
    expect_refusal(&c, kOclitePartitionBadGraph, "output_start is NULL");
    c.problem.inputs = NULL;
    expect_refusal(&c, kOclitePartitionBadGraph, "inputs is NULL");
    c.problem.outputs = NULL;
    expect_refusal(&c, kOclitePartitionBadGraph, "outputs is NULL");
    c.problem.host_ns = NULL;
    expect_refusal(&c, kOclitePartitionBadGraph, "host_ns is NULL");
    c.problem.device_ns = NULL;
    expect_refusal(&c, kOclitePartitionBadGraph, "device_ns is NULL");
    c.start[0] = -1;
    expect_refusal(&c, kOclitePartitionBadGraph, "input_start[0] is -1");
    c.output_start[2] = 0;
    expect_refusal(&c, kOclitePartitionBadGraph, "node 1: its outputs begin at 1 and end at 0");
    c.inputs[3] = TENSORS;
    expect_refusal(&c, kOclitePartitionBadGraph, "node 3: input 0 is tensor 5, but there are 5");
    c.outputs[2] = INT32_MAX;
    expect_refusal(&c, kOclitePartitionBadGraph, "node 2: output 0 is tensor 2147483647, but there are 5");
    c.problem.max_partitions = -1;
    expect_refusal(&c, kOclitePartitionBadGraph, "max_partitions is -1");
    c.problem.min_nodes = INT32_MIN;
    expect_refusal(&c, kOclitePartitionBadGraph, "min_nodes is -2147483648");
    c.output_start[4] = INT32_MAX;
    c.problem.inputs = NULL;
    expect_refusal(&c, kOclitePartitionBadGraph, "inputs is NULL");

    int32_t partition_of[NODES];
    assert_int_equal(oclite_partition(NULL, kOclitePartitionCost, partition_of, NULL),
                     kOclitePartitionBadGraph);
    assert_string_equal(oclite_partition_last_error(), "the problem is NULL");
    assert_int_equal(oclite_partition(&c.problem, kOclitePartitionCost, NULL, NULL),
                     kOclitePartitionBadGraph);
    assert_string_equal(oclite_partition_last_error(), "partition_of is NULL");
    assert_int_equal(oclite_partition_price(&c.problem, NULL, NULL, NULL), kOclitePartitionBadGraph);
    assert_string_equal(oclite_partition_last_error(), "on_device is NULL");
    assert_int_equal(oclite_partition(&c.problem, (OclitePartitionMode)9, partition_of, NULL),
                     kOclitePartitionBadGraph);
    assert_string_equal(oclite_partition_last_error(), "mode 9 is none of OclitePartitionMode");
}

static void test_bad_control(void** state) {
    (void)state;
    Chain c;
    make_chain(&c);
    const struct {
        int32_t from;
        int32_t to;
        const char* message;
    } rows[] = {
        {3, 2, "node 3: control edge to 2 is against the order"},
        {1, 1, "node 1: control edge to 1 is against the order"},
        {-1, 2, "control pair 0: node -1, but there are 4"},
        {1, 4, "control pair 0: node 4, but there are 4"},
        {INT32_MAX, 0, "control pair 0: node 2147483647, but there are 4"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        c.problem.control_count = 1;
        c.control_from[0] = rows[i].from;
        c.control_to[0] = rows[i].to;
        expect_refusal(&c, kOclitePartitionBadGraph, rows[i].message);
    }
    c.problem.control_count = 1;
    c.problem.control_to = NULL;
    expect_refusal(&c, kOclitePartitionBadGraph, "control_to is NULL");
    c.problem.control_count = 1;
    c.problem.control_from = NULL;
    expect_refusal(&c, kOclitePartitionBadGraph, "control_from is NULL");
}

static void test_bad_costs(void** state) {
    (void)state;
    Chain c;
    make_chain(&c);
    const int64_t most = (INT64_C(1) << 62) / (1 + 2 * NODES + 2 * NODES);
    c.host_ns[2] = -2;
    expect_refusal(&c, kOclitePartitionBadCost, "node 2: host_ns is -2; a time, or OCLITE_PARTITION_NEVER");
    c.device_ns[3] = -7;
    expect_refusal(&c, kOclitePartitionBadCost, "node 3: device_ns is -7; a time, or OCLITE_PARTITION_NEVER");
    c.to_device_ns[0] = OCLITE_PARTITION_NEVER;
    expect_refusal(&c, kOclitePartitionBadCost, "tensor 0: to_device_ns is -1; a time is not negative");
    c.to_host_ns[4] = INT64_MIN;
    expect_refusal(&c, kOclitePartitionBadCost,
                   "tensor 4: to_host_ns is -9223372036854775808; a time is not negative");
    c.problem.partition_ns = -5;
    expect_refusal(&c, kOclitePartitionBadCost, "partition_ns is -5");
    c.device_ns[0] = most + 1;
    expect_refusal(
        &c, kOclitePartitionBadCost,
        "node 0: device_ns is 271275648142787524; at most 271275648142787523 in a graph of this size");
    c.problem.partition_ns = INT64_MAX;
    expect_refusal(&c, kOclitePartitionBadCost,
                   "partition_ns is 9223372036854775807; at most 271275648142787523 in a graph of this size");
    // The largest costs there may be.
    for (int n = 0; n < NODES; n++) c.host_ns[n] = c.device_ns[n] = most;
    for (int t = 0; t < TENSORS; t++) c.to_device_ns[t] = c.to_host_ns[t] = most;
    c.problem.partition_ns = most;
    expect(&c, kOclitePartitionCost, (const int32_t[]){-1, -1, -1, -1}, NODES * most);
    c.host_ns[0] = c.host_ns[2] = c.device_ns[1] = c.device_ns[3] = OCLITE_PARTITION_NEVER;
    expect(&c, kOclitePartitionAll, (const int32_t[]){0, -1, 1, -1}, (NODES + 2 + 4) * most);
}

static void test_impossible(void** state) {
    (void)state;
    Chain c;
    make_chain(&c);
    c.host_ns[1] = c.device_ns[1] = OCLITE_PARTITION_NEVER;
    expect_refusal(&c, kOclitePartitionImpossible, "node 1: neither the host nor the device can run it");
    c.host_ns[3] = c.device_ns[0] = OCLITE_PARTITION_NEVER;
    c.group_of[0] = c.group_of[2] = c.group_of[3] = 8;
    expect_refusal(&c, kOclitePartitionImpossible,
                   "group 8: the device cannot run node 0, nor the host node 3");
    const struct {
        bool on_device[NODES];
        const char* message;
    } rows[] = {
        {{true, true, true, true}, "node 3: the device cannot run it"},
        {{false, false, false, false}, "node 0: the host cannot run it"},
        {{true, true, false, false}, "nodes 1 and 2 are of one group, but on two sides"},
    };
    c.host_ns[0] = c.device_ns[3] = OCLITE_PARTITION_NEVER;
    c.group_of[1] = c.group_of[2] = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(oclite_partition_price(&c.problem, rows[i].on_device, NULL, &c.result),
                         kOclitePartitionImpossible);
        assert_string_equal(oclite_partition_last_error(), rows[i].message);
    }
    assert_int_equal(
        oclite_partition_price(&c.problem, (const bool[]){true, false, false, false}, NULL, &c.result),
        kOclitePartitionOk);
    assert_true(c.result.total_ns == 10 + 40 + 30 + 300);
    assert_true(c.result.host_ns == 380 && c.result.partition_count == 1 && !c.result.exact);
    assert_true(c.result.all_ns == 30 + 30 + 40 + 100);
}

// Whichever allocation fails, the call says so, writes nothing and loses nothing.
static void test_out_of_memory(void** state) {
    (void)state;
    static PlacementCase sample;
    random_seed = 5;
    for (int round = 0; round < 40; round++) {
        const OclitePartitionMode mode = round % 2 == 0 ? kOclitePartitionCost : kOclitePartitionOverlap;
        placement_case_make(&sample, 1 + random_below(60), 20);
        for (int allowed = 0;; allowed++) {
            int32_t partition_of[60] = {-9};
            OclitePartitionResult result = {.size = sizeof result, .total_ns = -9};
            lite_memory_fail_after(allowed);
            const OclitePartitionStatus status =
                oclite_partition(&sample.problem, mode, partition_of, &result);
            const bool has_failed = lite_memory_failures() > 0;
            lite_memory_fail_after(-1);
            assert_int_equal(status, has_failed ? kOclitePartitionNoMemory : kOclitePartitionOk);
            if (!has_failed) break;
            assert_string_equal(oclite_partition_last_error(), "out of memory");
            assert_true(partition_of[0] == -9 && result.total_ns == -9);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),    cmocka_unit_test(test_no_nodes),
        cmocka_unit_test(test_picture),     cmocka_unit_test(test_bad_graphs),
        cmocka_unit_test(test_bad_control), cmocka_unit_test(test_bad_costs),
        cmocka_unit_test(test_impossible),  cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
