// SPDX-License-Identifier: Apache-2.0
// Texts: endings, and characters in UTF-8.
#ifndef TOOLS_COMMON_TEXT_H_
#define TOOLS_COMMON_TEXT_H_

#include <stdbool.h>

bool tool_text_ends_with(const char* text, const char* end);

// Stores the character at `text` in *code and returns its length in bytes. Bytes that are not UTF-8 count as
// characters of one byte, with the code TOOL_TEXT_INVALID.
enum { TOOL_TEXT_INVALID = 0xfffd };
int tool_text_next(const char* text, unsigned* code);

#endif
