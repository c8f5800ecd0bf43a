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

static char messages[4096];

static void record(void* user_data, const char* format, va_list args) {
    (void)user_data;
    const size_t length = strlen(messages);
    vsnprintf(messages + length, sizeof(messages) - length, format, args);
    strncat(messages, "\n", sizeof(messages) - strlen(messages) - 1);
}

static uint8_t* build(const HostileCase* c, size_t* size) {
    ModelBuilder* b = builder_create();
    BuilderInts inputs = {0}, all = {0};
    for (int i = 0; i < kHostileInputs && c->inputs[i].type != kTfLiteNoType; i++) {
        const bool absent = c->inputs[i].rank < 0;
        const int tensor = absent ? -1 : builder_tensor(b, c->inputs[i]);
        all.values[all.count++] = tensor;
        if (!absent && !c->inputs[i].is_variable && c->inputs[i].data == NULL)
            inputs.values[inputs.count++] = tensor;
    }
    const BuilderInts output = {1, {builder_tensor(b, c->output)}};
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
    TfLiteInterpreterOptionsSetErrorReporter(options, record, NULL);
    oclite_interpreter_options_set_memory_limit(options, 1 << 20);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteStatus status = interpreter ? TfLiteInterpreterAllocateTensors(interpreter) : kTfLiteError;
    if (status == kTfLiteOk) status = TfLiteInterpreterInvoke(interpreter);
    TfLiteInterpreterDelete(interpreter);
    TfLiteInterpreterOptionsDelete(options);
    return status;
}

static void check(const HostileCase* c, int index, TfLiteDelegate* delegate) {
    size_t size;
    uint8_t* bytes = build(c, &size);
    messages[0] = 0;
    TfLiteModel* model = TfLiteModelCreateWithErrorReporter(bytes, size, record, NULL);
    const TfLiteStatus status = model ? run(model, delegate) : kTfLiteError;
    TfLiteModelDelete(model);
    free(bytes);
    if ((c->message == NULL) != (status == kTfLiteOk) || (c->message && !strstr(messages, c->message))) {
        fail_msg("case %d, operator %d: status %d, messages: %sexpected: %s", index, (int)c->code,
                 (int)status, messages, c->message ? c->message : "success");
    }
}

void hostile_check(const HostileCase* cases, size_t count) {
    const char* kind = getenv("HOSTILE_ON");
    TfLiteDelegate* delegate = NULL;
    if (kind != NULL && strcmp(kind, "opencl") == 0) {
        delegate = oclite_opencl_delegate_create(NULL);
        if (delegate == NULL) skip();
    }
    for (size_t i = 0; i < count; i++) check(&cases[i], (int)i, delegate);
    oclite_opencl_delegate_delete(delegate);
}
