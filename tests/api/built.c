// SPDX-License-Identifier: Apache-2.0
// Shorthands for graphs that a test builds by itself.
#include "tests/api/built.h"

#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"
#include "tests/api/cmocka_setup.h"

TfLiteInterpreter* built_create(int tensors) {
    static const int length = kLength;
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options, fixture_report, NULL);
    TfLiteInterpreter* interpreter = oclite_interpreter_create_empty(options);
    TfLiteInterpreterOptionsDelete(options);
    assert_non_null(interpreter);
    int first = -1;
    assert_int_equal(oclite_graph_add_tensors(interpreter, 0, tensors, &first), kTfLiteOk);
    assert_int_equal(first, 0);
    const OcliteNewTensor vector = built_vector(kTfLiteFloat32, &length);
    for (int i = 0; i < tensors; i++) {
        assert_int_equal(oclite_graph_set_tensor(interpreter, 0, i, &vector), kTfLiteOk);
    }
    return interpreter;
}

void built_expect_message(const char* part) {
    if (strstr(fixture_messages, part) == NULL) fail_msg("'%s' is not in '%s'", part, fixture_messages);
    fixture_messages[0] = '\0';
}

OcliteNewTensor built_vector(TfLiteType type, const int* length) {
    return (OcliteNewTensor){.type = type, .name = "vector", .dims = length, .rank = 1};
}

TfLiteQuantization built_quantization(int scales, float scale, int zero_points, int zero_point,
                                      int dimension) {
    TfLiteAffineQuantization* affine = malloc(sizeof *affine);
    affine->scale = TfLiteFloatArrayCreate(scales);
    affine->zero_point = TfLiteIntArrayCreate(zero_points);
    affine->quantized_dimension = dimension;
    for (int i = 0; i < scales; i++) affine->scale->data[i] = scale;
    for (int i = 0; i < zero_points; i++) affine->zero_point->data[i] = zero_point;
    return (TfLiteQuantization){kTfLiteAffineQuantization, affine};
}

const TfLiteRegistration* built_library(TfLiteBuiltinOperator code) {
    for (int i = 0; i < oclite_operator_count(); i++) {
        const TfLiteRegistration* registration = oclite_operator(i);
        if (registration->custom_name == NULL && registration->builtin_code == (int)code) return registration;
    }
    fail_msg("the library has no operator %d", (int)code);
    return NULL;
}

static void* copy_init(TfLiteContext* context, const char* buffer, size_t length) {
    (void)context;
    fixture_calls.init++;
    fixture_calls.buffer_length = length;
    // NULL would mean that there is nothing to free.
    return buffer != NULL ? (void*)(uintptr_t)buffer : &fixture_calls;
}

static void copy_free(TfLiteContext* context, void* data) {
    (void)context;
    (void)data;
    fixture_calls.free++;
}

static TfLiteStatus copy_prepare(TfLiteContext* context, TfLiteNode* node) {
    fixture_calls.prepare++;
    const TfLiteTensor* input = &context->tensors[node->inputs->data[0]];
    return context->ResizeTensor(context, &context->tensors[node->outputs->data[0]],
                                 TfLiteIntArrayCopy(input->dims));
}

static TfLiteStatus copy_invoke(TfLiteContext* context, TfLiteNode* node) {
    fixture_calls.invoke++;
    const TfLiteTensor* input = &context->tensors[node->inputs->data[0]];
    TfLiteTensor* output = &context->tensors[node->outputs->data[0]];
    if (input->bytes != output->bytes) return kTfLiteError;
    memmove(output->data.raw, input->data.raw, input->bytes);
    return kTfLiteOk;
}

TfLiteRegistration built_copy(void) {
    return (TfLiteRegistration){.init = copy_init,
                                .free = copy_free,
                                .prepare = copy_prepare,
                                .invoke = copy_invoke,
                                .builtin_code = kTfLiteBuiltinCustom,
                                .custom_name = "Copy",
                                .version = 1};
}

TfLiteStatus built_add_unary(TfLiteInterpreter* interpreter, int subgraph,
                             const TfLiteRegistration* registration, int input, int output) {
    const OcliteNewNode node = {.inputs = &input,
                                .input_count = 1,
                                .outputs = &output,
                                .output_count = 1,
                                .registration = registration};
    return oclite_graph_add_node(interpreter, subgraph, &node, NULL);
}

void built_write(TfLiteInterpreter* interpreter, int tensor, const float* values, int count) {
    TfLiteTensor* written = TfLiteInterpreterGetTensor(interpreter, tensor);
    assert_int_equal(written->bytes, (size_t)count * sizeof *values);
    assert_non_null(written->data.raw);
    memcpy(written->data.raw, values, written->bytes);
}

void built_expect(TfLiteInterpreter* interpreter, int tensor, const float* values, int count) {
    const TfLiteTensor* found = TfLiteInterpreterGetTensor(interpreter, tensor);
    assert_int_equal(found->bytes, (size_t)count * sizeof *values);
    assert_memory_equal(found->data.raw, values, found->bytes);
}
