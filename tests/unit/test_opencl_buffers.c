// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs in buffers of the program: no copy is made, what cannot be bound is refused, and a
// device that fails does not leave old results behind.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/graph/graph.h"
#include "oclite/opencl.h"
#include "tests/support/cl_shim.h"
#include "tests/support/delegate_host.h"
#include "tests/support/graph_fixture.h"

enum { EXIT_SKIPPED = 77, kCount = 64, kBytes = kCount * sizeof(float) };

static void binary(ModelBuilder* b, int code, const void* params, int x, int y, int out) {
    builder_operator(
        b, (BuilderOperator){.code = code, .inputs = {2, {x, y}}, .outputs = {1, {out}}, .params = params});
}

static void add(ModelBuilder* b, int x, int y, int out) {
    static const TfLiteAddParams params = {.activation = kTfLiteActNone};
    binary(b, kTfLiteBuiltinAdd, &params, x, y, out);
}

// Tensor 3 = (2 x)^2, x being tensor 0.
static ModelBuilder* whole(void) {
    static const TfLiteMulParams params = {.activation = kTfLiteActNone};
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 4; i++) fixture_tensor(b, kCount);
    add(b, 0, 0, 1);
    binary(b, kTfLiteBuiltinMul, &params, 1, 1, 3);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {3}});
    return b;
}

// The same in tensor 3, and the host's own nodes: 2 = 2 x, by Twice, and 4 = 2 (2 x)^2.
static ModelBuilder* mixed(void) {
    static const TfLiteMulParams params = {.activation = kTfLiteActNone};
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 5; i++) fixture_tensor(b, kCount);
    add(b, 0, 0, 1);
    fixture_node(b, "Twice", 0, 2);
    binary(b, kTfLiteBuiltinMul, &params, 1, 1, 3);
    fixture_node(b, "Twice", 3, 4);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){3, {2, 3, 4}});
    return b;
}

// A program with a model, and a queue of its own to fill and look at buffers.
typedef struct Program {
    Fixture f;
    TfLiteDelegate* delegate;
    cl_context context;
    cl_command_queue queue;
    const LiteCl* cl;
} Program;

static void open_with(Program* p, ModelBuilder* model, TfLiteDelegate* delegate) {
    *p = (Program){.delegate = delegate, .cl = lite_cl_load(NULL)};
    fixture_create(&p->f, model, &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1});
    assert_non_null(p->f.interpreter);
    assert_int_equal(lite_subgraph_allocate(p->f.graph), kTfLiteOk);
    lite_interpreter_allow_buffer_handle_output(p->f.interpreter, true);
    p->context = oclite_opencl_delegate_context(delegate);
    cl_int error;
    p->queue = p->cl->clCreateCommandQueue(p->context, oclite_opencl_delegate_device_id(delegate), 0, &error);
    assert_int_equal(error, CL_SUCCESS);
}

static void open_program(Program* p, ModelBuilder* model) {
    open_with(p, model, oclite_opencl_delegate_create(NULL));
}

static void close_program(Program* p) {
    fixture_destroy(&p->f);
    p->cl->clReleaseCommandQueue(p->queue);
}

static cl_mem make(const Program* p, cl_mem_flags flags, size_t bytes) {
    cl_int error;
    cl_mem memory = p->cl->clCreateBuffer(p->context, flags, bytes, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    return memory;
}

static void fill(const Program* p, cl_mem memory, size_t offset, int count, float value) {
    float* values = malloc((size_t)count * sizeof *values);
    assert_non_null(values);
    for (int i = 0; i < count; i++) values[i] = value;
    assert_int_equal(p->cl->clEnqueueWriteBuffer(p->queue, memory, CL_TRUE, offset,
                                                 (size_t)count * sizeof *values, values, 0, NULL, NULL),
                     CL_SUCCESS);
    free(values);
}

static float value_of(const Program* p, cl_mem memory, size_t offset) {
    float values[kCount];
    assert_int_equal(
        p->cl->clEnqueueReadBuffer(p->queue, memory, CL_TRUE, offset, kBytes, values, 0, NULL, NULL),
        CL_SUCCESS);
    for (int i = 1; i < kCount; i++) assert_float_equal(values[i], values[0], 0);
    return values[0];
}

static const TfLiteTensor* tensor(const Program* p, int index) {
    return lite_subgraph_tensor(p->f.graph, index);
}

static void bind(const Program* p, int index, cl_mem memory) {
    if (oclite_opencl_bind_buffer_to_tensor(p->delegate, tensor(p, index), memory, 0, 0) != kTfLiteOk)
        fail_msg("%s", oclite_opencl_last_error());
    assert_string_equal(oclite_opencl_last_error(), "");
}

static void expect_refused(const Program* p, int index, cl_mem memory, size_t offset, size_t bytes,
                           const char* why) {
    assert_int_equal(
        oclite_opencl_bind_buffer_to_tensor(p->delegate, tensor(p, index), memory, offset, bytes),
        kTfLiteError);
    if (strstr(oclite_opencl_last_error(), why) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", why, oclite_opencl_last_error());
}

static int transfers(void) {
    return shim_count(kShimReads) + shim_count(kShimWrites) + shim_count(kShimMaps);
}

static void no_copies(void** state) {
    (void)state;
    shim_install();
    Program p;
    open_program(&p, whole());
    cl_mem in = make(&p, CL_MEM_READ_WRITE, kBytes), out = make(&p, CL_MEM_READ_WRITE, kBytes);
    bind(&p, 0, in);
    bind(&p, 3, out);
    fixture_fill(&p.f, 0, -1); // does not count
    for (int i = 1; i < 4; i++) {
        fill(&p, in, 0, kCount, (float)i);
        const int before = transfers(), launches = shim_count(kShimKernels);
        assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
        assert_int_equal(transfers(), before);
        assert_true(shim_count(kShimKernels) > launches);
        assert_float_equal(value_of(&p, out, 0), 4 * i * i, 0);
    }
    // On request the host has it, too.
    assert_int_equal(lite_subgraph_make_readable(p.f.graph, 3), kTfLiteOk);
    fixture_expect(&p.f, 3, kCount, 36);
    assert_string_equal(p.f.messages, "");
    p.cl->clReleaseMemObject(in);
    p.cl->clReleaseMemObject(out);
    close_program(&p);
    oclite_opencl_delegate_delete(p.delegate);
    assert_int_equal(shim_live_objects(), 0);
    shim_remove();
}

// Model after model on the device: 4 (4 x^2)^2.
static void a_chain_of_two_models(void** state) {
    (void)state;
    shim_install();
    Program p, q;
    open_program(&p, whole());
    open_with(&q, whole(), oclite_opencl_delegate_create(NULL));
    cl_mem in = make(&p, 0, kBytes), between = make(&p, 0, kBytes), out = make(&p, 0, kBytes);
    bind(&p, 0, in);
    bind(&p, 3, between);
    bind(&q, 0, between);
    bind(&q, 3, out);
    for (int i = 1; i < 4; i++) {
        fill(&p, in, 0, kCount, (float)i);
        const int before = transfers();
        assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
        assert_int_equal(lite_subgraph_invoke(q.f.graph), kTfLiteOk);
        assert_int_equal(transfers(), before);
        assert_float_equal(value_of(&p, out, 0), 64 * i * i * i * i, 0);
    }
    const cl_mem all[] = {in, between, out};
    for (int i = 0; i < 3; i++) p.cl->clReleaseMemObject(all[i]);
    close_program(&p);
    close_program(&q);
    oclite_opencl_delegate_delete(p.delegate);
    oclite_opencl_delegate_delete(q.delegate);
    assert_int_equal(shim_live_objects(), 0);
    shim_remove();
}

// Parts of one buffer, each aligned as the device wants.
static void parts_of_a_buffer(void** state) {
    (void)state;
    enum { kPlace = 4096 };
    Program p;
    open_program(&p, whole());
    cl_mem memory = make(&p, 0, 2 * kPlace);
    assert_int_equal(oclite_opencl_bind_buffer_to_tensor(p.delegate, tensor(&p, 0), memory, kPlace, kBytes),
                     kTfLiteOk);
    assert_int_equal(oclite_opencl_bind_buffer_to_tensor(p.delegate, tensor(&p, 3), memory, 0, kBytes),
                     kTfLiteOk);
    fill(&p, memory, kPlace, kCount, 3);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
    assert_float_equal(value_of(&p, memory, 0), 36, 0);
    assert_float_equal(value_of(&p, memory, kPlace), 3, 0);
    p.cl->clReleaseMemObject(memory);
    close_program(&p);
    oclite_opencl_delegate_delete(p.delegate);
}

// Nodes of the host see what is in the buffers, in every inference.
static void nodes_of_the_host_read_it(void** state) {
    (void)state;
    Program p;
    open_program(&p, mixed());
    cl_mem in = make(&p, 0, kBytes), out = make(&p, 0, kBytes);
    bind(&p, 0, in);
    bind(&p, 3, out);
    lite_interpreter_allow_buffer_handle_output(p.f.interpreter, false);
    for (int i = 1; i < 4; i++) {
        fill(&p, in, 0, kCount, (float)i);
        assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
        fixture_expect(&p.f, 2, kCount, 2 * (float)i);
        fixture_expect(&p.f, 3, kCount, 4 * (float)(i * i)); // outputs are in the host's memory, too
        fixture_expect(&p.f, 4, kCount, 8 * (float)(i * i));
        assert_float_equal(value_of(&p, out, 0), 4 * i * i, 0);
    }
    oclite_opencl_unbind_tensor(p.delegate, tensor(&p, 0));
    fixture_fill(&p.f, 0, 5);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
    fixture_expect(&p.f, 4, kCount, 200);
    p.cl->clReleaseMemObject(in);
    p.cl->clReleaseMemObject(out);
    close_program(&p);
    oclite_opencl_delegate_delete(p.delegate);
}

static void binding_and_unbinding(void** state) {
    (void)state;
    Program p;
    open_program(&p, whole());
    lite_interpreter_allow_buffer_handle_output(p.f.interpreter, false);
    cl_mem first = make(&p, 0, kBytes), second = make(&p, 0, 2 * kBytes);
    for (int round = 1; round < 3; round++) {
        fixture_fill(&p.f, 0, 7);
        assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
        fixture_expect(&p.f, 3, kCount, 196);
        bind(&p, 0, first);
        fill(&p, first, 0, kCount, (float)round);
        assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
        fixture_expect(&p.f, 3, kCount, 4 * (float)(round * round));
        bind(&p, 0, second); // in place of the first
        bind(&p, 3, first);
        fill(&p, second, 0, 2 * kCount, 3);
        assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
        assert_float_equal(value_of(&p, first, 0), 36, 0);
        oclite_opencl_unbind_tensor(p.delegate, tensor(&p, 0));
        oclite_opencl_unbind_tensor(p.delegate, tensor(&p, 3));
        oclite_opencl_unbind_tensor(p.delegate, tensor(&p, 3)); // nothing
    }
    // As TensorFlow Lite has it.
    bind(&p, 0, first);
    assert_int_equal(lite_subgraph_set_buffer_handle(p.f.graph, 0, kTfLiteNullBufferHandle, p.delegate),
                     kTfLiteOk);
    lite_subgraph_tensor(p.f.graph, 0)->data_is_stale = false;
    fixture_fill(&p.f, 0, 2);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
    fixture_expect(&p.f, 3, kCount, 16);
    // A handle that nobody gave.
    assert_int_equal(lite_subgraph_set_buffer_handle(p.f.graph, 0, 12345, p.delegate), kTfLiteOk);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteError);
    fixture_expect_message(&p.f, "buffer handle 12345 was not given to it");
    p.cl->clReleaseMemObject(first);
    p.cl->clReleaseMemObject(second);
    close_program(&p);
    oclite_opencl_delegate_delete(p.delegate);
}

static void after_a_resize(void** state) {
    (void)state;
    const int larger[] = {2 * kCount}, smaller[] = {kCount / 2};
    Program p;
    open_program(&p, whole());
    cl_mem in = make(&p, 0, kBytes), out = make(&p, 0, kBytes), wide = make(&p, 0, 2 * kBytes);
    bind(&p, 0, in);
    bind(&p, 3, out);
    assert_int_equal(lite_subgraph_resize_input(p.f.graph, 0, larger, 1), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(p.f.graph), kTfLiteOk);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteError);
    fixture_expect_message(&p.f, "tensor 0 has 512 bytes now, the buffer it is bound to 256");
    assert_int_equal(oclite_opencl_delegate_status(p.delegate), kOcliteOpenclWorking);
    expect_refused(&p, 0, in, 0, 0, "tensor 0 has 512 bytes, the buffer 256");
    bind(&p, 0, wide);
    fill(&p, wide, 0, 2 * kCount, 2);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteError);
    fixture_expect_message(&p.f, "tensor 3 has 512 bytes now");
    assert_int_equal(lite_subgraph_resize_input(p.f.graph, 0, smaller, 1), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(p.f.graph), kTfLiteOk);
    fill(&p, out, 0, kCount, 1);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
    float values[kCount];
    assert_int_equal(p.cl->clEnqueueReadBuffer(p.queue, out, CL_TRUE, 0, kBytes, values, 0, NULL, NULL),
                     CL_SUCCESS);
    for (int i = 0; i < kCount; i++) assert_float_equal(values[i], i < kCount / 2 ? 16 : 1, 0);
    const cl_mem all[] = {in, out, wide};
    for (int i = 0; i < 3; i++) p.cl->clReleaseMemObject(all[i]);
    close_program(&p);
    oclite_opencl_delegate_delete(p.delegate);
}

static void expect_null(TfLiteDelegate* delegate, const TfLiteTensor* which, cl_mem memory,
                        const char* what) {
    assert_int_equal(oclite_opencl_bind_buffer_to_tensor(delegate, which, memory, 0, 0), kTfLiteError);
    assert_non_null(strstr(oclite_opencl_last_error(), what));
}

static void what_cannot_be_bound(void** state) {
    (void)state;
    Program p;
    open_program(&p, mixed());
    cl_mem good = make(&p, 0, kBytes), small = make(&p, 0, kBytes - 4), pair = make(&p, 0, 2 * kBytes);
    cl_mem sink = make(&p, CL_MEM_WRITE_ONLY, kBytes), source = make(&p, CL_MEM_READ_ONLY, kBytes);
    expect_null(NULL, tensor(&p, 0), good, "the delegate is NULL");
    expect_null(p.delegate, NULL, good, "the tensor is NULL");
    expect_null(p.delegate, tensor(&p, 0), NULL, "the cl_mem is NULL");
    expect_refused(&p, 2, good, 0, 0, "no input or output of what the delegate runs");
    const TfLiteTensor stranger = {0};
    expect_null(p.delegate, &stranger, good, "no input or output of what the delegate runs");
    expect_refused(&p, 0, small, 0, 0, "tensor 0 has 256 bytes, the buffer 252");
    expect_refused(&p, 0, pair, 0, 128, "tensor 0 has 256 bytes, the buffer 128");
    expect_refused(&p, 0, pair, 1024, 0, "0 bytes at offset 1024 are not within the buffer's 512 bytes");
    expect_refused(&p, 0, pair, 256, SIZE_MAX, "are not within the buffer's 512 bytes");
    expect_refused(&p, 0, pair, 4, kBytes, "the offset 4 of a buffer is not aligned");
    expect_refused(&p, 0, sink, 0, 0, "kernels cannot read the cl_mem");
    expect_refused(&p, 3, source, 0, 0, "kernels cannot write the cl_mem");
    cl_device_id device = oclite_opencl_delegate_device_id(p.delegate);
    cl_int error;
    cl_context other = p.cl->clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    cl_mem foreign = p.cl->clCreateBuffer(other, 0, kBytes, NULL, &error);
    expect_refused(&p, 0, foreign, 0, 0, "the cl_mem is of another context");
    bind(&p, 0, good);
    expect_refused(&p, 3, good, 0, 0, "tensors 3 and 0 would share memory, and one is an output");
    TfLiteDelegate* second = oclite_opencl_delegate_create(NULL);
    expect_null(second, tensor(&p, 0), good, "no input or output");
    oclite_opencl_delegate_delete(second);
    // What was refused has changed nothing.
    fill(&p, good, 0, kCount, 1);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
    fixture_expect(&p.f, 4, kCount, 8);
    const cl_mem all[] = {good, small, pair, sink, source, foreign};
    for (int i = 0; i < 6; i++) p.cl->clReleaseMemObject(all[i]);
    p.cl->clReleaseContext(other);
    close_program(&p);
    oclite_opencl_delegate_delete(p.delegate);
}

// The device fails: no result is claimed until the tensors are unbound, then the host computes.
static void a_device_that_fails(void** state) {
    (void)state;
    shim_install();
    Program p;
    open_program(&p, whole());
    cl_mem in = make(&p, 0, kBytes), out = make(&p, 0, kBytes);
    bind(&p, 0, in);
    bind(&p, 3, out);
    shim_fail(1, true);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteError);
    shim_fail(0, false);
    fixture_expect_message(&p.f, "tensors are bound to buffers of the program");
    assert_int_equal(oclite_opencl_delegate_status(p.delegate), kOcliteOpenclQuarantined);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteError);
    fixture_expect_message(&p.f, "tensors are bound to buffers of the program");
    oclite_opencl_unbind_tensor(p.delegate, tensor(&p, 3));
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteError);
    oclite_opencl_unbind_tensor(p.delegate, tensor(&p, 0));
    fixture_fill(&p.f, 0, 3);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
    fixture_expect(&p.f, 3, kCount, 36);
    p.cl->clReleaseMemObject(in);
    p.cl->clReleaseMemObject(out);
    close_program(&p);
    oclite_opencl_delegate_delete(p.delegate);
    assert_int_equal(shim_live_objects(), 0);
    shim_remove();
}

static void a_preparation_that_fails(void** state) {
    (void)state;
    const int larger[] = {2 * kCount};
    shim_install();
    Program p;
    open_program(&p, whole());
    cl_mem out = make(&p, 0, 2 * kBytes);
    bind(&p, 3, out);
    assert_int_equal(lite_subgraph_resize_input(p.f.graph, 0, larger, 1), kTfLiteOk);
    shim_fail(1, true);
    assert_int_equal(lite_subgraph_allocate(p.f.graph), kTfLiteError);
    shim_fail(0, false);
    fixture_expect_message(&p.f, "tensors are bound to buffers of the program");
    assert_int_equal(lite_subgraph_allocate(p.f.graph), kTfLiteOk); // the device is back
    fixture_fill(&p.f, 0, 3);
    assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
    assert_float_equal(value_of(&p, out, 0), 36, 0);
    p.cl->clReleaseMemObject(out);
    close_program(&p);
    oclite_opencl_delegate_delete(p.delegate);
    assert_int_equal(shim_live_objects(), 0);
    shim_remove();
}

// Each call of an inference and of the binding before it fails in turn: the result is in the buffer, or there
// is an error.
static void a_call_fails(void** state) {
    (void)state;
    Program holder; // keeps what is compiled
    open_program(&holder, whole());
    int failed = 1;
    for (int n = 1; failed > 0; n++) {
        const int64_t before = lite_memory_live();
        shim_install();
        Program p;
        open_program(&p, mixed());
        cl_mem in = make(&p, 0, kBytes), out = make(&p, 0, kBytes);
        fill(&p, in, 0, kCount, 2);
        fill(&p, out, 0, kCount, 0);
        shim_fail(n, false);
        const bool bound =
            oclite_opencl_bind_buffer_to_tensor(p.delegate, tensor(&p, 0), in, 0, 0) == kTfLiteOk &&
            oclite_opencl_bind_buffer_to_tensor(p.delegate, tensor(&p, 3), out, 0, 0) == kTfLiteOk;
        const bool done = bound && lite_subgraph_invoke(p.f.graph) == kTfLiteOk;
        failed = shim_failures();
        shim_fail(0, false);
        assert_true(done || failed > 0);
        if (done) assert_float_equal(value_of(&p, out, 0), 16, 0);
        p.cl->clReleaseMemObject(in);
        p.cl->clReleaseMemObject(out);
        close_program(&p);
        oclite_opencl_delegate_delete(p.delegate);
        assert_int_equal(shim_live_objects(), 0);
        shim_remove();
        assert_int_equal(lite_memory_live(), before);
    }
    close_program(&holder);
    oclite_opencl_delegate_delete(holder.delegate);
}

// Pages of the program's own as tensors: a device that shares the host's memory works on them.
static void host_memory_without_copies(void** state) {
    (void)state;
    enum { kPage = 4096 };
    shim_install();
    Program p;
    open_program(&p, whole());
    cl_uint shared = 0;
    (void)p.cl->clGetDeviceInfo(oclite_opencl_delegate_device_id(p.delegate), CL_DEVICE_HOST_UNIFIED_MEMORY,
                                sizeof shared, &shared, NULL);
    float *in = aligned_alloc(kPage, kPage), *out = aligned_alloc(kPage, kPage);
    const TfLiteCustomAllocation from = {in, kPage}, to = {out, kPage};
    assert_int_equal(lite_subgraph_set_custom_allocation(p.f.graph, 0, &from, 0), kTfLiteOk);
    assert_int_equal(lite_subgraph_set_custom_allocation(p.f.graph, 3, &to, 0), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(p.f.graph), kTfLiteOk);
    for (int i = 1; i < 4; i++) {
        for (int k = 0; k < kCount; k++) in[k] = (float)i;
        assert_int_equal(lite_subgraph_invoke(p.f.graph), kTfLiteOk);
        for (int k = 0; k < kCount; k++) assert_float_equal(out[k], 4 * i * i, 0);
    }
    if (shared != 0) {
        assert_int_equal(shim_count(kShimReads) + shim_count(kShimWrites), 0);
        assert_int_equal(shim_imports(in), 1); // once for all inferences
        assert_int_equal(shim_imports(out), 1);
    }
    close_program(&p);
    oclite_opencl_delegate_delete(p.delegate);
    assert_int_equal(shim_live_objects(), 0);
    shim_remove();
    free(in);
    free(out);
}

// In the program's queue: what it has enqueued before is there, and no waiting is needed.
static void in_the_queue_of_the_program(void** state) {
    (void)state;
    Program p;
    open_program(&p, whole());
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.queue = p.queue;
    Program q;
    TfLiteDelegate* own = oclite_opencl_delegate_create(&options);
    assert_non_null(own);
    open_with(&q, whole(), own);
    cl_mem in = make(&p, 0, kBytes), out = make(&p, 0, kBytes);
    bind(&q, 0, in);
    bind(&q, 3, out);
    for (int i = 1; i < 4; i++) {
        float values[kCount];
        for (int k = 0; k < kCount; k++) values[k] = (float)i;
        assert_int_equal(p.cl->clEnqueueWriteBuffer(p.queue, in, CL_FALSE, 0, kBytes, values, 0, NULL, NULL),
                         CL_SUCCESS);
        assert_int_equal(lite_subgraph_invoke(q.f.graph), kTfLiteOk);
        assert_float_equal(value_of(&p, out, 0), 4 * i * i, 0);
    }
    p.cl->clReleaseMemObject(in);
    p.cl->clReleaseMemObject(out);
    close_program(&q);
    oclite_opencl_delegate_delete(own);
    close_program(&p);
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
        cmocka_unit_test(what_cannot_be_bound),
        cmocka_unit_test(a_device_that_fails),
        cmocka_unit_test(a_preparation_that_fails),
        cmocka_unit_test(a_call_fails),
        cmocka_unit_test(in_the_queue_of_the_program),
        cmocka_unit_test(host_memory_without_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
