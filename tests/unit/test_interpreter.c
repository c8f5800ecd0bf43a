// SPDX-License-Identifier: Apache-2.0
// Interpreter: life of an operator, resolution, resizing, variables, constants, cancellation, signatures.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/graph.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/support/graph_fixture.h"

static void expect_calls(int init, int prepare, int invoke, int free) {
    assert_int_equal(fixture_calls.init, init);
    assert_int_equal(fixture_calls.prepare, prepare);
    assert_int_equal(fixture_calls.invoke, invoke);
    assert_int_equal(fixture_calls.free, free);
}

static void allocate_and_invoke(Fixture* f) {
    assert_int_equal(lite_subgraph_allocate(f->graph), kTfLiteOk);
    assert_int_equal(lite_subgraph_invoke(f->graph), kTfLiteOk);
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
    allocate_and_invoke(&f);
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
    allocate_and_invoke(&f);
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

static void an_operator_needs_prepare_and_invoke(void** state) {
    (void)state;
    static TfLiteOperator without_invoke = {.prepare = see_node};
    static TfLiteOperator without_prepare = {.invoke = see_node};
    TfLiteOperator* const cases[] = {&without_invoke, &without_prepare};
    static const char* const messages[] = {"Half: the operator has no Invoke method",
                                           "Half: the operator has no Prepare method"};
    for (int i = 0; i < 2; i++) {
        const LiteOperatorEntry entry = {
            kTfLiteBuiltinCustom, "Half", 1, 1, {.registration_external = cases[i]}};
        Fixture f;
        fixture_create(&f, fixture_chain("Half", 1),
                       &(LiteInterpreterOptions){.operators = &entry, .operator_count = 1});
        assert_non_null(f.interpreter);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteError);
        assert_int_equal(strncmp(f.messages, messages[i], strlen(messages[i])), 0);
        fixture_expect_message(&f, "Node number 0 (Half) failed to prepare.");
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
    allocate_and_invoke(&f);
    fixture_destroy(&f);
}

static void inputs_keep_address_and_contents(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 3; i++) fixture_tensor(b, 4);
    fixture_node2(b, "Sum", 0, 1, 2);
    builder_inputs(b, (BuilderInts){2, {0, 1}});
    builder_outputs(b, (BuilderInts){1, {2}});
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, 5);
    fixture_fill(&f, 1, 1);
    const void* address = lite_subgraph_tensor(f.graph, 0)->data.raw;
    assert_int_equal((uintptr_t)address % 64, 0);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 2, 4, 6);
    const int dims[] = {2};
    assert_int_equal(lite_subgraph_resize_input(f.graph, 1, dims, 1), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    assert_ptr_equal(lite_subgraph_tensor(f.graph, 0)->data.raw, address);
    fixture_fill(&f, 1, 2);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 2, 4, 7);
    fixture_destroy(&f);
}

static void impossible_resizes_are_refused(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, fixture_chain("Twice", 1), NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    const int negative[] = {-4};
    const int huge[] = {INT32_MAX, INT32_MAX, INT32_MAX};
    const int dims[] = {4};
    assert_int_equal(lite_subgraph_resize_input(f.graph, 0, negative, 1), kTfLiteError);
    assert_int_equal(lite_subgraph_resize_input(f.graph, 0, huge, 3), kTfLiteError);
    assert_int_equal(lite_subgraph_resize_input(f.graph, 0, NULL, 2), kTfLiteError);
    assert_int_equal(lite_subgraph_resize_input(f.graph, 0, dims, -1), kTfLiteError);
    assert_int_equal(lite_subgraph_resize_input(f.graph, 99, dims, 1), kTfLiteError);
    assert_int_equal(lite_subgraph_resize_input(f.graph, -1, dims, 1), kTfLiteError);
    // All that changed nothing.
    fixture_fill(&f, 0, 1);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 1, 4, 2);
    fixture_destroy(&f);
}

static ModelBuilder* counting_model(void) {
    ModelBuilder* b = builder_create();
    fixture_tensor(b, 4);
    builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .rank = 1, .dims = {1}, .is_variable = true});
    fixture_tensor(b, 4);
    fixture_node2(b, "Count", 0, 1, 2);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {2}});
    return b;
}

static void variables_keep_their_contents(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, counting_model(), NULL);
    assert_int_equal(lite_subgraph_variables(f.graph).count, 1);
    assert_int_equal(lite_subgraph_variables(f.graph).data[0], 1);
    assert_int_equal(lite_subgraph_tensor(f.graph, 1)->allocation_type, kTfLiteArenaRwPersistent);
    allocate_and_invoke(&f);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 2, 4, 2);
    assert_int_equal(lite_subgraph_reset_variables(f.graph), kTfLiteOk);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 2, 4, 1);
    fixture_destroy(&f);
}

static void constants_and_inputs_can_be_outputs(void** state) {
    (void)state;
    static const float constant[] = {7, 7};
    ModelBuilder* b = builder_create();
    fixture_tensor(b, 2);
    builder_tensor(
        b, (BuilderTensor){
               .type = kTfLiteFloat32, .rank = 1, .dims = {2}, .data = constant, .bytes = sizeof constant});
    fixture_tensor(b, 2);
    fixture_node2(b, "Sum", 0, 1, 2);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){3, {2, 1, 0}});
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, 3);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 0, 2, 3);
    fixture_expect(&f, 1, 2, 7);
    fixture_expect(&f, 2, 2, 10);
    assert_int_equal(lite_subgraph_tensor(f.graph, 1)->allocation_type, kTfLiteMmapRo);
    fixture_destroy(&f);
}

// The model's contents are what an input holds until the program writes it, which must not touch the model.
static void an_input_may_have_contents(void** state) {
    (void)state;
    static const float contents[] = {7, 7};
    ModelBuilder* b = builder_create();
    builder_tensor(
        b, (BuilderTensor){
               .type = kTfLiteFloat32, .rank = 1, .dims = {2}, .data = contents, .bytes = sizeof contents});
    fixture_tensor(b, 2);
    fixture_node(b, "Twice", 0, 1);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {1}});
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    assert_int_equal(lite_subgraph_tensor(f.graph, 0)->allocation_type, kTfLiteArenaRw);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 1, 2, 14);
    fixture_fill(&f, 0, 3);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 1, 2, 6);
    const float* in_model = lite_model_subgraph(f.model, 0)->tensors[0].data;
    assert_true(in_model[0] == 7.0f);
    fixture_destroy(&f);
}

static void a_node_cannot_write_a_constant(void** state) {
    (void)state;
    static const float constant[] = {7, 7};
    ModelBuilder* b = builder_create();
    fixture_tensor(b, 2);
    builder_tensor(
        b, (BuilderTensor){
               .type = kTfLiteFloat32, .rank = 1, .dims = {2}, .data = constant, .bytes = sizeof constant});
    fixture_node(b, "Twice", 0, 1);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {1}});
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteError);
    fixture_expect_message(&f, "is a constant of the model");
    fixture_destroy(&f);
}

static void tensors_are_not_read_before_they_are_written(void** state) {
    (void)state;
    for (int written_later = 0; written_later < 2; written_later++) {
        ModelBuilder* b = builder_create();
        for (int i = 0; i < 3; i++) fixture_tensor(b, 2);
        fixture_node2(b, "Sum", 0, 1, 2);
        if (written_later) fixture_node(b, "Twice", 0, 1);
        builder_inputs(b, (BuilderInts){1, {0}});
        builder_outputs(b, (BuilderInts){1, {2}});
        Fixture f;
        fixture_create(&f, b, NULL);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteError);
        fixture_expect_message(&f, "Input tensor 1 lacks data");
        fixture_destroy(&f);
    }
}

static void a_node_may_write_into_inputs(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    fixture_tensor(b, 2);
    fixture_tensor(b, 2);
    fixture_node(b, "Twice", 0, 1);
    fixture_node(b, "Twice", 1, 0);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {0}});
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, 1);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    fixture_expect(&f, 0, 2, 4);
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

static void tensors_can_live_in_the_callers_memory(void** state) {
    (void)state;
    _Alignas(64) float in[4] = {1, 1, 1, 1};
    _Alignas(64) float out[4];
    Fixture f;
    fixture_create(&f, fixture_chain("Twice", 2), NULL);
    TfLiteCustomAllocation input = {in, sizeof in};
    TfLiteCustomAllocation output = {out, 4};
    TfLiteCustomAllocation crooked = {(char*)in + 4, 12};
    assert_int_equal(lite_subgraph_set_custom_allocation(f.graph, 0, &crooked, 0), kTfLiteError);
    assert_int_equal(lite_subgraph_set_custom_allocation(f.graph, 0, &input, 0), kTfLiteOk);
    assert_int_equal(lite_subgraph_set_custom_allocation(f.graph, 2, &output, 0), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteError);
    fixture_expect_message(&f, "Custom allocation is too small for tensor idx: 2");
    output.bytes = sizeof out;
    assert_int_equal(lite_subgraph_set_custom_allocation(f.graph, 2, &output, 0), kTfLiteOk);
    allocate_and_invoke(&f);
    assert_float_equal(out[3], 4, 0);
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
    allocate_and_invoke(&f);
    assert_int_equal(events, 3);
    fixture_destroy(&f);
}

static void tensors_are_described(void** state) {
    (void)state;
    static const float scales[] = {0.5f, 0.25f};
    static const int32_t signature[] = {-1, 2};
    ModelBuilder* b = builder_create();
    builder_tensor(b, (BuilderTensor){.name = "in",
                                      .type = kTfLiteInt8,
                                      .rank = 2,
                                      .dims = {1, 2},
                                      .signature = signature,
                                      .scale = 0.1f,
                                      .zero_point = -3});
    builder_tensor(
        b, (BuilderTensor){.type = kTfLiteInt8, .rank = 1, .dims = {2}, .scale_count = 2, .scales = scales});
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {0}});
    Fixture f;
    fixture_create(&f, b, NULL);
    const TfLiteTensor* t = lite_subgraph_tensor(f.graph, 0);
    assert_string_equal(t->name, "in");
    assert_int_equal(t->params.zero_point, -3);
    assert_float_equal(t->params.scale, 0.1f, 0);
    assert_int_equal(t->dims_signature->data[0], -1);
    assert_int_equal(t->bytes, 2);
    assert_int_equal(t->buffer_handle, kTfLiteNullBufferHandle);
    assert_float_equal(lite_subgraph_tensor(f.graph, 1)->params.scale, 0, 0); // not one scale: none
    assert_int_equal(lite_subgraph_tensor_index(f.graph, t + 1), 1);
    assert_int_equal(lite_subgraph_tensor_index(f.graph, (const TfLiteTensor*)&f), -1);
    fixture_destroy(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_are_called_as_often_as_promised),
        cmocka_unit_test(an_invoke_needs_an_allocation),
        cmocka_unit_test(custom_options_reach_init),
        cmocka_unit_test(builtin_operators_can_be_overridden_and_see_no_buffer),
        cmocka_unit_test(classic_registrations_work),
        cmocka_unit_test(an_operator_needs_prepare_and_invoke),
        cmocka_unit_test(unresolved_custom_operators_are_explained),
        cmocka_unit_test(unresolved_builtin_operators_prevent_an_interpreter),
        cmocka_unit_test(the_resolver_is_asked_after_the_users_operators),
        cmocka_unit_test(inputs_keep_address_and_contents),
        cmocka_unit_test(impossible_resizes_are_refused),
        cmocka_unit_test(variables_keep_their_contents),
        cmocka_unit_test(constants_and_inputs_can_be_outputs),
        cmocka_unit_test(an_input_may_have_contents),
        cmocka_unit_test(a_node_cannot_write_a_constant),
        cmocka_unit_test(tensors_are_not_read_before_they_are_written),
        cmocka_unit_test(a_node_may_write_into_inputs),
        cmocka_unit_test(an_invoke_can_be_cancelled),
        cmocka_unit_test(signatures_are_found_by_key),
        cmocka_unit_test(tensors_can_live_in_the_callers_memory),
        cmocka_unit_test(nodes_are_profiled),
        cmocka_unit_test(tensors_are_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
