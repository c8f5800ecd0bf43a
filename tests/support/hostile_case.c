// SPDX-License-Identifier: Apache-2.0
#include "tests/support/hostile_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"

enum { kMaxRank = 9 };

static char messages[4096];
static const char* on = ""; // the variable HOSTILE_ON

static bool is_late(const BuilderTensor* input) {
    return input->data != NULL && !input->sparse &&
           (strstr(on, "runtime") != NULL || strstr(on, "dynamic") != NULL);
}

static void record(void* user_data, const char* format, va_list args) {
    (void)user_data;
    const size_t length = strlen(messages);
    vsnprintf(messages + length, sizeof(messages) - length, format, args);
    strncat(messages, "\n", sizeof(messages) - strlen(messages) - 1);
}

// Late, an operator of the tests: its output is a copy of the constant that is its input.

static TfLiteStatus late_shape(TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* constant = &context->tensors[node->inputs->data[0]];
    TfLiteTensor* output = &context->tensors[node->outputs->data[0]];
    return context->ResizeTensor(context, output, TfLiteIntArrayCopy(constant->dims));
}

static TfLiteStatus late_nothing(TfLiteContext* context, TfLiteNode* node) {
    context->tensors[node->outputs->data[0]].allocation_type = kTfLiteDynamic;
    return kTfLiteOk;
}

static TfLiteStatus late_contents(TfLiteContext* context, TfLiteNode* node) {
    const TfLiteTensor* constant = &context->tensors[node->inputs->data[0]];
    TfLiteTensor* output = &context->tensors[node->outputs->data[0]];
    if (output->allocation_type == kTfLiteDynamic && late_shape(context, node) != kTfLiteOk)
        return kTfLiteError;
    if (output->bytes > 0) memcpy(output->data.raw, constant->data.raw, output->bytes);
    return kTfLiteOk;
}

// What is constant in the case comes out of Late.
static void compute_constants(ModelBuilder* b, const HostileCase* c) {
    for (int i = 0, tensor = 0; i < kHostileInputs && c->inputs[i].type != kTfLiteNoType; i++) {
        if (c->inputs[i].rank < 0) continue;
        if (is_late(&c->inputs[i])) {
            const BuilderInts constant = {1, {builder_tensor(b, c->inputs[i])}}, late = {1, {tensor}};
            builder_operator(b,
                             (BuilderOperator){.custom_name = "Late", .inputs = constant, .outputs = late});
        }
        tensor++;
    }
}

static uint8_t* build(const HostileCase* c, size_t* size) {
    ModelBuilder* b = builder_create();
    BuilderInts inputs = {0}, all = {0};
    for (int i = 0; i < kHostileInputs && c->inputs[i].type != kTfLiteNoType; i++) {
        BuilderTensor input = c->inputs[i];
        if (is_late(&input)) input.data = NULL;
        const bool absent = input.rank < 0;
        const int tensor = absent ? -1 : builder_tensor(b, input);
        all.values[all.count++] = tensor;
        if (!absent && !input.is_variable && c->inputs[i].data == NULL)
            inputs.values[inputs.count++] = tensor;
    }
    const BuilderInts output = {1, {builder_tensor(b, c->output)}};
    compute_constants(b, c);
    builder_operator(
        b,
        (BuilderOperator){
            .code = c->code, .version = c->version, .inputs = all, .outputs = output, .params = c->params});
    builder_inputs(b, inputs);
    builder_outputs(b, output);
    return builder_finish(b, size);
}

// How far it came; inputs are zeros.
static TfLiteStatus run(const TfLiteModel* model, TfLiteDelegate* delegate) {
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    if (delegate != NULL) TfLiteInterpreterOptionsAddDelegate(options, delegate);
    static const TfLiteRegistration runtime = {.prepare = late_shape, .invoke = late_contents};
    static const TfLiteRegistration dynamic = {.prepare = late_nothing, .invoke = late_contents};
    TfLiteInterpreterOptionsAddCustomOp(options, "Late", strstr(on, "dynamic") != NULL ? &dynamic : &runtime,
                                        1, 1);
    TfLiteInterpreterOptionsSetErrorReporter(options, record, NULL);
    oclite_interpreter_options_set_memory_limit(options, 1 << 20);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteStatus status = interpreter != NULL ? TfLiteInterpreterAllocateTensors(interpreter) : kTfLiteError;
    if (status == kTfLiteOk) status = TfLiteInterpreterInvoke(interpreter);
    TfLiteInterpreterDelete(interpreter);
    TfLiteInterpreterOptionsDelete(options);
    return status;
}

static TfLiteStatus load_and_run(const HostileCase* c, TfLiteDelegate* delegate) {
    size_t size;
    uint8_t* bytes = build(c, &size);
    messages[0] = 0;
    TfLiteModel* model = TfLiteModelCreateWithErrorReporter(bytes, size, record, NULL);
    const TfLiteStatus status = model != NULL ? run(model, delegate) : kTfLiteError;
    TfLiteModelDelete(model);
    free(bytes);
    return status;
}

static void check(const HostileCase* c, int index, TfLiteDelegate* delegate) {
    const TfLiteStatus status = load_and_run(c, delegate);
    if ((c->message == NULL) != (status == kTfLiteOk) ||
        (c->message != NULL && strstr(messages, c->message) == NULL)) {
        fail_msg("case %d, operator %d: status %d, messages: %sexpected: %s", index, (int)c->code,
                 (int)status, messages, c->message != NULL ? c->message : "success");
    }
}

// NULL where none is wanted; the test is skipped where there is no device.
static TfLiteDelegate* create_delegate(void) {
    const char* given = getenv("HOSTILE_ON");
    if (given != NULL) on = given;
    if (strstr(on, "opencl") == NULL) return NULL;
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    if (delegate == NULL) skip();
    return delegate;
}

void hostile_check(const HostileCase* cases, size_t count) {
    TfLiteDelegate* delegate = create_delegate();
    for (size_t i = 0; i < count; i++) check(&cases[i], (int)i, delegate);
    oclite_opencl_delegate_delete(delegate);
}

// Input `tensor`, behind the last one the output.
static BuilderTensor* tensor_of(HostileCase* c, int tensor) {
    int inputs = 0;
    while (inputs < kHostileInputs && c->inputs[inputs].type != kTfLiteNoType) inputs++;
    return tensor < inputs ? &c->inputs[tensor] : tensor == inputs ? &c->output : NULL;
}

// The length number `number` of all tensors; NULL when there are fewer.
static int32_t* length_of(HostileCase* c, int number) {
    for (int i = 0; tensor_of(c, i) != NULL; i++) {
        BuilderTensor* tensor = tensor_of(c, i);
        if (tensor->rank < 0) continue;
        if (number < tensor->rank) return &tensor->dims[number];
        number -= tensor->rank;
    }
    return NULL;
}

static void run_variation(const HostileCase* c, int index, TfLiteDelegate* delegate) {
    if (load_and_run(c, delegate) == kTfLiteOk || messages[0] != 0) return;
    fail_msg("case %d, operator %d: an error without a message", index, (int)c->code);
}

static void vary_ranks(HostileCase* c, int index, TfLiteDelegate* delegate) {
    for (int i = 0; tensor_of(c, i) != NULL; i++) {
        BuilderTensor* tensor = tensor_of(c, i);
        const BuilderTensor before = *tensor;
        for (int rank = 0; rank <= kMaxRank; rank++) {
            for (int k = before.rank < 0 ? 0 : before.rank; k < rank; k++) tensor->dims[k] = 1;
            tensor->rank = rank;
            run_variation(c, index, delegate);
        }
        *tensor = before;
    }
}

// Lengths number `first` and `second`, which may be the same.
static void vary_pair(const HostileCase* c, int first, int second, int index, TfLiteDelegate* delegate) {
    static const int32_t lengths[] = {0, 1, INT32_MAX};
    enum { kLengths = sizeof(lengths) / sizeof(*lengths) };
    for (int i = 0; i < kLengths * kLengths; i++) {
        HostileCase changed = *c;
        if (first == second && i % kLengths != i / kLengths) continue;
        *length_of(&changed, first) = lengths[i / kLengths];
        *length_of(&changed, second) = lengths[i % kLengths];
        run_variation(&changed, index, delegate);
    }
}

static void vary_lengths(HostileCase* c, int index, TfLiteDelegate* delegate) {
    const int farthest = delegate == NULL ? INT32_MAX : 1; // a device takes long enough for neighbours
    for (int i = 0; length_of(c, i) != NULL; i++) {
        for (int k = i; length_of(c, k) != NULL && k - i <= farthest; k++)
            vary_pair(c, i, k, index, delegate);
    }
}

void hostile_vary(const HostileCase* cases, size_t count) {
    TfLiteDelegate* delegate = create_delegate();
    for (size_t i = 0; i < count; i++) {
        HostileCase changed = cases[i];
        check(&changed, (int)i, delegate);
        vary_ranks(&changed, (int)i, delegate);
        vary_lengths(&changed, (int)i, delegate);
    }
    oclite_opencl_delegate_delete(delegate);
}
