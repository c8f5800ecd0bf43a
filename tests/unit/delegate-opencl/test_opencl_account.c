// SPDX-License-Identifier: Apache-2.0
// The options verbose and report: what the delegate tells of itself, in any host, and only when it is asked.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/graph/allocate.h"
#include "core/graph/invoke.h"
#include "oclite/opencl.h"
#include "tests/support/absent.h"
#include "tests/support/delegate_host.h"
#include "tests/support/graph_fixture.h"

static char path[] = "account.XXXXXX";
static char contents[16384];

static const char* read_file(const char* name) {
    FILE* file = fopen(name, "r");
    assert_non_null(file);
    contents[fread(contents, 1, sizeof contents - 1, file)] = '\0';
    fclose(file);
    return contents;
}

static void holds(const char* text) {
    if (strstr(contents, text) == NULL) fail_msg("\"%s\" is not in\n%s", text, contents);
}

static void lacks(const char* text) {
    if (strstr(contents, text) != NULL) fail_msg("\"%s\" is in\n%s", text, contents);
}

// y = 2 (x + x), of which the device has the sum, and an operator of a strange name the rest.
static const char strange[] = "Tw\"\x01\xff\\ice";

static ModelBuilder* build(const char* name) {
    static const TfLiteAddParams params = {.activation = kTfLiteActNone};
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 3; i++) fixture_tensor(b, 4);
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinAdd, .inputs = {2, {0, 0}}, .outputs = {1, {1}}, .params = &params});
    fixture_node(b, name, 1, 2);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {2}});
    return b;
}

static TfLiteDelegate* create(bool verbose, const char* report) {
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.verbose = verbose;
    options.report = report;
    return oclite_opencl_delegate_create(&options);
}

static void open_model(Fixture* f, const char* name, TfLiteDelegate* delegate) {
    fixture_create(f, build(name), &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1});
    assert_non_null(f->interpreter);
}

static void run_model(Fixture* f, int runs) {
    assert_int_equal(lite_subgraph_allocate(f->graph), kTfLiteOk);
    for (int i = 0; i < runs; i++) assert_int_equal(lite_subgraph_invoke(f->graph), kTfLiteOk);
}

static void the_file_grows_with_what_happens(void** state) {
    (void)state;
    assert_int_equal(truncate(path, 10000), 0); // what it held before goes
    TfLiteDelegate* delegate = create(false, path);
    if (delegate == NULL) fail_msg("%s", oclite_opencl_last_error());
    read_file(path);
    holds("{\n  \"oclite\": \"");
    holds(oclite_opencl_delegate_device(delegate));
    holds("\"nodes\": [],\n  \"nodes_asked\": 0,");
    assert_true(strlen(contents) < 1000);
    Fixture f;
    open_model(&f, "Twice", delegate);
    read_file(path);
    holds("{\"subgraph\": 0, \"node\": 0, \"op\": \"ADD\", \"taken\": true, \"float16\": false}");
    holds("{\"subgraph\": 0, \"node\": 1, \"op\": \"Twice\", \"taken\": false, \"reason\": \"custom operator "
          "without an OpenCL form\"}");
    holds("\"nodes_asked\": 2,\n  \"nodes_taken\": 1,\n  \"placements\": [],\n  \"kernels\": []");
    run_model(&f, 3);
    read_file(path);
    holds("{\"graph\": 0, \"nodes\": [0], \"op\": \"ADD\", \"kernel\": \"");
    holds("\"runs\": 1, \"mean_ms\": ");
    fixture_destroy(&f);
    read_file(path);
    holds("\"runs\": 3, \"mean_ms\": ");
    open_model(&f, "Twice", delegate);
    run_model(&f, 1);
    fixture_destroy(&f);
    oclite_opencl_delegate_delete(delegate);
    read_file(path);
    holds("\"graph\": 1, \"nodes\": [0], \"op\": \"ADD\"");
    holds("\"status\": \"working\"");
    assert_string_equal(contents + strlen(contents) - 4, "]\n}\n");
}

// Launches of plans that were built for other shapes count too.
static void times_of_former_shapes_are_kept(void** state) {
    (void)state;
    TfLiteDelegate* delegate = create(false, path);
    Fixture f;
    open_model(&f, "Twice", delegate);
    run_model(&f, 2);
    for (int n = 5; n < 8; n++) {
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &n, 1), kTfLiteOk);
        run_model(&f, 2);
    }
    fixture_destroy(&f);
    oclite_opencl_delegate_delete(delegate);
    read_file(path);
    holds("\"runs\": 8, ");
}

static void names_of_models_do_no_harm(void** state) {
    (void)state;
    TfLiteDelegate* delegate = create(false, path);
    Fixture f;
    open_model(&f, strange, delegate);
    fixture_destroy(&f);
    oclite_opencl_delegate_delete(delegate);
    read_file(path);
    holds("\"op\": \"Tw\\\"\\u0001\\ufffd\\\\ice\", \"taken\": false");
}

static void files_that_cannot_be_written_are_refused(void** state) {
    (void)state;
    const struct {
        const char* file;
        const char* message;
    } files[] = {{absent_path(), "absent\" cannot be written: No such file"},
                 {".", "OpenCL: option report: \".\" cannot be written: Is a directory"},
                 {"account.pipe", "OpenCL: option report: \"account.pipe\" cannot be written: "}};
    assert_int_equal(mkfifo("account.pipe", 0600), 0);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        assert_null(create(false, files[i].file));
        if (strstr(oclite_opencl_last_error(), files[i].message) == NULL)
            fail_msg("%s", oclite_opencl_last_error());
    }
    unlink("account.pipe");
    TfLiteDelegate* delegate = create(false, "/dev/null");
    assert_non_null(delegate);
    oclite_opencl_delegate_delete(delegate);
}

// What a run prints to the standard error.
static const char* printed(bool verbose) {
    fflush(stderr);
    const int before = dup(STDERR_FILENO);
    assert_non_null(freopen(path, "w", stderr));
    TfLiteDelegate* delegate = create(verbose, NULL);
    Fixture f;
    open_model(&f, "Twice", delegate);
    run_model(&f, 2);
    fixture_destroy(&f);
    oclite_opencl_delegate_delete(delegate);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    return read_file(path);
}

static void lines_are_printed_when_asked_for(void** state) {
    (void)state;
    printed(true);
    holds("oclite OpenCL: device ");
    holds("oclite OpenCL:   #0 ADD on the device\n");
    holds("oclite OpenCL:   #1 Twice on the host: custom operator without an OpenCL form\n");
    holds("oclite OpenCL: graph 0: 1 of 2 nodes on the device\n");
    holds("oclite OpenCL: mean ms of each kernel, and how often it ran\n");
    holds("        2  graph 0 #0 ADD: ");
    printed(false);
    lacks("oclite");
}

// No allocation that fails does more than to fail the delegate, or to lose what it would have told.
static void failures_leak_nothing(void** state) {
    (void)state;
    TfLiteDelegate* kept = create(false, NULL); // so that programs are compiled once
    for (int n = 0; n < 120; n++) {
        lite_memory_fail_once(n);
        TfLiteDelegate* delegate = create(false, path);
        if (delegate == NULL) assert_string_not_equal(oclite_opencl_last_error(), "");
        lite_memory_fail_once(-1);
        oclite_opencl_delegate_delete(delegate);
    }
    oclite_opencl_delegate_delete(kept);
}

static void text_is_json(void** state) {
    (void)state;
    static const struct {
        const char* bytes;
        const char* json;
    } strings[] = {{"a\nb", "\"a\\u000ab\""},
                   {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\""},
                   {"\xc0\xaf", "\"\\ufffd\\ufffd\""},
                   {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},
                   {"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
                   {"\xe2\x82", "\"\\ufffd\\ufffd\""}};
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; i++) {
        LiteText text = {0};
        lite_text_add_string(&text, strings[i].bytes, strlen(strings[i].bytes));
        assert_string_equal(text.data, strings[i].json);
        lite_text_free(&text);
    }
}

static int make_file(void** state) {
    (void)state;
    const int file = mkstemp(path);
    return file >= 0 ? close(file) : -1;
}

static int remove_file(void** state) {
    (void)state;
    return unlink(path);
}

int main(void) {
    if (!host_has_opencl()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_file_grows_with_what_happens),
        cmocka_unit_test(times_of_former_shapes_are_kept),
        cmocka_unit_test(names_of_models_do_no_harm),
        cmocka_unit_test(files_that_cannot_be_written_are_refused),
        cmocka_unit_test(lines_are_printed_when_asked_for),
        cmocka_unit_test(failures_leak_nothing),
        cmocka_unit_test(text_is_json),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
