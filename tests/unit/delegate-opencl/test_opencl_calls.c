// SPDX-License-Identifier: Apache-2.0
// Each single call of OpenCL fails, from the making of the delegate to its end, and kernels do not end: every
// inference has its result all the same, nothing is leaked, and the delegate says what was wrong.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "oclite/opencl.h"
#include "tests/support/cl_shim.h"
#include "tests/support/delegate_host.h"
#include "tests/support/graph_fixture.h"

enum { EXIT_SKIPPED = 77, kCount = 64 };

static void add(ModelBuilder* b, int x, int y, int out) {
    static const TfLiteAddParams params = {.activation = kTfLiteActNone};
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinAdd, .inputs = {2, {x, y}}, .outputs = {1, {out}}, .params = &params});
}

static void multiply(ModelBuilder* b, int x, int y, int out) {
    static const TfLiteMulParams params = {.activation = kTfLiteActNone};
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinMul, .inputs = {2, {x, y}}, .outputs = {1, {out}}, .params = &params});
}

// One partition, whose kernels check indices: y = (x + x)[0, 0, ...] * x, by way of input 4.
static ModelBuilder* one_partition(void) {
    static const TfLiteGatherParams params = {0};
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 4; i++) fixture_tensor(b, kCount);
    builder_tensor(b, (BuilderTensor){.type = kTfLiteInt32, .rank = 1, .dims = {kCount}});
    add(b, 0, 0, 1);
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinGather, .inputs = {2, {1, 4}}, .outputs = {1, {2}}, .params = &params});
    multiply(b, 2, 0, 3);
    builder_inputs(b, (BuilderInts){2, {0, 4}});
    builder_outputs(b, (BuilderInts){1, {3}});
    return b;
}

// Three partitions around nodes that only the host has: y = 2 (2 (2 x) x) + 2 x.
static ModelBuilder* several_partitions(void) {
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 6; i++) fixture_tensor(b, kCount);
    add(b, 0, 0, 1);
    fixture_node(b, "Twice", 1, 2);
    multiply(b, 2, 0, 4);
    fixture_node(b, "Twice", 4, 5);
    add(b, 5, 1, 3);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {3}});
    return b;
}

// WHILE x[0] < 100: x = x + x, and a partition behind it: y = x * x.
static ModelBuilder* control_flow(void) {
    static const TfLiteWhileParams params = {1, 2};
    static const float limit[] = {100};
    static const int first[] = {0}, one[] = {1};
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 4; i++) fixture_tensor(b, kCount);
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinWhile, .inputs = {1, {0}}, .outputs = {1, {1}}, .params = &params});
    multiply(b, 1, 1, 3);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {3}});
    builder_subgraph(b, "condition");
    fixture_tensor(b, kCount);
    builder_tensor(b,
                   (BuilderTensor){.type = kTfLiteInt32, .rank = 1, .dims = {1}, .data = first, .bytes = 4});
    builder_tensor(b, (BuilderTensor){.type = kTfLiteInt32, .rank = 1, .dims = {1}, .data = one, .bytes = 4});
    fixture_tensor(b, 1);
    builder_tensor(
        b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 1, .dims = {1}, .data = limit, .bytes = 4});
    builder_tensor(b, (BuilderTensor){.type = kTfLiteBool, .rank = 1, .dims = {1}});
    builder_operator(
        b, (BuilderOperator){.code = kTfLiteBuiltinSlice, .inputs = {3, {0, 1, 2}}, .outputs = {1, {3}}});
    builder_operator(
        b, (BuilderOperator){.code = kTfLiteBuiltinLess, .inputs = {2, {3, 4}}, .outputs = {1, {5}}});
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {5}});
    builder_subgraph(b, "body");
    for (int i = 0; i < 2; i++) fixture_tensor(b, kCount);
    add(b, 0, 0, 1);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {1}});
    return b;
}

typedef struct Example {
    ModelBuilder* (*build)(void);
    float (*compute)(float x);
    bool has_indices; // input 4, of zeros
} Example;

static float product(float x) {
    return 2 * x * x;
}
static float polynomial(float x) {
    return 8 * x * x + 2 * x;
}
static float doubled(float x) {
    while (x < 100) x += x;
    return x * x;
}

static const Example examples[] = {
    {one_partition, product, true},
    {several_partitions, polynomial, false},
    {control_flow, doubled, false},
};
enum { kExamples = sizeof examples / sizeof examples[0] };

static void run(Fixture* f, const Example* example, float x) {
    fixture_fill(f, 0, x);
    if (example->has_indices) memset(lite_subgraph_tensor(f->graph, 4)->data.raw, 0, kCount * sizeof(int));
    assert_int_equal(lite_subgraph_invoke(f->graph), kTfLiteOk);
    fixture_expect(f, 3, kCount, example->compute(x));
}

static TfLiteDelegate* make_delegate(int watchdog_ms) {
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.watchdog_ms = watchdog_ms;
    return oclite_opencl_delegate_create(&options);
}

// Makes everything, runs it twice, and ends it.
static void open_and_run(const Example* example, int watchdog_ms) {
    TfLiteDelegate* delegate = make_delegate(watchdog_ms);
    if (delegate == NULL) assert_string_not_equal(oclite_opencl_last_error(), "");
    Fixture f;
    fixture_create(&f, example->build(),
                   &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = delegate != NULL});
    assert_non_null(f.interpreter);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    run(&f, example, 3);
    run(&f, example, 7);
    const OcliteOpenclStatus status = oclite_opencl_delegate_status(delegate);
    const char* why = oclite_opencl_delegate_failure(delegate);
    assert_true((status == kOcliteOpenclWorking) == (why[0] == '\0'));
    fixture_destroy(&f);
    oclite_opencl_delegate_delete(delegate);
}

static int stride = 40; // of the calls that fail while programs are built each time

// Runs while call `n` fails. Returns how many calls have failed, and what is left afterwards.
static int fail_call(const Example* example, int n, bool all, int* objects, int* allocations) {
    const int64_t before = lite_memory_live();
    shim_install();
    shim_fail(n, all);
    open_and_run(example, 0);
    const int failed = shim_failures();
    *objects = shim_live_objects();
    shim_remove();
    *allocations = (int)(lite_memory_live() - before);
    return failed;
}

// Each call from the first on fails, or each `step`-th, alone or with all after it, until a run needs no more
// calls. A failure may lead to programs that the device has not had, and keeps: the second time it has them.
static void fail_each(const Example* example, int first, int step, bool all) {
    int failed = 1;
    for (int n = first; failed > 0; n += step) {
        int objects, allocations;
        failed = fail_call(example, n, all, &objects, &allocations);
        if (objects != 0 || allocations != 0) (void)fail_call(example, n, all, &objects, &allocations);
        if (objects == 0 && allocations == 0) continue;
        print_message("call %d: %d objects of OpenCL, %d allocations are left\n", n, objects, allocations);
        fail();
    }
}

// Context and programs are there already, and stay.
static void a_call_fails(void** state) {
    (void)state;
    TfLiteDelegate* holder = make_delegate(0);
    for (int e = 0; e < kExamples; e++) {
        open_and_run(&examples[e], 0);
        fail_each(&examples[e], 1, 1, false);
        fail_each(&examples[e], 1 + e, 3, true);
    }
    oclite_opencl_delegate_delete(holder);
}

static void a_call_fails_when_all_is_new(void** state) {
    (void)state;
    for (int e = 0; e < kExamples; e++) {
        fail_each(&examples[e], 1 + e % stride, stride, false);
        fail_each(&examples[e], 1 + (stride / 2 + e) % stride, stride, true);
    }
}

typedef struct Asked {
    int nodes;
    int quarantined;
} Asked;

static void ask(void* user_data, const OcliteOpenclNode* node) {
    Asked* asked = user_data;
    asked->nodes++;
    asked->quarantined += !node->taken && strstr(node->reason, "quarantined") != NULL;
}

static void expect_quarantine(TfLiteDelegate* delegate, const char* why) {
    assert_int_equal(oclite_opencl_delegate_status(delegate), kOcliteOpenclQuarantined);
    assert_non_null(strstr(oclite_opencl_delegate_failure(delegate), why));
    Fixture f; // another graph: nothing is taken any more
    fixture_create(&f, examples[1].build(),
                   &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1});
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    assert_int_equal(lite_subgraph_plan(f.graph).count, 5);
    run(&f, &examples[1], 2);
    Asked asked = {0};
    oclite_opencl_delegate_explain(delegate, ask, &asked);
    assert_true(asked.quarantined >= 3);
    fixture_destroy(&f);
}

static void a_device_that_is_lost(void** state) {
    (void)state;
    shim_install();
    TfLiteDelegate* delegate = make_delegate(0);
    Fixture f;
    fixture_create(&f, examples[0].build(),
                   &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1});
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    run(&f, &examples[0], 3);
    assert_int_equal(oclite_opencl_delegate_status(delegate), kOcliteOpenclWorking);
    shim_fail(1, true);
    run(&f, &examples[0], 4);
    assert_non_null(strstr(f.messages, "CL_OUT_OF_RESOURCES"));
    shim_fail(0, false);
    expect_quarantine(delegate, "CL_OUT_OF_RESOURCES");
    fixture_destroy(&f);
    oclite_opencl_delegate_delete(delegate);
    shim_remove();
}

// What a model has wrong in its tensors is not the device's fault.
static void an_index_out_of_range(void** state) {
    (void)state;
    TfLiteDelegate* delegate = make_delegate(0);
    Fixture f;
    fixture_create(&f, examples[0].build(),
                   &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1});
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    run(&f, &examples[0], 3);
    lite_subgraph_tensor(f.graph, 4)->data.i32[5] = kCount;
    assert_int_not_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    assert_int_equal(oclite_opencl_delegate_status(delegate), kOcliteOpenclWorking);
    fixture_destroy(&f);
    oclite_opencl_delegate_delete(delegate);
}

enum { kPatience = 300 }; // milliseconds, enough for what does end

static void with_a_limit_that_is_kept(void** state) {
    (void)state;
    for (int e = 0; e < kExamples; e++) {
        const int64_t before = lite_memory_live();
        shim_install();
        open_and_run(&examples[e], 60000);
        shim_remove();
        assert_int_equal(shim_live_objects(), 0);
        assert_int_equal(lite_memory_live(), before);
    }
}

// Kernels that do not end, and much later do: what they write by then is nobody's.
static void a_kernel_never_ends(void** state) {
    (void)state;
    for (int e = 0; e < kExamples; e++) {
        shim_install();
        TfLiteDelegate* delegate = make_delegate(kPatience);
        Fixture f;
        fixture_create(&f, examples[e].build(),
                       &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1});
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        shim_hold();
        run(&f, &examples[e], 3);
        fixture_expect_message(&f, "has not ended within 300 ms");
        run(&f, &examples[e], 5);
        assert_null(strstr(f.messages, "has not ended")); // told once
        fixture_fill(&f, 0, -1);
        shim_let_go();
        run(&f, &examples[e], 6);
        fixture_destroy(&f);
        expect_quarantine(delegate, "has not ended within 300 ms");
        oclite_opencl_delegate_delete(delegate);
        shim_remove();
    }
}

// With the argument "all" every call fails also while programs are built each time: that takes minutes.
int main(int count, char** arguments) {
    lite_memory_count_live(true);
    if (!host_has_opencl()) return EXIT_SKIPPED;
    if (count > 1 && strcmp(arguments[1], "all") == 0) stride = 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_fails),
        cmocka_unit_test(a_call_fails_when_all_is_new),
        cmocka_unit_test(a_device_that_is_lost),
        cmocka_unit_test(an_index_out_of_range),
        cmocka_unit_test(with_a_limit_that_is_kept),
        cmocka_unit_test(a_kernel_never_ends), // leaves things to the device: behind those that count
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
