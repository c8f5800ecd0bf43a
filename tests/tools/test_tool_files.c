// SPDX-License-Identifier: Apache-2.0
// The file formats of the command line tool: .npy, base64, string lists, elements, messages; hostile ones
// too.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/absent.h"
#include "tools/common/base64.h"
#include "tools/common/element.h"
#include "tools/common/file.h"
#include "tools/common/npy.h"
#include "tools/common/status.h"
#include "tools/common/strings.h"

enum { HEADER_ROOM = 512 };

// A temporary file's path; the file is removed by the caller.
static void temporary_path(char* path, size_t room) {
    snprintf(path, room, "/tmp/oclite-test-XXXXXX");
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
}

// A .npy file of `version` with this header text, then data_size bytes of zeros.
static size_t make_npy(unsigned char* file, int version, const char* header, size_t data_size) {
    const size_t length = strlen(header);
    const size_t length_size = version == 1 ? 2 : 4;
    memcpy(file, "\x93NUMPY", 6);
    file[6] = (unsigned char)version;
    file[7] = 0;
    for (size_t i = 0; i < length_size; i++) file[8 + i] = (unsigned char)(length >> 8 * i);
    memcpy(file + 8 + length_size, header, length);
    memset(file + 8 + length_size + length, 0, data_size);
    return 8 + length_size + length + data_size;
}

// Parses from a heap block of the exact size, so that a sanitizer sees every byte read too many.
static ToolStatus parse_exact(const unsigned char* file, size_t size, ToolArray* array) {
    ToolMessage message = {{0}};
    unsigned char* copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, file, size);
    const ToolStatus status = tool_npy_parse("test.npy", copy, size, array, &message);
    assert_true((status == kToolOk) == (message.text[0] == '\0'));
    free(copy);
    return status;
}

static void test_npy_good(void** state) {
    (void)state;
    static const struct {
        int version;
        const char* header;
        size_t data_size;
        TfLiteType type;
        ToolShape shape;
    } rows[] = {
        {1,
         "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }  \n",
         24,
         kTfLiteFloat32,
         {2, {2, 3}}},
        {2, "{'descr': '|b1', 'fortran_order': False, 'shape': (), }\n", 1, kTfLiteBool, {0, {0}}},
        {3, "{\"shape\":(4,),\"fortran_order\":False,\"descr\":\"<c16\"}", 64, kTfLiteComplex128, {1, {4}}},
        {1,
         "{'descr': '<i8', 'fortran_order': False, 'shape': (0, 2147483647, 2147483647), }",
         0,
         kTfLiteInt64,
         {3, {0, 2147483647, 2147483647}}},
        {1, "{'descr': '<u2', 'fortran_order': False, 'shape': (3,)}", 6, kTfLiteUInt16, {1, {3}}},
        {1,
         "{'descr': '=f2', 'fortran_order': False, 'shape': (1,1,1,), }",
         2,
         kTfLiteFloat16,
         {3, {1, 1, 1}}},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        unsigned char file[HEADER_ROOM];
        ToolArray array;
        const size_t size = make_npy(file, rows[i].version, rows[i].header, rows[i].data_size);
        assert_int_equal(parse_exact(file, size, &array), kToolOk);
        assert_int_equal(array.type, rows[i].type);
        assert_int_equal(array.bytes, rows[i].data_size);
        assert_int_equal(array.shape.rank, rows[i].shape.rank);
        assert_memory_equal(array.shape.dims, rows[i].shape.dims, (size_t)array.shape.rank * sizeof(int));
        // Every shorter file is refused, and so is a longer one.
        for (size_t cut = 0; cut < size; cut++) assert_int_equal(parse_exact(file, cut, &array), kToolFile);
        file[size] = 0;
        assert_int_equal(parse_exact(file, size + 1, &array), kToolFile);
    }
}

static void test_npy_bad(void** state) {
    (void)state;
    static const char* const headers[] = {
        "",
        "{",
        "{}",
        "()",
        "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'shape': (1,)}",
        "{'fortran_order': False, 'shape': (1,)}",
        "{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': True, 'shape': (1,)}",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<U4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': Falsy, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2147483647, 2147483647, 2147483647)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'extra': 1}",
        "{'descr': '<f4' 'fortran_order': False 'shape': (1,)}",
        "{'descr: '<f4', 'fortran_order': False, 'shape': (1,)}",
        ("{'descr': '<f4', 'fortran_order': False, 'shape': "
         "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}"),
    };
    unsigned char file[HEADER_ROOM];
    ToolArray array;
    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
        assert_int_equal(parse_exact(file, make_npy(file, 1, headers[i], 4), &array), kToolFile);
    }
    const size_t size = make_npy(file, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", 4);
    assert_int_equal(parse_exact(file, size, &array), kToolOk);
    file[6] = 4; // version
    assert_int_equal(parse_exact(file, size, &array), kToolFile);
    file[6] = 2; // the length field is now four bytes, two of them from the text
    assert_int_equal(parse_exact(file, size, &array), kToolFile);
    file[6] = 1;
    file[0] = 'P';
    assert_int_equal(parse_exact(file, size, &array), kToolFile);
}

// Any byte of a good file replaced by any value: parsed or refused, never more.
static void test_npy_mutations(void** state) {
    (void)state;
    unsigned char file[HEADER_ROOM];
    const size_t size =
        make_npy(file, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", 24);
    for (size_t at = 0; at < size - 24; at++) {
        const unsigned char before = file[at];
        for (int value = 0; value < 256; value++) {
            ToolArray array;
            file[at] = (unsigned char)value;
            if (parse_exact(file, size, &array) == kToolOk) assert_int_equal(array.bytes, 24);
        }
        file[at] = before;
    }
}

static void test_npy_round_trip(void** state) {
    (void)state;
    static const TfLiteType types[] = {kTfLiteFloat32, kTfLiteInt32,     kTfLiteUInt8,  kTfLiteInt64,
                                       kTfLiteBool,    kTfLiteInt16,     kTfLiteInt8,   kTfLiteFloat16,
                                       kTfLiteFloat64, kTfLiteComplex64, kTfLiteUInt64, kTfLiteUInt32,
                                       kTfLiteUInt16,  kTfLiteComplex128};
    static const ToolShape shapes[] = {{0, {0}}, {1, {5}}, {3, {2, 0, 3}}, {4, {1, 2, 3, 4}}};
    char path[64];
    temporary_path(path, sizeof(path));
    unsigned char data[24 * 16];
    for (size_t i = 0; i < sizeof(data); i++) data[i] = (unsigned char)(i * 7);
    for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++) {
        for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++) {
            ToolMessage message = {{0}};
            ToolBytes file;
            ToolArray read;
            ToolArray written = {.type = types[t], .shape = shapes[s], .data = data};
            assert_true(tool_shape_count(&written.shape, &written.count));
            written.bytes = written.count * tool_npy_element_size(types[t]);
            assert_int_equal(tool_npy_write(path, &written, &message), kToolOk);
            assert_int_equal(tool_file_read(path, &file, &message), kToolOk);
            assert_int_equal((file.size - written.bytes) % 64, 0);
            assert_int_equal(tool_npy_parse(path, file.data, file.size, &read, &message), kToolOk);
            assert_int_equal(read.type, types[t]);
            assert_int_equal(read.shape.rank, shapes[s].rank);
            assert_memory_equal(read.shape.dims, shapes[s].dims, (size_t)shapes[s].rank * sizeof(int));
            assert_int_equal(read.bytes, written.bytes);
            assert_memory_equal(read.data, data, read.bytes);
            tool_bytes_free(&file);
        }
    }
    unlink(path);
}

static void test_base64(void** state) {
    (void)state;
    static const struct {
        const char* bytes;
        const char* text;
    } rows[] = {{"", ""},
                {"f", "Zg=="},
                {"fo", "Zm8="},
                {"foo", "Zm9v"},
                {"foob", "Zm9vYg=="},
                {"fooba", "Zm9vYmE="},
                {"foobar", "Zm9vYmFy"},
                {"\xff\xfe\xfd", "//79"}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[32] = "";
        char bytes[32];
        size_t size = 99;
        const size_t length = strlen(rows[i].bytes);
        assert_int_equal(tool_base64_length(length), strlen(rows[i].text));
        tool_base64_encode(rows[i].bytes, length, text);
        assert_string_equal(text, rows[i].text);
        assert_true(tool_base64_decode(rows[i].text, strlen(rows[i].text), bytes, &size));
        assert_int_equal(size, length);
        assert_memory_equal(bytes, rows[i].bytes, length);
    }
    static const char* const bad[] = {"Z",    "Zg",   "Zg=",  "Z===",  "====",         "=Zg=", "Zg=a",
                                      "Zh==", "Zm9=", "Zm 9", "Zm\n9", "Zm9vZg==Zg==", "Zm-_", "Zm9v="};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        char bytes[32];
        size_t size = 0;
        assert_false(tool_base64_decode(bad[i], strlen(bad[i]), bytes, &size));
    }
    char bytes[4];
    size_t size = 0;
    assert_false(tool_base64_decode("Zm\0v", 4, bytes, &size));
}

static ToolStatus parse_strings(const char* text, ToolStrings* strings) {
    ToolMessage message = {{0}};
    const size_t size = strlen(text);
    char* copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, text, size + 1);
    const ToolStatus status = tool_strings_parse("test.json", copy, size, strings, &message);
    assert_true((status == kToolOk) == (message.text[0] == '\0'));
    free(copy);
    return status;
}

static void test_strings(void** state) {
    (void)state;
    ToolStrings strings;
    assert_int_equal(parse_strings("[\"w6l0w6k=\", \"\", \"AAA=\"]", &strings), kToolOk);
    assert_int_equal(strings.count, 3);
    assert_false(strings.has_shape);
    assert_int_equal(strings.lengths[0], 5);
    assert_memory_equal(strings.items[0], "\xc3\xa9t\xc3\xa9", 5);
    assert_int_equal(strings.lengths[1], 0);
    assert_int_equal(strings.lengths[2], 2);
    assert_memory_equal(strings.items[2], "\0", 2);

    char path[64];
    temporary_path(path, sizeof(path));
    ToolMessage message = {{0}};
    ToolBytes file;
    ToolStrings again;
    strings.shape = (ToolShape){2, {1, 3}};
    assert_int_equal(tool_strings_write(path, &strings, &message), kToolOk);
    assert_int_equal(tool_file_read(path, &file, &message), kToolOk);
    assert_string_equal(file.data, "{\"shape\":[1,3],\"data\":[\"w6l0w6k=\",\"\",\"AAA=\"]}");
    assert_int_equal(tool_strings_parse(path, file.data, file.size, &again, &message), kToolOk);
    assert_true(again.has_shape);
    assert_int_equal(again.shape.rank, 2);
    assert_int_equal(again.count, 3);
    tool_bytes_free(&file);
    tool_strings_free(&again);
    tool_strings_free(&strings);
    unlink(path);

    assert_int_equal(parse_strings("{\"shape\": [0, 4], \"data\": []}", &strings), kToolOk);
    assert_int_equal(strings.count, 0);
    tool_strings_free(&strings);
    static const char* const bad[] = {
        "",
        "[",
        "{}",
        "7",
        "\"Zg==\"",
        "[7]",
        "[[\"Zg==\"]]",
        "[\"Zg\"]",
        "[\"Zg==\"",
        "{\"data\": {}}",
        "{\"shape\": [2], \"data\": [\"Zg==\"]}",
        "{\"shape\": [1.5], \"data\": [\"Zg==\"]}",
        "{\"shape\": [-1], \"data\": [\"Zg==\"]}",
        "{\"shape\": [1e300], \"data\": [\"Zg==\"]}",
        "{\"shape\": \"1\", \"data\": [\"Zg==\"]}",
        "{\"shape\": [4294967296, 4294967296, 4294967296, 4294967296], \"data\": []}",
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_int_equal(parse_strings(bad[i], &strings), kToolFile);
    }
}

static void test_elements(void** state) {
    (void)state;
    const int8_t nibbles[5] = {-8, 7, -1, 0, 3};
    uint8_t packed[3];
    int8_t unpacked[5];
    assert_int_equal(tool_element_tensor_bytes(kTfLiteInt4, 5), 3);
    tool_element_to_tensor(kTfLiteInt4, 5, nibbles, packed);
    assert_memory_equal(packed, ((const uint8_t[]){0x78, 0x0f, 0x03}), 3);
    tool_element_to_file(kTfLiteInt4, 5, packed, unpacked);
    assert_memory_equal(unpacked, nibbles, 5);

    const int8_t pairs[5] = {-2, 1, 0, -1, 1};
    assert_int_equal(tool_element_tensor_bytes(kTfLiteInt2, 5), 2);
    tool_element_to_tensor(kTfLiteInt2, 5, pairs, packed);
    assert_memory_equal(packed, ((const uint8_t[]){0xc6, 0x01}), 2);
    tool_element_to_file(kTfLiteInt2, 5, packed, unpacked);
    assert_memory_equal(unpacked, pairs, 5);

    const uint8_t unsigned_nibbles[2] = {15, 8};
    tool_element_to_tensor(kTfLiteUInt4, 2, unsigned_nibbles, packed);
    tool_element_to_file(kTfLiteUInt4, 2, packed, unpacked);
    assert_memory_equal(unpacked, unsigned_nibbles, 2);

    // Ties go to even: 1 + 2^-8 down to 1, 1 + 3 * 2^-8 up.
    const float floats[3] = {1.00390625f, 1.01171875f, -2.0f};
    const float rounded[3] = {1.0f, 1.015625f, -2.0f};
    uint8_t halves[6];
    float back[3];
    tool_element_to_tensor(kTfLiteBFloat16, 3, floats, halves);
    tool_element_to_file(kTfLiteBFloat16, 3, halves, back);
    assert_memory_equal(back, rounded, sizeof(back));

    const uint8_t bools[3] = {0, 255, 1};
    tool_element_to_tensor(kTfLiteBool, 3, bools, packed);
    assert_memory_equal(packed, ((const uint8_t[]){0, 1, 1}), 3);
    assert_int_equal(tool_element_file_type(kTfLiteResource), kTfLiteNoType);
    assert_int_equal(tool_element_tensor_bytes(kTfLiteVariant, 3), 0);
}

static void test_messages(void** state) {
    (void)state;
    ToolMessage message = {{0}};
    assert_int_equal(tool_fail(&message, kToolLoad, "first\n%d", 1), kToolLoad);
    tool_fail(&message, kToolUsage, "second");
    tool_fail(&message, kToolUsage, "first\t%d", 1);
    assert_string_equal(message.text, "first 1; second");
    for (int i = 0; i < 1000; i++) tool_fail(&message, kToolFile, "number %d", i);
    assert_true(strlen(message.text) < sizeof(message.text));
}

static void test_files(void** state) {
    (void)state;
    ToolMessage message = {{0}};
    ToolBytes bytes;
    const char* absent = absent_path();
    assert_int_equal(tool_file_read(absent, &bytes, &message), kToolFile);
    assert_non_null(strstr(message.text, absent));
    assert_int_equal(tool_file_read("/tmp", &bytes, &message), kToolFile);
    assert_int_equal(tool_file_write(absent, "a", 1, NULL, 0, &message), kToolFile);
    assert_int_equal(tool_folder_make(absent, &message), kToolFile);
    assert_int_equal(tool_folder_make("/dev/null", &message), kToolFile);
    assert_int_equal(tool_folder_make("/tmp", &message), kToolOk);
    char path[64];
    temporary_path(path, sizeof(path));
    enum { SIZE = 200000 };
    char* large = calloc(1, SIZE);
    assert_non_null(large);
    assert_int_equal(tool_file_write(path, "head", 4, large, SIZE, &message), kToolOk);
    assert_int_equal(tool_file_read(path, &bytes, &message), kToolOk);
    assert_int_equal(bytes.size, SIZE + 4);
    assert_int_equal(bytes.data[bytes.size], '\0');
    tool_bytes_free(&bytes);
    free(large);
    unlink(path);
}

// A file is replaced by a whole one, or stays as it was; nothing else is left in its folder.
static void test_outputs(void** state) {
    (void)state;
    char folder[] = "/tmp/oclite-test-XXXXXX";
    char path[64];
    ToolMessage message = {{0}};
    ToolOutput output;
    ToolBytes bytes;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/file", folder);
    for (int keep = 1; keep >= 0; keep--) {
        assert_int_equal(tool_output_open(path, &output, &message), kToolOk);
        fprintf(output.stream, keep ? "first" : "second");
        const ToolStatus status = keep ? kToolOk : kToolUsage;
        assert_int_equal(tool_output_close(&output, status, &message), status);
        assert_null(output.stream);
        assert_int_equal(tool_file_read(path, &bytes, &message), kToolOk);
        assert_string_equal(bytes.data, "first");
        tool_bytes_free(&bytes);
    }
    assert_int_equal(tool_output_close(&output, kToolLoad, &message), kToolLoad);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0); // is empty
    assert_int_equal(tool_output_open(absent_path(), &output, &message), kToolFile);
    assert_int_equal(tool_output_open("/tmp", &output, &message), kToolFile);
    // Devices are written as they are.
    assert_int_equal(tool_file_write("/dev/null", "a", 1, NULL, 0, &message), kToolOk);
    assert_int_equal(tool_file_write("/dev/full", "a", 1, NULL, 0, &message), kToolFile);
    assert_non_null(strstr(message.text, "/dev/full: No space left"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_npy_good),      cmocka_unit_test(test_npy_bad),
        cmocka_unit_test(test_npy_mutations), cmocka_unit_test(test_npy_round_trip),
        cmocka_unit_test(test_base64),        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_elements),      cmocka_unit_test(test_messages),
        cmocka_unit_test(test_files),         cmocka_unit_test(test_outputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
