// SPDX-License-Identifier: Apache-2.0
// The FlexBuffers reader, on a sample and on broken buffers. `sample` was written by the official library;
// tests/fuzz compares with that library on arbitrary buffers.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oclite/flexbuffers.h"

// {big: indirect -70000, blob: <9, 8>, fast: true, iou: 0.5, max: 100, n: null, name: "box", pair: fixed (7,
// 8),
//  t: typed [1, -2, 300], u: unsigned 200, v: [1, 0.1, "x"]}
static const uint8_t sample[] = {
    0x6d, 0x61, 0x78, 0x00, 0x66, 0x61, 0x73, 0x74, 0x00, 0x69, 0x6f, 0x75, 0x00, 0x6e, 0x61, 0x6d,
    0x65, 0x00, 0x03, 0x62, 0x6f, 0x78, 0x00, 0x62, 0x69, 0x67, 0x00, 0x00, 0x90, 0xee, 0xfe, 0xff,
    0x76, 0x00, 0x01, 0x78, 0x00, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x9a, 0x99, 0x99, 0x99, 0x99, 0x99, 0xb9, 0x3f,
    0x1d, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x07, 0x0f, 0x14, 0x74, 0x00, 0x00, 0x00, 0x00,
    0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x2c, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x62, 0x6c, 0x6f, 0x62, 0x00, 0x02, 0x09, 0x08, 0x75, 0x00, 0x6e, 0x00, 0x70, 0x61, 0x69, 0x72,
    0x00, 0x00, 0x00, 0x00, 0x07, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x0b, 0x76, 0x1e, 0x8b,
    0x87, 0x91, 0x18, 0x86, 0x18, 0x4a, 0x1e, 0x77, 0x0b, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
    0x0b, 0x00, 0x00, 0x00, 0x88, 0x00, 0x00, 0x00, 0x32, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x3f, 0x64, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xa9, 0x00, 0x00, 0x00,
    0x3c, 0x00, 0x00, 0x00, 0x6c, 0x00, 0x00, 0x00, 0xc8, 0x00, 0x00, 0x00, 0x9c, 0x00, 0x00, 0x00,
    0x1a, 0x64, 0x6a, 0x0e, 0x06, 0x02, 0x14, 0x42, 0x2f, 0x0a, 0x2b, 0x37, 0x26, 0x01,
};

static OcliteFlex find(const char* key) {
    OcliteFlex root, value;
    assert_true(oclite_flex_root(sample, sizeof(sample), &root));
    assert_int_equal(oclite_flex_kind(root), kOcliteFlexMap);
    assert_true(oclite_flex_map_find(root, key, &value));
    return value;
}

static OcliteFlex at(OcliteFlex vector, size_t index) {
    OcliteFlex element;
    assert_true(oclite_flex_vector_at(vector, index, &element));
    return element;
}

static void assert_whole(OcliteFlex value, int64_t expected) {
    int64_t actual;
    assert_true(oclite_flex_int(value, &actual));
    assert_int_equal(actual, expected);
}

static void assert_real(OcliteFlex value, double expected) {
    double actual;
    assert_true(oclite_flex_float(value, &actual));
    assert_true(actual == expected);
}

static void assert_text(OcliteFlex value, const char* expected) {
    const char* actual;
    size_t length;
    assert_true(oclite_flex_string(value, &actual, &length));
    assert_string_equal(actual, expected);
    assert_int_equal(length, strlen(expected));
}

static void numbers_are_found_by_key(void** state) {
    (void)state;
    assert_whole(find("max"), 100);
    assert_whole(find("big"), -70000);
    assert_whole(find("u"), 200);
    assert_real(find("iou"), 0.5);
    assert_text(find("name"), "box");
    assert_int_equal(oclite_flex_kind(find("max")), kOcliteFlexInt);
    assert_int_equal(oclite_flex_kind(find("u")), kOcliteFlexUInt);
    assert_int_equal(oclite_flex_kind(find("iou")), kOcliteFlexFloat);
    assert_int_equal(oclite_flex_kind(find("fast")), kOcliteFlexBool);
    assert_int_equal(oclite_flex_kind(find("name")), kOcliteFlexString);
    assert_int_equal(oclite_flex_kind(find("blob")), kOcliteFlexBlob);
    assert_int_equal(oclite_flex_kind(find("n")), kOcliteFlexNull);
    assert_int_equal(oclite_flex_kind(find("v")), kOcliteFlexVector);
}

static void numbers_convert(void** state) {
    (void)state;
    bool flag;
    assert_real(find("max"), 100);
    assert_real(find("big"), -70000);
    assert_real(find("fast"), 1);
    assert_whole(find("fast"), 1);
    assert_whole(find("iou"), 0);
    assert_true(oclite_flex_bool(find("fast"), &flag) && flag);
    assert_true(oclite_flex_bool(find("max"), &flag) && flag);
    assert_true(oclite_flex_bool(find("iou"), &flag) && !flag);
}

static void numbers_convert_to_unsigned(void** state) {
    (void)state;
    uint64_t natural;
    assert_true(oclite_flex_uint(find("u"), &natural) && natural == 200);
    assert_true(oclite_flex_uint(find("max"), &natural) && natural == 100);
    assert_true(oclite_flex_uint(find("big"), &natural) && natural == 0); // -70000
    assert_true(oclite_flex_uint(find("iou"), &natural) && natural == 0);
    assert_true(oclite_flex_uint(find("fast"), &natural) && natural == 1);
    assert_false(oclite_flex_uint(find("name"), &natural));
}

static void real_numbers_saturate(void** state) {
    (void)state;
    static const double values[] = {1e30, -1e30, NAN, -2.9};
    static const int64_t expected[] = {INT64_MAX, INT64_MIN, 0, -2};
    static const uint64_t natural[] = {UINT64_MAX, 0, 0, 0};
    for (int i = 0; i < 4; i++) {
        uint8_t buffer[10] = {[8] = 3 << 2 | 3, [9] = 8};
        memcpy(buffer, &values[i], 8);
        OcliteFlex root;
        assert_true(oclite_flex_root(buffer, sizeof(buffer), &root));
        assert_whole(root, expected[i]);
        uint64_t actual;
        assert_true(oclite_flex_uint(root, &actual));
        assert_int_equal(actual, natural[i]);
    }
    uint8_t largest[10] = {[8] = 2 << 2 | 3, [9] = 8};
    memset(largest, 0xff, 8);
    OcliteFlex root;
    assert_true(oclite_flex_root(largest, sizeof(largest), &root));
    assert_whole(root, INT64_MAX);
    assert_real(root, 0x1p64);
}

static void vectors_are_read(void** state) {
    (void)state;
    size_t count;
    const OcliteFlex v = find("v"), t = find("t"), pair = find("pair");
    assert_true(oclite_flex_vector_size(v, &count) && count == 3);
    assert_whole(at(v, 0), 1);
    assert_real(at(v, 1), 0.1);
    assert_text(at(v, 2), "x");
    assert_true(oclite_flex_vector_size(t, &count) && count == 3);
    assert_whole(at(t, 1), -2);
    assert_whole(at(t, 2), 300);
    assert_true(oclite_flex_vector_size(pair, &count) && count == 2);
    assert_whole(at(pair, 1), 8);
    OcliteFlex none;
    assert_false(oclite_flex_vector_at(t, 3, &none));
    const void* bytes;
    assert_true(oclite_flex_blob(find("blob"), &bytes, &count) && count == 2);
    assert_memory_equal(bytes, "\x09\x08", 2);
    OcliteFlexKind kind;
    assert_true(oclite_flex_vector_kind(t, &kind) && kind == kOcliteFlexInt);
    assert_true(oclite_flex_vector_kind(pair, &kind) && kind == kOcliteFlexInt);
    assert_false(oclite_flex_vector_kind(v, &kind));
    assert_false(oclite_flex_vector_kind(find("blob"), &kind));
}

static void maps_are_walked(void** state) {
    (void)state;
    OcliteFlex root, none;
    size_t count;
    const char* key;
    assert_true(oclite_flex_root(sample, sizeof(sample), &root));
    assert_true(oclite_flex_vector_size(root, &count) && count == 11);
    assert_true(oclite_flex_map_key(root, 0, &key));
    assert_string_equal(key, "big");
    assert_whole(at(root, 0), -70000);
    assert_true(oclite_flex_map_key(root, 10, &key));
    assert_string_equal(key, "v");
    assert_false(oclite_flex_map_key(root, 11, &key));
    assert_false(oclite_flex_map_find(root, "absent", &none));
    assert_false(oclite_flex_map_find(root, "", &none));
    assert_false(oclite_flex_map_find(root, "zzz", &none));
    assert_false(oclite_flex_map_find(root, NULL, &none));
    assert_false(oclite_flex_map_find(find("v"), "max", &none));
    OcliteFlexKind kind;
    assert_false(oclite_flex_vector_kind(root, &kind));
    const OcliteFlex nothing = {0};
    assert_int_equal(oclite_flex_kind(nothing), kOcliteFlexNull);
    assert_false(oclite_flex_map_find(nothing, "max", &none));
}

static void other_kinds_are_refused(void** state) {
    (void)state;
    int64_t whole = 77;
    double real = 77;
    bool flag = true;
    const char* text = NULL;
    const void* bytes = NULL;
    size_t count = 77;
    assert_false(oclite_flex_int(find("name"), &whole));
    assert_false(oclite_flex_int(find("n"), &whole));
    assert_false(oclite_flex_float(find("v"), &real));
    assert_false(oclite_flex_bool(find("blob"), &flag));
    assert_false(oclite_flex_string(find("max"), &text, NULL));
    assert_false(oclite_flex_string(find("blob"), &text, NULL));
    assert_false(oclite_flex_blob(find("max"), &bytes, &count));
    assert_false(oclite_flex_vector_size(find("max"), &count));
    assert_true(whole == 77 && real == 77 && flag && text == NULL && bytes == NULL && count == 77);
}

// Reads everything that can be reached in one step from the root, and one step from there.
static void walk(const uint8_t* data, size_t size) {
    OcliteFlex root, value;
    int64_t whole;
    double real;
    const char* text;
    const void* bytes;
    size_t count = 0, inner;
    if (!oclite_flex_root(data, size, &root)) return;
    (void)oclite_flex_vector_size(root, &count);
    (void)oclite_flex_map_find(root, "name", &value);
    for (size_t i = 0; i < count && i < 64; i++) {
        (void)oclite_flex_map_key(root, i, &text);
        if (!oclite_flex_vector_at(root, i, &value)) continue;
        (void)oclite_flex_int(value, &whole);
        (void)oclite_flex_float(value, &real);
        (void)oclite_flex_string(value, &text, &inner);
        (void)oclite_flex_blob(value, &bytes, &inner);
        (void)oclite_flex_vector_at(value, 1, &value);
        (void)oclite_flex_int(value, &whole);
    }
}

// Every truncation, and every value of every byte; sanitizers see reads outside.
static void broken_buffers_do_no_harm(void** state) {
    (void)state;
    for (size_t cut = 0; cut <= sizeof(sample); cut++) {
        uint8_t* part = malloc(cut + 1);
        assert_non_null(part);
        memcpy(part, sample + sizeof(sample) - cut, cut);
        walk(part, cut);
        memcpy(part, sample, cut);
        walk(part, cut);
        free(part);
    }
    uint8_t* copy = malloc(sizeof(sample));
    assert_non_null(copy);
    memcpy(copy, sample, sizeof(sample));
    for (size_t i = 0; i < sizeof(sample); i++) {
        for (int value = 0; value < 256; value++) {
            copy[i] = (uint8_t)value;
            walk(copy, sizeof(sample));
        }
        copy[i] = sample[i];
    }
    free(copy);
    OcliteFlex root;
    assert_false(oclite_flex_root(NULL, 0, &root));
    assert_false(oclite_flex_root("\0\4\3", 3, &root)); // a root of 3 bytes
    assert_false(oclite_flex_root("\0\4\4", 3, &root)); // that begins before the buffer
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_found_by_key),
        cmocka_unit_test(numbers_convert),
        cmocka_unit_test(numbers_convert_to_unsigned),
        cmocka_unit_test(real_numbers_saturate),
        cmocka_unit_test(vectors_are_read),
        cmocka_unit_test(maps_are_walked),
        cmocka_unit_test(other_kinds_are_refused),
        cmocka_unit_test(broken_buffers_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
