// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/options/selection.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

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

static bool is_node(const char* entry, size_t length, const LiteClSelected* selected) {
    int graph, node;
    if (!looks_like_number(entry, length))
        return length == strlen(selected->op) && strncmp(entry, selected->op, length) == 0;
    return read_node(entry, length, &graph, &node) && node == selected->node &&
           (graph < 0 || graph == selected->graph);
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

bool lite_cl_selection_has(const char* list, const LiteClSelected* node) {
    while (*list != '\0') {
        const size_t length = strcspn(list, "+");
        if (is_node(list, length, node)) return true;
        list += length;
        if (*list == '+') list++;
    }
    return false;
}
