// SPDX-License-Identifier: Apache-2.0
#include "tests/api/async_program.h"

#include <stdlib.h>
#include <string.h>

static float* input_data(const AsyncProgram* program, int slot) {
    return program->data + kStride * 2 * slot;
}

float* async_program_output(const AsyncProgram* program, int slot) {
    return input_data(program, slot) + kStride;
}

TfLiteInterpreter* async_program_open_interpreter(TfLiteModel* model, TfLiteDelegate* delegate) {
    TfLiteInterpreterOptions* options = fixture_options();
    if (delegate != NULL) TfLiteInterpreterOptionsAddDelegate(options, delegate);
    TfLiteInterpreterOptionsEnableCancellation(options, true);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteModelDelete(model);
    assert_non_null(interpreter);
    return interpreter;
}

AsyncProgram async_program_open(Backend* backend, int nodes) {
    AsyncProgram program = {.backend = backend};
    program.delegate = backend_create_delegate(backend);
    program.interpreter = async_program_open_interpreter(fixture_model(nodes), program.delegate);
    program.runner = TfLiteInterpreterGetAsyncSignatureRunner(program.interpreter, "main");
    assert_non_null(program.runner);
    program.memory.size = sizeof(float) * kStride * 2 * kSlots;
    program.data = aligned_alloc(64, program.memory.size);
    memset(program.data, 0, program.memory.size);
    program.memory.data = (unsigned char*)program.data;
    return program;
}

void async_program_close(AsyncProgram* program) {
    TfLiteAsyncSignatureRunnerDelete(program->runner);
    TfLiteInterpreterDelete(program->interpreter);
    assert_int_equal(program->backend->kernels, 0);
    assert_int_equal(program->backend->buffers, 0);
    backend_delete_delegate(program->delegate);
    free(program->data);
    fixture_reset();
}

void async_program_agree(const AsyncProgram* program, TfLiteIoType io_type, const char* name,
                         const char* sync_type) {
    TfLiteAttributeMap* mine = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    TfLiteAttributeMap* agreed = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    TfLiteAttributeMap* conflict = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    TfLiteAttributeMapSetSizeTBufferAttr(mine, kTfLiteBufferAttrKeyAlignment, 24);
    TfLiteAttributeMapSetCustomIntAttr(mine, "unknown", 1);
    assert_true(TfLiteAsyncSignatureRunnerReconcileRestrictions(program->runner, io_type, name, mine, agreed,
                                                                conflict));
    size_t value = 0;
    const char* type = NULL;
    int unknown = 0;
    assert_true(TfLiteAttributeMapGetSizeTBufferAttr(agreed, kTfLiteBufferAttrKeyAlignment, &value));
    assert_int_equal(value, 48);
    assert_true(TfLiteAttributeMapGetSizeTBufferAttr(agreed, kTfLiteBufferAttrKeySize, &value));
    assert_int_equal(value, kLength * sizeof(float));
    assert_true(TfLiteAttributeMapGetStringBufferAttr(agreed, kTfLiteBufferAttrKeyResourceTypeName, &type));
    assert_string_equal(type, BACKEND_MEMORY);
    assert_true(TfLiteAttributeMapGetCustomIntAttr(agreed, "unknown", &unknown));
    assert_ok(TfLiteAsyncSignatureRunnerSetAttributes(program->runner, io_type, name, agreed));
    TfLiteAttributeMapDelete(mine);
    TfLiteAttributeMapDelete(agreed);
    TfLiteAttributeMapDelete(conflict);

    TfLiteAttributeMap* sync = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeSync);
    TfLiteAttributeMapSetStringSyncAttr(sync, kTfLiteSynchronizationAttrKeyObjectTypeName, sync_type);
    assert_true(
        TfLiteAsyncSignatureRunnerReconcileRestrictions(program->runner, io_type, name, sync, sync, NULL));
    assert_ok(TfLiteAsyncSignatureRunnerSetAttributes(program->runner, io_type, name, sync));
    TfLiteAttributeMapDelete(sync);
}

void async_program_register(AsyncProgram* program) {
    TfLiteAttributeMap* attrs = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    TfLiteBackendBuffer* buffer = TfLiteBackendBufferCreate();
    TfLiteBackendBufferSetPtr(buffer, &program->memory);
    TfLiteAttributeMapSetStringBufferAttr(attrs, kTfLiteBufferAttrKeyResourceTypeName, BACKEND_MEMORY);
    assert_ok(TfLiteAsyncSignatureRunnerRegisterBuffer(program->runner, kTfLiteIoTypeOutput, buffer, attrs,
                                                       &program->pool));
    TfLiteBackendBufferDelete(buffer);
    TfLiteAttributeMapSetSizeTBufferAttr(attrs, kTfLiteBufferAttrKeySize, kLength * sizeof(float));
    for (int i = 0; i < 2 * kSlots; i++) {
        TfLiteBufferHandle* handle = i % 2 ? &program->output[i / 2] : &program->input[i / 2];
        TfLiteAttributeMapSetSizeTBufferAttr(attrs, kTfLiteBufferAttrKeyOffset,
                                             sizeof(float) * kStride * (size_t)i);
        assert_ok(
            TfLiteAsyncSignatureRunnerRegisterBufferSlice(program->runner, program->pool, attrs, handle));
        assert_int_equal(*handle, program->pool + 1 + i);
    }
    TfLiteAttributeMapDelete(attrs);
}

void async_program_set_up(AsyncProgram* program, const char* sync_type) {
    async_program_agree(program, kTfLiteIoTypeInput, "x", sync_type);
    async_program_agree(program, kTfLiteIoTypeOutput, "y", sync_type);
    assert_ok(TfLiteAsyncSignatureRunnerPrepareBackends(program->runner));
    async_program_register(program);
}

TfLiteExecutionTask* async_program_task(const AsyncProgram* program, int slot) {
    TfLiteExecutionTask* task = TfLiteAsyncSignatureRunnerCreateTask(program->runner);
    assert_non_null(task);
    assert_ok(TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeInput, "x", program->input[slot]));
    assert_ok(TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeOutput, "y", program->output[slot]));
    return task;
}

void async_program_fill(const AsyncProgram* program, int slot, float first) {
    for (int i = 0; i < kLength; i++) input_data(program, slot)[i] = first + (float)i;
}

void async_program_check(const AsyncProgram* program, int slot, float first, float factor) {
    for (int i = 0; i < kLength; i++) {
        assert_float_equal(async_program_output(program, slot)[i], factor * (first + (float)i), 0.0f);
    }
}
