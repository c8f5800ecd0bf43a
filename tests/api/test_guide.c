// SPDX-License-Identifier: Apache-2.0
// The guide to custom operators, end to end, in C: its model, y = atan(x + offset), with the operators of all
// its listings. Links liboclite as a program does.
//
//   test_guide MODEL            (examples/models/atan.tflite)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tests/api/cmocka_setup.h"
#include "tests/api/guide.h"

static const char* model_path;
static char messages[2048];

static void remember(void* user_data, const char* format, va_list args) {
    (void)user_data;
    const size_t used = strlen(messages);
    vsnprintf(messages + used, sizeof messages - used, format, args);
}

// Options that collect messages.
static TfLiteInterpreterOptions* listening_options(void) {
    messages[0] = '\0';
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options, remember, NULL);
    return options;
}

static TfLiteInterpreter* open_model(TfLiteInterpreterOptions* options) {
    TfLiteModel* model = TfLiteModelCreateFromFileWithErrorReporter(model_path, remember, NULL);
    assert_non_null(model);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteModelDelete(model);
    assert_non_null(interpreter);
    return interpreter;
}

// The guide's values, twice.
static void check_values(TfLiteInterpreterOptions* options) {
    static const float x[5] = {-8.0f, 0.5f, 2.0f, 2.2f, 201.0f};
    static const float expected[5] = {-1.4288993f, 0.98279375f, 1.2490457f, 1.2679114f, 1.5658458f};
    float y[5] = {0};
    TfLiteInterpreter* interpreter = open_model(options);
    for (int run = 0; run < 2; run++) {
        assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
        TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
        assert_int_equal(TfLiteTensorCopyFromBuffer(input, x, sizeof x), kTfLiteOk);
        assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
        const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
        assert_int_equal(TfLiteTensorCopyToBuffer(output, y, sizeof y), kTfLiteOk);
        for (int i = 0; i < 5; i++) assert_float_equal(y[i], expected[i], 1e-6f);
    }
    TfLiteInterpreterDelete(interpreter);
    assert_string_equal(messages, "");
}

// MyCustomOp's functions: one node, allocated once, run twice.
static void check_calls(void) {
    assert_int_equal(guide_calls.init, 1);
    assert_int_equal(guide_calls.free, 1);
    assert_int_equal(guide_calls.prepare, 1);
    assert_int_equal(guide_calls.invoke, 2);
}

// Operators whose names are the model's.
static void operators_by_their_names(void** state) {
    (void)state;
    memset(&guide_calls, 0, sizeof guide_calls);
    TfLiteInterpreterOptions* options = listening_options();
    TfLiteInterpreterOptionsAddOperator(options, guide_c_methods());
    check_values(options);
    check_calls();

    options = listening_options();
    TfLiteInterpreterOptionsAddRegistrationExternal(options, guide_cc_temporary_external());
    check_values(options);
}

static void check_under_the_models_name(const TfLiteRegistration* registration, bool counts) {
    memset(&guide_calls, 0, sizeof guide_calls);
    TfLiteInterpreterOptions* options = listening_options();
    TfLiteInterpreterOptionsAddCustomOp(options, "Atan", registration, 1, 1);
    check_values(options);
    if (counts) check_calls();
}

// The name given to AddCustomOp counts, not the one inside ("ATAN", "MyCustomOp").
static void registrations_under_the_models_name(void** state) {
    (void)state;
    TfLiteOperator* const atan_operators[] = {guide_c_atan(), guide_cc_atan(), guide_c_atan_external(),
                                              guide_cc_atan_external()};
    for (size_t i = 0; i < sizeof atan_operators / sizeof atan_operators[0]; i++) {
        assert_string_equal(TfLiteOperatorGetCustomName(atan_operators[i]), "ATAN");
        const TfLiteRegistration registration = {.registration_external = atan_operators[i]};
        check_under_the_models_name(&registration, false);
    }
    TfLiteOperator* const custom_operators[] = {guide_c_custom(), guide_cc_custom(),
                                                guide_c_custom_external(), guide_cc_custom_external()};
    for (size_t i = 0; i < sizeof custom_operators / sizeof custom_operators[0]; i++) {
        assert_string_equal(TfLiteOperatorGetCustomName(custom_operators[i]), "MyCustomOp");
        const TfLiteRegistration registration = {.registration_external = custom_operators[i]};
        check_under_the_models_name(&registration, true);
    }
    const TfLiteRegistration atan_registration = guide_c_atan_registration();
    check_under_the_models_name(&atan_registration, false);
    const TfLiteRegistration custom_registration = guide_c_custom_registration();
    check_under_the_models_name(&custom_registration, true);
    check_under_the_models_name(guide_cc_custom_registration(), true);
}

static void expect_unresolved(TfLiteInterpreterOptions* options) {
    TfLiteInterpreter* interpreter = open_model(options);
    assert_int_not_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    assert_int_not_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    TfLiteInterpreterDelete(interpreter);
    assert_non_null(strstr(messages, "Encountered unresolved custom op: Atan."));
    assert_non_null(strstr(messages, "Node number 1"));
}

static void unresolved(void** state) {
    (void)state;
    expect_unresolved(listening_options());
    assert_non_null(strstr(messages, "TfLiteInterpreterOptionsAddOperator"));
}

static void name_in_another_case(void** state) {
    (void)state;
    TfLiteInterpreterOptions* options = listening_options();
    TfLiteInterpreterOptionsAddOperator(options, guide_c_atan());
    expect_unresolved(options);
    assert_non_null(strstr(messages, "'ATAN'"));
}

int main(int argc, char** argv) {
    model_path = argc > 1 ? argv[1] : "examples/models/atan.tflite";
    FILE* file = fopen(model_path, "rb");
    if (file == NULL) {
        printf("skipped: there is no %s\n", model_path);
        return 77;
    }
    fclose(file);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_by_their_names),
        cmocka_unit_test(registrations_under_the_models_name),
        cmocka_unit_test(unresolved),
        cmocka_unit_test(name_in_another_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
