// SPDX-License-Identifier: Apache-2.0
// tftext:WhitespaceTokenizer.
#include "extensions/tftext/text.h"

static const char op[] = "tftext:WhitespaceTokenizer";

enum { kValues, kFirstSplits };

// A ragged result has row splits for each dimension of the input.
static bool is_ragged(const TfLiteOpaqueNode* node) {
    return TfLiteOpaqueNodeNumberOfOutputs(node) > 1;
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const int inputs = TfLiteOpaqueNodeNumberOfInputs(node);
    const int outputs = TfLiteOpaqueNodeNumberOfOutputs(node);
    if (inputs != 1 || outputs < 1) {
        return lite_extension_fail(context, "%s: %d inputs and %d outputs", op, inputs, outputs);
    }
    LITE_EXTENSION_TRY(lite_extension_check_input(context, node, op, "input", 0, kTfLiteString));
    LITE_EXTENSION_TRY(lite_extension_check_output(context, node, op, "output", kValues, kTfLiteString));
    TfLiteOpaqueTensorSetAllocationTypeToDynamic(TfLiteOpaqueNodeGetOutput(context, node, kValues));
    if (!is_ragged(node)) return kTfLiteOk;
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    const int rank = TfLiteOpaqueTensorNumDims(input);
    if (rank != outputs - kFirstSplits) {
        return lite_extension_fail(context, "%s: %d row splits for an input of %d dimensions", op,
                                   outputs - kFirstSplits, rank);
    }
    for (int i = 0; i < rank; i++) {
        LITE_EXTENSION_TRY(
            lite_extension_check_output(context, node, op, "row splits", kFirstSplits + i, kTfLiteInt64));
        TfLiteOpaqueTensor* splits = TfLiteOpaqueNodeGetOutput(context, node, kFirstSplits + i);
        const int64_t rows = lite_extension_elements(input, i + 1);
        LITE_EXTENSION_TRY(lite_extension_resize(context, op, splits, NULL, 0, rows + 1));
    }
    return kTfLiteOk;
}

// Returns the number of bytes of the white space character at the beginning of the text; 0 when there is
// none. The first bytes of these characters never occur in the middle of a character, so that the search may
// begin anywhere.
static int white_space_at(const unsigned char* text, int length) {
    if ((text[0] >= 0x09 && text[0] <= 0x0D) || text[0] == ' ') return 1;
    if (length >= 2 && text[0] == 0xC2 && (text[1] == 0x85 || text[1] == 0xA0)) return 2;
    if (length < 3) return 0;
    const unsigned code = (unsigned)text[0] << 16 | (unsigned)text[1] << 8 | text[2];
    const bool is_white = code == 0xE19A80                          // U+1680
                          || (code >= 0xE28080 && code <= 0xE2808A) // U+2000 to U+200A
                          || code == 0xE280A8 || code == 0xE280A9   // U+2028, U+2029
                          || code == 0xE280AF || code == 0xE2819F   // U+202F, U+205F
                          || code == 0xE38080;                      // U+3000
    return is_white ? 3 : 0;
}

// Finds the next token of a text and moves both arguments behind it. Returns false when there is none.
static bool next_token(const char** text, int* left, const char** token, int* length) {
    const unsigned char* bytes = (const unsigned char*)*text;
    int at = 0, white;
    while (at < *left && (white = white_space_at(bytes + at, *left - at)) > 0) at += white;
    const int begin = at;
    while (at < *left && white_space_at(bytes + at, *left - at) == 0) at++;
    *token = *text + begin;
    *length = at - begin;
    *text += at;
    *left -= at;
    return *length > 0;
}

typedef struct Job {
    const TfLiteOpaqueTensor* input;
    int count;      // of strings
    int64_t tokens; // of all
    int64_t most;   // of one string
} Job;

static TfLiteStatus count_tokens(TfLiteOpaqueContext* context, Job* job) {
    for (int i = 0; i < job->count; i++) {
        const char *text, *token;
        int left, length;
        int64_t tokens = 0;
        LITE_EXTENSION_TRY(lite_extension_string(context, op, job->input, i, &text, &left));
        while (next_token(&text, &left, &token, &length)) tokens++;
        job->tokens += tokens;
        if (tokens > job->most) job->most = tokens;
    }
    return kTfLiteOk;
}

// Writes the tokens of each string, then empty strings up to `width`. `splits`, unless NULL, receives the
// places where strings begin.
static TfLiteStatus list_tokens(TfLiteOpaqueContext* context, const Job* job, int64_t width, int64_t* splits,
                                LiteExtensionStrings* list) {
    int at = 0;
    for (int i = 0; i < job->count; i++) {
        const char* text;
        int left;
        const int row = at;
        if (splits != NULL) splits[i] = at;
        LITE_EXTENSION_TRY(lite_extension_string(context, op, job->input, i, &text, &left));
        while (at < list->count && next_token(&text, &left, &list->texts[at], &list->lengths[at])) at++;
        if (at - row < width) at = row + (int)width;
    }
    if (splits != NULL) splits[job->count] = at;
    return kTfLiteOk;
}

static TfLiteStatus write_padded(TfLiteOpaqueContext* context, TfLiteOpaqueTensor* output, const Job* job,
                                 LiteExtensionStrings* list) {
    const int rank = TfLiteOpaqueTensorNumDims(job->input);
    LITE_EXTENSION_TRY(lite_extension_strings_create(context, op, job->count * job->most, list));
    LITE_EXTENSION_TRY(list_tokens(context, job, job->most, NULL, list));
    LITE_EXTENSION_TRY(lite_extension_resize(context, op, output, job->input, rank, job->most));
    return lite_extension_strings_write(context, op, list, output);
}

// The row splits have the sizes that prepare gave them.
static TfLiteStatus write_ragged(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const Job* job,
                                 LiteExtensionStrings* list) {
    const int rank = TfLiteOpaqueTensorNumDims(job->input);
    int64_t* splits = NULL;
    for (int i = 0; i < rank; i++) {
        const TfLiteOpaqueTensor* tensor = TfLiteOpaqueNodeGetOutput(context, node, kFirstSplits + i);
        const int64_t rows = lite_extension_elements(job->input, i + 1);
        splits = TfLiteOpaqueTensorData(tensor);
        if (TfLiteOpaqueTensorByteSize(tensor) / sizeof(int64_t) != (size_t)rows + 1 || splits == NULL) {
            return lite_extension_fail(context, "%s: the input was resized and the tensors not allocated",
                                       op);
        }
        const int64_t step = i + 1 < rank ? TfLiteOpaqueTensorDim(job->input, i + 1) : 0;
        for (int64_t row = 0; row <= rows; row++) splits[row] = row * step;
    }
    TfLiteOpaqueTensor* values = TfLiteOpaqueNodeGetOutput(context, node, kValues);
    LITE_EXTENSION_TRY(lite_extension_strings_create(context, op, job->tokens, list));
    LITE_EXTENSION_TRY(list_tokens(context, job, 0, splits, list));
    LITE_EXTENSION_TRY(lite_extension_resize(context, op, values, NULL, 0, job->tokens));
    return lite_extension_strings_write(context, op, list, values);
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Job job = {.input = TfLiteOpaqueNodeGetInput(context, node, 0)};
    LiteExtensionStrings list = {0};
    LITE_EXTENSION_TRY(lite_extension_string_count(context, op, job.input, &job.count));
    LITE_EXTENSION_TRY(count_tokens(context, &job));
    TfLiteOpaqueTensor* values = TfLiteOpaqueNodeGetOutput(context, node, kValues);
    const TfLiteStatus status = is_ragged(node) ? write_ragged(context, node, &job, &list)
                                                : write_padded(context, values, &job, &list);
    lite_extension_strings_free(&list);
    return status;
}

const LiteExtensionOperator lite_text_whitespace_tokenizer = {
    .name = op, .prepare = prepare, .invoke = invoke};
