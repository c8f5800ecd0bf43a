// SPDX-License-Identifier: Apache-2.0
// Interpreter: life of an operator, resolution, cancellation, signatures, profiles.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/signature.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/support/graph_fixture.h"

static void expect_calls(int init, int prepare, int invoke, int free) {
    assert_int_equal(fixture_calls.init, init);
    assert_int_equal(fixture_calls.prepare, prepare);
    assert_int_equal(fixture_calls.invoke, invoke);
    assert_int_equal(fixture_calls.free, free);
}

static void methods_are_called_as_often_as_promised(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, fixture_chain("Twice", 3), NULL);
    expect_calls(3, 0, 0, 0);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    expect_calls(3, 3, 0, 0);
    fixture_fill(&f, 0, 1.5f);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    expect_calls(3, 3, 6, 0);
    fixture_expect(&f, 3, 4, 12);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk); // nothing changed
    expect_calls(3, 3, 6, 0);
    const int dims[] = {7};
    assert_int_equal(lite_subgraph_resize_input(f.graph, 0, dims, 1), kTfLiteOk);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteError);
    fixture_expect_message(&f, "Invoke called on model that is not ready");
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    expect_calls(3, 6, 6, 0);
    fixture_fill(&f, 0, 1);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 3, 7, 8);
    fixture_destroy(&f);
    expect_calls(3, 6, 9, 3);
}

static void an_invoke_needs_an_allocation(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, fixture_chain("Twice", 1), NULL);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteError);
    fixture_expect_message(&f, "not ready");
    fixture_destroy(&f);
}

// What init was given, and what node->user_data became.
static struct {
    const char* buffer;
    size_t length;
    char copy[32];
} seen;

static void* see_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    seen.buffer = buffer;
    seen.length = length;
    if (length < sizeof seen.copy && length > 0) memcpy(seen.copy, buffer, length);
    return &seen;
}

static TfLiteStatus see_node(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    (void)context;
    return TfLiteOpaqueNodeGetUserData(node) == &seen ? kTfLiteOk : kTfLiteError;
}

static TfLiteOperator seeing = {.init = see_init, .prepare = see_node, .invoke = see_node};

static void custom_options_reach_init(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    fixture_tensor(b, 2);
    fixture_tensor(b, 2);
    builder_operator(b, (BuilderOperator){.custom_name = "See",
                                          .inputs = {1, {0}},
                                          .outputs = {1, {1}},
                                          .custom_options = "options",
                                          .custom_options_size = 7});
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {1}});
    const LiteOperatorEntry entry = {kTfLiteBuiltinCustom, "See", 1, 1, {.registration_external = &seeing}};
    Fixture f;
    fixture_create(&f, b, &(LiteInterpreterOptions){.operators = &entry, .operator_count = 1});
    assert_int_equal(seen.length, 7);
    assert_memory_equal(seen.copy, "options", 7);
    fixture_run(&f);
    fixture_destroy(&f);
}

static ModelBuilder* one_add(int version) {
    static const TfLiteAddParams params = {.activation = kTfLiteActRelu6};
    ModelBuilder* b = builder_create();
    fixture_tensor(b, 2);
    fixture_tensor(b, 2);
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinAdd,
                                          .version = version,
                                          .inputs = {2, {0, 0}},
                                          .outputs = {1, {1}},
                                          .params = &params});
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {1}});
    return b;
}

static void builtin_operators_can_be_overridden_and_see_no_buffer(void** state) {
    (void)state;
    const LiteOperatorEntry entry = {kTfLiteBuiltinAdd, NULL, 1, 2, {.registration_external = &seeing}};
    Fixture f;
    seen.buffer = "not called";
    fixture_create(&f, one_add(2), &(LiteInterpreterOptions){.operators = &entry, .operator_count = 1});
    assert_null(seen.buffer);
    assert_int_equal(seen.length, 0);
    const TfLiteAddParams* params = f.graph->nodes[0]->node.builtin_data;
    assert_int_equal(params->activation, kTfLiteActRelu6);
    fixture_run(&f);
    fixture_destroy(&f);
}

// A classic registration: y = 3 x, with parameters as init's buffer.
static void* classic_init(TfLiteContext* context, const char* buffer, size_t length) {
    (void)context;
    (void)length;
    return (void*)buffer;
}

static TfLiteStatus classic_prepare(TfLiteContext* context, TfLiteNode* node) {
    TfLiteTensor* y = &context->tensors[node->outputs->data[0]];
    return context->ResizeTensor(context, y,
                                 TfLiteIntArrayCopy(context->tensors[node->inputs->data[0]].dims));
}

static TfLiteStatus classic_invoke(TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* x = &context->tensors[node->inputs->data[0]];
    for (size_t i = 0; i < x->bytes / sizeof(float); i++) {
        context->tensors[node->outputs->data[0]].data.f[i] = 3 * x->data.f[i];
    }
    return kTfLiteOk;
}

static void classic_registrations_work(void** state) {
    (void)state;
    const LiteOperatorEntry entry = {
        kTfLiteBuiltinAdd,
        NULL,
        1,
        1,
        {.init = classic_init, .prepare = classic_prepare, .invoke = classic_invoke}};
    Fixture f;
    fixture_create(&f, one_add(1), &(LiteInterpreterOptions){.operators = &entry, .operator_count = 1});
    const TfLiteNode* node = &f.graph->nodes[0]->node;
    assert_ptr_equal(node->user_data, node->builtin_data);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, 2);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 1, 2, 6);
    fixture_destroy(&f);
}

static void an_operator_needs_invoke_when_it_runs(void** state) {
    (void)state;
    static TfLiteOperator without_invoke = {.init = see_init, .prepare = see_node};
    static TfLiteOperator without_prepare = {.init = see_init, .invoke = see_node};
    TfLiteOperator* const cases[] = {&without_invoke, &without_prepare};
    for (int i = 0; i < 2; i++) {
        const LiteOperatorEntry entry = {
            kTfLiteBuiltinCustom, "Half", 1, 1, {.registration_external = cases[i]}};
        Fixture f;
        fixture_create(&f, fixture_chain("Half", 1),
                       &(LiteInterpreterOptions){.operators = &entry, .operator_count = 1});
        assert_non_null(f.interpreter);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        assert_int_equal(lite_subgraph_invoke(f.graph), i == 0 ? kTfLiteError : kTfLiteOk);
        if (i == 0) {
            assert_non_null(strstr(f.messages, "Half: the operator has no Invoke method"));
            fixture_expect_message(&f, "Node number 0 (Half) failed to invoke.");
        }
        fixture_destroy(&f);
    }
}

static void unresolved_custom_operators_are_explained(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, fixture_chain("TWICE", 2), NULL);
    assert_non_null(f.interpreter);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteUnresolvedOps);
    const char* begin = "Encountered unresolved custom op: TWICE.\n";
    assert_int_equal(strncmp(f.messages, begin, strlen(begin)), 0);
    assert_non_null(strstr(f.messages, "'Twice'"));
    assert_non_null(strstr(f.messages, "TfLiteInterpreterOptionsAddOperator"));
    fixture_expect_message(&f, "Node number 0 (TWICE) failed to prepare.");
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteError);
    fixture_destroy(&f);
}

static void unresolved_builtin_operators_prevent_an_interpreter(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, one_add(77), &(LiteInterpreterOptions){.selected_operators_only = true});
    assert_null(f.interpreter);
    assert_non_null(strstr(f.messages, "Registration failed."));
    fixture_expect_message(&f, "Didn't find op for builtin opcode 'ADD' version '77'.");
    fixture_destroy(&f);
    const LiteOperatorEntry entry = {kTfLiteBuiltinAdd, NULL, 3, 5, {.registration_external = &seeing}};
    fixture_create(&f, one_add(77), &(LiteInterpreterOptions){.operators = &entry, .operator_count = 1});
    assert_null(f.interpreter);
    fixture_expect_message(&f, "A registered one serves versions 3 to 5.");
    fixture_destroy(&f);
}

static bool resolve_everything(void* user_data, TfLiteBuiltinOperator code, const char* name, int version,
                               TfLiteRegistration* registration) {
    (void)code, (void)name, (void)version;
    ++*(int*)user_data;
    registration->registration_external = &seeing;
    return true;
}

static void the_resolver_is_asked_after_the_users_operators(void** state) {
    (void)state;
    ModelBuilder* b = fixture_chain("Twice", 1);
    fixture_tensor(b, 4);
    fixture_node(b, "Other", 0, 2);
    int asked = 0;
    Fixture f;
    fixture_create(&f, b, &(LiteInterpreterOptions){.resolve = resolve_everything, .resolve_data = &asked});
    assert_int_equal(asked, 1);
    fixture_run(&f);
    fixture_destroy(&f);
}

static LiteInterpreter* to_cancel;

static TfLiteStatus cancelling_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    (void)context, (void)node;
    return lite_interpreter_cancel(to_cancel);
}

static void an_invoke_can_be_cancelled(void** state) {
    (void)state;
    static TfLiteOperator cancelling = {.init = see_init, .prepare = see_node, .invoke = cancelling_invoke};
    const LiteOperatorEntry entry = {
        kTfLiteBuiltinCustom, "Cancel", 1, 1, {.registration_external = &cancelling}};
    ModelBuilder* b = fixture_chain("Cancel", 1);
    fixture_tensor(b, 4);
    fixture_node(b, "Twice", 0, 2);
    Fixture f;
    fixture_create(
        &f, b,
        &(LiteInterpreterOptions){.operators = &entry, .operator_count = 1, .enable_cancellation = true});
    to_cancel = f.interpreter;
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteCancelled);
    assert_int_equal(fixture_calls.invoke, 0);
    assert_int_equal(lite_interpreter_enable_cancellation(f.interpreter, false), kTfLiteOk);
    assert_int_equal(lite_interpreter_cancel(f.interpreter), kTfLiteError);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteError); // the node fails as it cannot cancel
    fixture_expect_message(&f, "Node number 0 (Cancel) failed to invoke.");
    fixture_destroy(&f);
}

static void signatures_are_found_by_key(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, fixture_chain("Twice", 1), NULL);
    assert_null(lite_interpreter_signature(f.interpreter, "serve"));
    const LiteModelSignature* placeholder = lite_interpreter_signature(f.interpreter, NULL);
    assert_string_equal(placeholder->key, "<placeholder signature>");
    assert_int_equal(lite_signature_input(placeholder, "t0"), 0);
    assert_int_equal(lite_signature_output(placeholder, "t1"), 1);
    assert_int_equal(lite_signature_output(placeholder, "t0"), -1);
    fixture_destroy(&f);

    ModelBuilder* b = fixture_chain("Twice", 1);
    builder_signature(b, "serve", 0, (BuilderNames){1, {{"x", 0}}}, (BuilderNames){1, {{"y", 1}}});
    fixture_create(&f, b, NULL);
    const LiteModelSignature* serve = lite_interpreter_signature(f.interpreter, "serve");
    assert_non_null(serve);
    assert_ptr_equal(serve, lite_interpreter_signature(f.interpreter, NULL));
    assert_int_equal(lite_signature_input(serve, "x"), 0);
    assert_int_equal(lite_signature_output(serve, "y"), 1);
    fixture_destroy(&f);
}

static void count_events(void* user_data, int subgraph, int node, uint64_t begin_ns, uint64_t end_ns) {
    int* next = user_data;
    assert_int_equal(subgraph, 0);
    assert_int_equal(node, (*next)++);
    assert_true(begin_ns <= end_ns);
}

static void nodes_are_profiled(void** state) {
    (void)state;
    int events = 0;
    Fixture f;
    fixture_create(&f, fixture_chain("Twice", 3), NULL);
    lite_interpreter_set_profile(f.interpreter, count_events, &events);
    fixture_run(&f);
    assert_int_equal(events, 3);
    fixture_destroy(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_are_called_as_often_as_promised),
        cmocka_unit_test(an_invoke_needs_an_allocation),
        cmocka_unit_test(custom_options_reach_init),
        cmocka_unit_test(builtin_operators_can_be_overridden_and_see_no_buffer),
        cmocka_unit_test(classic_registrations_work),
        cmocka_unit_test(an_operator_needs_invoke_when_it_runs),
        cmocka_unit_test(unresolved_custom_operators_are_explained),
        cmocka_unit_test(unresolved_builtin_operators_prevent_an_interpreter),
        cmocka_unit_test(the_resolver_is_asked_after_the_users_operators),
        cmocka_unit_test(an_invoke_can_be_cancelled),
        cmocka_unit_test(signatures_are_found_by_key),
        cmocka_unit_test(nodes_are_profiled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
