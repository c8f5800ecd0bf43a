// SPDX-License-Identifier: Apache-2.0
// Inferences in the background: order, callbacks, waiting, what is refused meanwhile, and deletion.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tests/api/cmocka_setup.h"
#include "tests/support/model_builder.h"

#define assert_ok(call) assert_int_equal(call, kTfLiteOk)
#define assert_fails(call) assert_int_equal(call, kTfLiteError)

enum { kCount = 256, kRuns = 50 };

// An operator that can be held, so that an inference is running for sure.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool held, entered;

static TfLiteStatus hold_prepare(TfLiteContext* context, TfLiteNode* node) {
    return context->ResizeTensor(context, &context->tensors[node->outputs->data[0]],
                                 TfLiteIntArrayCopy(context->tensors[node->inputs->data[0]].dims));
}

// y = x + 1; an error for x < 0.
static TfLiteStatus hold_invoke(TfLiteContext* context, TfLiteNode* node) {
    pthread_mutex_lock(&mutex);
    entered = true;
    pthread_cond_broadcast(&changed);
    while (held) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    const TfLiteTensor* x = &context->tensors[node->inputs->data[0]];
    TfLiteTensor* y = &context->tensors[node->outputs->data[0]];
    for (int i = 0; i < kCount; i++) y->data.f[i] = x->data.f[i] + 1;
    return x->data.f[0] < 0 ? kTfLiteError : kTfLiteOk;
}

static void hold(void) {
    pthread_mutex_lock(&mutex);
    held = true;
    entered = false;
    pthread_mutex_unlock(&mutex);
}

static void wait_until_entered(void) {
    pthread_mutex_lock(&mutex);
    while (!entered) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

static void let_go(void) {
    pthread_mutex_lock(&mutex);
    held = false;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

typedef struct Program {
    uint8_t* bytes;
    TfLiteModel* model;
    TfLiteInterpreter* interpreter;
    char messages[4096];
    float results[kRuns];
    TfLiteStatus statuses[kRuns];
    int told;           // by callbacks, which one thread calls
    int left;           // inferences that a callback asks for
    bool delete_it;     // in the callback
    TfLiteStatus inner; // what a callback was answered
} Program;

static void report(void* user_data, const char* format, va_list args) {
    Program* p = user_data;
    const size_t used = strlen(p->messages);
    vsnprintf(p->messages + used, sizeof p->messages - used, format, args);
}

static void expect_message(Program* p, const char* part) {
    if (strstr(p->messages, part) == NULL) fail_msg("\"%s\" is not in \"%s\"", part, p->messages);
    p->messages[0] = '\0';
}

// Hold, and behind it y = z + z, which a delegate may take.
static void open_program(Program* p, TfLiteDelegate* delegate) {
    static const TfLiteAddParams params = {.activation = kTfLiteActNone};
    static const TfLiteRegistration registration = {
        .prepare = hold_prepare, .invoke = hold_invoke, .custom_name = "Hold"};
    memset(p, 0, sizeof *p);
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 3; i++)
        builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 1, .dims = {kCount}});
    builder_operator(b, (BuilderOperator){.custom_name = "Hold", .inputs = {1, {0}}, .outputs = {1, {1}}});
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinAdd, .inputs = {2, {1, 1}}, .outputs = {1, {2}}, .params = &params});
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {2}});
    size_t size;
    p->bytes = builder_finish(b, &size);
    p->model = TfLiteModelCreate(p->bytes, size);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddCustomOp(options, "Hold", &registration, 1, 1);
    TfLiteInterpreterOptionsSetErrorReporter(options, report, p);
    TfLiteInterpreterOptionsEnableCancellation(options, true);
    if (delegate != NULL) TfLiteInterpreterOptionsAddDelegate(options, delegate);
    p->interpreter = TfLiteInterpreterCreate(p->model, options);
    TfLiteInterpreterOptionsDelete(options);
    assert_non_null(p->interpreter);
    assert_ok(TfLiteInterpreterAllocateTensors(p->interpreter));
}

static void close_program(Program* p) {
    TfLiteInterpreterDelete(p->interpreter);
    TfLiteModelDelete(p->model);
    free(p->bytes);
}

static void set_input(const Program* p, float value) {
    float* x = TfLiteTensorData(TfLiteInterpreterGetInputTensor(p->interpreter, 0));
    for (int i = 0; i < kCount; i++) x[i] = value;
}

static float output(const Program* p) {
    const float* y = TfLiteTensorData(TfLiteInterpreterGetOutputTensor(p->interpreter, 0));
    for (int i = 1; i < kCount; i++) assert_float_equal(y[i], y[0], 0);
    return y[0];
}

// Keeps the result and makes the next input of it.
static void take(void* user_data, TfLiteStatus status) {
    Program* p = user_data;
    p->statuses[p->told] = status;
    if (status != kTfLiteCancelled) p->results[p->told] = output(p);
    p->told++;
    if (status == kTfLiteOk) set_input(p, (float)p->told);
}

static void in_the_order_of_the_calls(void** state) {
    (void)state;
    Program p;
    open_program(&p, NULL);
    set_input(&p, 0);
    for (int i = 0; i < kRuns; i++) assert_ok(oclite_invoke_async(p.interpreter, take, &p));
    assert_ok(oclite_invoke_wait(p.interpreter));
    assert_int_equal(p.told, kRuns);
    for (int i = 0; i < kRuns; i++) {
        assert_int_equal(p.statuses[i], kTfLiteOk);
        assert_float_equal(p.results[i], 2 * (i + 1), 0);
    }
    // And by itself again.
    set_input(&p, 6);
    assert_ok(TfLiteInterpreterInvoke(p.interpreter));
    assert_float_equal(output(&p), 14, 0);
    assert_ok(oclite_invoke_async(p.interpreter, NULL, NULL));
    assert_ok(oclite_invoke_wait(p.interpreter));
    assert_ok(oclite_invoke_wait(p.interpreter)); // nothing to wait for
    assert_string_equal(p.messages, "");
    close_program(&p);
}

static void take_and_go_on(void* user_data, TfLiteStatus status) {
    Program* p = user_data;
    take(p, status);
    if (--p->left > 0) p->inner = oclite_invoke_async(p->interpreter, take_and_go_on, p);
}

static void callbacks_ask_for_more(void** state) {
    (void)state;
    Program p;
    open_program(&p, NULL);
    p.left = kRuns;
    set_input(&p, 0);
    assert_ok(oclite_invoke_async(p.interpreter, take_and_go_on, &p));
    assert_ok(oclite_invoke_wait(p.interpreter)); // for all of them
    assert_int_equal(p.told, kRuns);
    assert_float_equal(p.results[kRuns - 1], 2 * kRuns, 0);
    assert_ok(p.inner);
    close_program(&p);
}

static void an_inference_that_fails(void** state) {
    (void)state;
    Program p;
    open_program(&p, NULL);
    set_input(&p, -1);
    for (int i = 0; i < 3; i++) assert_ok(oclite_invoke_async(p.interpreter, take, &p));
    assert_fails(oclite_invoke_wait(p.interpreter));
    assert_int_equal(p.told, 3);
    for (int i = 0; i < 3; i++) assert_fails(p.statuses[i]);
    expect_message(&p, "failed to invoke");
    assert_ok(oclite_invoke_wait(p.interpreter)); // told once
    set_input(&p, 1);
    assert_ok(oclite_invoke_async(p.interpreter, take, &p));
    assert_ok(oclite_invoke_wait(p.interpreter));
    assert_float_equal(p.results[3], 4, 0);
    assert_fails(oclite_invoke_async(NULL, take, &p));
    assert_fails(oclite_invoke_wait(NULL));
    close_program(&p);
}

static void calls_meanwhile_are_refused(void** state) {
    (void)state;
    static const int dims[] = {3};
    static _Alignas(64) float memory[kCount];
    const TfLiteCustomAllocation allocation = {memory, sizeof memory};
    Program p;
    open_program(&p, NULL);
    set_input(&p, 1);
    hold();
    assert_ok(oclite_invoke_async(p.interpreter, NULL, NULL));
    wait_until_entered();
    assert_fails(TfLiteInterpreterInvoke(p.interpreter));
    expect_message(&p, "The interpreter is in use");
    assert_fails(TfLiteInterpreterAllocateTensors(p.interpreter));
    assert_fails(TfLiteInterpreterResizeInputTensor(p.interpreter, 0, dims, 1));
    assert_fails(TfLiteInterpreterSetCustomAllocationForTensor(p.interpreter, 0, &allocation, 0));
    assert_fails(TfLiteInterpreterResetVariableTensors(p.interpreter));
    assert_fails(TfLiteInterpreterEnsureTensorDataIsReadable(p.interpreter, 2));
    TfLiteDelegate delegate = {0};
    assert_fails(TfLiteInterpreterModifyGraphWithDelegate(p.interpreter, &delegate));
    expect_message(&p, "The interpreter is in use");
    oclite_interpreter_set_num_threads(p.interpreter, 4);
    expect_message(&p, "The interpreter is in use");
    assert_ok(oclite_invoke_async(p.interpreter, take, &p)); // may be called
    let_go();
    assert_ok(oclite_invoke_wait(p.interpreter));
    assert_float_equal(p.results[0], 4, 0);
    assert_ok(TfLiteInterpreterAllocateTensors(p.interpreter));
    close_program(&p);
}

static void* cancel(void* argument) {
    const Program* p = argument;
    wait_until_entered();
    assert_ok(TfLiteInterpreterCancel(p->interpreter));
    let_go();
    return NULL;
}

static void from_other_threads(void** state) {
    (void)state;
    Program p;
    open_program(&p, NULL);
    set_input(&p, 1);
    hold();
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, cancel, &p), 0);
    assert_ok(oclite_invoke_async(p.interpreter, take, &p));
    assert_int_equal(oclite_invoke_wait(p.interpreter), kTfLiteCancelled);
    assert_int_equal(p.statuses[0], kTfLiteCancelled);
    pthread_join(thread, NULL);
    close_program(&p);
}

static void* delete_interpreter(void* argument) {
    TfLiteInterpreterDelete(argument);
    return NULL;
}

static void a_deletion_waits(void** state) {
    (void)state;
    Program p;
    open_program(&p, NULL);
    set_input(&p, 1);
    hold();
    for (int i = 0; i < 3; i++) assert_ok(oclite_invoke_async(p.interpreter, take, &p));
    wait_until_entered();
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, delete_interpreter, p.interpreter), 0);
    struct timespec pause = {0, 20000000};
    nanosleep(&pause, NULL); // the deletion has come as far as it can, most likely
    let_go();
    pthread_join(thread, NULL);
    assert_int_equal(p.told, 3); // each exactly once
    assert_ok(p.statuses[0]);
    p.interpreter = NULL;
    close_program(&p);
}

static atomic_int deleted;

static void delete_it(void* user_data, TfLiteStatus status) {
    Program* p = user_data;
    p->statuses[p->told++] = status;
    p->inner = oclite_invoke_wait(p->interpreter); // a callback cannot
    if (p->told == 1) TfLiteInterpreterDelete(p->interpreter);
    if (p->told == 2) atomic_store(&deleted, 1);
}

static void a_callback_deletes(void** state) {
    (void)state;
    Program p;
    open_program(&p, NULL);
    atomic_store(&deleted, 0);
    set_input(&p, 1);
    hold();
    for (int i = 0; i < 2; i++) assert_ok(oclite_invoke_async(p.interpreter, delete_it, &p));
    let_go();
    struct timespec pause = {0, 1000000};
    while (atomic_load(&deleted) == 0) nanosleep(&pause, NULL);
    assert_int_equal(p.statuses[1], kTfLiteCancelled);
    assert_fails(p.inner);
    p.interpreter = NULL;
    nanosleep(&(struct timespec){0, 50000000}, NULL); // the thread ends by itself
    close_program(&p);
}

// Several interpreters at a time, and a delegate for a part of each.
static void with_a_delegate(void** state) {
    (void)state;
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    if (delegate == NULL) skip();
    Program p[3];
    for (int i = 0; i < 3; i++) {
        open_program(&p[i], delegate);
        set_input(&p[i], 0);
    }
    for (int run = 0; run < kRuns; run++) {
        for (int i = 0; i < 3; i++) assert_ok(oclite_invoke_async(p[i].interpreter, take, &p[i]));
    }
    for (int i = 0; i < 3; i++) {
        assert_ok(oclite_invoke_wait(p[i].interpreter));
        for (int run = 0; run < kRuns; run++) assert_float_equal(p[i].results[run], 2 * (run + 1), 0);
        close_program(&p[i]);
    }
    oclite_opencl_delegate_delete(delegate);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_the_order_of_the_calls), cmocka_unit_test(callbacks_ask_for_more),
        cmocka_unit_test(an_inference_that_fails),   cmocka_unit_test(calls_meanwhile_are_refused),
        cmocka_unit_test(from_other_threads),        cmocka_unit_test(a_deletion_waits),
        cmocka_unit_test(a_callback_deletes),        cmocka_unit_test(with_a_delegate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
