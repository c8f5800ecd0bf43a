// SPDX-License-Identifier: Apache-2.0
// What models say about themselves: test_metadata MODELS, with the project's own models in the folder MODELS.
// Whole, changed at random, out of memory. (Damaged archives one by one: tests/tools/test_info.py.)
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "oclite/metadata.h"
#include "oclite/oclite.h"
#include "tests/support/random_numbers.h"

enum { MUTATIONS = 2000, MAX_FILE = 1 << 20 };

static const char* folder;
static const char* const names[] = {"requests.tflite", "shapes_detect.tflite", "shapes_label.tflite",
                                    "sounds.tflite"};
static char message[512];

static void record(void* user_data, const char* format, va_list args) {
    (void)user_data;
    vsnprintf(message, sizeof message, format, args);
}

static uint8_t* read_file(const char* name, size_t* size) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    uint8_t* bytes = malloc(MAX_FILE);
    assert_non_null(bytes);
    *size = fread(bytes, 1, MAX_FILE, file);
    fclose(file);
    return bytes;
}

// ---- Reads all that there is, so that a sanitizer sees it ----

static size_t touched;

static void touch(const char* text) {
    assert_non_null(text);
    touched += strlen(text);
}

static void touch_files(const OcliteMetadataFile* files, int count) {
    for (int i = 0; i < count; i++) {
        touch(files[i].name), touch(files[i].description), touch(files[i].type), touch(files[i].locale);
        touch(files[i].absent);
        if (files[i].data == NULL) assert_true(files[i].absent[0] && files[i].size == 0);
        for (size_t b = 0; b < files[i].size; b++) touched += ((const uint8_t*)files[i].data)[b];
    }
}

static void touch_floats(const OcliteMetadataFloats* floats) {
    for (int i = 0; i < floats->count; i++) touched += floats->values[i] > 0;
}

static void touch_tensors(const OcliteMetadataTensor* tensors, int count) {
    for (int i = 0; i < count; i++) {
        const OcliteMetadataTensor* t = &tensors[i];
        touch(t->name), touch(t->description), touch(t->content), touch(t->color_space), touch(t->box_type);
        touch(t->coordinate_type), touch(t->tokenizer.kind), touch(t->tokenizer.delimiters);
        touch_floats(&t->mean), touch_floats(&t->std), touch_floats(&t->min), touch_floats(&t->max);
        touch_files(t->tokenizer.files, t->tokenizer.file_count);
        touch_files(t->files, t->file_count);
    }
}

static void touch_all(const OcliteMetadata* m) {
    touch(m->name), touch(m->description), touch(m->version), touch(m->author), touch(m->license);
    touch(m->min_parser_version);
    touch_files(m->files, m->file_count);
    touch_files(m->packed, m->packed_count);
    for (int i = 0; i < m->subgraph_count; i++) {
        touch(m->subgraphs[i].name), touch(m->subgraphs[i].description);
        touch(m->subgraphs[i].tokenizer.kind), touch(m->subgraphs[i].tokenizer.delimiters);
        touch_tensors(m->subgraphs[i].inputs, m->subgraphs[i].input_count);
        touch_tensors(m->subgraphs[i].outputs, m->subgraphs[i].output_count);
        touch_files(m->subgraphs[i].files, m->subgraphs[i].file_count);
    }
}

// ---- Tests ----

static void test_whole(void** state) {
    (void)state;
    size_t size;
    uint8_t* bytes = read_file("requests.tflite", &size);
    TfLiteModel* model = TfLiteModelCreate(bytes, size);
    OcliteMetadata* m = oclite_metadata_create(model, record, NULL);
    TfLiteModelDelete(model); // the metadata keep it
    assert_non_null(m);
    assert_string_equal(m->name, "Requests");
    assert_string_equal(m->license, "Apache-2.0");
    assert_int_equal(m->subgraph_count, 1);
    assert_int_equal(m->packed_count, 2);
    const OcliteMetadataTokenizer* tokenizer = &m->subgraphs[0].inputs[0].tokenizer;
    assert_string_equal(tokenizer->kind, "regex");
    assert_string_equal(tokenizer->delimiters, "[^a-z0-9']+");
    assert_memory_equal(tokenizer->files[0].data, "<PAD> 0\n", 8);
    const OcliteMetadataFile* labels = &m->subgraphs[0].outputs[0].files[0];
    assert_int_equal(labels->size, strlen("weather\nmusic\ntimer\nlights\n"));
    assert_memory_equal(labels->data, "weather\nmusic\ntimer\nlights\n", labels->size);
    oclite_metadata_delete(m);
    free(bytes);
}

static void test_none(void** state) {
    (void)state;
    size_t size;
    uint8_t* bytes = read_file("atan.tflite", &size);
    TfLiteModel* model = TfLiteModelCreate(bytes, size);
    OcliteMetadata* m = oclite_metadata_create(model, record, NULL);
    assert_non_null(m);
    touch_all(m);
    assert_int_equal(m->subgraph_count + m->packed_count + m->file_count, 0);
    oclite_metadata_delete(m);
    TfLiteModelDelete(model);
    free(bytes);
    assert_null(oclite_metadata_create(NULL, record, NULL));
    assert_string_equal(message, "metadata: no model");
    oclite_metadata_delete(NULL);
}

// Where the description lies in a model's bytes, and the archive behind the model begins.
static void find_parts(const uint8_t* bytes, size_t size, size_t begin[2], size_t length[2]) {
    const char* name;
    const void* data;
    TfLiteModel* model = TfLiteModelCreate(bytes, size);
    assert_non_null(model);
    OcliteMetadata* m = oclite_metadata_create(model, record, NULL);
    assert_non_null(m);
    for (int i = 0; oclite_model_metadata(model, i, &name, &data, &length[0]) == kTfLiteOk; i++) {
        begin[0] = (size_t)((const uint8_t*)data - bytes);
        if (strcmp(name, "TFLITE_METADATA") == 0) break;
    }
    enum { LOCAL_HEADER = 30 };
    begin[1] = (size_t)((const uint8_t*)m->packed[0].data - bytes) - LOCAL_HEADER - strlen(m->packed[0].name);
    length[1] = size - begin[1];
    oclite_metadata_delete(m);
    TfLiteModelDelete(model);
}

// Changes some bytes of one of the two parts.
static void mutate(uint8_t* bytes, const size_t begin[2], const size_t length[2]) {
    static const uint8_t odd[] = {0, 1, 2, 4, 0x7f, 0x80, 0xfe, 0xff};
    const int part = random_below(2);
    const int changes = random_int(1, 3);
    for (int i = 0; i < changes; i++) {
        bytes[begin[part] + (size_t)random_below((int)length[part])] = odd[random_below(sizeof odd)];
    }
}

static void test_changed(void** state) {
    (void)state;
    int read = 0, refused = 0;
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        size_t size, begin[2], length[2];
        uint8_t* bytes = read_file(names[n], &size);
        uint8_t* changed = malloc(size);
        assert_non_null(changed);
        find_parts(bytes, size, begin, length);
        for (int i = 0; i < MUTATIONS; i++) {
            memcpy(changed, bytes, size);
            mutate(changed, begin, length);
            TfLiteModel* model = TfLiteModelCreate(changed, size);
            assert_non_null(model); // its own tables are whole
            message[0] = '\0';
            OcliteMetadata* m = oclite_metadata_create(model, record, NULL);
            assert_int_equal(m == NULL, message[0] != '\0');
            if (m != NULL) touch_all(m);
            read += m != NULL;
            refused += m == NULL;
            oclite_metadata_delete(m);
            TfLiteModelDelete(model);
        }
        free(changed);
        free(bytes);
    }
    assert_true(read > MUTATIONS && refused > MUTATIONS / 10);
}

// A file that is cut off anywhere behind the model's tables has no archive, and says what of the model it
// has.
static void test_cut_off(void** state) {
    (void)state;
    size_t size, begin[2], length[2];
    uint8_t* bytes = read_file("requests.tflite", &size);
    find_parts(bytes, size, begin, length);
    for (size_t cut = begin[1]; cut < size; cut++) {
        TfLiteModel* model = TfLiteModelCreate(bytes, cut);
        OcliteMetadata* m = oclite_metadata_create(model, record, NULL);
        assert_non_null(m);
        assert_int_equal(m->packed_count, 0);
        assert_string_equal(m->subgraphs[0].outputs[0].files[0].absent, "is not packed into the model");
        oclite_metadata_delete(m);
        TfLiteModelDelete(model);
    }
    free(bytes);
}

static void test_out_of_memory(void** state) {
    (void)state;
    size_t size;
    uint8_t* bytes = read_file("requests.tflite", &size);
    TfLiteModel* model = TfLiteModelCreate(bytes, size);
    OcliteMetadata* m = NULL;
    int failures = 0;
    for (; m == NULL; failures++) {
        message[0] = '\0';
        lite_memory_fail_once(failures);
        m = oclite_metadata_create(model, record, NULL);
        lite_memory_fail_once(-1);
        if (m == NULL) assert_string_equal(message, "out of memory");
    }
    assert_true(failures > 2);
    touch_all(m);
    oclite_metadata_delete(m);
    TfLiteModelDelete(model);
    free(bytes);
}

int main(int argc, char** argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),   cmocka_unit_test(test_none),          cmocka_unit_test(test_changed),
        cmocka_unit_test(test_cut_off), cmocka_unit_test(test_out_of_memory),
    };
    if (argc < 2) return 2;
    folder = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
