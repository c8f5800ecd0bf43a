// SPDX-License-Identifier: Apache-2.0
#include "tests/api/opencl_program.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const ClTensorName cl_tensors[kTensors] = {{kTfLiteIoTypeInput, "a"},
                                           {kTfLiteIoTypeInput, "b"},
                                           {kTfLiteIoTypeOutput, "sum"},
                                           {kTfLiteIoTypeOutput, "product"}};

bool cl_program_possible(void) {
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    if (delegate == NULL) printf("skipped: %s\n", oclite_opencl_last_error());
    oclite_opencl_delegate_delete(delegate);
    return delegate != NULL;
}

static void report(void* user_data, const char* format, va_list args) {
    ClProgram* program = user_data;
    const size_t used = strlen(program->messages);
    vsnprintf(program->messages + used, sizeof program->messages - used, format, args);
}

void cl_program_expect_message(ClProgram* program, const char* part) {
    if (strstr(program->messages, part) == NULL) fail_msg("\"%s\" is not in \"%s\"", part, program->messages);
    program->messages[0] = '\0';
}

// The two outputs and an intermediate tensor between them.
static TfLiteModel* build_model(uint8_t** bytes) {
    static const TfLiteAddParams add = {.activation = kTfLiteActNone};
    static const TfLiteMulParams mul = {.activation = kTfLiteActNone};
    ModelBuilder* b = builder_create();
    int t[kTensors];
    for (int i = 0; i < kTensors; i++) {
        t[i] = builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 1, .dims = {kCount}});
    }
    const int copy = builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 1, .dims = {kCount}});
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinAdd,
                                          .inputs = {2, {t[kA], t[kB]}},
                                          .outputs = {1, {t[kSum]}},
                                          .params = &add});
    builder_operator(
        b, (BuilderOperator){.code = kTfLiteBuiltinAbs, .inputs = {1, {t[kSum]}}, .outputs = {1, {copy}}});
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinMul,
                                          .inputs = {2, {copy, t[kA]}},
                                          .outputs = {1, {t[kProduct]}},
                                          .params = &mul});
    builder_inputs(b, (BuilderInts){2, {t[kA], t[kB]}});
    builder_outputs(b, (BuilderInts){2, {t[kSum], t[kProduct]}});
    builder_signature(b, "main", 0, (BuilderNames){2, {{"a", t[kA]}, {"b", t[kB]}}},
                      (BuilderNames){2, {{"sum", t[kSum]}, {"product", t[kProduct]}}});
    size_t size;
    *bytes = builder_finish(b, &size);
    return TfLiteModelCreate(*bytes, size);
}

void cl_program_open(ClProgram* program, const char* file) {
    cl_program_open_with(program, file, NULL);
}

void cl_program_open_with(ClProgram* program, const char* file, const OcliteOpenclDelegateOptions* given) {
    *program = (ClProgram){.cl = lite_cl_load(NULL)};
    program->model = file != NULL ? TfLiteModelCreateFromFile(file) : build_model(&program->bytes);
    program->delegate = oclite_opencl_delegate_create(given);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddDelegate(options, program->delegate);
    TfLiteInterpreterOptionsSetErrorReporter(options, report, program);
    program->interpreter = TfLiteInterpreterCreate(program->model, options);
    TfLiteInterpreterOptionsDelete(options);
    assert_non_null(program->interpreter);
    program->runner = TfLiteInterpreterGetAsyncSignatureRunner(program->interpreter, NULL);
    assert_non_null(program->runner);
    assert_string_equal(program->messages, "");
    program->context = oclite_opencl_delegate_context(program->delegate);
    program->device = oclite_opencl_delegate_device_id(program->delegate);
    if (given != NULL && given->queue != NULL) {
        program->queue = given->queue;
        assert_int_equal(program->cl->clRetainCommandQueue(program->queue), CL_SUCCESS);
        return;
    }
    cl_int error;
    program->queue = program->cl->clCreateCommandQueue(program->context, program->device, 0, &error);
    assert_int_equal(error, CL_SUCCESS);
}

void cl_program_close(ClProgram* program) {
    TfLiteAsyncSignatureRunnerDelete(program->runner);
    TfLiteInterpreterDelete(program->interpreter);
    program->cl->clReleaseCommandQueue(program->queue);
    assert_int_equal(oclite_opencl_delegate_memory(program->delegate), 0);
    oclite_opencl_delegate_delete(program->delegate);
    TfLiteModelDelete(program->model);
    free(program->bytes);
    assert_string_equal(program->messages, "");
}

// Events.

static void* opencl_function(const char* name) {
    void* library = dlopen("libOpenCL.so.1", RTLD_NOW);
    void* function = dlsym(library, name);
    assert_non_null(function);
    dlclose(library); // the delegate has it open, too
    return function;
}

cl_event cl_program_user_event(const ClProgram* program) {
    __typeof__(clCreateUserEvent)* create;
    *(void**)&create = opencl_function("clCreateUserEvent");
    return create(program->context, NULL);
}

void cl_program_signal(cl_event event, cl_int status) {
    __typeof__(clSetUserEventStatus)* set;
    *(void**)&set = opencl_function("clSetUserEventStatus");
    assert_int_equal(set(event, status), CL_SUCCESS);
}

cl_uint cl_program_references(const ClProgram* program, cl_event event) {
    cl_uint count = 0;
    program->cl->clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof count, &count, NULL);
    return count;
}

cl_int cl_program_status(const ClProgram* program, cl_event event) {
    cl_int status = 0;
    program->cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    return status;
}

// Buffers.

TfLiteAttributeMap* cl_attributes(const char* type, size_t alignment, size_t offset, size_t size) {
    TfLiteAttributeMap* map = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    if (type != NULL) TfLiteAttributeMapSetStringBufferAttr(map, kTfLiteBufferAttrKeyResourceTypeName, type);
    if (alignment) TfLiteAttributeMapSetSizeTBufferAttr(map, kTfLiteBufferAttrKeyAlignment, alignment);
    if (size) TfLiteAttributeMapSetSizeTBufferAttr(map, kTfLiteBufferAttrKeySize, size);
    TfLiteAttributeMapSetSizeTBufferAttr(map, kTfLiteBufferAttrKeyOffset, offset);
    return map;
}

TfLiteStatus cl_program_register(const ClProgram* program, TfLiteIoType io_type, void* pointer,
                                 const char* type, size_t offset, size_t size, TfLiteBufferHandle* handle) {
    TfLiteBackendBuffer* buffer = TfLiteBackendBufferCreate();
    TfLiteAttributeMap* attrs = cl_attributes(type, 0, offset, size);
    TfLiteBackendBufferSetPtr(buffer, pointer);
    const TfLiteStatus status =
        TfLiteAsyncSignatureRunnerRegisterBuffer(program->runner, io_type, buffer, attrs, handle);
    TfLiteAttributeMapDelete(attrs);
    TfLiteBackendBufferDelete(buffer);
    return status;
}

ClBuffer cl_buffer_create(const ClProgram* program, TfLiteIoType io_type, const char* type, size_t count) {
    ClBuffer buffer = {.type = type, .count = count};
    const size_t bytes = count * sizeof(float);
    void* pointer;
    if (strcmp(type, HOST) == 0) {
        pointer = buffer.host = aligned_alloc(64, (bytes + 63) / 64 * 64);
        memset(buffer.host, 0, bytes);
    } else {
        pointer = buffer.memory =
            program->cl->clCreateBuffer(program->context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    }
    assert_non_null(pointer);
    assert_ok(cl_program_register(program, io_type, pointer, type, 0, bytes, &buffer.handle));
    return buffer;
}

void cl_buffer_destroy(const ClProgram* program, ClBuffer* buffer) {
    (void)TfLiteAsyncSignatureRunnerUnregisterBuffer(program->runner, buffer->handle);
    if (buffer->memory != NULL) program->cl->clReleaseMemObject(buffer->memory);
    free(buffer->host);
}

void cl_buffer_write(const ClProgram* program, const ClBuffer* buffer, const float* values) {
    const size_t bytes = buffer->count * sizeof(float);
    if (buffer->host != NULL) {
        memcpy(buffer->host, values, bytes);
        return;
    }
    assert_int_equal(program->cl->clEnqueueWriteBuffer(program->queue, buffer->memory, CL_TRUE, 0, bytes,
                                                       values, 0, NULL, NULL),
                     CL_SUCCESS);
}

void cl_buffer_read(const ClProgram* program, const ClBuffer* buffer, float* values) {
    const size_t bytes = buffer->count * sizeof(float);
    if (buffer->host != NULL) {
        memcpy(values, buffer->host, bytes);
        return;
    }
    assert_int_equal(program->cl->clEnqueueReadBuffer(program->queue, buffer->memory, CL_TRUE, 0, bytes,
                                                      values, 0, NULL, NULL),
                     CL_SUCCESS);
}

// Agreement.

void cl_program_agree(const ClProgram* program, TfLiteIoType io_type, const char* name, const char* type,
                      const char* sync_type) {
    TfLiteAttributeMap* map = cl_attributes(type, 0, 0, 0);
    assert_true(
        TfLiteAsyncSignatureRunnerReconcileRestrictions(program->runner, io_type, name, map, map, NULL));
    assert_ok(TfLiteAsyncSignatureRunnerSetAttributes(program->runner, io_type, name, map));
    TfLiteAttributeMapDelete(map);
    map = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeSync);
    TfLiteAttributeMapSetStringSyncAttr(map, kTfLiteSynchronizationAttrKeyObjectTypeName, sync_type);
    assert_true(
        TfLiteAsyncSignatureRunnerReconcileRestrictions(program->runner, io_type, name, map, map, NULL));
    assert_ok(TfLiteAsyncSignatureRunnerSetAttributes(program->runner, io_type, name, map));
    TfLiteAttributeMapDelete(map);
}

void cl_program_set_up(const ClProgram* program, const char* const types[kTensors], const char* sync_type) {
    for (int i = 0; i < kTensors; i++) {
        cl_program_agree(program, cl_tensors[i].io_type, cl_tensors[i].name, types[i], sync_type);
    }
    assert_ok(TfLiteAsyncSignatureRunnerPrepareBackends(program->runner));
}

// Executions.

static void write_inputs(const ClProgram* program, const ClSlot* slot) {
    float a[kCount];
    float b[kCount];
    for (int i = 0; i < kCount; i++) {
        a[i] = slot->first + (float)i;
        b[i] = 0.25f * (float)i;
    }
    cl_buffer_write(program, &slot->buffers[kA], a);
    cl_buffer_write(program, &slot->buffers[kB], b);
}

void cl_slot_open(const ClProgram* program, ClSlot* slot, const char* const types[kTensors], float first) {
    slot->first = first;
    slot->task = TfLiteAsyncSignatureRunnerCreateTask(program->runner);
    assert_non_null(slot->task);
    for (int i = 0; i < kTensors; i++) {
        slot->buffers[i] = cl_buffer_create(program, cl_tensors[i].io_type, types[i], kCount);
        assert_ok(TfLiteExecutionTaskSetBuffer(slot->task, cl_tensors[i].io_type, cl_tensors[i].name,
                                               slot->buffers[i].handle));
    }
    write_inputs(program, slot);
}

void cl_slot_check(const ClProgram* program, const ClSlot* slot) {
    float sum[kCount];
    float product[kCount];
    cl_buffer_read(program, &slot->buffers[kSum], sum);
    cl_buffer_read(program, &slot->buffers[kProduct], product);
    for (int i = 0; i < kCount; i++) {
        const float a = slot->first + (float)i;
        const float expected = a + 0.25f * (float)i;
        assert_float_equal(sum[i], expected, 0.0f);
        assert_float_equal(product[i], (expected < 0 ? -expected : expected) * a, 0.0f);
    }
}

void cl_slot_run(const ClProgram* program, ClSlot* slot) {
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program->runner, slot->task));
    assert_ok(TfLiteAsyncSignatureRunnerWait(program->runner, slot->task));
    cl_slot_check(program, slot);
}

void cl_slot_close(const ClProgram* program, ClSlot* slot) {
    if (slot->task != NULL) assert_ok(TfLiteAsyncSignatureRunnerFinish(program->runner, slot->task));
    for (int i = 0; i < kTensors; i++) cl_buffer_destroy(program, &slot->buffers[i]);
}
