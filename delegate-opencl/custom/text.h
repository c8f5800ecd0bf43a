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

// Reports "FILE:LINE: ", the message, and the text that stands there. Returns false.
bool lite_cl_text_fail(const LiteClText* text, const char* format, ...) LITE_PRINTF(2, 3);

// Are only blanks left of the line?
bool lite_cl_text_ended(LiteClText* text);
// Steps over `symbol` if it comes next. A symbol that is a word does not match the beginning of a longer
// word.
bool lite_cl_text_accept(LiteClText* text, const char* symbol);
// The same, but fails without the symbol.
bool lite_cl_text_expect(LiteClText* text, const char* symbol);
// Reads a name of letters, digits and underlines. `what` says in the failure what was to be named.
bool lite_cl_text_name(LiteClText* text, const char* what, char name[LITE_CL_NAME]);
// Steps over a number if one comes next. *is_real: it has a point or an exponent.
bool lite_cl_text_number(LiteClText* text, double* number, bool* is_real);

#endif
