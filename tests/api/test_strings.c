// SPDX-License-Identifier: Apache-2.0
// String tensors: written by the program and read by operators, and the other way round.
#include <stdlib.h>
#include <string.h>

#include "tests/api/cmocka_setup.h"
#include "tests/api/program.h"

static TfLiteOpaqueTensor* opaque(const TfLiteTensor* tensor) {
    return (TfLiteOpaqueTensor*)(void*)tensor;
}

// Reverse: each string backwards.
static TfLiteStatus string_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    TF_LITE_OPAQUE_ENSURE_EQ(context, (int)TfLiteOpaqueTensorType(TfLiteOpaqueNodeGetInput(context, node, 0)),
                             (int)kTfLiteString);
    return kTfLiteOk; // strings are sized when they are written
}

static TfLiteStatus reverse_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    enum { kMost = 8, kRoom = 32 };
    static char texts[kMost][kRoom];
    const char* pointers[kMost];
    int lengths[kMost];
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    const int count = TfLiteOpaqueTensorGetStringCount(input);
    TF_LITE_OPAQUE_ENSURE(context, count >= 0 && count <= kMost);
    for (int i = 0; i < count; i++) {
        const char* text;
        TF_LITE_OPAQUE_ENSURE_STATUS(TfLiteOpaqueTensorGetString(input, i, &text, &lengths[i]));
        TF_LITE_OPAQUE_ENSURE(context, lengths[i] <= kRoom);
        for (int at = 0; at < lengths[i]; at++) texts[i][at] = text[lengths[i] - 1 - at];
        pointers[i] = texts[i];
    }
    return TfLiteOpaqueTensorWriteStrings(TfLiteOpaqueNodeGetOutput(context, node, 0), pointers, count,
                                          lengths);
}

static void open_reverse(Program* p) {
    ModelBuilder* b = builder_create();
    const int x = typed_tensor(b, kTfLiteString, 1), y = typed_tensor(b, kTfLiteString, 1),
              z = typed_tensor(b, kTfLiteString, 1);
    add_custom(b, "Reverse", INTS(x), INTS(y));
    add_custom(b, "Reverse", INTS(y), INTS(z));
    set_io(b, INTS(x), INTS(y, z));
    program_open(p, b, options_with(make_operator("Reverse", string_prepare, reverse_invoke)));
}

static void expect_text(const Program* p, int output, int index, const char* expected) {
    const TfLiteTensor* tensor = TfLiteInterpreterGetOutputTensor(p->interpreter, output);
    const char* text;
    int length;
    assert_int_equal(TfLiteOpaqueTensorGetString(opaque(tensor), index, &text, &length), kTfLiteOk);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(text, expected, (size_t)length);
}

static void strings_go_in_and_out(void** state) {
    (void)state;
    Program p;
    open_reverse(&p);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    TfLiteTensor* input = TfLiteInterpreterGetInputTensor(p.interpreter, 0);
    const char* const words[] = {"abc", "", "a longer one"};
    const int lengths[] = {3, 0, 12};
    for (int count = 3; count > 0; count--) { // fewer and fewer, without allocating in between
        assert_int_equal(TfLiteOpaqueTensorWriteStrings(opaque(input), words, count, lengths), kTfLiteOk);
        assert_int_equal(TfLiteTensorDim(input, 0), count);
        assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
        expect_text(&p, 0, 0, "cba");
        if (count > 1) expect_text(&p, 0, 1, "");
        expect_text(&p, 1, count - 1, words[count - 1]);
        assert_int_equal(
            TfLiteOpaqueTensorGetStringCount(opaque(TfLiteInterpreterGetOutputTensor(p.interpreter, 1))),
            count);
    }
    assert_int_equal(TfLiteOpaqueTensorWriteString(opaque(input), "x", 1), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk); // contents stay
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    expect_text(&p, 1, 0, "x");
    assert_int_equal(TfLiteOpaqueTensorWriteStrings(opaque(input), NULL, 0, NULL), kTfLiteOk); // none
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    assert_int_equal(
        TfLiteOpaqueTensorGetStringCount(opaque(TfLiteInterpreterGetOutputTensor(p.interpreter, 0))), 0);
    program_close(&p);
}

static void an_input_that_was_not_written_has_no_strings(void** state) {
    (void)state;
    Program p;
    open_reverse(&p);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    assert_int_equal(
        TfLiteOpaqueTensorGetStringCount(opaque(TfLiteInterpreterGetInputTensor(p.interpreter, 0))), 0);
    assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), kTfLiteOk);
    assert_int_equal(
        TfLiteOpaqueTensorGetStringCount(opaque(TfLiteInterpreterGetOutputTensor(p.interpreter, 0))), 0);
    program_close(&p);
}

// Programs also write the serialized form: the count, offsets, then the characters.
static void serialized_strings_are_checked(void** state) {
    (void)state;
    static const struct {
        int32_t words[4];
        bool good;
    } cases[] = {
        {{1, 12, 14, 0}, true},        {{1, 12, 17, 0}, false}, // past the end
        {{1, 14, 12, 0}, false},                                // backwards
        {{1, -4, 12, 0}, false},                                // before the start
        {{9, 12, 14, 0}, false},                                // more than there are offsets for
        {{INT32_MAX, 0, 0, 0}, false}, {{-1, 12, 14, 0}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Program p;
        open_reverse(&p);
        assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
        TfLiteTensor* input = TfLiteInterpreterGetInputTensor(p.interpreter, 0);
        assert_int_equal(TfLiteTensorRealloc(16, input), kTfLiteOk);
        assert_int_equal(TfLiteTensorCopyFromBuffer(input, cases[i].words, 16), kTfLiteOk);
        assert_int_equal(TfLiteInterpreterInvoke(p.interpreter), cases[i].good ? kTfLiteOk : kTfLiteError);
        program_close(&p);
    }
}

static void what_cannot_be_written(void** state) {
    (void)state;
    Program p;
    ModelBuilder* b = builder_create();
    static const struct {
        int32_t count, offsets[2];
        char text[4];
    } constant = {1, {12, 16}, "text"};
    const int x = typed_tensor(b, kTfLiteFloat32, 1);
    const int c = builder_tensor(
        b, (BuilderTensor){
               .type = kTfLiteString, .rank = 1, .dims = {1}, .data = &constant, .bytes = sizeof constant});
    const int text = typed_tensor(b, kTfLiteString, 1);
    set_io(b, INTS(x, text), INTS(x, c));
    program_open(&p, b, NULL);
    assert_int_equal(TfLiteInterpreterAllocateTensors(p.interpreter), kTfLiteOk);
    TfLiteOpaqueTensor* number = opaque(TfLiteInterpreterGetTensor(p.interpreter, x));
    TfLiteOpaqueTensor* fixed = opaque(TfLiteInterpreterGetTensor(p.interpreter, c));
    TfLiteOpaqueTensor* good = opaque(TfLiteInterpreterGetTensor(p.interpreter, text));
    expect_text(&p, 1, 0, "text");
    const char* const none[] = {NULL};
    const int one[] = {1}, negative[] = {-1};
    assert_int_equal(TfLiteOpaqueTensorWriteString(number, "a", 1), kTfLiteError);
    assert_int_equal(TfLiteOpaqueTensorWriteString(fixed, "a", 1), kTfLiteError);
    assert_int_equal(TfLiteOpaqueTensorGetStringCount(number), -1);
    assert_int_equal(TfLiteOpaqueTensorWriteStrings(good, none, 1, one), kTfLiteError);
    assert_int_equal(TfLiteOpaqueTensorWriteString(good, "a", -1), kTfLiteError);
    assert_int_equal(TfLiteOpaqueTensorWriteStrings(good, none, 1, negative), kTfLiteError);
    assert_int_equal(TfLiteOpaqueTensorWriteStrings(good, none, -1, one), kTfLiteError);
    assert_int_equal(TfLiteOpaqueTensorWriteStrings(good, NULL, 1, one), kTfLiteError);
    assert_int_equal(TfLiteOpaqueTensorWriteString(good, "fine", 4), kTfLiteOk);
    // From itself: the old text is there until the new one is.
    const char* text_of_itself;
    int length;
    assert_int_equal(TfLiteOpaqueTensorGetString(good, 0, &text_of_itself, &length), kTfLiteOk);
    assert_int_equal(TfLiteOpaqueTensorWriteString(good, text_of_itself + 1, length - 1), kTfLiteOk);
    assert_int_equal(TfLiteOpaqueTensorGetString(good, 0, &text_of_itself, &length), kTfLiteOk);
    assert_int_equal(length, 3);
    assert_memory_equal(text_of_itself, "ine", 3);
    program_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_go_in_and_out),
        cmocka_unit_test(an_input_that_was_not_written_has_no_strings),
        cmocka_unit_test(serialized_strings_are_checked),
        cmocka_unit_test(what_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
