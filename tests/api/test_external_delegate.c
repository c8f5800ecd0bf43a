// SPDX-License-Identifier: Apache-2.0
// Delegates out of shared libraries.
//
//   test_external_delegate PLUGIN
#include <string.h>

#include "oclite/oclite.h"
#include "tensorflow/lite/delegates/external/external_delegate.h"
#include "tests/api/cmocka_setup.h"
#include "tests/api/fixture.h"
#include "tests/support/absent.h"

static const char* plugin_path;

static int reset(void** state) {
    (void)state;
    fixture_reset();
    return 0;
}

static TfLiteDelegate* create(const char* first, const char* first_value, const char* second,
                              const char* second_value) {
    TfLiteExternalDelegateOptions options = TfLiteExternalDelegateOptionsDefault(plugin_path);
    if (first != NULL) assert_int_equal(options.insert(&options, first, first_value), kTfLiteOk);
    if (second != NULL) {
        assert_int_equal(TfLiteExternalDelegateOptionsInsert(&options, second, second_value), kTfLiteOk);
    }
    return TfLiteExternalDelegateCreate(&options);
}

static TfLiteInterpreter* open_with(TfLiteDelegate* const* delegates, int count, int nodes) {
    TfLiteInterpreterOptions* options = fixture_options();
    for (int i = 0; i < count; i++) TfLiteInterpreterOptionsAddDelegate(options, delegates[i]);
    TfLiteModel* model = fixture_model(nodes);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteModelDelete(model);
    TfLiteInterpreterOptionsDelete(options);
    return interpreter;
}

static void takes_its_options(void** state) {
    (void)state;
    static const char* const forms[] = {"plain", "opaque"};
    for (int i = 0; i < 2; i++) {
        TfLiteDelegate* delegate = create("factor", "5", "form", forms[i]);
        assert_non_null(delegate);
        TfLiteInterpreter* interpreter = open_with(&delegate, 1, 2);
        fixture_check_run(interpreter, 5.0f);
        assert_int_equal(fixture_calls.invoke, 0);
        const int dims[] = {kLength + 1};
        assert_int_equal(TfLiteInterpreterResizeInputTensor(interpreter, 0, dims, 1), kTfLiteOk);
        assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
        assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
        TfLiteInterpreterDelete(interpreter);
        TfLiteExternalDelegateDelete(delegate);
    }
}

static void several_of_one_library(void** state) {
    (void)state;
    TfLiteDelegate* delegates[] = {create("factor", "3", "first", ""), create("factor", "5", NULL, NULL)};
    TfLiteInterpreter* interpreter = open_with(delegates, 2, 2);
    assert_null(interpreter); // the second one wants the first one's kernel
    TfLiteExternalDelegateDelete(delegates[1]);
    delegates[1] = create("factor", "5", "first", "");
    interpreter = open_with(&delegates[1], 1, 2);
    TfLiteExternalDelegateDelete(delegates[0]); // in any order
    fixture_check_run(interpreter, 10.0f);
    TfLiteInterpreterDelete(interpreter);
    TfLiteExternalDelegateDelete(delegates[1]);
}

static void a_device_that_fails(void** state) {
    (void)state;
    TfLiteDelegate* delegate = create("factor", "5", "fail_invoke", "device");
    TfLiteInterpreter* interpreter = open_with(&delegate, 1, 2);
    fixture_check_run(interpreter, 4.0f);
    assert_non_null(strstr(fixture_messages, "A delegate failed and has been removed"));
    fixture_check_run(interpreter, 4.0f);
    TfLiteInterpreterDelete(interpreter);
    TfLiteExternalDelegateDelete(delegate);
    delegate = create("factor", "5", "fail_invoke", "data");
    interpreter = open_with(&delegate, 1, 2);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    for (int i = 0; i < 2; i++) assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteError);
    TfLiteInterpreterDelete(interpreter);
    TfLiteExternalDelegateDelete(delegate);
}

// Handles are the delegate's that the program holds, whatever delegate is behind it.
static void buffers(void** state) {
    (void)state;
    TfLiteDelegate* delegate = create("factor", "5", NULL, NULL);
    TfLiteInterpreter* interpreter = open_with(&delegate, 1, 1);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
    assert_int_equal(TfLiteInterpreterSetBufferHandle(interpreter, input, 9, delegate), kTfLiteOk);
    input->data_is_stale = true;
    assert_int_equal(TfLiteInterpreterEnsureTensorDataIsReadable(interpreter, 0), kTfLiteOk);
    assert_float_equal(input->data.f[0], 9 * 5.0f, 0); // as the plugin has it: handle times factor
    TfLiteInterpreterDelete(interpreter);
    TfLiteExternalDelegateDelete(delegate);
}

static void a_plugin_may_fail(void** state) {
    (void)state;
    assert_null(create("fail", "", NULL, NULL));
    assert_null(create("colour", "red", NULL, NULL));                    // an option that it does not know
    assert_non_null(strstr(oclite_external_delegate_error(), "colour")); // in the plugin's words
    TfLiteDelegate* delegate = create("form", "none", NULL, NULL);
    assert_non_null(delegate); // without functions
    assert_null(open_with(&delegate, 1, 2));
    TfLiteExternalDelegateDelete(delegate);
    delegate = create("fail_prepare", "", NULL, NULL);
    assert_null(open_with(&delegate, 1, 2));
    TfLiteInterpreter* interpreter = open_with(NULL, 0, 2);
    assert_int_equal(TfLiteInterpreterModifyGraphWithDelegate(interpreter, delegate), kTfLiteDelegateError);
    fixture_check_run(interpreter, 4.0f);
    TfLiteInterpreterDelete(interpreter);
    TfLiteExternalDelegateDelete(delegate);
}

static void options_have_a_limit(void** state) {
    (void)state;
    TfLiteExternalDelegateOptions options = TfLiteExternalDelegateOptionsDefault(plugin_path);
    assert_int_equal(options.count, 0);
    assert_string_equal(options.lib_path, plugin_path);
    for (int i = 0; i < 256; i++) {
        assert_int_equal(TfLiteExternalDelegateOptionsInsert(&options, "factor", i == 255 ? "2" : "1"),
                         kTfLiteOk);
    }
    assert_int_equal(TfLiteExternalDelegateOptionsInsert(&options, "factor", "9"), kTfLiteError);
    assert_int_equal(options.insert(&options, "factor", "9"), kTfLiteError);
    assert_int_equal(options.count, 256);
    assert_int_equal(TfLiteExternalDelegateOptionsInsert(NULL, "k", "v"), kTfLiteError);
    TfLiteDelegate* delegate = TfLiteExternalDelegateCreate(&options); // the last one counts
    TfLiteInterpreter* interpreter = open_with(&delegate, 1, 3);
    fixture_check_run(interpreter, 2.0f);
    TfLiteInterpreterDelete(interpreter);
    TfLiteExternalDelegateDelete(delegate);
    options.count = 257;
    assert_null(TfLiteExternalDelegateCreate(&options));
}

static void libraries_that_are_none(void** state) {
    (void)state;
    TfLiteExternalDelegateOptions options = TfLiteExternalDelegateOptionsDefault(absent_path());
    assert_null(TfLiteExternalDelegateCreate(&options));
    options = TfLiteExternalDelegateOptionsDefault("libm.so.6"); // which offers no delegate
    assert_null(TfLiteExternalDelegateCreate(&options));
    options = TfLiteExternalDelegateOptionsDefault(NULL);
    assert_null(TfLiteExternalDelegateCreate(&options));
    assert_null(TfLiteExternalDelegateCreate(NULL));
    assert_string_not_equal(oclite_external_delegate_error(), "");
    TfLiteExternalDelegateDelete(NULL);
}

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    plugin_path = argv[1];
#define TEST(name) cmocka_unit_test_setup_teardown(name, reset, reset)
    const struct CMUnitTest tests[] = {
        TEST(takes_its_options), TEST(several_of_one_library), TEST(a_device_that_fails),     TEST(buffers),
        TEST(a_plugin_may_fail), TEST(options_have_a_limit),   TEST(libraries_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
