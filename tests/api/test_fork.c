// SPDX-License-Identifier: Apache-2.0
// Interpreters and delegates after fork(), which leaves of all threads only the one that has called it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oclite/oclite.h"
#include "tests/api/opencl_program.h"
#include "tests/api/program.h"

enum { kSide = 24, kChannels = 16, kValues = kSide * kSide * kChannels, kSeconds = 120 };

// A sanitizer's allocator has locks that no fork opens: beside a thread that allocates, children may hang.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FORKS_BESIDE_THREADS 0
#else
#define FORKS_BESIDE_THREADS 30
#endif
static float weights[kChannels * 3 * 3 * kChannels];
static float bias[kChannels];

static int image(ModelBuilder* b) {
    return builder_tensor(
        b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 4, .dims = {1, kSide, kSide, kChannels}});
}

// Two convolutions.
static ModelBuilder* network(void) {
    static const TfLiteConvParams conv = {.padding = kTfLitePaddingSame,
                                          .stride_width = 1,
                                          .stride_height = 1,
                                          .dilation_width_factor = 1,
                                          .dilation_height_factor = 1,
                                          .activation = kTfLiteActRelu};
    for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++)
        weights[i] = (float)(i % 17) / 170 - 0.04f;
    for (int i = 0; i < kChannels; i++) bias[i] = (float)i / 10;
    ModelBuilder* b = builder_create();
    const int x = image(b), between = image(b), y = image(b);
    const int filter = builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32,
                                                         .rank = 4,
                                                         .dims = {kChannels, 3, 3, kChannels},
                                                         .data = weights,
                                                         .bytes = sizeof weights});
    const int offsets = float_constant(b, kChannels, bias);
    add_node(b, kTfLiteBuiltinConv2d, INTS(x, filter, offsets), INTS(between), &conv);
    add_node(b, kTfLiteBuiltinConv2d, INTS(between, filter, offsets), INTS(y), &conv);
    set_io(b, INTS(x), INTS(y));
    return b;
}

typedef struct Family {
    uint8_t* bytes;
    TfLiteModel* model;
    TfLiteInterpreter* interpreter;
    TfLiteDelegate* delegate; // NULL: the CPU
    float expected[kValues];
    char messages[8192]; // of all interpreters, since they were last forgotten
} Family;

static void report(void* user_data, const char* format, va_list args) {
    Family* family = user_data;
    const size_t used = strlen(family->messages);
    vsnprintf(family->messages + used, sizeof family->messages - used, format, args);
}

static TfLiteInterpreter* make(Family* family, TfLiteDelegate* delegate, int threads) {
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetNumThreads(options, threads);
    TfLiteInterpreterOptionsSetErrorReporter(options, report, family);
    if (delegate != NULL) TfLiteInterpreterOptionsAddDelegate(options, delegate);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(family->model, options);
    TfLiteInterpreterOptionsDelete(options);
    if (interpreter == NULL || TfLiteInterpreterAllocateTensors(interpreter) != kTfLiteOk) return NULL;
    float* x = TfLiteTensorData(TfLiteInterpreterGetInputTensor(interpreter, 0));
    for (int i = 0; i < kValues; i++) x[i] = (float)(i % 23) / 23;
    return interpreter;
}

static bool is_near(const Family* family, const TfLiteInterpreter* interpreter) {
    const float* y = TfLiteTensorData(TfLiteInterpreterGetOutputTensor(interpreter, 0));
    for (int i = 0; i < kValues; i++) {
        const float difference = y[i] - family->expected[i], most = 1e-5f * (1 + family->expected[i]);
        if (!(difference < most && difference > -most)) return false;
    }
    return true;
}

static bool computes(const Family* family, TfLiteInterpreter* interpreter) {
    memset(TfLiteTensorData(TfLiteInterpreterGetOutputTensor(interpreter, 0)), 0, kValues * sizeof(float));
    return TfLiteInterpreterInvoke(interpreter) == kTfLiteOk && is_near(family, interpreter);
}

static void open_model(Family* family) {
    *family = (Family){0};
    size_t size;
    family->bytes = builder_finish(network(), &size);
    family->model = TfLiteModelCreate(family->bytes, size);
    assert_non_null(family->model);
    TfLiteInterpreter* interpreter = make(family, NULL, 1);
    assert_non_null(interpreter);
    assert_ok(TfLiteInterpreterInvoke(interpreter));
    memcpy(family->expected, TfLiteTensorData(TfLiteInterpreterGetOutputTensor(interpreter, 0)),
           sizeof family->expected);
    TfLiteInterpreterDelete(interpreter);
}

// With an interpreter that has run.
static void open_family(Family* family, bool opencl, int threads) {
    open_model(family);
    if (opencl) {
        family->delegate = oclite_opencl_delegate_create(NULL);
        assert_non_null(family->delegate);
    }
    family->interpreter = make(family, family->delegate, threads);
    assert_non_null(family->interpreter);
    assert_true(computes(family, family->interpreter));
    assert_string_equal(family->messages, "");
}

static void close_family(Family* family) {
    TfLiteInterpreterDelete(family->interpreter);
    oclite_opencl_delegate_delete(family->delegate);
    TfLiteModelDelete(family->model);
    free(family->bytes);
}

// What a child does; false after it has said what is wrong.
typedef bool (*Child)(void* data);

#define EXPECT(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "child, line %d: %s\n", __LINE__, #condition);                                   \
            return false;                                                                                    \
        }                                                                                                    \
    } while (0)

// A child that hangs is ended by its alarm.
static void in_child(Child child, void* data) {
    fflush(NULL);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        alarm(kSeconds);
        _exit(child(data) ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (WIFSIGNALED(status)) fail_msg("the child ended by signal %d", WTERMSIG(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

// The CPU.

static bool compute_on_cpu(void* data) {
    Family* family = data;
    EXPECT(computes(family, family->interpreter));
    TfLiteInterpreter* other = make(family, NULL, 4);
    EXPECT(other != NULL && computes(family, other));
    EXPECT(family->messages[0] == '\0');
    TfLiteInterpreterDelete(other);
    close_family(family);
    return true;
}

static void threads_of_the_cpu(void** state) {
    (void)state;
    Family family;
    open_family(&family, false, 4);
    in_child(compute_on_cpu, &family);
    assert_true(computes(&family, family.interpreter)); // and so it does in the parent
    close_family(&family);
}

typedef struct Worker {
    Family* family;
    bool opencl;
    atomic_bool stop;
    pthread_t thread;
} Worker;

// Holds now this lock, now that one.
static void* work(void* data) {
    Worker* worker = data;
    while (!atomic_load(&worker->stop)) {
        TfLiteDelegate* delegate = worker->opencl ? oclite_opencl_delegate_create(NULL) : NULL;
        TfLiteInterpreter* interpreter = make(worker->family, delegate, 4);
        for (int i = 0; i < 3; i++) (void)TfLiteInterpreterInvoke(interpreter);
        TfLiteInterpreterDelete(interpreter);
        oclite_opencl_delegate_delete(delegate);
    }
    return NULL;
}

static void fork_beside(Family* family, bool opencl, Child child) {
    Family own;
    open_model(&own);
    Worker worker = {.family = &own, .opencl = opencl};
    assert_int_equal(pthread_create(&worker.thread, NULL, work, &worker), 0);
    for (int i = 0; i < FORKS_BESIDE_THREADS; i++) in_child(child, family);
    atomic_store(&worker.stop, true);
    pthread_join(worker.thread, NULL);
    close_family(&own);
}

static void while_another_thread_computes(void** state) {
    (void)state;
    if (FORKS_BESIDE_THREADS == 0) skip();
    Family family;
    open_family(&family, false, 4);
    fork_beside(&family, false, compute_on_cpu);
    close_family(&family);
}

static bool compute_in_background(void* data) {
    Family* family = data;
    EXPECT(oclite_invoke_wait(family->interpreter) == kTfLiteOk);
    EXPECT(oclite_invoke_async(family->interpreter, NULL, NULL) == kTfLiteOk);
    EXPECT(oclite_invoke_wait(family->interpreter) == kTfLiteOk);
    EXPECT(is_near(family, family->interpreter));
    EXPECT(computes(family, family->interpreter));
    return compute_on_cpu(family);
}

static bool delete_background(void* data) {
    close_family(data);
    return true;
}

static void the_thread_of_the_background(void** state) {
    (void)state;
    Family family;
    open_family(&family, false, 4);
    assert_ok(oclite_invoke_async(family.interpreter, NULL, NULL));
    assert_ok(oclite_invoke_wait(family.interpreter));
    in_child(compute_in_background, &family);
    in_child(delete_background, &family);
    for (int i = 0; i < FORKS_BESIDE_THREADS; i++) { // in the middle of inferences
        for (int k = 0; k < 3; k++) assert_ok(oclite_invoke_async(family.interpreter, NULL, NULL));
        in_child(delete_background, &family);
        assert_ok(oclite_invoke_wait(family.interpreter));
    }
    assert_ok(oclite_invoke_async(family.interpreter, NULL, NULL));
    assert_ok(oclite_invoke_wait(family.interpreter));
    close_family(&family);
}

// OpenCL.

static bool has_taken(const TfLiteInterpreter* interpreter) {
    const int* nodes;
    int count;
    return oclite_interpreter_plan(interpreter, 0, &nodes, &count) == kTfLiteOk && count == 1;
}

static bool use_opencl(void* data) {
    Family* family = data;
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    EXPECT(delegate != NULL);
    TfLiteInterpreter* interpreter = make(family, delegate, 1);
    EXPECT(interpreter != NULL && has_taken(interpreter) && computes(family, interpreter));
    EXPECT(oclite_opencl_delegate_status(delegate) == kOcliteOpenclWorking && family->messages[0] == '\0');
    TfLiteInterpreterDelete(interpreter);
    oclite_opencl_delegate_delete(delegate);
    return true;
}

// The first test of all: nobody has used OpenCL yet.
static void opencl_in_children_alone(void** state) {
    (void)state;
    Family family;
    open_model(&family);
    in_child(use_opencl, &family);
    in_child(use_opencl, &family);
    assert_true(use_opencl(&family));
    close_family(&family);
}

static void note_reason(void* user_data, const OcliteOpenclNode* node) {
    bool* good = user_data;
    *good = *good && !node->taken && strstr(node->reason, "fork") != NULL;
}

// An interpreter with this delegate, in the child.
static bool make_other(Family* family, TfLiteDelegate* delegate) {
    family->messages[0] = '\0';
    TfLiteInterpreter* other = make(family, delegate, 4);
    EXPECT(other != NULL && !has_taken(other) && computes(family, other));
    EXPECT(strstr(family->messages, "fork") != NULL);
    EXPECT(oclite_opencl_delegate_status(delegate) == kOcliteOpenclQuarantined);
    EXPECT(strstr(oclite_opencl_delegate_failure(delegate), "fork") != NULL);
    TfLiteInterpreterDelete(other);
    return true;
}

static bool fall_back(void* data) {
    Family* family = data;
    EXPECT(computes(family, family->interpreter));
    EXPECT(!has_taken(family->interpreter));
    EXPECT(strstr(family->messages, "fork") != NULL);
    EXPECT(computes(family, family->interpreter)); // again, without the delegate
    EXPECT(make_other(family, family->delegate));
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string("device=any");
    EXPECT(delegate != NULL && make_other(family, delegate));
    bool good = true;
    oclite_opencl_delegate_explain(delegate, note_reason, &good);
    EXPECT(good);
    oclite_opencl_delegate_delete(delegate);
    close_family(family);
    return true;
}

static bool only_delete(void* data) {
    close_family(data);
    return true;
}

static bool resize(void* data) {
    Family* family = data;
    const int larger[] = {2, kSide, kSide, kChannels}, same[] = {1, kSide, kSide, kChannels};
    EXPECT(TfLiteInterpreterResizeInputTensor(family->interpreter, 0, larger, 4) == kTfLiteOk);
    EXPECT(TfLiteInterpreterAllocateTensors(family->interpreter) == kTfLiteOk);
    EXPECT(TfLiteInterpreterInvoke(family->interpreter) == kTfLiteOk);
    EXPECT(TfLiteInterpreterResizeInputTensor(family->interpreter, 0, same, 4) == kTfLiteOk);
    EXPECT(TfLiteInterpreterAllocateTensors(family->interpreter) == kTfLiteOk);
    float* x = TfLiteTensorData(TfLiteInterpreterGetInputTensor(family->interpreter, 0));
    for (int i = 0; i < kValues; i++) x[i] = (float)(i % 23) / 23;
    EXPECT(computes(family, family->interpreter));
    return true;
}

static bool fork_again(void* data) {
    const pid_t pid = fork();
    if (pid == 0) {
        alarm(kSeconds);
        _exit(fall_back(data) ? 0 : 1);
    }
    int status;
    EXPECT(waitpid(pid, &status, 0) == pid && status == 0);
    return fall_back(data);
}

// The child ends by exit, and with it what was made before it.
static bool exit_normally(void* data) {
    EXPECT(computes(data, ((Family*)data)->interpreter));
    exit(0);
}

static void opencl_before_the_fork(void** state) {
    (void)state;
    Family family;
    open_family(&family, true, 1);
    assert_true(has_taken(family.interpreter));
    in_child(fall_back, &family);
    in_child(only_delete, &family);
    in_child(resize, &family);
    in_child(fork_again, &family);
    in_child(exit_normally, &family);
    assert_true(computes(&family, family.interpreter) && has_taken(family.interpreter)); // the parent's own
    close_family(&family);
}

static bool fall_back_without_delegate(void* data) {
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    EXPECT(delegate != NULL && make_other(data, delegate));
    oclite_opencl_delegate_delete(delegate);
    return true;
}

static void opencl_whose_delegates_are_gone(void** state) {
    (void)state;
    Family family;
    open_family(&family, true, 1);
    TfLiteInterpreterDelete(family.interpreter);
    oclite_opencl_delegate_delete(family.delegate);
    family.interpreter = NULL;
    family.delegate = NULL;
    in_child(fall_back_without_delegate, &family);
    close_family(&family);
}

static void while_another_thread_uses_opencl(void** state) {
    (void)state;
    if (FORKS_BESIDE_THREADS == 0) skip();
    Family family;
    open_family(&family, true, 1);
    fork_beside(&family, true, fall_back);
    close_family(&family);
}

typedef struct Tasks {
    ClProgram program;
    ClSlot slots[2];
} Tasks;

// One has run, the other waits for its event.
static bool end_tasks(void* data) {
    Tasks* tasks = data;
    ClProgram* program = &tasks->program;
    EXPECT(TfLiteAsyncSignatureRunnerInvokeAsync(program->runner, tasks->slots[0].task) != kTfLiteOk);
    EXPECT(strstr(program->messages, "fork") != NULL);
    EXPECT(TfLiteAsyncSignatureRunnerWait(program->runner, tasks->slots[1].task) != kTfLiteOk);
    for (int i = 0; i < 2; i++) (void)TfLiteAsyncSignatureRunnerFinish(program->runner, tasks->slots[i].task);
    EXPECT(TfLiteInterpreterAllocateTensors(program->interpreter) == kTfLiteOk);
    EXPECT(TfLiteInterpreterInvoke(program->interpreter) == kTfLiteOk);
    TfLiteAsyncSignatureRunnerDelete(program->runner);
    TfLiteInterpreterDelete(program->interpreter);
    oclite_opencl_delegate_delete(program->delegate);
    TfLiteModelDelete(program->model);
    return true;
}

static void asynchronous_executions(void** state) {
    (void)state;
    static const char* const mixed[kTensors] = {HOST, DEVICE, DEVICE, HOST};
    Tasks tasks;
    ClProgram* program = &tasks.program;
    cl_program_open(program, NULL);
    cl_program_set_up(program, mixed, OCLITE_OPENCL_CL_EVENT);
    for (int i = 0; i < 2; i++) cl_slot_open(program, &tasks.slots[i], mixed, (float)i);
    cl_slot_run(program, &tasks.slots[0]);
    TfLiteSynchronization* sync = TfLiteSynchronizationCreate();
    cl_event event = cl_program_user_event(program);
    program->cl->clRetainEvent(event);
    TfLiteSynchronizationSetPtr(sync, event);
    assert_ok(TfLiteExecutionTaskSetSync(tasks.slots[1].task, kTfLiteIoTypeInput, "a", sync));
    assert_ok(TfLiteAsyncSignatureRunnerInvokeAsync(program->runner, tasks.slots[1].task));
    in_child(end_tasks, &tasks);
    cl_program_signal(event, CL_COMPLETE);
    assert_ok(TfLiteAsyncSignatureRunnerWait(program->runner, tasks.slots[1].task));
    cl_slot_check(program, &tasks.slots[1]);
    program->cl->clReleaseEvent(event);
    TfLiteSynchronizationDelete(sync);
    for (int i = 0; i < 2; i++) cl_slot_close(program, &tasks.slots[i]);
    cl_program_close(program);
}

// Contents that only the device has are lost, and the child is told so.
typedef struct Bound {
    Family family;
    cl_mem memory;
} Bound;

static bool use_bound(void* data) {
    Bound* bound = data;
    Family* family = &bound->family;
    const TfLiteTensor* y = TfLiteInterpreterGetOutputTensor(family->interpreter, 0);
    EXPECT(TfLiteInterpreterInvoke(family->interpreter) != kTfLiteOk);
    EXPECT(strstr(family->messages, "fork") != NULL);
    EXPECT(oclite_opencl_bind_buffer_to_tensor(family->delegate, y, bound->memory, 0, 0) != kTfLiteOk);
    EXPECT(strstr(oclite_opencl_last_error(), "fork") != NULL);
    oclite_opencl_unbind_tensor(family->delegate, y);
    EXPECT(computes(family, family->interpreter));
    close_family(family);
    return true;
}

static void bound_buffers(void** state) {
    (void)state;
    Bound bound;
    open_family(&bound.family, true, 1);
    const LiteCl* cl = lite_cl_load(NULL);
    cl_context context = oclite_opencl_delegate_context(bound.family.delegate);
    bound.memory = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, kValues * sizeof(float), NULL, NULL);
    const TfLiteTensor* y = TfLiteInterpreterGetOutputTensor(bound.family.interpreter, 0);
    assert_ok(oclite_opencl_bind_buffer_to_tensor(bound.family.delegate, y, bound.memory, 0, 0));
    assert_true(computes(&bound.family, bound.family.interpreter));
    in_child(use_bound, &bound);
    cl->clReleaseMemObject(bound.memory);
    close_family(&bound.family);
}

int main(void) {
    const struct CMUnitTest cpu[] = {
        cmocka_unit_test(threads_of_the_cpu),
        cmocka_unit_test(while_another_thread_computes),
        cmocka_unit_test(the_thread_of_the_background),
    };
    const struct CMUnitTest opencl[] = {
        cmocka_unit_test(opencl_before_the_fork),
        cmocka_unit_test(opencl_whose_delegates_are_gone),
        cmocka_unit_test(while_another_thread_uses_opencl),
        cmocka_unit_test(asynchronous_executions),
        cmocka_unit_test(bound_buffers),
    };
    const struct CMUnitTest first[] = {cmocka_unit_test(opencl_in_children_alone)};
    int status, failures = cmocka_run_group_tests(cpu, NULL, NULL);
    // Whether there is a device is asked in a child: asking uses OpenCL.
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) exit(cl_program_possible() ? 0 : kExitSkipped);
    if (waitpid(pid, &status, 0) != pid || status != 0) return failures;
    failures += cmocka_run_group_tests(first, NULL, NULL);
    return failures + cmocka_run_group_tests(opencl, NULL, NULL);
}
