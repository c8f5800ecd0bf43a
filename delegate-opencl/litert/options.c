// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/litert/options.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "delegate-opencl/litert/abi.h"

// Operators of which a CompiledModel for GPUs has kernels that only fail: an accelerator is supposed to take
// them.
#define NOT_RUN "Convolution2DTransposeBias+MaxPoolingWithArgmax2D+MaxUnpooling2D+Resampler"

// Pairs that are not in the variable.
enum { MAX_OWN_PAIRS = 8 };

// What the model's options say of a folder for programs. As in the reference's accelerators all three are
// needed.
typedef struct Folder {
    const char* path;
    bool has_key;
    bool is_off;
} Folder;

static void add(LitertPairs* pairs, const char* key, const char* value) {
    pairs->keys[pairs->count] = key;
    pairs->values[pairs->count++] = value;
}

// One of `count` words by its number in an option; NULL: the number is no text's place.
static TfLiteStatus find_word(const char* key, const char* value, const char* const* words, int count,
                              const char** word, const LiteReporter* reporter) {
    char* end;
    const long number = strtol(value, &end, 10);
    if (end == value || *end != '\0' || number < 0 || number >= count) {
        return lite_report(reporter, "the model's GPU option %.40s: \"%.40s\" is none of 0 to %d", key, value,
                           count - 1);
    }
    *word = words[number];
    return kTfLiteOk;
}

static TfLiteStatus take_option(LitertPairs* pairs, Folder* folder, const char* key, const char* value,
                                const LiteReporter* reporter) {
    static const char* const precisions[] = {[kLitertPrecisionDefault] = NULL,
                                             [kLitertPrecisionFloat16] = "float16",
                                             [kLitertPrecisionFloat32] = "float32",
                                             [kLitertPrecisionFloat16Sums32] = "float16"};
    static const char* const priorities[] = {
        NULL, [kLitertPriorityLow] = "low", [kLitertPriorityNormal] = NULL, [kLitertPriorityHigh] = "high"};
    const char* word = NULL;
    if (strcmp(key, "precision") == 0) {
        LITE_TRY(find_word(key, value, precisions, 4, &word, reporter));
    } else if (strcmp(key, "priority") == 0) {
        LITE_TRY(find_word(key, value, priorities, 4, &word, reporter));
    } else if (strcmp(key, "preferred_device_substr") == 0 && value[0] != '\0') {
        key = "device";
        word = value;
    } else if (strcmp(key, "serialization_dir") == 0) {
        folder->path = value;
    } else if (strcmp(key, "model_cache_key") == 0) {
        folder->has_key = value[0] != '\0';
    } else if (strcmp(key, "serialize_program_cache") == 0) {
        folder->is_off = strcmp(value, "false") == 0;
    }
    if (word != NULL) add(pairs, key, word);
    return kTfLiteOk;
}

static char* trim(char* text) {
    text += strspn(text, " \t\r");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]) != NULL) length--;
    text[length] = '\0';
    return text;
}

// Texts stand in quotes, in which nothing is escaped.
static char* unquote(char* value) {
    const size_t length = strlen(value);
    if (length < 2 || value[0] != '"' || value[length - 1] != '"') return value;
    value[length - 1] = '\0';
    return value + 1;
}

// Cuts the text of the model's options, in which each option is given once, into lines, and these into keys
// and values.
static TfLiteStatus read_model(LitertPairs* pairs, const LiteReporter* reporter) {
    Folder folder = {0};
    char* position = NULL;
    for (char* line = strtok_r(pairs->model_text, "\n", &position);
         line != NULL && pairs->count < MAX_OWN_PAIRS - 1; line = strtok_r(NULL, "\n", &position)) {
        char* equals = strchr(line, '=');
        if (equals == NULL) continue;
        *equals = '\0';
        LITE_TRY(take_option(pairs, &folder, trim(line), unquote(trim(equals + 1)), reporter));
    }
    if (folder.path != NULL && folder.path[0] != '\0' && folder.has_key && !folder.is_off)
        add(pairs, "cache_dir", folder.path);
    return kTfLiteOk;
}

static TfLiteStatus read_variable(LitertPairs* pairs, const LiteReporter* reporter) {
    char* position = NULL;
    for (char* pair = strtok_r(pairs->variable_text, ",", &position); pair != NULL;
         pair = strtok_r(NULL, ",", &position)) {
        char* equals = strchr(pair, '=');
        if (equals == NULL)
            return lite_report(reporter, "OCLITE_OPENCL_OPTIONS: \"%.40s\" has no value", pair);
        *equals = '\0';
        add(pairs, pair, equals + 1);
    }
    return kTfLiteOk;
}

static int count_pairs(const char* text) {
    int count = 1;
    for (const char* c = text; *c != '\0'; c++) count += *c == ',';
    return count;
}

TfLiteStatus litert_pairs_read(LitertPairs* pairs, const char* model_options, bool alone,
                               const LiteReporter* reporter) {
    const char* variable = secure_getenv("OCLITE_OPENCL_OPTIONS");
    if (variable == NULL) variable = "";
    const size_t most = MAX_OWN_PAIRS + (size_t)count_pairs(variable);
    *pairs = (LitertPairs){.keys = lite_calloc(most, sizeof(char*)),
                           .values = lite_calloc(most, sizeof(char*)),
                           .model_text = lite_strdup(model_options != NULL ? model_options : ""),
                           .variable_text = lite_strdup(variable)};
    if (pairs->keys == NULL || pairs->values == NULL || pairs->model_text == NULL ||
        pairs->variable_text == NULL)
        return lite_report(reporter, "out of memory");
    add(pairs, "unresolved", NOT_RUN);
    // Whoever wants this device alone does not ask which side is faster.
    if (alone && secure_getenv("OCLITE_OPENCL_PARTITION") == NULL) add(pairs, "partition", "all");
    LITE_TRY(read_model(pairs, reporter));
    return read_variable(pairs, reporter);
}

void litert_pairs_free(LitertPairs* pairs) {
    lite_free((void*)pairs->keys);
    lite_free((void*)pairs->values);
    lite_free(pairs->model_text);
    lite_free(pairs->variable_text);
}
