// SPDX-License-Identifier: Apache-2.0
// Options, reporters and profilers: what an interpreter takes from them, and what outlives what.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"
#include "tests/api/cmocka_setup.h"
#include "tests/api/program.h"

static const TfLiteAddParams kAdd = {.activation = kTfLiteActNone};

// y = (x + 1) + (x + 1), by way of "PlusOne".
static uint8_t* build(size_t* size) {
    ModelBuilder* b = builder_create();
    const int x = float_tensor(b, 1), between = float_tensor(b, 1), y = float_tensor(b, 1);
    add_custom(b, "PlusOne", INTS(x), INTS(between));
    add_node(b, kTfLiteBuiltinAdd, INTS(between, between), INTS(y), &kAdd);
    set_io(b, INTS(x), INTS(y));
    return builder_finish(b, size);
}

static void check_run(TfLiteInterpreter* interpreter) {
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    tensor_write(TfLiteInterpreterGetInputTensor(interpreter, 0), VALUES(4));
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    tensor_expect(TfLiteInterpreterGetOutputTensor(interpreter, 0), VALUES(10));
}

typedef struct Log {
    int count;
    char last[300];
} Log;

static void write_log(void* user_data, const char* format, va_list args) {
    Log* log = user_data;
    log->count++;
    vsnprintf(log->last, sizeof log->last, format, args);
}

static int threads_seen;

static TfLiteStatus see_threads(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    threads_seen = oclite_context_num_threads(context);
    return prepare_same_shape(context, node);
}

// PlusOne, as the program has it; deleted last.
static TfLiteOperator* plus_one(void) {
    TfLiteOperator* op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "PlusOne", 1, NULL);
    TfLiteOperatorSetPrepare(op, see_threads);
    TfLiteOperatorSetInvoke(op, invoke_plus_one);
    return op;
}

static void copies_have_everything_and_are_independent(void** state) {
    (void)state;
    Log log = {0};
    size_t size;
    uint8_t* bytes = build(&size);
    TfLiteModel* model = TfLiteModelCreate(bytes, size);
    TfLiteOperator* op = plus_one();
    TfLiteInterpreterOptions* options = options_with(op);
    TfLiteInterpreterOptionsSetNumThreads(options, 3);
    TfLiteInterpreterOptionsSetErrorReporter(options, write_log, &log);
    TfLiteInterpreterOptionsEnableCancellation(options, true);
    TfLiteInterpreterOptions* copy = TfLiteInterpreterOptionsCopy(options);
    assert_non_null(copy);
    TfLiteInterpreterOptionsSetNumThreads(options, 1); // does not reach the copy
    TfLiteInterpreterOptionsEnableCancellation(options, false);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, copy);
    TfLiteInterpreterOptionsDelete(copy);
    assert_non_null(interpreter);
    check_run(interpreter);
    assert_int_equal(threads_seen, 3);
    assert_int_equal(TfLiteInterpreterCancel(interpreter), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterResizeInputTensor(interpreter, 5, NULL, 0), kTfLiteError);
    assert_int_equal(log.count, 1);
    TfLiteInterpreterDelete(interpreter);
    TfLiteModelDelete(model);
    TfLiteOperatorDelete(op);
    free(bytes);
}

// One set of options for many interpreters, which outlive it, as they do the model's handle.
static void interpreters_outlive_options_and_model(void** state) {
    (void)state;
    enum { kMany = 4 };
    size_t size;
    uint8_t* bytes = build(&size);
    Log log = {0};
    TfLiteModel* model = TfLiteModelCreate(bytes, size);
    TfLiteOperator* op = plus_one();
    TfLiteInterpreterOptions* options = options_with(op);
    TfLiteInterpreterOptionsSetErrorReporter(options, write_log, &log);
    TfLiteInterpreter* interpreters[kMany];
    for (int i = 0; i < kMany; i++) {
        interpreters[i] = TfLiteInterpreterCreate(model, options);
        assert_non_null(interpreters[i]);
    }
    TfLiteInterpreterOptionsDelete(options);
    TfLiteModelDelete(model);
    for (int i = 0; i < kMany; i++) {
        check_run(interpreters[i]);
        TfLiteInterpreterDelete(interpreters[i]);
    }
    assert_int_equal(log.count, 0);
    TfLiteOperatorDelete(op);
    free(bytes);
}

static void models_of_files_outlive_their_handle(void** state) {
    (void)state;
    char path[] = "/tmp/oclite_test_XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE* file = fdopen(fd, "wb");
    size_t size;
    uint8_t* bytes = build(&size);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    free(bytes);
    TfLiteModel* model = TfLiteModelCreateFromFile(path);
    assert_int_equal(remove(path), 0); // nor is the file's name needed any more
    TfLiteOperator* op = plus_one();
    TfLiteInterpreterOptions* options = options_with(op);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteModelDelete(model);
    TfLiteInterpreterOptionsDelete(options);
    check_run(interpreter);
    TfLiteInterpreterDelete(interpreter);
    TfLiteOperatorDelete(op);
}

static void reporters_get_their_own_user_data(void** state) {
    (void)state;
    Log logs[2] = {{0}, {0}}, loading = {0};
    size_t size;
    uint8_t* bytes = build(&size);
    TfLiteModel* model = TfLiteModelCreateWithErrorReporter(bytes, size, write_log, &loading);
    TfLiteInterpreter* interpreters[3] = {NULL}; // the last one without a reporter
    TfLiteOperator* op = plus_one();
    for (int i = 0; i < 3; i++) {
        TfLiteInterpreterOptions* options = options_with(op);
        if (i < 2) TfLiteInterpreterOptionsSetErrorReporter(options, write_log, &logs[i]);
        interpreters[i] = TfLiteInterpreterCreate(model, options);
        TfLiteInterpreterOptionsDelete(options);
    }
    for (int i = 2; i >= 0; i--) {
        assert_int_equal(TfLiteInterpreterInvoke(interpreters[i]), kTfLiteError); // not allocated
        if (i < 2) assert_string_equal(logs[i].last, "Invoke called on model that is not ready.");
    }
    assert_int_equal(logs[0].count, 1);
    assert_int_equal(logs[1].count, 1);
    assert_int_equal(loading.count, 0); // messages of interpreters are not the model's
    for (int i = 0; i < 3; i++) TfLiteInterpreterDelete(interpreters[i]);
    assert_null(TfLiteModelCreateWithErrorReporter("no model", 8, write_log, &loading));
    assert_int_equal(loading.count, 1);
    TfLiteModelDelete(model);
    TfLiteOperatorDelete(op);
    free(bytes);
}

static TfLiteStatus fail_with_a_message(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    (void)node;
    TfLiteOpaqueContextReportError(context, "%d%% of '%s' is wrong", 100, "%s%n");
    return kTfLiteApplicationError; // a kernel's status, which an invoke passes on as an error
}

static void operators_report_to_the_same_place(void** state) {
    (void)state;
    size_t size;
    uint8_t* bytes = build(&size);
    Log log = {0};
    TfLiteModel* model = TfLiteModelCreate(bytes, size);
    TfLiteOperator* op = plus_one();
    TfLiteOperatorSetInvoke(op, fail_with_a_message);
    TfLiteInterpreterOptions* options = options_with(op);
    TfLiteInterpreterOptionsSetErrorReporter(options, write_log, &log);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteModelDelete(model);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteError);
    assert_int_equal(log.count, 2); // the operator's, and which node it was
    assert_string_equal(log.last, "Node number 0 (PlusOne) failed to invoke.");
    TfLiteInterpreterDelete(interpreter);
    TfLiteOperatorDelete(op);
    free(bytes);
}

static void numbers_of_threads(void** state) {
    (void)state;
    static const int cases[][2] = {{-1, 1}, {0, 1}, {1, 1}, {5, 5}, {-7, 1}};
    size_t size;
    uint8_t* bytes = build(&size);
    TfLiteModel* model = TfLiteModelCreate(bytes, size);
    TfLiteOperator* op = plus_one();
    for (int i = 0; i < 5; i++) {
        TfLiteInterpreterOptions* options = options_with(op);
        TfLiteInterpreterOptionsSetNumThreads(options, cases[i][0]);
        TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
        TfLiteInterpreterOptionsDelete(options);
        check_run(interpreter);
        assert_int_equal(threads_seen, cases[i][1]);
        TfLiteInterpreterDelete(interpreter);
    }
    TfLiteModelDelete(model);
    TfLiteOperatorDelete(op);
    free(bytes);
}

// A profiler sees each node that runs, those of subgraphs too, inner ones before the node that runs them.

typedef struct Profile {
    int count;
    int nodes[16][2]; // subgraph, node
    uint64_t begin[16], end[16];
} Profile;

static void keep_event(void* user_data, int subgraph, int node, uint64_t begin_ns, uint64_t end_ns) {
    Profile* profile = user_data;
    assert_true(profile->count < 16);
    profile->nodes[profile->count][0] = subgraph;
    profile->nodes[profile->count][1] = node;
    profile->begin[profile->count] = begin_ns;
    profile->end[profile->count++] = end_ns;
}

static void profilers_see_subgraphs(void** state) {
    (void)state;
    static const TfLiteIfParams params = {1, 1};
    ModelBuilder* b = builder_create();
    const int c = typed_tensor(b, kTfLiteBool, 1), x = float_tensor(b, 1), y = float_tensor(b, 1),
              z = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinAdd, INTS(x, x), INTS(y), &kAdd);
    add_node(b, kTfLiteBuiltinIf, INTS(c, y), INTS(z), &params);
    set_io(b, INTS(c, x), INTS(z));
    builder_subgraph(b, "branch");
    const int u = float_tensor(b, 1), v = float_tensor(b, 1);
    add_node(b, kTfLiteBuiltinAdd, INTS(u, u), INTS(v), &kAdd);
    set_io(b, INTS(u), INTS(v));
    Program p;
    Profile profile = {0};
    program_open(&p, b, NULL);
    oclite_interpreter_set_profile(p.interpreter, keep_event, &profile);
    program_run(&p);
    static const int expected[][2] = {{0, 0}, {1, 0}, {0, 1}};
    assert_int_equal(profile.count, 3);
    assert_memory_equal(profile.nodes, expected, sizeof expected);
    assert_true(profile.begin[2] <= profile.begin[1] && profile.end[1] <= profile.end[2]);
    oclite_interpreter_set_profile(p.interpreter, NULL, NULL);
    program_run(&p);
    assert_int_equal(profile.count, 3);
    program_close(&p);
}

// A builtin operator of the program.
static void builtin_operators_may_be_replaced_without_prepare(void** state) {
    (void)state;
    static const int32_t open[] = {-1};
    const int32_t* const signatures[] = {NULL, open};
    for (int i = 0; i < 2; i++) {
        ModelBuilder* b = builder_create();
        const int x = float_tensor(b, 1);
        const int y = builder_tensor(
            b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 1, .dims = {1}, .signature = signatures[i]});
        add_node(b, kTfLiteBuiltinAdd, INTS(x, x), INTS(y), &kAdd);
        set_io(b, INTS(x), INTS(y));
        TfLiteOperator* op = TfLiteOperatorCreate(kTfLiteBuiltinAdd, NULL, 1, NULL);
        TfLiteOperatorSetInvoke(op, invoke_plus_one);
        Program p;
        program_open(&p, b, options_with(op));
        if (signatures[i] == NULL) { // the output keeps the shape of the model
            assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
            program_write(&p, 0, VALUES(6));
            assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
            program_expect(&p, 0, VALUES(7));
        } else { // which does not say it here
            assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
            assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteError);
            program_expect_message(&p,
                                   "ADD: the operator has no Prepare method, and the model leaves the size");
        }
        program_close(&p);
        TfLiteOperatorDelete(op);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_have_everything_and_are_independent),
        cmocka_unit_test(interpreters_outlive_options_and_model),
        cmocka_unit_test(models_of_files_outlive_their_handle),
        cmocka_unit_test(reporters_get_their_own_user_data),
        cmocka_unit_test(operators_report_to_the_same_place),
        cmocka_unit_test(numbers_of_threads),
        cmocka_unit_test(profilers_see_subgraphs),
        cmocka_unit_test(builtin_operators_may_be_replaced_without_prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
