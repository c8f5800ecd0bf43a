// SPDX-License-Identifier: Apache-2.0
#include "tests/support/graph_fixture.h"
#include "core/model/open.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/operator.h"
#include "core/graph/allocate.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"
#include "tensorflow/lite/c/c_api_opaque.h"

FixtureCalls fixture_calls;
int fixture_failing_invokes;

static void* op_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    (void)buffer;
    (void)length;
    fixture_calls.init++;
    int* data = malloc(sizeof *data); // freed exactly once, or a sanitizer tells
    if (data != NULL) *data = -1;
    return data;
}

static void op_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    fixture_calls.free++;
    free(data);
}

static TfLiteStatus begin_invoke(void) {
    fixture_calls.invoke++;
    if (fixture_failing_invokes == 0) return kTfLiteOk;
    fixture_failing_invokes--;
    return kTfLiteError;
}

static const TfLiteTensor* input_of(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, int index) {
    return (const TfLiteTensor*)TfLiteOpaqueNodeGetInput(context, node, index);
}

static TfLiteTensor* output_of(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return (TfLiteTensor*)TfLiteOpaqueNodeGetOutput(context, node, 0);
}

static TfLiteStatus resize_like(TfLiteOpaqueContext* context, TfLiteTensor* tensor,
                                const TfLiteTensor* model) {
    TfLiteIntArray* dims = TfLiteIntArrayCopy(model->dims);
    if (dims == NULL) return kTfLiteError;
    return TfLiteOpaqueContextResizeTensor(context, (TfLiteOpaqueTensor*)tensor, dims);
}

static TfLiteStatus same_shape_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    fixture_calls.prepare++;
    return resize_like(context, output_of(context, node), input_of(context, node, 0));
}

static size_t elements(const TfLiteTensor* tensor) {
    return tensor->bytes / sizeof(float);
}

static TfLiteStatus twice_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    if (begin_invoke() != kTfLiteOk) return kTfLiteError;
    const TfLiteTensor* x = input_of(context, node, 0);
    TfLiteTensor* y = output_of(context, node);
    for (size_t i = 0; i < elements(x); i++) y->data.f[i] = 2 * x->data.f[i];
    return kTfLiteOk;
}

static TfLiteStatus sum_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    if (begin_invoke() != kTfLiteOk) return kTfLiteError;
    const TfLiteTensor* x = input_of(context, node, 0);
    const TfLiteTensor* y = input_of(context, node, 1);
    TfLiteTensor* z = output_of(context, node);
    for (size_t i = 0; i < elements(x); i++) z->data.f[i] = x->data.f[i] + y->data.f[i % elements(y)];
    return kTfLiteOk;
}

static TfLiteStatus repeat_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    fixture_calls.prepare++;
    TfLiteOpaqueTensorSetAllocationTypeToDynamic((TfLiteOpaqueTensor*)output_of(context, node));
    return kTfLiteOk;
}

static TfLiteStatus repeat_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    if (begin_invoke() != kTfLiteOk) return kTfLiteError;
    const float value = input_of(context, node, 0)->data.f[0];
    TfLiteIntArray* dims = TfLiteIntArrayCreate(1);
    if (dims == NULL) return kTfLiteError;
    dims->data[0] = (int)value;
    TfLiteTensor* y = output_of(context, node);
    if (TfLiteOpaqueContextResizeTensor(context, (TfLiteOpaqueTensor*)y, dims) != kTfLiteOk)
        return kTfLiteError;
    for (size_t i = 0; i < elements(y); i++) y->data.f[i] = value;
    return kTfLiteOk;
}

static TfLiteStatus scratch_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    int* temporary = TfLiteOpaqueNodeGetUserData(node);
    if (temporary == NULL) return kTfLiteError;
    if (*temporary < 0) {
        TfLiteOpaqueTensorBuilder* builder = TfLiteOpaqueTensorBuilderCreate();
        TfLiteOpaqueTensorBuilderSetType(builder, kTfLiteFloat32);
        TfLiteOpaqueTensorBuilderSetAllocationType(builder, kTfLiteArenaRw);
        const TfLiteStatus status = TfLiteOpaqueContextAddTensor(context, builder, temporary);
        TfLiteOpaqueTensorBuilderDelete(builder);
        if (status != kTfLiteOk) return status;
    }
    if (TfLiteOpaqueNodeSetTemporaries(node, temporary, 1) != kTfLiteOk) return kTfLiteError;
    TfLiteTensor* scratch = (TfLiteTensor*)TfLiteOpaqueContextGetOpaqueTensor(context, *temporary);
    if (resize_like(context, scratch, input_of(context, node, 0)) != kTfLiteOk) return kTfLiteError;
    return same_shape_prepare(context, node);
}

static TfLiteStatus scratch_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    if (begin_invoke() != kTfLiteOk) return kTfLiteError;
    const int* temporary = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteTensor* x = input_of(context, node, 0);
    TfLiteTensor* y = output_of(context, node);
    TfLiteTensor* scratch = (TfLiteTensor*)TfLiteOpaqueContextGetOpaqueTensor(context, *temporary);
    for (size_t i = 0; i < elements(x); i++) scratch->data.f[i] = 1;
    for (size_t i = 0; i < elements(x); i++) y->data.f[i] = x->data.f[i];
    for (size_t i = 0; i < elements(x); i++) y->data.f[i] += scratch->data.f[i];
    return kTfLiteOk;
}

static TfLiteStatus count_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    if (begin_invoke() != kTfLiteOk) return kTfLiteError;
    float* runs = input_of(context, node, 1)->data.f;
    TfLiteTensor* y = output_of(context, node);
    *runs += 1;
    for (size_t i = 0; i < elements(y); i++) y->data.f[i] = *runs;
    return kTfLiteOk;
}

static TfLiteOperator operators[] = {
    {.custom_name = "Twice", .prepare = same_shape_prepare, .invoke = twice_invoke},
    {.custom_name = "Sum", .prepare = same_shape_prepare, .invoke = sum_invoke},
    {.custom_name = "Repeat", .prepare = repeat_prepare, .invoke = repeat_invoke},
    {.custom_name = "Scratch", .prepare = scratch_prepare, .invoke = scratch_invoke},
    {.custom_name = "Count", .prepare = same_shape_prepare, .invoke = count_invoke},
};

enum { kOperatorCount = sizeof operators / sizeof operators[0], kMaxEntries = 16 };

int fixture_operators(const LiteOperatorEntry** entries) {
    static LiteOperatorEntry table[kOperatorCount];
    for (int i = 0; i < kOperatorCount; i++) {
        operators[i].builtin_code = kTfLiteBuiltinCustom;
        operators[i].version = 1;
        operators[i].init = op_init;
        operators[i].free = op_free;
        table[i] = (LiteOperatorEntry){kTfLiteBuiltinCustom, operators[i].custom_name, 1, 1, {0}};
        table[i].registration.registration_external = &operators[i];
    }
    *entries = table;
    return kOperatorCount;
}

static void append_message(void* user_data, const char* format, va_list args) {
    Fixture* fixture = user_data;
    const size_t used = strlen(fixture->messages);
    vsnprintf(fixture->messages + used, sizeof fixture->messages - used, format, args);
    const size_t now = strlen(fixture->messages);
    if (now + 1 < sizeof fixture->messages) strcpy(fixture->messages + now, "\n");
}

void fixture_create(Fixture* fixture, ModelBuilder* builder, const LiteInterpreterOptions* options) {
    memset(fixture, 0, sizeof *fixture);
    fixture_calls = (FixtureCalls){0};
    fixture_failing_invokes = 0;
    size_t size;
    fixture->bytes = builder_finish(builder, &size);
    LiteInterpreterOptions merged = options != NULL ? *options : (LiteInterpreterOptions){0};
    merged.reporter = (LiteReporter){append_message, fixture};
    fixture->model = lite_model_create(fixture->bytes, size, &merged.reporter);
    if (fixture->model == NULL) {
        print_message("%s", fixture->messages);
        fail();
    }
    // Later entries win: those of the caller stand behind the fixture's.
    LiteOperatorEntry entries[kMaxEntries];
    const LiteOperatorEntry* own;
    const int own_count = fixture_operators(&own);
    assert_true(own_count + merged.operator_count <= kMaxEntries);
    memcpy(entries, own, (size_t)own_count * sizeof *entries);
    for (int i = 0; i < merged.operator_count; i++) entries[own_count + i] = merged.operators[i];
    merged.operators = entries;
    merged.operator_count += own_count;
    fixture->interpreter = lite_interpreter_create(fixture->model, &merged);
    if (fixture->interpreter != NULL) fixture->graph = lite_interpreter_subgraph(fixture->interpreter, 0);
}

void fixture_destroy(Fixture* fixture) {
    lite_interpreter_destroy(fixture->interpreter);
    lite_model_release(fixture->model);
    free(fixture->bytes);
    assert_int_equal(fixture_calls.init, fixture_calls.free);
}

int fixture_tensor(ModelBuilder* builder, int count) {
    return builder_tensor(builder, (BuilderTensor){.type = kTfLiteFloat32, .rank = 1, .dims = {count}});
}

void fixture_node(ModelBuilder* builder, const char* op, int input, int output) {
    builder_operator(builder,
                     (BuilderOperator){.custom_name = op, .inputs = {1, {input}}, .outputs = {1, {output}}});
}

void fixture_node2(ModelBuilder* builder, const char* op, int first, int second, int output) {
    builder_operator(
        builder,
        (BuilderOperator){.custom_name = op, .inputs = {2, {first, second}}, .outputs = {1, {output}}});
}

ModelBuilder* fixture_chain(const char* op, int count) {
    ModelBuilder* builder = builder_create();
    for (int i = 0; i <= count; i++) fixture_tensor(builder, 4);
    for (int i = 0; i < count; i++) fixture_node(builder, op, i, i + 1);
    builder_inputs(builder, (BuilderInts){1, {0}});
    builder_outputs(builder, (BuilderInts){1, {count}});
    return builder;
}

void fixture_fill(Fixture* fixture, int index, float value) {
    TfLiteTensor* tensor = lite_subgraph_tensor(fixture->graph, index);
    assert_non_null(tensor->data.raw);
    for (size_t i = 0; i < elements(tensor); i++) tensor->data.f[i] = value;
}

void fixture_expect(Fixture* fixture, int index, int count, float value) {
    const TfLiteTensor* tensor = lite_subgraph_tensor(fixture->graph, index);
    assert_int_equal(elements(tensor), count);
    for (int i = 0; i < count; i++) assert_float_equal(tensor->data.f[i], value, 0);
}

void fixture_run(Fixture* fixture) {
    assert_int_equal(lite_subgraph_allocate(fixture->graph), kTfLiteOk);
    assert_int_equal(lite_subgraph_invoke(fixture->graph), kTfLiteOk);
}

void fixture_expect_message(Fixture* fixture, const char* part) {
    if (strstr(fixture->messages, part) == NULL) {
        print_message("expected: %s\ngot: %s\n", part, fixture->messages);
        fail();
    }
    fixture->messages[0] = '\0';
}
