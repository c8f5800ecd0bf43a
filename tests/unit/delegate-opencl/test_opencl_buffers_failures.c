// SPDX-License-Identifier: Apache-2.0
// Buffers of the program as inputs and outputs: what cannot be bound is refused, and a device that fails does
// not leave old results behind.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/invoke.h"
#include "oclite/opencl.h"
#include "tests/support/bound_program.h"
#include "tests/support/cl_shim.h"
#include "tests/support/delegate_host.h"

enum { EXIT_SKIPPED = 77 };

static void expect_null(TfLiteDelegate* delegate, const TfLiteTensor* which, cl_mem memory,
                        const char* what) {
    assert_int_equal(oclite_opencl_bind_buffer_to_tensor(delegate, which, memory, 0, 0), kTfLiteError);
    assert_non_null(strstr(oclite_opencl_last_error(), what));
}

static void what_cannot_be_bound(void** state) {
    (void)state;
    BoundProgram p;
    bound_open(&p, bound_mixed_model());
    cl_mem good = bound_buffer(&p, 0, kBoundBytes), small = bound_buffer(&p, 0, kBoundBytes - 4),
           pair = bound_buffer(&p, 0, 2 * kBoundBytes);
    cl_mem sink = bound_buffer(&p, CL_MEM_WRITE_ONLY, kBoundBytes),
           source = bound_buffer(&p, CL_MEM_READ_ONLY, kBoundBytes);
    expect_null(NULL, bound_tensor(&p, 0), good, "the delegate is NULL");
    expect_null(p.delegate, NULL, good, "the tensor is NULL");
    expect_null(p.delegate, bound_tensor(&p, 0), NULL, "the cl_mem is NULL");
    bound_expect_refused(&p, 2, good, 0, 0, "no input or output of what the delegate runs");
    const TfLiteTensor stranger = {0};
    expect_null(p.delegate, &stranger, good, "no input or output of what the delegate runs");
    bound_expect_refused(&p, 0, small, 0, 0, "tensor 0 has 256 bytes, the buffer 252");
    bound_expect_refused(&p, 0, pair, 0, 128, "tensor 0 has 256 bytes, the buffer 128");
    bound_expect_refused(&p, 0, pair, 1024, 0,
                         "0 bytes at offset 1024 are not within the buffer's 512 bytes");
    bound_expect_refused(&p, 0, pair, 256, SIZE_MAX, "are not within the buffer's 512 bytes");
    bound_expect_refused(&p, 0, pair, 4, kBoundBytes, "the offset 4 of a buffer is not aligned");
    bound_expect_refused(&p, 0, sink, 0, 0, "kernels cannot read the cl_mem");
    bound_expect_refused(&p, 3, source, 0, 0, "kernels cannot write the cl_mem");
    cl_device_id device = oclite_opencl_delegate_device_id(p.delegate);
    cl_int error;
    cl_context other = p.cl->clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    cl_mem foreign = p.cl->clCreateBuffer(other, 0, kBoundBytes, NULL, &error);
    bound_expect_refused(&p, 0, foreign, 0, 0, "the cl_mem is of another context");
    bound_bind(&p, 0, good);
    bound_expect_refused(&p, 3, good, 0, 0, "tensors 3 and 0 would share memory, and one is an output");
    TfLiteDelegate* second = oclite_opencl_delegate_create(NULL);
    expect_null(second, bound_tensor(&p, 0), good, "no input or output");
    oclite_opencl_delegate_delete(second);
    // What was refused has changed nothing.
    bound_fill(&p, good, 0, kBoundCount, 1);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
    fixture_expect(&p.f, 4, kBoundCount, 8);
    const cl_mem all[] = {good, small, pair, sink, source, foreign};
    for (int i = 0; i < 6; i++) p.cl->clReleaseMemObject(all[i]);
    p.cl->clReleaseContext(other);
    bound_close(&p);
    oclite_opencl_delegate_delete(p.delegate);
}

// The device fails: no result is claimed until the tensors are unbound, then the host computes.
static void a_device_that_fails(void** state) {
    (void)state;
    shim_install();
    BoundProgram p;
    bound_open(&p, bound_whole_model());
    cl_mem in = bound_buffer(&p, 0, kBoundBytes), out = bound_buffer(&p, 0, kBoundBytes);
    bound_bind(&p, 0, in);
    bound_bind(&p, 3, out);
    shim_fail(1, true);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteError);
    shim_fail(0, false);
    fixture_expect_message(&p.f, "tensors are bound to buffers of the program");
    assert_int_equal(oclite_opencl_delegate_status(p.delegate), kOcliteOpenclQuarantined);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteError);
    fixture_expect_message(&p.f, "tensors are bound to buffers of the program");
    oclite_opencl_unbind_tensor(p.delegate, bound_tensor(&p, 3));
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteError);
    oclite_opencl_unbind_tensor(p.delegate, bound_tensor(&p, 0));
    fixture_fill(&p.f, 0, 3);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
    fixture_expect(&p.f, 3, kBoundCount, 36);
    p.cl->clReleaseMemObject(in);
    p.cl->clReleaseMemObject(out);
    bound_close(&p);
    oclite_opencl_delegate_delete(p.delegate);
    assert_int_equal(shim_live_objects(), 0);
    shim_remove();
}

static void a_preparation_that_fails(void** state) {
    (void)state;
    const int larger[] = {2 * kBoundCount};
    shim_install();
    BoundProgram p;
    bound_open(&p, bound_whole_model());
    cl_mem out = bound_buffer(&p, 0, 2 * kBoundBytes);
    bound_bind(&p, 3, out);
    assert_int_equal(lite_subgraph_resize_input(p.f.graph, 0, larger, 1), kTfLiteOk);
    shim_fail(1, true);
    assert_int_equal(lite_subgraph_allocate(p.f.graph), kTfLiteError);
    shim_fail(0, false);
    fixture_expect_message(&p.f, "tensors are bound to buffers of the program");
    assert_int_equal(lite_subgraph_allocate(p.f.graph), kTfLiteOk); // the device is back
    fixture_fill(&p.f, 0, 3);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
    assert_float_equal(bound_value(&p, out, 0), 36, 0);
    p.cl->clReleaseMemObject(out);
    bound_close(&p);
    oclite_opencl_delegate_delete(p.delegate);
    assert_int_equal(shim_live_objects(), 0);
    shim_remove();
}

// Each call of an inference and of the binding before it fails in turn: the result is in the buffer, or there
// is an error.
static void a_call_fails(void** state) {
    (void)state;
    BoundProgram holder; // keeps what is compiled
    bound_open(&holder, bound_whole_model());
    int failed = 1;
    for (int n = 1; failed > 0; n++) {
        const int64_t before = lite_memory_live();
        shim_install();
        BoundProgram p;
        bound_open(&p, bound_mixed_model());
        cl_mem in = bound_buffer(&p, 0, kBoundBytes), out = bound_buffer(&p, 0, kBoundBytes);
        bound_fill(&p, in, 0, kBoundCount, 2);
        bound_fill(&p, out, 0, kBoundCount, 0);
        shim_fail(n, false);
        const bool bound =
            oclite_opencl_bind_buffer_to_tensor(p.delegate, bound_tensor(&p, 0), in, 0, 0) == kTfLiteOk &&
            oclite_opencl_bind_buffer_to_tensor(p.delegate, bound_tensor(&p, 3), out, 0, 0) == kTfLiteOk;
        const bool done = bound && lite_subgraph_invoke(p.f.graph) == kTfLiteOk;
        failed = shim_failures();
        shim_fail(0, false);
        assert_true(done || failed > 0);
        if (done) assert_float_equal(bound_value(&p, out, 0), 16, 0);
        p.cl->clReleaseMemObject(in);
        p.cl->clReleaseMemObject(out);
        bound_close(&p);
        oclite_opencl_delegate_delete(p.delegate);
        assert_int_equal(shim_live_objects(), 0);
        shim_remove();
        assert_int_equal(lite_memory_live(), before);
    }
    bound_close(&holder);
    oclite_opencl_delegate_delete(holder.delegate);
}

int main(void) {
    lite_memory_count_live(true);
    if (!host_has_opencl()) return EXIT_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_bound),
        cmocka_unit_test(a_device_that_fails),
        cmocka_unit_test(a_preparation_that_fails),
        cmocka_unit_test(a_call_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
