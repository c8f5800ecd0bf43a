// SPDX-License-Identifier: Apache-2.0
// Variables of delegated nodes: they go on from run to run, the host may reset them, and a run that fails
// leaves all of them as they were.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "delegate-opencl/device/cl.h"
#include "oclite/opencl.h"
#include "tests/support/delegate_host.h"

enum { EXIT_SKIPPED = 77, kUnits = 3, kBatches = 2, kCount = kUnits * kBatches };

static TfLiteDelegate* delegate;
static LiteCl working; // OpenCL's functions

static int matrix(DelegateHost* host, const float values[kUnits * kUnits]) {
    return host_constant(host, kTfLiteFloat32, 2, (int[]){kUnits, kUnits}, values);
}

static int add_state(DelegateHost* host) {
    const int state = host_variable(host, 2, (int[]){kBatches, kUnits});
    host->tensors[state].is_variable = true;
    for (int i = 0; i < kCount; i++) host_floats(host, state)[i] = 0.0f;
    return state;
}

// output = state = state + x + 1
static void add_counter(DelegateHost* host, int x, int state, int output) {
    static const float identity[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, ones[] = {1, 1, 1};
    static TfLiteRNNParams params = {.activation = kTfLiteActNone};
    const int bias = host_constant(host, kTfLiteFloat32, 1, (int[]){kUnits}, ones);
    host_node(host, kTfLiteBuiltinRnn, NULL, &params, 5,
              (int[]){x, matrix(host, identity), matrix(host, identity), bias, state}, output);
}

static void assert_all(DelegateHost* host, int tensor, float value) {
    assert_int_equal(host_elements(host, tensor), kCount);
    for (int i = 0; i < kCount; i++) assert_true(host_floats(host, tensor)[i] == value);
}

typedef struct Counters {
    DelegateHost host;
    int x;
    int state[2];
    int y;
} Counters;

// Two counters, one behind the other.
static void prepare(Counters* c) {
    host_init(&c->host);
    const int dims[] = {kBatches, kUnits};
    c->x = host_variable(&c->host, 2, dims);
    const int between = host_variable(&c->host, 2, dims);
    c->y = host_variable(&c->host, 2, dims);
    for (int i = 0; i < 2; i++) c->state[i] = add_state(&c->host);
    add_counter(&c->host, c->x, c->state[0], between);
    add_counter(&c->host, between, c->state[1], c->y);
    assert_int_equal(host_delegate(&c->host, delegate, -1), kTfLiteOk);
    assert_non_null(c->host.taken);
    assert_int_equal(c->host.taken->size, 2);
    assert_int_equal(host_prepare(&c->host), kTfLiteOk);
    for (int i = 0; i < kCount; i++) host_floats(&c->host, c->x)[i] = 0.0f;
}

static void expect_run(Counters* c, float first, float second) {
    assert_int_equal(host_invoke(&c->host), kTfLiteOk);
    assert_all(&c->host, c->state[0], first);
    assert_all(&c->host, c->state[1], second);
    assert_all(&c->host, c->y, second);
}

static void variables_go_on_until_they_are_reset(void** state) {
    (void)state;
    Counters c;
    prepare(&c);
    expect_run(&c, 1, 2);
    expect_run(&c, 2, 5);
    expect_run(&c, 3, 9);
    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < kCount; i++) host_floats(&c.host, c.state[s])[i] = 0.0f;
    }
    expect_run(&c, 1, 2);
    // A plan for the same shapes goes on as well.
    assert_int_equal(host_prepare(&c.host), kTfLiteOk);
    expect_run(&c, 2, 5);
    host_free(&c.host);
}

// Functions in place of OpenCL's: the n-th call of any of them fails.
static int calls_left;

static bool fails_now(void) {
    return calls_left-- == 0;
}

static cl_int launch(cl_command_queue queue, cl_kernel kernel, cl_uint rank, const size_t* offset,
                     const size_t* global, const size_t* local, cl_uint count, const cl_event* events,
                     cl_event* event) {
    if (fails_now()) return CL_OUT_OF_RESOURCES;
    return working.clEnqueueNDRangeKernel(queue, kernel, rank, offset, global, local, count, events, event);
}

static cl_int read_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset, size_t size,
                          void* to, cl_uint count, const cl_event* events, cl_event* event) {
    if (fails_now()) return CL_OUT_OF_RESOURCES;
    return working.clEnqueueReadBuffer(queue, memory, blocking, offset, size, to, count, events, event);
}

static cl_int write_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset,
                           size_t size, const void* from, cl_uint count, const cl_event* events,
                           cl_event* event) {
    if (fails_now()) return CL_OUT_OF_RESOURCES;
    return working.clEnqueueWriteBuffer(queue, memory, blocking, offset, size, from, count, events, event);
}

static cl_int finish(cl_command_queue queue) {
    (void)working.clFinish(queue);
    return fails_now() ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

// Invokes with the n-th call failing, which quarantines the delegate; kTfLiteOk when there are not so many
// calls.
static TfLiteStatus invoke_failing(DelegateHost* host, int n) {
    LiteCl* table = (LiteCl*)(uintptr_t)lite_cl_load(NULL);
    working = *table;
    table->clEnqueueNDRangeKernel = launch;
    table->clEnqueueReadBuffer = read_buffer;
    table->clEnqueueWriteBuffer = write_buffer;
    table->clFinish = finish;
    calls_left = n;
    const TfLiteStatus status = host_invoke(host);
    *table = working;
    return status;
}

static void runs_that_fail_leave_them(void** state) {
    (void)state;
    TfLiteDelegate* shared = delegate;
    int failures = 0;
    for (bool failed = true; failed; failures += failed) {
        delegate = oclite_opencl_delegate_create(NULL);
        Counters c;
        prepare(&c);
        expect_run(&c, 1, 2);
        failed = invoke_failing(&c.host, failures) != kTfLiteOk;
        assert_all(&c.host, c.state[0], failed ? 1 : 2);
        assert_all(&c.host, c.state[1], failed ? 2 : 5);
        if (!failed) expect_run(&c, 3, 9);
        host_free(&c.host);
        oclite_opencl_delegate_delete(delegate);
    }
    delegate = shared;
    // 2 variables each way, 4 launches or one for all of them, the end, and more where memory is not shared.
    assert_in_range(failures, 6, 12);
}

// A kernel finds an index out of range behind the node that has a variable.
static void wrong_contents_leave_them(void** state) {
    (void)state;
    static TfLiteGatherParams params = {.axis = 0};
    DelegateHost host;
    host_init(&host);
    const int x = host_variable(&host, 2, (int[]){kBatches, kUnits});
    const int sum = host_variable(&host, 2, (int[]){kBatches, kUnits});
    const int y = host_variable(&host, 2, (int[]){1, kUnits});
    const int index = host_variable(&host, 1, (int[]){1});
    host.tensors[index].type = kTfLiteInt32;
    const int variable = add_state(&host);
    add_counter(&host, x, variable, sum);
    host_node(&host, kTfLiteBuiltinGather, NULL, &params, 2, (int[]){sum, index}, y);
    assert_int_equal(host_delegate(&host, delegate, -1), kTfLiteOk);
    assert_int_equal(host.taken->size, 2);
    assert_int_equal(host_prepare(&host), kTfLiteOk);
    for (int i = 0; i < kCount; i++) host_floats(&host, x)[i] = 0.0f;
    host.tensors[index].data.i32[0] = kBatches;
    assert_int_not_equal(host_invoke(&host), kTfLiteOk);
    assert_all(&host, variable, 0);
    host.tensors[index].data.i32[0] = 0;
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    assert_all(&host, variable, 1);
    host_free(&host);
}

static void other_nodes_do_not_get_them(void** state) {
    (void)state;
    static TfLiteAddParams params;
    DelegateHost host;
    host_init(&host);
    const int variable = add_state(&host), y = host_variable(&host, 2, (int[]){kBatches, kUnits});
    host_node(&host, kTfLiteBuiltinAdd, NULL, &params, 2, (int[]){variable, variable}, y);
    assert_int_equal(host_delegate(&host, delegate, -1), kTfLiteOk);
    assert_null(host.taken);
    host_free(&host);
}

int main(void) {
    if (!host_has_opencl()) return EXIT_SKIPPED;
    delegate = oclite_opencl_delegate_create(NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_go_on_until_they_are_reset),
        cmocka_unit_test(runs_that_fail_leave_them),
        cmocka_unit_test(wrong_contents_leave_them),
        cmocka_unit_test(other_nodes_do_not_get_them),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    oclite_opencl_delegate_delete(delegate);
    return failed;
}
