// SPDX-License-Identifier: Apache-2.0
// What a user writes into options: misspelt names and numbers that do not exist are errors that say what was
// meant, and options that have no effect are too.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "oclite/opencl.h"
#include "tests/support/delegate_host.h"
#include "tests/support/graph_fixture.h"

static void refused(const char* options, const char* message) {
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string(options);
    if (delegate != NULL) fail_msg("%s is accepted", options);
    if (strstr(oclite_opencl_last_error(), message) == NULL)
        fail_msg("%s: got \"%s\", expected \"%s\"", options, oclite_opencl_last_error(), message);
}

static void accepted(const char* options) {
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string(options);
    if (delegate == NULL) fail_msg("%s: %s", options, oclite_opencl_last_error());
    oclite_opencl_delegate_delete(delegate);
}

static void names_are_known(void** state) {
    (void)state;
    refused("deny=SOFTMAXX", "OpenCL: option deny: there is no operator \"SOFTMAXX\"; did you mean SOFTMAX?");
    refused("allow=ADD+CONV2D",
            "OpenCL: option allow: there is no operator \"CONV2D\"; did you mean CONV_2D?");
    refused("deny=softmax", "did you mean SOFTMAX?");
    refused("precision=auto,precision_float32=MAEN",
            "OpenCL: option precision_float32: there is no operator \"MAEN\"; did you mean MEAN?");
    refused("precision_float16=ADDD", "option precision_float16");
    refused("denny=ADD", "OpenCL: option \"denny\": there is none of that name; did you mean deny? (device,");
    refused("min-partitions=2", "did you mean max_partitions?");
    refused("Deny=ADD", "did you mean deny?");
    refused("wings=2", "OpenCL: option \"wings\": there is none of that name (device,");
    accepted("deny=SOFTMAX+17,allow=CONV_2D+1:3");
    accepted("deny=Softmaxx+NOBODY_KNOWS_IT"); // which a custom operator may be called
}

static void switches_are_written_in_many_ways(void** state) {
    (void)state;
    static const char* const values[] = {"1", "0", "true", "True", "FALSE", "yes", "No", "on", "OFF"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char text[64];
        strcpy(stpcpy(text, "profiling="), values[i]);
        accepted(text);
        strcpy(stpcpy(text, "is_precision_loss_allowed="), values[i]);
        accepted(text);
    }
    refused("gemm=blas", "OpenCL: option gemm: \"blas\" is none of auto, own and clblast");
    refused("tuning=maybe",
            "OpenCL: option tuning: \"maybe\" is none of 1, true, yes, on, 0, false, no and off");
    refused("min_nodes=True", "OpenCL: option min_nodes: \"True\" is not a count");
}

static void options_without_an_effect(void** state) {
    (void)state;
    refused("error_budget=0.1",
            "OpenCL: option error_budget: 0.1 has an effect with precision=auto only, and "
            "precision is float32");
    refused("precision=float16,error_budget=0.1", "precision is float16");
    refused("tuning=1,watchdog_ms=100", "OpenCL: option tuning: it cannot be combined with watchdog_ms");
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.error_budget = 0.1;
    assert_null(oclite_opencl_delegate_create(&options));
    accepted("error_budget=0.1,precision=auto");
}

// WHILE x[0] < 3: twice of it, in a graph of its own; and Twice behind it.
static ModelBuilder* two_graphs(bool is_loop) {
    static const TfLiteWhileParams params = {1, 2};
    static const TfLiteAddParams add = {.activation = kTfLiteActNone};
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 3; i++) fixture_tensor(b, 1);
    if (is_loop) {
        builder_operator(
            b, (BuilderOperator){
                   .code = kTfLiteBuiltinWhile, .inputs = {1, {0}}, .outputs = {1, {1}}, .params = &params});
    } else {
        fixture_node(b, "Twice", 0, 1);
    }
    fixture_node(b, "Twice", 1, 2);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {2}});
    if (!is_loop) return b;
    static const float limit[] = {3};
    builder_subgraph(b, "condition");
    fixture_tensor(b, 1);
    builder_tensor(
        b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 1, .dims = {1}, .data = limit, .bytes = 4});
    builder_tensor(b, (BuilderTensor){.type = kTfLiteBool, .rank = 1, .dims = {1}});
    builder_operator(
        b, (BuilderOperator){.code = kTfLiteBuiltinLess, .inputs = {2, {0, 1}}, .outputs = {1, {2}}});
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {2}});
    builder_subgraph(b, "body");
    for (int i = 0; i < 5; i++) fixture_tensor(b, 1);
    for (int i = 0; i < 4; i++)
        builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinAdd,
                                              .inputs = {2, {i, i}},
                                              .outputs = {1, {i + 1}},
                                              .params = &add});
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {4}});
    return b;
}

// `message` NULL: the delegate is applied.
static void apply(bool is_loop, const char* options, const char* message) {
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string(options);
    if (delegate == NULL) fail_msg("%s", oclite_opencl_last_error());
    for (int again = 0; again < 2; again++) { // the second interpreter has the error too
        Fixture f;
        fixture_create(&f, two_graphs(is_loop),
                       &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1});
        if ((f.interpreter == NULL) != (message != NULL)) fail_msg("%s: %s", options, f.messages);
        if (message != NULL) fixture_expect_message(&f, message);
        assert_null(strstr(f.messages, "there is no subgraph"));
        if (message == NULL) assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        fixture_destroy(&f);
    }
    oclite_opencl_delegate_delete(delegate);
}

static void numbers_and_names_are_in_the_model(void** state) {
    (void)state;
    apply(false, "deny=999", "OpenCL: option deny: there is no node 999, the last one of the model is 1");
    apply(false, "allow=0+1", NULL);
    apply(false, "allow=2", "OpenCL: option allow: there is no node 2, the last one of the model is 1");
    apply(false, "deny=0:2", "OpenCL: option deny: there is no node 0:2, the last one of the graph is 1");
    apply(false, "precision=float16,precision_float32=5", "option precision_float32: there is no node 5");
    apply(false, "deny=Twice", NULL);
    apply(false, "deny=Twiec",
          "OpenCL: option deny: the model has no operator \"Twiec\"; did you mean Twice?");
    apply(false, "deny=SOFTMAX", NULL); // lists may serve several models
    apply(true, "deny=3", NULL);        // of the body
    apply(true, "deny=4", "OpenCL: option deny: there is no node 4, the last one of the model is 3");
    apply(true, "deny=2:3", NULL);
}

// A delegate may serve several models: what the first one has, others need not.
static void later_models_are_not_asked(void** state) {
    (void)state;
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string("deny=3");
    for (int i = 0; i < 2; i++) {
        Fixture f;
        fixture_create(&f, two_graphs(i == 0),
                       &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1});
        assert_non_null(f.interpreter);
        fixture_destroy(&f);
    }
    oclite_opencl_delegate_delete(delegate);
}

int main(void) {
    if (!host_has_opencl()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_known),
        cmocka_unit_test(switches_are_written_in_many_ways),
        cmocka_unit_test(options_without_an_effect),
        cmocka_unit_test(numbers_and_names_are_in_the_model),
        cmocka_unit_test(later_models_are_not_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
