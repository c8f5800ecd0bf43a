// SPDX-License-Identifier: Apache-2.0
// SKIP_GRAM: the sequences of `ngram_size` words of a text, in which up to max_skip_size words are left out
// between one word and the next.
#include <limits.h>
#include <string.h>

#include "core/base/cancel.h"
#include "kernels-cpu/support/strings.h"

static const char op[] = "SKIP_GRAM";

typedef struct Words {
    const char** texts;
    size_t* lengths;
    int count;
} Words;

// The grams found so far.
typedef struct Grams {
    LiteArena arena; // their texts
    const char** texts;
    int* lengths;
    int count;
    int capacity;
    size_t bytes; // of the output
} Grams;

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LITE_TRY(lite_kernel_check_counts(context, node, op, 1, 1, 1));
    if (TfLiteOpaqueNodeGetBuiltinData(node) == NULL) {
        return lite_fail(context, "%s: has no parameters", op);
    }
    LiteView input, output;
    LITE_TRY(lite_kernel_input(context, node, op, 0, &input));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    if (input.type != kTfLiteString || output.type != kTfLiteString) {
        return lite_fail(context, "%s: expected strings, got %s and %s", op, TfLiteTypeGetName(input.type),
                         TfLiteTypeGetName(output.type));
    }
    lite_kernel_set_dynamic(output.tensor);
    return kTfLiteOk;
}

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// Splits at white space; as in the reference a space at the very beginning belongs to the first word.
static bool split(const char* text, size_t length, Words* words) {
    words->texts = lite_calloc(length + 1, sizeof(*words->texts));
    words->lengths = lite_calloc(length + 1, sizeof(*words->lengths));
    if (words->texts == NULL || words->lengths == NULL || length >= INT_MAX) return false;
    size_t begin = 0;
    for (size_t i = 1; i <= length; i++) {
        if (i < length && !is_space(text[i])) continue;
        if (i > begin && (i == length || !is_space(text[begin]))) {
            words->texts[words->count] = text + begin;
            words->lengths[words->count++] = i - begin;
        }
        begin = i + 1;
    }
    return true;
}

static bool reserve(Grams* grams) {
    if (grams->count < grams->capacity) return true;
    if (grams->capacity > INT_MAX / 4) return false;
    const int capacity = grams->capacity * 2 + 16;
    const char** texts = lite_realloc(grams->texts, (size_t)capacity * sizeof(*texts));
    if (texts != NULL) grams->texts = texts;
    int* lengths = lite_realloc(grams->lengths, (size_t)capacity * sizeof(*lengths));
    if (lengths != NULL) grams->lengths = lengths;
    if (texts == NULL || lengths == NULL) return false;
    grams->capacity = capacity;
    return true;
}

// Joins the words of `stack` by spaces.
static bool add_gram(Grams* grams, const Words* words, const int* stack, int size) {
    size_t length = (size_t)size - 1;
    for (int i = 0; i < size; i++) length += words->lengths[stack[i]];
    grams->bytes += length + sizeof(int32_t);
    if (grams->bytes > INT32_MAX || !reserve(grams)) return false;
    char* to = lite_arena_alloc(&grams->arena, length, 1);
    if (to == NULL) return false;
    grams->texts[grams->count] = to;
    grams->lengths[grams->count++] = (int)length;
    for (int i = 0; i < size; i++) {
        if (i > 0) *to++ = ' ';
        memcpy(to, words->texts[stack[i]], words->lengths[stack[i]]);
        to += words->lengths[stack[i]];
    }
    return true;
}

// Goes through all increasing sequences of word numbers, depth first. Shorter grams come after those that
// they begin. stack[depth] is the word last tried as the next one of the `depth` chosen.
static bool enumerate(const TfLiteSkipGramParams* params, const Words* words, int* stack, Grams* grams) {
    const int size = params->ngram_size;
    int depth = 1;
    stack[0] = 0;
    if (size > 1) stack[1] = 0;
    for (int64_t step = 0; depth >= 0; step++) {
        if (lite_cancelled_at(step)) return false;
        // Without shorter grams, what cannot be completed any more is not begun.
        const int needed = params->include_all_ngrams ? 1 : size - depth;
        const bool fits = depth < size && words->count - 1 - stack[depth] >= needed;
        if (fits && (depth == 0 || stack[depth] - stack[depth - 1] <= params->max_skip_size)) {
            stack[depth]++;
            depth++;
            if (depth < size) stack[depth] = stack[depth - 1];
            continue;
        }
        if (depth > 0 && (depth == size || params->include_all_ngrams)) {
            if (!add_gram(grams, words, stack, depth)) return false;
        }
        depth--;
    }
    return true;
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteSkipGramParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteView input, output;
    LITE_TRY(lite_kernel_input(context, node, op, 0, &input));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    LITE_TRY(lite_strings_check(context, op, &input));
    size_t length = 0;
    const char* text = input.count > 0 ? lite_strings_get(&input, 0, &length) : "";
    Words words = {0};
    Grams grams = {0};
    int* stack = NULL;
    bool ok = split(text, length, &words);
    if (ok && params->ngram_size > 0 && params->ngram_size <= words.count) {
        stack = lite_calloc((size_t)params->ngram_size, sizeof(*stack));
        ok = stack != NULL && enumerate(params, &words, stack, &grams);
    }
    if (ok) {
        const LiteShape vector = {1, {grams.count}}; // also of one sequence in a scalar of the model
        ok = lite_kernel_resize(context, output.tensor, &vector) == kTfLiteOk;
    }
    if (ok) {
        ok = TfLiteOpaqueTensorWriteStrings(output.tensor, grams.texts, grams.count, grams.lengths) ==
             kTfLiteOk;
    }
    lite_free(words.texts);
    lite_free(words.lengths);
    lite_free(stack);
    lite_free(grams.texts);
    lite_free(grams.lengths);
    lite_arena_free(&grams.arena);
    return ok ? kTfLiteOk
              : lite_fail(context, "%s: no memory for sequences of %d words", op, params->ngram_size);
}

const LiteKernel lite_kernel_SKIP_GRAM = {.prepare = prepare, .invoke = invoke};
