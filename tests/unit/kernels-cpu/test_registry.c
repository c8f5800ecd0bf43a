// SPDX-License-Identifier: Apache-2.0
// The registry agrees with core/ops.def, line by line.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/operator.h"

typedef struct Line {
    const char* name;
    int code;
    int first;
    int last;
    bool cpu;
} Line;

static const Line lines[] = {
#define OP(NAME, EnumName, first_version, last_version, cpu, cl)                                             \
    {#NAME, kTfLiteBuiltin##EnumName, first_version, last_version, cpu},
#include "core/ops.def"
};

static const Line customs[] = {
#define CUSTOM_OP(NAME, cpu, cl) {#NAME, kTfLiteBuiltinCustom, 1, 1, cpu},
#include "core/ops.def"
};

enum { kLineCount = sizeof(lines) / sizeof(lines[0]), kCustomCount = sizeof(customs) / sizeof(customs[0]) };

static void test_lines_are_in_order_of_codes(void** state) {
    (void)state;
    assert_int_equal(kLineCount, kTfLiteBuiltinStablehloCase + 1);
    for (int i = 0; i < kLineCount; i++) assert_int_equal(lines[i].code, i);
}

static void test_names(void** state) {
    (void)state;
    for (int i = 0; i < kLineCount; i++) assert_string_equal(lite_operator_name(i), lines[i].name);
    assert_string_equal(lite_operator_name(-1), "UNKNOWN");
    assert_string_equal(lite_operator_name(kLineCount), "UNKNOWN");
    assert_string_equal(lite_operator_name(INT32_MAX), "UNKNOWN");
}

static void test_nothing_is_left_out(void** state) {
    (void)state;
    assert_true(lite_registry_is_whole());
}

static void check_operator(const TfLiteOperator* op, const Line* line, int version) {
    assert_non_null(op);
    assert_int_equal(op->builtin_code, line->code);
    assert_int_equal(op->version, version);
    assert_non_null(op->prepare);
    assert_non_null(op->invoke);
    // What init makes, free takes.
    assert_int_equal(op->init != NULL, op->free != NULL);
}

static void test_builtins(void** state) {
    (void)state;
    for (int i = 0; i < kLineCount; i++) {
        const Line* line = &lines[i];
        int first = -1, last = -1;
        assert_int_equal(lite_registry_versions(i, &first, &last), line->cpu);
        assert_null(lite_registry_find_builtin(i, line->first - 1));
        assert_null(lite_registry_find_builtin(i, line->last + 1));
        if (!line->cpu) {
            assert_null(lite_registry_find_builtin(i, line->first));
            continue;
        }
        assert_int_equal(first, line->first);
        assert_int_equal(last, line->last);
        for (int version = first; version <= last; version++) {
            const TfLiteOperator* op = lite_registry_find_builtin(i, version);
            check_operator(op, line, version);
            assert_null(op->custom_name);
            assert_ptr_equal(op, lite_registry_find_builtin(i, version));
        }
    }
    int first, last;
    assert_false(lite_registry_versions(-1, &first, &last));
    assert_false(lite_registry_versions(kLineCount, &first, &last));
    assert_null(lite_registry_find_builtin(-1, 1));
    assert_null(lite_registry_find_builtin(kLineCount, 1));
}

static void test_customs(void** state) {
    (void)state;
    for (int i = 0; i < kCustomCount; i++) {
        const TfLiteOperator* op = lite_registry_find_custom(lite_custom_operator_name(customs[i].name), 1);
        if (!customs[i].cpu) {
            assert_null(op);
            continue;
        }
        check_operator(op, &customs[i], 1);
        assert_string_equal(op->custom_name, lite_custom_operator_name(customs[i].name));
        assert_null(lite_registry_find_custom(lite_custom_operator_name(customs[i].name), 2));
    }
    assert_null(lite_registry_find_custom("NoSuchOperator", 1));
    assert_null(lite_registry_find_custom("", 1));
    assert_null(lite_registry_find_custom(NULL, 1));
}

static void* find_everything(void* found) {
    for (int i = 0; i < kLineCount; i++) {
        ((const TfLiteOperator**)found)[i] = lite_registry_find_builtin(i, lines[i].first);
    }
    return NULL;
}

static void test_first_use_by_several_threads(void** state) {
    (void)state;
    enum { kThreads = 4 };
    static const TfLiteOperator* found[kThreads][kLineCount];
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, find_everything, found[i]), 0);
    }
    for (int i = 0; i < kThreads; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 1; i < kThreads; i++) assert_memory_equal(found[i], found[0], sizeof(found[0]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_use_by_several_threads), // first: nothing has been looked up yet
        cmocka_unit_test(test_lines_are_in_order_of_codes),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_nothing_is_left_out),
        cmocka_unit_test(test_builtins),
        cmocka_unit_test(test_customs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
