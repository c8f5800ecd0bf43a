// SPDX-License-Identifier: Apache-2.0
// TFText>ByteSplitWithOffsets, which returns the bytes of strings, and TFText>ByteSplitByOffsets, which
// returns parts of them.
#include <string.h>

#include "extensions/tftext/text.h"

static const char all_op[] = "TFText>ByteSplitWithOffsets";
static const char parts_op[] = "TFText>ByteSplitByOffsets";

static TfLiteStatus check_counts(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node, const char* op,
                                 int inputs, int outputs) {
    const int given = TfLiteOpaqueNodeNumberOfInputs(node), wanted = TfLiteOpaqueNodeNumberOfOutputs(node);
    if (given == inputs && wanted == outputs) return kTfLiteOk;
    return lite_extension_fail(context, "%s: %d inputs and %d outputs", op, given, wanted);
}

static TfLiteStatus check_vector(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                 const char* what, int index, TfLiteType type) {
    LITE_EXTENSION_TRY(lite_extension_check_input(context, node, op, what, index, type));
    const int rank = TfLiteOpaqueTensorNumDims(TfLiteOpaqueNodeGetInput(context, node, index));
    if (rank == 1) return kTfLiteOk;
    return lite_extension_fail(context, "%s: %s of %d dimensions, expected 1", op, what, rank);
}

static int64_t* row_splits(TfLiteOpaqueTensor* tensor, int rows) {
    const size_t count = TfLiteOpaqueTensorByteSize(tensor) / sizeof(int64_t);
    return count == (size_t)rows + 1 ? TfLiteOpaqueTensorData(tensor) : NULL;
}

// ---- All bytes ----

enum { kBytes, kSplits, kStarts, kEnds, kAllOutputs };

static TfLiteStatus all_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    static const TfLiteType types[] = {kTfLiteUInt8, kTfLiteInt64, kTfLiteInt32, kTfLiteInt32};
    LITE_EXTENSION_TRY(check_counts(context, node, all_op, 1, kAllOutputs));
    LITE_EXTENSION_TRY(check_vector(context, node, all_op, "input", 0, kTfLiteString));
    for (int k = 0; k < kAllOutputs; k++) {
        LITE_EXTENSION_TRY(lite_extension_check_output(context, node, all_op, "output", k, types[k]));
        if (k == kSplits) continue;
        TfLiteOpaqueTensorSetAllocationTypeToDynamic(TfLiteOpaqueNodeGetOutput(context, node, k));
    }
    const int rows = TfLiteOpaqueTensorDim(TfLiteOpaqueNodeGetInput(context, node, 0), 0);
    return lite_extension_resize(context, all_op, TfLiteOpaqueNodeGetOutput(context, node, kSplits), NULL, 0,
                                 (int64_t)rows + 1);
}

static TfLiteStatus split_rows(TfLiteOpaqueContext* context, const TfLiteOpaqueTensor* input, int count,
                               int64_t* splits) {
    splits[0] = 0;
    for (int i = 0; i < count; i++) {
        const char* text;
        int length;
        LITE_EXTENSION_TRY(lite_extension_string(context, all_op, input, i, &text, &length));
        splits[i + 1] = splits[i] + length;
    }
    return kTfLiteOk;
}

static TfLiteStatus all_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
    TfLiteOpaqueTensor* outputs[kAllOutputs];
    int count;
    LITE_EXTENSION_TRY(lite_extension_string_count(context, all_op, input, &count));
    for (int k = 0; k < kAllOutputs; k++) outputs[k] = TfLiteOpaqueNodeGetOutput(context, node, k);
    int64_t* splits = row_splits(outputs[kSplits], count);
    if (splits == NULL) {
        return lite_extension_fail(context, "%s: the input was resized and the tensors not allocated",
                                   all_op);
    }
    LITE_EXTENSION_TRY(split_rows(context, input, count, splits));
    for (int k = 0; k < kAllOutputs; k++) {
        if (k != kSplits)
            LITE_EXTENSION_TRY(lite_extension_resize(context, all_op, outputs[k], NULL, 0, splits[count]));
    }
    char* bytes = TfLiteOpaqueTensorData(outputs[kBytes]);
    int32_t *starts = TfLiteOpaqueTensorData(outputs[kStarts]),
            *ends = TfLiteOpaqueTensorData(outputs[kEnds]);
    for (int i = 0; i < count; i++) {
        const char* text;
        int length;
        LITE_EXTENSION_TRY(lite_extension_string(context, all_op, input, i, &text, &length));
        for (int at = 0; at < length; at++) {
            bytes[splits[i] + at] = text[at];
            starts[splits[i] + at] = at;
            ends[splits[i] + at] = at + 1;
        }
    }
    return kTfLiteOk;
}

// ---- Parts ----

enum { kValues, kPartStarts, kPartEnds, kPartSplits, kPartsInputs };
enum { kParts, kPartsSplits, kPartsOutputs };

static TfLiteStatus parts_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LITE_EXTENSION_TRY(check_counts(context, node, parts_op, kPartsInputs, kPartsOutputs));
    LITE_EXTENSION_TRY(check_vector(context, node, parts_op, "input", kValues, kTfLiteString));
    LITE_EXTENSION_TRY(check_vector(context, node, parts_op, "starts", kPartStarts, kTfLiteInt32));
    LITE_EXTENSION_TRY(check_vector(context, node, parts_op, "ends", kPartEnds, kTfLiteInt32));
    LITE_EXTENSION_TRY(check_vector(context, node, parts_op, "row splits", kPartSplits, kTfLiteInt64));
    LITE_EXTENSION_TRY(lite_extension_check_output(context, node, parts_op, "output", kParts, kTfLiteString));
    LITE_EXTENSION_TRY(
        lite_extension_check_output(context, node, parts_op, "output", kPartsSplits, kTfLiteInt64));
    int sizes[kPartsInputs];
    for (int i = 0; i < kPartsInputs; i++) {
        sizes[i] = TfLiteOpaqueTensorDim(TfLiteOpaqueNodeGetInput(context, node, i), 0);
    }
    if (sizes[kPartStarts] != sizes[kPartEnds] || sizes[kPartSplits] != (int64_t)sizes[kValues] + 1) {
        return lite_extension_fail(context, "%s: %d strings, %d row splits, %d starts and %d ends", parts_op,
                                   sizes[kValues], sizes[kPartSplits], sizes[kPartStarts], sizes[kPartEnds]);
    }
    TfLiteOpaqueTensorSetAllocationTypeToDynamic(TfLiteOpaqueNodeGetOutput(context, node, kParts));
    return lite_extension_resize(context, parts_op, TfLiteOpaqueNodeGetOutput(context, node, kPartsSplits),
                                 NULL, 0, sizes[kPartSplits]);
}

static TfLiteStatus list_parts(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const int64_t* splits,
                               LiteExtensionStrings* list) {
    const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, kValues);
    const TfLiteOpaqueTensor* starts = TfLiteOpaqueNodeGetInput(context, node, kPartStarts);
    const TfLiteOpaqueTensor* ends = TfLiteOpaqueNodeGetInput(context, node, kPartEnds);
    for (int i = 0; i < TfLiteOpaqueTensorDim(input, 0); i++) {
        const char* text;
        int length;
        LITE_EXTENSION_TRY(lite_extension_string(context, parts_op, input, i, &text, &length));
        for (int64_t k = splits[i]; k < splits[i + 1]; k++) {
            const int64_t start = lite_extension_integer(starts, k), end = lite_extension_integer(ends, k);
            if (start < 0 || end < start || end > length) {
                return lite_extension_fail(context, "%s: from %lld to %lld in string %d of %d bytes",
                                           parts_op, (long long)start, (long long)end, i, length);
            }
            list->texts[k] = text + start;
            list->lengths[k] = (int)(end - start);
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus parts_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteOpaqueTensor* given = TfLiteOpaqueNodeGetInput(context, node, kPartSplits);
    const TfLiteOpaqueTensor* starts = TfLiteOpaqueNodeGetInput(context, node, kPartStarts);
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, kParts);
    const int64_t parts = TfLiteOpaqueTensorDim(starts, 0);
    int count;
    LITE_EXTENSION_TRY(lite_extension_string_count(context, parts_op,
                                                   TfLiteOpaqueNodeGetInput(context, node, kValues), &count));
    const int64_t* splits = TfLiteOpaqueTensorData(given);
    int64_t* written = row_splits(TfLiteOpaqueNodeGetOutput(context, node, kPartsSplits), count);
    if (written == NULL || splits == NULL || TfLiteOpaqueTensorDim(given, 0) != (int64_t)count + 1) {
        return lite_extension_fail(context, "%s: the input was resized and the tensors not allocated",
                                   parts_op);
    }
    for (int i = 0; i <= count; i++) {
        if (splits[i] < (i > 0 ? splits[i - 1] : 0) || splits[i] > parts || (i == 0 && splits[i] != 0)) {
            return lite_extension_fail(context, "%s: row split %d is %lld, of %lld parts", parts_op, i,
                                       (long long)splits[i], (long long)parts);
        }
    }
    memcpy(written, splits, ((size_t)count + 1) * sizeof(*splits));
    LiteExtensionStrings list = {0};
    TfLiteStatus status = lite_extension_strings_create(context, parts_op, splits[count], &list);
    if (status == kTfLiteOk) status = list_parts(context, node, splits, &list);
    if (status == kTfLiteOk)
        status = lite_extension_resize(context, parts_op, output, NULL, 0, splits[count]);
    if (status == kTfLiteOk) status = lite_extension_strings_write(context, parts_op, &list, output);
    lite_extension_strings_free(&list);
    return status;
}

const LiteExtensionOperator lite_text_byte_split = {
    .name = all_op, .prepare = all_prepare, .invoke = all_invoke};
const LiteExtensionOperator lite_text_byte_parts = {
    .name = parts_op, .prepare = parts_prepare, .invoke = parts_invoke};
