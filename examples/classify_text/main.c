// SPDX-License-Identifier: Apache-2.0
// Says what a text is about. For models that take the numbers of words and give a score for each class. The
// model's metadata name what lies between words, as a regular expression, and the vocabulary, which has a
// word and its number in each line.
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/common/classes.h"
#include "examples/common/fail.h"
#include "examples/common/session.h"

static const char kUsage[] =
    "classify_text MODEL TEXT [--vocabulary FILE] [--labels FILE] [--top COUNT] [--threads COUNT]\n"
    "                     [--delegate opencl[:OPTION=VALUE,...]]";

static const char kUsualDelimiters[] = "[^a-z0-9']+";

// The number of a word of `length` characters; -1: it is not in the vocabulary. Looks at every line: a
// program for long texts would sort them first.
static int find_word(const Lines* vocabulary, const char* word, size_t length) {
    for (int i = 0; i < vocabulary->count; i++) {
        const char* line = vocabulary->items[i];
        if (strncmp(line, word, length) == 0 && line[length] == ' ') return atoi(line + length + 1);
    }
    return -1;
}

static int find_token(const Lines* vocabulary, const char* token) {
    return find_word(vocabulary, token, strlen(token));
}

// Puts the numbers of the words of a text, after that of <START> if there is one, into `numbers`; the rest
// are those of <PAD>.
static bool number_words(const char* text, const char* delimiters, const Lines* vocabulary, float* numbers,
                         size_t count) {
    const int start = find_token(vocabulary, "<START>"), unknown = find_token(vocabulary, "<UNKNOWN>");
    const int pad = find_token(vocabulary, "<PAD>");
    regex_t between;
    regmatch_t gap;
    size_t used = 0;
    if (unknown < 0 || pad < 0) return fail("the vocabulary has no number for <UNKNOWN>, or for <PAD>");
    if (regcomp(&between, delimiters, REG_EXTENDED) != 0)
        return fail("the model's delimiters '%s' are no regular expression of POSIX", delimiters);
    if (start >= 0) numbers[used++] = (float)start;
    while (*text && used < count) {
        const bool is_last = regexec(&between, text, 1, &gap, 0) != 0 || gap.rm_eo == 0;
        const size_t length = is_last ? strlen(text) : (size_t)gap.rm_so;
        const int number = find_word(vocabulary, text, length);
        if (length > 0) numbers[used++] = (float)(number >= 0 ? number : unknown);
        text += is_last ? length : (size_t)gap.rm_eo;
    }
    regfree(&between);
    while (used < count) numbers[used++] = (float)pad;
    return true;
}

// From the option, else from the file that the model's tokenizer names.
static bool read_vocabulary(const Session* session, const Options* options, Lines* vocabulary) {
    const OcliteMetadataTensor* about = session_about_input(session, 0);
    if (options->vocabulary != NULL) return lines_read(options->vocabulary, vocabulary);
    if (about == NULL || strcmp(about->tokenizer.kind, "regex") != 0 || about->tokenizer.file_count == 0)
        return fail("%s has no tokenizer with a vocabulary in its metadata: give one with --vocabulary FILE",
                    session->path);
    return lines_unpack(&about->tokenizer.files[0], vocabulary);
}

static bool classify(const Session* session, const Options* options, const Lines* vocabulary,
                     const Lines* names) {
    const TfLiteTensor* input = TfLiteInterpreterGetInputTensor(session->interpreter, 0);
    const OcliteMetadataTensor* about = session_about_input(session, 0);
    const size_t length = input != NULL ? session_count(input) : 0;
    const char* delimiters =
        about != NULL && about->tokenizer.delimiters[0] ? about->tokenizer.delimiters : kUsualDelimiters;
    char* text = strdup(options->input);
    float* numbers = calloc(length + 1, sizeof *numbers);
    size_t count = 0;
    bool good = text != NULL && numbers != NULL;
    for (char* c = text; good && *c; c++) *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    good = good && number_words(text, delimiters, vocabulary, numbers, length) &&
           session_set(session, 0, numbers, length) && session_run(session);
    float* scores = good ? session_get(session, 0, &count) : NULL;
    good = scores != NULL && classes_print(names, scores, count, options->top);
    free(scores);
    free(numbers);
    free(text);
    return good;
}

int main(int argc, char** argv) {
    Options options;
    Session session;
    Lines vocabulary = {0}, names = {0};
    if (!options_parse(argc, argv, kUsage, &options)) return 2;
    const bool good = session_open(&options, &session) && read_vocabulary(&session, &options, &vocabulary) &&
                      classes_read(&session, &options, 0, &names) &&
                      classify(&session, &options, &vocabulary, &names);
    lines_free(&vocabulary);
    lines_free(&names);
    session_close(&session);
    return good ? 0 : 1;
}
