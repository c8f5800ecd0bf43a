// SPDX-License-Identifier: Apache-2.0
// Runs on trial (core/base/trial.h): the times of nodes, of fused ones, in loops, for the shapes that the
// program has set; with a delegate; and that nobody else sees the trial.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/trial.h"
#include "core/graph/allocate.h"
#include "core/graph/apply.h"
#include "core/graph/graph.h"
#include "core/graph/interpreter.h"
#include "core/graph/made_up.h"
#include "core/graph/subgraph.h"
#include "core/graph/trial.h"
#include "core/semantics/half.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/trial_case.h"

// Two nodes that are fused, and one that is not.
static ModelBuilder* three_nodes(void) {
    static const TfLiteAddParams add = {.activation = kTfLiteActNone};
    static const TfLiteMulParams multiply = {.activation = kTfLiteActNone};
    static const TfLiteL2NormParams normalize = {.activation = kTfLiteActNone};
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 4; i++)
        builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 2, .dims = {8, 16}});
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinAdd, .inputs = {2, {0, 0}}, .outputs = {1, {1}}, .params = &add});
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinMul, .inputs = {2, {1, 1}}, .outputs = {1, {2}}, .params = &multiply});
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinL2Normalization,
                                          .inputs = {1, {2}},
                                          .outputs = {1, {3}},
                                          .params = &normalize});
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {3}});
    return b;
}

// What the nodes of a graph took is within what the whole took.
static void expect_within(const LiteTrialGraph* graph, int64_t whole_ns) {
    int64_t sum = 0;
    for (int i = 0; i < graph->node_count; i++) sum += graph->node_ns[i] > 0 ? graph->node_ns[i] : 0;
    assert_true(sum > 0);
    assert_true(sum <= whole_ns);
}

static void each_node_has_a_time(void** state) {
    (void)state;
    TrialCase c;
    trial_case_run(&c, three_nodes(), &(LiteInterpreterOptions){.preserve_all_tensors = true}, NULL);
    assert_int_equal(c.status, kTfLiteOk);
    assert_int_equal(c.times.graph_count, 1);
    assert_int_equal(c.times.own, 0);
    assert_int_equal(c.times.root, 0);
    const LiteTrialGraph* graph = &c.times.graphs[0];
    assert_true(graph->is_covered);
    assert_int_equal(graph->node_count, 3);
    for (int i = 0; i < 3; i++) assert_true(graph->node_ns[i] > 0);
    assert_true(c.times.runs >= 1);
    assert_true(c.times.quartile_ns <= c.times.invoke_ns);
    expect_within(graph, c.times.quartile_ns);
    trial_case_destroy(&c);
}

static void fused_nodes_have_one_time(void** state) {
    (void)state;
    TrialCase c;
    trial_case_run(&c, three_nodes(), NULL, NULL);
    assert_int_equal(c.status, kTfLiteOk);
    const int64_t* ns = c.times.graphs[0].node_ns;
    assert_true((ns[0] == 0 && ns[1] > 0) || (ns[0] > 0 && ns[1] == 0));
    assert_true(ns[2] > 0);
    trial_case_destroy(&c);
}

static void another_model_has_another_number(void** state) {
    (void)state;
    uint64_t numbers[2];
    for (int i = 0; i < 2; i++) {
        TrialCase c;
        trial_case_run(&c, three_nodes(), NULL, NULL);
        numbers[i] = c.times.model;
        trial_case_destroy(&c);
    }
    assert_true(numbers[0] != numbers[1]);
}

static void loops_have_times_of_a_turn(void** state) {
    (void)state;
    TrialCase c;
    trial_case_run(&c, trial_case_loop(10), NULL, NULL);
    assert_int_equal(c.status, kTfLiteOk);
    assert_int_equal(c.times.graph_count, 3);
    const LiteTrialGraph* graphs = c.times.graphs;
    for (int i = 0; i < 3; i++) {
        assert_true(graphs[i].is_covered);
        assert_int_equal(graphs[i].node_count, 1);
        assert_true(graphs[i].node_ns[0] > 0);
    }
    assert_true(11 * graphs[1].node_ns[0] + 10 * graphs[2].node_ns[0] <= graphs[0].node_ns[0]);
    trial_case_destroy(&c);
}

// A branch that is not taken: inputs of BOOL are false.
static void what_does_not_run_has_no_time(void** state) {
    (void)state;
    TrialCase c;
    trial_case_run(&c, trial_case_branches(), NULL, NULL);
    assert_int_equal(c.status, kTfLiteOk);
    const LiteTrialGraph* graphs = c.times.graphs;
    assert_true(graphs[1].is_covered);
    assert_int_equal(graphs[1].node_count, 2);
    for (int i = 0; i < 2; i++) assert_int_equal(graphs[1].node_ns[i], -1);
    assert_true(graphs[2].node_ns[0] > 0);
    trial_case_destroy(&c);
}

// Graphs that graph 0 does not call: the one that has asked runs, or the one from which it is called.
static void other_graphs_run_by_themselves(void** state) {
    (void)state;
    TrialCase c;
    trial_case_create(&c, trial_case_signatures(), NULL);
    for (int own = 0; own < 3; own++) {
        trial_case_ask(&c, own, NULL);
        assert_int_equal(c.status, kTfLiteOk);
        assert_int_equal(c.times.own, own);
        assert_int_equal(c.times.root, own == 0 ? 0 : 1);
        for (int i = 0; i < 3; i++) {
            const LiteTrialGraph* graph = &c.times.graphs[i];
            assert_int_equal(graph->is_covered, (i == 0) == (own == 0));
            assert_int_equal(graph->node_ns[0] > 0, graph->is_covered);
            if (!graph->is_covered) assert_int_equal(graph->node_ns[0], -1);
        }
    }
    trial_case_destroy(&c);
}

// Inputs.

static const struct {
    BuilderTensor tensor;
    int bytes_of_element;
} kInputs[] = {
    {{.type = kTfLiteFloat32}, 4},
    {{.type = kTfLiteFloat64}, 8},
    {{.type = kTfLiteFloat16}, 2},
    {{.type = kTfLiteBFloat16}, 2},
    {{.type = kTfLiteComplex64}, 8},
    {{.type = kTfLiteInt32}, 4},
    {{.type = kTfLiteUInt8}, 1},
    {{.type = kTfLiteUInt8, .scale = 0.5f, .zero_point = 3}, 1},
    {{.type = kTfLiteInt8, .scale = 0.5f, .zero_point = 3}, 1},
    {{.type = kTfLiteBool}, 1},
};
enum { kInputCount = sizeof kInputs / sizeof kInputs[0], kElements = 300 };

// A graph of inputs alone.
static void create_inputs(Fixture* f) {
    ModelBuilder* b = builder_create();
    BuilderInts inputs = {.count = kInputCount + 1};
    for (int i = 0; i <= kInputCount; i++) {
        BuilderTensor tensor = i < kInputCount ? kInputs[i].tensor : (BuilderTensor){.type = kTfLiteString};
        tensor.rank = 2;
        tensor.dims[0] = 3;
        tensor.dims[1] = kElements / 3;
        inputs.values[i] = builder_tensor(b, tensor);
    }
    builder_inputs(b, inputs);
    builder_outputs(b, (BuilderInts){1, {0}});
    fixture_create(f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f->graph), kTfLiteOk);
    assert_int_equal(lite_make_up_inputs(f->graph), kTfLiteOk);
}

static double value_of(const TfLiteTensor* tensor, size_t i) {
    switch (tensor->type) {
    case kTfLiteFloat32:
        return tensor->data.f[i];
    case kTfLiteFloat64:
        return tensor->data.f64[i];
    case kTfLiteComplex64:
        return tensor->data.f[2 * i];
    default: {
        const uint16_t bits = ((const uint16_t*)tensor->data.data)[i];
        return tensor->type == kTfLiteFloat16 ? lite_f16_to_f32(bits) : lite_bf16_to_f32(bits);
    }
    }
}

// They are whole numbers of 1/32, and neighbours differ by one.
static void floats_rise_and_fall(void** state) {
    (void)state;
    Fixture f;
    create_inputs(&f);
    for (int t = 0; kInputs[t].tensor.type != kTfLiteInt32; t++) {
        const TfLiteTensor* tensor = lite_subgraph_tensor(f.graph, t);
        const double step = tensor->type == kTfLiteComplex64 ? 2 : 1;
        double least = 1, most = -1;
        for (size_t i = 0; i < kElements; i++) {
            const double value = value_of(tensor, i) * 32;
            assert_true(value == (int)value && value >= -32 && value <= 32);
            if (i > 0) assert_true(fabs(value - 32 * value_of(tensor, i - 1)) == step);
            if (value < least) least = value;
            if (value > most) most = value;
        }
        assert_true(least == -32 && most == 32);
    }
    fixture_destroy(&f);
}

static void numbers_are_0_or_in_the_middle(void** state) {
    (void)state;
    Fixture f;
    create_inputs(&f);
    for (int t = 0; t < kInputCount; t++) {
        const TfLiteTensor* tensor = lite_subgraph_tensor(f.graph, t);
        assert_int_equal(tensor->bytes, kElements * kInputs[t].bytes_of_element);
        if (kInputs[t].bytes_of_element > 1 && tensor->type != kTfLiteInt32) continue;
        const int expected = tensor->type == kTfLiteUInt8 && kInputs[t].tensor.scale != 0 ? 128 : 0;
        for (size_t i = 0; i < tensor->bytes; i++) assert_int_equal(tensor->data.uint8[i], expected);
    }
    fixture_destroy(&f);
}

static void strings_are_empty(void** state) {
    (void)state;
    Fixture f;
    create_inputs(&f);
    const TfLiteTensor* tensor = lite_subgraph_tensor(f.graph, kInputCount);
    assert_int_equal(TfLiteOpaqueTensorGetStringCount((const TfLiteOpaqueTensor*)tensor), kElements);
    for (int i = 0; i < kElements; i++) {
        const char* text;
        int length = 1;
        assert_int_equal(TfLiteOpaqueTensorGetString((const TfLiteOpaqueTensor*)tensor, i, &text, &length),
                         kTfLiteOk);
        assert_int_equal(length, 0);
    }
    fixture_destroy(&f);
}

// Delegates.

static int seen_dims[2];
static bool seen_service;

static void look_at_trial(TfLiteContext* context) {
    seen_service |= lite_trial_service(context) != NULL;
    for (int i = 0; i < 2; i++) seen_dims[i] = context->tensors[0].dims->data[i];
}

static void the_program_s_shapes_count(void** state) {
    (void)state;
    ProbeDelegate child;
    probe_init(&child, kTfLiteDelegateFlagsAllowDynamicTensors);
    child.takes = "none";
    child.look = look_at_trial;
    TrialCase c;
    trial_case_create(&c, three_nodes(), NULL);
    const int dims[] = {3, 5};
    assert_int_equal(lite_subgraph_resize_input(c.f.graph, 0, dims, 2), kTfLiteOk);
    trial_case_ask(&c, 0, &child.delegate);
    assert_int_equal(c.status, kTfLiteOk);
    assert_memory_equal(seen_dims, dims, sizeof dims);
    trial_case_destroy(&c);
}

static void no_trial_begins_another_one(void** state) {
    (void)state;
    ProbeDelegate child;
    probe_init(&child, kTfLiteDelegateFlagsAllowDynamicTensors);
    child.takes = "none";
    child.look = look_at_trial;
    seen_service = false;
    TrialCase c;
    trial_case_run(&c, three_nodes(), NULL, &child.delegate);
    assert_int_equal(c.status, kTfLiteOk);
    assert_int_equal(child.prepares, 1);
    assert_false(seen_service);
    trial_case_destroy(&c);
}

// The operators are nobody's but the child's.
static void a_delegate_runs_in_the_trial_alone(void** state) {
    (void)state;
    for (int form = 0; form < 2; form++) {
        ProbeDelegate child;
        (form == 0 ? probe_init : probe_init_opaque)(&child, kTfLiteDelegateFlagsAllowDynamicTensors);
        TrialCase c;
        trial_case_create_without_operators(&c, fixture_chain("Twice", 3));
        trial_case_ask(&c, 0, &child.delegate);
        assert_int_equal(c.status, kTfLiteOk);
        assert_int_equal(c.f.graph->node_count, 3);
        assert_int_equal(child.prepares, 1);
        assert_int_equal(child.inits, 1);
        assert_int_equal(child.frees, 1);
        assert_true(child.invokes >= 1);
        const LiteTrialGraph* graph = &c.times.graphs[0];
        assert_int_equal(graph->node_count, 4);
        for (int i = 0; i < 3; i++) assert_int_equal(graph->node_ns[i], 0);
        assert_true(graph->node_ns[3] > 0);
        trial_case_destroy(&c);
    }
}

static void a_delegate_that_fails_has_no_times(void** state) {
    (void)state;
    enum { kFaults = 5 }; // and then none
    for (int fault = 0; fault <= kFaults; fault++) {
        ProbeDelegate child;
        probe_init(&child, kTfLiteDelegateFlagsAllowDynamicTensors);
        child.init_fails = fault == 0;
        if (fault == 1) child.prepare_status = kTfLiteError;
        if (fault == 2) child.kernel_prepare_status = kTfLiteError;
        if (fault == 3) child.invoke_status = kTfLiteDelegateError;
        if (fault == 4) child.invoke_status = kTfLiteError;
        TrialCase c;
        trial_case_create_without_operators(&c, fixture_chain("Twice", 3));
        trial_case_ask(&c, 0, &child.delegate);
        if (fault < kFaults) {
            trial_case_expect_failure(&c);
        } else {
            assert_int_equal(c.status, kTfLiteOk);
        }
        assert_int_equal(child.frees, fault == 0 ? 0 : child.inits);
        trial_case_destroy(&c);
    }
}

// Turns.

static TfLiteStatus enter(TrialCase* c, TfLiteDelegate* child, LiteTrialEntry** entry) {
    *entry = NULL;
    return lite_trial()->enter(&c->f.graph->context, child, entry);
}

static void two_take_turns(void** state) {
    (void)state;
    ProbeDelegate child;
    probe_init(&child, kTfLiteDelegateFlagsAllowDynamicTensors);
    TrialCase c;
    trial_case_create_without_operators(&c, fixture_chain("Twice", 3));
    LiteTrialEntry *host, *device, *other;
    assert_int_not_equal(enter(&c, NULL, &host), kTfLiteOk); // the operators are the child's alone
    assert_null(host);
    assert_int_equal(enter(&c, &child.delegate, &device), kTfLiteOk);
    assert_int_equal(enter(&c, &child.delegate, &other), kTfLiteOk);
    assert_int_equal(child.invokes, 2); // the first inference of either
    for (int turn = 1; turn <= 3; turn++) {
        int64_t ns[2] = {0};
        assert_int_equal(lite_trial()->take_turn(device, turn == 1 ? 0 : 2000000, &ns[0]), kTfLiteOk);
        assert_int_equal(lite_trial()->take_turn(other, 1, &ns[1]), kTfLiteOk);
        assert_true(ns[0] > 0 && ns[1] > 0);
        if (turn == 1) assert_int_equal(child.invokes, 4); // one each, whatever the time
    }
    lite_trial()->leave(device); // in any order
    lite_trial()->leave(other);
    lite_trial()->leave(NULL);
    assert_null(c.f.interpreter->entries);
    assert_int_equal(child.inits, child.frees);
    trial_case_destroy(&c);
}

// A delegate that fails, and a program that cancels.
static void turns_that_fail(void** state) {
    (void)state;
    ProbeDelegate child;
    probe_init(&child, kTfLiteDelegateFlagsAllowDynamicTensors);
    TrialCase c;
    trial_case_create(&c, three_nodes(), &(LiteInterpreterOptions){.enable_cancellation = true});
    LiteTrialEntry* entry;
    int64_t ns = 0;
    child.takes = "NEG";
    child.prepare_status = kTfLiteError;
    assert_int_not_equal(enter(&c, &child.delegate, &entry), kTfLiteOk);
    assert_int_equal(enter(&c, NULL, &entry), kTfLiteOk);
    assert_int_equal(lite_trial()->take_turn(entry, 1000, &ns), kTfLiteOk);
    assert_int_equal(lite_interpreter_cancel(c.f.interpreter), kTfLiteOk);
    assert_int_equal(lite_trial()->take_turn(entry, 1000, &ns), kTfLiteCancelled);
    lite_trial()->leave(entry);
    trial_case_destroy(&c);
    trial_case_create_without_operators(&c, fixture_chain("Twice", 3));
    probe_init(&child, kTfLiteDelegateFlagsAllowDynamicTensors);
    assert_int_equal(enter(&c, &child.delegate, &entry), kTfLiteOk);
    child.invoke_status = kTfLiteDelegateError;
    assert_int_not_equal(lite_trial()->take_turn(entry, 1000, &ns), kTfLiteOk);
    lite_trial()->leave(entry);
    trial_case_destroy(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_node_has_a_time),
        cmocka_unit_test(fused_nodes_have_one_time),
        cmocka_unit_test(another_model_has_another_number),
        cmocka_unit_test(loops_have_times_of_a_turn),
        cmocka_unit_test(what_does_not_run_has_no_time),
        cmocka_unit_test(other_graphs_run_by_themselves),
        cmocka_unit_test(floats_rise_and_fall),
        cmocka_unit_test(numbers_are_0_or_in_the_middle),
        cmocka_unit_test(strings_are_empty),
        cmocka_unit_test(the_program_s_shapes_count),
        cmocka_unit_test(no_trial_begins_another_one),
        cmocka_unit_test(a_delegate_runs_in_the_trial_alone),
        cmocka_unit_test(a_delegate_that_fails_has_no_times),
        cmocka_unit_test(two_take_turns),
        cmocka_unit_test(turns_that_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
