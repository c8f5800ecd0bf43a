// SPDX-License-Identifier: Apache-2.0
// The operators of TensorFlow Text, in models of one node: results by their definition, and inputs and
// options that make no sense.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "oclite/tftext.h"
#include "tests/support/node_case.h"

#define TOKENIZER_NAME "tftext:WhitespaceTokenizer"
#define TOKENIZER .custom_name = TOKENIZER_NAME, .options = {{0}}
#define ROW STRINGS(DIMS(1), "x")

static const NodeCase tokens_cases[] = {
    {TOKENIZER, {STRINGS(DIMS(1), "this is a test")}, {STRINGS(DIMS(1, 4), "this", "is", "a", "test")}},
    {TOKENIZER,
     {STRINGS(DIMS(3), "a b c", "", " d\t\ne  ")},
     {STRINGS(DIMS(3, 3), "a", "b", "c", "", "", "", "d", "e", "")}},
    {TOKENIZER,
     {STRINGS(DIMS(2, 2), "a", "b c", "", "d")},
     {STRINGS(DIMS(2, 2, 2), "a", "", "b", "c", "", "", "d", "")}},
    {TOKENIZER, {STRINGS(DIMS(2), " ", "")}, {STRINGS(DIMS(2, 0), "")}},
    {TOKENIZER, {STRINGS(DIMS(0), "")}, {STRINGS(DIMS(0, 0), "")}},
    {TOKENIZER, {STRINGS(SCALAR, "two words")}, {STRINGS(DIMS(2), "two", "words")}},
    {TOKENIZER,
     {STRINGS(DIMS(3), "this is a test", " ", "three token sentence")},
     {STRINGS(DIMS(7), "this", "is", "a", "test", "three", "token", "sentence"), SPLITS(0, 4, 4, 7)}},
    {TOKENIZER,
     {STRINGS(DIMS(3, 2), "a b", "c", "", "d e f", "g", "h")},
     {STRINGS(DIMS(8), "a", "b", "c", "d", "e", "f", "g", "h"), SPLITS(0, 2, 4, 6),
      SPLITS(0, 2, 3, 3, 6, 7, 8)}},
};

static void tokens(void** state) {
    (void)state;
    NODE_CHECK(tokens_cases, oclite_tftext_add_operators);
}

#define OFFSETS .custom_name = "TFText>WhitespaceTokenizeWithOffsetsV2", .options = {{0}}
// White space are 0, \t, U+0010, U+0018, the space, of the next 120 characters each eighth, and U+00A0.
#define CONFIG_BYTES "\x01\x02\x01\x01\x01\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"
#define CONFIG STRINGS(SCALAR, CONFIG_BYTES)
#define INTS(n, ...) NUMBERS(Int32, DIMS(n), __VA_ARGS__)

static const NodeCase offsets_cases[] = {
    {OFFSETS,
     {STRINGS(DIMS(4), "a b", "", " \tcd\u00A0e", "no\xFFx\xC2"), CONFIG},
     {STRINGS(DIMS(6), "a", "b", "cd", "e", "n", "\xFFx\xC2"), SPLITS(0, 2, 2, 4, 6),
      INTS(6, 0, 2, 2, 6, 0, 2), INTS(6, 1, 3, 4, 7, 1, 5)}},
    // Behind the config's last bit nothing is white space, nor is what is not UTF-8 of a space.
    {OFFSETS,
     {STRINGS(DIMS(3), "a\u00A1b\u3000c", "\xE0\x80\xA0", "\xF0\x9F\x98\x80 \xED\xA0\x80"), CONFIG},
     {STRINGS(DIMS(4), "a\u00A1b\u3000c", "\xE0\x80\xA0", "\xF0\x9F\x98\x80", "\xED\xA0\x80"),
      SPLITS(0, 1, 2, 4), INTS(4, 0, 0, 0, 5), INTS(4, 8, 3, 4, 8)}},
    {OFFSETS,
     {STRINGS(DIMS(0), ""), CONFIG},
     {STRINGS(DIMS(0), ""), SPLITS(0), SHAPED(Int32, DIMS(0)), SHAPED(Int32, DIMS(0))}},
    {OFFSETS,
     {STRINGS(DIMS(1), "a b"), STRINGS(SCALAR, "")},
     {STRINGS(DIMS(1), "a b"), SPLITS(0, 1), INTS(1, 0), INTS(1, 3)}},
    {OFFSETS,
     {STRINGS(DIMS(1, 1), "a"), CONFIG},
     {ROW, SPLITS(0, 1), INTS(1, 0), INTS(1, 1)},
     .message = "an input of 2 dimensions, expected 1"},
    {OFFSETS,
     {ROW, STRINGS(DIMS(2), "a", "b")},
     {ROW, SPLITS(0, 1), INTS(1, 0), INTS(1, 1)},
     .message = "a config of 2 strings, expected 1"},
    {OFFSETS,
     {ROW, INTS(1, 0)},
     {ROW, SPLITS(0, 1), INTS(1, 0), INTS(1, 1)},
     .message = "TFText>WhitespaceTokenizeWithOffsetsV2: config"},
    {OFFSETS, {ROW, CONFIG}, {ROW, SPLITS(0, 1)}, .message = "2 inputs and 2 outputs"},
    {OFFSETS,
     {ROW, CONFIG},
     {ROW, INTS(2, 0, 1), INTS(1, 0), INTS(1, 1)},
     .message = "TFText>WhitespaceTokenizeWithOffsetsV2: row splits"},
};

static void tokens_with_offsets(void** state) {
    (void)state;
    NODE_CHECK(offsets_cases, oclite_tftext_add_operators);
}

#define BYTES .custom_name = "TFText>ByteSplitWithOffsets", .options = {{0}}
#define PARTS .custom_name = "TFText>ByteSplitByOffsets", .options = {{0}}
#define SPELT STRINGS(DIMS(3), "hello", "", "\u00E9x")

static const NodeCase bytes_cases[] = {
    {BYTES,
     {SPELT},
     {NUMBERS(UInt8, DIMS(8), 'h', 'e', 'l', 'l', 'o', 0xC3, 0xA9, 'x'), SPLITS(0, 5, 5, 8),
      INTS(8, 0, 1, 2, 3, 4, 0, 1, 2), INTS(8, 1, 2, 3, 4, 5, 1, 2, 3)}},
    {BYTES,
     {STRINGS(DIMS(0), "")},
     {SHAPED(UInt8, DIMS(0)), SPLITS(0), SHAPED(Int32, DIMS(0)), SHAPED(Int32, DIMS(0))}},
    {BYTES,
     {STRINGS(DIMS(1, 1), "a")},
     {SHAPED(UInt8, DIMS(1)), SPLITS(0, 1), INTS(1, 0), INTS(1, 1)},
     .message = "ByteSplitWithOffsets: input of 2 dimensions, expected 1"},
    {BYTES,
     {ROW},
     {INTS(1, 0), SPLITS(0, 1), INTS(1, 0), INTS(1, 1)},
     .message = "output of type INT32, expected UINT8"},
    {BYTES, {ROW}, {SHAPED(UInt8, DIMS(1)), SPLITS(0, 1)}, .message = "1 inputs and 2 outputs"},
    {PARTS,
     {SPELT, INTS(4, 0, 3, 0, 2), INTS(4, 5, 3, 2, 3), SPLITS(0, 2, 2, 4)},
     {STRINGS(DIMS(4), "hello", "", "\u00E9", "x"), SPLITS(0, 2, 2, 4)}},
    {PARTS,
     {SPELT, INTS(3, 0, 1, 1), INTS(3, 1, 2, 2), SPLITS(0, 1, 1, 2)}, // the last part is nobody's
     {STRINGS(DIMS(2), "h", "\xA9"), SPLITS(0, 1, 1, 2)}},
    {PARTS,
     {ROW, INTS(1, 0), INTS(1, 2), SPLITS(0, 1)},
     {ROW, SPLITS(0, 1)},
     .message = "from 0 to 2 in string 0 of 1 bytes"},
    {PARTS,
     {ROW, INTS(1, -1), INTS(1, 1), SPLITS(0, 1)},
     {ROW, SPLITS(0, 1)},
     .message = "from -1 to 1 in string 0"},
    {PARTS,
     {ROW, INTS(1, 1), INTS(1, 0), SPLITS(0, 1)},
     {ROW, SPLITS(0, 1)},
     .message = "from 1 to 0 in string 0"},
    {PARTS,
     {ROW, INTS(1, 0), INTS(1, 1), SPLITS(0, 2)},
     {ROW, SPLITS(0, 1)},
     .message = "row split 1 is 2, of 1 parts"},
    {PARTS,
     {ROW, INTS(1, 0), INTS(1, 1), SPLITS(1, 1)},
     {ROW, SPLITS(0, 1)},
     .message = "row split 0 is 1, of 1 parts"},
    {PARTS,
     {ROW, INTS(1, 0), INTS(1, 1), SPLITS(0, -1)},
     {ROW, SPLITS(0, 1)},
     .message = "row split 1 is -1, of 1 parts"},
    {PARTS,
     {ROW, INTS(1, 0), INTS(2, 1, 1), SPLITS(0, 1)},
     {ROW, SPLITS(0, 1)},
     .message = "1 strings, 2 row splits, 1 starts and 2 ends"},
    {PARTS,
     {ROW, INTS(1, 0), INTS(1, 1), SPLITS(0)},
     {ROW, SPLITS(0)},
     .message = "1 strings, 1 row splits, 1 starts and 1 ends"},
};

static void bytes_and_parts(void** state) {
    (void)state;
    NODE_CHECK(bytes_cases, oclite_tftext_add_operators);
}

// Unicode's White_Space, each between two letters, and what only looks like it.
static const NodeCase white_space_cases[] = {
    {TOKENIZER,
     {STRINGS(DIMS(25), "a\tb", "a\nb", "a\vb", "a\fb", "a\rb", "a b", "a\302\205b", "a\u00A0b", "a\u1680b",
              "a\u2000b", "a\u2001b", "a\u2002b", "a\u2003b", "a\u2004b", "a\u2005b", "a\u2006b", "a\u2007b",
              "a\u2008b", "a\u2009b", "a\u200Ab", "a\u2028b", "a\u2029b", "a\u202Fb", "a\u205Fb",
              "a\u3000b")},
     {STRINGS(DIMS(25, 2), "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b",
              "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a",
              "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a", "b")}},
    {TOKENIZER,
     {STRINGS(DIMS(6), "a\u200Bb", "a\u180Eb", "a\uFEFFb", "a\034\037b", "a\u00A1b", "a\u2030b")},
     {STRINGS(DIMS(6, 1), "a\u200Bb", "a\u180Eb", "a\uFEFFb", "a\034\037b", "a\u00A1b", "a\u2030b")}},
    // What is not UTF-8 belongs to tokens; a character cut short is no white space.
    {TOKENIZER,
     {STRINGS(DIMS(4), "a\xFF b", "\xC2", "\xE3\x80", "\xE3\xE3\x80\x80x")},
     {STRINGS(DIMS(4, 2), "a\xFF", "b", "\xC2", "", "\xE3\x80", "", "\xE3", "x")}},
};

static void white_space(void** state) {
    (void)state;
    NODE_CHECK(white_space_cases, oclite_tftext_add_operators);
}

#define JOIN(name, width, axis, separator, reduction)                                                        \
    .custom_name = name, .options = {{"width", width},                                                       \
                                     {"axis", axis},                                                         \
                                     {"string_separator", 0, separator},                                     \
                                     {"reduction_type", 0, reduction}}
#define NGRAMS(width, separator) JOIN("tftext:Ngrams", width, -1, separator, "STRING_JOIN")
#define WORDS STRINGS(DIMS(4), "this", "is", "a", "test")

static const NodeCase ngrams_cases[] = {
    {NGRAMS(2, " "), {WORDS}, {STRINGS(DIMS(3), "this is", "is a", "a test")}},
    {NGRAMS(3, " "), {WORDS}, {STRINGS(DIMS(2), "this is a", "is a test")}},
    {NGRAMS(2, "..."), {WORDS}, {STRINGS(DIMS(3), "this...is", "is...a", "a...test")}},
    {NGRAMS(1, "..."), {WORDS}, {WORDS}},
    {NGRAMS(4, NULL), {WORDS}, {STRINGS(DIMS(1), "thisisatest")}},
    {NGRAMS(5, " "), {WORDS}, {STRINGS(DIMS(0), "")}},
    {NGRAMS(2, "-"),
     {STRINGS(DIMS(2, 1, 3), "a", "b", "c", "d", "", "f")},
     {STRINGS(DIMS(2, 1, 2), "a-b", "b-c", "d-", "-f")}},
    {NGRAMS(2, "-"), {STRINGS(DIMS(2, 0), "")}, {STRINGS(DIMS(2, 0), "")}},
    {NGRAMS(2, " "), {WORDS, SPLITS(0, 4)}, {STRINGS(DIMS(3), "this is", "is a", "a test"), SPLITS(0, 3)}},
    {NGRAMS(2, "+"),
     {STRINGS(DIMS(6), "a", "b", "c", "d", "e", "f"), SPLITS(0, 2, 4), SPLITS(0, 3, 3, 4, 6)},
     {STRINGS(DIMS(3), "a+b", "b+c", "e+f"), SPLITS(0, 2, 4), SPLITS(0, 2, 2, 2, 3)}},
    {JOIN("TFText>NgramsStringJoin", 2, -1, "_", NULL),
     {WORDS},
     {STRINGS(DIMS(3), "this_is", "is_a", "a_test")}},
};

static void ngrams(void** state) {
    (void)state;
    NODE_CHECK(ngrams_cases, oclite_tftext_add_operators);
}

#define TO_TENSOR(...)                                                                                       \
    .custom_name = "RaggedTensorToTensor",                                                                   \
    .options = {{"row_partition_types", .texts = (const char* const[]){__VA_ARGS__, NULL}}}
#define NINE NUMBERS(Float32, DIMS(9), 1, 2, 3, 4, 5, 6, 7, 8, 9)
#define FILL NUMBERS(Float32, SCALAR, -1)

// [[1, 2, 3], [], [4, 5, 6, 7], [8, 9]]
static const NodeCase ragged_to_tensor_cases[] = {
    {TO_TENSOR("ROW_SPLITS"),
     {SPLITS(4, 4), NINE, FILL, SPLITS(0, 3, 3, 7, 9)},
     {NUMBERS(Float32, DIMS(4, 4), 1, 2, 3, -1, -1, -1, -1, -1, 4, 5, 6, 7, 8, 9, -1, -1)}},
    {TO_TENSOR("FIRST_DIM_SIZE", "VALUE_ROWIDS"),
     {SPLITS(-1, -1), NINE, FILL, NUMBERS(Int64, SCALAR, 4), SPLITS(0, 0, 0, 2, 2, 2, 2, 3, 3)},
     {NUMBERS(Float32, DIMS(4, 4), 1, 2, 3, -1, -1, -1, -1, -1, 4, 5, 6, 7, 8, 9, -1, -1)}},
    {TO_TENSOR("FIRST_DIM_SIZE", "VALUE_ROWIDS"),
     {NUMBERS(Int32, DIMS(2), 3, 5), NINE, FILL, NUMBERS(Int32, DIMS(1), 4),
      NUMBERS(Int32, DIMS(9), 0, 0, 0, 2, 2, 2, 2, 3, 3)},
     {NUMBERS(Float32, DIMS(3, 5), 1, 2, 3, -1, -1, -1, -1, -1, -1, -1, 4, 5, 6, 7, -1)}},
    {TO_TENSOR("ROW_SPLITS"),
     {NUMBERS(Int64, SCALAR, -1), NINE, FILL, SPLITS(0, 1, 9)},
     {NUMBERS(Float32, DIMS(2, 8), 1, -1, -1, -1, -1, -1, -1, -1, 2, 3, 4, 5, 6, 7, 8, 9)}},
    // [[[0, 1, 2], []], [], [[3]]]
    {TO_TENSOR("ROW_SPLITS", "ROW_SPLITS"),
     {SPLITS(3, 2, 2), NUMBERS(Int32, DIMS(4), 0, 1, 2, 3), NUMBERS(Int32, DIMS(1), 5), SPLITS(0, 2, 2, 3),
      SPLITS(0, 3, 3, 4)},
     {NUMBERS(Int32, DIMS(3, 2, 2), 0, 1, 5, 5, 5, 5, 5, 5, 3, 5, 5, 5)}},
    // Values with a dimension of their own.
    {TO_TENSOR("ROW_SPLITS"),
     {SPLITS(2, 2, 2), NUMBERS(Int64, DIMS(3, 2), 1, 10, 2, 20, 3, 30), NUMBERS(Int64, DIMS(1), 7),
      SPLITS(0, 1, 3)},
     {NUMBERS(Int64, DIMS(2, 2, 2), 1, 10, 7, 7, 2, 20, 3, 30)}},
    {TO_TENSOR("ROW_SPLITS"),
     {SPLITS(-1, -1), STRINGS(DIMS(3), "a", "bc", "d"), STRINGS(SCALAR, "-"), SPLITS(0, 2, 2, 3)},
     {STRINGS(DIMS(3, 2), "a", "bc", "-", "-", "d", "-")}},
    {TO_TENSOR("ROW_SPLITS"),
     {SPLITS(0, 3), STRINGS(DIMS(1), "a"), STRINGS(SCALAR, "-"), SPLITS(0, 1)},
     {STRINGS(DIMS(0, 3), "")}},
};

static void ragged_to_tensor(void** state) {
    (void)state;
    NODE_CHECK(ragged_to_tensor_cases, oclite_tftext_add_operators);
}

static const NodeCase errors_cases[] = {
    {TOKENIZER, {NINE}, {ROW}, TOKENIZER_NAME ": input of type FLOAT32, expected STRING"},
    {TOKENIZER, {ROW}, {NINE}, "output of type FLOAT32, expected STRING"},
    {TOKENIZER, {ROW, ROW}, {ROW}, "2 inputs and 1 outputs"},
    {TOKENIZER, {ROW}, {ROW, SPLITS(0), SPLITS(0)}, "2 row splits for an input of 1 dimensions"},
    {TOKENIZER, {ROW}, {ROW, NINE}, "row splits of type FLOAT32, expected INT64"},
    {NGRAMS(0, " "), {WORDS}, {WORDS}, "tftext:Ngrams: a width of 0"},
    {NGRAMS(-3, " "), {WORDS}, {WORDS}, "a width of -3"},
    {JOIN("tftext:Ngrams", 2, 0, " ", "STRING_JOIN"), {WORDS}, {WORDS}, "axis 0, expected -1"},
    {JOIN("tftext:Ngrams", 2, -1, " ", "SUM"), {WORDS}, {WORDS}, "reduction_type is not STRING_JOIN"},
    {JOIN("tftext:Ngrams", 2, -1, " ", NULL), {WORDS}, {WORDS}, "reduction_type is not STRING_JOIN"},
    {NGRAMS(2, " "), {STRINGS(SCALAR, "a")}, {WORDS}, "an input of 0 dimensions"},
    {NGRAMS(2, " "), {WORDS, SPLITS(0, 4)}, {WORDS}, "2 inputs and 1 outputs"},
    {NGRAMS(2, " "), {WORDS, SPLITS(0, 5)}, {WORDS, SPLITS(0, 0)}, "row split 5 follows 0, of 4 strings"},
    {NGRAMS(2, " "), {WORDS, SPLITS(0, 3, 2)}, {WORDS, SPLITS(0, 0, 0)}, "row split 2 follows 3"},
    {NGRAMS(2, " "), {WORDS, SPLITS(-1, 3)}, {WORDS, SPLITS(0, 0)}, "row split -1 follows 0"},
    {NGRAMS(2, " "),
     {WORDS, NUMBERS(Int64, DIMS(0), 0)},
     {WORDS, SPLITS(0)},
     "row splits 0 are not a vector"},
    {TO_TENSOR("ROW_SPLITS"), {SPLITS(2, 2), NINE, FILL}, {NINE}, "3 inputs and 1 outputs for 1 partitions"},
    {TO_TENSOR("VALUE_ROWIDS"), {SPLITS(2, 2), NINE, FILL, SPLITS(0)}, {NINE}, "row_partition_types[0]"},
    {TO_TENSOR("ROWS"), {SPLITS(2, 2), NINE, FILL, SPLITS(0)}, {NINE}, "row_partition_types[0]"},
    {TO_TENSOR("ROW_SPLITS"), {NINE, NINE, FILL, SPLITS(0)}, {NINE}, "input 0 of type FLOAT32"},
    {TO_TENSOR("ROW_SPLITS"), {SPLITS(2, 2), NINE, WORDS, SPLITS(0)}, {NINE}, "default value of type STRING"},
    {TO_TENSOR("ROW_SPLITS"), {SPLITS(2, 2), NINE, NINE, SPLITS(0, 9)}, {NINE}, "9 default values"},
    {TO_TENSOR("ROW_SPLITS"), {SPLITS(2, 2), NINE, FILL, SPLITS(1, 9)}, {NINE}, "do not begin with 0"},
    {TO_TENSOR("ROW_SPLITS"), {SPLITS(2, 2), NINE, FILL, SPLITS(0, 5, 4)}, {NINE}, "row split 4 follows 5"},
    {TO_TENSOR("ROW_SPLITS"), {SPLITS(2, 2), NINE, FILL, SPLITS(0, 10)}, {NINE}, "10 values in rows, and 9"},
    {TO_TENSOR("ROW_SPLITS"),
     {SPLITS(2, 2), NINE, FILL, SPLITS(0, 1e18)},
     {NINE},
     "row split 1000000000000000000"},
    {TO_TENSOR("ROW_SPLITS"),
     {SPLITS(2), NINE, FILL, SPLITS(0, 9)},
     {NINE},
     "a shape of 1 dimensions, expected 2"},
    {TO_TENSOR("ROW_SPLITS"),
     {SPLITS(1, 1e12), NINE, FILL, SPLITS(0, 9)},
     {NINE},
     "dimension 1 is 1000000000000"},
    {TO_TENSOR("ROW_SPLITS", "ROW_SPLITS"),
     {SPLITS(-1, -1, -1), NINE, FILL, SPLITS(0, 3), SPLITS(0, 9)},
     {NINE},
     "partition 1 splits 1 rows, of which there are 3"},
    {TO_TENSOR("FIRST_DIM_SIZE", "VALUE_ROWIDS"),
     {SPLITS(2, 2), NINE, FILL, SPLITS(-1), SPLITS(0)},
     {NINE},
     "-1 rows"},
    {TO_TENSOR("FIRST_DIM_SIZE", "VALUE_ROWIDS"),
     {SPLITS(2, 2), NINE, FILL, SPLITS(2), SPLITS(0, 2)},
     {NINE},
     "row id 2 of 2 rows follows 0"},
    {TO_TENSOR("FIRST_DIM_SIZE", "VALUE_ROWIDS"),
     {SPLITS(2, 2), NINE, FILL, SPLITS(2), SPLITS(1, 0)},
     {NINE},
     "row id 0 of 2 rows follows 1"},
};

static void errors(void** state) {
    (void)state;
    NODE_CHECK(errors_cases, oclite_tftext_add_operators);
}

static const NodeValue two_strings = STRINGS(DIMS(2), "a b", "c");
static const NodeValue two_splits = SPLITS(0, 2, 3);
static const NodeCase one_string = {TOKENIZER, {ROW}, {ROW, SPLITS(0, 1)}};

// More strings than the row splits were made for.
static void strings_without_allocation(void** state) {
    (void)state;
    NodeRun run;
    node_open(&run, &one_string, oclite_tftext_add_operators);
    assert_int_equal(node_invoke(&run, &one_string), kTfLiteOk);
    node_write(&run, 0, &two_strings);
    assert_int_equal(TfLiteInterpreterInvoke(run.interpreter), kTfLiteError);
    assert_non_null(strstr(run.messages, "the input was resized and the tensors not allocated"));
    assert_int_equal(TfLiteInterpreterAllocateTensors(run.interpreter), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(run.interpreter), kTfLiteOk);
    node_expect(&run, 1, &two_splits);
    node_close(&run);
}

static void operators_have_names(void** state) {
    (void)state;
    int count = 0;
    for (; oclite_tftext_operator(count) != NULL; count++) {
        assert_int_equal(TfLiteOperatorGetBuiltInCode(oclite_tftext_operator(count)), kTfLiteBuiltinCustom);
        assert_ptr_equal(oclite_tftext_operator(count), oclite_tftext_operator(count));
    }
    assert_int_equal(count, 7);
    assert_string_equal(TfLiteOperatorGetCustomName(oclite_tftext_operator(0)), TOKENIZER_NAME);
    assert_null(oclite_tftext_operator(-1));
    assert_int_equal(oclite_tftext_add_operators(NULL), kTfLiteError);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens),
        cmocka_unit_test(tokens_with_offsets),
        cmocka_unit_test(bytes_and_parts),
        cmocka_unit_test(white_space),
        cmocka_unit_test(ngrams),
        cmocka_unit_test(ragged_to_tensor),
        cmocka_unit_test(errors),
        cmocka_unit_test(strings_without_allocation),
        cmocka_unit_test(operators_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
