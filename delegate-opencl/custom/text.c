// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/custom/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_name_part(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

bool lite_cl_text_ended(LiteClText* text) {
    while (text->at < text->end && isspace((unsigned char)*text->at)) text->at++;
    return text->at == text->end;
}

bool lite_cl_text_fail(const LiteClText* text, const char* format, ...) {
    char words[256];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    LiteClText rest = *text;
    const bool ended = lite_cl_text_ended(&rest);
    const int length = rest.end - rest.at > 40 ? 40 : (int)(rest.end - rest.at);
    lite_report(text->reporter, "OpenCL: %s:%d: %s, at %s%.*s%s", text->file, text->line, words,
                ended ? "the end of the line" : "\"", length, rest.at, ended ? "" : "\"");
    return false;
}

bool lite_cl_text_accept(LiteClText* text, const char* symbol) {
    if (lite_cl_text_ended(text)) return false;
    const size_t length = strlen(symbol), left = (size_t)(text->end - text->at);
    if (left < length || memcmp(text->at, symbol, length) != 0) return false;
    if (is_name_part(symbol[0]) && left > length && is_name_part(text->at[length])) return false;
    text->at += length;
    return true;
}

bool lite_cl_text_expect(LiteClText* text, const char* symbol) {
    return lite_cl_text_accept(text, symbol) || lite_cl_text_fail(text, "expected \"%s\"", symbol);
}

bool lite_cl_text_name(LiteClText* text, const char* what, char name[LITE_CL_NAME]) {
    if (lite_cl_text_ended(text) || !is_name_part(*text->at) || isdigit((unsigned char)*text->at))
        return lite_cl_text_fail(text, "expected %s", what);
    size_t length = 0;
    while (text->at + length < text->end && is_name_part(text->at[length])) length++;
    if (length >= LITE_CL_NAME)
        return lite_cl_text_fail(text, "a name of %zu characters, at most %d are allowed", length,
                                 LITE_CL_NAME - 1);
    memcpy(name, text->at, length);
    name[length] = '\0';
    text->at += length;
    return true;
}

bool lite_cl_text_number(LiteClText* text, double* number, bool* is_real) {
    if (lite_cl_text_ended(text)) return false;
    // strtod would read on after the line's end, and accept names like "inf".
    char digits[64];
    size_t length = 0;
    *is_real = false;
    const char* p = text->at;
    while (p + length < text->end && length < sizeof digits - 1) {
        const char c = p[length];
        const bool is_sign =
            length > 0 && (c == '-' || c == '+') && (p[length - 1] == 'e' || p[length - 1] == 'E');
        const bool is_exponent = length > 0 && (c == 'e' || c == 'E');
        if (!isdigit((unsigned char)c) && c != '.' && !is_exponent && !is_sign) break;
        *is_real = *is_real || c == '.' || is_exponent;
        digits[length++] = c;
    }
    digits[length] = '\0';
    if (length == 0 || (!isdigit((unsigned char)digits[0]) && !isdigit((unsigned char)digits[1])))
        return false;
    char* end;
    *number = strtod(digits, &end);
    text->at += end - digits;
    return end > digits;
}
