// SPDX-License-Identifier: Apache-2.0
// What a user may have meant by a word that is not known.
#ifndef TOOLS_NEAREST_H_
#define TOOLS_NEAREST_H_

// The edit distance of two words: how many characters to insert, remove or replace. Words above 63 characters
// are cut off there; '-' and '_' are the same.
int tool_edit_distance(const char* a, const char* b);

// Keeps `candidate` in *best when it is nearer to `word` than *best (NULL: none yet), and near enough to be a
// slip of the keyboard: at most a third of it differs.
void tool_nearest(const char* word, const char* candidate, const char** best);

#endif
