// SPDX-License-Identifier: Apache-2.0
// TFText>WhitespaceTokenizeWithOffsetsV2, for which the model defines what white space is.
#include "extensions/tftext/text.h"

static const char op[] = "TFText>WhitespaceTokenizeWithOffsetsV2";

enum { kValues, kConfig, kInputs };
enum { kTokens, kSplits, kStarts, kEnds, kOutputs };

typedef struct Job {
    const TfLiteOpaqueTensor* input;
    int count;          // of strings
    const char* config; // a bit for each character up to the last that is white space
    int config_bytes;
} Job;

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const int inputs = TfLiteOpaqueNodeNumberOfInputs(node);
    const int outputs = TfLiteOpaqueNodeNumberOfOutputs(node);
    if (inputs != kInputs || outputs != kOutputs) {
        return lite_extension_fail(context, "%s: %d inputs and %d outputs", op, inputs, outputs);
    }
    LITE_EXTENSION_TRY(lite_extension_check_input(context, node, op, "input", kValues, kTfLiteString));
    LITE_EXTENSION_TRY(lite_extension_check_input(context, node, op, "config", kConfig, kTfLiteString));
    LITE_EXTENSION_TRY(lite_extension_check_output(context, node, op, "tokens", kTokens, kTfLiteString));
    LITE_EXTENSION_TRY(lite_extension_check_output(context, node, op, "row splits", kSplits, kTfLiteInt64));
    LITE_EXTENSION_TRY(lite_extension_check_output(context, node, op, "starts", kStarts, kTfLiteInt32));
    LITE_EXTENSION_TRY(lite_extension_check_output(context, node, op, "ends", kEnds, kTfLiteInt32));
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, kValues);
    const int rank = TfLiteOpaqueTensorNumDims(input);
    if (rank != 1) return lite_extension_fail(context, "%s: an input of %d dimensions, expected 1", op, rank);
    static const int dynamic[] = {kTokens, kStarts, kEnds};
    for (size_t i = 0; i < sizeof dynamic / sizeof dynamic[0]; i++) {
        TfLiteOpaqueTensorSetAllocationTypeToDynamic(TfLiteOpaqueNodeGetOutput(context, node, dynamic[i]));
    }
    return lite_extension_resize(context, op, TfLiteOpaqueNodeGetOutput(context, node, kSplits), NULL, 0,
                                 (int64_t)TfLiteOpaqueTensorDim(input, 0) + 1);
}

// Returns the character at the beginning of a text and its length in bytes; for a byte that is not UTF-8, no
// character and the length 1.
static int32_t next_character(const unsigned char* text, int left, int* bytes) {
    static const struct {
        unsigned char mask, lead;
        int32_t first; // of the characters that need so many bytes
    } forms[] = {{0x80, 0x00, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
    *bytes = 1;
    for (int more = 0; more < 4; more++) {
        if ((text[0] & forms[more].mask) != forms[more].lead) continue;
        int32_t character = text[0] & ~forms[more].mask & 0xFF;
        for (int i = 1; i <= more; i++) {
            if (i >= left || (text[i] & 0xC0) != 0x80) return -1;
            character = character << 6 | (text[i] & 0x3F);
        }
        const bool surrogate = character >= 0xD800 && character <= 0xDFFF;
        if (character < forms[more].first || character > 0x10FFFF || surrogate) return -1;
        *bytes = more + 1;
        return character;
    }
    return -1;
}

static bool is_white(const Job* job, int32_t character) {
    return character >= 0 && character >> 3 < job->config_bytes &&
           ((unsigned char)job->config[character >> 3] >> (character & 7) & 1) != 0;
}

// Finds the next token of a text from *at on: its first byte and the byte after its last one. Returns false
// when there is none.
static bool next_token(const Job* job, const char* text, int length, int* at, int32_t* start, int32_t* end) {
    int bytes = 0;
    bool inside = false;
    for (; *at < length; *at += bytes) {
        const bool white =
            is_white(job, next_character((const unsigned char*)text + *at, length - *at, &bytes));
        if (white && inside) break;
        if (!white && !inside) {
            *start = *at;
            inside = true;
        }
    }
    *end = *at;
    return inside;
}

// Counts the tokens and, unless the list is NULL, writes them and their offsets.
static TfLiteStatus walk(TfLiteOpaqueContext* context, const Job* job, LiteExtensionStrings* list,
                         int64_t* splits, int32_t* const offsets[2], int64_t* tokens) {
    *tokens = 0;
    for (int i = 0; i < job->count; i++) {
        const char* text;
        int length, at = 0;
        int32_t start = 0, end = 0;
        LITE_EXTENSION_TRY(lite_extension_string(context, op, job->input, i, &text, &length));
        splits[i] = *tokens;
        for (; next_token(job, text, length, &at, &start, &end); (*tokens)++) {
            if (list == NULL) continue;
            list->texts[*tokens] = text + start;
            list->lengths[*tokens] = end - start;
            offsets[0][*tokens] = start;
            offsets[1][*tokens] = end;
        }
    }
    splits[job->count] = *tokens;
    return kTfLiteOk;
}

static TfLiteStatus write_tokens(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const Job* job,
                                 int64_t* splits, int64_t tokens, LiteExtensionStrings* list) {
    TfLiteOpaqueTensor* outputs[kOutputs];
    for (int k = 0; k < kOutputs; k++) {
        outputs[k] = TfLiteOpaqueNodeGetOutput(context, node, k);
        if (k != kSplits) LITE_EXTENSION_TRY(lite_extension_resize(context, op, outputs[k], NULL, 0, tokens));
    }
    int32_t* const offsets[2] = {TfLiteOpaqueTensorData(outputs[kStarts]),
                                 TfLiteOpaqueTensorData(outputs[kEnds])};
    LITE_EXTENSION_TRY(walk(context, job, list, splits, offsets, &tokens));
    return lite_extension_strings_write(context, op, list, outputs[kTokens]);
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Job job = {.input = TfLiteOpaqueNodeGetInput(context, node, kValues)};
    const TfLiteOpaqueTensor* config = TfLiteOpaqueNodeGetInput(context, node, kConfig);
    int configs;
    LITE_EXTENSION_TRY(lite_extension_string_count(context, op, job.input, &job.count));
    LITE_EXTENSION_TRY(lite_extension_string_count(context, op, config, &configs));
    if (configs != 1)
        return lite_extension_fail(context, "%s: a config of %d strings, expected 1", op, configs);
    LITE_EXTENSION_TRY(lite_extension_string(context, op, config, 0, &job.config, &job.config_bytes));
    const TfLiteOpaqueTensor* splits = TfLiteOpaqueNodeGetOutput(context, node, kSplits);
    const size_t rows = TfLiteOpaqueTensorByteSize(splits) / sizeof(int64_t);
    if (rows != (size_t)job.count + 1 || TfLiteOpaqueTensorData(splits) == NULL) {
        return lite_extension_fail(context, "%s: the input was resized and the tensors not allocated", op);
    }
    int64_t tokens;
    LiteExtensionStrings list = {0};
    LITE_EXTENSION_TRY(walk(context, &job, NULL, TfLiteOpaqueTensorData(splits), NULL, &tokens));
    TfLiteStatus status = lite_extension_strings_create(context, op, tokens, &list);
    if (status == kTfLiteOk) {
        status = write_tokens(context, node, &job, TfLiteOpaqueTensorData(splits), tokens, &list);
    }
    lite_extension_strings_free(&list);
    return status;
}

const LiteExtensionOperator lite_text_whitespace_offsets = {.name = op, .prepare = prepare, .invoke = invoke};
