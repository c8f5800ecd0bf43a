// SPDX-License-Identifier: Apache-2.0
// Text that grows.
#include "core/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

// A FlexBuffer can contain itself.
enum { kMaxDepth = 16, kMaxLength = 1 << 16 };

void lite_text_free(LiteText* text) {
    lite_free(text->data);
    *text = (LiteText){NULL};
}

void lite_text_clear(LiteText* text) {
    text->length = 0;
    if (text->data != NULL) text->data[0] = '\0';
}

void lite_text_add(LiteText* text, const char* format, ...) {
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (text->failed || length < 0) return;
    const size_t needed = text->length + (size_t)length + 1;
    if (needed > text->capacity) {
        const size_t capacity = 2 * needed + 64;
        char* data = lite_realloc(text->data, capacity);
        text->failed = data == NULL;
        if (data == NULL) return;
        text->data = data;
        text->capacity = capacity;
    }
    va_start(args, format);
    vsnprintf(text->data + text->length, text->capacity - text->length, format, args);
    va_end(args);
    text->length += (size_t)length;
}

void lite_text_add_number(LiteText* text, double value, bool is_float) {
    char digits[40];
    for (int precision = 6; precision <= 17; precision++) {
        snprintf(digits, sizeof(digits), "%.*g", precision, value);
        const double read = strtod(digits, NULL);
        if (is_float ? (float)read == (float)value : read == value) break;
    }
    lite_text_add(text, "%s", digits);
}

// The bytes of the character of UTF-8 that begins there; 0: it is none.
static size_t character(const char* string, size_t length) {
    const unsigned char first = (unsigned char)string[0];
    const size_t size = first < 0x80   ? 1
                        : first < 0xc2 ? 0
                        : first < 0xe0 ? 2
                        : first < 0xf0 ? 3
                        : first < 0xf5 ? 4
                                       : 0;
    if (size > length) return 0;
    for (size_t i = 1; i < size; i++) {
        if (((unsigned char)string[i] & 0xc0) != 0x80) return 0;
    }
    const unsigned char second = size > 2 ? (unsigned char)string[1] : 0x80;
    // Longer than need be, halves of UTF-16, beyond the last character.
    const bool is_wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                          (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
    return is_wrong ? 0 : size;
}

// No more once the text has `most` characters.
static void add_string(LiteText* text, const char* string, size_t length, size_t most) {
    lite_text_add(text, "\"");
    for (size_t i = 0; i < length && text->length < most;) {
        const unsigned char c = (unsigned char)string[i];
        const size_t size = character(string + i, length - i);
        if (c == '"' || c == '\\')
            lite_text_add(text, "\\%c", c);
        else if (c < 0x20)
            lite_text_add(text, "\\u%04x", c);
        else if (size == 0)
            lite_text_add(text, "\\ufffd");
        else
            lite_text_add(text, "%.*s", (int)size, string + i);
        i += size > 0 ? size : 1;
    }
    lite_text_add(text, "\"");
}

void lite_text_add_string(LiteText* text, const char* string, size_t length) {
    add_string(text, string, length, SIZE_MAX);
}

static void add_flex(LiteText* text, OcliteFlex value, int depth);

static void add_elements(LiteText* text, OcliteFlex value, bool is_map, int depth) {
    size_t count = 0;
    if (!oclite_flex_vector_size(value, &count)) count = 0;
    lite_text_add(text, is_map ? "{" : "[");
    for (size_t i = 0; i < count && !text->failed; i++) {
        OcliteFlex element;
        const char* key;
        if (i > 0) lite_text_add(text, ", ");
        if (depth >= kMaxDepth || text->length >= kMaxLength) {
            lite_text_add(text, "...");
            break;
        }
        if (is_map) {
            if (!oclite_flex_map_key(value, i, &key)) break;
            add_string(text, key, strlen(key), kMaxLength);
            lite_text_add(text, ": ");
        }
        if (!oclite_flex_vector_at(value, i, &element)) break;
        add_flex(text, element, depth + 1);
    }
    lite_text_add(text, is_map ? "}" : "]");
}

static void add_flex(LiteText* text, OcliteFlex value, int depth) {
    int64_t integer = 0;
    uint64_t natural = 0;
    double real = 0;
    bool truth = false;
    const char* string = "";
    const void* bytes;
    size_t size = 0;
    const OcliteFlexKind kind = oclite_flex_kind(value);
    if (kind == kOcliteFlexInt && oclite_flex_int(value, &integer)) {
        lite_text_add(text, "%lld", (long long)integer);
    } else if (kind == kOcliteFlexUInt && oclite_flex_uint(value, &natural)) {
        lite_text_add(text, "%llu", (unsigned long long)natural);
    } else if (kind == kOcliteFlexFloat && oclite_flex_float(value, &real)) {
        lite_text_add_number(text, real, (double)(float)real == real);
    } else if (kind == kOcliteFlexBool && oclite_flex_bool(value, &truth)) {
        lite_text_add(text, truth ? "true" : "false");
    } else if ((kind == kOcliteFlexString || kind == kOcliteFlexKey) &&
               oclite_flex_string(value, &string, &size)) {
        add_string(text, string, size, kMaxLength);
    } else if (kind == kOcliteFlexBlob && oclite_flex_blob(value, &bytes, &size)) {
        lite_text_add(text, "\"%zu bytes\"", size);
    } else if (kind == kOcliteFlexVector || kind == kOcliteFlexMap) {
        add_elements(text, value, kind == kOcliteFlexMap, depth);
    } else {
        lite_text_add(text, "null");
    }
}

void lite_text_add_flex(LiteText* text, OcliteFlex value) {
    add_flex(text, value, 0);
}
