// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/choice.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// What "any" means, best first.
static const cl_device_type preference[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR,
                                            CL_DEVICE_TYPE_CPU};
enum { PREFERENCE_COUNT = sizeof preference / sizeof preference[0] };

static const struct {
    const char* word;
    cl_device_type type;
} type_words[] = {
    {"gpu", CL_DEVICE_TYPE_GPU},
    {"accelerator", CL_DEVICE_TYPE_ACCELERATOR},
    {"cpu", CL_DEVICE_TYPE_CPU},
};
enum { TYPE_WORD_COUNT = sizeof type_words / sizeof type_words[0] };

static int nth_of_type(cl_device_type type, int n, const LiteClCandidate* candidates, int count) {
    for (int i = 0; i < count; i++) {
        if ((candidates[i].type & type) != 0 && n-- == 0) return i;
    }
    return -1;
}

int lite_cl_choose_any(int n, const LiteClCandidate* candidates, int count) {
    for (int p = 0; p < PREFERENCE_COUNT; p++) {
        for (int i = 0; i < count; i++) {
            if ((candidates[i].type & preference[p]) != 0 && n-- == 0) return i;
        }
    }
    return -1;
}

static int nth_of_name(const char* word, int n, const LiteClCandidate* candidates, int count) {
    for (int i = 0; i < count; i++) {
        const bool matches = strcasestr(candidates[i].name, word) != NULL ||
                             strcasestr(candidates[i].platform_name, word) != NULL ||
                             strcasestr(candidates[i].platform_vendor, word) != NULL ||
                             strcasestr(candidates[i].platform_version, word) != NULL;
        if (matches && n-- == 0) return i;
    }
    return -1;
}

// Splits "word:3"; a text without ":digits" at its end is all word and number 0.
static bool split(const char* text, char* word, size_t size, int* number) {
    *number = 0;
    size_t length = strlen(text);
    const char* colon = strrchr(text, ':');
    if (colon != NULL && isdigit((unsigned char)colon[1])) {
        char* end;
        const long value = strtol(colon + 1, &end, 10);
        if (*end == '\0' && value <= 1000) {
            *number = (int)value;
            length = (size_t)(colon - text);
        }
    }
    if (length >= size) return false;
    memcpy(word, text, length);
    word[length] = '\0';
    return true;
}

// "2": the device itself.
static bool read_index(const char* text, int* index) {
    int value = 0;
    for (const char* c = text; *c != '\0'; c++) {
        if (!isdigit((unsigned char)*c)) return false;
        value = value < 1000 ? value * 10 + (*c - '0') : value;
    }
    *index = value;
    return text[0] != '\0';
}

bool lite_cl_is_any(const char* text) {
    return text == NULL || text[0] == '\0' || strcasecmp(text, "any") == 0;
}

int lite_cl_choose(const char* text, const LiteClCandidate* candidates, int count) {
    char word[128];
    int number;
    if (text != NULL && read_index(text, &number)) return number < count ? number : -1;
    if (!split(text != NULL ? text : "", word, sizeof word, &number)) return -1;
    if (word[0] == '\0' || strcasecmp(word, "any") == 0) return lite_cl_choose_any(number, candidates, count);
    for (int t = 0; t < TYPE_WORD_COUNT; t++) {
        if (strcasecmp(word, type_words[t].word) == 0) {
            return nth_of_type(type_words[t].type, number, candidates, count);
        }
    }
    return nth_of_name(word, number, candidates, count);
}
