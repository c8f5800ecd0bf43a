// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest.h"

#include <ctype.h>
#include <string.h>

enum { kMaxWord = 63 };

static int word_length(const char* word) {
    const size_t length = strlen(word);
    return length < kMaxWord ? (int)length : kMaxWord;
}

static char plain(char c) {
    return c == '-' ? '_' : (char)tolower((unsigned char)c);
}

static int least(int a, int b) {
    return a < b ? a : b;
}

// Computes the distance of Levenshtein, one row of the table at a time.
int lite_edit_distance(const char* a, const char* b) {
    const int rows = word_length(a);
    const int columns = word_length(b);
    int row[kMaxWord + 1];
    for (int j = 0; j <= columns; j++) row[j] = j;
    for (int i = 1; i <= rows; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= columns; j++) {
            const int replaced = diagonal + (plain(a[i - 1]) != plain(b[j - 1]));
            diagonal = row[j];
            row[j] = least(replaced, 1 + least(row[j], row[j - 1]));
        }
    }
    return row[columns];
}

void lite_nearest(const char* word, const char* candidate, const char** best) {
    const int distance = lite_edit_distance(word, candidate);
    if (3 * distance > word_length(candidate)) return;
    if (*best == NULL || distance < lite_edit_distance(word, *best)) *best = candidate;
}
