// SPDX-License-Identifier: Apache-2.0
// Asynchronous execution end to end, with a delegate that computes on a thread of its own, and the errors for
// each misuse.
#include <pthread.h>
#include <string.h>

#include "tensorflow/lite/async/interop/c/constants.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/api/async_program.h"
#include "tests/api/cmocka_setup.h"

static void run_each_form(void** state) {
    (void)state;
    const BackendForm forms[] = {kBackendOperator, kBackendWithData, kBackendRegistration};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        Backend backend = {.form = forms[i]};
        AsyncProgram program = async_program_open(&backend, 3);
        async_program_set_up(&program, kTfLiteSyncTypeNoSyncObj);
        assert_int_equal(program.pool, 0);
        TfLiteExecutionTask* task = async_program_task(&program, 0);
        for (int run = 1; run <= 3; run++) {
            async_program_fill(&program, 0, (float)run);
            assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, task));
            assert_ok(TfLiteAsyncSignatureRunnerWait(program.runner, task));
            assert_ok(TfLiteAsyncSignatureRunnerWait(program.runner, task)); // the latest status
            async_program_check(&program, 0, (float)run, 8.0f);
        }
        assert_ok(TfLiteAsyncSignatureRunnerFinish(program.runner, task));
        for (int slot = 0; slot < kSlots; slot++) {
            assert_ok(TfLiteAsyncSignatureRunnerUnregisterBuffer(program.runner, program.input[slot]));
            assert_ok(TfLiteAsyncSignatureRunnerUnregisterBuffer(program.runner, program.output[slot]));
        }
        assert_ok(TfLiteAsyncSignatureRunnerUnregisterBuffer(program.runner, program.pool));
        assert_int_equal(backend.asked, 1);
        assert_int_equal(backend.prepares, 1);
        assert_int_equal(backend.waits, 3);
        assert_int_equal(backend.finishes, 1);
        assert_string_equal(fixture_messages, "");
        // The graph can still be run the ordinary way.
        fixture_check_run(program.interpreter, 8.0f);
        async_program_close(&program);
    }
}

static void two_tasks_in_flight(void** state) {
    (void)state;
    Backend backend = {0};
    AsyncProgram program = async_program_open(&backend, 2);
    async_program_set_up(&program, BACKEND_FENCE);
    TfLiteExecutionTask* tasks[2];
    TfLiteSynchronization* ready[2];
    TfLiteSynchronization* done[2];
    BackendFence* fences[2];
    for (int i = 0; i < 2; i++) {
        tasks[i] = async_program_task(&program, i);
        ready[i] = TfLiteSynchronizationCreate();
        done[i] = TfLiteSynchronizationCreate();
        fences[i] = backend_fence_create();
        TfLiteSynchronizationSetPtr(ready[i], fences[i]);
        assert_ok(TfLiteExecutionTaskSetSync(tasks[i], kTfLiteIoTypeInput, "x", ready[i]));
        assert_ok(TfLiteExecutionTaskSetSync(tasks[i], kTfLiteIoTypeOutput, "y", done[i]));
        // Scheduled before there is anything to compute with.
        assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, tasks[i]));
    }
    for (int i = 0; i < 2; i++) {
        assert_fails(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, tasks[i]));
        async_program_fill(&program, i, 10.0f * (float)i);
        backend_fence_signal(fences[i]);
    }
    assert_non_null(strstr(fixture_messages, "already been scheduled"));
    for (int i = 1; i >= 0; i--) {
        BackendFence* fence = TfLiteSynchronizationGetPtr(done[i]);
        assert_non_null(fence);
        backend_fence_wait(fence); // the outputs are there before anybody waits for the task
        async_program_check(&program, i, 10.0f * (float)i, 4.0f);
        assert_ok(TfLiteAsyncSignatureRunnerWait(program.runner, tasks[i]));
        assert_ok(TfLiteAsyncSignatureRunnerFinish(program.runner, tasks[i]));
        backend_fence_close(fence);
        TfLiteSynchronizationDelete(ready[i]);
        TfLiteSynchronizationDelete(done[i]);
    }
    async_program_close(&program);
}

// Finish without a wait, and a task that never ran.
static void finishing_waits(void** state) {
    (void)state;
    Backend backend = {0};
    AsyncProgram program = async_program_open(&backend, 1);
    async_program_set_up(&program, kTfLiteSyncTypeNoSyncObj);
    async_program_fill(&program, 2, 5.0f);
    TfLiteExecutionTask* task = async_program_task(&program, 2);
    TfLiteExecutionTask* idle = async_program_task(&program, 1);
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, task));
    assert_ok(TfLiteAsyncSignatureRunnerFinish(program.runner, task));
    async_program_check(&program, 2, 5.0f, 2.0f);
    assert_ok(TfLiteAsyncSignatureRunnerWait(program.runner, idle));
    assert_ok(TfLiteAsyncSignatureRunnerFinish(program.runner, idle));
    assert_int_equal(backend.waits, 0);
    async_program_close(&program);
}

static void supported_types(void** state) {
    (void)state;
    Backend backend = {0};
    AsyncProgram program = async_program_open(&backend, 1);
    const char* const* types;
    size_t count;
    for (int io_type = kTfLiteIoTypeInput; io_type <= kTfLiteIoTypeOutput; io_type++) {
        assert_ok(TfLiteAsyncSignatureRunnerGetSupportedBufferTypes(program.runner, (TfLiteIoType)io_type,
                                                                    &types, &count));
        assert_int_equal(count, 1);
        assert_string_equal(types[0], BACKEND_MEMORY);
        assert_ok(TfLiteAsyncSignatureRunnerGetSupportedSynchronizationTypes(
            program.runner, (TfLiteIoType)io_type, &types, &count));
        assert_int_equal(count, 2);
        assert_string_equal(types[0], "no_sync_obj");
        assert_string_equal(types[1], BACKEND_FENCE);
    }
    assert_fails(TfLiteAsyncSignatureRunnerGetSupportedBufferTypes(program.runner, kTfLiteIoTypeUnknown,
                                                                   &types, &count));
    assert_fails(TfLiteAsyncSignatureRunnerGetSupportedSynchronizationTypes(
        program.runner, kTfLiteIoTypeUnknown, &types, &count));
    async_program_close(&program);
}

static void inputs_and_outputs(void** state) {
    (void)state;
    Backend backend = {0};
    AsyncProgram program = async_program_open(&backend, 2);
    TfLiteAsyncSignatureRunner* runner = program.runner;
    assert_int_equal(TfLiteAsyncSignatureRunnerGetInputCount(runner), 1);
    assert_int_equal(TfLiteAsyncSignatureRunnerGetOutputCount(runner), 1);
    assert_string_equal(TfLiteAsyncSignatureRunnerGetInputName(runner, 0), "x");
    assert_string_equal(TfLiteAsyncSignatureRunnerGetOutputName(runner, 0), "y");
    assert_null(TfLiteAsyncSignatureRunnerGetInputName(runner, 1));
    assert_null(TfLiteAsyncSignatureRunnerGetOutputName(runner, -1));
    const int* inputs = TfLiteAsyncSignatureRunnerInputTensorIndices(runner);
    const int* outputs = TfLiteAsyncSignatureRunnerOutputTensorIndices(runner);
    const TfLiteOpaqueTensor* x = TfLiteAsyncSignatureRunnerGetInputTensor(runner, "x");
    const TfLiteOpaqueTensor* y = TfLiteAsyncSignatureRunnerGetOutputTensor(runner, "y");
    assert_ptr_equal(x, TfLiteInterpreterGetInputTensor(program.interpreter, 0));
    assert_ptr_equal(y, TfLiteInterpreterGetOutputTensor(program.interpreter, 0));
    assert_ptr_equal(TfLiteAsyncSignatureRunnerGetTensor(runner, inputs[0]), x);
    assert_ptr_equal(TfLiteAsyncSignatureRunnerGetTensor(runner, outputs[0]), y);
    assert_int_equal(TfLiteOpaqueTensorDim(x, 0), kLength);
    assert_null(TfLiteAsyncSignatureRunnerGetInputTensor(runner, "y"));
    assert_null(TfLiteAsyncSignatureRunnerGetOutputTensor(runner, "x"));
    assert_non_null(strstr(fixture_messages, "Signature tensor name x was not found"));
    assert_null(TfLiteAsyncSignatureRunnerGetTensor(runner, 42));
    assert_null(TfLiteAsyncSignatureRunnerGetTensor(runner, -1));
    async_program_close(&program);
}

// By the index of tensors; the signature by its key, without one, and in a model without signatures.
static void without_names(void** state) {
    (void)state;
    Backend backend = {0};
    AsyncProgram program = async_program_open(&backend, 1);
    assert_null(TfLiteInterpreterGetAsyncSignatureRunner(program.interpreter, "Main"));
    TfLiteAsyncSignatureRunner* same = TfLiteInterpreterGetAsyncSignatureRunner(program.interpreter, NULL);
    assert_string_equal(TfLiteAsyncSignatureRunnerGetInputName(same, 0), "x");
    async_program_set_up(&program, kTfLiteSyncTypeNoSyncObj);
    async_program_fill(&program, 0, 1.0f);
    const int x = TfLiteAsyncSignatureRunnerInputTensorIndices(same)[0];
    const int y = TfLiteAsyncSignatureRunnerOutputTensorIndices(same)[0];
    TfLiteAttributeMap* sync = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeSync);
    assert_true(TfLiteAsyncSignatureRunnerReconcileRestrictionsByIndex(same, y, sync, sync, NULL));
    assert_ok(TfLiteAsyncSignatureRunnerSetAttributesByIndex(same, y, sync));
    assert_ok(TfLiteAsyncSignatureRunnerPrepareBackends(same));
    TfLiteAttributeMapDelete(sync);
    TfLiteExecutionTask* task = TfLiteAsyncSignatureRunnerCreateTask(same);
    assert_ok(TfLiteExecutionTaskSetBufferByIndex(task, x, program.input[0]));
    assert_ok(TfLiteExecutionTaskSetBufferByIndex(task, y, program.output[0]));
    assert_ok(TfLiteExecutionTaskSetSyncByIndex(task, y, NULL));
    assert_int_equal(TfLiteExecutionTaskGetBufferByName(task, kTfLiteIoTypeInput, "x"), program.input[0]);
    TfLiteAsyncSignatureRunnerDelete(same); // the task lives on
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, task));
    assert_ok(TfLiteAsyncSignatureRunnerWait(program.runner, task));
    async_program_check(&program, 0, 1.0f, 2.0f);
    assert_ok(TfLiteAsyncSignatureRunnerFinish(program.runner, task));
    async_program_close(&program);

    backend = (Backend){0};
    TfLiteDelegate* delegate = backend_create_delegate(&backend);
    TfLiteInterpreter* interpreter = async_program_open_interpreter(fixture_add_model(), delegate);
    assert_null(TfLiteInterpreterGetAsyncSignatureRunner(interpreter, "main"));
    TfLiteAsyncSignatureRunner* runner = TfLiteInterpreterGetAsyncSignatureRunner(interpreter, NULL);
    assert_int_equal(TfLiteAsyncSignatureRunnerGetInputCount(runner), 1);
    assert_non_null(TfLiteAsyncSignatureRunnerGetInputName(runner, 0));
    assert_ok(TfLiteAsyncSignatureRunnerPrepareBackends(runner));
    TfLiteAsyncSignatureRunnerDelete(runner);
    TfLiteInterpreterDelete(interpreter);
    backend_delete_delegate(delegate);
}

static void tasks(void** state) {
    (void)state;
    Backend backend = {0};
    AsyncProgram program = async_program_open(&backend, 1);
    TfLiteSynchronization* sync = TfLiteSynchronizationCreate();
    TfLiteExecutionTask* task = TfLiteAsyncSignatureRunnerCreateTask(program.runner);
    assert_int_equal(TfLiteExecutionTaskGetBufferByName(task, kTfLiteIoTypeInput, "x"),
                     kTfLiteNullBufferHandle);
    assert_null(TfLiteExecutionTaskGetSyncByName(task, kTfLiteIoTypeInput, "x"));
    assert_ok(TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeInput, "x", 42));
    assert_ok(TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeOutput, "y", 43));
    assert_ok(TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeOutput, "y", 44));
    assert_ok(TfLiteExecutionTaskSetSync(task, kTfLiteIoTypeInput, "x", sync));
    assert_int_equal(TfLiteExecutionTaskGetBufferByName(task, kTfLiteIoTypeInput, "x"), 42);
    assert_int_equal(TfLiteExecutionTaskGetBufferByName(task, kTfLiteIoTypeOutput, "y"), 44);
    assert_ptr_equal(TfLiteExecutionTaskGetSyncByName(task, kTfLiteIoTypeInput, "x"), sync);
    assert_null(TfLiteExecutionTaskGetSyncByName(task, kTfLiteIoTypeOutput, "y"));
    assert_fails(TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeOutput, "x", 42));
    assert_fails(TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeUnknown, "x", 42));
    assert_fails(TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeInput, NULL, 42));
    assert_fails(TfLiteExecutionTaskSetBufferByIndex(task, -1, 42));
    assert_fails(TfLiteExecutionTaskSetBufferByIndex(task, 42, 42));
    assert_fails(TfLiteExecutionTaskSetSync(task, kTfLiteIoTypeInput, "y", sync));
    assert_fails(TfLiteExecutionTaskSetSyncByIndex(task, 42, sync));
    assert_int_equal(TfLiteExecutionTaskGetBufferByIndex(task, 42), kTfLiteNullBufferHandle);
    assert_null(TfLiteExecutionTaskGetSyncByIndex(task, 42));
    assert_ok(TfLiteExecutionTaskGetStatus(task));
    TfLiteExecutionTaskSetStatus(task, kTfLiteDelegateError);
    assert_int_equal(TfLiteExecutionTaskGetStatus(task), kTfLiteDelegateError);
    assert_int_equal(TfLiteAsyncSignatureRunnerWait(program.runner, task), kTfLiteDelegateError);
    assert_null(TfLiteExecutionTaskGetDelegateExecutionData(task, NULL));
    assert_ok(TfLiteAsyncSignatureRunnerFinish(program.runner, task));
    TfLiteSynchronizationDelete(sync);
    async_program_close(&program);
}

typedef struct Worker {
    const AsyncProgram* program;
    TfLiteExecutionTask* shared;
    int slot;
    int failures;
} Worker;

static void* run_own_task(void* argument) {
    Worker* worker = argument;
    const AsyncProgram* program = worker->program;
    TfLiteAsyncSignatureRunner* runner = program->runner;
    worker->failures += TfLiteAsyncSignatureRunnerWait(runner, worker->shared) != kTfLiteOk;
    for (int i = 0; i < 50; i++) {
        TfLiteExecutionTask* task = TfLiteAsyncSignatureRunnerCreateTask(runner);
        async_program_fill(program, worker->slot, (float)i);
        TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeInput, "x", program->input[worker->slot]);
        TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeOutput, "y", program->output[worker->slot]);
        worker->failures += TfLiteAsyncSignatureRunnerInvokeAsync(runner, task) != kTfLiteOk;
        worker->failures += TfLiteAsyncSignatureRunnerWait(runner, task) != kTfLiteOk;
        worker->failures += async_program_output(program, worker->slot)[0] != 4.0f * (float)i;
        worker->failures += TfLiteAsyncSignatureRunnerFinish(runner, task) != kTfLiteOk;
    }
    return NULL;
}

// Tasks on different threads, all of which also wait for the same one.
static void threads(void** state) {
    (void)state;
    Backend backend = {0};
    AsyncProgram program = async_program_open(&backend, 2);
    async_program_set_up(&program, BACKEND_FENCE);
    TfLiteExecutionTask* shared = async_program_task(&program, 2);
    TfLiteSynchronization* sync = TfLiteSynchronizationCreate();
    BackendFence* fence = backend_fence_create();
    TfLiteSynchronizationSetPtr(sync, fence);
    assert_ok(TfLiteExecutionTaskSetSync(shared, kTfLiteIoTypeInput, "x", sync));
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, shared));
    pthread_t ids[2];
    Worker workers[2];
    for (int i = 0; i < 2; i++) {
        workers[i] = (Worker){&program, shared, i, 0};
        pthread_create(&ids[i], NULL, run_own_task, &workers[i]);
    }
    backend_fence_signal(fence);
    for (int i = 0; i < 2; i++) {
        pthread_join(ids[i], NULL);
        assert_int_equal(workers[i].failures, 0);
    }
    assert_ok(TfLiteAsyncSignatureRunnerFinish(program.runner, shared));
    TfLiteSynchronizationDelete(sync);
    async_program_close(&program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_each_form),
        cmocka_unit_test(two_tasks_in_flight),
        cmocka_unit_test(finishing_waits),
        cmocka_unit_test(supported_types),
        cmocka_unit_test(inputs_and_outputs),
        cmocka_unit_test(without_names),
        cmocka_unit_test(tasks),
        cmocka_unit_test(threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
