// SPDX-License-Identifier: Apache-2.0
// Text that grows.
#include "core/edit/text.h"

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

static void add_string(LiteText* text, const char* string, size_t length) {
    lite_text_add(text, "\"");
    for (size_t i = 0; i < length && text->length < kMaxLength; i++) {
        const unsigned char c = (unsigned char)string[i];
        if (c == '"' || c == '\\')
            lite_text_add(text, "\\%c", c);
        else if (c < 0x20)
            lite_text_add(text, "\\u%04x", c);
        else
            lite_text_add(text, "%c", c);
    }
    lite_text_add(text, "\"");
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
            add_string(text, key, strlen(key));
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
        add_string(text, string, size);
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
