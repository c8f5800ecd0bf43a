// SPDX-License-Identifier: Apache-2.0
// Asynchronous execution by the OpenCL delegate: results, buffers of all types, events, tasks in flight.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tests/api/opencl_program.h"

static const char* const all_host[kTensors] = {HOST, HOST, HOST, HOST};
static const char* const all_device[kTensors] = {DEVICE, DEVICE, DEVICE, DEVICE};
static const char* const mixed[kTensors] = {HOST, DEVICE, DEVICE, HOST};
static const char* const mixed_otherwise[kTensors] = {DEVICE, HOST, HOST, DEVICE};
static const char* digits;

static void names_are_told(void** state) {
    (void)state;
    ClProgram program;
    cl_program_open(&program, NULL);
    for (int io_type = kTfLiteIoTypeInput; io_type <= kTfLiteIoTypeOutput; io_type++) {
        const char* const* names;
        size_t count;
        assert_ok(TfLiteAsyncSignatureRunnerGetSupportedBufferTypes(program.runner, (TfLiteIoType)io_type,
                                                                    &names, &count));
        assert_int_equal(count, 2);
        assert_string_equal(names[0], HOST);
        assert_string_equal(names[1], DEVICE);
        assert_ok(TfLiteAsyncSignatureRunnerGetSupportedSynchronizationTypes(
            program.runner, (TfLiteIoType)io_type, &names, &count));
        assert_int_equal(count, 2);
        assert_string_equal(names[0], kTfLiteSyncTypeNoSyncObj);
        assert_string_equal(names[1], OCLITE_OPENCL_CL_EVENT);
    }
    cl_program_close(&program);
    assert_null(oclite_opencl_delegate_context(NULL));
    assert_null(oclite_opencl_delegate_device_id(NULL));
}

static void the_gpu_delegate_can_do_it_too(void** state) {
    (void)state;
    TfLiteDelegate* delegate = TfLiteGpuDelegateV2CreateAsync(NULL);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddDelegate(options, delegate);
    TfLiteModel* model = TfLiteModelCreateFromFile(digits);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteAsyncSignatureRunner* runner = TfLiteInterpreterGetAsyncSignatureRunner(interpreter, NULL);
    const char* const* names;
    size_t count;
    assert_ok(TfLiteAsyncSignatureRunnerGetSupportedBufferTypes(runner, kTfLiteIoTypeInput, &names, &count));
    TfLiteAsyncSignatureRunnerDelete(runner);
    TfLiteInterpreterDelete(interpreter);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteModelDelete(model);
    TfLiteGpuDelegateV2Delete(delegate);
}

static void buffers_of_all_types(void** state) {
    (void)state;
    static const char* const* const choices[] = {all_host, all_device, mixed, mixed_otherwise};
    ClProgram program;
    cl_program_open(&program, NULL);
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        cl_program_set_up(&program, choices[i], kTfLiteSyncTypeNoSyncObj);
        ClSlot slot;
        cl_slot_open(&program, &slot, choices[i], 5);
        cl_slot_run(&program, &slot);
        cl_slot_run(&program, &slot); // the same task again
        cl_slot_close(&program, &slot);
    }
    cl_program_close(&program);
}

// What nobody agreed on is decided by each task.
static void without_agreement(void** state) {
    (void)state;
    ClProgram program;
    cl_program_open(&program, NULL);
    assert_ok(TfLiteAsyncSignatureRunnerPrepareBackends(program.runner));
    ClSlot slots[2];
    cl_slot_open(&program, &slots[0], mixed, 1);
    cl_slot_open(&program, &slots[1], mixed_otherwise, 2);
    for (int i = 0; i < 2; i++)
        assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, slots[i].task));
    for (int i = 0; i < 2; i++) assert_ok(TfLiteAsyncSignatureRunnerWait(program.runner, slots[i].task));
    for (int i = 0; i < 2; i++) cl_slot_check(&program, &slots[i]);
    for (int i = 0; i < 2; i++) cl_slot_close(&program, &slots[i]);
    cl_program_close(&program);
}

enum { kPixels = 64, kDigits = 10, kImages = 20 };

// A real model, bit for bit as by TfLiteInterpreterInvoke, which runs in between.
static void check_digits(const char* input_type, const char* output_type) {
    ClProgram program;
    cl_program_open(&program, digits);
    assert_ok(TfLiteInterpreterAllocateTensors(program.interpreter));
    cl_program_agree(&program, kTfLiteIoTypeInput, "keras_tensor_7", input_type, kTfLiteSyncTypeNoSyncObj);
    cl_program_agree(&program, kTfLiteIoTypeOutput, "output_0", output_type, kTfLiteSyncTypeNoSyncObj);
    // What host memory is copied to or from.
    const size_t staging =
        (input_type[0] == HOST[0] ? kPixels : 0) + (output_type[0] == HOST[0] ? kDigits : 0);
    const size_t memory = oclite_opencl_delegate_memory(program.delegate);
    assert_ok(TfLiteAsyncSignatureRunnerPrepareBackends(program.runner));
    assert_int_equal(oclite_opencl_delegate_memory(program.delegate), memory + staging * sizeof(float));
    ClBuffer input = cl_buffer_create(&program, kTfLiteIoTypeInput, input_type, kPixels);
    ClBuffer output = cl_buffer_create(&program, kTfLiteIoTypeOutput, output_type, kDigits);
    TfLiteExecutionTask* task = TfLiteAsyncSignatureRunnerCreateTask(program.runner);
    assert_ok(TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeInput, "keras_tensor_7", input.handle));
    assert_ok(TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeOutput, "output_0", output.handle));
    srand(1);
    for (int image = 0; image < kImages; image++) {
        float pixels[kPixels];
        float expected[kDigits];
        float found[kDigits];
        for (int i = 0; i < kPixels; i++) pixels[i] = (float)(rand() % 256) / 255.0f;
        cl_buffer_write(&program, &input, pixels);
        TfLiteTensor* tensor = TfLiteInterpreterGetInputTensor(program.interpreter, 0);
        assert_ok(TfLiteTensorCopyFromBuffer(tensor, pixels, sizeof pixels));
        assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, task));
        assert_ok(TfLiteInterpreterInvoke(program.interpreter));
        assert_ok(TfLiteAsyncSignatureRunnerWait(program.runner, task));
        cl_buffer_read(&program, &output, found);
        assert_ok(TfLiteTensorCopyToBuffer(TfLiteInterpreterGetOutputTensor(program.interpreter, 0), expected,
                                           sizeof expected));
        assert_memory_equal(found, expected, sizeof expected);
        assert_true(expected[0] >= 0 && expected[0] <= 1);
    }
    assert_ok(TfLiteAsyncSignatureRunnerFinish(program.runner, task));
    cl_buffer_destroy(&program, &input);
    cl_buffer_destroy(&program, &output);
    cl_program_close(&program);
}

static void results_are_those_of_invoke(void** state) {
    (void)state;
    check_digits(HOST, HOST);
    check_digits(DEVICE, DEVICE);
    check_digits(HOST, DEVICE);
}

// Slices.

static void check_slices(const char* type) {
    enum { kPart = 4096 }; // as any device wants it
    ClProgram program;
    cl_program_open(&program, NULL);
    ClBuffer pool = cl_buffer_create(&program, kTfLiteIoTypeOutput, type, kTensors * kPart / sizeof(float));
    const char* const types[kTensors] = {type, type, type, type};
    cl_program_set_up(&program, types, kTfLiteSyncTypeNoSyncObj);
    float* contents = calloc(pool.count, sizeof(float));
    for (int i = 0; i < kCount; i++) {
        contents[i] = (float)i;
        contents[kPart / sizeof(float) + (size_t)i] = 1000;
    }
    cl_buffer_write(&program, &pool, contents);
    TfLiteExecutionTask* task = TfLiteAsyncSignatureRunnerCreateTask(program.runner);
    TfLiteBufferHandle slices[kTensors];
    for (size_t i = 0; i < kTensors; i++) {
        TfLiteAttributeMap* attrs = cl_attributes(type, 0, i * kPart, kCount * sizeof(float));
        assert_ok(
            TfLiteAsyncSignatureRunnerRegisterBufferSlice(program.runner, pool.handle, attrs, &slices[i]));
        TfLiteAttributeMapDelete(attrs);
        assert_ok(TfLiteExecutionTaskSetBuffer(task, cl_tensors[i].io_type, cl_tensors[i].name, slices[i]));
    }
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, task));
    assert_ok(TfLiteAsyncSignatureRunnerWait(program.runner, task));
    cl_buffer_read(&program, &pool, contents);
    for (int i = 0; i < kCount; i++) {
        const size_t part = kPart / sizeof(float);
        const size_t at = (size_t)i;
        assert_float_equal(contents[2 * part + at], 1000 + (float)i, 0.0f);
        assert_float_equal(contents[3 * part + at], (1000 + (float)i) * (float)i, 0.0f);
    }
    assert_ok(TfLiteAsyncSignatureRunnerFinish(program.runner, task));
    free(contents);
    for (int i = 0; i < kTensors; i++) {
        assert_ok(TfLiteAsyncSignatureRunnerUnregisterBuffer(program.runner, slices[i]));
    }
    cl_buffer_destroy(&program, &pool);
    cl_program_close(&program);
}

static void slices_of_one_buffer(void** state) {
    (void)state;
    check_slices(HOST);
    check_slices(DEVICE);
}

// A program's own sub-buffer, its offset in it, and a buffer that the program has released already.
static void parts_of_buffers(void** state) {
    (void)state;
    enum { kOffset = 4096 };
    ClProgram program;
    cl_program_open(&program, NULL);
    cl_program_set_up(&program, all_device, kTfLiteSyncTypeNoSyncObj);
    ClSlot slot;
    cl_slot_open(&program, &slot, all_device, 3);
    cl_int error;
    cl_mem whole = program.cl->clCreateBuffer(program.context, CL_MEM_READ_WRITE, 4 * kOffset, NULL, &error);
    const cl_buffer_region region = {kOffset, 3 * kOffset};
    cl_mem part = program.cl->clCreateSubBuffer(whole, CL_MEM_WRITE_ONLY, CL_BUFFER_CREATE_TYPE_REGION,
                                                &region, &error);
    assert_int_equal(error, CL_SUCCESS);
    TfLiteBufferHandle handles[2];
    assert_ok(cl_program_register(&program, kTfLiteIoTypeOutput, part, DEVICE, 0, 0, &handles[0]));
    assert_ok(
        cl_program_register(&program, kTfLiteIoTypeOutput, part, DEVICE, kOffset, kOffset, &handles[1]));
    for (int i = 0; i < 2; i++) {
        const ClBuffer original = slot.buffers[kSum];
        assert_ok(TfLiteExecutionTaskSetBuffer(slot.task, kTfLiteIoTypeOutput, "sum", handles[i]));
        slot.buffers[kSum].memory = program.cl->clCreateSubBuffer(
            whole, 0, CL_BUFFER_CREATE_TYPE_REGION,
            &(cl_buffer_region){kOffset * (size_t)(i + 1), kCount * sizeof(float)}, &error);
        assert_int_equal(error, CL_SUCCESS);
        cl_slot_run(&program, &slot);
        program.cl->clReleaseMemObject(slot.buffers[kSum].memory);
        slot.buffers[kSum] = original;
    }
    program.cl->clReleaseMemObject(part);
    program.cl->clReleaseMemObject(whole);
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, slot.task));
    assert_ok(TfLiteAsyncSignatureRunnerWait(program.runner, slot.task));
    for (int i = 0; i < 2; i++) {
        assert_ok(TfLiteAsyncSignatureRunnerUnregisterBuffer(program.runner, handles[i]));
    }
    cl_slot_close(&program, &slot);
    cl_program_close(&program);
}

// Events.

typedef struct Syncs {
    TfLiteSynchronization* of[kTensors];
} Syncs;

static Syncs give_syncs(const ClSlot* slot) {
    Syncs syncs;
    for (int i = 0; i < kTensors; i++) {
        syncs.of[i] = TfLiteSynchronizationCreate();
        assert_ok(
            TfLiteExecutionTaskSetSync(slot->task, cl_tensors[i].io_type, cl_tensors[i].name, syncs.of[i]));
    }
    return syncs;
}

static void delete_syncs(Syncs syncs) {
    for (int i = 0; i < kTensors; i++) TfLiteSynchronizationDelete(syncs.of[i]);
}

// Inputs are waited for, without InvokeAsync waiting; outputs signal.
static void check_events(const char* const types[kTensors]) {
    ClProgram program;
    cl_program_open(&program, NULL);
    cl_program_set_up(&program, types, OCLITE_OPENCL_CL_EVENT);
    ClSlot slot;
    cl_slot_open(&program, &slot, types, 1);
    Syncs syncs = give_syncs(&slot);
    cl_slot_run(&program, &slot); // nothing to wait for
    for (int i = kSum; i < kTensors; i++) {
        program.cl->clReleaseEvent(TfLiteSynchronizationGetPtr(syncs.of[i]));
    }
    cl_event ready = cl_program_user_event(&program);
    program.cl->clRetainEvent(ready);
    TfLiteSynchronizationSetPtr(syncs.of[kB], ready);
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, slot.task));
    assert_null(TfLiteSynchronizationGetPtr(syncs.of[kB]));
    cl_event events[] = {TfLiteSynchronizationGetPtr(syncs.of[kSum]),
                         TfLiteSynchronizationGetPtr(syncs.of[kProduct])};
    for (int i = 0; i < 2; i++) assert_true(cl_program_status(&program, events[i]) > CL_COMPLETE);
    if (types[kB] == all_host[kB]) {
        for (int i = 0; i < kCount; i++) slot.buffers[kB].host[i] = 0.25f * (float)i;
    }
    cl_program_signal(ready, CL_COMPLETE);
    assert_int_equal(program.cl->clWaitForEvents(2, events), CL_SUCCESS);
    cl_slot_check(&program, &slot);
    for (int i = 0; i < 2; i++) program.cl->clReleaseEvent(events[i]);
    assert_ok(TfLiteAsyncSignatureRunnerWait(program.runner, slot.task));
    assert_int_equal(cl_program_references(&program, ready), 1);
    program.cl->clReleaseEvent(ready);
    cl_slot_close(&program, &slot);
    delete_syncs(syncs);
    cl_program_close(&program);
}

static void events_of_inputs_and_outputs(void** state) {
    (void)state;
    check_events(all_host);
    check_events(all_device);
    check_events(mixed);
}

// One object for two inputs holds one reference, two objects hold two. Without agreement none is looked at.
static void shared_events(void** state) {
    (void)state;
    ClProgram program;
    cl_program_open(&program, NULL);
    cl_program_set_up(&program, all_host, OCLITE_OPENCL_CL_EVENT);
    ClSlot slot;
    cl_slot_open(&program, &slot, all_host, 1);
    Syncs syncs = give_syncs(&slot);
    cl_event ready = cl_program_user_event(&program);
    cl_program_signal(ready, CL_COMPLETE);
    for (int i = 0; i < 3; i++) program.cl->clRetainEvent(ready);
    TfLiteSynchronizationSetPtr(syncs.of[kA], ready);
    TfLiteSynchronizationSetPtr(syncs.of[kB], ready);
    cl_slot_run(&program, &slot);
    assert_int_equal(cl_program_references(&program, ready), 2);
    TfLiteSynchronizationSetPtr(syncs.of[kA], ready);
    assert_ok(TfLiteExecutionTaskSetSync(slot.task, kTfLiteIoTypeInput, "b", syncs.of[kA]));
    for (int i = kSum; i < kTensors; i++) {
        program.cl->clReleaseEvent(TfLiteSynchronizationGetPtr(syncs.of[i]));
        assert_ok(TfLiteExecutionTaskSetSync(slot.task, kTfLiteIoTypeOutput, cl_tensors[i].name, NULL));
    }
    cl_slot_run(&program, &slot);
    assert_int_equal(cl_program_references(&program, ready), 1);
    // One object for input and outputs.
    TfLiteSynchronizationSetPtr(syncs.of[kA], ready);
    program.cl->clRetainEvent(ready);
    for (int i = kSum; i < kTensors; i++) {
        assert_ok(
            TfLiteExecutionTaskSetSync(slot.task, kTfLiteIoTypeOutput, cl_tensors[i].name, syncs.of[kA]));
    }
    cl_slot_run(&program, &slot);
    assert_int_equal(cl_program_references(&program, ready), 1);
    program.cl->clReleaseEvent(TfLiteSynchronizationGetPtr(syncs.of[kA]));
    cl_program_set_up(&program, all_host, kTfLiteSyncTypeNoSyncObj);
    TfLiteSynchronizationSetPtr(syncs.of[kA], ready);
    cl_slot_run(&program, &slot);
    assert_ptr_equal(TfLiteSynchronizationGetPtr(syncs.of[kA]), ready);
    program.cl->clReleaseEvent(ready);
    cl_slot_close(&program, &slot);
    delete_syncs(syncs);
    cl_program_close(&program);
}

// The output event of one task is the input event of the next.
static void tasks_in_a_chain(void** state) {
    (void)state;
    ClProgram program;
    cl_program_open(&program, NULL);
    cl_program_set_up(&program, all_device, OCLITE_OPENCL_CL_EVENT);
    ClSlot slots[2];
    cl_slot_open(&program, &slots[0], all_device, -7);
    cl_slot_open(&program, &slots[1], all_device, 0);
    TfLiteSynchronization* sync = TfLiteSynchronizationCreate();
    assert_ok(TfLiteExecutionTaskSetSync(slots[0].task, kTfLiteIoTypeOutput, "sum", sync));
    assert_ok(TfLiteExecutionTaskSetSync(slots[1].task, kTfLiteIoTypeInput, "a", sync));
    assert_ok(
        TfLiteExecutionTaskSetBuffer(slots[1].task, kTfLiteIoTypeInput, "a", slots[0].buffers[kSum].handle));
    for (int i = 0; i < 2; i++)
        assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, slots[i].task));
    for (int i = 0; i < 2; i++) assert_ok(TfLiteAsyncSignatureRunnerWait(program.runner, slots[i].task));
    cl_slot_check(&program, &slots[0]);
    float sum[kCount];
    cl_buffer_read(&program, &slots[1].buffers[kSum], sum);
    for (int i = 0; i < kCount; i++) assert_float_equal(sum[i], -7 + (float)i * 1.5f, 0.0f);
    TfLiteSynchronizationDelete(sync);
    for (int i = 0; i < 2; i++) cl_slot_close(&program, &slots[i]);
    cl_program_close(&program);
}

// Several tasks.

enum { kTasks = 4, kRounds = 25 };

static void tasks_in_flight(void** state) {
    (void)state;
    ClProgram program;
    cl_program_open(&program, NULL);
    cl_program_set_up(&program, mixed, OCLITE_OPENCL_CL_EVENT);
    ClSlot slots[kTasks];
    TfLiteSynchronization* sync = TfLiteSynchronizationCreate();
    for (int i = 0; i < kTasks; i++) cl_slot_open(&program, &slots[i], mixed, (float)i);
    assert_ok(TfLiteExecutionTaskSetSync(slots[0].task, kTfLiteIoTypeInput, "a", sync));
    cl_event ready = cl_program_user_event(&program);
    program.cl->clRetainEvent(ready);
    TfLiteSynchronizationSetPtr(sync, ready);
    // The first holds up all.
    for (int i = 0; i < kTasks; i++)
        assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, slots[i].task));
    cl_program_signal(ready, CL_COMPLETE);
    program.cl->clReleaseEvent(ready);
    for (int i = kTasks; i-- > 0;) assert_ok(TfLiteAsyncSignatureRunnerWait(program.runner, slots[i].task));
    for (int i = 0; i < kTasks; i++) {
        cl_slot_check(&program, &slots[i]);
        cl_slot_close(&program, &slots[i]);
    }
    TfLiteSynchronizationDelete(sync);
    cl_program_close(&program);
}

typedef struct Worker {
    const ClProgram* program;
    ClSlot slot;
    int good;
} Worker;

// Executions are in the program's queue: what it enqueues behind them finds their results without waiting.
static void in_the_queue_of_the_program(void** state) {
    (void)state;
    ClProgram owner; // of a queue
    cl_program_open(&owner, NULL);
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.queue = owner.queue;
    ClProgram program;
    cl_program_open_with(&program, NULL, &options);
    assert_ptr_equal(program.context, owner.context);
    cl_program_set_up(&program, all_device, kTfLiteSyncTypeNoSyncObj);
    ClSlot slots[2];
    for (int i = 0; i < 2; i++) cl_slot_open(&program, &slots[i], all_device, 3 * (float)i);
    for (int i = 0; i < 2; i++)
        assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, slots[i].task));
    for (int i = 0; i < 2; i++) cl_slot_check(&program, &slots[i]);
    for (int i = 0; i < 2; i++) {
        assert_ok(TfLiteAsyncSignatureRunnerWait(program.runner, slots[i].task));
        cl_slot_close(&program, &slots[i]);
    }
    cl_program_close(&program);
    cl_program_close(&owner);
}

static void* run_rounds(void* argument) {
    Worker* worker = argument;
    for (int i = 0; i < kRounds; i++) {
        worker->good +=
            TfLiteAsyncSignatureRunnerInvokeAsync(worker->program->runner, worker->slot.task) == kTfLiteOk;
        worker->good +=
            TfLiteAsyncSignatureRunnerWait(worker->program->runner, worker->slot.task) == kTfLiteOk;
    }
    return NULL;
}

static void* wait_only(void* argument) {
    Worker* worker = argument;
    worker->good += TfLiteAsyncSignatureRunnerWait(worker->program->runner, worker->slot.task) == kTfLiteOk;
    return NULL;
}

static void tasks_on_threads(void** state) {
    (void)state;
    ClProgram program;
    cl_program_open(&program, NULL);
    cl_program_set_up(&program, mixed, kTfLiteSyncTypeNoSyncObj);
    Worker workers[kTasks];
    pthread_t threads[kTasks];
    for (int i = 0; i < kTasks; i++) {
        workers[i] = (Worker){.program = &program};
        cl_slot_open(&program, &workers[i].slot, mixed, (float)i);
    }
    for (int i = 0; i < kTasks; i++) pthread_create(&threads[i], NULL, run_rounds, &workers[i]);
    for (int i = 0; i < kTasks; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < kTasks; i++) {
        assert_int_equal(workers[i].good, 2 * kRounds);
        cl_slot_check(&program, &workers[i].slot);
    }
    // All wait for one.
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, workers[0].slot.task));
    Worker waiters[kTasks];
    for (int i = 0; i < kTasks; i++) waiters[i] = (Worker){.program = &program, .slot = workers[0].slot};
    for (int i = 0; i < kTasks; i++) pthread_create(&threads[i], NULL, wait_only, &waiters[i]);
    for (int i = 0; i < kTasks; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < kTasks; i++) assert_int_equal(waiters[i].good, 1);
    for (int i = 0; i < kTasks; i++) cl_slot_close(&program, &workers[i].slot);
    cl_program_close(&program);
}

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    digits = argv[1];
    if (!cl_program_possible()) return kExitSkipped;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_told),
        cmocka_unit_test(the_gpu_delegate_can_do_it_too),
        cmocka_unit_test(buffers_of_all_types),
        cmocka_unit_test(without_agreement),
        cmocka_unit_test(results_are_those_of_invoke),
        cmocka_unit_test(slices_of_one_buffer),
        cmocka_unit_test(parts_of_buffers),
        cmocka_unit_test(events_of_inputs_and_outputs),
        cmocka_unit_test(shared_events),
        cmocka_unit_test(tasks_in_a_chain),
        cmocka_unit_test(tasks_in_flight),
        cmocka_unit_test(in_the_queue_of_the_program),
        cmocka_unit_test(tasks_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
