// SPDX-License-Identifier: Apache-2.0
// Files that are no models at all, or larger than they look, and what the loader says about them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/model/model.h"
#include "core/model/open.h"
#include "core/model/schema.h"
#include "tests/support/broken_model.h"

// Tables and vectors may be shared: the file stays small, the model would not
// ------------------------------------

static void shared_tables_do_not_blow_up(void** state) {
    (void)state;
    ModelBuilder* b = broken_model();
    LiteTreeTable* subgraph = builder_subgraph_table(b);
    for (int i = 0; i < 1000; i++)
        lite_tree_append_table(subgraph, kSubGraphTensors, builder_tensor_table(b, 0));
    for (int i = 0; i < 900; i++) lite_tree_append_table(builder_model(b), kModelSubgraphs, subgraph);
    size_t size;
    uint8_t* bytes = builder_finish(b, &size);
    assert_true(size < 20000);
    broken_expect(bytes, size, "the model is out of proportion with its file");
    free(bytes);
}

static void a_million_tables_are_too_many(void** state) {
    (void)state;
    ModelBuilder* b = broken_model();
    LiteTreeTable* subgraph = builder_subgraph_table(b);
    for (int i = 0; i < 1100; i++)
        lite_tree_append_table(subgraph, kSubGraphTensors, builder_tensor_table(b, 0));
    for (int i = 0; i < 1100; i++) lite_tree_append_table(builder_model(b), kModelSubgraphs, subgraph);
    size_t size;
    uint8_t* bytes = builder_finish(b, &size);
    broken_expect(bytes, size, "more than a million tables");
    free(bytes);
}

static void shared_vectors_do_not_blow_up(void** state) {
    (void)state;
    enum { kChannels = 20000 };
    static float scales[kChannels];
    static int64_t zero_points[kChannels];
    ModelBuilder* b = builder_create();
    const BuilderTensor t = {.type = kTfLiteInt8,
                             .rank = 1,
                             .dims = {kChannels},
                             .scale_count = kChannels,
                             .scales = scales,
                             .zero_points = zero_points};
    const int first = builder_tensor(b, t);
    for (int i = 0; i < 500; i++) {
        lite_tree_append_table(builder_subgraph_table(b), kSubGraphTensors, builder_tensor_table(b, first));
    }
    size_t size;
    uint8_t* bytes = builder_finish(b, &size);
    broken_expect(bytes, size, "the model is out of proportion with its file");
    free(bytes);
}

// The format itself
// ------------------------------------------------------------------------------------------------

static void files_that_are_no_flatbuffer_are_refused(void** state) {
    (void)state;
    size_t size;
    uint8_t* bytes = builder_finish(broken_model(), &size);
    broken_expect(NULL, 0, "0 bytes are too few");
    broken_expect("TFL3", 4, "4 bytes are too few");
    broken_expect("\0\0\0\0TFL4\0\0\0\0", 12, "The model is not a valid Flatbuffer buffer");
    broken_expect("\0\0\0\0TFL3\0\0\0\0", 12, "Model at offset 0 of 12: the offset leads outside");
    broken_expect("\x0c\0\0\0TFL3\0\0\0\0", 12, "Model at offset 0 of 12: the offset leads outside");
    broken_expect("\x06\0\0\0TFL3\0\0\0\0", 12, "Model at offset 6 of 12: the table is misaligned");
    broken_expect("\x08\0\0\0TFL3\x7f\0\0\0", 12, "Model at offset 8 of 12: the vtable lies outside");
    broken_expect("\x08\0\0\0TFL3\x04\0\0\0", 12,
                  "Model at offset 4 of 12: the vtable's size is odd or leads outside");
    for (size_t cut = 0; cut < size; cut++) {
        uint8_t* part = malloc(cut > 0 ? cut : 1); // so that sanitizers see a read past the end
        assert_non_null(part);
        memcpy(part, bytes, cut);
        LiteModel* model = lite_model_create(part, cut, NULL);
        if (cut < size - 16) assert_null(model);
        lite_model_release(model);
        free(part);
    }
    free(bytes);
}

// A byte of a name's length or of its NUL changes: the path of the field is in the message.
static void messages_name_the_field(void** state) {
    (void)state;
    size_t size;
    uint8_t* bytes = builder_finish(broken_model(), &size);
    size_t at = 0;
    while (at + 6 < size && memcmp(bytes + at, "\1\0\0\0w", 6) != 0) at++;
    assert_true(at + 6 < size);
    bytes[at + 5] = 'x';
    broken_expect(bytes, size, "Model.subgraphs[0].tensors[1].name at offset");
    bytes[at + 5] = 0;
    bytes[at + 3] = 0x7f;
    broken_expect(bytes, size, "the vector ends outside");
    free(bytes);
}

// Tensor 0 is x, 2 is y, which operator 0 writes.
static void tensors_have_one_writer(void** state) {
    (void)state;
    static const struct {
        BuilderInts inputs, outputs;
        const char* expected;
    } cases[] = {
        {{1, {0}}, {1, {2}}, "operator 1 (Copy): tensor 2 is already an output of operator 0"},
        {{1, {0}}, {1, {0}}, "operator 1 (Copy): tensor 0 is an input and an output of it"},
        {{1, {2}}, {2, {0, 0}}, "operator 1 (Copy): tensor 0 is already an output of operator 1"},
        {{1, {2}}, {1, {0}}, NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        ModelBuilder* b = broken_model();
        builder_operator(
            b,
            (BuilderOperator){.custom_name = "Copy", .inputs = cases[i].inputs, .outputs = cases[i].outputs});
        size_t size;
        uint8_t* bytes = builder_finish(b, &size);
        broken_expect(bytes, size, cases[i].expected);
        free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_tables_do_not_blow_up),
        cmocka_unit_test(a_million_tables_are_too_many),
        cmocka_unit_test(shared_vectors_do_not_blow_up),
        cmocka_unit_test(files_that_are_no_flatbuffer_are_refused),
        cmocka_unit_test(messages_name_the_field),
        cmocka_unit_test(tensors_have_one_writer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
