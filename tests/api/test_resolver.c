// SPDX-License-Identifier: Apache-2.0
// Where operators come from: added ones, resolver functions in all their versions, the library.
#include <string.h>

#include "tests/api/cmocka_setup.h"
#include "tests/api/fixture.h"

static int reset(void** state) {
    (void)state;
    fixture_reset();
    return 0;
}

// What the resolver functions below give out.
static TfLiteOperator* resolved_operator;
static TfLiteRegistration resolved;
static TfLiteRegistration_V3 resolved_v3;
static TfLiteRegistration_V2 resolved_v2;
static TfLiteRegistration_V1 resolved_v1;

#define DEFINE_FIND(name, Result, value)                                                                     \
    static const Result* name(void* user_data, const char* custom_op, int version) {                         \
        ++*(int*)user_data;                                                                                  \
        assert_int_equal(version, 1);                                                                        \
        return strcmp(custom_op, "Twice") == 0 ? value : NULL;                                               \
    }
DEFINE_FIND(find_operator, TfLiteOperator, resolved_operator)
DEFINE_FIND(find_registration, TfLiteRegistration, &resolved)
DEFINE_FIND(find_v3, TfLiteRegistration_V3, &resolved_v3)
DEFINE_FIND(find_v2, TfLiteRegistration_V2, &resolved_v2)
DEFINE_FIND(find_v1, TfLiteRegistration_V1, &resolved_v1)

static const TfLiteRegistration* find_builtin(void* user_data, TfLiteBuiltinOperator op, int version) {
    (void)version;
    ++*(int*)user_data;
    return op == kTfLiteBuiltinAdd ? &resolved : NULL;
}

static TfLiteInterpreterOptions* listening_options(void) {
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options, fixture_report, NULL);
    return options;
}

static void check(TfLiteModel* model, TfLiteInterpreterOptions* options, float factor) {
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteModelDelete(model);
    fixture_check_run(interpreter, factor);
    TfLiteInterpreterDelete(interpreter);
    assert_int_equal(fixture_calls.init, fixture_calls.free);
    assert_string_equal(fixture_messages, "");
}

static void resolver_versions(void** state) {
    (void)state;
    int asked = 0;
    resolved_operator = fixture_twice();
    resolved = fixture_registration();
    memcpy(&resolved_v3, &resolved, sizeof resolved_v3);
    memcpy(&resolved_v2, &resolved, sizeof resolved_v2);
    memcpy(&resolved_v1, &resolved, sizeof resolved_v1);

    TfLiteInterpreterOptions* options = listening_options();
    TfLiteInterpreterOptionsSetOpResolverExternal(options, NULL, find_operator, &asked);
    check(fixture_model(1), options, 2.0f);
    options = listening_options();
    TfLiteInterpreterOptionsSetOpResolverExternalWithFallback(options, NULL, NULL, NULL, find_registration,
                                                              &asked);
    check(fixture_model(1), options, 2.0f);
    options = listening_options();
    TfLiteInterpreterOptionsSetOpResolver(options, NULL, find_registration, &asked);
    check(fixture_model(1), options, 2.0f);
    options = listening_options();
    TfLiteInterpreterOptionsSetOpResolverV3(options, NULL, find_v3, &asked);
    check(fixture_model(1), options, 2.0f);
    options = listening_options();
    TfLiteInterpreterOptionsSetOpResolverV2(options, NULL, find_v2, &asked);
    check(fixture_model(1), options, 2.0f);
    options = listening_options();
    TfLiteInterpreterOptionsSetOpResolverV1(options, NULL, find_v1, &asked);
    check(fixture_model(1), options, 2.0f);
    assert_true(asked >= 6);
}

static void added_before_resolver(void** state) {
    (void)state;
    int asked = 0;
    TfLiteInterpreterOptions* options = fixture_options();
    TfLiteInterpreterOptionsSetOpResolver(options, NULL, find_registration, &asked);
    check(fixture_model(2), options, 4.0f);
    assert_int_equal(asked, 0);
}

// Adding an operator under a builtin's code replaces the builtin.
static void replaced_builtin(void** state) {
    (void)state;
    int asked = 0;
    resolved = fixture_registration();
    TfLiteInterpreterOptions* options = listening_options();
    TfLiteInterpreterOptionsAddBuiltinOp(options, kTfLiteBuiltinAdd, &resolved, 1, 9);
    check(fixture_add_model(), options, 2.0f);
    assert_int_equal(fixture_calls.invoke, 1);

    options = listening_options();
    TfLiteInterpreterOptionsSetOpResolver(options, find_builtin, NULL, &asked);
    check(fixture_add_model(), options, 2.0f);
    assert_int_equal(fixture_calls.invoke, 2);
    assert_int_equal(asked, 1);
    check(fixture_add_model(), listening_options(), 2.0f); // the library's own
    assert_int_equal(fixture_calls.invoke, 2);
}

static void selected_operators(void** state) {
    (void)state;
    TfLiteModel* model = fixture_add_model();
    TfLiteInterpreterOptions* options = listening_options();
    assert_null(TfLiteInterpreterCreateWithSelectedOps(model, options));
    assert_non_null(strstr(fixture_messages, "ADD"));
    resolved = fixture_registration();
    TfLiteInterpreterOptionsAddBuiltinOp(options, kTfLiteBuiltinAdd, &resolved, 1, 1);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreateWithSelectedOps(model, options);
    fixture_check_run(interpreter, 2.0f);
    TfLiteInterpreterDelete(interpreter);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteModelDelete(model);
}

// Names are copied, the version must fit, the later of two counts.
static void names_and_versions(void** state) {
    (void)state;
    char name[] = "Twice";
    const TfLiteRegistration empty = {0};
    resolved = fixture_registration();
    TfLiteInterpreterOptions* options = listening_options();
    TfLiteInterpreterOptionsAddCustomOp(options, name, &empty, 1, 1);
    TfLiteInterpreterOptionsAddCustomOp(options, name, &resolved, 1, 3);
    TfLiteInterpreterOptionsAddCustomOp(options, name, &empty, 2, 3);
    name[0] = 'X';
    check(fixture_model(1), options, 2.0f);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, reset, reset)
    const struct CMUnitTest tests[] = {
        TEST(resolver_versions),  TEST(added_before_resolver), TEST(replaced_builtin),
        TEST(selected_operators), TEST(names_and_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
