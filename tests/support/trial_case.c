// SPDX-License-Identifier: Apache-2.0
#include "tests/support/trial_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/apply.h"
#include "core/graph/graph.h"
#include "core/graph/interpreter.h"
#include "core/graph/state.h"
#include "core/graph/trial.h"

static _Thread_local TrialCase* current; // whose delegate is being applied
static _Thread_local int profiler_calls;

static uint32_t begin_node(TfLiteTelemetryProfilerStruct* profiler, const char* name, int64_t node,
                           int64_t graph) {
    (void)profiler, (void)name, (void)node, (void)graph;
    return (uint32_t)++profiler_calls;
}

static void end_node(TfLiteTelemetryProfilerStruct* profiler, uint32_t event) {
    (void)profiler, (void)event;
    profiler_calls++;
}

static void report_event(TfLiteTelemetryProfilerStruct* profiler, const char* name, uint64_t status) {
    (void)profiler, (void)name, (void)status;
    profiler_calls++;
}

static void report_settings(TfLiteTelemetryProfilerStruct* profiler, const char* name,
                            const TfLiteTelemetrySettings* settings) {
    (void)profiler, (void)name, (void)settings;
    profiler_calls++;
}

static int told(const TrialCase* c) {
    return profiler_calls + (int)strlen(c->f.messages);
}

static void ask(TfLiteContext* context) {
    TrialCase* c = current;
    const LiteSubgraph* subgraph = context->impl_;
    if (subgraph->index != c->own) return;
    const LiteTrialService* service = lite_trial_service(context);
    assert_non_null(service);
    const LiteTrialLimits limits = {.budget_ns = c->budget_ns, .first_ns = 10 * c->budget_ns};
    const int before = told(c);
    service->free(&c->times);
    c->status = service->run(context, c->child, &limits, &c->times);
    c->told += told(c) - before;
}

static LiteInterpreterOptions options_of(TrialCase* c, const LiteInterpreterOptions* options) {
    LiteInterpreterOptions result = options != NULL ? *options : (LiteInterpreterOptions){0};
    c->profiler = (TfLiteTelemetryProfilerStruct){.ReportTelemetryEvent = report_event,
                                                  .ReportSettings = report_settings,
                                                  .ReportBeginOpInvokeEvent = begin_node,
                                                  .ReportEndOpInvokeEvent = end_node};
    result.telemetry = &c->profiler;
    result.trial = lite_trial();
    return result;
}

void trial_case_create(TrialCase* c, ModelBuilder* builder, const LiteInterpreterOptions* options) {
    memset(c, 0, sizeof *c);
    const LiteInterpreterOptions merged = options_of(c, options);
    fixture_create(&c->f, builder, &merged);
    assert_non_null(c->f.interpreter);
    c->budget_ns = 1000000000; // far more than small graphs need, on a busy machine, too
    c->status = kTfLiteError;
    probe_init(&c->asks, kTfLiteDelegateFlagsAllowDynamicTensors);
    c->asks.takes = "nothing";
    c->asks.look = ask;
}

void trial_case_create_without_operators(TrialCase* c, ModelBuilder* builder) {
    trial_case_create(c, builder, NULL);
    LiteInterpreterOptions options = options_of(c, NULL);
    options.reporter = *lite_interpreter_reporter(c->f.interpreter);
    lite_interpreter_destroy(c->f.interpreter);
    c->f.interpreter = lite_interpreter_create(c->f.model, &options);
    assert_non_null(c->f.interpreter);
    c->f.graph = lite_interpreter_subgraph(c->f.interpreter, 0);
}

void trial_case_ask(TrialCase* c, int own, TfLiteDelegate* child) {
    c->own = own;
    c->child = child;
    current = c;
    assert_int_equal(lite_interpreter_apply_delegate(c->f.interpreter, &c->asks.delegate), kTfLiteOk);
    assert_int_equal(c->told, 0);
}

void trial_case_run(TrialCase* c, ModelBuilder* builder, const LiteInterpreterOptions* options,
                    TfLiteDelegate* child) {
    trial_case_create(c, builder, options);
    trial_case_ask(c, 0, child);
}

void trial_case_expect_failure(const TrialCase* c) {
    assert_int_not_equal(c->status, kTfLiteOk);
    assert_null(c->times.graphs);
    assert_int_equal(c->times.graph_count, 0);
    assert_int_equal(c->times.runs, 0);
}

void trial_case_destroy(TrialCase* c) {
    lite_trial()->free(&c->times);
    assert_null(c->times.graphs);
    fixture_destroy(&c->f);
}

// Models.

static void add_scalar(ModelBuilder* b, TfLiteType type, const void* data) {
    builder_tensor(b, (BuilderTensor){.type = type, .data = data, .bytes = data != NULL ? 4 : 0});
}

static void add_operator(ModelBuilder* b, TfLiteBuiltinOperator code, const void* params, BuilderInts inputs,
                         int output) {
    builder_operator(
        b, (BuilderOperator){.code = code, .inputs = inputs, .outputs = {1, {output}}, .params = params});
}

static void add_ends(ModelBuilder* b, int input, int output) {
    builder_inputs(b, (BuilderInts){1, {input}});
    builder_outputs(b, (BuilderInts){1, {output}});
}

ModelBuilder* trial_case_loop(int turns) {
    static const TfLiteWhileParams params = {.cond_subgraph_index = 1, .body_subgraph_index = 2};
    static const TfLiteAddParams add = {.activation = kTfLiteActNone};
    static int32_t limit;
    static const int32_t one = 1;
    limit = turns;
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 2; i++) add_scalar(b, kTfLiteInt32, NULL);
    add_operator(b, kTfLiteBuiltinWhile, &params, (BuilderInts){1, {0}}, 1);
    add_ends(b, 0, 1);
    builder_subgraph(b, "condition");
    add_scalar(b, kTfLiteInt32, NULL);
    add_scalar(b, kTfLiteInt32, &limit);
    add_scalar(b, kTfLiteBool, NULL);
    add_operator(b, kTfLiteBuiltinLess, NULL, (BuilderInts){2, {0, 1}}, 2);
    add_ends(b, 0, 2);
    builder_subgraph(b, "body");
    add_scalar(b, kTfLiteInt32, NULL);
    add_scalar(b, kTfLiteInt32, &one);
    add_scalar(b, kTfLiteInt32, NULL);
    add_operator(b, kTfLiteBuiltinAdd, &add, (BuilderInts){2, {0, 1}}, 2);
    add_ends(b, 0, 2);
    return b;
}

// Elementwise nodes one behind the other.
static void add_chain(ModelBuilder* b, const char* name, int count) {
    builder_subgraph(b, name);
    for (int i = 0; i <= count; i++) fixture_tensor(b, 4);
    for (int i = 0; i < count; i++) add_operator(b, kTfLiteBuiltinNeg, NULL, (BuilderInts){1, {i}}, i + 1);
    add_ends(b, 0, count);
}

// IF of graphs 1 and 2, or 2 alone, behind the tensors 0 (condition) and 1.
static void add_if(ModelBuilder* b, const TfLiteIfParams* params) {
    add_scalar(b, kTfLiteBool, NULL);
    for (int i = 0; i < 2; i++) fixture_tensor(b, 4);
    add_operator(b, kTfLiteBuiltinIf, params, (BuilderInts){2, {0, 1}}, 2);
    builder_inputs(b, (BuilderInts){2, {0, 1}});
    builder_outputs(b, (BuilderInts){1, {2}});
}

ModelBuilder* trial_case_branches(void) {
    static const TfLiteIfParams params = {1, 2};
    ModelBuilder* b = builder_create();
    add_if(b, &params);
    add_chain(b, "then", 2);
    add_chain(b, "else", 1);
    return b;
}

ModelBuilder* trial_case_signatures(void) {
    static const TfLiteIfParams params = {2, 2};
    static const char* const keys[] = {"first", "second"};
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 2; i++) fixture_tensor(b, 4);
    add_operator(b, kTfLiteBuiltinNeg, NULL, (BuilderInts){1, {0}}, 1);
    add_ends(b, 0, 1);
    builder_subgraph(b, "caller");
    add_if(b, &params);
    add_chain(b, "branch", 1);
    for (int i = 0; i < 2; i++) {
        builder_signature(b, keys[i], i, (BuilderNames){1, {{"x", i}}}, (BuilderNames){1, {{"y", i + 1}}});
    }
    return b;
}
