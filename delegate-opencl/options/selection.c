// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/options/selection.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/base/nearest.h"
#include "core/base/operator.h"

// Reads digits up to `end`; false when there are none, too many, or other characters.
static bool read_number(const char* text, const char* end, int* number) {
    long value = 0;
    if (text == end) return false;
    for (; text < end; text++) {
        if (!isdigit((unsigned char)*text)) return false;
        value = value * 10 + (*text - '0');
        if (value > INT_MAX) return false;
    }
    *number = (int)value;
    return true;
}

// Is it made of digits, perhaps with one ':' among them?
static bool looks_like_number(const char* entry, size_t length) {
    int colons = 0;
    for (size_t i = 0; i < length; i++) {
        colons += entry[i] == ':';
        if (entry[i] != ':' && !isdigit((unsigned char)entry[i])) return false;
    }
    return colons <= 1;
}

// "17" or "1:17"; *graph is -1 without one.
static bool read_node(const char* entry, size_t length, int* graph, int* node) {
    const char *end = entry + length, *colon = memchr(entry, ':', length);
    *graph = -1;
    if (colon == NULL) return read_number(entry, end, node);
    return read_number(entry, colon, graph) && read_number(colon + 1, end, node);
}

TfLiteStatus lite_cl_selection_check(const char* list, const char* key, const LiteReporter* reporter) {
    const char* entry = list;
    while (*list != '\0') {
        const size_t length = strcspn(entry, "+");
        int graph, node;
        if (length == 0)
            return lite_report(reporter, "OpenCL: option %s: \"%s\" has an empty entry", key, list);
        if (looks_like_number(entry, length) && !read_node(entry, length, &graph, &node)) {
            return lite_report(reporter, "OpenCL: option %s: \"%.*s\" is not a node's number", key,
                               (int)length, entry);
        }
        if (entry[length] == '\0') break;
        entry += length + 1;
    }
    return kTfLiteOk;
}

bool lite_cl_selection_next(const char** list, LiteClEntry* entry) {
    if (**list == '\0') return false;
    const size_t length = strcspn(*list, "+");
    *entry = (LiteClEntry){.text = *list, .length = (int)length};
    entry->is_number =
        looks_like_number(*list, length) && read_node(*list, length, &entry->graph, &entry->node);
    *list += length;
    if (**list == '+') (*list)++;
    return true;
}

bool lite_cl_selection_names(const LiteClEntry* entry, const LiteClSelected* node) {
    if (entry->is_number)
        return entry->node == node->node && (entry->graph < 0 || entry->graph == node->graph);
    return (size_t)entry->length == strlen(node->op) &&
           strncmp(entry->text, node->op, (size_t)entry->length) == 0;
}

bool lite_cl_selection_has(const char* list, const LiteClSelected* node) {
    LiteClEntry entry;
    while (lite_cl_selection_next(&list, &entry)) {
        if (lite_cl_selection_names(&entry, node)) return true;
    }
    return false;
}

bool lite_cl_selection_is_builtin(const LiteClEntry* entry, const char** nearest) {
    char word[64];
    snprintf(word, sizeof word, "%.*s", entry->length, entry->text);
    if (nearest != NULL) *nearest = NULL;
    for (int code = 0;; code++) {
        const char* name = lite_operator_name(code);
        if (name == NULL) continue; // a gap
        if (strcmp(name, "UNKNOWN") == 0) return false;
        if (strlen(name) == (size_t)entry->length && strcmp(name, word) == 0) return true;
        if (nearest != NULL && entry->length < (int)sizeof word) lite_nearest(word, name, nearest);
    }
}

static bool has_both_cases(const LiteClEntry* entry) {
    bool upper = false, lower = false;
    for (int i = 0; i < entry->length; i++) {
        upper = upper || isupper((unsigned char)entry->text[i]);
        lower = lower || islower((unsigned char)entry->text[i]);
    }
    return upper && lower;
}

TfLiteStatus lite_cl_selection_check_names(const char* list, const char* key, const LiteReporter* reporter) {
    LiteClEntry entry;
    while (lite_cl_selection_next(&list, &entry)) {
        const char* nearest;
        if (entry.is_number || lite_cl_selection_is_builtin(&entry, &nearest) || nearest == NULL ||
            has_both_cases(&entry))
            continue;
        return lite_report(reporter, "OpenCL: option %s: there is no operator \"%.*s\"; did you mean %s?",
                           key, entry.length, entry.text, nearest);
    }
    return kTfLiteOk;
}
