// SPDX-License-Identifier: Apache-2.0
#include "tests/support/node_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oclite/flexbuffers_writer.h"
#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api_opaque.h"

static int64_t count_of(const NodeValue* value) {
    int64_t count = 1;
    for (int i = 0; i < value->rank; i++) count *= value->dims[i];
    return count;
}

static void write_option(OcliteFlexWriter* writer, const NodeOption* option) {
    oclite_flex_write_key(writer, option->key);
    if (option->texts != NULL) {
        oclite_flex_begin_typed_vector(writer, kOcliteFlexString);
        for (int i = 0; option->texts[i] != NULL; i++) {
            oclite_flex_write_string(writer, option->texts[i], strlen(option->texts[i]));
        }
        oclite_flex_end(writer);
    } else if (option->numbers != NULL) {
        oclite_flex_begin_typed_vector(writer, kOcliteFlexInt);
        for (int i = 0; option->numbers[i] != NODE_END; i++) {
            oclite_flex_write_int(writer, option->numbers[i]);
        }
        oclite_flex_end(writer);
    } else if (option->text != NULL) {
        oclite_flex_write_string(writer, option->text, strlen(option->text));
    } else if (option->number == trunc(option->number)) {
        oclite_flex_write_int(writer, (int64_t)option->number);
    } else {
        oclite_flex_write_float(writer, option->number);
    }
}

static const void* write_options(OcliteFlexWriter* writer, const NodeCase* c, size_t* size) {
    oclite_flex_begin_map(writer);
    for (int i = 0; i < kNodeOptions && c->options[i].key != NULL; i++) write_option(writer, &c->options[i]);
    oclite_flex_end(writer);
    const void* options = oclite_flex_finish(writer, size);
    assert_non_null(options);
    return options;
}

// X(TfLiteType, C type) for the types of which tensors have plain numbers.
#define EACH_TYPE(X)                                                                                         \
    X(kTfLiteFloat32, float)                                                                                 \
    X(kTfLiteFloat64, double)                                                                                \
    X(kTfLiteInt8, int8_t)                                                                                   \
    X(kTfLiteInt16, int16_t)                                                                                 \
    X(kTfLiteInt32, int32_t)                                                                                 \
    X(kTfLiteInt64, int64_t)                                                                                 \
    X(kTfLiteUInt8, uint8_t)                                                                                 \
    X(kTfLiteBool, uint8_t)                                                                                  \
    X(kTfLiteComplex64, float)

#define BYTES_OF(TYPE, C_TYPE)                                                                               \
    if (type == TYPE) return sizeof(C_TYPE);
#define WRITE(TYPE, C_TYPE)                                                                                  \
    if (type == TYPE) ((C_TYPE*)data)[index] = (C_TYPE)number;
#define READ(TYPE, C_TYPE)                                                                                   \
    if (type == TYPE) return (double)((const C_TYPE*)data)[index];

static size_t bytes_of(TfLiteType type) {
    EACH_TYPE(BYTES_OF)
    return 0;
}

static void write_number(void* data, TfLiteType type, int64_t index, double number) {
    EACH_TYPE(WRITE)
}

static double read_number(const void* data, TfLiteType type, int64_t index) {
    EACH_TYPE(READ)
    return 0.0;
}

static int64_t numbers_of(const NodeValue* value) {
    return count_of(value) * (value->type == kTfLiteComplex64 ? 2 : 1);
}

static void write_numbers(void* data, const NodeValue* value) {
    for (int64_t i = 0; i < numbers_of(value); i++) {
        write_number(data, value->type, i, value->numbers != NULL ? value->numbers[i] : 0.0);
    }
}

// The tensors of one side. `fed`, where not NULL, gets those that are no constants, and `memory` the contents
// of those that are.
static BuilderInts add_tensors(ModelBuilder* builder, const NodeValue* values, int most, BuilderInts* fed,
                               void* memory[kNodeInputs]) {
    BuilderInts all = {0};
    for (; all.count < most && values[all.count].type != kTfLiteNoType; all.count++) {
        const NodeValue* value = &values[all.count];
        BuilderTensor tensor = {
            .type = value->type, .rank = value->rank, .scale = value->scale, .zero_point = value->zero_point};
        memcpy(tensor.dims, value->dims, sizeof(value->dims));
        if (value->constant) {
            tensor.bytes = (size_t)numbers_of(value) * bytes_of(value->type);
            tensor.data = memory[all.count] = calloc(1, tensor.bytes + 1);
            assert_non_null(tensor.data);
            write_numbers(memory[all.count], value);
        }
        all.values[all.count] = builder_tensor(builder, tensor);
        if (fed != NULL && !value->constant) fed->values[fed->count++] = all.values[all.count];
    }
    return all;
}

static uint8_t* build(const NodeCase* c, size_t* size) {
    void* memory[kNodeInputs] = {0};
    OcliteFlexWriter* writer = oclite_flex_writer_create();
    ModelBuilder* builder = builder_create();
    BuilderInts fed = {0};
    const BuilderInts inputs = add_tensors(builder, c->inputs, kNodeInputs, &fed, memory);
    const BuilderInts outputs = add_tensors(builder, c->outputs, kNodeOutputs, NULL, memory);
    BuilderOperator op = {.code = c->code,
                          .custom_name = c->custom_name,
                          .inputs = inputs,
                          .outputs = outputs,
                          .params = c->params};
    if (c->bytes != NULL) {
        op.custom_options = c->bytes;
        op.custom_options_size = c->byte_count;
    } else if (c->custom_name != NULL) {
        op.custom_options = write_options(writer, c, &op.custom_options_size);
    }
    builder_operator(builder, op);
    builder_inputs(builder, fed);
    builder_outputs(builder, outputs);
    uint8_t* bytes = builder_finish(builder, size);
    oclite_flex_writer_delete(writer);
    for (int i = 0; i < kNodeInputs; i++) free(memory[i]);
    return bytes;
}

static void keep_message(void* user_data, const char* format, va_list args) {
    NodeRun* run = user_data;
    const size_t used = strlen(run->messages);
    vsnprintf(run->messages + used, sizeof(run->messages) - used, format, args);
}

void node_open(NodeRun* run, const NodeCase* c, NodeSetup setup) {
    size_t size;
    *run = (NodeRun){0};
    run->bytes = build(c, &size);
    run->model = TfLiteModelCreateWithErrorReporter(run->bytes, size, keep_message, run);
    run->options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(run->options, keep_message, run);
    oclite_interpreter_options_set_memory_limit(run->options, 1 << 20);
    if (setup != NULL) assert_int_equal(setup(run->options), kTfLiteOk);
    run->interpreter = TfLiteInterpreterCreate(run->model, run->options);
}

void node_close(NodeRun* run) {
    TfLiteInterpreterDelete(run->interpreter);
    TfLiteInterpreterOptionsDelete(run->options);
    TfLiteModelDelete(run->model);
    free(run->bytes);
}

void node_write(const NodeRun* run, int input, const NodeValue* value) {
    TfLiteTensor* tensor = TfLiteInterpreterGetInputTensor(run->interpreter, input);
    if (value->type != kTfLiteString) {
        write_numbers(TfLiteTensorData(tensor), value);
        return;
    }
    const int64_t count = count_of(value);
    int* lengths = calloc((size_t)count + 1, sizeof(*lengths));
    assert_non_null(lengths);
    for (int64_t i = 0; i < count; i++) lengths[i] = (int)strlen(value->strings[i]);
    const TfLiteStatus status = TfLiteOpaqueTensorWriteStrings((TfLiteOpaqueTensor*)(void*)tensor,
                                                               value->strings, (int)count, lengths);
    free(lengths);
    assert_int_equal(status, kTfLiteOk);
}

TfLiteStatus node_invoke(NodeRun* run, const NodeCase* c) {
    if (TfLiteInterpreterAllocateTensors(run->interpreter) != kTfLiteOk) return kTfLiteError;
    int input = 0;
    for (int i = 0; i < kNodeInputs && c->inputs[i].type != kTfLiteNoType; i++) {
        if (!c->inputs[i].constant) node_write(run, input++, &c->inputs[i]);
    }
    return TfLiteInterpreterInvoke(run->interpreter);
}

static bool text_equals(const TfLiteTensor* tensor, int64_t index, const char* expected) {
    const char* text;
    int length;
    const TfLiteOpaqueTensor* opaque = (const TfLiteOpaqueTensor*)(const void*)tensor;
    assert_int_equal(TfLiteOpaqueTensorGetString(opaque, (int)index, &text, &length), kTfLiteOk);
    return (size_t)length == strlen(expected) && memcmp(text, expected, (size_t)length) == 0;
}

static bool number_equals(const TfLiteTensor* tensor, TfLiteType type, int64_t index, double expected) {
    const double number = read_number(TfLiteTensorData(tensor), type, index);
    const bool is_real = type == kTfLiteFloat32 || type == kTfLiteFloat64;
    const double tolerance = is_real ? 1e-5 * fabs(expected) : 0.0;
    return fabs(number - expected) <= tolerance;
}

static bool output_equals(const NodeRun* run, int output, const NodeValue* value) {
    const TfLiteTensor* tensor = TfLiteInterpreterGetOutputTensor(run->interpreter, output);
    if (TfLiteTensorNumDims(tensor) != value->rank) return false;
    for (int i = 0; i < value->rank; i++) {
        if (TfLiteTensorDim(tensor, i) != value->dims[i]) return false;
    }
    bool equal = true;
    for (int64_t i = 0; i < count_of(value); i++) {
        if (value->strings != NULL) equal = equal && text_equals(tensor, i, value->strings[i]);
        if (value->numbers != NULL) equal = equal && number_equals(tensor, value->type, i, value->numbers[i]);
    }
    return equal != value->differs;
}

void node_expect(const NodeRun* run, int output, const NodeValue* value) {
    assert_true(output_equals(run, output, value));
}

static void check(const NodeCase* c, int index, NodeSetup setup) {
    NodeRun run;
    node_open(&run, c, setup);
    const TfLiteStatus status = node_invoke(&run, c);
    if ((c->message == NULL) != (status == kTfLiteOk) ||
        (c->message != NULL && strstr(run.messages, c->message) == NULL)) {
        fail_msg("case %d: status %d, messages: %s\nexpected: %s", index, (int)status, run.messages,
                 c->message != NULL ? c->message : "success");
    }
    for (int i = 0; status == kTfLiteOk && i < kNodeOutputs && c->outputs[i].type != kTfLiteNoType; i++) {
        if (!output_equals(&run, i, &c->outputs[i])) fail_msg("case %d: output %d is another", index, i);
    }
    node_close(&run);
}

void node_check(const NodeCase* cases, size_t count, NodeSetup setup) {
    for (size_t i = 0; i < count; i++) check(&cases[i], (int)i, setup);
}

static TfLiteDelegate* opencl;

void node_require_opencl(void) {
    opencl = oclite_opencl_delegate_create(NULL);
    if (opencl == NULL) skip();
}

TfLiteStatus node_use_opencl(TfLiteInterpreterOptions* options) {
    TfLiteInterpreterOptionsAddDelegate(options, opencl);
    return kTfLiteOk;
}

void node_release_opencl(void) {
    oclite_opencl_delegate_delete(opencl);
    opencl = NULL;
}

static void count_taken(void* count, const OcliteOpenclNode* node) {
    *(int*)count += node->taken;
}

void node_check_opencl(const NodeCase* cases, size_t count) {
    node_require_opencl();
    int taken = 0;
    // The delegate forgets a graph when the next one lies at the same address.
    for (size_t i = 0; i < count; i++) {
        check(&cases[i], (int)i, node_use_opencl);
        oclite_opencl_delegate_explain(opencl, count_taken, &taken);
    }
    node_release_opencl();
    assert_true(taken > 0);
}
