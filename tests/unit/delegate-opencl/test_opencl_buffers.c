// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs in buffers of the program: no copy is made. What cannot be bound, and devices that fail,
// are in test_opencl_buffers_failures.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/graph/allocate.h"
#include "core/graph/buffer_handle.h"
#include "core/graph/graph.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "oclite/opencl.h"
#include "tests/support/bound_program.h"
#include "tests/support/cl_shim.h"
#include "tests/support/delegate_host.h"

enum { EXIT_SKIPPED = 77 };

static int transfers(void) {
    return shim_count(kShimReads) + shim_count(kShimWrites) + shim_count(kShimMaps);
}

static void no_copies(void** state) {
    (void)state;
    shim_install();
    BoundProgram p;
    bound_open(&p, bound_whole_model());
    cl_mem in = bound_buffer(&p, CL_MEM_READ_WRITE, kBoundBytes),
           out = bound_buffer(&p, CL_MEM_READ_WRITE, kBoundBytes);
    bound_bind(&p, 0, in);
    bound_bind(&p, 3, out);
    fixture_fill(&p.f, 0, -1); // does not count
    for (int i = 1; i < 4; i++) {
        bound_fill(&p, in, 0, kBoundCount, (float)i);
        const int before = transfers(), launches = shim_count(kShimKernels);
        assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
        assert_int_equal(transfers(), before);
        assert_true(shim_count(kShimKernels) > launches);
        assert_float_equal(bound_value(&p, out, 0), 4 * i * i, 0);
    }
    // On request the host has it, too.
    assert_int_equal(lite_subgraph_make_readable(p.f.graph, 3), kTfLiteOk);
    fixture_expect(&p.f, 3, kBoundCount, 36);
    assert_string_equal(p.f.messages, "");
    p.cl->clReleaseMemObject(in);
    p.cl->clReleaseMemObject(out);
    bound_close(&p);
    oclite_opencl_delegate_delete(p.delegate);
    assert_int_equal(shim_live_objects(), 0);
    shim_remove();
}

// Model after model on the device: 4 (4 x^2)^2.
static void a_chain_of_two_models(void** state) {
    (void)state;
    shim_install();
    BoundProgram p, q;
    bound_open(&p, bound_whole_model());
    bound_open_with(&q, bound_whole_model(), oclite_opencl_delegate_create(NULL));
    cl_mem in = bound_buffer(&p, 0, kBoundBytes), between = bound_buffer(&p, 0, kBoundBytes),
           out = bound_buffer(&p, 0, kBoundBytes);
    bound_bind(&p, 0, in);
    bound_bind(&p, 3, between);
    bound_bind(&q, 0, between);
    bound_bind(&q, 3, out);
    for (int i = 1; i < 4; i++) {
        bound_fill(&p, in, 0, kBoundCount, (float)i);
        const int before = transfers();
        assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
        assert_int_equal(lite_subgraph_invoke(q.f.graph), kTfLiteOk);
        assert_int_equal(transfers(), before);
        assert_float_equal(bound_value(&p, out, 0), 64 * i * i * i * i, 0);
    }
    const cl_mem all[] = {in, between, out};
    for (int i = 0; i < 3; i++) p.cl->clReleaseMemObject(all[i]);
    bound_close(&p);
    bound_close(&q);
    oclite_opencl_delegate_delete(p.delegate);
    oclite_opencl_delegate_delete(q.delegate);
    assert_int_equal(shim_live_objects(), 0);
    shim_remove();
}

// Parts of one buffer, each aligned as the device wants.
static void parts_of_a_buffer(void** state) {
    (void)state;
    enum { kPlace = 4096 };
    BoundProgram p;
    bound_open(&p, bound_whole_model());
    cl_mem memory = bound_buffer(&p, 0, 2 * kPlace);
    assert_int_equal(
        oclite_opencl_bind_buffer_to_tensor(p.delegate, bound_tensor(&p, 0), memory, kPlace, kBoundBytes),
        kTfLiteOk);
    assert_int_equal(
        oclite_opencl_bind_buffer_to_tensor(p.delegate, bound_tensor(&p, 3), memory, 0, kBoundBytes),
        kTfLiteOk);
    bound_fill(&p, memory, kPlace, kBoundCount, 3);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
    assert_float_equal(bound_value(&p, memory, 0), 36, 0);
    assert_float_equal(bound_value(&p, memory, kPlace), 3, 0);
    p.cl->clReleaseMemObject(memory);
    bound_close(&p);
    oclite_opencl_delegate_delete(p.delegate);
}

// Nodes of the host see what is in the buffers, in every inference.
static void nodes_of_the_host_read_it(void** state) {
    (void)state;
    BoundProgram p;
    bound_open(&p, bound_mixed_model());
    cl_mem in = bound_buffer(&p, 0, kBoundBytes), out = bound_buffer(&p, 0, kBoundBytes);
    bound_bind(&p, 0, in);
    bound_bind(&p, 3, out);
    lite_interpreter_allow_buffer_handle_output(p.f.interpreter, false);
    for (int i = 1; i < 4; i++) {
        bound_fill(&p, in, 0, kBoundCount, (float)i);
        assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
        fixture_expect(&p.f, 2, kBoundCount, 2 * (float)i);
        fixture_expect(&p.f, 3, kBoundCount, 4 * (float)(i * i)); // outputs are in the host's memory, too
        fixture_expect(&p.f, 4, kBoundCount, 8 * (float)(i * i));
        assert_float_equal(bound_value(&p, out, 0), 4 * i * i, 0);
    }
    oclite_opencl_unbind_tensor(p.delegate, bound_tensor(&p, 0));
    fixture_fill(&p.f, 0, 5);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
    fixture_expect(&p.f, 4, kBoundCount, 200);
    p.cl->clReleaseMemObject(in);
    p.cl->clReleaseMemObject(out);
    bound_close(&p);
    oclite_opencl_delegate_delete(p.delegate);
}

static void binding_and_unbinding(void** state) {
    (void)state;
    BoundProgram p;
    bound_open(&p, bound_whole_model());
    lite_interpreter_allow_buffer_handle_output(p.f.interpreter, false);
    cl_mem first = bound_buffer(&p, 0, kBoundBytes), second = bound_buffer(&p, 0, 2 * kBoundBytes);
    for (int round = 1; round < 3; round++) {
        fixture_fill(&p.f, 0, 7);
        assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
        fixture_expect(&p.f, 3, kBoundCount, 196);
        bound_bind(&p, 0, first);
        bound_fill(&p, first, 0, kBoundCount, (float)round);
        assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
        fixture_expect(&p.f, 3, kBoundCount, 4 * (float)(round * round));
        bound_bind(&p, 0, second); // in place of the first
        bound_bind(&p, 3, first);
        bound_fill(&p, second, 0, 2 * kBoundCount, 3);
        assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
        assert_float_equal(bound_value(&p, first, 0), 36, 0);
        oclite_opencl_unbind_tensor(p.delegate, bound_tensor(&p, 0));
        oclite_opencl_unbind_tensor(p.delegate, bound_tensor(&p, 3));
        oclite_opencl_unbind_tensor(p.delegate, bound_tensor(&p, 3)); // nothing
    }
    // As TensorFlow Lite has it.
    bound_bind(&p, 0, first);
    assert_int_equal(lite_subgraph_set_buffer_handle(p.f.graph, 0, kTfLiteNullBufferHandle, p.delegate),
                     kTfLiteOk);
    lite_subgraph_tensor(p.f.graph, 0)->data_is_stale = false;
    fixture_fill(&p.f, 0, 2);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
    fixture_expect(&p.f, 3, kBoundCount, 16);
    // A handle that nobody gave.
    assert_int_equal(lite_subgraph_set_buffer_handle(p.f.graph, 0, 12345, p.delegate), kTfLiteOk);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteError);
    fixture_expect_message(&p.f, "buffer handle 12345 was not given to it");
    p.cl->clReleaseMemObject(first);
    p.cl->clReleaseMemObject(second);
    bound_close(&p);
    oclite_opencl_delegate_delete(p.delegate);
}

static void after_a_resize(void** state) {
    (void)state;
    const int larger[] = {2 * kBoundCount}, smaller[] = {kBoundCount / 2};
    BoundProgram p;
    bound_open(&p, bound_whole_model());
    cl_mem in = bound_buffer(&p, 0, kBoundBytes), out = bound_buffer(&p, 0, kBoundBytes),
           wide = bound_buffer(&p, 0, 2 * kBoundBytes);
    bound_bind(&p, 0, in);
    bound_bind(&p, 3, out);
    assert_int_equal(lite_subgraph_resize_input(p.f.graph, 0, larger, 1), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(p.f.graph), kTfLiteOk);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteError);
    fixture_expect_message(&p.f, "tensor 0 has 512 bytes now, the buffer it is bound to 256");
    assert_int_equal(oclite_opencl_delegate_status(p.delegate), kOcliteOpenclWorking);
    bound_expect_refused(&p, 0, in, 0, 0, "tensor 0 has 512 bytes, the buffer 256");
    bound_bind(&p, 0, wide);
    bound_fill(&p, wide, 0, 2 * kBoundCount, 2);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteError);
    fixture_expect_message(&p.f, "tensor 3 has 512 bytes now");
    assert_int_equal(lite_subgraph_resize_input(p.f.graph, 0, smaller, 1), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(p.f.graph), kTfLiteOk);
    bound_fill(&p, out, 0, kBoundCount, 1);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
    float values[kBoundCount];
    assert_int_equal(p.cl->clEnqueueReadBuffer(p.queue, out, CL_TRUE, 0, kBoundBytes, values, 0, NULL, NULL),
                     CL_SUCCESS);
    for (int i = 0; i < kBoundCount; i++) assert_float_equal(values[i], i < kBoundCount / 2 ? 16 : 1, 0);
    const cl_mem all[] = {in, out, wide};
    for (int i = 0; i < 3; i++) p.cl->clReleaseMemObject(all[i]);
    bound_close(&p);
    oclite_opencl_delegate_delete(p.delegate);
}

// Pages of the program's own as tensors: a device that shares the host's memory works on them.
static void host_memory_without_copies(void** state) {
    (void)state;
    enum { kPage = 4096 };
    shim_install();
    BoundProgram p;
    bound_open(&p, bound_whole_model());
    cl_uint shared = 0;
    (void)p.cl->clGetDeviceInfo(oclite_opencl_delegate_device_id(p.delegate), CL_DEVICE_HOST_UNIFIED_MEMORY,
                                sizeof shared, &shared, NULL);
    float *in = aligned_alloc(kPage, kPage), *out = aligned_alloc(kPage, kPage);
    const TfLiteCustomAllocation from = {in, kPage}, to = {out, kPage};
    assert_int_equal(lite_subgraph_set_custom_allocation(p.f.graph, 0, &from, 0), kTfLiteOk);
    assert_int_equal(lite_subgraph_set_custom_allocation(p.f.graph, 3, &to, 0), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(p.f.graph), kTfLiteOk);
    for (int i = 1; i < 4; i++) {
        for (int k = 0; k < kBoundCount; k++) in[k] = (float)i;
        assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
        for (int k = 0; k < kBoundCount; k++) assert_float_equal(out[k], 4 * i * i, 0);
    }
    if (shared != 0) {
        assert_int_equal(shim_count(kShimReads) + shim_count(kShimWrites), 0);
        assert_int_equal(shim_imports(in), 1); // once for all inferences
        assert_int_equal(shim_imports(out), 1);
    }
    bound_close(&p);
    oclite_opencl_delegate_delete(p.delegate);
    assert_int_equal(shim_live_objects(), 0);
    shim_remove();
    free(in);
    free(out);
}

// In the program's queue: what it has enqueued before is there, and no waiting is needed.
static void in_the_queue_of_the_program(void** state) {
    (void)state;
    BoundProgram p;
    bound_open(&p, bound_whole_model());
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.queue = p.queue;
    BoundProgram q;
    TfLiteDelegate* own = oclite_opencl_delegate_create(&options);
    assert_non_null(own);
    bound_open_with(&q, bound_whole_model(), own);
    cl_mem in = bound_buffer(&p, 0, kBoundBytes), out = bound_buffer(&p, 0, kBoundBytes);
    bound_bind(&q, 0, in);
    bound_bind(&q, 3, out);
    for (int i = 1; i < 4; i++) {
        float values[kBoundCount];
        for (int k = 0; k < kBoundCount; k++) values[k] = (float)i;
        assert_int_equal(
            p.cl->clEnqueueWriteBuffer(p.queue, in, CL_FALSE, 0, kBoundBytes, values, 0, NULL, NULL),
            CL_SUCCESS);
        assert_int_equal(lite_subgraph_invoke(q.f.graph), kTfLiteOk);
        assert_float_equal(bound_value(&p, out, 0), 4 * i * i, 0);
    }
    p.cl->clReleaseMemObject(in);
    p.cl->clReleaseMemObject(out);
    bound_close(&q);
    oclite_opencl_delegate_delete(own);
    bound_close(&p);
    oclite_opencl_delegate_delete(p.delegate);
}

int main(void) {
    lite_memory_count_live(true);
    if (!host_has_opencl()) return EXIT_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_copies),
        cmocka_unit_test(a_chain_of_two_models),
        cmocka_unit_test(parts_of_a_buffer),
        cmocka_unit_test(nodes_of_the_host_read_it),
        cmocka_unit_test(binding_and_unbinding),
        cmocka_unit_test(after_a_resize),
        cmocka_unit_test(in_the_queue_of_the_program),
        cmocka_unit_test(host_memory_without_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
