// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The options that are written anew for the part.
static const char* const kPlaces[] = {"allow", "deny", "min_nodes", "max_partitions"};
static const char* const kPrecisions[] = {"precision", "precision_float32", "precision_float16",
                                          "error_budget"};
enum { KEYS = 4 };

static bool is_key(const char* option, const char* const* keys) {
    const size_t length = strcspn(option, "=,");
    for (int k = 0; k < KEYS; k++) {
        if (strlen(keys[k]) == length && memcmp(keys[k], option, length) == 0) return true;
    }
    return false;
}

static void append_option(char* text, const char* option, size_t length) {
    const size_t used = strlen(text);
    const bool is_first = strchr(text, ':') == NULL;
    sprintf(text + used, "%c%.*s", is_first ? ':' : ',', (int)length, option);
}

// Adds "KEY=0+2": the nodes of the part that are marked, or those that are not; nothing when there are none.
static int append_nodes(char* text, const char* key, const bool* marks, bool wanted, const int* nodes,
                        int count) {
    int found = 0;
    for (int n = 0; n < count; n++) {
        if (marks[nodes[n]] != wanted) continue;
        if (!found++) {
            append_option(text, key, strlen(key));
            strcat(text, "=");
        } else {
            strcat(text, "+");
        }
        sprintf(text + strlen(text), "%d", n);
    }
    return found;
}

char* diff_part_text(const DiffSide* side, const int* nodes, int count) {
    bool has_places = false;
    bool has_precisions = false;
    char* text = malloc(strlen(side->text) + (size_t)count * 24 + 64);
    if (text == NULL) return NULL;
    strcpy(text, side->text);
    if (side->setup.delegate == NULL || side->taken == NULL) return text;
    const size_t head = strcspn(text, ":");
    const char* option = side->text + head;
    text[head] = '\0';
    while (*option) {
        const size_t length = strcspn(++option, ",");
        const bool is_place = is_key(option, kPlaces);
        const bool is_precision = is_key(option, kPrecisions);
        has_places = has_places || is_place;
        has_precisions = has_precisions || is_precision;
        if (length && !is_place && !is_precision) append_option(text, option, length);
        option += length;
    }
    if (has_places) append_nodes(text, "deny", side->taken, false, nodes, count);
    if (!has_precisions) return text;
    char* end = text + strlen(text);
    if (append_nodes(text, "precision_float16", side->is_half, true, nodes, count) == count) {
        *end = '\0';
        append_option(text, "precision=float16", strlen("precision=float16"));
    }
    return text;
}
