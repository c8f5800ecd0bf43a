// SPDX-License-Identifier: Apache-2.0
// Which nodes the delegate lets run on the device: modes, trials, times that were kept, and such that are
// none.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/graph/allocate.h"
#include "core/graph/trial.h"
#include "core/graph/types.h"
#include "delegate-opencl/cost/drift.h"
#include "delegate-opencl/cost/learned.h"
#include "delegate-opencl/cost/measured.h"
#include "delegate-opencl/cost/work.h"
#include "delegate-opencl/device/notes.h"
#include "delegate-opencl/partition/shared.h"
#include "oclite/opencl_custom.h"
#include "tests/support/graph_fixture.h"

enum { NODES = 5, POW = 3, LITTLE = 4, MUCH = 1 << 20 };

typedef struct Told {
    int taken;
    int asked;
    char reason[256]; // of the last one that is left
    int64_t host_ns;
    int64_t device_ns;
    int measured; // times, two for each node
} Told;

static void note(void* user_data, const OcliteOpenclNode* node) {
    Told* told = user_data;
    told->asked++;
    told->taken += node->taken;
    told->host_ns += node->host_ns;
    told->device_ns += node->device_ns;
    told->measured += node->host_measured + node->device_measured;
    if (!node->taken) snprintf(told->reason, sizeof told->reason, "%s", node->reason);
}

// Each node computes of the one before: x + x, but for a POW.
static ModelBuilder* make_chain(int elements, const char* last) {
    static const TfLiteAddParams add = {.activation = kTfLiteActNone};
    ModelBuilder* b = builder_create();
    for (int t = 0; t <= NODES; t++) fixture_tensor(b, elements);
    for (int n = 0; n < NODES; n++) {
        const BuilderOperator op = {.code = n == POW ? kTfLiteBuiltinPow : kTfLiteBuiltinAdd,
                                    .inputs = {2, {n, n}},
                                    .outputs = {1, {n + 1}},
                                    .params = n == POW ? NULL : &add};
        if (n < NODES - 1 || last == NULL)
            builder_operator(b, op);
        else
            fixture_node(b, last, n, n + 1);
    }
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {NODES}});
    return b;
}

static TfLiteDelegate* make_delegate(const char* options) {
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string(options);
    if (delegate == NULL) fail_msg("%s: %s", options, oclite_opencl_last_error());
    return delegate;
}

// `trial` NULL: as in a host that measures nothing.
static Told apply_in(const LiteTrialService* trial, TfLiteDelegate* delegate, ModelBuilder* builder) {
    Told told = {0};
    Fixture f;
    fixture_create(&f, builder,
                   &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1, .trial = trial});
    if (f.interpreter == NULL) fail_msg("%s", f.messages);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, 0.5f);
    fixture_run(&f);
    fixture_destroy(&f);
    oclite_opencl_delegate_explain(delegate, note, &told);
    return told;
}

static Told apply(TfLiteDelegate* delegate, ModelBuilder* builder) {
    return apply_in(NULL, delegate, builder);
}

static Told place(const char* options, int elements) {
    TfLiteDelegate* delegate = make_delegate(options);
    const Told told = apply(delegate, make_chain(elements, NULL));
    oclite_opencl_delegate_delete(delegate);
    return told;
}

static void each_mode(void** state) {
    (void)state;
    assert_int_equal(place("partition=all", LITTLE).taken, NODES);
    assert_int_equal(place("partition=none", LITTLE).taken, 0);
    assert_non_null(strstr(place("partition=none", LITTLE).reason, "partition=none"));
    assert_int_equal(place("partition=greedy", LITTLE).taken, NODES);
    assert_int_equal(place("partition=all,deny=POW", LITTLE).taken, NODES - 1);
    assert_int_equal(place("partition=greedy,deny=POW", LITTLE).taken, POW); // the larger of two
    assert_int_equal(place("partition=greedy,deny=POW,max_partitions=2", LITTLE).taken, NODES - 1);
}

static void values_of_the_option(void** state) {
    (void)state;
    assert_null(oclite_opencl_delegate_create_from_string("partition=best"));
    assert_non_null(strstr(oclite_opencl_last_error(),
                           "option partition: \"best\" is none of cost, greedy, all and none"));
    assert_int_equal(setenv("OCLITE_OPENCL_PARTITION", "none", 1), 0);
    assert_int_equal(place("", LITTLE).taken, 0);
    assert_int_equal(place("partition=all", LITTLE).taken, NODES);
    assert_int_equal(setenv("OCLITE_OPENCL_PARTITION", "nonsense", 1), 0);
    const Told told = place("", LITTLE); // as without
    assert_int_equal(told.taken, 0);
    assert_non_null(strstr(told.reason, "faster with it on the host"));
    assert_int_equal(setenv("OCLITE_OPENCL_PARTITION", "all", 1), 0);
}

static void note_placement(void* user_data, const OcliteOpenclPlacement* placement) {
    *(OcliteOpenclPlacement*)user_data = *placement;
}

// What was not chosen is told, too.
static void placements_are_told(void** state) {
    (void)state;
    OcliteOpenclPlacement placement = {.graph = -1};
    TfLiteDelegate* delegate = make_delegate("partition=all");
    (void)apply(delegate, make_chain(LITTLE, NULL));
    oclite_opencl_delegate_placements(delegate, note_placement, &placement);
    assert_int_equal(placement.graph, -1); // costs were not asked
    oclite_opencl_delegate_delete(delegate);
    delegate = make_delegate("partition=cost");
    (void)apply(delegate, make_chain(LITTLE, NULL));
    oclite_opencl_delegate_placements(delegate, note_placement, &placement);
    assert_int_equal(placement.graph, 0);
    assert_int_equal(placement.partitions, 0);
    assert_true(placement.chosen_ns == placement.host_ns && placement.all_ns > placement.host_ns);
    assert_true(placement.partition_ns > 0 && placement.host_run_ns == -1 && placement.all_run_ns == -1);
    oclite_opencl_delegate_placements(NULL, note_placement, &placement);
    oclite_opencl_delegate_placements(delegate, NULL, NULL);
    oclite_opencl_delegate_delete(delegate);
}

static void little_work_stays_on_the_host(void** state) {
    (void)state;
    const Told told = place("partition=cost", LITTLE);
    assert_int_equal(told.taken, 0);
    assert_non_null(strstr(told.reason, "estimated"));
    assert_true(told.host_ns > 0 && told.device_ns > told.host_ns);
}

// What only the device has is taken in every mode.
static void operators_of_the_device_alone(void** state) {
    (void)state;
    static const char source[] = "/* oclite\noperator: Lonely\ninput: x float32\noutput: y like x\n"
                                 "kernel: lonely(x, y)\nwork: y.elements */\n"
                                 "__kernel void lonely(__global const float* x, __global float* y) {\n"
                                 "    y[get_global_id(0)] = x[get_global_id(0)];\n}\n";
    static const char* const modes[] = {"cost", "greedy", "all", "none"};
    for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++) {
        OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
        OcliteOpenclOperator* op = oclite_opencl_operator_create(source, "lonely.cl");
        options.partition = modes[m];
        options.operators = (const OcliteOpenclOperator* const[]){op};
        options.operator_count = 1;
        TfLiteDelegate* delegate = oclite_opencl_delegate_create(&options);
        if (delegate == NULL) fail_msg("%s", oclite_opencl_last_error());
        oclite_opencl_operator_delete(op);
        const Told told = apply(delegate, make_chain(LITTLE, "Lonely"));
        if (told.taken < 1) fail_msg("partition=%s: it is left: %s", modes[m], told.reason);
        if (strcmp(modes[m], "none") == 0) assert_int_equal(told.taken, 1);
        oclite_opencl_delegate_delete(delegate);
    }
}

// ---- Times that were kept ----

typedef struct Copied {
    LiteClGraph graph;
    bool supported[2];
} Copied;

static void init_graph(Copied* copied) {
    *copied = (Copied){.supported = {true, true}};
    static LiteClNode nodes[2];
    nodes[0] = (LiteClNode){.index = 0, .name = "ADD"};
    nodes[1] = (LiteClNode){.index = 1, .name = "POW"};
    copied->graph.node_count = 2;
    copied->graph.nodes = nodes;
}

static void kept_times(void** state) {
    (void)state;
    TfLiteDelegate* delegate = make_delegate("");
    LiteClDevice* device = lite_cl_shared_of(delegate)->device;
    Copied copied;
    init_graph(&copied);
    char* key = lite_cl_measured_key(&copied.graph, copied.supported, kLiteClFloat32, 2);
    char* other = lite_cl_measured_key(&copied.graph, copied.supported, kLiteClFloat32, 3);
    assert_non_null(key);
    assert_string_not_equal(key, other);
    LiteClMeasured measured, found;
    assert_false(lite_cl_measured_find(device, key, 2, &found));
    assert_true(lite_cl_measured_init(&measured, 2));
    measured.host[1] = 17;
    measured.device[0] = 4;
    measured.together[1] = 0;
    measured.run[kLiteClAll] = 99;
    lite_cl_measured_keep(device, key, &measured, true);
    assert_true(lite_cl_measured_find(device, key, 2, &found));
    assert_int_equal(found.host[0], -1);
    assert_int_equal(found.host[1], 17);
    assert_int_equal(found.device[0], 4);
    assert_int_equal(found.together[1], 0);
    assert_int_equal(found.run[kLiteClAll], 99);
    assert_int_equal(found.run[kLiteClHost], -1);
    lite_cl_measured_free(&found);
    assert_false(lite_cl_measured_find(device, key, 3, &found)); // of another size
    assert_false(lite_cl_measured_find(device, other, 2, &found));
    lite_cl_measured_free(&measured);
    lite_free(key);
    lite_free(other);
    oclite_opencl_delegate_delete(delegate);
}

// What a folder holds may be anything.
static void hostile_times(void** state) {
    (void)state;
    enum { NUMBERS = 7 + 3 * 2 };
    static const struct {
        int place;
        int64_t number;
    } faults[] = {{0, -2}, {1, INT64_MAX},        {2, INT64_MIN}, {3, -7},         {4, -3}, {5, -1},
                  {6, -1}, {6, 1 << kLiteClWays}, {7, -3},        {10, INT64_MAX}, {11, 2}, {12, -2}};
    TfLiteDelegate* delegate = make_delegate("");
    LiteClDevice* device = lite_cl_shared_of(delegate)->device;
    LiteClMeasured found;
    int64_t numbers[NUMBERS];
    memset(numbers, 0, sizeof numbers);
    lite_cl_note_keep(device, "hostile", numbers, sizeof numbers, false);
    assert_true(lite_cl_measured_find(device, "hostile", 2, &found));
    lite_cl_measured_free(&found);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        memset(numbers, 0, sizeof numbers);
        numbers[faults[i].place] = faults[i].number;
        lite_cl_note_keep(device, "hostile", numbers, sizeof numbers, false);
        if (lite_cl_measured_find(device, "hostile", 2, &found)) fail_msg("fault %zu is taken for a time", i);
    }
    oclite_opencl_delegate_delete(delegate);
}

// ---- Trials ----

// Both sides are measured once; later delegates of the device find the same times, to the nanosecond.
static void much_work_is_measured(void** state) {
    (void)state;
    Told told[2];
    OcliteOpenclPlacement placements[2];
    for (int i = 0; i < 2; i++) {
        TfLiteDelegate* delegate = make_delegate("partition=cost");
        told[i] = apply_in(lite_trial(), delegate, make_chain(MUCH, NULL));
        placements[i].graph = -1;
        oclite_opencl_delegate_placements(delegate, note_placement, &placements[i]);
        oclite_opencl_delegate_delete(delegate);
    }
    assert_int_equal(told[0].asked, NODES);
    assert_int_equal(told[0].measured, 2 * NODES);
    assert_int_equal(told[0].taken, told[1].taken);
    assert_int_equal(told[0].host_ns, told[1].host_ns);
    assert_int_equal(told[0].device_ns, told[1].device_ns);
    assert_int_equal(placements[0].graph, 0);
    assert_true(placements[0].host_run_ns > 0 && placements[0].all_run_ns > 0);
    assert_int_equal(placements[0].host_run_ns, placements[1].host_run_ns);
    assert_int_equal(placements[0].all_run_ns, placements[1].all_run_ns);
    const bool is_all = placements[0].all_run_ns < placements[0].host_run_ns;
    if (placements[0].chosen_run_ns < 0) assert_int_equal(told[0].taken, is_all ? NODES : 0);
}

static bool is_kept(TfLiteDelegate* delegate, const char* key) {
    LiteClMeasured found;
    const bool kept = lite_cl_measured_find(lite_cl_shared_of(delegate)->device, key, 1, &found);
    if (kept) lite_cl_measured_free(&found);
    return kept;
}

// A partition that is slower than it was measured in all of its runs makes what was measured worthless.
static void times_that_do_not_hold(void** state) {
    (void)state;
    static const struct {
        int runs;
        int64_t least;
        bool kept;
    } cases[] = {{16, 1000000, false},
                 {15, 1000000, true},
                 {16, 130000, true},
                 {100, 146000, true},
                 {100, 148000, false}};
    TfLiteDelegate* delegate = make_delegate("");
    LiteClDevice* device = lite_cl_shared_of(delegate)->device;
    LiteClNode nodes[] = {{.index = 3}, {.index = 5}, {.index = 4}};
    const int64_t times[] = {50000, 7, 40000};
    const LiteClGraph whole = {.node_count = 3,
                               .nodes = nodes,
                               .times_key = "drift",
                               .device_times = times,
                               .partition_time = 16000};
    LiteClNode own[] = {{.index = 3}, {.index = 4}};
    const LiteClGraph partition = {.node_count = 2, .nodes = own};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        LiteClMeasured measured;
        LiteClDrift drift = {0};
        assert_true(lite_cl_measured_init(&measured, 1));
        lite_cl_measured_keep(device, "drift", &measured, true);
        lite_cl_measured_free(&measured);
        lite_cl_drift_begin(&drift, &whole, &partition);
        assert_int_equal(drift.expected, 50000 + 40000 + 16000);
        for (int r = 0; r < cases[i].runs; r++)
            lite_cl_drift_note(&drift, cases[i].least + (r == 3 ? 0 : 5000));
        lite_cl_drift_end(&drift, device, &partition);
        if (is_kept(delegate, "drift") != cases[i].kept) fail_msg("case %zu", i);
    }
    LiteClDrift long_lived = {0};
    lite_cl_drift_begin(&long_lived, &whole, &partition);
    for (int r = 0; r < LITE_CL_DRIFT_MOST; r++) {
        assert_true(long_lived.watches);
        lite_cl_drift_note(&long_lived, 1000000);
    }
    assert_false(long_lived.watches); // it has seen enough
    lite_cl_drift_end(&long_lived, device, &partition);
    assert_false(is_kept(delegate, "drift"));
    const LiteClGraph unmeasured = {.node_count = 3, .nodes = nodes};
    LiteClDrift drift = {0};
    lite_cl_drift_begin(&drift, &unmeasured, &partition);
    assert_null(drift.key);
    lite_cl_drift_end(&drift, device, &partition);
    oclite_opencl_delegate_delete(delegate);
}

// ---- What was learned ----

static LiteClTensor learned_tensors[2];
static LiteClTensor* learned_ends[] = {&learned_tensors[0], &learned_tensors[1]};

// An operator on so many numbers.
static LiteClNode make_node(int index, int code) {
    for (int t = 0; t < 2; t++)
        learned_tensors[t] = (LiteClTensor){.type = kTfLiteFloat32, .shape = {1, {1 << 22}}};
    return (LiteClNode){.index = index,
                        .code = code,
                        .input_count = 1,
                        .inputs = &learned_ends[0],
                        .output_count = 1,
                        .outputs = &learned_ends[1]};
}

static double times_as_long(const LiteClSide* side, const LiteClNode* node, int64_t raw) {
    return (double)lite_cl_estimate(side, node) / (double)raw;
}

static void estimates_are_corrected(void** state) {
    (void)state;
    LiteClSide side = {.rates = lite_cl_rates_of_host(1)};
    LiteClNode nodes[] = {make_node(0, kTfLiteBuiltinAbs), make_node(1, kTfLiteBuiltinNeg),
                          make_node(2, kTfLiteBuiltinNeg)};
    const LiteClNode other = make_node(0, kTfLiteBuiltinExp), custom = make_node(0, -5);
    const LiteClGraph graph = {.node_count = 3, .nodes = nodes};
    const int64_t raw = lite_cl_estimate(&side, &nodes[0]);
    const int64_t raw_other = lite_cl_estimate(&side, &other), raw_custom = lite_cl_estimate(&side, &custom);
    assert_true(raw > 50000);
    // ABS takes three times as long, a NEG and the one after it together five times as long as one.
    lite_cl_learn(&side, &graph, (const int64_t[]){3 * raw, 5 * raw, 0}, 3);
    assert_true(fabs(times_as_long(&side, &nodes[0], raw) - 3) < 0.01);
    assert_true(fabs(times_as_long(&side, &nodes[1], raw) - 2.5) < 0.01);
    // What was never seen is like its kind.
    assert_true(fabs(times_as_long(&side, &other, raw_other) - 8.0 / 3) < 0.01);
    assert_true(fabs(times_as_long(&side, &custom, raw_custom) - 8.0 / 3) < 0.01);
    // Nothing is believed to be wrong by more than 8, and what is new counts more than what is old.
    for (int round = 0; round < 1000; round++)
        lite_cl_learn(&side, &graph, (const int64_t[]){-1, 1, 100 * raw}, 2);
    assert_true(fabs(times_as_long(&side, &nodes[0], raw) - 3) < 0.01);
    assert_true(fabs(times_as_long(&side, &nodes[1], raw) - 0.125) < 0.01);
    for (int round = 0; round < 1000; round++) lite_cl_learn_sum(&side, &graph, 100 * raw);
    assert_true(fabs(times_as_long(&side, &nodes[1], raw) - 8) < 0.1);
    lite_cl_learn_sum(&side, &graph, -1);
    lite_cl_learn(&side, &graph, NULL, 0);
    assert_true(fabs(times_as_long(&side, &nodes[1], raw) - 8) < 0.1);
}

static void corrections_are_kept(void** state) {
    (void)state;
    TfLiteDelegate* delegate = make_delegate("cache_dir=off");
    LiteClDevice* device = lite_cl_shared_of(delegate)->device;
    LiteClSide side = {.rates = lite_cl_rates_of_host(1)}, found = side;
    LiteClNode node = make_node(0, kTfLiteBuiltinAbs);
    const LiteClGraph graph = {.node_count = 1, .nodes = &node};
    lite_cl_learn_sum(&side, &graph, 7654321);
    lite_cl_learned_keep(device, "side", &side);
    lite_cl_learned_find(device, "side", &found);
    assert_memory_equal(found.rows, side.rows, sizeof side.rows);
    static const int64_t bad[] = {-1, INT64_MIN, INT64_MAX, 8000000001};
    for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) {
        side.rows[b].taken = bad[b];
        lite_cl_learned_keep(device, "side", &side);
        side.rows[b].taken = 0;
        lite_cl_learned_find(device, "side", &found);
        for (int r = 0; r < LITE_CL_LEARNED_ROWS; r++)
            assert_true(found.rows[r].estimated == 0 && found.rows[r].taken == 0);
    }
    oclite_opencl_delegate_delete(delegate);
}

static int64_t learned_of_adds(LiteClDevice* device) {
    LiteClSide side = {.rates = lite_cl_rates_of_device(device)};
    lite_cl_learned_find(device, LITE_CL_LEARNED_DEVICE, &side);
    return side.rows[kTfLiteBuiltinAdd].taken;
}

// In a host that measures nothing the partitions' own times teach.
static void partitions_teach(void** state) {
    (void)state;
    TfLiteDelegate* delegate = make_delegate("partition=cost,cache_dir=off,deny=POW");
    LiteClDevice* device = lite_cl_shared_of(delegate)->device;
    LiteClNode node = {.index = 0, .name = "ADD", .code = kTfLiteBuiltinAdd};
    node.inputs = &learned_ends[0], node.outputs = &learned_ends[1];
    node.input_count = node.output_count = 1;
    const int64_t times[] = {90000};
    const LiteClGraph whole = {
        .node_count = 1, .nodes = &node, .device_times = times, .partition_time = 10000};
    const int64_t before = learned_of_adds(device);
    for (int runs = 15; runs <= 16; runs++) {
        LiteClDrift drift = {0};
        lite_cl_drift_begin(&drift, &whole, &whole);
        assert_true(drift.watches && drift.key == NULL);
        for (int r = 0; r < runs; r++) lite_cl_drift_note(&drift, 2000000 + r);
        lite_cl_drift_end(&drift, device, &whole);
        assert_int_equal(learned_of_adds(device) > before, runs == 16);
    }
    oclite_opencl_delegate_delete(delegate);
}

int main(void) {
    TfLiteDelegate* any = oclite_opencl_delegate_create(NULL);
    if (any == NULL) {
        printf("skipped: %s\n", oclite_opencl_last_error());
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mode),
        cmocka_unit_test(values_of_the_option),
        cmocka_unit_test(little_work_stays_on_the_host),
        cmocka_unit_test(placements_are_told),
        cmocka_unit_test(operators_of_the_device_alone),
        cmocka_unit_test(kept_times),
        cmocka_unit_test(hostile_times),
        cmocka_unit_test(estimates_are_corrected),
        cmocka_unit_test(corrections_are_kept),
        cmocka_unit_test(partitions_teach),
        cmocka_unit_test(much_work_is_measured),
        cmocka_unit_test(times_that_do_not_hold),
    };
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    oclite_opencl_delegate_delete(any);
    return failures;
}
