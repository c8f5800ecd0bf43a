// SPDX-License-Identifier: Apache-2.0
// Guesses what a user may have meant by an unknown word.
#ifndef CORE_BASE_NEAREST_H_
#define CORE_BASE_NEAREST_H_

// Returns the edit distance of two words: how many characters to insert, remove or replace, and how many
// pairs of neighbours to exchange. Words are cut off after 63 characters; '-' and '_', and upper and lower
// case, are equal.
int lite_edit_distance(const char* a, const char* b);

// Stores `candidate` in *best if it is nearer to `word` than *best (NULL: none yet), and near enough to be a
// typing mistake: at most a third of it differs.
void lite_nearest(const char* word, const char* candidate, const char** best);

#endif
