// SPDX-License-Identifier: Apache-2.0
// Runs on trial that give no times: models that cannot be tried, nodes that fail, inferences without an end,
// cancelled ones, and too little memory. Nothing is told to anybody, and nothing is left.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/base/system.h"
#include "core/base/trial.h"
#include "core/graph/allocate.h"
#include "core/graph/build.h"
#include "core/graph/graph.h"
#include "core/graph/interpreter.h"
#include "core/graph/trial.h"
#include "core/model/open.h"
#include "tensorflow/lite/c/c_api.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/trial_case.h"

static const int64_t kMillisecond = 1000000;
static const LiteTrialLimits long_limits = {.budget_ns = 1000000000, .first_ns = 10000000000};
static const int64_t kHour = 3600 * (int64_t)1000000000;
enum { kEndless = INT32_MAX }; // turns of a loop, which take an hour or so

static double seconds_since(uint64_t begin) {
    return (double)(lite_clock_ns() - begin) / 1e9;
}

// Models that are not tried.

static void operators_of_the_program_are_not_called(void** state) {
    (void)state;
    TrialCase c;
    trial_case_run(&c, fixture_chain("Twice", 2), NULL, NULL);
    trial_case_expect_failure(&c);
    assert_int_equal(fixture_calls.init, 2);
    assert_int_equal(fixture_calls.prepare, 0);
    assert_int_equal(fixture_calls.invoke, 0);
    trial_case_destroy(&c);
}

// What the program has registered for NEG, in either form: functions of its own, or the library's.
static TfLiteStatus own_function(TfLiteContext* context, TfLiteNode* node) {
    (void)context, (void)node;
    return kTfLiteError;
}

static void the_library_s_operators_are_whoever_registers_them(void** state) {
    (void)state;
    TfLiteRegistration library = {0};
    for (int i = 0; i < lite_registry_count(); i++) {
        if (lite_registry_registration(i)->builtin_code == kTfLiteBuiltinNeg)
            library = *lite_registry_registration(i);
    }
    assert_non_null(library.invoke);
    TfLiteRegistration own = library;
    own.invoke = own_function;
    TfLiteOperator other = *lite_registry_find_builtin(kTfLiteBuiltinNeg, 1);
    TfLiteRegistration of_operator = {.registration_external = &other};
    for (int variant = 0; variant < 4; variant++) {
        other.user_data = &other;
        if (variant == 3) other.prepare = NULL;
        const LiteOperatorEntry entry = {
            .builtin_code = kTfLiteBuiltinNeg,
            .first_version = 1,
            .last_version = 9,
            .registration = variant == 0   ? library
                            : variant == 1 ? own
                                           : of_operator,
        };
        TrialCase c;
        trial_case_run(&c, trial_case_branches(),
                       &(LiteInterpreterOptions){.operators = &entry, .operator_count = 1}, NULL);
        if (variant % 2 == 0) {
            assert_int_equal(c.status, kTfLiteOk);
        } else {
            trial_case_expect_failure(&c);
        }
        trial_case_destroy(&c);
    }
}

static void graphs_that_the_program_changes_are_not_tried(void** state) {
    (void)state;
    for (int change = 0; change < 3; change++) {
        TrialCase c;
        trial_case_create(&c, trial_case_branches(), NULL);
        if (change == 0) assert_int_equal(lite_build_tensors(c.f.graph, 1, NULL), kTfLiteOk);
        if (change == 1) assert_int_equal(lite_build_set_name(c.f.graph, "other"), kTfLiteOk);
        if (change == 2) assert_int_equal(lite_build_subgraphs(c.f.interpreter, 1, NULL), kTfLiteOk);
        trial_case_ask(&c, 0, NULL);
        trial_case_expect_failure(&c);
        trial_case_destroy(&c);
    }
}

// Nodes that nobody can run.

static void operators_that_nobody_has_fail(void** state) {
    (void)state;
    TrialCase c;
    trial_case_create_without_operators(&c, fixture_chain("Twice", 2));
    trial_case_ask(&c, 0, NULL);
    trial_case_expect_failure(&c);
    trial_case_destroy(&c);
}

static void a_variable_without_a_value_fails(void** state) {
    (void)state;
    static const TfLiteVarHandleParams handle = {.shared_name = "v"};
    ModelBuilder* b = builder_create();
    builder_tensor(b, (BuilderTensor){.type = kTfLiteResource, .rank = 1, .dims = {1}});
    fixture_tensor(b, 4);
    builder_operator(
        b, (BuilderOperator){.code = kTfLiteBuiltinVarHandle, .outputs = {1, {0}}, .params = &handle});
    builder_operator(
        b, (BuilderOperator){.code = kTfLiteBuiltinReadVariable, .inputs = {1, {0}}, .outputs = {1, {1}}});
    builder_inputs(b, (BuilderInts){0, {0}});
    builder_outputs(b, (BuilderInts){1, {1}});
    TrialCase c;
    trial_case_run(&c, b, NULL, NULL);
    trial_case_expect_failure(&c);
    trial_case_destroy(&c);
}

// Inferences without an end.

static void a_loop_without_an_end_is_given_up(void** state) {
    (void)state;
    TrialCase c;
    trial_case_create(&c, trial_case_loop(kEndless), NULL);
    c.budget_ns = 5 * kMillisecond;
    const uint64_t begin = lite_clock_ns();
    trial_case_ask(&c, 0, NULL);
    trial_case_expect_failure(&c);
    assert_true(seconds_since(begin) >= 10 * 5e-3);
    assert_true(seconds_since(begin) < 60);
    trial_case_destroy(&c);
}

// The first inference takes longer than the budget, and is the measurement.
static void one_long_inference_is_enough(void** state) {
    (void)state;
    TrialCase c;
    trial_case_create(&c, trial_case_loop(20000), NULL);
    int64_t budget_ns = kMillisecond / 4;
    // On a slow machine it takes more than ten times as long.
    for (; c.status != kTfLiteOk && budget_ns < kHour; budget_ns *= 2) {
        c.budget_ns = budget_ns;
        trial_case_ask(&c, 0, NULL);
    }
    assert_int_equal(c.status, kTfLiteOk);
    if (c.times.invoke_ns > c.budget_ns) assert_int_equal(c.times.runs, 1);
    assert_true(c.times.graphs[0].node_ns[0] <= c.times.quartile_ns);
    assert_true(c.times.graphs[2].node_ns[0] > 0);
    trial_case_destroy(&c);
}

// Cancellation.

typedef struct Asked {
    int count;
    int most;
} Asked;

static bool is_cancelled(void* user_data) {
    Asked* asked = user_data;
    return ++asked->count > asked->most;
}

static void the_inference_around_ends_the_trial(void** state) {
    (void)state;
    Asked asked = {.most = 3};
    LiteCancellation around;
    lite_cancellation_init(&around);
    around.is_cancelled = is_cancelled;
    around.user_data = &asked;
    TrialCase c;
    trial_case_create(&c, trial_case_loop(kEndless), NULL);
    c.budget_ns = kHour;
    const uint64_t begin = lite_clock_ns();
    lite_cancel_set_scope((LiteCancelScope){&around, true});
    trial_case_ask(&c, 0, NULL);
    const LiteCancelScope after = lite_cancel_set_scope((LiteCancelScope){0});
    assert_ptr_equal(after.cancellation, &around);
    assert_true(after.is_runner);
    assert_true(asked.count > asked.most);
    trial_case_expect_failure(&c);
    assert_true(seconds_since(begin) < 60);
    trial_case_destroy(&c);
}

// Nobody asks the program's function where no inference runs.
static void the_program_s_function_is_for_inferences(void** state) {
    (void)state;
    Asked asked = {.most = 0};
    TrialCase c;
    trial_case_create(&c, trial_case_branches(), NULL);
    lite_interpreter_set_cancellation(c.f.interpreter, is_cancelled, &asked);
    trial_case_ask(&c, 0, NULL);
    assert_int_equal(c.status, kTfLiteOk);
    assert_int_equal(asked.count, 0);
    trial_case_destroy(&c);
}

typedef struct Canceller {
    LiteInterpreter* interpreter;
    atomic_bool done;
} Canceller;

static void* cancel_until_done(void* argument) {
    Canceller* canceller = argument;
    while (!atomic_load(&canceller->done)) {
        usleep(2000);
        (void)lite_interpreter_cancel(canceller->interpreter);
    }
    return NULL;
}

static void a_call_from_another_thread_ends_the_trial(void** state) {
    (void)state;
    TrialCase c;
    trial_case_create(&c, trial_case_loop(kEndless), &(LiteInterpreterOptions){.enable_cancellation = true});
    c.budget_ns = kHour;
    Canceller canceller = {.interpreter = c.f.interpreter};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, cancel_until_done, &canceller), 0);
    trial_case_ask(&c, 0, NULL);
    atomic_store(&canceller.done, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    trial_case_expect_failure(&c);
    trial_case_destroy(&c);
}

// Memory.

static void the_limit_is_for_both_interpreters(void** state) {
    (void)state;
    TrialCase c;
    trial_case_create(&c, trial_case_branches(), NULL);
    assert_int_equal(lite_subgraph_allocate(c.f.graph), kTfLiteOk);
    const size_t used = c.f.interpreter->memory_used;
    assert_true(used > 0);
    for (int extra = 0; extra <= 8192; extra += 4096) {
        c.f.interpreter->memory_limit = used + (size_t)extra;
        trial_case_ask(&c, 0, NULL);
        assert_int_equal(c.status == kTfLiteOk, extra > 0);
    }
    LiteTrialEntry* entries[1000]; // and of all that take turns
    int count = 0;
    c.f.interpreter->memory_limit = used + 8192;
    while (count < 1000 && lite_trial()->enter(&c.f.graph->context, NULL, &entries[count]) == kTfLiteOk)
        count++;
    assert_in_range(count, 1, 999);
    lite_trial()->leave(entries[--count]);
    assert_int_equal(lite_trial()->enter(&c.f.graph->context, NULL, &entries[count]), kTfLiteOk);
    for (int i = 0; i <= count; i++) lite_trial()->leave(entries[i]);
    trial_case_destroy(&c);
}

static void every_allocation_may_fail(void** state) {
    (void)state;
    lite_memory_count_live(true);
    TrialCase c;
    ProbeDelegate child;
    probe_init(&child, kTfLiteDelegateFlagsNone);
    child.takes = "nothing";
    trial_case_create(&c, trial_case_branches(), NULL);
    TfLiteContext* context = &c.f.graph->context;
    for (int kind = 0; kind < 2; kind++) {
        int64_t failures = 1;
        for (int point = 0; failures > 0; point++) {
            assert_true(point < 10000);
            const int64_t live = lite_memory_live();
            (kind == 0 ? lite_memory_fail_after : lite_memory_fail_once)(point);
            const TfLiteStatus status = lite_trial()->run(context, &child.delegate, &long_limits, &c.times);
            failures = lite_memory_failures();
            lite_memory_fail_after(-1);
            if (failures == 0) assert_int_equal(status, kTfLiteOk);
            if (status != kTfLiteOk) assert_null(c.times.graphs);
            lite_trial()->free(&c.times);
            assert_int_equal(lite_memory_live(), live);
            if (failures == 0) assert_true(point > 30);
        }
    }
    assert_string_equal(c.f.messages, "");
    trial_case_destroy(&c);
    lite_memory_count_live(false);
}

// Several at once.

static void* try_branches(void* argument) {
    LiteModel* model = argument;
    const LiteInterpreterOptions options = {.num_threads = 2, .trial = lite_trial()};
    LiteInterpreter* interpreter = lite_interpreter_create(model, &options);
    if (interpreter == NULL) return NULL;
    LiteTrialTimes times;
    TfLiteContext* context = &interpreter->subgraphs[0]->context;
    bool ok = true;
    for (int i = 0; i < 20 && ok; i++) {
        ok = lite_trial_service(context)->run(context, NULL, &long_limits, &times) == kTfLiteOk;
        ok = ok && times.graphs[0].node_ns[0] > 0 && times.graphs[1].node_ns[0] == -1;
        lite_trial()->free(&times);
    }
    lite_interpreter_destroy(interpreter);
    return ok ? model : NULL;
}

static void two_threads_try_one_model(void** state) {
    (void)state;
    TrialCase c;
    trial_case_create(&c, trial_case_branches(), NULL);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, try_branches, c.f.model), 0);
    }
    for (int i = 0; i < 2; i++) {
        void* result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_ptr_equal(result, c.f.model);
    }
    trial_case_destroy(&c);
}

static void a_forked_process_may_try(void** state) {
    (void)state;
    TrialCase c;
    trial_case_create(&c, trial_case_branches(), NULL);
    assert_ptr_equal(try_branches(c.f.model), c.f.model); // threads are there
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(try_branches(c.f.model) == c.f.model ? 0 : 1);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    trial_case_destroy(&c);
}

// Who offers trials.

static int offers;

static void see_offer(TfLiteContext* context) {
    offers += lite_trial_service(context) != NULL;
}

static void programs_get_interpreters_that_offer_trials(void** state) {
    (void)state;
    size_t size;
    uint8_t* bytes = builder_finish(trial_case_branches(), &size);
    TfLiteModel* model = TfLiteModelCreate(bytes, size);
    ProbeDelegate delegate;
    probe_init(&delegate, kTfLiteDelegateFlagsNone);
    delegate.takes = "nothing";
    delegate.look = see_offer;
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddDelegate(options, (TfLiteOpaqueDelegate*)&delegate.delegate);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    assert_non_null(interpreter);
    assert_int_equal(offers, 3); // one for each graph
    TfLiteInterpreterDelete(interpreter);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteModelDelete(model);
    free(bytes);
    TfLiteContext other = {0};
    assert_null(lite_trial_service(&other));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_of_the_program_are_not_called),
        cmocka_unit_test(the_library_s_operators_are_whoever_registers_them),
        cmocka_unit_test(graphs_that_the_program_changes_are_not_tried),
        cmocka_unit_test(operators_that_nobody_has_fail),
        cmocka_unit_test(a_variable_without_a_value_fails),
        cmocka_unit_test(a_loop_without_an_end_is_given_up),
        cmocka_unit_test(one_long_inference_is_enough),
        cmocka_unit_test(the_inference_around_ends_the_trial),
        cmocka_unit_test(the_program_s_function_is_for_inferences),
        cmocka_unit_test(a_call_from_another_thread_ends_the_trial),
        cmocka_unit_test(the_limit_is_for_both_interpreters),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(two_threads_try_one_model),
        cmocka_unit_test(a_forked_process_may_try),
        cmocka_unit_test(programs_get_interpreters_that_offer_trials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
