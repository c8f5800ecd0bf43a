// SPDX-License-Identifier: Apache-2.0
#include "tools/common/text.h"

#include <string.h>

bool tool_text_ends_with(const char* text, const char* end) {
    const size_t length = strlen(text);
    return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

int tool_text_next(const char* text, unsigned* code) {
    static const unsigned kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char* bytes = (const unsigned char*)text;
    const int length = bytes[0] < 0x80   ? 1
                       : bytes[0] < 0xc0 ? 0
                       : bytes[0] < 0xe0 ? 2
                       : bytes[0] < 0xf0 ? 3
                                         : 4;
    *code = bytes[0];
    if (length == 1) return 1;
    if (length == 4) *code &= 0x07;
    if (length == 3) *code &= 0x0f;
    if (length == 2) *code &= 0x1f;
    for (int i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80) {
            *code = TOOL_TEXT_INVALID;
            return 1;
        }
        *code = *code << 6 | (bytes[i] & 0x3f);
    }
    const bool is_surrogate = *code >= 0xd800 && *code < 0xe000;
    if (length > 1 && bytes[0] < 0xf8 && *code >= kSmallest[length] && *code <= 0x10ffff && !is_surrogate) {
        return length;
    }
    *code = TOOL_TEXT_INVALID;
    return 1;
}
