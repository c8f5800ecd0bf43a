// SPDX-License-Identifier: Apache-2.0
// What nodes took by their signatures, and what transfers take: what is found again, what is not, and tables
// and drivers that cannot be trusted.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "delegate-opencl/cost/known.h"
#include "delegate-opencl/cost/transfer.h"
#include "delegate-opencl/device/notes.h"
#include "delegate-opencl/graph/op.h"
#include "delegate-opencl/partition/shared.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tests/support/cl_failures.h"

enum { NODES = 4, TENSORS = NODES + 2, EXIT_SKIPPED = 77 };

// Each node computes of the one before it, and of a constant.
typedef struct Chain {
    LiteClTensor tensors[TENSORS];
    LiteClTensor* ends[NODES][3];
    LiteClNode nodes[NODES];
    int params[NODES];
    LiteClGraph graph;
} Chain;

static const LiteClOp op = {.params_size = sizeof(int)};
static LiteClKnown known;

static void make_chain(Chain* c, int base) {
    static const char* const names[] = {"CONV_2D", "ADD", "RELU", "MUL"};
    memset(c, 0, sizeof *c);
    for (int t = 0; t < TENSORS; t++) {
        c->tensors[t] = (LiteClTensor){.index = base + t, .type = kTfLiteFloat32, .shape = {2, {8, 16}}};
    }
    c->tensors[TENSORS - 1].data = c;
    for (int n = 0; n < NODES; n++) {
        c->ends[n][0] = &c->tensors[n];
        c->ends[n][1] = &c->tensors[TENSORS - 1];
        c->ends[n][2] = &c->tensors[n + 1];
        c->params[n] = 7;
        c->nodes[n] = (LiteClNode){.index = base + n,
                                   .name = names[n],
                                   .op = &op,
                                   .params = &c->params[n],
                                   .input_count = 2,
                                   .inputs = &c->ends[n][0],
                                   .output_count = 1,
                                   .outputs = &c->ends[n][2]};
    }
    c->graph =
        (LiteClGraph){.node_count = NODES, .nodes = c->nodes, .tensors = c->tensors, .tensor_count = TENSORS};
}

// The first two run as one, the third as a view.
static const int64_t measured[NODES] = {500, 0, 30, 200};

static void expect_times(Chain* c, const int64_t want[NODES], const int32_t leads[NODES]) {
    int64_t times[NODES];
    int32_t found[NODES];
    lite_cl_known_look_up(&known, &c->graph, 1, times, found);
    for (int n = 0; n < NODES; n++) {
        if (times[n] != want[n] || found[n] != leads[n])
            fail_msg("node %d: %lld of %d, not %lld of %d", n, (long long)times[n], found[n],
                     (long long)want[n], leads[n]);
    }
}

static const int32_t joined[NODES] = {-1, 0, -1, -1}, alone[NODES] = {-1, -1, -1, -1};

static void the_same_nodes_of_another_graph(void** state) {
    (void)state;
    Chain c;
    memset(&known, 0, sizeof known);
    make_chain(&c, 0);
    expect_times(&c, (const int64_t[]){-1, -1, -1, -1}, alone);
    lite_cl_known_add(&known, &c.graph, measured, NODES, 1);
    expect_times(&c, measured, joined);
    make_chain(&c, 50); // numbers say nothing
    expect_times(&c, measured, joined);
    c.nodes[2] = c.nodes[3]; // what does not follow from its neighbour stays as it was
    c.ends[3][0] = &c.tensors[2];
    c.graph.node_count = 3;
    int64_t times[NODES];
    int32_t leads[NODES];
    lite_cl_known_look_up(&known, &c.graph, 1, times, leads);
    assert_true(times[0] == 500 && times[1] == 0 && times[2] == 200);
    c.graph.node_count = 1; // it ran with another one
    lite_cl_known_look_up(&known, &c.graph, 1, times, leads);
    assert_int_equal(times[0], -1);
    c.graph.node_count = 0;
    lite_cl_known_look_up(&known, &c.graph, 1, times, leads);
    make_chain(&c, 0);
    lite_cl_known_look_up(&known, &c.graph, 2, times, leads); // as halves, say
    for (int n = 0; n < NODES; n++) assert_int_equal(times[n], -1);
}

static void change_shape(Chain* c) {
    c->tensors[4].shape.dims[1] = 17;
}
static void change_rank(Chain* c) {
    c->tensors[4].shape.rank = 1;
}
static void change_type(Chain* c) {
    c->tensors[4].type = kTfLiteInt8;
}
static void change_params(Chain* c) {
    c->params[3] = 8;
}
static void change_name(Chain* c) {
    c->nodes[3].name = "DIV";
}
static void change_late(Chain* c) {
    c->tensors[4].late = true;
}
static void change_constant(Chain* c) {
    c->ends[3][1] = &c->tensors[3];
}
static void change_absent(Chain* c) {
    c->ends[3][1] = NULL;
}
static void change_count(Chain* c) {
    c->nodes[3].input_count = 1;
}

static void other_nodes(void** state) {
    (void)state;
    static void (*const changes[])(Chain*) = {change_shape,    change_rank,   change_type,
                                              change_params,   change_name,   change_late,
                                              change_constant, change_absent, change_count};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        Chain c;
        memset(&known, 0, sizeof known);
        make_chain(&c, 0);
        lite_cl_known_add(&known, &c.graph, measured, NODES, 1);
        changes[i](&c);
        expect_times(&c, (const int64_t[]){500, 0, 30, -1}, joined);
    }
    // Neighbours that are the same, but do not read each other.
    Chain c;
    make_chain(&c, 0);
    c.ends[1][0] = &c.tensors[0];
    expect_times(&c, (const int64_t[]){-1, -1, 30, 200}, alone);
}

// Means, of which the newest count most; what was not measured is not added, nor what no program joins.
static void times_that_change(void** state) {
    (void)state;
    Chain c;
    memset(&known, 0, sizeof known);
    make_chain(&c, 3);
    static const int64_t other[3 + NODES] = {0, 0, 0, 700, 0, -1, 100};
    lite_cl_known_add(&known, &c.graph, other, 3 + NODES, 1);
    expect_times(&c, (const int64_t[]){700, 0, -1, 100}, joined);
    static const int64_t more[3 + NODES] = {0, 0, 0, 500, 0, 50, INT64_MAX};
    lite_cl_known_add(&known, &c.graph, more, 3 + NODES, 1);
    expect_times(&c, (const int64_t[]){600, 0, 50, (100 + INT64_C(1000000000000)) / 2}, joined);
    lite_cl_known_add(&known, &c.graph, more, 3, 1); // of none of its nodes
    expect_times(&c, (const int64_t[]){600, 0, 50, (100 + INT64_C(1000000000000)) / 2}, joined);
}

// More nodes than there is room for: the newest are known, and nothing else is said of the others.
static void more_than_fit(void** state) {
    (void)state;
    enum { MANY = 3 * LITE_CL_KNOWN_SETS * LITE_CL_KNOWN_WAYS };
    Chain c;
    int found = 0, newest = 0;
    memset(&known, 0, sizeof known);
    make_chain(&c, 0);
    c.graph.node_count = 1;
    for (int i = 0; i < MANY; i++) {
        c.params[0] = i;
        lite_cl_known_add(&known, &c.graph, (const int64_t[]){i}, 1, 1);
    }
    for (int i = 0; i < MANY; i++) {
        int64_t ns;
        int32_t lead;
        c.params[0] = i;
        lite_cl_known_look_up(&known, &c.graph, 1, &ns, &lead);
        if (ns >= 0) assert_int_equal(ns, i);
        found += ns >= 0;
        newest += ns >= 0 && i >= MANY - LITE_CL_KNOWN_SETS;
    }
    assert_in_range(found, LITE_CL_KNOWN_SETS * LITE_CL_KNOWN_WAYS * 9 / 10,
                    LITE_CL_KNOWN_SETS * LITE_CL_KNOWN_WAYS);
    assert_int_equal(newest, LITE_CL_KNOWN_SETS);
}

static LiteClDevice* open_device(TfLiteDelegate** delegate) {
    *delegate = oclite_opencl_delegate_create_from_string("cache_dir=off");
    assert_non_null(*delegate);
    return lite_cl_shared_of(*delegate)->device;
}

static void hostile_tables(void** state) {
    (void)state;
    static const int64_t bad[] = {-1, INT64_MIN, INT64_MAX};
    static LiteClKnown found;
    TfLiteDelegate* delegate;
    LiteClDevice* device = open_device(&delegate);
    memset(&known, 0, sizeof known);
    known.rows[5][7] = (LiteClKnownRow){5, 77};
    lite_cl_known_keep(device, "table", &known);
    lite_cl_known_find(device, "table", &found);
    assert_memory_equal(&found, &known, sizeof known);
    for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) {
        known.rows[17][b].ns = bad[b];
        lite_cl_known_keep(device, "table", &known);
        known.rows[17][b].ns = 0;
        lite_cl_known_find(device, "table", &found);
        assert_int_equal(found.rows[5][7].ns, 0);
    }
    lite_cl_known_find(device, "nothing", &found);
    assert_int_equal(found.rows[5][7].signature, 0);
    oclite_opencl_delegate_delete(delegate);
}

// ---- Transfers ----

// What is estimated of a device whose memory is not the host's.
static LiteClRates estimate(LiteClDevice* device) {
    device->import_alignment = 0;
    return lite_cl_rates_of_device(device);
}

static void expect_measured(LiteClDevice* device) {
    LiteClRates rates = estimate(device), again = rates;
    const LiteClTransfer guess = rates.to_device;
    lite_cl_transfer_measure(device, &rates);
    assert_true(memcmp(&rates.to_device, &guess, sizeof guess) != 0);
    const LiteClTransfer both[] = {rates.to_device, rates.to_host};
    for (int i = 0; i < 2; i++) {
        // However busy the machine is; no memory does more than a TB/s, no command takes less than 10 ns.
        assert_true(both[i].rate > 0 && both[i].rate < 1000);
        assert_true(both[i].latency > 10);
    }
    lite_cl_transfer_measure(device, &again); // it is known now
    assert_memory_equal(&again, &rates, sizeof rates);
    lite_cl_note_drop(device, "transfers");
}

static void transfers_are_measured(void** state) {
    (void)state;
    TfLiteDelegate* delegate;
    LiteClDevice* device = open_device(&delegate);
    const bool unified = device->unified_memory;
    const size_t alignment = device->import_alignment;
    device->unified_memory = false;
    expect_measured(device);
    device->unified_memory = true;
    expect_measured(device);
    device->unified_memory = unified;
    device->import_alignment = 1;
    LiteClRates rates = lite_cl_rates_of_device(device);
    lite_cl_transfer_measure(device, &rates);
    assert_true(rates.to_device.rate == 0 && rates.to_host.rate == 0); // there is nothing to bring
    assert_int_equal(lite_cl_transfer_time(1e9, &rates.to_device), 0);
    device->import_alignment = alignment;
    oclite_opencl_delegate_delete(delegate);
}

static cl_int fail_read(cl_command_queue queue, cl_mem memory, cl_bool blocks, size_t offset, size_t bytes,
                        void* to, cl_uint count, const cl_event* events, cl_event* event) {
    (void)queue, (void)memory, (void)blocks, (void)offset, (void)bytes, (void)to, (void)count, (void)events,
        (void)event;
    return CL_OUT_OF_RESOURCES;
}

static cl_command_queue fail_queue(cl_context context, cl_device_id device,
                                   cl_command_queue_properties properties, cl_int* error) {
    (void)context, (void)device, (void)properties;
    *error = CL_OUT_OF_HOST_MEMORY;
    return NULL;
}

static void* map_nothing(cl_command_queue queue, cl_mem memory, cl_bool blocks, cl_map_flags flags,
                         size_t offset, size_t bytes, cl_uint count, const cl_event* events, cl_event* event,
                         cl_int* error) {
    (void)queue, (void)memory, (void)blocks, (void)flags, (void)offset, (void)bytes, (void)count,
        (void)events, (void)event;
    *error = CL_SUCCESS;
    return NULL;
}

static void expect_estimate(LiteClDevice* device) {
    LiteClRates rates = estimate(device);
    const LiteClRates guess = rates;
    lite_cl_transfer_measure(device, &rates);
    assert_memory_equal(&rates, &guess, sizeof rates);
}

static void drivers_that_fail(void** state) {
    (void)state;
    TfLiteDelegate* delegate;
    LiteClDevice* device = open_device(&delegate);
    const LiteClDevice as_it_was = *device;
    LiteCl table = *device->cl;
    device->cl = &table;
    device->unified_memory = false;
    table.clEnqueueReadBuffer = fail_read;
    expect_estimate(device);
    device->unified_memory = true;
    table.clEnqueueMapBuffer = map_nothing;
    expect_estimate(device);
    table.clCreateBuffer = cl_fail_buffer;
    expect_estimate(device);
    table.clCreateCommandQueue = fail_queue;
    expect_estimate(device);
    device->max_allocation = 1 << 20;
    expect_estimate(device);
    device->cl = as_it_was.cl;
    device->max_allocation = as_it_was.max_allocation;
    static const LiteClTransfer bad[][2] = {
        {{0, 1}, {1, 1}}, {{1, 1}, {1, -1}}, {{1e30, 1}, {1, 1}}, {{1, 1e30}, {1, 1}}};
    for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) { // what a folder says may be anything
        lite_cl_note_keep(device, "transfers", bad[b], sizeof bad[b], false);
        expect_measured(device);
    }
    device->unified_memory = as_it_was.unified_memory;
    device->import_alignment = as_it_was.import_alignment;
    oclite_opencl_delegate_delete(delegate);
}

int main(void) {
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    if (delegate == NULL) return EXIT_SKIPPED;
    oclite_opencl_delegate_delete(delegate);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_nodes_of_another_graph),
        cmocka_unit_test(other_nodes),
        cmocka_unit_test(times_that_change),
        cmocka_unit_test(more_than_fit),
        cmocka_unit_test(hostile_tables),
        cmocka_unit_test(transfers_are_measured),
        cmocka_unit_test(drivers_that_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
