// SPDX-License-Identifier: Apache-2.0
// Reads the text of a declaration (declaration.h) word by word.
#ifndef DELEGATE_OPENCL_CUSTOM_TEXT_H_
#define DELEGATE_OPENCL_CUSTOM_TEXT_H_

#include <stdbool.h>
#include <stddef.h>

#include "core/base/status.h"

enum { LITE_CL_NAME = 64 }; // bytes of a name with its terminator

typedef struct LiteClText {
    const char* at;  // what is left of the line
    const char* end; // of the line
    const char* file;
    int line;
    const LiteReporter* reporter;
} LiteClText;

// Reports "FILE:LINE: " and the words, and what stands there; false.
bool lite_cl_text_fail(const LiteClText* text, const char* format, ...) LITE_PRINTF(2, 3);

// Is the line over but for blanks?
bool lite_cl_text_ended(LiteClText* text);
// Steps over `symbol`, if it comes next. One that is a word is not taken for the beginning of a longer one.
bool lite_cl_text_accept(LiteClText* text, const char* symbol);
// The same, and fails without.
bool lite_cl_text_expect(LiteClText* text, const char* symbol);
// A name: letters, digits and underlines; `what` says of what, when there is none.
bool lite_cl_text_name(LiteClText* text, const char* what, char name[LITE_CL_NAME]);
// Does a number come next? Then steps over it; *is_real: with a point or an exponent.
bool lite_cl_text_number(LiteClText* text, double* number, bool* is_real);

#endif
