// SPDX-License-Identifier: Apache-2.0
#include "tests/support/broken_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/model/model.h"
#include "core/model/open.h"

typedef struct Messages {
    int count;
    char text[512];
} Messages;

static void record(void* user_data, const char* format, va_list args) {
    Messages* messages = user_data;
    messages->count++;
    vsnprintf(messages->text, sizeof(messages->text), format, args);
}

void broken_expect(const void* bytes, size_t size, const char* expected) {
    Messages messages = {0};
    const LiteReporter reporter = {record, &messages};
    LiteModel* model = lite_model_create(bytes, size, &reporter);
    if (expected == NULL) {
        assert_string_equal(messages.text, "");
        assert_non_null(model);
    } else {
        assert_null(model);
        assert_int_equal(messages.count, 1);
        if (strstr(messages.text, expected) == NULL) assert_string_equal(messages.text, expected);
        assert_null(lite_model_create(bytes, size, NULL));
    }
    lite_model_release(model);
}

static const float weights[] = {1, 2, 3, 4, 5, 6};

ModelBuilder* broken_model(void) {
    ModelBuilder* b = builder_create();
    BuilderTensor t = {.name = "x", .type = kTfLiteFloat32, .rank = 2, .dims = {2, 3}};
    builder_tensor(b, t);
    builder_tensor(b, (BuilderTensor){.name = "w",
                                      .type = kTfLiteFloat32,
                                      .rank = 2,
                                      .dims = {2, 3},
                                      .data = weights,
                                      .bytes = sizeof(weights)});
    t.name = "y";
    builder_tensor(b, t);
    static const TfLiteAddParams params = {.activation = kTfLiteActNone};
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinAdd, .inputs = {2, {0, 1}}, .outputs = {1, {2}}, .params = &params});
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {2}});
    return b;
}
