// SPDX-License-Identifier: Apache-2.0
// Asynchronous execution that goes wrong: misuse, delegates that cannot or fail, graphs that change, objects
// deleted in the wrong order, memory that runs out.
#include <string.h>

#include "core/base/async.h"
#include "core/base/memory.h"
#include "tests/api/async_program.h"

static void nothing_is_an_error(void** state) {
    (void)state;
    TfLiteBufferHandle handle;
    const char* const* types;
    size_t count;
    TfLiteAttributeMap* attrs = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    TfLiteBackendBuffer* buffer = TfLiteBackendBufferCreate();
    assert_null(TfLiteInterpreterGetAsyncSignatureRunner(NULL, "main"));
    TfLiteAsyncSignatureRunnerDelete(NULL);
    assert_fails(TfLiteAsyncSignatureRunnerRegisterBuffer(NULL, kTfLiteIoTypeInput, buffer, attrs, &handle));
    assert_fails(TfLiteAsyncSignatureRunnerRegisterBufferSlice(NULL, 0, attrs, &handle));
    assert_fails(TfLiteAsyncSignatureRunnerUnregisterBuffer(NULL, 0));
    assert_fails(TfLiteAsyncSignatureRunnerGetSupportedBufferTypes(NULL, kTfLiteIoTypeInput, &types, &count));
    assert_fails(
        TfLiteAsyncSignatureRunnerGetSupportedSynchronizationTypes(NULL, kTfLiteIoTypeInput, &types, &count));
    assert_false(
        TfLiteAsyncSignatureRunnerReconcileRestrictions(NULL, kTfLiteIoTypeInput, "x", attrs, attrs, NULL));
    assert_false(TfLiteAsyncSignatureRunnerReconcileRestrictionsByIndex(NULL, 0, attrs, attrs, NULL));
    assert_fails(TfLiteAsyncSignatureRunnerSetAttributes(NULL, kTfLiteIoTypeInput, "x", attrs));
    assert_fails(TfLiteAsyncSignatureRunnerSetAttributesByIndex(NULL, 0, attrs));
    assert_fails(TfLiteAsyncSignatureRunnerPrepareBackends(NULL));
    assert_null(TfLiteAsyncSignatureRunnerCreateTask(NULL));
    assert_fails(TfLiteAsyncSignatureRunnerInvokeAsync(NULL, NULL));
    assert_fails(TfLiteAsyncSignatureRunnerWait(NULL, NULL));
    assert_fails(TfLiteAsyncSignatureRunnerFinish(NULL, NULL));
    assert_int_equal(TfLiteAsyncSignatureRunnerGetInputCount(NULL), 0);
    assert_int_equal(TfLiteAsyncSignatureRunnerGetOutputCount(NULL), 0);
    assert_null(TfLiteAsyncSignatureRunnerGetInputName(NULL, 0));
    assert_null(TfLiteAsyncSignatureRunnerGetOutputName(NULL, 0));
    assert_null(TfLiteAsyncSignatureRunnerGetInputTensor(NULL, "x"));
    assert_null(TfLiteAsyncSignatureRunnerGetOutputTensor(NULL, "y"));
    assert_null(TfLiteAsyncSignatureRunnerInputTensorIndices(NULL));
    assert_null(TfLiteAsyncSignatureRunnerOutputTensorIndices(NULL));
    assert_null(TfLiteAsyncSignatureRunnerGetTensor(NULL, 0));
    TfLiteAttributeMapDelete(attrs);
    TfLiteBackendBufferDelete(buffer);
}

static void no_task_is_an_error(void** state) {
    (void)state;
    TfLiteSynchronization* sync = TfLiteSynchronizationCreate();
    assert_fails(TfLiteExecutionTaskSetBuffer(NULL, kTfLiteIoTypeInput, "x", 42));
    assert_fails(TfLiteExecutionTaskSetBufferByIndex(NULL, 0, 42));
    assert_fails(TfLiteExecutionTaskSetSync(NULL, kTfLiteIoTypeInput, "x", sync));
    assert_fails(TfLiteExecutionTaskSetSyncByIndex(NULL, 0, sync));
    assert_int_equal(TfLiteExecutionTaskGetBufferByName(NULL, kTfLiteIoTypeInput, "x"),
                     kTfLiteNullBufferHandle);
    assert_int_equal(TfLiteExecutionTaskGetBufferByIndex(NULL, 0), kTfLiteNullBufferHandle);
    assert_null(TfLiteExecutionTaskGetSyncByName(NULL, kTfLiteIoTypeInput, "x"));
    assert_null(TfLiteExecutionTaskGetSyncByIndex(NULL, 0));
    assert_null(TfLiteExecutionTaskGetDelegateExecutionData(NULL, NULL));
    TfLiteExecutionTaskSetDelegateExecutionData(NULL, NULL, sync);
    assert_fails(TfLiteExecutionTaskGetStatus(NULL));
    TfLiteExecutionTaskSetStatus(NULL, kTfLiteOk);
    TfLiteSynchronizationDelete(sync);
    TfLiteAsyncKernelDelete(NULL);
    assert_null(TfLiteAsyncKernelGetKernelData(NULL));
    TfLiteAsyncKernelSetPrepare(NULL, NULL);
}

static void arguments_that_do_not_fit(void** state) {
    (void)state;
    Backend backend = {0};
    AsyncProgram program = async_program_open(&backend, 1);
    TfLiteAsyncSignatureRunner* runner = program.runner;
    TfLiteBufferHandle handle = 99;
    TfLiteAttributeMap* attrs = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    TfLiteAttributeMap* sync = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeSync);
    TfLiteAttributeMap* conflict = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    TfLiteBackendBuffer* buffer = TfLiteBackendBufferCreate();
    TfLiteBackendBufferSetPtr(buffer, &program.memory);
    const TfLiteIoType input = kTfLiteIoTypeInput;
    // Buffers.
    assert_fails(TfLiteAsyncSignatureRunnerRegisterBuffer(runner, input, NULL, attrs, &handle));
    assert_fails(TfLiteAsyncSignatureRunnerRegisterBuffer(runner, input, buffer, NULL, &handle));
    assert_fails(TfLiteAsyncSignatureRunnerRegisterBuffer(runner, input, buffer, attrs, NULL));
    assert_fails(TfLiteAsyncSignatureRunnerRegisterBuffer(runner, input, buffer, sync, &handle));
    assert_fails(
        TfLiteAsyncSignatureRunnerRegisterBuffer(runner, kTfLiteIoTypeUnknown, buffer, attrs, &handle));
    assert_fails(TfLiteAsyncSignatureRunnerRegisterBuffer(runner, input, buffer, attrs, &handle)); // no type
    assert_fails(TfLiteAsyncSignatureRunnerRegisterBufferSlice(runner, 0, NULL, &handle));
    assert_fails(TfLiteAsyncSignatureRunnerRegisterBufferSlice(runner, 0, attrs, NULL));
    assert_fails(TfLiteAsyncSignatureRunnerRegisterBufferSlice(runner, 0, sync, &handle));
    assert_fails(TfLiteAsyncSignatureRunnerRegisterBufferSlice(runner, 77, attrs, &handle));
    assert_fails(TfLiteAsyncSignatureRunnerUnregisterBuffer(runner, 77));
    assert_int_equal(handle, 99);
    // Attributes.
    assert_false(TfLiteAsyncSignatureRunnerReconcileRestrictions(runner, input, "x", NULL, attrs, NULL));
    assert_false(TfLiteAsyncSignatureRunnerReconcileRestrictions(runner, input, "x", attrs, NULL, NULL));
    assert_false(TfLiteAsyncSignatureRunnerReconcileRestrictions(runner, input, "y", attrs, attrs, NULL));
    assert_false(TfLiteAsyncSignatureRunnerReconcileRestrictions(runner, input, NULL, attrs, attrs, NULL));
    assert_false(TfLiteAsyncSignatureRunnerReconcileRestrictions(runner, kTfLiteIoTypeUnknown, "x", attrs,
                                                                 attrs, NULL));
    assert_false(TfLiteAsyncSignatureRunnerReconcileRestrictionsByIndex(runner, 42, attrs, attrs, NULL));
    assert_fails(TfLiteAsyncSignatureRunnerSetAttributes(runner, input, "x", NULL));
    assert_fails(TfLiteAsyncSignatureRunnerSetAttributes(runner, input, "y", attrs));
    assert_fails(TfLiteAsyncSignatureRunnerSetAttributesByIndex(runner, 42, attrs));
    assert_fails(TfLiteAsyncSignatureRunnerSetAttributesByIndex(runner, -1, attrs));
    assert_fails(TfLiteAsyncSignatureRunnerSetAttributes(runner, input, "x", attrs)); // does not cover
    TfLiteAttributeMapSetStringBufferAttr(attrs, kTfLiteBufferAttrKeyResourceTypeName, "of another world");
    assert_false(TfLiteAsyncSignatureRunnerReconcileRestrictions(runner, input, "x", attrs, attrs, conflict));
    const char* type = NULL;
    assert_true(TfLiteAttributeMapGetStringBufferAttr(conflict, kTfLiteBufferAttrKeyResourceTypeName, &type));
    assert_string_equal(type, "of another world");
    // Supported types.
    const char* const* types;
    size_t count;
    assert_fails(TfLiteAsyncSignatureRunnerGetSupportedBufferTypes(runner, input, NULL, &count));
    assert_fails(TfLiteAsyncSignatureRunnerGetSupportedBufferTypes(runner, input, &types, NULL));
    assert_fails(TfLiteAsyncSignatureRunnerGetSupportedSynchronizationTypes(runner, input, NULL, &count));
    // Tasks.
    assert_fails(TfLiteAsyncSignatureRunnerInvokeAsync(runner, NULL));
    assert_fails(TfLiteAsyncSignatureRunnerWait(runner, NULL));
    assert_fails(TfLiteAsyncSignatureRunnerFinish(runner, NULL));
    TfLiteAttributeMapDelete(attrs);
    TfLiteAttributeMapDelete(sync);
    TfLiteAttributeMapDelete(conflict);
    TfLiteBackendBufferDelete(buffer);
    async_program_close(&program);
}

// Every call that needs a kernel fails, and says why.
static void check_no_kernel(const AsyncProgram* program, const char* reason) {
    TfLiteAsyncSignatureRunner* runner = program->runner;
    TfLiteAttributeMap* attrs = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    TfLiteBackendBuffer* buffer = TfLiteBackendBufferCreate();
    TfLiteBufferHandle handle;
    const char* const* types;
    size_t count;
    fixture_messages[0] = '\0';
    assert_fails(
        TfLiteAsyncSignatureRunnerGetSupportedBufferTypes(runner, kTfLiteIoTypeInput, &types, &count));
    assert_non_null(strstr(fixture_messages, reason));
    assert_fails(TfLiteAsyncSignatureRunnerGetSupportedSynchronizationTypes(runner, kTfLiteIoTypeInput,
                                                                            &types, &count));
    assert_fails(
        TfLiteAsyncSignatureRunnerRegisterBuffer(runner, kTfLiteIoTypeInput, buffer, attrs, &handle));
    assert_fails(TfLiteAsyncSignatureRunnerRegisterBufferSlice(runner, 0, attrs, &handle));
    assert_fails(TfLiteAsyncSignatureRunnerUnregisterBuffer(runner, 0));
    assert_false(
        TfLiteAsyncSignatureRunnerReconcileRestrictions(runner, kTfLiteIoTypeInput, "x", attrs, attrs, NULL));
    assert_fails(TfLiteAsyncSignatureRunnerSetAttributes(runner, kTfLiteIoTypeInput, "x", attrs));
    assert_fails(TfLiteAsyncSignatureRunnerPrepareBackends(runner));
    TfLiteExecutionTask* task = TfLiteAsyncSignatureRunnerCreateTask(runner);
    assert_non_null(task);
    assert_ok(TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeInput, "x", 0));
    assert_fails(TfLiteAsyncSignatureRunnerInvokeAsync(runner, task));
    assert_ok(TfLiteAsyncSignatureRunnerWait(runner, task)); // nothing was scheduled
    assert_fails(TfLiteAsyncSignatureRunnerFinish(runner, task));
    assert_string_equal(TfLiteAsyncSignatureRunnerGetInputName(runner, 0), "x");
    TfLiteAttributeMapDelete(attrs);
    TfLiteBackendBufferDelete(buffer);
}

static void delegates_that_cannot(void** state) {
    (void)state;
    Backend backend = {.form = kBackendNone};
    AsyncProgram program = async_program_open(&backend, 2);
    assert_non_null(strstr(fixture_messages, "Backend does not support asynchronous execution."));
    check_no_kernel(&program, "Backend does not support asynchronous execution.");
    async_program_close(&program);

    backend = (Backend){.form = kBackendEmpty};
    program = async_program_open(&backend, 2);
    check_no_kernel(&program, "the asynchronous kernel has no function 'supported_buffer_types'");
    async_program_close(&program);

    backend = (Backend){.most_nodes = 1};
    program = async_program_open(&backend, 2);
    assert_non_null(strstr(fixture_messages, "Model is not fully delegated by 1 backend."));
    check_no_kernel(&program, "Model is not fully delegated by 1 backend.");
    async_program_close(&program);
}

// A runner made before there was a delegate works from then on.
static void delegated_later(void** state) {
    (void)state;
    Backend backend = {0};
    AsyncProgram program = async_program_open(&backend, 2);
    TfLiteInterpreter* delegated = program.interpreter;
    TfLiteAsyncSignatureRunner* runner = program.runner;
    program.interpreter = async_program_open_interpreter(fixture_model(2), NULL);
    program.runner = TfLiteInterpreterGetAsyncSignatureRunner(program.interpreter, "main");
    check_no_kernel(&program, "Model is not fully delegated by 1 backend.");
    TfLiteExecutionTask* early = TfLiteAsyncSignatureRunnerCreateTask(program.runner);
    assert_ok(TfLiteInterpreterModifyGraphWithDelegate(program.interpreter, program.delegate));
    async_program_set_up(&program, kTfLiteSyncTypeNoSyncObj);
    TfLiteExecutionTask* task = async_program_task(&program, 0);
    async_program_fill(&program, 0, 1.0f);
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, task));
    assert_fails(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, early));
    // Not by a runner of another graph.
    assert_fails(TfLiteAsyncSignatureRunnerWait(runner, task));
    assert_fails(TfLiteAsyncSignatureRunnerInvokeAsync(runner, task));
    assert_ok(TfLiteAsyncSignatureRunnerWait(program.runner, task));
    async_program_check(&program, 0, 1.0f, 4.0f);
    assert_ok(TfLiteAsyncSignatureRunnerFinish(program.runner, task));
    assert_fails(TfLiteAsyncSignatureRunnerFinish(program.runner, early));
    TfLiteAsyncSignatureRunnerDelete(runner);
    TfLiteInterpreterDelete(delegated);
    async_program_close(&program);
}

static void failing_kernels(void** state) {
    (void)state;
    Backend backend = {.register_status = kTfLiteDelegateError};
    AsyncProgram program = async_program_open(&backend, 1);
    TfLiteAsyncSignatureRunner* runner = program.runner;
    TfLiteAttributeMap* attrs = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    TfLiteBackendBuffer* buffer = TfLiteBackendBufferCreate();
    TfLiteBufferHandle handle;
    assert_int_equal(
        TfLiteAsyncSignatureRunnerRegisterBuffer(runner, kTfLiteIoTypeInput, buffer, attrs, &handle),
        kTfLiteDelegateError);
    TfLiteAttributeMapDelete(attrs);
    TfLiteBackendBufferDelete(buffer);
    backend.register_status = kTfLiteOk;
    async_program_set_up(&program, kTfLiteSyncTypeNoSyncObj);
    TfLiteExecutionTask* task = async_program_task(&program, 0);
    // Cannot be scheduled: still to be waited for.
    backend.eval_status = kTfLiteDelegateError;
    assert_int_equal(TfLiteAsyncSignatureRunnerInvokeAsync(runner, task), kTfLiteDelegateError);
    assert_int_equal(TfLiteExecutionTaskGetStatus(task), kTfLiteDelegateError);
    assert_fails(TfLiteAsyncSignatureRunnerInvokeAsync(runner, task));
    assert_fails(TfLiteAsyncSignatureRunnerWait(runner, task));
    backend.eval_status = kTfLiteOk;
    // Fails while it runs: every wait says so until it runs again.
    backend.run_status = kTfLiteApplicationError;
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(runner, task));
    assert_ok(TfLiteExecutionTaskGetStatus(task));
    assert_int_equal(TfLiteAsyncSignatureRunnerWait(runner, task), kTfLiteApplicationError);
    assert_int_equal(TfLiteAsyncSignatureRunnerWait(runner, task), kTfLiteApplicationError);
    backend.run_status = kTfLiteOk;
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(runner, task));
    assert_ok(TfLiteAsyncSignatureRunnerWait(runner, task));
    backend.finish_status = kTfLiteDelegateError;
    assert_int_equal(TfLiteAsyncSignatureRunnerFinish(runner, task), kTfLiteDelegateError);
    assert_non_null(strstr(fixture_messages, "Failed to finish task."));
    // Buffers that are not there.
    task = TfLiteAsyncSignatureRunnerCreateTask(runner);
    backend.finish_status = kTfLiteOk;
    assert_fails(TfLiteAsyncSignatureRunnerInvokeAsync(runner, task));
    assert_ok(TfLiteAsyncSignatureRunnerFinish(runner, task));
    async_program_close(&program);
}

static void cancelled(void** state) {
    (void)state;
    Backend backend = {0};
    AsyncProgram program = async_program_open(&backend, 1);
    async_program_set_up(&program, BACKEND_FENCE);
    TfLiteExecutionTask* task = async_program_task(&program, 0);
    TfLiteSynchronization* sync = TfLiteSynchronizationCreate();
    BackendFence* fence = backend_fence_create();
    TfLiteSynchronizationSetPtr(sync, fence);
    assert_ok(TfLiteExecutionTaskSetSync(task, kTfLiteIoTypeInput, "x", sync));
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, task));
    assert_ok(TfLiteInterpreterCancel(program.interpreter));
    backend_fence_signal(fence);
    assert_int_equal(TfLiteAsyncSignatureRunnerWait(program.runner, task), kTfLiteCancelled);
    assert_int_equal(TfLiteExecutionTaskGetStatus(task), kTfLiteCancelled);
    // The next execution is not concerned.
    assert_ok(TfLiteExecutionTaskSetSync(task, kTfLiteIoTypeInput, "x", NULL));
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, task));
    assert_ok(TfLiteAsyncSignatureRunnerWait(program.runner, task));
    assert_ok(TfLiteAsyncSignatureRunnerFinish(program.runner, task));
    TfLiteSynchronizationDelete(sync);
    async_program_close(&program);
}

// A resize undoes the delegate, with a task in flight; the next allocation applies it again.
static void delegated_anew(void** state) {
    (void)state;
    Backend backend = {0};
    AsyncProgram program = async_program_open(&backend, 1);
    async_program_set_up(&program, kTfLiteSyncTypeNoSyncObj);
    async_program_fill(&program, 0, 1.0f);
    TfLiteExecutionTask* running = async_program_task(&program, 0);
    TfLiteExecutionTask* idle = async_program_task(&program, 1);
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, running));
    const int larger[] = {5};
    assert_ok(TfLiteInterpreterResizeInputTensor(program.interpreter, 0, larger, 1));
    assert_int_equal(backend.finishes, 2);
    async_program_check(&program, 0, 1.0f, 2.0f);
    assert_ok(TfLiteAsyncSignatureRunnerWait(program.runner, running));
    check_no_kernel(&program, "Model is not fully delegated by 1 backend.");

    const int before[] = {kLength};
    assert_ok(TfLiteInterpreterResizeInputTensor(program.interpreter, 0, before, 1));
    assert_ok(TfLiteInterpreterAllocateTensors(program.interpreter));
    assert_int_equal(backend.kernels, 1);
    assert_fails(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, running));
    assert_fails(TfLiteAsyncSignatureRunnerFinish(program.runner, running));
    assert_fails(TfLiteAsyncSignatureRunnerFinish(program.runner, idle));
    assert_int_equal(backend.finishes, 2);
    const TfLiteBufferHandle old_pool = program.pool;
    async_program_set_up(&program, kTfLiteSyncTypeNoSyncObj);
    assert_true(program.pool > old_pool); // handles are not used again
    TfLiteExecutionTask* task = async_program_task(&program, 0);
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, task));
    assert_ok(TfLiteAsyncSignatureRunnerWait(program.runner, task));
    assert_ok(TfLiteAsyncSignatureRunnerFinish(program.runner, task));
    async_program_close(&program);
}

static void interpreter_deleted_first(void** state) {
    (void)state;
    Backend backend = {0};
    AsyncProgram program = async_program_open(&backend, 1);
    async_program_set_up(&program, kTfLiteSyncTypeNoSyncObj);
    async_program_fill(&program, 0, 1.0f);
    TfLiteAsyncSignatureRunner* runner = program.runner;
    TfLiteExecutionTask* task = async_program_task(&program, 0);
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(runner, task));
    TfLiteInterpreterDelete(program.interpreter);
    program.interpreter = NULL;
    assert_int_equal(backend.finishes, 1);
    async_program_check(&program, 0, 1.0f, 2.0f);

    TfLiteAttributeMap* attrs = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    assert_int_equal(TfLiteAsyncSignatureRunnerGetInputCount(runner), 0);
    assert_null(TfLiteAsyncSignatureRunnerGetInputName(runner, 0));
    assert_null(TfLiteAsyncSignatureRunnerGetOutputName(runner, 0));
    assert_null(TfLiteAsyncSignatureRunnerGetInputTensor(runner, "x"));
    assert_null(TfLiteAsyncSignatureRunnerInputTensorIndices(runner));
    assert_fails(TfLiteAsyncSignatureRunnerSetAttributes(runner, kTfLiteIoTypeInput, "x", attrs));
    assert_fails(TfLiteAsyncSignatureRunnerSetAttributesByIndex(runner, 0, attrs));
    assert_fails(TfLiteAsyncSignatureRunnerPrepareBackends(runner));
    assert_null(TfLiteAsyncSignatureRunnerCreateTask(runner));
    assert_fails(TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeInput, "x", 0));
    assert_fails(TfLiteAsyncSignatureRunnerInvokeAsync(runner, task));
    assert_fails(TfLiteAsyncSignatureRunnerWait(runner, task));
    assert_fails(TfLiteAsyncSignatureRunnerFinish(runner, task));
    TfLiteAttributeMapDelete(attrs);
    async_program_close(&program);
}

static void out_of_memory(void** state) {
    (void)state;
    Backend backend = {0};
    AsyncProgram program = async_program_open(&backend, 1);
    TfLiteInterpreter* fresh = async_program_open_interpreter(fixture_model(1), NULL);
    for (int allowed = 0; allowed < 2; allowed++) {
        lite_memory_fail_after(allowed);
        assert_null(TfLiteInterpreterGetAsyncSignatureRunner(fresh, "main"));
        lite_memory_fail_after(-1);
    }
    lite_memory_fail_after(0);
    assert_null(TfLiteAsyncKernelCreate(NULL));
    assert_null(TfLiteAsyncSignatureRunnerCreateTask(program.runner));
    lite_memory_fail_after(-1);
    TfLiteExecutionTask* task = TfLiteAsyncSignatureRunnerCreateTask(program.runner);
    lite_memory_fail_after(0);
    assert_fails(TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeInput, "x", 1));
    lite_memory_fail_after(-1);
    assert_int_equal(TfLiteExecutionTaskGetBufferByName(task, kTfLiteIoTypeInput, "x"),
                     kTfLiteNullBufferHandle);
    assert_ok(TfLiteAsyncSignatureRunnerFinish(program.runner, task));
    TfLiteInterpreterDelete(fresh);
    async_program_close(&program);
}

static TfLiteStatus set_buffer(TfLiteAsyncKernel* kernel, const TfLiteBackendBuffer* buffer,
                               const TfLiteAttributeMap* attrs) {
    return kernel != NULL && buffer != NULL && attrs != NULL ? kTfLiteOk : kTfLiteError;
}

static TfLiteStatus get_buffer(TfLiteAsyncKernel* kernel, const TfLiteBackendBuffer* buffer,
                               TfLiteAttributeMap* attrs) {
    return kernel != NULL && buffer != NULL && attrs != NULL ? kTfLiteOk : kTfLiteError;
}

// Functions that no runner calls.
static void attributes_of_registered_buffers(void** state) {
    (void)state;
    TfLiteAsyncKernel* kernel = TfLiteAsyncKernelCreate(NULL);
    TfLiteAsyncKernelSetSetBufferAttributes(kernel, set_buffer);
    TfLiteAsyncKernelSetGetBufferAttributes(kernel, get_buffer);
    assert_true(kernel->set_buffer_attributes == set_buffer && kernel->get_buffer_attributes == get_buffer);
    assert_fails(kernel->set_buffer_attributes(kernel, NULL, NULL));
    assert_fails(kernel->get_buffer_attributes(kernel, NULL, NULL));
    TfLiteAsyncKernelDelete(kernel);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_an_error),
        cmocka_unit_test(no_task_is_an_error),
        cmocka_unit_test(arguments_that_do_not_fit),
        cmocka_unit_test(delegates_that_cannot),
        cmocka_unit_test(delegated_later),
        cmocka_unit_test(failing_kernels),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(delegated_anew),
        cmocka_unit_test(interpreter_deleted_first),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(attributes_of_registered_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
