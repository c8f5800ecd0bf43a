// SPDX-License-Identifier: Apache-2.0
// A device that fails, function by function of OpenCL, at any time: programs get their interpreters and their
// results all the same.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "delegate-opencl/device/cl.h"
#include "oclite/opencl.h"
#include "tests/support/cl_failures.h"
#include "tests/support/delegate_host.h"
#include "tests/support/graph_fixture.h"

// Functions in place of OpenCL's.
static cl_command_queue fail_queue(cl_context context, cl_device_id device,
                                   cl_command_queue_properties properties, cl_int* error) {
    (void)context, (void)device, (void)properties;
    *error = CL_OUT_OF_HOST_MEMORY;
    return NULL;
}
static cl_kernel fail_kernel(cl_program program, const char* name, cl_int* error) {
    (void)program, (void)name;
    *error = CL_INVALID_KERNEL_NAME;
    return NULL;
}
static LiteCl working; // the functions as they were

// Once all is done: what runs on after an error is the driver's to end, not this test's.
static cl_int fail_finish(cl_command_queue queue) {
    (void)working.clFinish(queue);
    return CL_OUT_OF_RESOURCES;
}

enum { kFunctions = 6, EXIT_SKIPPED = 77 };

static void break_function(int which) {
    LiteCl* table = (LiteCl*)(uintptr_t)lite_cl_load(NULL);
    working = *table;
    switch (which) {
    case 0:
        table->clCreateBuffer = cl_fail_buffer;
        break;
    case 1:
        table->clCreateCommandQueue = fail_queue;
        break;
    case 2:
        table->clCreateKernel = fail_kernel;
        break;
    case 3:
        table->clSetKernelArg = cl_fail_argument;
        break;
    case 4:
        table->clEnqueueNDRangeKernel = cl_fail_launch;
        break;
    default:
        table->clFinish = fail_finish;
    }
}

static void repair(void) {
    *(LiteCl*)(uintptr_t)lite_cl_load(NULL) = working;
}

// y = (x + x) * x
static ModelBuilder* model(void) {
    static const TfLiteAddParams add = {.activation = kTfLiteActNone};
    static const TfLiteMulParams mul = {.activation = kTfLiteActNone};
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 3; i++) fixture_tensor(b, 64);
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinAdd, .inputs = {2, {0, 0}}, .outputs = {1, {1}}, .params = &add});
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinMul, .inputs = {2, {1, 0}}, .outputs = {1, {2}}, .params = &mul});
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {2}});
    return b;
}

static void create(Fixture* f, TfLiteDelegate* delegate, bool fallback) {
    fixture_create(f, model(),
                   &(LiteInterpreterOptions){
                       .delegates = &delegate, .delegate_count = 1, .delegate_fallback = fallback});
    assert_non_null(f->interpreter);
    assert_int_equal(lite_subgraph_plan(f->graph).count, 1);
}

static bool on_cpu(const Fixture* f) {
    return lite_subgraph_plan(f->graph).count == 2;
}

static void expect_invoke(Fixture* f, TfLiteStatus status, float x) {
    fixture_fill(f, 0, x);
    assert_int_equal(lite_subgraph_invoke(f->graph), status);
    fixture_expect(f, 2, (int)(lite_subgraph_tensor(f->graph, 2)->bytes / sizeof(float)), 2 * x * x);
}

static void before_the_interpreter_is_made(void** state) {
    (void)state;
    for (int which = 0; which < kFunctions; which++) {
        TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
        Fixture f;
        break_function(which);
        create(&f, delegate, false);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        expect_invoke(&f, kTfLiteOk, 3);
        assert_true(on_cpu(&f) || which == 0); // shared memory takes no buffers of its own until it runs
        repair();
        expect_invoke(&f, kTfLiteOk, 4);
        fixture_destroy(&f);
        oclite_opencl_delegate_delete(delegate);
    }
}

static void between_inferences(void** state) {
    (void)state;
    for (int which = 0; which < 2 * kFunctions; which++) {
        const bool fallback = which >= kFunctions;
        TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
        Fixture f;
        create(&f, delegate, fallback);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        expect_invoke(&f, kTfLiteOk, 3);
        assert_false(on_cpu(&f));
        break_function(which % kFunctions);
        // What is broken is not needed for each inference.
        const bool needed = which % kFunctions >= 4;
        expect_invoke(&f, needed && fallback ? kTfLiteDelegateError : kTfLiteOk, 4);
        assert_int_equal(on_cpu(&f), needed);
        const int size = 33;
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &size, 1), kTfLiteOk);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        fixture_fill(&f, 0, 5);
        const TfLiteStatus status = lite_subgraph_invoke(f.graph);
        assert_true(status == kTfLiteOk || (status == kTfLiteDelegateError && fallback));
        fixture_expect(&f, 2, size, 50);
        repair();
        expect_invoke(&f, kTfLiteOk, 6);
        fixture_destroy(&f);
        oclite_opencl_delegate_delete(delegate);
    }
}

int main(void) {
    if (!host_has_opencl()) return EXIT_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_the_interpreter_is_made),
        cmocka_unit_test(between_inferences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
