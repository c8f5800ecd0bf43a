// SPDX-License-Identifier: Apache-2.0
// tftext:Ngrams, and TFText>NgramsStringJoin, its name in newer converters.
#include <stdlib.h>
#include <string.h>

#include "extensions/tftext/text.h"
#include "oclite/flexbuffers.h"

static const char op[] = "tftext:Ngrams";

enum { kValues, kFirstSplits }; // of inputs and of outputs

typedef struct Options {
    int64_t width;
    int64_t axis;
    bool joins; // reduction_type is STRING_JOIN
    size_t separator_length;
    char separator[];
} Options;

static int64_t read_int(OcliteFlex map, const char* key) {
    OcliteFlex value;
    int64_t number = 0;
    if (oclite_flex_map_find(map, key, &value)) oclite_flex_int(value, &number);
    return number;
}

static const char* read_string(OcliteFlex map, const char* key, size_t* length) {
    OcliteFlex value;
    const char* text = "";
    *length = 0;
    if (oclite_flex_map_find(map, key, &value)) oclite_flex_string(value, &text, length);
    return text;
}

static void* read_options(const char* buffer, size_t length, bool needs_reduction) {
    static const char wanted[] = "STRING_JOIN";
    OcliteFlex map = {0};
    size_t separator_length, reduction_length;
    oclite_flex_root(buffer, length, &map); // without options the width is 0, which prepare refuses
    const char* separator = read_string(map, "string_separator", &separator_length);
    const char* reduction = read_string(map, "reduction_type", &reduction_length);
    Options* options = malloc(sizeof(*options) + separator_length);
    if (options == NULL) return TfLiteKernelInitFailed();
    *options = (Options){.width = read_int(map, "width"),
                         .axis = read_int(map, "axis"),
                         .joins = !needs_reduction || (reduction_length == sizeof(wanted) - 1 &&
                                                       memcmp(reduction, wanted, reduction_length) == 0),
                         .separator_length = separator_length};
    memcpy(options->separator, separator, separator_length);
    return options;
}

static void* ngrams_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    return read_options(buffer, length, true);
}

static void* string_join_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context;
    return read_options(buffer, length, false);
}

static void ngrams_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    free(data);
}

static bool is_ragged(const TfLiteOpaqueNode* node) {
    return TfLiteOpaqueNodeNumberOfInputs(node) > 1;
}

static TfLiteStatus check_options(TfLiteOpaqueContext* context, const Options* options) {
    if (options->width < 1) {
        return lite_extension_fail(context, "%s: a width of %lld", op, (long long)options->width);
    }
    if (options->axis != -1) {
        return lite_extension_fail(context, "%s: axis %lld, expected -1", op, (long long)options->axis);
    }
    return options->joins ? kTfLiteOk
                          : lite_extension_fail(context, "%s: reduction_type is not STRING_JOIN", op);
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const int inputs = TfLiteOpaqueNodeNumberOfInputs(node);
    const int outputs = TfLiteOpaqueNodeNumberOfOutputs(node);
    if (inputs < 1 || inputs != outputs) {
        return lite_extension_fail(context, "%s: %d inputs and %d outputs", op, inputs, outputs);
    }
    LITE_EXTENSION_TRY(check_options(context, TfLiteOpaqueNodeGetUserData(node)));
    LITE_EXTENSION_TRY(lite_extension_check_input(context, node, op, "input", kValues, kTfLiteString));
    LITE_EXTENSION_TRY(lite_extension_check_output(context, node, op, "output", kValues, kTfLiteString));
    const int rank = TfLiteOpaqueTensorNumDims(TfLiteOpaqueNodeGetInput(context, node, kValues));
    if (rank < 1 || (is_ragged(node) && rank != 1)) {
        return lite_extension_fail(context, "%s: an input of %d dimensions and %d row splits", op, rank,
                                   inputs - kFirstSplits);
    }
    TfLiteOpaqueTensorSetAllocationTypeToDynamic(TfLiteOpaqueNodeGetOutput(context, node, kValues));
    for (int i = kFirstSplits; i < inputs; i++) {
        LITE_EXTENSION_TRY(lite_extension_check_input(context, node, op, "row splits", i, kTfLiteInt64));
        LITE_EXTENSION_TRY(lite_extension_check_output(context, node, op, "row splits", i, kTfLiteInt64));
        const TfLiteOpaqueTensor* splits = TfLiteOpaqueNodeGetInput(context, node, i);
        const int32_t length = TfLiteOpaqueTensorDim(splits, 0);
        if (TfLiteOpaqueTensorNumDims(splits) != 1 || length < 1) {
            return lite_extension_fail(context, "%s: row splits %d are not a vector with an element", op,
                                       i - kFirstSplits);
        }
        LITE_EXTENSION_TRY(
            lite_extension_resize(context, op, TfLiteOpaqueNodeGetOutput(context, node, i), NULL, 0, length));
    }
    return kTfLiteOk;
}

// All strings of the input, joined by the separator. An n-gram is a part of this text.
typedef struct Joined {
    int count;
    char* text;
    size_t* places; // of the strings in the text
    int* lengths;
} Joined;

static TfLiteStatus measure(TfLiteOpaqueContext* context, const TfLiteOpaqueTensor* input, Joined* joined) {
    joined->places = calloc((size_t)joined->count + 1, sizeof(*joined->places));
    joined->lengths = calloc((size_t)joined->count + 1, sizeof(*joined->lengths));
    if (joined->places == NULL || joined->lengths == NULL) {
        return lite_extension_fail(context, "%s: out of memory for %d strings", op, joined->count);
    }
    const char* text;
    for (int i = 0; i < joined->count; i++) {
        LITE_EXTENSION_TRY(lite_extension_string(context, op, input, i, &text, &joined->lengths[i]));
    }
    return kTfLiteOk;
}

static TfLiteStatus join(TfLiteOpaqueContext* context, const TfLiteOpaqueTensor* input,
                         const Options* options, Joined* joined) {
    LITE_EXTENSION_TRY(lite_extension_string_count(context, op, input, &joined->count));
    LITE_EXTENSION_TRY(measure(context, input, joined));
    // The separator and the strings have at most 2^31 bytes each: the separator is a part of the model.
    uint64_t total = 0;
    for (int i = 0; i < joined->count; i++) {
        joined->places[i] = (size_t)total;
        total += (uint64_t)joined->lengths[i] + options->separator_length;
    }
    joined->text = total < SIZE_MAX ? malloc((size_t)total + 1) : NULL;
    if (joined->text == NULL) {
        return lite_extension_fail(context, "%s: out of memory for %llu bytes", op,
                                   (unsigned long long)total);
    }
    for (int i = 0; i < joined->count; i++) {
        const char* text;
        int length;
        char* to = joined->text + joined->places[i];
        LITE_EXTENSION_TRY(lite_extension_string(context, op, input, i, &text, &length));
        memcpy(to, text, (size_t)length);
        memcpy(to + length, options->separator, options->separator_length);
    }
    return kTfLiteOk;
}

// The rows: of equal lengths, or, unless `splits` is NULL, from each split to the next.
typedef struct Rows {
    int64_t count;
    int64_t length;
    const int64_t* splits;
} Rows;

static int64_t row_begin(const Rows* rows, int64_t row) {
    return rows->splits != NULL ? rows->splits[row] : row * rows->length;
}

static TfLiteStatus check_splits(TfLiteOpaqueContext* context, const Rows* rows, int count) {
    int64_t last = 0;
    for (int64_t i = 0; i <= rows->count; i++) {
        if (rows->splits[i] < last || rows->splits[i] > count) {
            return lite_extension_fail(context, "%s: row split %lld follows %lld, of %d strings", op,
                                       (long long)rows->splits[i], (long long)last, count);
        }
        last = rows->splits[i];
    }
    return kTfLiteOk;
}

static int64_t grams_of(int64_t length, int64_t width) {
    return length < width ? 0 : length - width + 1;
}

// `splits`, unless NULL, receives the places where the rows of the result begin.
static TfLiteStatus list_grams(TfLiteOpaqueContext* context, const Rows* rows, int64_t width,
                               const Joined* joined, int64_t* splits, LiteExtensionStrings* list) {
    int64_t total = 0;
    for (int64_t row = 0; row < rows->count; row++) {
        total += grams_of(row_begin(rows, row + 1) - row_begin(rows, row), width);
    }
    LITE_EXTENSION_TRY(lite_extension_strings_create(context, op, total, list));
    int64_t at = 0;
    for (int64_t row = 0; row < rows->count; row++) {
        if (splits != NULL) splits[row] = at;
        const int64_t end = row_begin(rows, row + 1);
        for (int64_t first = row_begin(rows, row); first + width <= end; first++, at++) {
            const int64_t last = first + width - 1;
            const size_t length =
                joined->places[last] + (size_t)joined->lengths[last] - joined->places[first];
            if (length > INT32_MAX)
                return lite_extension_fail(context, "%s: a string of %zu bytes", op, length);
            list->texts[at] = joined->text + joined->places[first];
            list->lengths[at] = (int)length;
        }
    }
    if (splits != NULL) splits[rows->count] = at;
    return kTfLiteOk;
}

static TfLiteStatus run_tensor(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const Options* options,
                               const Joined* joined, LiteExtensionStrings* list) {
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, kValues);
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, kValues);
    const int last = TfLiteOpaqueTensorNumDims(input) - 1;
    if (last < 0) return lite_extension_fail(context, "%s: the input is a scalar", op);
    const int32_t length = TfLiteOpaqueTensorDim(input, last);
    const Rows rows = {.count = length > 0 ? joined->count / length : 0, .length = length};
    LITE_EXTENSION_TRY(list_grams(context, &rows, options->width, joined, NULL, list));
    LITE_EXTENSION_TRY(
        lite_extension_resize(context, op, output, input, last, grams_of(length, options->width)));
    return lite_extension_strings_write(context, op, list, output);
}

// Only the innermost rows change.
static TfLiteStatus run_ragged(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const Options* options,
                               const Joined* joined, LiteExtensionStrings* list) {
    const int inner = TfLiteOpaqueNodeNumberOfInputs(node) - 1;
    for (int i = kFirstSplits; i < inner; i++) {
        const TfLiteOpaqueTensor* from = TfLiteOpaqueNodeGetInput(context, node, i);
        LITE_EXTENSION_TRY(TfLiteOpaqueTensorCopyFromBuffer(TfLiteOpaqueNodeGetOutput(context, node, i),
                                                            TfLiteOpaqueTensorData(from),
                                                            TfLiteOpaqueTensorByteSize(from)));
    }
    const TfLiteOpaqueTensor* from = TfLiteOpaqueNodeGetInput(context, node, inner);
    const Rows rows = {.count = TfLiteOpaqueTensorDim(from, 0) - 1, .splits = TfLiteOpaqueTensorData(from)};
    LITE_EXTENSION_TRY(check_splits(context, &rows, joined->count));
    int64_t* splits = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetOutput(context, node, inner));
    LITE_EXTENSION_TRY(list_grams(context, &rows, options->width, joined, splits, list));
    TfLiteOpaqueTensor* values = TfLiteOpaqueNodeGetOutput(context, node, kValues);
    LITE_EXTENSION_TRY(lite_extension_resize(context, op, values, NULL, 0, list->count));
    return lite_extension_strings_write(context, op, list, values);
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const Options* options = TfLiteOpaqueNodeGetUserData(node);
    Joined joined = {0};
    LiteExtensionStrings list = {0};
    TfLiteStatus status = join(context, TfLiteOpaqueNodeGetInput(context, node, kValues), options, &joined);
    if (status == kTfLiteOk) {
        status = (is_ragged(node) ? run_ragged : run_tensor)(context, node, options, &joined, &list);
    }
    lite_extension_strings_free(&list);
    free(joined.text);
    free(joined.places);
    free(joined.lengths);
    return status;
}

const LiteExtensionOperator lite_text_ngrams = {
    .name = op, .init = ngrams_init, .free = ngrams_free, .prepare = prepare, .invoke = invoke};
const LiteExtensionOperator lite_text_string_join = {.name = "TFText>NgramsStringJoin",
                                                     .init = string_join_init,
                                                     .free = ngrams_free,
                                                     .prepare = prepare,
                                                     .invoke = invoke};
