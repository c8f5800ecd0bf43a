// SPDX-License-Identifier: Apache-2.0
// Asynchronous execution by the OpenCL delegate that goes wrong: attributes, buffers and events that cannot
// be used, tasks that cannot run.
#include <stdlib.h>
#include <string.h>

#include "tests/api/opencl_program.h"

static const char* const all_host[kTensors] = {HOST, HOST, HOST, HOST};
static const char* const mixed[kTensors] = {HOST, DEVICE, DEVICE, HOST};

enum { kBytes = kCount * sizeof(float) };

// Agreement.

static size_t size_of(const TfLiteAttributeMap* map, TfLiteBufferAttrKey key) {
    size_t value = 0;
    assert_true(TfLiteAttributeMapGetSizeTBufferAttr(map, key, &value));
    return value;
}

static void what_is_demanded(void** state) {
    (void)state;
    ClProgram program;
    cl_program_open(&program, NULL);
    TfLiteAttributeMap* mine = cl_attributes(NULL, 96, 0, 0);
    TfLiteAttributeMap* agreed = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    TfLiteAttributeMapSetSizeTBufferAttr(mine, kTfLiteBufferAttrKeyPadding, 100);
    assert_true(TfLiteAsyncSignatureRunnerReconcileRestrictions(program.runner, kTfLiteIoTypeInput, "a", mine,
                                                                agreed, NULL));
    const char* type = NULL;
    assert_true(TfLiteAttributeMapGetStringBufferAttr(agreed, kTfLiteBufferAttrKeyResourceTypeName, &type));
    assert_string_equal(type, HOST);
    assert_int_equal(size_of(agreed, kTfLiteBufferAttrKeyAlignment), 192);
    assert_int_equal(size_of(agreed, kTfLiteBufferAttrKeyPadding), 100);
    assert_int_equal(size_of(agreed, kTfLiteBufferAttrKeySize), (kBytes + 99) / 100 * 100);
    assert_ok(TfLiteAsyncSignatureRunnerSetAttributes(program.runner, kTfLiteIoTypeInput, "a", agreed));
    TfLiteAttributeMapDelete(agreed);
    TfLiteAttributeMapDelete(mine);

    mine = cl_attributes(DEVICE, 1, 0, 2 * kBytes);
    assert_true(TfLiteAsyncSignatureRunnerReconcileRestrictions(program.runner, kTfLiteIoTypeOutput, "sum",
                                                                mine, mine, NULL));
    cl_uint bits = 0;
    program.cl->clGetDeviceInfo(program.device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL);
    assert_true(size_of(mine, kTfLiteBufferAttrKeyAlignment) >= bits / 8);
    assert_int_equal(size_of(mine, kTfLiteBufferAttrKeySize), 2 * kBytes);
    TfLiteAttributeMapDelete(mine);

    mine = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeSync);
    assert_true(TfLiteAsyncSignatureRunnerReconcileRestrictions(program.runner, kTfLiteIoTypeInput, "a", mine,
                                                                mine, NULL));
    assert_true(
        TfLiteAttributeMapGetStringSyncAttr(mine, kTfLiteSynchronizationAttrKeyObjectTypeName, &type));
    assert_string_equal(type, kTfLiteSyncTypeNoSyncObj);
    TfLiteAttributeMapDelete(mine);
    cl_program_close(&program);
}

static void expect_conflict(ClProgram* program, TfLiteAttributeMap* mine, TfLiteBufferAttrKey key) {
    TfLiteAttributeMap* conflict = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    TfLiteAttributeMap* merged = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    assert_false(TfLiteAsyncSignatureRunnerReconcileRestrictions(program->runner, kTfLiteIoTypeInput, "b",
                                                                 mine, merged, conflict));
    size_t number;
    const char* text;
    assert_true(TfLiteAttributeMapGetSizeTAttr(conflict, (uint32_t)key, &number) ||
                TfLiteAttributeMapGetStringAttr(conflict, (uint32_t)key, &text));
    assert_fails(TfLiteAsyncSignatureRunnerSetAttributes(program->runner, kTfLiteIoTypeInput, "b", mine));
    cl_program_expect_message(program, "tensor 1");
    TfLiteAttributeMapDelete(conflict);
    TfLiteAttributeMapDelete(merged);
    TfLiteAttributeMapDelete(mine);
}

static void expect_insufficient(ClProgram* program, TfLiteAttributeMap* mine) {
    TfLiteAttributeMapSetSizeTBufferAttr(mine, kTfLiteBufferAttrKeyPadding, 4);
    assert_fails(TfLiteAsyncSignatureRunnerSetAttributes(program->runner, kTfLiteIoTypeInput, "b", mine));
    cl_program_expect_message(program, "tensor 1: attributes of its buffer do not cover");
    TfLiteAttributeMapDelete(mine);
}

static void attributes_that_do_not_fit(void** state) {
    (void)state;
    ClProgram program;
    cl_program_open(&program, NULL);
    expect_conflict(&program, cl_attributes("dma_buf", 64, 0, kBytes), kTfLiteBufferAttrKeyResourceTypeName);
    TfLiteAttributeMap* map = cl_attributes(HOST, 0, 0, kBytes);
    TfLiteAttributeMapSetSizeTBufferAttr(map, kTfLiteBufferAttrKeyAlignment, SIZE_MAX / 2);
    expect_conflict(&program, map, kTfLiteBufferAttrKeyAlignment);
    expect_insufficient(&program, cl_attributes(NULL, 64, 0, kBytes));
    expect_insufficient(&program, cl_attributes(HOST, 32, 0, kBytes));
    expect_insufficient(&program, cl_attributes(HOST, 64, 0, kBytes - 4));
    map = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeSync);
    TfLiteAttributeMapSetStringSyncAttr(map, kTfLiteSynchronizationAttrKeyObjectTypeName, "sync_fence_fd");
    assert_false(TfLiteAsyncSignatureRunnerReconcileRestrictions(program.runner, kTfLiteIoTypeInput, "a", map,
                                                                 map, NULL));
    assert_fails(TfLiteAsyncSignatureRunnerSetAttributes(program.runner, kTfLiteIoTypeInput, "a", map));
    cl_program_expect_message(&program, "synchronization is by \"no_sync_obj\" or \"cl_event\"");
    TfLiteAttributeMapDelete(map);
    // The tensor in the middle.
    map = cl_attributes(HOST, 64, 0, kBytes);
    assert_fails(TfLiteAsyncSignatureRunnerSetAttributesByIndex(program.runner, 4, map));
    cl_program_expect_message(&program, "tensor 4 is neither input nor output");
    TfLiteAttributeMapDelete(map);
    map = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeUnknown);
    assert_fails(TfLiteAsyncSignatureRunnerSetAttributes(program.runner, kTfLiteIoTypeInput, "a", map));
    cl_program_expect_message(&program, "attributes neither of a buffer");
    TfLiteAttributeMapDelete(map);
    cl_program_close(&program);
}

// Buffers.

static void expect_refused(ClProgram* program, TfLiteIoType io_type, void* pointer, const char* type,
                           size_t offset, size_t size, const char* message) {
    TfLiteBufferHandle handle = -2;
    assert_fails(cl_program_register(program, io_type, pointer, type, offset, size, &handle));
    assert_int_equal(handle, -2);
    cl_program_expect_message(program, message);
}

static void buffers_that_cannot_be_used(void** state) {
    (void)state;
    ClProgram program;
    cl_program_open(&program, NULL);
    char* host = aligned_alloc(64, 1024);
    const TfLiteIoType in = kTfLiteIoTypeInput;
    const TfLiteIoType out = kTfLiteIoTypeOutput;
    expect_refused(&program, in, host, NULL, 0, 1024, "without type");
    expect_refused(&program, in, host, "ahardware_buffer_blob", 0, 1024, "are not known");
    expect_refused(&program, in, NULL, HOST, 0, 1024, "NULL");
    expect_refused(&program, in, NULL, DEVICE, 0, 0, "NULL");
    expect_refused(&program, in, host, HOST, 0, 0, "no size");
    expect_refused(&program, in, host, HOST, SIZE_MAX - 63, 1024, "too large");
    expect_refused(&program, in, host + 4, HOST, 0, 64, "not aligned to 64");
    expect_refused(&program, in, host, HOST, 60, 64, "not aligned to 64");
    free(host);

    cl_int error;
    const LiteCl* cl = program.cl;
    cl_mem memory = cl->clCreateBuffer(program.context, CL_MEM_READ_ONLY, 1 << 16, NULL, &error);
    expect_refused(&program, in, memory, DEVICE, 0, (1 << 16) + 1, "are not within the buffer's 65536");
    expect_refused(&program, in, memory, DEVICE, (1 << 16) + 1, 0, "are not within");
    expect_refused(&program, in, memory, DEVICE, 4, 64, "not aligned");
    expect_refused(&program, out, memory, DEVICE, 0, 0, "kernels cannot write");
    cl->clReleaseMemObject(memory);
    memory = cl->clCreateBuffer(program.context, CL_MEM_WRITE_ONLY, 1 << 16, NULL, &error);
    expect_refused(&program, in, memory, DEVICE, 0, 0, "kernels cannot read");
    cl->clReleaseMemObject(memory);
    cl_context other = cl->clCreateContext(NULL, 1, &program.device, NULL, NULL, &error);
    memory = cl->clCreateBuffer(other, CL_MEM_READ_WRITE, 1 << 16, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    expect_refused(&program, in, memory, DEVICE, 0, 0, "of another context");
    cl->clReleaseMemObject(memory);
    cl->clReleaseContext(other);
    cl_program_close(&program);
}

static void claims_about_buffers_are_checked(void** state) {
    (void)state;
    ClProgram program;
    cl_program_open(&program, NULL);
    char* host = aligned_alloc(4096, 8192);
    TfLiteBackendBuffer* buffer = TfLiteBackendBufferCreate();
    TfLiteBackendBufferSetPtr(buffer, host + 64);
    TfLiteAttributeMap* attrs = cl_attributes(HOST, 4096, 0, 1024);
    TfLiteBufferHandle handle;
    assert_fails(
        TfLiteAsyncSignatureRunnerRegisterBuffer(program.runner, kTfLiteIoTypeInput, buffer, attrs, &handle));
    cl_program_expect_message(&program, "not aligned to 4096");
    TfLiteAttributeMapSetSizeTBufferAttr(attrs, kTfLiteBufferAttrKeyPadding, 1000);
    assert_fails(
        TfLiteAsyncSignatureRunnerRegisterBuffer(program.runner, kTfLiteIoTypeInput, buffer, attrs, &handle));
    cl_program_expect_message(&program, "not a multiple of its padding 1000");
    TfLiteAttributeMapDelete(attrs);
    TfLiteBackendBufferDelete(buffer);
    free(host);
    cl_program_close(&program);
}

static void expect_no_slice(ClProgram* program, TfLiteBufferHandle pool, size_t offset, size_t size,
                            const char* message) {
    TfLiteAttributeMap* attrs = cl_attributes(NULL, 0, offset, size);
    TfLiteBufferHandle handle;
    assert_fails(TfLiteAsyncSignatureRunnerRegisterBufferSlice(program->runner, pool, attrs, &handle));
    cl_program_expect_message(program, message);
    TfLiteAttributeMapDelete(attrs);
}

static void slices_that_cannot_be_used(void** state) {
    (void)state;
    ClProgram program;
    cl_program_open(&program, NULL);
    for (int i = 0; i < 2; i++) {
        ClBuffer pool = cl_buffer_create(&program, kTfLiteIoTypeInput, i ? DEVICE : HOST, 4096);
        TfLiteAttributeMap* attrs = cl_attributes(NULL, 0, 4096, 4096);
        TfLiteBufferHandle slice;
        assert_ok(TfLiteAsyncSignatureRunnerRegisterBufferSlice(program.runner, pool.handle, attrs, &slice));
        TfLiteAttributeMapDelete(attrs);
        expect_no_slice(&program, pool.handle + 1000, 0, 64, "there is no buffer");
        expect_no_slice(&program, slice, 0, 64, "is itself a slice");
        expect_no_slice(&program, pool.handle, 0, 0, "no size");
        expect_no_slice(&program, pool.handle, 4, 64, "not aligned");
        expect_no_slice(&program, pool.handle, 4096, 16384, "are not within");
        expect_no_slice(&program, pool.handle, SIZE_MAX, 64, "are not within");
        assert_fails(TfLiteAsyncSignatureRunnerUnregisterBuffer(program.runner, pool.handle));
        cl_program_expect_message(&program, "has slices");
        assert_ok(TfLiteAsyncSignatureRunnerUnregisterBuffer(program.runner, slice));
        assert_fails(TfLiteAsyncSignatureRunnerUnregisterBuffer(program.runner, slice));
        cl_program_expect_message(&program, "there is no buffer");
        cl_buffer_destroy(&program, &pool);
    }
    cl_program_close(&program);
}

// Tasks.

static void expect_not_invoked(ClProgram* program, const ClSlot* slot, const char* message) {
    assert_fails(TfLiteAsyncSignatureRunnerInvokeAsync(program->runner, slot->task));
    cl_program_expect_message(program, message);
    assert_int_equal(TfLiteExecutionTaskGetStatus(slot->task), kTfLiteError);
    assert_fails(TfLiteAsyncSignatureRunnerWait(program->runner, slot->task));
}

static void tasks_that_cannot_run(void** state) {
    (void)state;
    ClProgram program;
    cl_program_open(&program, NULL);
    ClSlot slot;
    cl_slot_open(&program, &slot, mixed, 1);
    expect_not_invoked(&program, &slot, "PrepareBackends must come first");
    cl_program_set_up(&program, mixed, kTfLiteSyncTypeNoSyncObj);
    TfLiteExecutionTask* task = slot.task;
    const TfLiteIoType out = kTfLiteIoTypeOutput;
    assert_ok(TfLiteExecutionTaskSetBuffer(task, out, "sum", 1000));
    expect_not_invoked(&program, &slot, "tensor 2 has no registered buffer");
    assert_ok(TfLiteExecutionTaskSetBuffer(task, out, "sum", slot.buffers[kA].handle));
    expect_not_invoked(&program, &slot, "not of the type that was agreed on for tensor 2");
    assert_ok(TfLiteExecutionTaskSetBuffer(task, out, "sum", slot.buffers[kB].handle));
    expect_not_invoked(&program, &slot, "cannot be used for an output");
    ClBuffer small = cl_buffer_create(&program, out, DEVICE, kCount - 1);
    assert_ok(TfLiteExecutionTaskSetBuffer(task, out, "sum", small.handle));
    expect_not_invoked(&program, &slot, "has 1020 bytes, tensor 2 needs 1024");
    // As input and output, and as two outputs.
    assert_ok(TfLiteExecutionTaskSetBuffer(task, out, "sum", slot.buffers[kSum].handle));
    assert_ok(TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeInput, "b", slot.buffers[kSum].handle));
    expect_not_invoked(&program, &slot, "tensors 1 and 2 share memory");
    assert_ok(TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeInput, "b", slot.buffers[kB].handle));
    cl_slot_run(&program, &slot);
    cl_buffer_destroy(&program, &small);
    cl_slot_close(&program, &slot);
    cl_program_close(&program);
}

static void outputs_that_overlap(void** state) {
    (void)state;
    ClProgram program;
    cl_program_open(&program, NULL);
    cl_program_set_up(&program, all_host, kTfLiteSyncTypeNoSyncObj);
    ClSlot slot;
    cl_slot_open(&program, &slot, all_host, 1);
    ClBuffer pool = cl_buffer_create(&program, kTfLiteIoTypeOutput, HOST, 4 * kCount);
    TfLiteBufferHandle handle;
    TfLiteAttributeMap* attrs = cl_attributes(HOST, 0, 512, kBytes);
    assert_ok(TfLiteAsyncSignatureRunnerRegisterBufferSlice(program.runner, pool.handle, attrs, &handle));
    assert_ok(TfLiteExecutionTaskSetBuffer(slot.task, kTfLiteIoTypeOutput, "sum", pool.handle));
    assert_ok(TfLiteExecutionTaskSetBuffer(slot.task, kTfLiteIoTypeOutput, "product", handle));
    expect_not_invoked(&program, &slot, "tensors 3 and 2 share memory");
    TfLiteAttributeMapDelete(attrs);
    cl_slot_close(&program, &slot);
    assert_ok(TfLiteAsyncSignatureRunnerUnregisterBuffer(program.runner, handle));
    cl_buffer_destroy(&program, &pool);
    cl_program_close(&program);
}

// Makes the task wait for an event, of which the caller gets a reference.
static cl_event hold(const ClProgram* program, const ClSlot* slot, TfLiteSynchronization* sync) {
    cl_event event = cl_program_user_event(program);
    program->cl->clRetainEvent(event);
    TfLiteSynchronizationSetPtr(sync, event);
    assert_ok(TfLiteExecutionTaskSetSync(slot->task, kTfLiteIoTypeInput, "a", sync));
    return event;
}

static void buffers_in_flight(void** state) {
    (void)state;
    ClProgram program;
    cl_program_open(&program, NULL);
    cl_program_set_up(&program, mixed, OCLITE_OPENCL_CL_EVENT);
    ClSlot slot;
    cl_slot_open(&program, &slot, mixed, 1);
    TfLiteSynchronization* sync = TfLiteSynchronizationCreate();
    cl_event event = hold(&program, &slot, sync);
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, slot.task));
    for (int i = 0; i < kTensors; i++) {
        assert_fails(TfLiteAsyncSignatureRunnerUnregisterBuffer(program.runner, slot.buffers[i].handle));
        cl_program_expect_message(&program, "used by a task");
    }
    cl_program_signal(event, CL_COMPLETE);
    assert_ok(TfLiteAsyncSignatureRunnerWait(program.runner, slot.task));
    cl_slot_check(&program, &slot);
    for (int i = 0; i < kTensors; i++) {
        assert_ok(TfLiteAsyncSignatureRunnerUnregisterBuffer(program.runner, slot.buffers[i].handle));
    }
    expect_not_invoked(&program, &slot, "no registered buffer");
    program.cl->clReleaseEvent(event);
    TfLiteSynchronizationDelete(sync);
    assert_ok(TfLiteAsyncSignatureRunnerFinish(program.runner, slot.task));
    for (int i = 0; i < kTensors; i++) {
        if (slot.buffers[i].memory != NULL) program.cl->clReleaseMemObject(slot.buffers[i].memory);
        free(slot.buffers[i].host);
    }
    cl_program_close(&program);
}

static void events_that_cannot_be_used(void** state) {
    (void)state;
    ClProgram program;
    cl_program_open(&program, NULL);
    cl_program_set_up(&program, all_host, OCLITE_OPENCL_CL_EVENT);
    ClSlot slot;
    cl_slot_open(&program, &slot, all_host, 1);
    TfLiteSynchronization* sync = TfLiteSynchronizationCreate();
    ClProgram other = program; // in another context
    cl_int error;
    other.context = program.cl->clCreateContext(NULL, 1, &program.device, NULL, NULL, &error);
    cl_event event = hold(&other, &slot, sync);
    expect_not_invoked(&program, &slot, "the event of tensor 0 is of another context");
    assert_ptr_equal(TfLiteSynchronizationGetPtr(sync), event); // not taken
    program.cl->clReleaseEvent(event);
    program.cl->clReleaseEvent(event);
    program.cl->clReleaseContext(other.context);
    assert_ok(TfLiteExecutionTaskSetSync(slot.task, kTfLiteIoTypeInput, "a", NULL));
    cl_slot_run(&program, &slot);
    TfLiteSynchronizationDelete(sync);
    cl_slot_close(&program, &slot);
    cl_program_close(&program);
}

int main(void) {
    if (!cl_program_possible()) return kExitSkipped;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_demanded),
        cmocka_unit_test(attributes_that_do_not_fit),
        cmocka_unit_test(buffers_that_cannot_be_used),
        cmocka_unit_test(claims_about_buffers_are_checked),
        cmocka_unit_test(slices_that_cannot_be_used),
        cmocka_unit_test(tasks_that_cannot_run),
        cmocka_unit_test(outputs_that_overlap),
        cmocka_unit_test(buffers_in_flight),
        cmocka_unit_test(events_that_cannot_be_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
