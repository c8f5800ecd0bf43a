// SPDX-License-Identifier: Apache-2.0
#include "tests/api/cancel_run.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "tests/api/cmocka_setup.h"

double cancel_now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double longest_ms;
static const char* longest_name = "";

void cancel_note(const char* name, double ms) {
    printf("    %-34s answered after %6.1f ms\n", name, ms);
    if (ms <= longest_ms) return;
    longest_ms = ms;
    longest_name = name;
}

int cancel_print_longest(void** state) {
    (void)state;
    printf("    longest: %s, %.1f ms\n", longest_name, longest_ms);
    return 0;
}

void cancel_case_open(Program* p, const CancelCase* a_case, TfLiteDelegate* delegate, bool cancellable) {
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsEnableCancellation(options, cancellable);
    TfLiteInterpreterOptionsSetNumThreads(options, a_case->threads > 0 ? a_case->threads : 1);
    if (delegate != NULL) TfLiteInterpreterOptionsAddDelegate(options, delegate);
    program_open(p, cancel_case_build(a_case), options);
    cancel_case_free();
    if (p->interpreter == NULL || TfLiteInterpreterAllocateTensors(p->interpreter) != kTfLiteOk) {
        fail_msg("%s: %s", a_case->name, p->messages);
    }
    for (int i = 0, input = 0; i < 8 && a_case->inputs[i].type != kTfLiteNoType; i++) {
        const CancelTensor* tensor = &a_case->inputs[i];
        if (tensor->data != NULL || tensor->constant || tensor->variable) continue;
        const TfLiteTensor* t = TfLiteInterpreterGetInputTensor(p->interpreter, input++);
        cancel_case_fill(tensor, TfLiteTensorData(t), TfLiteTensorByteSize(t));
    }
}

typedef struct Canceller {
    TfLiteInterpreter* interpreter;
    double first_ms; // when it cancelled first
    atomic_bool stop;
} Canceller;

// Cancels again and again: the first request may come before the inference has begun.
static void* cancel(void* data) {
    Canceller* canceller = data;
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    canceller->first_ms = cancel_now_ms();
    while (!atomic_load(&canceller->stop)) {
        (void)TfLiteInterpreterCancel(canceller->interpreter);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return NULL;
}

TfLiteStatus cancel_invoke(TfLiteInterpreter* interpreter, double* ms) {
    Canceller canceller = {.interpreter = interpreter};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, cancel, &canceller), 0);
    const TfLiteStatus status = TfLiteInterpreterInvoke(interpreter);
    const double end = cancel_now_ms();
    atomic_store(&canceller.stop, true);
    pthread_join(thread, NULL);
    *ms = end - canceller.first_ms;
    return status;
}
