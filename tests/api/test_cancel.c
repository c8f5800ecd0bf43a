// SPDX-License-Identifier: Apache-2.0
// Cancelling an inference from another thread.
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "tests/api/cmocka_setup.h"
#include "tests/api/program.h"

static const TfLiteAddParams kAdd = {.activation = kTfLiteActNone};
static const TfLiteWhileParams kLoop = {1, 2};
static const bool kTrue = true;
static const float kZero[] = {0};

// WHILE true: x = x + 0. `nodes` false: with subgraphs that have no nodes at all.
static ModelBuilder* endless(bool nodes) {
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 1), y = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinWhile, INTS(x), INTS(y), &kLoop);
    set_io(b, INTS(x), INTS(y));
    builder_signature(b, "main", 0, (BuilderNames){1, {{"x", x}}}, (BuilderNames){1, {{"y", y}}});
    builder_subgraph(b, "condition");
    const int v = float_tensor(b, 1);
    const int yes = builder_tensor(b, (BuilderTensor){.type = kTfLiteBool, .data = &kTrue, .bytes = 1});
    set_io(b, INTS(v), INTS(yes));
    builder_subgraph(b, "body");
    const int u = float_tensor(b, 1), next = float_tensor(b, 1), zero = float_constant(b, 1, kZero);
    if (nodes) add_node(b, kTfLiteBuiltinAdd, INTS(u, zero), INTS(next), &kAdd);
    set_io(b, INTS(u), INTS(nodes ? next : u));
    return b;
}

static TfLiteInterpreterOptions* cancellable(void) {
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    assert_int_equal(TfLiteInterpreterOptionsEnableCancellation(options, true), kTfLiteOk);
    return options;
}

static void wait_ms(int ms) {
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL);
}

// Cancels until told to stop: the first attempts may come before the inference has begun.
typedef struct Canceller {
    TfLiteInterpreter* interpreter;
    TfLiteSignatureRunner* runner;
    atomic_bool stop;
} Canceller;

static void* keep_cancelling(void* data) {
    Canceller* canceller = data;
    while (!atomic_load(&canceller->stop)) {
        wait_ms(2);
        if (canceller->runner != NULL) {
            (void)TfLiteSignatureRunnerCancel(canceller->runner);
        } else {
            (void)TfLiteInterpreterCancel(canceller->interpreter);
        }
    }
    return NULL;
}

static TfLiteStatus invoke_cancelled(TfLiteInterpreter* interpreter, TfLiteSignatureRunner* runner) {
    Canceller canceller = {.interpreter = interpreter, .runner = runner};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, keep_cancelling, &canceller), 0);
    const TfLiteStatus status =
        runner != NULL ? TfLiteSignatureRunnerInvoke(runner) : TfLiteInterpreterInvoke(interpreter);
    atomic_store(&canceller.stop, true);
    pthread_join(thread, NULL);
    return status;
}

static void a_loop_without_end_can_be_cancelled(void** state) {
    (void)state;
    for (int nodes = 0; nodes < 2; nodes++) {
        Program p;
        program_open(&p, endless(nodes), cancellable());
        assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
        for (int again = 0; again < 2; again++) {
            assert_int_equal(invoke_cancelled(p.interpreter, NULL), kTfLiteCancelled);
            program_expect_message(&p, "Client requested cancel during Invoke()");
        }
        program_close(&p);
    }
}

static void a_runner_can_be_cancelled(void** state) {
    (void)state;
    Program p;
    program_open(&p, endless(true), cancellable());
    TfLiteSignatureRunner* runner = TfLiteInterpreterGetSignatureRunner(p.interpreter, "main");
    assert_int_equal(TfLiteSignatureRunnerAllocateTensors(runner), kTfLiteOk);
    assert_int_equal(invoke_cancelled(p.interpreter, runner), kTfLiteCancelled);
    TfLiteSignatureRunnerDelete(runner);
    program_close(&p);
}

// A plain model: what was cancelled can be run again, and a request that comes too early has no effect.
static void an_early_request_is_forgotten(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 1), y = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, x), INTS(y), &kAdd);
    set_io(b, INTS(x), INTS(y));
    Program p;
    program_open(&p, b, cancellable());
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    program_write(&p, 0, VALUES(4));
    assert_int_equal(TfLiteInterpreterCancel(p.interpreter), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    program_expect(&p, 0, VALUES(8));
    program_close(&p);
}

static void it_must_be_enabled(void** state) {
    (void)state;
    TfLiteInterpreterOptions* options = cancellable();
    assert_int_equal(TfLiteInterpreterOptionsEnableCancellation(options, false), kTfLiteOk);
    TfLiteInterpreterOptions* const cases[] = {NULL, options};
    for (int i = 0; i < 2; i++) {
        Program p;
        program_open(&p, endless(true), cases[i]);
        assert_int_equal(TfLiteInterpreterCancel(p.interpreter), kTfLiteError);
        program_close(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_without_end_can_be_cancelled),
        cmocka_unit_test(a_runner_can_be_cancelled),
        cmocka_unit_test(an_early_request_is_forgotten),
        cmocka_unit_test(it_must_be_enabled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
