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

// Computes the distance one row of the table at a time; two rows above are looked at for characters that have
// changed places.
int lite_edit_distance(const char* a, const char* b) {
    const int rows = word_length(a), columns = word_length(b);
    int table[3][kMaxWord + 1];
    for (int j = 0; j <= columns; j++) table[0][j] = j;
    for (int i = 1; i <= rows; i++) {
        int* row = table[i % 3];
        const int *above = table[(i + 2) % 3], *before = table[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= columns; j++) {
            const char x = plain(a[i - 1]), y = plain(b[j - 1]);
            row[j] = least(above[j - 1] + (x != y), 1 + least(above[j], row[j - 1]));
            if (i > 1 && j > 1 && x == plain(b[j - 2]) && y == plain(a[i - 2]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return table[rows % 3][columns];
}

void lite_nearest(const char* word, const char* candidate, const char** best) {
    const int distance = lite_edit_distance(word, candidate);
    if (3 * distance > word_length(candidate)) return;
    if (*best == NULL || distance < lite_edit_distance(word, *best)) *best = candidate;
}
