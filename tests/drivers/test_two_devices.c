// SPDX-License-Identifier: Apache-2.0
// One graph on a host and two devices: each of two delegates places what is left. The devices are those of
// index 0 and 1; on_driver.py two brings them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/inspect.h"
#include "core/graph/interpreter.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"
#include "core/graph/trial.h"
#include "oclite/opencl.h"
#include "oclite/opencl_custom.h"
#include "tests/support/graph_fixture.h"

enum {
    EXIT_SKIPPED = 77,
    DEVICES = 2,
    NODES = 9,
    ELEMENTS = 300,
    OTHER_ELEMENTS = 77,
    MANY_ELEMENTS = 1 << 18
};

// The nodes, each of the one before; the last ADD also reads what the first one wrote. The host has Twice and
// Scratch to itself.
static const char* const ops[NODES] = {"ADD",      "Twice", "LOGISTIC", "ADD",     "TANH",
                                       "LOGISTIC", "ADD",   "Scratch",  "LOGISTIC"};

static BuilderOperator builtin(int n) {
    static const TfLiteAddParams add = {.activation = kTfLiteActNone};
    BuilderOperator op = {.inputs = {1, {n}}, .outputs = {1, {n + 1}}};
    op.code = strcmp(ops[n], "LOGISTIC") == 0 ? kTfLiteBuiltinLogistic : kTfLiteBuiltinTanh;
    if (strcmp(ops[n], "ADD") == 0) {
        op.code = kTfLiteBuiltinAdd;
        op.params = &add;
        op.inputs = (BuilderInts){2, {n, n == 6 ? 1 : n}};
    }
    return op;
}

static ModelBuilder* begin_model(int elements) {
    ModelBuilder* b = builder_create();
    for (int t = 0; t <= NODES; t++) fixture_tensor(b, elements);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){2, {NODES, 4}});
    return b;
}

// `first` and `second`: custom operators in the places of two nodes, or NULL.
static ModelBuilder* make_model_with(const char* first, const char* second) {
    ModelBuilder* b = begin_model(ELEMENTS);
    for (int n = 0; n < NODES; n++) {
        const char* custom = n == 2 ? first : n == 5 ? second : n == 1 || n == 7 ? ops[n] : NULL;
        if (custom != NULL)
            fixture_node(b, custom, n, n + 1);
        else
            builder_operator(b, builtin(n));
    }
    return b;
}

// With TANH in the places of the host's own operators: models with such are not tried.
static ModelBuilder* make_builtin_model(void) {
    ModelBuilder* b = begin_model(MANY_ELEMENTS);
    for (int n = 0; n < NODES; n++) builder_operator(b, builtin(n));
    return b;
}

static ModelBuilder* make_model(void) {
    return make_model_with(NULL, NULL);
}

// ---- A graph with both delegates, and what is known of it ----

typedef struct Told {
    bool asked[2 * NODES]; // kernels of delegates are behind the nodes
    bool taken[2 * NODES];
    int placements;
    OcliteOpenclPlacement placement;
} Told;

typedef struct Case {
    TfLiteDelegate* delegates[DEVICES];
    Fixture f;
    Told told[DEVICES];
} Case;

static void note_node(void* user_data, const OcliteOpenclNode* node) {
    Told* told = user_data;
    assert_int_equal(node->graph, 0);
    assert_in_range(node->node, 0, 2 * NODES - 1);
    assert_false(told->asked[node->node]);
    told->asked[node->node] = true;
    told->taken[node->node] = node->taken;
    assert_int_equal(node->taken, node->reason[0] == '\0');
}

static void note_placement(void* user_data, const OcliteOpenclPlacement* placement) {
    Told* told = user_data;
    told->placements++;
    told->placement = *placement;
}

static void create_delegates(Case* c, const char* const options[DEVICES]) {
    for (int d = 0; d < DEVICES; d++) {
        char text[256];
        snprintf(text, sizeof text, "device=%d,%s", d, options[d]);
        c->delegates[d] = oclite_opencl_delegate_create_from_string(text);
        if (c->delegates[d] == NULL) fail_msg("%s: %s", text, oclite_opencl_last_error());
    }
    assert_ptr_not_equal(oclite_opencl_delegate_device_id(c->delegates[0]),
                         oclite_opencl_delegate_device_id(c->delegates[1]));
}

static void ask(Case* c) {
    if (c->f.interpreter == NULL) fail_msg("%s", c->f.messages);
    for (int d = 0; d < DEVICES; d++) {
        c->told[d] = (Told){.placements = 0};
        oclite_opencl_delegate_explain(c->delegates[d], note_node, &c->told[d]);
        oclite_opencl_delegate_placements(c->delegates[d], note_placement, &c->told[d]);
    }
}

static void apply(Case* c, ModelBuilder* model) {
    const LiteInterpreterOptions options = {.delegates = c->delegates, .delegate_count = DEVICES};
    fixture_create(&c->f, model, &options);
    ask(c);
}

// In an interpreter that offers trials, to a program without operators of its own.
static void apply_on_trial(Case* c, ModelBuilder* model) {
    fixture_create(&c->f, model, NULL);
    assert_non_null(c->f.interpreter);
    const LiteInterpreterOptions options = {.delegates = c->delegates,
                                            .delegate_count = DEVICES,
                                            .trial = lite_trial(),
                                            .reporter = *lite_interpreter_reporter(c->f.interpreter)};
    lite_interpreter_destroy(c->f.interpreter);
    c->f.interpreter = lite_interpreter_create(c->f.model, &options);
    ask(c);
    c->f.graph = lite_interpreter_subgraph(c->f.interpreter, 0);
}

// `last` is the delegate that is deleted first.
static void destroy(Case* c, int last) {
    fixture_destroy(&c->f);
    for (int d = 0; d < DEVICES; d++) {
        assert_int_equal(oclite_opencl_delegate_status(c->delegates[d]), kOcliteOpenclWorking);
        assert_int_equal(oclite_opencl_delegate_memory(c->delegates[d]), 0);
    }
    oclite_opencl_delegate_delete(c->delegates[last]);
    oclite_opencl_delegate_delete(c->delegates[1 - last]);
}

// Where a node runs, as the graph itself has it: a delegate's number, or -1.
static int side_of(const Case* c, int node) {
    LiteNodeInfo info, kernel;
    assert_true(lite_subgraph_node_info(c->f.graph, node, &info));
    assert_int_equal(info.in_plan, info.delegate_node < 0);
    if (info.in_plan) return -1;
    assert_true(lite_subgraph_node_info(c->f.graph, info.delegate_node, &kernel));
    assert_true(kernel.in_plan);
    for (int d = 0; d < DEVICES; d++) {
        if (kernel.node->delegate == c->delegates[d]) return d;
    }
    fail_msg("node %d is nobody's", node);
    return -1;
}

static int kernels_of(const Case* c, int d) {
    LiteNodeInfo info;
    int count = 0;
    for (int n = NODES; lite_subgraph_node_info(c->f.graph, n, &info); n++)
        count += info.node->delegate == c->delegates[d];
    return count;
}

// Every node is on one of three sides, and the delegates say the same as the graph. The second delegate is
// shown what the first one has left, and the kernels of the first one. Returns the nodes of each delegate.
static void check_sides(const Case* c, int counts[DEVICES]) {
    const int kernels = kernels_of(c, 0);
    counts[0] = counts[1] = 0;
    for (int n = 0; n < NODES; n++) {
        const int side = side_of(c, n);
        assert_true(c->told[0].asked[n]);
        assert_int_equal(c->told[0].taken[n], side == 0);
        assert_int_equal(c->told[1].asked[n], side != 0);
        assert_int_equal(c->told[1].taken[n], side == 1);
        if (side >= 0) counts[side]++;
    }
    for (int n = NODES; n < 2 * NODES; n++) {
        assert_false(c->told[0].asked[n]);
        assert_int_equal(c->told[1].asked[n], n < NODES + kernels);
        assert_false(c->told[1].taken[n]);
    }
}

static void expect_sides(const Case* c, const int sides[NODES]) {
    int counts[DEVICES];
    check_sides(c, counts);
    for (int n = 0; n < NODES; n++) assert_int_equal(side_of(c, n), sides[n]);
}

// ---- Results ----

static void fill(Fixture* f, int count, int run) {
    TfLiteTensor* input = lite_subgraph_tensor(f->graph, 0);
    assert_int_equal(input->bytes, (size_t)count * sizeof(float));
    for (int i = 0; i < count; i++) input->data.f[i] = (float)((i * 7 + run * 13) % 41 - 20) / 8;
}

static void resize(Fixture* f, int count) {
    assert_int_equal(lite_subgraph_resize_input(f->graph, 0, &count, 1), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(f->graph), kTfLiteOk);
}

// Inferences before and after the shapes change and change back, and the tensors that come out.
enum { SIZES = 3, RUNS = 3, OUTPUTS = 2 };
static const int sizes[SIZES] = {ELEMENTS, OTHER_ELEMENTS, ELEMENTS}, outputs[OUTPUTS] = {NODES, 4};

static float expected[SIZES][RUNS][OUTPUTS][ELEMENTS]; // of the host alone

typedef void (*Look)(const Fixture* f, int size, int run);

static void run_all(Fixture* f, Look look) {
    for (int s = 0; s < SIZES; s++) {
        resize(f, sizes[s]);
        for (int run = 0; run < RUNS; run++) {
            fill(f, sizes[s], run);
            fixture_run(f);
            look(f, s, run);
        }
    }
}

static const float* result(const Fixture* f, int size, int output) {
    const TfLiteTensor* tensor = lite_subgraph_tensor(f->graph, outputs[output]);
    assert_int_equal(tensor->bytes, (size_t)sizes[size] * sizeof(float));
    return tensor->data.f;
}

static void keep(const Fixture* f, int size, int run) {
    for (int o = 0; o < OUTPUTS; o++)
        memcpy(expected[size][run][o], result(f, size, o), (size_t)sizes[size] * sizeof(float));
}

static void compare(const Fixture* f, int size, int run) {
    for (int o = 0; o < OUTPUTS; o++) {
        const float* got = result(f, size, o);
        for (int i = 0; i < sizes[size]; i++) assert_float_equal(got[i], expected[size][run][o][i], 1e-5);
    }
}

static int run_on_host(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, make_model(), NULL);
    if (f.interpreter == NULL) return -1;
    run_all(&f, keep);
    fixture_destroy(&f);
    return 0;
}

static void expect_results(Case* c) {
    run_all(&c->f, compare);
}

// ---- Tests ----

static void lists_divide_the_graph(void** state) {
    (void)state;
    static const char* const options[] = {"partition=all,allow=ADD", "partition=all,allow=LOGISTIC"};
    static const int sides[NODES] = {0, -1, 1, 0, -1, 1, 0, -1, 1};
    for (int last = 0; last < DEVICES; last++) {
        Case c;
        create_delegates(&c, options);
        apply(&c, make_model());
        expect_sides(&c, sides);
        assert_int_equal(kernels_of(&c, 0), 3);
        assert_int_equal(kernels_of(&c, 1), 3);
        assert_int_equal(c.told[0].placements + c.told[1].placements, 0); // costs were not asked
        expect_results(&c);
        expect_sides(&c, sides);
        destroy(&c, last);
    }
}

// The first one takes its largest partition, the other one all that is left.
static void limits_divide_the_graph(void** state) {
    (void)state;
    static const char* const options[] = {"partition=greedy", "partition=all"};
    static const char* const reversed[] = {"partition=all,min_nodes=6", "partition=greedy,max_partitions=2"};
    static const int sides[NODES] = {1, -1, 0, 0, 0, 0, 0, -1, 1};
    static const int others[NODES] = {1, -1, 1, 1, 1, 1, 1, -1, -1};
    for (int last = 0; last < DEVICES; last++) {
        Case c;
        create_delegates(&c, last == 0 ? options : reversed);
        apply(&c, make_model());
        expect_sides(&c, last == 0 ? sides : others);
        expect_results(&c);
        destroy(&c, last);
    }
}

static TfLiteDelegate* create_with_operator(int d, const char* name) {
    char source[512], device[2] = {(char)('0' + d), '\0'};
    snprintf(source, sizeof source,
             "/* oclite\noperator: %s\ninput: x float32\noutput: y like x\nkernel: f(x, y)\n"
             "work: y.elements */\n"
             "__kernel void f(__global const float* x, __global float* y) {\n"
             "    y[get_global_id(0)] = 1.0f / (1.0f + exp(-x[get_global_id(0)]));\n}\n",
             name);
    OcliteOpenclOperator* op = oclite_opencl_operator_create(source, "own.cl");
    if (op == NULL) fail_msg("%s", oclite_opencl_last_error());
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.device = device;
    options.partition = "cost";
    options.operators = (const OcliteOpenclOperator* const[]){op};
    options.operator_count = 1;
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(&options);
    oclite_opencl_operator_delete(op);
    if (delegate == NULL) fail_msg("%s", oclite_opencl_last_error());
    return delegate;
}

static void check_placements(const Case* c) {
    for (int d = 0; d < DEVICES; d++) {
        const OcliteOpenclPlacement* placement = &c->told[d].placement;
        assert_int_equal(c->told[d].placements, 1);
        assert_int_equal(placement->graph, 0);
        assert_int_equal(placement->partitions, kernels_of(c, d));
        assert_true(placement->chosen_ns > 0 && placement->partition_ns >= 0);
    }
}

// By cost, with an operator for each device that nobody else has: both take it, and what pays.
static void costs_divide_the_graph(void** state) {
    (void)state;
    for (int last = 0; last < DEVICES; last++) {
        Case c;
        int counts[DEVICES];
        c.delegates[0] = create_with_operator(0, "First");
        c.delegates[1] = create_with_operator(1, "Second");
        apply(&c, make_model_with("First", "Second"));
        check_sides(&c, counts);
        assert_int_equal(side_of(&c, 2), 0);
        assert_int_equal(side_of(&c, 5), 1);
        check_placements(&c);
        expect_results(&c);
        destroy(&c, last);
    }
}

// In a host with trials the first one measures. The second one estimates: it is not told times of inferences
// in which the first one has no part.
static void only_the_first_one_measures(void** state) {
    (void)state;
    static const char* const options[] = {"partition=cost,allow=ADD", "partition=cost,allow=LOGISTIC"};
    static const char* const forced[] = {"partition=all,allow=ADD", "partition=cost,allow=LOGISTIC"};
    for (int last = 0; last < DEVICES; last++) {
        Case c;
        int counts[DEVICES];
        create_delegates(&c, last == 0 ? options : forced);
        apply_on_trial(&c, make_builtin_model());
        check_sides(&c, counts);
        if (last == 0) {
            assert_int_equal(c.told[0].placements, 1);
            assert_true(c.told[0].placement.host_run_ns > 0);
        } else {
            assert_int_equal(counts[0], 3);
        }
        assert_int_equal(c.told[1].placements, 1);
        if (counts[0] > 0) assert_int_equal(c.told[1].placement.host_run_ns, -1);
        if (counts[0] > 0) assert_int_equal(c.told[1].placement.all_run_ns, -1);
        fixture_run(&c.f);
        destroy(&c, last);
    }
}

static void note_times(void* user_data, const OcliteOpenclNode* node) {
    int64_t* device_ns = user_data;
    if (node->node < NODES) device_ns[node->node] = node->device_ns;
}

// What a node takes on a device, of which no other delegate has taken a part.
static void ask_alone(int d, int64_t device_ns[NODES]) {
    char text[64];
    Fixture f;
    snprintf(text, sizeof text, "device=%d,partition=cost", d);
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string(text);
    assert_non_null(delegate);
    fixture_create(&f, make_model(), &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1});
    assert_non_null(f.interpreter);
    oclite_opencl_delegate_explain(delegate, note_times, device_ns);
    fixture_destroy(&f);
    oclite_opencl_delegate_delete(delegate);
}

// A program that knows better asks both for their times, and says to each which nodes are its own.
static void a_program_divides_the_graph(void** state) {
    (void)state;
    Case c;
    int64_t times[DEVICES][NODES];
    int sides[NODES];
    char lists[DEVICES][128] = {"partition=all,allow=", "partition=all,allow="};
    const char* const options[DEVICES] = {lists[0], lists[1]};
    for (int d = 0; d < DEVICES; d++) ask_alone(d, times[d]);
    for (int n = 0; n < NODES; n++) {
        const int64_t ahead = times[1][n] - times[0][n];
        sides[n] = times[0][n] < 0 ? -1 : ahead != 0 ? ahead < 0 : n % DEVICES;
        assert_int_equal(times[0][n] < 0, times[1][n] < 0);
        assert_int_equal(times[0][n] < 0, n == 1 || n == 7);
        if (sides[n] < 0) continue;
        char* list = lists[sides[n]] + strlen(lists[sides[n]]);
        snprintf(list, 16, "%s%d", list[-1] == '=' ? "" : "+", n);
    }
    for (int d = 0; d < DEVICES; d++) { // a device that is always slower has no list
        if (lists[d][strlen(lists[d]) - 1] == '=') strcpy(lists[d], "partition=none");
    }
    create_delegates(&c, options);
    apply(&c, make_model());
    expect_sides(&c, sides);
    expect_results(&c);
    destroy(&c, 0);
}

// A delegate goes on alone when the other one's interpreter is gone.
static void each_works_alone_afterwards(void** state) {
    (void)state;
    static const char* const options[] = {"partition=all", "partition=all"};
    static const int sides[NODES] = {0, -1, 0, 0, 0, 0, 0, -1, 0};
    Case c;
    create_delegates(&c, options);
    apply(&c, make_model());
    expect_sides(&c, sides); // the first one leaves nothing that the second one could run
    fixture_destroy(&c.f);
    oclite_opencl_delegate_delete(c.delegates[0]);
    const LiteInterpreterOptions alone = {.delegates = &c.delegates[1], .delegate_count = 1};
    fixture_create(&c.f, make_model(), &alone);
    assert_non_null(c.f.interpreter);
    assert_int_equal(side_of(&c, 0), 1);
    expect_results(&c);
    fixture_destroy(&c.f);
    oclite_opencl_delegate_delete(c.delegates[1]);
}

// False where there are not two devices.
static bool find_devices(void) {
    for (int d = 0; d < DEVICES; d++) {
        TfLiteDelegate* delegate =
            oclite_opencl_delegate_create_from_string(d == 0 ? "device=0" : "device=1");
        if (delegate == NULL) {
            printf("device %d: %s\n", d, oclite_opencl_last_error());
            return false;
        }
        printf("device %d: %s\n", d, oclite_opencl_delegate_device(delegate));
        oclite_opencl_delegate_delete(delegate);
    }
    return true;
}

int main(void) {
    if (!find_devices()) {
        printf("skipped: there are not two OpenCL devices\n");
        return EXIT_SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_divide_the_graph),      cmocka_unit_test(limits_divide_the_graph),
        cmocka_unit_test(costs_divide_the_graph),      cmocka_unit_test(only_the_first_one_measures),
        cmocka_unit_test(a_program_divides_the_graph), cmocka_unit_test(each_works_alone_afterwards),
    };
    return cmocka_run_group_tests(tests, run_on_host, NULL);
}
