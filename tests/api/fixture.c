// SPDX-License-Identifier: Apache-2.0
#include "tests/api/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/api/cmocka_setup.h"
#include "tests/support/model_builder.h"

FixtureCalls fixture_calls;
char fixture_messages[4096];
void (*fixture_on_invoke)(void);

enum { kMost = 8 };
static uint8_t* buffers[kMost]; // models' bytes, and
static int buffer_count;
static TfLiteOperator* operators[kMost]; // operators, to be released by fixture_reset
static int operator_count;

void fixture_reset(void) {
    while (buffer_count > 0) free(buffers[--buffer_count]);
    while (operator_count > 0) TfLiteOperatorDelete(operators[--operator_count]);
    memset(&fixture_calls, 0, sizeof fixture_calls);
    fixture_messages[0] = '\0';
    fixture_on_invoke = NULL;
}

void fixture_report(void* user_data, const char* format, va_list args) {
    (void)user_data;
    const size_t used = strlen(fixture_messages);
    vsnprintf(fixture_messages + used, sizeof fixture_messages - used, format, args);
}

// Models.

static const int32_t kOpen[] = {-1};
static const BuilderTensor kFloats = {
    .type = kTfLiteFloat32, .rank = 1, .dims = {kLength}, .signature = kOpen};

// The bytes are kept at an odd address: models need no alignment.
static TfLiteModel* finish(ModelBuilder* builder) {
    size_t size;
    uint8_t* bytes = builder_finish(builder, &size);
    assert_true(buffer_count < kMost);
    uint8_t* shifted = malloc(size + 1);
    memcpy(shifted + 1, bytes, size);
    free(bytes);
    buffers[buffer_count++] = shifted;
    return TfLiteModelCreateWithErrorReporter(shifted + 1, size, fixture_report, NULL);
}

TfLiteModel* fixture_model(int nodes) {
    static const char options[] = {1, 4, 1}; // any bytes: the operator does not look
    ModelBuilder* builder = builder_create();
    const int first = builder_tensor(builder, kFloats);
    int last = first;
    for (int i = 0; i < nodes; i++) {
        const int next = builder_tensor(builder, kFloats);
        builder_operator(builder, (BuilderOperator){.custom_name = "Twice",
                                                    .inputs = {1, {last}},
                                                    .outputs = {1, {next}},
                                                    .custom_options = options,
                                                    .custom_options_size = sizeof options});
        last = next;
    }
    builder_inputs(builder, (BuilderInts){1, {first}});
    builder_outputs(builder, (BuilderInts){1, {last}});
    builder_signature(builder, "main", 0, (BuilderNames){1, {{"x", first}}},
                      (BuilderNames){1, {{"y", last}}});
    builder_metadata(builder, "note", "hello", 5);
    return finish(builder);
}

TfLiteModel* fixture_add_model(void) {
    static const TfLiteAddParams params = {.activation = kTfLiteActNone};
    ModelBuilder* builder = builder_create();
    const int x = builder_tensor(builder, kFloats);
    const int y = builder_tensor(builder, kFloats);
    builder_operator(builder, (BuilderOperator){.code = kTfLiteBuiltinAdd,
                                                .inputs = {2, {x, x}},
                                                .outputs = {1, {y}},
                                                .params = &params});
    builder_inputs(builder, (BuilderInts){1, {x}});
    builder_outputs(builder, (BuilderInts){1, {y}});
    return finish(builder);
}

TfLiteModel* fixture_variable_model(void) {
    ModelBuilder* builder = builder_create();
    BuilderTensor stored = kFloats;
    stored.is_variable = true;
    const int x = builder_tensor(builder, kFloats);
    const int variable = builder_tensor(builder, stored);
    const int y = builder_tensor(builder, kFloats);
    builder_operator(
        builder,
        (BuilderOperator){.custom_name = "Accumulate", .inputs = {2, {x, variable}}, .outputs = {1, {y}}});
    builder_inputs(builder, (BuilderInts){1, {x}});
    builder_outputs(builder, (BuilderInts){1, {y}});
    return finish(builder);
}

// Operators.

static void* counted_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    (void)buffer;
    fixture_calls.init++;
    fixture_calls.buffer_length = length;
    return &fixture_calls;
}

static void counted_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    assert_ptr_equal(data, &fixture_calls);
    fixture_calls.free++;
}

static TfLiteStatus same_shape(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    fixture_calls.prepare++;
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    const int rank = TfLiteOpaqueTensorNumDims(input);
    TfLiteIntArray* shape = TfLiteIntArrayCreate(rank);
    if (shape == NULL) return kTfLiteError;
    for (int i = 0; i < rank; i++) shape->data[i] = TfLiteOpaqueTensorDim(input, i);
    return TfLiteOpaqueContextResizeTensor(context, TfLiteOpaqueNodeGetOutput(context, node, 0), shape);
}

static TfLiteStatus twice_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    fixture_calls.invoke++;
    if (fixture_on_invoke != NULL) fixture_on_invoke();
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    const float* x = TfLiteOpaqueTensorData(input);
    float* y = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetOutput(context, node, 0));
    const size_t count = TfLiteOpaqueTensorByteSize(input) / sizeof(float);
    for (size_t i = 0; i < count; i++) y[i] = 2.0f * x[i];
    return kTfLiteOk;
}

static TfLiteStatus accumulate_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const float* x = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetInput(context, node, 0));
    float* sum = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetInput(context, node, 1));
    float* y = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetOutput(context, node, 0));
    for (int i = 0; i < kLength; i++) y[i] = sum[i] += x[i];
    return kTfLiteOk;
}

static TfLiteOperator* make_operator(const char* name, TfLiteStatus (*invoke)(TfLiteOpaqueContext* context,
                                                                              TfLiteOpaqueNode* node)) {
    TfLiteOperator* op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, name, 1);
    assert_non_null(op);
    assert_true(operator_count < kMost);
    operators[operator_count++] = op;
    TfLiteOperatorSetInit(op, counted_init);
    TfLiteOperatorSetFree(op, counted_free);
    TfLiteOperatorSetPrepare(op, same_shape);
    TfLiteOperatorSetInvoke(op, invoke);
    return op;
}

TfLiteOperator* fixture_twice(void) {
    return make_operator("Twice", twice_invoke);
}

TfLiteOperator* fixture_accumulate(void) {
    return make_operator("Accumulate", accumulate_invoke);
}

// The same in the plain types: an opaque context is a context.
static void* plain_init(TfLiteContext* context, const char* buffer, size_t length) {
    return counted_init((TfLiteOpaqueContext*)context, buffer, length);
}
static void plain_free(TfLiteContext* context, void* data) {
    counted_free((TfLiteOpaqueContext*)context, data);
}
static TfLiteStatus plain_prepare(TfLiteContext* context, TfLiteNode* node) {
    return same_shape((TfLiteOpaqueContext*)context, (TfLiteOpaqueNode*)node);
}
static TfLiteStatus plain_invoke(TfLiteContext* context, TfLiteNode* node) {
    return twice_invoke((TfLiteOpaqueContext*)context, (TfLiteOpaqueNode*)node);
}

TfLiteRegistration fixture_registration(void) {
    return (TfLiteRegistration){
        .init = plain_init, .free = plain_free, .prepare = plain_prepare, .invoke = plain_invoke};
}

// Programs.

TfLiteInterpreterOptions* fixture_options(void) {
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options, fixture_report, NULL);
    TfLiteInterpreterOptionsAddOperator(options, fixture_twice());
    TfLiteInterpreterOptionsAddOperator(options, fixture_accumulate());
    return options;
}

void fixture_check_run(TfLiteInterpreter* interpreter, float factor) {
    assert_non_null(interpreter);
    const float x[kLength] = {1.0f, 2.0f, 3.0f};
    float y[kLength] = {0};
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
    assert_int_equal(TfLiteTensorCopyFromBuffer(input, x, sizeof x), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
    assert_int_equal(TfLiteTensorCopyToBuffer(output, y, sizeof y), kTfLiteOk);
    for (int i = 0; i < kLength; i++) assert_float_equal(y[i], factor * x[i], 1e-6f);
}
