// SPDX-License-Identifier: Apache-2.0
// Cancelling within a node: operators that compute for long, each in a model of its own.
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"
#include "tests/api/cancel_run.h"
#include "tests/api/cmocka_setup.h"
#include "tests/api/program.h"

// An inference that leaves nothing out would return kTfLiteOk.
static void long_nodes_can_be_cancelled(void** state) {
    (void)state;
    for (const CancelCase* a_case = cancel_long_cases; a_case->name != NULL; a_case++) {
        Program p;
        cancel_case_open(&p, a_case, NULL, true);
        double ms;
        const TfLiteStatus status = cancel_invoke(p.interpreter, &ms);
        if (status != kTfLiteCancelled) fail_msg("%s: status %d: %s", a_case->name, (int)status, p.messages);
        program_expect_message(&p, "Client requested cancel during Invoke()");
        cancel_note(a_case->name, ms);
        program_close(&p);
    }
}

// Cancels when it is asked within the node: the first two times it is asked before.
typedef struct Asked {
    int calls;
    double when_ms;
} Asked;

static bool third_time(void* data) {
    Asked* asked = data;
    if (asked->calls++ == 2) asked->when_ms = cancel_now_ms();
    return asked->calls >= 3;
}

static void* copy_output(const Program* p, size_t* bytes) {
    const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(p->interpreter, 0);
    *bytes = TfLiteTensorByteSize(output);
    void* copy = malloc(*bytes + 1);
    assert_non_null(copy);
    memcpy(copy, TfLiteTensorData(output), *bytes);
    return copy;
}

// What the case's first output is where nobody can cancel, so that nothing is done in pieces.
static void* compute_whole(const CancelCase* a_case, size_t* bytes) {
    Program p;
    cancel_case_open(&p, a_case, NULL, false);
    if (TfLiteInterpreterInvoke(p.interpreter) != kTfLiteOk) fail_msg("%s: %s", a_case->name, p.messages);
    void* output = copy_output(&p, bytes);
    program_close(&p);
    return output;
}

// And the next inference computes what one does that cannot be cancelled.
static void short_nodes_can_be_cancelled(void** state) {
    (void)state;
    for (const CancelCase* a_case = cancel_short_cases; a_case->name != NULL; a_case++) {
        Program p;
        size_t bytes, again_bytes;
        const bool random = a_case->code == kTfLiteBuiltinRandomUniform;
        void* first = compute_whole(a_case, &bytes);
        cancel_case_open(&p, a_case, NULL, true);
        Asked asked = {0};
        oclite_interpreter_set_cancellation(p.interpreter, third_time, &asked);
        const TfLiteStatus status = TfLiteInterpreterInvoke(p.interpreter);
        const double end = cancel_now_ms();
        if (status != kTfLiteError)
            fail_msg("%s: status %d, asked %d times", a_case->name, (int)status, asked.calls);
        program_expect_message(&p, "Client requested cancel during Invoke()");
        assert_int_equal(asked.calls, 3); // nobody has to be told twice
        cancel_note(a_case->name, end - asked.when_ms);
        oclite_interpreter_set_cancellation(p.interpreter, NULL, NULL);
        if (TfLiteInterpreterInvoke(p.interpreter) != kTfLiteOk) fail_msg("%s: %s", a_case->name, p.messages);
        void* again = copy_output(&p, &again_bytes);
        assert_int_equal(bytes, again_bytes);
        if (!random && memcmp(first, again, bytes) != 0) fail_msg("%s: another result", a_case->name);
        free(first);
        free(again);
        program_close(&p);
    }
}

// An operator of the program's own that asks.
static atomic_int rounds;

static TfLiteStatus invoke_until_cancelled(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    (void)node;
    while (!oclite_context_is_cancelled(context)) atomic_fetch_add(&rounds, 1);
    return kTfLiteOk;
}

static void an_operator_can_ask(void** state) {
    (void)state;
    TfLiteInterpreterOptions* options =
        options_with(make_operator("Endless", prepare_same_shape, invoke_until_cancelled));
    TfLiteInterpreterOptionsEnableCancellation(options, true);
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 1), y = float_tensor(b, 1);
    add_custom(b, "Endless", INTS(x), INTS(y));
    set_io(b, INTS(x), INTS(y));
    Program p;
    program_open(&p, b, options);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    double ms;
    assert_int_equal(cancel_invoke(p.interpreter, &ms), kTfLiteCancelled);
    assert_true(atomic_load(&rounds) > 0);
    program_expect_message(&p, "Client requested cancel during Invoke()");
    program_close(&p);
    assert_false(oclite_context_is_cancelled(NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_operator_can_ask),
        cmocka_unit_test(short_nodes_can_be_cancelled),
        cmocka_unit_test(long_nodes_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, cancel_print_longest);
}
