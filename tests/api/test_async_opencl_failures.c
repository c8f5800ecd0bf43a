// SPDX-License-Identifier: Apache-2.0
// Asynchronous execution by the OpenCL delegate when things around it change or fail: graphs that are
// resized, objects deleted in the wrong order, events and devices that fail, memory that runs out.
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/api/opencl_program.h"
#include "tests/support/cl_failures.h"

static const char* const mixed[kTensors] = {HOST, DEVICE, DEVICE, HOST};

typedef struct Held {
    ClProgram program;
    ClSlot slot;
    TfLiteSynchronization* sync;
    cl_event event; // of which the program has a reference
} Held;

// A task that is scheduled, and waits for an event.
static void open_held(Held* held) {
    ClProgram* program = &held->program;
    cl_program_open(program, NULL);
    cl_program_set_up(program, mixed, OCLITE_OPENCL_CL_EVENT);
    cl_slot_open(program, &held->slot, mixed, 1);
    held->sync = TfLiteSynchronizationCreate();
    held->event = cl_program_user_event(program);
    program->cl->clRetainEvent(held->event);
    TfLiteSynchronizationSetPtr(held->sync, held->event);
    assert_ok(TfLiteExecutionTaskSetSync(held->slot.task, kTfLiteIoTypeInput, "a", held->sync));
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program->runner, held->slot.task));
}

static void close_held(Held* held) {
    held->program.cl->clReleaseEvent(held->event);
    TfLiteSynchronizationDelete(held->sync);
    cl_slot_close(&held->program, &held->slot);
    cl_program_close(&held->program);
}

static void an_event_that_fails(void** state) {
    (void)state;
    Held held;
    open_held(&held);
    ClProgram* program = &held.program;
    cl_program_signal(held.event, -5);
    assert_int_equal(TfLiteAsyncSignatureRunnerWait(program->runner, held.slot.task), kTfLiteDelegateError);
    cl_program_expect_message(program, "OpenCL: execution of a task: CL_");
    assert_int_equal(TfLiteExecutionTaskGetStatus(held.slot.task), kTfLiteDelegateError);
    cl_slot_run(program, &held.slot); // it has no event now
    close_held(&held);
}

static void a_task_is_finished_in_flight(void** state) {
    (void)state;
    Held held;
    open_held(&held);
    cl_program_signal(held.event, CL_COMPLETE);
    assert_ok(TfLiteAsyncSignatureRunnerFinish(held.program.runner, held.slot.task));
    held.slot.task = NULL;
    cl_slot_check(&held.program, &held.slot);
    close_held(&held);
}

static void the_interpreter_goes_first(void** state) {
    (void)state;
    Held held;
    open_held(&held);
    cl_program_signal(held.event, CL_COMPLETE);
    TfLiteInterpreterDelete(held.program.interpreter);
    held.program.interpreter = NULL;
    cl_slot_check(&held.program, &held.slot);
    assert_fails(TfLiteAsyncSignatureRunnerInvokeAsync(held.program.runner, held.slot.task));
    assert_fails(TfLiteAsyncSignatureRunnerFinish(held.program.runner, held.slot.task));
    held.slot.task = NULL;
    close_held(&held);
}

// Resizes.

static void resize(const ClProgram* program, int count) {
    assert_ok(TfLiteInterpreterResizeInputTensor(program->interpreter, 0, &count, 1));
    assert_ok(TfLiteInterpreterResizeInputTensor(program->interpreter, 1, &count, 1));
}

static void expect_unprepared(ClProgram* program, const ClSlot* slot) {
    assert_fails(TfLiteAsyncSignatureRunnerInvokeAsync(program->runner, slot->task));
    cl_program_expect_message(program, "PrepareBackends must come first");
    assert_fails(TfLiteAsyncSignatureRunnerWait(program->runner, slot->task));
}

static void other_shapes(void** state) {
    (void)state;
    ClProgram program;
    cl_program_open(&program, NULL);
    assert_ok(TfLiteInterpreterAllocateTensors(program.interpreter));
    cl_program_set_up(&program, mixed, kTfLiteSyncTypeNoSyncObj);
    ClSlot slot;
    cl_slot_open(&program, &slot, mixed, 1);
    cl_slot_run(&program, &slot);
    resize(&program, kCount / 2); // fits what was agreed on
    expect_unprepared(&program, &slot);
    assert_ok(TfLiteInterpreterAllocateTensors(program.interpreter));
    expect_unprepared(&program, &slot);
    assert_ok(TfLiteAsyncSignatureRunnerPrepareBackends(program.runner));
    const TfLiteOpaqueTensor* output = TfLiteAsyncSignatureRunnerGetOutputTensor(program.runner, "product");
    assert_int_equal(TfLiteOpaqueTensorDim(output, 0), kCount / 2);
    cl_slot_run(&program, &slot); // the other half is still there
    resize(&program, kCount * 2);
    assert_int_equal(TfLiteAsyncSignatureRunnerPrepareBackends(program.runner), kTfLiteDelegateError);
    cl_program_expect_message(&program, "has 2048 bytes now, buffers of 1024 were agreed on");
    cl_program_set_up(&program, mixed, kTfLiteSyncTypeNoSyncObj);
    assert_fails(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, slot.task));
    cl_program_expect_message(&program, "has 1024 bytes, tensor 0 needs 2048");
    assert_fails(TfLiteAsyncSignatureRunnerWait(program.runner, slot.task));
    resize(&program, kCount);
    assert_ok(TfLiteInterpreterAllocateTensors(program.interpreter));
    assert_ok(TfLiteInterpreterInvoke(program.interpreter));
    cl_program_set_up(&program, mixed, kTfLiteSyncTypeNoSyncObj);
    cl_slot_run(&program, &slot);
    cl_slot_close(&program, &slot);
    cl_program_close(&program);
}

static void shapes_change_under_a_task(void** state) {
    (void)state;
    Held held;
    open_held(&held);
    resize(&held.program, kCount * 2);
    assert_ok(TfLiteInterpreterAllocateTensors(held.program.interpreter));
    cl_program_signal(held.event, CL_COMPLETE);
    assert_ok(TfLiteAsyncSignatureRunnerWait(held.program.runner, held.slot.task));
    cl_slot_check(&held.program, &held.slot);
    expect_unprepared(&held.program, &held.slot);
    close_held(&held);
}

static void empty_tensors_need_no_buffers(void** state) {
    (void)state;
    ClProgram program;
    cl_program_open(&program, NULL);
    resize(&program, 0);
    cl_program_set_up(&program, mixed, kTfLiteSyncTypeNoSyncObj);
    TfLiteExecutionTask* task = TfLiteAsyncSignatureRunnerCreateTask(program.runner);
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, task));
    assert_ok(TfLiteAsyncSignatureRunnerWait(program.runner, task));
    assert_ok(TfLiteAsyncSignatureRunnerFinish(program.runner, task));
    cl_program_close(&program);
}

// A device that fails: functions in place of OpenCL's.

static cl_int fail_wait_list(cl_command_queue queue, cl_uint count, const cl_event* events, cl_event* event) {
    (void)queue, (void)count, (void)events, (void)event;
    return CL_OUT_OF_RESOURCES;
}
static cl_int fail_write(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset, size_t size,
                         const void* pointer, cl_uint count, const cl_event* events, cl_event* event) {
    (void)queue, (void)memory, (void)blocking, (void)offset, (void)size, (void)pointer;
    (void)count, (void)events, (void)event;
    return CL_OUT_OF_RESOURCES;
}
static cl_int fail_read(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset, size_t size,
                        void* pointer, cl_uint count, const cl_event* events, cl_event* event) {
    (void)queue, (void)memory, (void)blocking, (void)offset, (void)size, (void)pointer;
    (void)count, (void)events, (void)event;
    return CL_OUT_OF_RESOURCES;
}
static cl_int fail_event(cl_event event) {
    (void)event;
    return CL_OUT_OF_HOST_MEMORY;
}
static cl_int fail_queue(cl_command_queue queue) {
    (void)queue;
    return CL_OUT_OF_RESOURCES;
}
static cl_mem fail_part(cl_mem memory, cl_mem_flags flags, cl_buffer_create_type type, const void* region,
                        cl_int* error) {
    (void)memory, (void)flags, (void)type, (void)region;
    *error = CL_OUT_OF_RESOURCES;
    return NULL;
}
static cl_int fail_memory(cl_mem memory) {
    (void)memory;
    return CL_OUT_OF_HOST_MEMORY;
}

static LiteCl* table(void) {
    return (LiteCl*)(uintptr_t)lite_cl_load(NULL);
}

enum { kEvalFunctions = 8 };

static void break_eval(int which) {
    LiteCl* cl = table();
    switch (which) {
    case 0:
        cl->clEnqueueBarrierWithWaitList = fail_wait_list;
        break;
    case 1:
        cl->clEnqueueMarkerWithWaitList = fail_wait_list;
        break;
    case 2:
        cl->clEnqueueWriteBuffer = fail_write;
        break;
    case 3:
        cl->clEnqueueReadBuffer = fail_read;
        break;
    case 4:
        cl->clEnqueueNDRangeKernel = cl_fail_launch;
        break;
    case 5:
        cl->clSetKernelArg = cl_fail_argument;
        break;
    case 6:
        cl->clRetainEvent = fail_event;
        break;
    default:
        cl->clFlush = fail_queue;
    }
}

// Whatever fails, it is an error, nothing is left, and the next execution is as good as ever.
static void devices_that_fail_in_eval(void** state) {
    (void)state;
    for (int which = 0; which < kEvalFunctions; which++) {
        const LiteCl working = *table();
        ClProgram program;
        cl_program_open(&program, NULL);
        cl_program_set_up(&program, mixed, OCLITE_OPENCL_CL_EVENT);
        ClSlot slot;
        cl_slot_open(&program, &slot, mixed, 1);
        TfLiteSynchronization* syncs[2] = {TfLiteSynchronizationCreate(), TfLiteSynchronizationCreate()};
        cl_event ready = cl_program_user_event(&program);
        cl_program_signal(ready, CL_COMPLETE);
        program.cl->clRetainEvent(ready);
        TfLiteSynchronizationSetPtr(syncs[0], ready);
        assert_ok(TfLiteExecutionTaskSetSync(slot.task, kTfLiteIoTypeInput, "a", syncs[0]));
        assert_ok(TfLiteExecutionTaskSetSync(slot.task, kTfLiteIoTypeOutput, "sum", syncs[1]));
        break_eval(which);
        assert_int_equal(TfLiteAsyncSignatureRunnerInvokeAsync(program.runner, slot.task),
                         kTfLiteDelegateError);
        assert_int_equal(TfLiteAsyncSignatureRunnerWait(program.runner, slot.task), kTfLiteDelegateError);
        *table() = working;
        cl_program_expect_message(&program, "(-");
        assert_null(TfLiteSynchronizationGetPtr(syncs[0]));
        assert_null(TfLiteSynchronizationGetPtr(syncs[1]));
        assert_int_equal(program.cl->clFinish(program.queue), CL_SUCCESS);
        cl_slot_run(&program, &slot);
        program.cl->clReleaseEvent(TfLiteSynchronizationGetPtr(syncs[1]));
        assert_int_equal(cl_program_references(&program, ready), 1);
        program.cl->clReleaseEvent(ready);
        for (int i = 0; i < 2; i++) TfLiteSynchronizationDelete(syncs[i]);
        cl_slot_close(&program, &slot);
        cl_program_close(&program);
    }
}

static void devices_that_fail_elsewhere(void** state) {
    (void)state;
    const LiteCl working = *table();
    ClProgram program;
    cl_program_open(&program, NULL);
    cl_program_set_up(&program, mixed, kTfLiteSyncTypeNoSyncObj);
    ClSlot slot;
    cl_slot_open(&program, &slot, mixed, 1);
    table()->clCreateBuffer = cl_fail_buffer;
    assert_int_equal(TfLiteAsyncSignatureRunnerPrepareBackends(program.runner), kTfLiteDelegateError);
    *table() = working;
    cl_program_expect_message(&program, "CL_MEM_OBJECT_ALLOCATION_FAILURE");
    expect_unprepared(&program, &slot);
    TfLiteBufferHandle handle;
    table()->clRetainMemObject = fail_memory;
    assert_fails(
        cl_program_register(&program, kTfLiteIoTypeInput, slot.buffers[kB].memory, DEVICE, 0, 0, &handle));
    *table() = working;
    cl_program_expect_message(&program, "clRetainMemObject");
    cl_int error;
    cl_mem memory = program.cl->clCreateBuffer(program.context, CL_MEM_READ_WRITE, 1 << 16, NULL, &error);
    table()->clCreateSubBuffer = fail_part;
    assert_fails(cl_program_register(&program, kTfLiteIoTypeInput, memory, DEVICE, 4096, 0, &handle));
    *table() = working;
    cl_program_expect_message(&program, "clCreateSubBuffer");
    program.cl->clReleaseMemObject(memory);
    assert_ok(TfLiteAsyncSignatureRunnerPrepareBackends(program.runner));
    cl_slot_run(&program, &slot);
    cl_slot_close(&program, &slot);
    cl_program_close(&program);
}

// Memory.

// Everything from the runner to the end; kTfLiteError when something did not work.
static TfLiteStatus do_all(ClProgram* program, const ClSlot* slot) {
    TfLiteAsyncSignatureRunner* runner = program->runner;
    TfLiteAttributeMap* map = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
    TfLiteExecutionTask* task = TfLiteAsyncSignatureRunnerCreateTask(runner);
    TfLiteBackendBuffer* buffer = TfLiteBackendBufferCreate();
    TfLiteBackendBufferSetPtr(buffer, slot->buffers[kProduct].host);
    TfLiteBufferHandle handle = -1;
    bool good = map != NULL && task != NULL && buffer != NULL;
    good = good && TfLiteAsyncSignatureRunnerReconcileRestrictions(runner, kTfLiteIoTypeOutput, "product",
                                                                   map, map, NULL);
    good = good &&
           TfLiteAsyncSignatureRunnerSetAttributes(runner, kTfLiteIoTypeOutput, "product", map) == kTfLiteOk;
    good = good && TfLiteAsyncSignatureRunnerPrepareBackends(runner) == kTfLiteOk;
    good = good && TfLiteAsyncSignatureRunnerRegisterBuffer(runner, kTfLiteIoTypeOutput, buffer, map,
                                                            &handle) == kTfLiteOk;
    for (int i = 0; i < kTensors && good; i++) {
        good = TfLiteExecutionTaskSetBuffer(task, cl_tensors[i].io_type, cl_tensors[i].name,
                                            i == kProduct ? handle : slot->buffers[i].handle) == kTfLiteOk;
    }
    if (good) {
        good = TfLiteAsyncSignatureRunnerInvokeAsync(runner, task) == kTfLiteOk;
        good = TfLiteAsyncSignatureRunnerWait(runner, task) == kTfLiteOk && good;
    }
    if (task != NULL) (void)TfLiteAsyncSignatureRunnerFinish(runner, task);
    if (handle >= 0) assert_ok(TfLiteAsyncSignatureRunnerUnregisterBuffer(runner, handle));
    TfLiteBackendBufferDelete(buffer);
    TfLiteAttributeMapDelete(map);
    return good ? kTfLiteOk : kTfLiteError;
}

static void memory_runs_out(void** state) {
    (void)state;
    ClProgram program;
    cl_program_open(&program, NULL);
    cl_program_set_up(&program, mixed, kTfLiteSyncTypeNoSyncObj);
    ClSlot slot;
    cl_slot_open(&program, &slot, mixed, 1);
    int64_t failing = 0;
    for (;; failing++) {
        lite_memory_fail_once(failing);
        const TfLiteStatus status = do_all(&program, &slot);
        const bool failed = lite_memory_failures() > 0;
        lite_memory_fail_once(-1);
        program.messages[0] = '\0';
        if (!failed) {
            assert_ok(status);
            break;
        }
        assert_fails(status);
    }
    assert_true(failing > 10);
    cl_slot_check(&program, &slot);
    cl_slot_close(&program, &slot);
    cl_program_close(&program);
}

// The kernel is made when the first runner asks for it, and only then.
static void memory_runs_out_for_the_kernel(void** state) {
    (void)state;
    for (int64_t failing = 0;; failing++) {
        ClProgram program;
        cl_program_open(&program, NULL);
        TfLiteAsyncSignatureRunnerDelete(program.runner);
        TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
        TfLiteInterpreterOptionsAddDelegate(options, program.delegate);
        TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(program.model, options);
        lite_memory_fail_once(failing);
        program.runner = TfLiteInterpreterGetAsyncSignatureRunner(interpreter, NULL);
        const bool failed = lite_memory_failures() > 0;
        lite_memory_fail_once(-1);
        const char* const* names;
        size_t count;
        if (program.runner != NULL) {
            assert_ok(TfLiteAsyncSignatureRunnerGetSupportedBufferTypes(program.runner, kTfLiteIoTypeInput,
                                                                        &names, &count));
        }
        TfLiteAsyncSignatureRunnerDelete(program.runner);
        TfLiteInterpreterDelete(interpreter);
        TfLiteInterpreterOptionsDelete(options);
        program.runner = NULL;
        cl_program_close(&program);
        if (!failed) break;
    }
}

int main(void) {
    if (!cl_program_possible()) return kExitSkipped;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_that_fails),
        cmocka_unit_test(a_task_is_finished_in_flight),
        cmocka_unit_test(the_interpreter_goes_first),
        cmocka_unit_test(other_shapes),
        cmocka_unit_test(shapes_change_under_a_task),
        cmocka_unit_test(empty_tensors_need_no_buffers),
        cmocka_unit_test(devices_that_fail_in_eval),
        cmocka_unit_test(devices_that_fail_elsewhere),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(memory_runs_out_for_the_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
