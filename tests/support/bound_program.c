// SPDX-License-Identifier: Apache-2.0
#include "tests/support/bound_program.h"
#include "core/graph/allocate.h"
#include "core/graph/interpreter.h"
#include "core/graph/subgraph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/graph.h"
#include "oclite/opencl.h"

static void binary(ModelBuilder* b, int code, const void* params, int x, int y, int out) {
    builder_operator(
        b, (BuilderOperator){.code = code, .inputs = {2, {x, y}}, .outputs = {1, {out}}, .params = params});
}

static void add(ModelBuilder* b, int x, int y, int out) {
    static const TfLiteAddParams params = {.activation = kTfLiteActNone};
    binary(b, kTfLiteBuiltinAdd, &params, x, y, out);
}

ModelBuilder* bound_whole_model(void) {
    static const TfLiteMulParams params = {.activation = kTfLiteActNone};
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 4; i++) fixture_tensor(b, kBoundCount);
    add(b, 0, 0, 1);
    binary(b, kTfLiteBuiltinMul, &params, 1, 1, 3);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {3}});
    return b;
}

ModelBuilder* bound_mixed_model(void) {
    static const TfLiteMulParams params = {.activation = kTfLiteActNone};
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 5; i++) fixture_tensor(b, kBoundCount);
    add(b, 0, 0, 1);
    fixture_node(b, "Twice", 0, 2);
    binary(b, kTfLiteBuiltinMul, &params, 1, 1, 3);
    fixture_node(b, "Twice", 3, 4);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){3, {2, 3, 4}});
    return b;
}

void bound_open_with(BoundProgram* p, ModelBuilder* model, TfLiteDelegate* delegate) {
    *p = (BoundProgram){.delegate = delegate, .cl = lite_cl_load(NULL)};
    fixture_create(&p->f, model, &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1});
    assert_non_null(p->f.interpreter);
    assert_int_equal(lite_subgraph_allocate(p->f.graph), kTfLiteOk);
    lite_interpreter_allow_buffer_handle_output(p->f.interpreter, true);
    p->context = oclite_opencl_delegate_context(delegate);
    cl_int error;
    p->queue = p->cl->clCreateCommandQueue(p->context, oclite_opencl_delegate_device_id(delegate), 0, &error);
    assert_int_equal(error, CL_SUCCESS);
}

void bound_open(BoundProgram* p, ModelBuilder* model) {
    bound_open_with(p, model, oclite_opencl_delegate_create(NULL));
}

void bound_close(BoundProgram* p) {
    fixture_destroy(&p->f);
    p->cl->clReleaseCommandQueue(p->queue);
}

cl_mem bound_buffer(const BoundProgram* p, cl_mem_flags flags, size_t bytes) {
    cl_int error;
    cl_mem memory = p->cl->clCreateBuffer(p->context, flags, bytes, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    return memory;
}

void bound_fill(const BoundProgram* p, cl_mem memory, size_t offset, int count, float value) {
    float* values = malloc((size_t)count * sizeof *values);
    assert_non_null(values);
    for (int i = 0; i < count; i++) values[i] = value;
    assert_int_equal(p->cl->clEnqueueWriteBuffer(p->queue, memory, CL_TRUE, offset,
                                                 (size_t)count * sizeof *values, values, 0, NULL, NULL),
                     CL_SUCCESS);
    free(values);
}

float bound_value(const BoundProgram* p, cl_mem memory, size_t offset) {
    float values[kBoundCount];
    assert_int_equal(
        p->cl->clEnqueueReadBuffer(p->queue, memory, CL_TRUE, offset, kBoundBytes, values, 0, NULL, NULL),
        CL_SUCCESS);
    for (int i = 1; i < kBoundCount; i++) assert_float_equal(values[i], values[0], 0);
    return values[0];
}

const TfLiteTensor* bound_tensor(const BoundProgram* p, int index) {
    return lite_subgraph_tensor(p->f.graph, index);
}

void bound_bind(const BoundProgram* p, int index, cl_mem memory) {
    if (oclite_opencl_bind_buffer_to_tensor(p->delegate, bound_tensor(p, index), memory, 0, 0) != kTfLiteOk)
        fail_msg("%s", oclite_opencl_last_error());
    assert_string_equal(oclite_opencl_last_error(), "");
}

void bound_expect_refused(const BoundProgram* p, int index, cl_mem memory, size_t offset, size_t bytes,
                          const char* why) {
    assert_int_equal(
        oclite_opencl_bind_buffer_to_tensor(p->delegate, bound_tensor(p, index), memory, offset, bytes),
        kTfLiteError);
    if (strstr(oclite_opencl_last_error(), why) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", why, oclite_opencl_last_error());
}
