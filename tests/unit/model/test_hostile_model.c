// SPDX-License-Identifier: Apache-2.0
// Files whose contents lie elsewhere than they say, share what others have, or hold odd text and numbers;
// each field at its limits. (Faults of single fields: test_model_broken.c.)
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/model/model.h"
#include "core/model/open.h"
#include "core/model/schema.h"
#include "tests/support/model_builder.h"

static char message[512];

static void record(void* user_data, const char* format, va_list args) {
    (void)user_data;
    vsnprintf(message, sizeof(message), format, args);
}

// The model; `bytes` has to be released after it. Checks that there is a message when there is no model.
static LiteModel* load(ModelBuilder* b, uint8_t** bytes) {
    size_t size;
    const LiteReporter reporter = {record, NULL};
    message[0] = 0;
    *bytes = builder_finish(b, &size);
    LiteModel* model = lite_model_create(*bytes, size, &reporter);
    assert_int_equal(model == NULL, message[0] != 0);
    return model;
}

// `expected` NULL: it loads.
static void expect(ModelBuilder* b, const char* expected) {
    uint8_t* bytes;
    LiteModel* model = load(b, &bytes);
    if (expected == NULL) assert_string_equal(message, "");
    if (expected != NULL && strstr(message, expected) == NULL) assert_string_equal(message, expected);
    lite_model_release(model);
    free(bytes);
}

static const float weights[] = {1, 2, 3, 4};

// Tensors x and w (constant, buffer 1), both [2, 2], and a custom operator from one to the other's place.
static ModelBuilder* small_model(void) {
    ModelBuilder* b = builder_create();
    builder_tensor(b, (BuilderTensor){.name = "x", .type = kTfLiteFloat32, .rank = 2, .dims = {2, 2}});
    builder_tensor(b, (BuilderTensor){.name = "w",
                                      .type = kTfLiteFloat32,
                                      .rank = 2,
                                      .dims = {2, 2},
                                      .data = weights,
                                      .bytes = sizeof(weights)});
    builder_operator(b, (BuilderOperator){.custom_name = "Op", .inputs = {1, {1}}, .outputs = {1, {0}}});
    return b;
}

typedef struct Range {
    uint64_t offset;
    uint64_t size;
    const char* message;
} Range;

static const Range ranges[] = {
    {16, 16, NULL},
    {0, 1 << 30, NULL}, // an offset of 0 or 1 is none: the buffer is empty
    {1, UINT64_MAX, NULL},
    {2, 0, NULL},
    {1 << 20, 16, "16 bytes at offset 1048576 lie outside the file of"},
    {UINT64_MAX, 16, "16 bytes at offset 18446744073709551615 lie outside"},
    {UINT64_MAX - 15, UINT64_MAX, "18446744073709551615 bytes at offset 18446744073709551600 lie outside"},
    {16, UINT64_MAX - 15, "18446744073709551600 bytes at offset 16 lie outside"},
    {16, UINT64_C(1) << 63, "lie outside"},
    {16, 15, "needs 16 bytes, but its buffer 1 holds 15"},
};

static void buffers_lie_in_the_file(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
        ModelBuilder* b = small_model();
        LiteTreeTable* buffer = lite_tree_at(builder_model(b), kModelBuffers, 1);
        lite_tree_remove(buffer, kBufferData);
        lite_tree_scalar(buffer, kBufferOffset, 8, ranges[i].offset);
        lite_tree_scalar(buffer, kBufferSize, 8, ranges[i].size);
        expect(b, ranges[i].message);
    }
}

static void custom_options_lie_in_the_file(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges) - 1;
         i++) { // the last one is about a tensor's need
        ModelBuilder* b = small_model();
        LiteTreeTable* op = builder_operator_table(b, 0);
        lite_tree_scalar(op, kOperatorLargeCustomOptionsOffset, 8, ranges[i].offset);
        lite_tree_scalar(op, kOperatorLargeCustomOptionsSize, 8, ranges[i].size);
        expect(b, ranges[i].message);
    }
}

// Metadata may be any bytes of the file, none at all too.
static void metadata_lies_in_the_file(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges) - 1; i++) {
        ModelBuilder* b = small_model();
        builder_metadata(b, "note", "abc", 3);
        LiteTreeTable* buffer = lite_tree_at(builder_model(b), kModelBuffers,
                                             lite_tree_count(builder_model(b), kModelBuffers) - 1);
        lite_tree_remove(buffer, kBufferData);
        lite_tree_scalar(buffer, kBufferOffset, 8, ranges[i].offset);
        lite_tree_scalar(buffer, kBufferSize, 8, ranges[i].size);
        expect(b, ranges[i].message);
    }
}

static void buffers_may_be_shared(void** state) {
    (void)state;
    static const struct {
        TfLiteType type;
        int length;
        const char* message;
    } sharers[] = {
        {kTfLiteFloat32, 4, NULL},
        {kTfLiteInt8, 16, NULL},
        {kTfLiteInt4, 32, NULL},
        {kTfLiteInt64, 2, NULL},
        {kTfLiteFloat32, 5, "tensor 2 (t2): needs 20 bytes, but its buffer 1 holds 16"},
        {kTfLiteInt4, 33, "needs 17 bytes"},
        {kTfLiteInt2, 65, "needs 17 bytes"},
        {kTfLiteComplex128, INT32_MAX, "needs 34359738352 bytes"},
        {kTfLiteString, 1, "strings do not fit into 16 bytes"},
    };
    for (size_t i = 0; i < sizeof(sharers) / sizeof(*sharers); i++) {
        ModelBuilder* b = small_model();
        const int tensor = builder_tensor(
            b, (BuilderTensor){.type = sharers[i].type, .rank = 1, .dims = {sharers[i].length}});
        lite_tree_scalar(builder_tensor_table(b, tensor), kTensorBuffer, 4, 1);
        expect(b, sharers[i].message);
    }
}

static void text_is_passed_on_as_it_is(void** state) {
    (void)state;
    static const char* const texts[] = {"", "\xff\xfe\x80", "%s%n%1000000d", "a\nb\x1b[31m",
                                        "\xf0\x9f\x98\x80"};
    static char longest[5000];
    memset(longest, 'n', sizeof(longest) - 1);
    for (size_t i = 0; i <= sizeof(texts) / sizeof(*texts); i++) {
        const char* text = i < sizeof(texts) / sizeof(*texts) ? texts[i] : longest;
        for (int broken = 0; broken < 2; broken++) {
            ModelBuilder* b = small_model();
            builder_signature(b, text, 0, (BuilderNames){1, {{text, 0}}},
                              (BuilderNames){1, {{text, broken * 99}}});
            lite_tree_string(builder_tensor_table(b, 0), kTensorName, text);
            lite_tree_string(builder_subgraph_table(b), kSubGraphName, text);
            lite_tree_string(lite_tree_at(builder_model(b), kModelOperatorCodes, 0), kOperatorCodeCustomCode,
                             text);
            uint8_t* bytes;
            LiteModel* model = load(b, &bytes);
            assert_int_equal(model == NULL, broken);
            if (model != NULL) {
                assert_string_equal(lite_model_subgraph(model, 0)->tensors[0].name, text);
                assert_string_equal(lite_model_signature(model, 0)->inputs[0].name, text);
            } else {
                assert_non_null(strstr(message, "is tensor 99, but there are 2 tensors"));
            }
            lite_model_release(model);
            free(bytes);
        }
    }
}

static void scales_are_numbers(void** state) {
    (void)state;
    static const struct {
        float scale;
        const char* message;
    } scales[] = {
        {1e-30f, NULL},
        {3e38f, NULL},
        {0, NULL}, // operators that divide by it refuse 0
        {NAN, "scale[0] is nan"},
        {-INFINITY, "scale[0] is -inf"},
        {INFINITY, "scale[0] is inf"},
        {-1e-30f, "scale[0] is -1e-30"},
    };
    for (size_t i = 0; i < sizeof(scales) / sizeof(*scales); i++) {
        ModelBuilder* b = small_model();
        builder_tensor(
            b,
            (BuilderTensor){
                .type = kTfLiteInt8, .rank = 1, .dims = {1}, .scale_count = 1, .scales = &scales[i].scale});
        expect(b, scales[i].message);
    }
}

static void graphs_may_be_empty(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    lite_tree_tables(builder_subgraph_table(b), kSubGraphTensors);
    expect(b, NULL);
    b = builder_create();
    lite_tree_remove(builder_subgraph_table(b), kSubGraphTensors);
    expect(b, "Did not get tensors in subgraph 0");
    b = builder_create();
    lite_tree_tables(builder_model(b), kModelSubgraphs);
    expect(b, "No subgraph in the model");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_lie_in_the_file),    cmocka_unit_test(custom_options_lie_in_the_file),
        cmocka_unit_test(metadata_lies_in_the_file),  cmocka_unit_test(buffers_may_be_shared),
        cmocka_unit_test(text_is_passed_on_as_it_is), cmocka_unit_test(scales_are_numbers),
        cmocka_unit_test(graphs_may_be_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
