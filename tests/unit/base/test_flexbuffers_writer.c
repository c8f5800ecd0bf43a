// SPDX-License-Identifier: Apache-2.0
// The FlexBuffers writer, read by the reader; tests/fuzz compares both with the official library.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "oclite/flexbuffers_writer.h"

static OcliteFlex finish(OcliteFlexWriter* writer) {
    size_t size;
    OcliteFlex root;
    const void* document = oclite_flex_finish(writer, &size);
    assert_string_equal(oclite_flex_writer_error(writer), "");
    assert_true(oclite_flex_root(document, size, &root));
    return root;
}

static OcliteFlex find(OcliteFlex map, const char* key) {
    OcliteFlex value;
    assert_true(oclite_flex_map_find(map, key, &value));
    return value;
}

static int64_t whole(OcliteFlex vector, size_t index) {
    OcliteFlex element;
    int64_t value;
    assert_true(oclite_flex_vector_at(vector, index, &element));
    assert_true(oclite_flex_int(element, &value));
    return value;
}

static void every_kind_of_value(void** state) {
    (void)state;
    OcliteFlexWriter* w = oclite_flex_writer_create();
    oclite_flex_begin_vector(w);
    oclite_flex_write_null(w);
    oclite_flex_write_int(w, INT64_MIN);
    oclite_flex_write_uint(w, UINT64_MAX);
    oclite_flex_write_float(w, 0.1);
    oclite_flex_write_bool(w, true);
    oclite_flex_write_key(w, "key");
    oclite_flex_write_string(w, "a\0b", 3);
    oclite_flex_write_blob(w, "\xff\x00", 2);
    oclite_flex_write_indirect_int(w, -300);
    oclite_flex_write_indirect_uint(w, 70000);
    oclite_flex_write_indirect_float(w, -INFINITY);
    oclite_flex_write_string(w, NULL, 0);
    oclite_flex_end(w);
    const OcliteFlex root = finish(w);
    static const OcliteFlexKind kinds[] = {kOcliteFlexNull,   kOcliteFlexInt,   kOcliteFlexUInt,
                                           kOcliteFlexFloat,  kOcliteFlexBool,  kOcliteFlexKey,
                                           kOcliteFlexString, kOcliteFlexBlob,  kOcliteFlexInt,
                                           kOcliteFlexUInt,   kOcliteFlexFloat, kOcliteFlexString};
    OcliteFlex values[12];
    for (size_t i = 0; i < 12; i++) {
        assert_true(oclite_flex_vector_at(root, i, &values[i]));
        assert_int_equal(oclite_flex_kind(values[i]), kinds[i]);
    }
    uint64_t natural;
    double real;
    const char* text;
    const void* bytes;
    size_t size;
    assert_true(whole(root, 1) == INT64_MIN);
    assert_true(oclite_flex_uint(values[2], &natural) && natural == UINT64_MAX);
    assert_true(oclite_flex_float(values[3], &real) && real == 0.1);
    assert_int_equal(whole(root, 4), 1);
    assert_true(oclite_flex_string(values[5], &text, NULL));
    assert_string_equal(text, "key");
    assert_true(oclite_flex_string(values[6], &text, &size) && size == 3);
    assert_memory_equal(text, "a\0b", 4);
    assert_true(oclite_flex_blob(values[7], &bytes, &size) && size == 2);
    assert_memory_equal(bytes, "\xff\x00", 2);
    assert_int_equal(whole(root, 8), -300);
    assert_int_equal(whole(root, 9), 70000);
    assert_true(oclite_flex_float(values[10], &real) && real == -INFINITY);
    assert_true(oclite_flex_string(values[11], &text, &size) && size == 0 && *text == 0);
    oclite_flex_writer_delete(w);
}

static void a_single_value_is_a_document(void** state) {
    (void)state;
    OcliteFlexWriter* w = oclite_flex_writer_create();
    int64_t value;
    assert_int_equal(oclite_flex_write_int(w, -5), kTfLiteOk);
    assert_true(oclite_flex_int(finish(w), &value) && value == -5);
    assert_true(oclite_flex_int(finish(w), &value) && value == -5); // the same again
    oclite_flex_writer_delete(w);
}

static void maps_are_sorted_and_nested(void** state) {
    (void)state;
    enum { kCount = 300 };
    char key[16];
    OcliteFlexWriter* w = oclite_flex_writer_create();
    oclite_flex_begin_map(w);
    for (int i = 0; i < kCount; i++) {
        snprintf(key, sizeof key, "k%d", i * 7 % kCount);
        oclite_flex_write_key(w, key);
        oclite_flex_begin_map(w);
        oclite_flex_write_key(w, "number");
        oclite_flex_write_int(w, i * 7 % kCount);
        oclite_flex_end(w);
    }
    oclite_flex_end(w);
    const OcliteFlex root = finish(w);
    size_t size;
    const char *text, *last = "";
    assert_true(oclite_flex_vector_size(root, &size) && size == kCount);
    for (int i = 0; i < kCount; i++) {
        int64_t number;
        snprintf(key, sizeof key, "k%d", i);
        assert_true(oclite_flex_int(find(find(root, key), "number"), &number) && number == i);
        assert_true(oclite_flex_map_key(root, (size_t)i, &text) && strcmp(last, text) < 0);
        last = text;
    }
    oclite_flex_writer_delete(w);
}

static void vectors_of_one_kind(void** state) {
    (void)state;
    OcliteFlexWriter* w = oclite_flex_writer_create();
    oclite_flex_begin_map(w);
    oclite_flex_write_key(w, "strings");
    oclite_flex_begin_typed_vector(w, kOcliteFlexString);
    oclite_flex_write_string(w, "one", 3);
    oclite_flex_write_string(w, "two", 3);
    oclite_flex_end(w);
    oclite_flex_write_key(w, "none");
    oclite_flex_begin_typed_vector(w, kOcliteFlexFloat);
    oclite_flex_end(w);
    oclite_flex_write_key(w, "bools");
    oclite_flex_begin_typed_vector(w, kOcliteFlexBool);
    oclite_flex_write_bool(w, false);
    oclite_flex_write_bool(w, true);
    oclite_flex_end(w);
    for (int length = 2; length <= 4; length++) {
        const char key[] = {(char)('0' + length), 0};
        oclite_flex_write_key(w, key);
        oclite_flex_begin_fixed_vector(w, kOcliteFlexUInt);
        for (int i = 0; i < length; i++) oclite_flex_write_uint(w, (uint64_t)i << 20);
        oclite_flex_end(w);
    }
    oclite_flex_end(w);
    const OcliteFlex root = finish(w);
    OcliteFlexKind kind;
    OcliteFlex element;
    size_t size;
    const char* text;
    assert_true(oclite_flex_vector_kind(find(root, "strings"), &kind) && kind == kOcliteFlexKey);
    assert_true(oclite_flex_vector_at(find(root, "strings"), 1, &element));
    assert_true(oclite_flex_string(element, &text, NULL));
    assert_string_equal(text, "two");
    assert_true(oclite_flex_vector_kind(find(root, "none"), &kind) && kind == kOcliteFlexFloat);
    assert_true(oclite_flex_vector_size(find(root, "none"), &size) && size == 0);
    assert_true(oclite_flex_vector_kind(find(root, "bools"), &kind) && kind == kOcliteFlexBool);
    assert_int_equal(whole(find(root, "bools"), 1), 1);
    for (size_t length = 2; length <= 4; length++) {
        const char key[] = {(char)('0' + length), 0};
        assert_true(oclite_flex_vector_size(find(root, key), &size) && size == length);
        assert_true(oclite_flex_vector_kind(find(root, key), &kind) && kind == kOcliteFlexUInt);
        assert_int_equal(whole(find(root, key), length - 1), (length - 1) << 20);
    }
    oclite_flex_writer_delete(w);
}

// What is wrong comes first in each of these documents; everything after it fails as well.
static void second_root(OcliteFlexWriter* w) {
    oclite_flex_write_int(w, 1);
    oclite_flex_write_int(w, 2);
}
static void no_root(OcliteFlexWriter* w) {
    (void)w;
}
static void end_too_many(OcliteFlexWriter* w) {
    oclite_flex_begin_vector(w);
    oclite_flex_end(w);
    oclite_flex_end(w);
}
static void end_missing(OcliteFlexWriter* w) {
    oclite_flex_begin_vector(w);
}
static void key_missing(OcliteFlexWriter* w) {
    oclite_flex_begin_map(w);
    oclite_flex_write_int(w, 1);
}
static void container_without_key(OcliteFlexWriter* w) {
    oclite_flex_begin_map(w);
    oclite_flex_begin_vector(w);
}
static void value_missing(OcliteFlexWriter* w) {
    oclite_flex_begin_map(w);
    oclite_flex_write_key(w, "a");
    oclite_flex_end(w);
}
static void key_twice(OcliteFlexWriter* w) {
    oclite_flex_begin_map(w);
    for (int i = 0; i < 2; i++) {
        oclite_flex_write_key(w, "a");
        oclite_flex_write_int(w, i);
    }
    oclite_flex_end(w);
}
static void key_of_null(OcliteFlexWriter* w) {
    oclite_flex_write_key(w, NULL);
}
static void string_of_null(OcliteFlexWriter* w) {
    oclite_flex_write_string(w, NULL, 1);
}
static void other_element(OcliteFlexWriter* w) {
    oclite_flex_begin_typed_vector(w, kOcliteFlexInt);
    oclite_flex_write_uint(w, 1);
}
static void typed_vector_of_maps(OcliteFlexWriter* w) {
    oclite_flex_begin_typed_vector(w, kOcliteFlexMap);
}
static void fixed_vector_of_keys(OcliteFlexWriter* w) {
    oclite_flex_begin_fixed_vector(w, kOcliteFlexKey);
}
static void fixed_vector_of_five(OcliteFlexWriter* w) {
    oclite_flex_begin_fixed_vector(w, kOcliteFlexInt);
    for (int i = 0; i < 5; i++) oclite_flex_write_int(w, i);
    oclite_flex_end(w);
}

static void misuse_is_told(void** state) {
    (void)state;
    static void (*const documents[])(OcliteFlexWriter * w) = {second_root,          no_root,
                                                              end_too_many,         end_missing,
                                                              key_missing,          container_without_key,
                                                              value_missing,        key_twice,
                                                              key_of_null,          string_of_null,
                                                              other_element,        typed_vector_of_maps,
                                                              fixed_vector_of_keys, fixed_vector_of_five};
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        OcliteFlexWriter* w = oclite_flex_writer_create();
        documents[i](w);
        size_t size = 77;
        assert_null(oclite_flex_finish(w, &size));
        assert_int_equal(size, 0);
        char message[100];
        snprintf(message, sizeof message, "%s", oclite_flex_writer_error(w));
        assert_true(message[0] != 0);
        assert_int_equal(oclite_flex_write_int(w, 1), kTfLiteError);
        assert_int_equal(oclite_flex_write_key(w, "key"), kTfLiteError);
        assert_int_equal(oclite_flex_begin_map(w), kTfLiteError);
        assert_int_equal(oclite_flex_end(w), kTfLiteError);
        assert_string_equal(oclite_flex_writer_error(w), message); // still the first
        oclite_flex_writer_delete(w);
    }
}

static void nothing_is_written_to_a_finished_document(void** state) {
    (void)state;
    OcliteFlexWriter* w = oclite_flex_writer_create();
    oclite_flex_write_string(w, "text", 4);
    size_t size;
    const char* text;
    const OcliteFlex root = finish(w);
    assert_int_equal(oclite_flex_write_string(w, "more", 4), kTfLiteError);
    assert_true(oclite_flex_string(root, &text, NULL));
    assert_string_equal(text, "text");
    assert_null(oclite_flex_finish(w, &size));
    oclite_flex_writer_delete(w);
}

static void no_writer(void** state) {
    (void)state;
    size_t size = 77;
    oclite_flex_writer_delete(NULL);
    assert_int_equal(oclite_flex_write_int(NULL, 1), kTfLiteError);
    assert_int_equal(oclite_flex_write_string(NULL, "", 0), kTfLiteError);
    assert_int_equal(oclite_flex_write_indirect_int(NULL, 1), kTfLiteError);
    assert_int_equal(oclite_flex_write_key(NULL, "a"), kTfLiteError);
    assert_int_equal(oclite_flex_begin_vector(NULL), kTfLiteError);
    assert_int_equal(oclite_flex_begin_typed_vector(NULL, kOcliteFlexMap), kTfLiteError);
    assert_int_equal(oclite_flex_end(NULL), kTfLiteError);
    assert_null(oclite_flex_finish(NULL, &size));
    assert_int_equal(size, 0);
    assert_true(oclite_flex_writer_error(NULL)[0] != 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_value),
        cmocka_unit_test(a_single_value_is_a_document),
        cmocka_unit_test(maps_are_sorted_and_nested),
        cmocka_unit_test(vectors_of_one_kind),
        cmocka_unit_test(misuse_is_told),
        cmocka_unit_test(nothing_is_written_to_a_finished_document),
        cmocka_unit_test(no_writer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
