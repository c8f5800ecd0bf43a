// SPDX-License-Identifier: Apache-2.0
// Recurrent operators and those of strings and hashes: their arithmetic, and models that make no sense.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/semantics/fixed16.h"
#include "kernels-cpu/support/fingerprint.h"
#include "tensorflow/lite/c/c_api.h"
#include "tests/support/model_builder.h"

static void sigmoid_and_tanh_in_16_bits(void** state) {
    (void)state;
    for (int x = INT16_MIN; x <= INT16_MAX; x++) {
        const double sigmoid = 1.0 / (1.0 + exp(-x / 4096.0));
        assert_true(fabs(lite_sigmoid16(x) / 32768.0 - sigmoid) < 1e-3);
        for (int bits = 0; bits <= 6; bits++) {
            const double exact = tanh(x * ldexp(1.0, bits - 15));
            assert_true(fabs(lite_tanh16(x, bits) / 32768.0 - exact) < 1e-3);
        }
    }
    assert_int_equal(lite_sigmoid16(0), 1 << 14);
    assert_int_equal(lite_tanh16(0, 3), 0);
    assert_int_equal(lite_mul16(INT16_MIN, INT16_MIN), INT16_MAX);
}

// But for the first, these are values that a database's documentation gives for its function of that name.
static void fingerprints(void** state) {
    (void)state;
    assert_true(lite_fingerprint64("", 0) == UINT64_C(0x9ae16a3b2f90404f));
    assert_true((int64_t)lite_fingerprint64("1footrue", 8) == INT64_C(-1541654101129638711));
    assert_true((int64_t)lite_fingerprint64("2applefalse", 11) == INT64_C(2794438866806483259));
    assert_true((int64_t)lite_fingerprint64("3true", 5) == INT64_C(-4880158226897771312));
}

static char messages[4096];

static void record(void* user_data, const char* format, va_list args) {
    (void)user_data;
    const size_t length = strlen(messages);
    vsnprintf(messages + length, sizeof(messages) - length, format, args);
    strncat(messages, "\n", sizeof(messages) - strlen(messages) - 1);
}

// A node whose input 0 is the input of the graph. The other tensors are constants of zeros, or variables.
typedef struct Node {
    TfLiteBuiltinOperator code;
    const void* params;
    BuilderTensor tensors[24]; // of the inputs; without a type: absent
    int count;
    BuilderTensor output;
    int intermediates; // that many, of scale 2^-12
} Node;

static TfLiteStatus run(const Node* node) {
    static const char zeros[4096];
    ModelBuilder* b = builder_create();
    BuilderInts all = {.count = node->count}, intermediates = {.count = node->intermediates};
    for (int i = 0; i < node->count; i++) {
        BuilderTensor t = node->tensors[i];
        size_t bytes = t.type == kTfLiteInt8 ? 1 : t.type == kTfLiteInt16 ? 2 : 4;
        for (int d = 0; d < t.rank; d++) bytes *= (size_t)t.dims[d];
        if (i > 0 && !t.is_variable) t.data = zeros, t.bytes = bytes;
        all.values[i] = t.type == kTfLiteNoType ? -1 : builder_tensor(b, t);
    }
    for (int i = 0; i < node->intermediates; i++) {
        intermediates.values[i] =
            builder_tensor(b, (BuilderTensor){.type = kTfLiteInt16, .rank = 1, .scale = 1.0f / 4096});
    }
    const BuilderInts output = {1, {builder_tensor(b, node->output)}};
    builder_operator(b, (BuilderOperator){.code = node->code,
                                          .inputs = all,
                                          .outputs = output,
                                          .intermediates = intermediates,
                                          .params = node->params});
    builder_inputs(b, (BuilderInts){1, {all.values[0]}});
    builder_outputs(b, output);
    size_t size;
    uint8_t* bytes = builder_finish(b, &size);
    messages[0] = 0;
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options, record, NULL);
    TfLiteModel* model = TfLiteModelCreateWithErrorReporter(bytes, size, record, NULL);
    TfLiteInterpreter* interpreter = model == NULL ? NULL : TfLiteInterpreterCreate(model, options);
    TfLiteStatus status = interpreter == NULL ? kTfLiteError : TfLiteInterpreterAllocateTensors(interpreter);
    if (status == kTfLiteOk) status = TfLiteInterpreterInvoke(interpreter);
    TfLiteInterpreterDelete(interpreter);
    TfLiteModelDelete(model);
    TfLiteInterpreterOptionsDelete(options);
    free(bytes);
    return status;
}

static BuilderTensor tensor(TfLiteType type, int rank, int first, int second) {
    const float scale = type == kTfLiteInt8 || type == kTfLiteInt16 ? 1.0f / 2048 : 0.0f;
    return (BuilderTensor){.type = type, .rank = rank, .dims = {first, second}, .scale = scale};
}

enum { kBatches = 2, kInputs = 3, kCells = 5 };

// An LSTM that is right: without peephole weights, projection and layer normalization.
static Node lstm(TfLiteType type) {
    static const TfLiteLSTMParams params = {.activation = kTfLiteActTanh};
    const bool is_float = type == kTfLiteFloat32;
    const TfLiteType bias = is_float ? kTfLiteFloat32 : kTfLiteInt32;
    Node node = {.code = kTfLiteBuiltinLstm, .params = &params, .count = 24};
    node.tensors[0] = tensor(type, 2, kBatches, kInputs);
    for (int i = 1; i <= 4; i++) node.tensors[i] = tensor(type, 2, kCells, kInputs);
    for (int i = 5; i <= 8; i++) node.tensors[i] = tensor(type, 2, kCells, kCells);
    for (int i = 12; i <= 15; i++) node.tensors[i] = tensor(bias, 1, kCells, 0);
    node.tensors[18] = tensor(type, 2, kBatches, kCells);
    node.tensors[19] = tensor(is_float ? type : kTfLiteInt16, 2, kBatches, kCells);
    node.tensors[18].is_variable = node.tensors[19].is_variable = true;
    node.output = tensor(type, 2, kBatches, kCells);
    node.intermediates = is_float ? 0 : 5;
    return node;
}

static void expect(const Node* node, const char* message) {
    const TfLiteStatus status = run(node);
    if ((status == kTfLiteOk) == (message != NULL) ||
        (message != NULL && strstr(messages, message) == NULL)) {
        fail_msg("status %d, messages: %sexpected: %s", (int)status, messages,
                 message != NULL ? message : "success");
    }
}

// What becomes of one tensor of a right node.
typedef struct Change {
    int tensor;
    BuilderTensor to;
    const char* message;
} Change;

static void check_changes(Node (*make)(TfLiteType), TfLiteType type, const Change* changes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Node node = make(type);
        const bool variable = node.tensors[changes[i].tensor].is_variable;
        node.tensors[changes[i].tensor] = changes[i].to;
        node.tensors[changes[i].tensor].is_variable = variable && changes[i].to.type != kTfLiteNoType;
        expect(&node, changes[i].message);
    }
}

#define ABSENT                                                                                               \
    { 0 }
#define FLOATS(...)                                                                                          \
    {                                                                                                        \
        .type = kTfLiteFloat32, .rank = sizeof((int[]){__VA_ARGS__}) / sizeof(int), .dims = { __VA_ARGS__ }  \
    }

static void lstm_of_wrong_tensors(void** state) {
    (void)state;
    static const Change changes[] = {
        {0, FLOATS(kBatches, 4), "weights of the forget gate have 2 dimensions [5, 3], expected 2: [5, 4]"},
        {0, FLOATS(1, 1, 3), "the input has 3 dimensions, expected 2"},
        {1, ABSENT, "the input gate has recurrent weights, but not all that belongs to them"},
        {2, ABSENT, "the forget gate has no weights"},
        {4, FLOATS(5), "weights of the output gate have 1 and 2 dimensions"},
        {4, FLOATS(0, 3), "has 0 cells"},
        {6, FLOATS(5, 4),
         "recurrent weights of the forget gate have 2 dimensions [5, 4], expected 2: [5, 5]"},
        {6, FLOATS(5), "recurrent weights of the forget gate have 1 dimensions"},
        {8, ABSENT, "weights of the output gate have 2 and 0 dimensions"},
        {10, FLOATS(5), "the forget gate has peephole weights, but not all that belongs to them"},
        {13, ABSENT, "the forget gate has no biases"},
        {14, FLOATS(4), "biases of the cell gate have 1 dimensions [4, 1], expected 1: [5, 1]"},
        {16, FLOATS(5, 4), "projection weights of the output gate"},
        {17, FLOATS(5), "a projection bias without weights"},
        {18, ABSENT, "input 18 is absent"},
        {18, FLOATS(9), "the output state has 9 elements of type FLOAT32, expected 10"},
        {19, FLOATS(2, 6), "the cell state has 12 elements"},
        {21, FLOATS(5), "the cell gate has no layer norm coefficients"},
        {22, FLOATS(5), "the cell gate has layer norm coefficients, but not all that belongs to them"},
    };
    Node right = lstm(kTfLiteFloat32);
    expect(&right, NULL);
    right.tensors[18].is_variable = false;
    expect(&right, "the output state is not a variable");
    check_changes(lstm, kTfLiteFloat32, changes, sizeof(changes) / sizeof(*changes));
}

static void lstm_of_wrong_integers(void** state) {
    (void)state;
    Node node = lstm(kTfLiteInt8);
    expect(&node, NULL);
    node.intermediates = 4;
    expect(&node, "has 4 intermediates, expected 5");
    node.intermediates = 12;
    expect(&node, "8-bit products need layer normalization, projection and its bias");
    node = lstm(kTfLiteInt8);
    node.tensors[19].scale = 1.0f / 3000;
    expect(&node, "expected a power of 2");
    node.tensors[19].scale = 1.0f / 256;
    expect(&node, "the cell state has scale 2^-8, expected 2^-15 to 2^-9");
    node = lstm(kTfLiteInt8);
    node.tensors[7].scale = 0.0f;
    expect(&node, "the quantization scale of the recurrent weights is 0, expected a positive number");
}

static void lstm_of_wrong_parameters(void** state) {
    (void)state;
    Node node = lstm(kTfLiteFloat32);
    node.params = &(const TfLiteLSTMParams){.activation = kTfLiteActTanh, .cell_clip = -1.0f};
    expect(&node, "clips cells at -1");
    node.params = &(const TfLiteLSTMParams){.kernel_type = kTfLiteLSTMBasicKernel};
    expect(&node, "has 24 inputs, expected 5");
    node = lstm(kTfLiteFloat32);
    node.count = 21;
    expect(&node, "expects 20 or 24 inputs. Got 21 inputs");
}

static Node rnn(TfLiteType type) {
    static const TfLiteRNNParams params = {.activation = kTfLiteActRelu};
    Node node = {.code = kTfLiteBuiltinRnn, .params = &params, .count = 5};
    node.tensors[0] = tensor(type, 2, kBatches, kInputs);
    node.tensors[1] = tensor(type, 2, kCells, kInputs);
    node.tensors[2] = tensor(type, 2, kCells, kCells);
    node.tensors[3] = tensor(type, 1, kCells, 0);
    node.tensors[4] = tensor(type, 2, kBatches, kCells);
    node.tensors[4].is_variable = true;
    node.output = tensor(type, 2, kBatches, kCells);
    return node;
}

static void rnn_of_wrong_tensors(void** state) {
    (void)state;
    static const Change changes[] = {
        {0, FLOATS(2, 4), "input weights have 2 dimensions [5, 3], expected [5, 4]"},
        {0, FLOATS(6), "the input has 1 dimensions, expected 2"},
        {1, FLOATS(6, 3), "recurrent weights have 2 dimensions [5, 5], expected [6, 6]"},
        {2, ABSENT, "input 2 is absent"},
        {3, FLOATS(4), "the bias has 4 elements of type FLOAT32, expected 5"},
        {4, FLOATS(3, 5), "the hidden state has 2 dimensions, expected [2, 5]"},
    };
    Node right = rnn(kTfLiteFloat32);
    expect(&right, NULL);
    check_changes(rnn, kTfLiteFloat32, changes, sizeof(changes) / sizeof(*changes));
    right.tensors[4].is_variable = false;
    expect(&right, "the hidden state is not a variable");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sigmoid_and_tanh_in_16_bits), cmocka_unit_test(fingerprints),
        cmocka_unit_test(lstm_of_wrong_tensors),       cmocka_unit_test(lstm_of_wrong_integers),
        cmocka_unit_test(lstm_of_wrong_parameters),    cmocka_unit_test(rnn_of_wrong_tensors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
