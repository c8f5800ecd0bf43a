// SPDX-License-Identifier: Apache-2.0
#include "tests/api/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/api/cmocka_setup.h"

enum { kMaxOperators = 8 };
static TfLiteOperator* operators[kMaxOperators];
static int operator_count;

static void report(void* user_data, const char* format, va_list args) {
    Program* program = user_data;
    const size_t used = strlen(program->messages);
    vsnprintf(program->messages + used, sizeof program->messages - used, format, args);
}

void program_open(Program* program, ModelBuilder* builder, TfLiteInterpreterOptions* options) {
    size_t size;
    *program = (Program){.bytes = builder_finish(builder, &size)};
    program->model = TfLiteModelCreateWithErrorReporter(program->bytes, size, report, program);
    if (program->model == NULL) fail_msg("%s", program->messages);
    if (options == NULL) options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options, report, program);
    program->interpreter = TfLiteInterpreterCreate(program->model, options);
    TfLiteInterpreterOptionsDelete(options);
}

void program_close(Program* program) {
    TfLiteInterpreterDelete(program->interpreter);
    TfLiteModelDelete(program->model);
    free(program->bytes);
    while (operator_count > 0) TfLiteOperatorDelete(operators[--operator_count]);
}

void program_expect_message(Program* program, const char* part) {
    if (strstr(program->messages, part) == NULL) fail_msg("'%s' is not in '%s'", part, program->messages);
    program->messages[0] = '\0';
}

void tensor_write(TfLiteTensor* tensor, int count, const float* values) {
    assert_non_null(tensor);
    assert_int_equal(TfLiteTensorCopyFromBuffer(tensor, values, (size_t)count * sizeof *values), kTfLiteOk);
}

void tensor_expect(const TfLiteTensor* tensor, int count, const float* values) {
    assert_non_null(tensor);
    assert_int_equal(TfLiteTensorNumDims(tensor), 1);
    assert_int_equal(TfLiteTensorDim(tensor, 0), count);
    assert_int_equal(TfLiteTensorByteSize(tensor), (size_t)count * sizeof *values);
    const float* data = TfLiteTensorData(tensor);
    for (int i = 0; i < count; i++) assert_float_equal(data[i], values[i], 0);
}

void program_write(Program* program, int input, int count, const float* values) {
    tensor_write(TfLiteInterpreterGetInputTensor(program->interpreter, input), count, values);
}

void program_run(Program* program) {
    if (TfLiteInterpreterAllocateTensors(program->interpreter) != kTfLiteOk ||
        TfLiteInterpreterInvoke(program->interpreter) != kTfLiteOk) {
        fail_msg("%s", program->messages);
    }
}

void program_expect(Program* program, int output, int count, const float* values) {
    tensor_expect(TfLiteInterpreterGetOutputTensor(program->interpreter, output), count, values);
}

// Building.

int float_tensor(ModelBuilder* builder, int count) {
    return typed_tensor(builder, kTfLiteFloat32, count);
}

int open_tensor(ModelBuilder* builder, int count) {
    static const int32_t open[] = {-1};
    return builder_tensor(
        builder, (BuilderTensor){.type = kTfLiteFloat32, .rank = 1, .dims = {count}, .signature = open});
}

int float_constant(ModelBuilder* builder, int count, const float* values) {
    return builder_tensor(builder, (BuilderTensor){.type = kTfLiteFloat32,
                                                   .rank = 1,
                                                   .dims = {count},
                                                   .data = values,
                                                   .bytes = (size_t)count * sizeof *values});
}

int typed_tensor(ModelBuilder* builder, TfLiteType type, int count) {
    return builder_tensor(builder, (BuilderTensor){.type = type, .rank = count > 0, .dims = {count}});
}

void add_node(ModelBuilder* builder, TfLiteBuiltinOperator code, BuilderInts inputs, BuilderInts outputs,
              const void* params) {
    builder_operator(builder,
                     (BuilderOperator){.code = code, .inputs = inputs, .outputs = outputs, .params = params});
}

void add_custom(ModelBuilder* builder, const char* name, BuilderInts inputs, BuilderInts outputs) {
    builder_operator(builder, (BuilderOperator){.custom_name = name, .inputs = inputs, .outputs = outputs});
}

void set_io(ModelBuilder* builder, BuilderInts inputs, BuilderInts outputs) {
    builder_inputs(builder, inputs);
    builder_outputs(builder, outputs);
}

// Operators.

TfLiteOperator* make_operator(const char* name, NodeFunction prepare, NodeFunction invoke) {
    assert_true(operator_count < kMaxOperators);
    TfLiteOperator* op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, name, 1, NULL);
    TfLiteOperatorSetPrepare(op, prepare);
    TfLiteOperatorSetInvoke(op, invoke);
    return operators[operator_count++] = op;
}

TfLiteInterpreterOptions* options_with(TfLiteOperator* op) {
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsAddOperator(options, op);
    return options;
}

TfLiteStatus prepare_same_shape(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    TfLiteIntArray* dims = TfLiteIntArrayCreate(TfLiteOpaqueTensorNumDims(input));
    for (int i = 0; i < dims->size; i++) dims->data[i] = TfLiteOpaqueTensorDim(input, i);
    return TfLiteOpaqueContextResizeTensor(context, TfLiteOpaqueNodeGetOutput(context, node, 0), dims);
}

TfLiteStatus prepare_nothing(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    (void)context, (void)node;
    return kTfLiteOk;
}

TfLiteStatus invoke_plus_one(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    const float* x = TfLiteOpaqueTensorData(input);
    float* y = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetOutput(context, node, 0));
    const size_t count = TfLiteOpaqueTensorByteSize(input) / sizeof *x;
    for (size_t i = 0; i < count; i++) y[i] = x[i] + 1;
    return kTfLiteOk;
}
