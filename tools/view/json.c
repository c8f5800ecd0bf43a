// SPDX-License-Identifier: Apache-2.0
#include "tools/view/json.h"

#include <math.h>

int view_utf8_next(const char* text, unsigned* code) {
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
    for (int i = 1; i < length; ++i) {
        if ((bytes[i] & 0xc0) != 0x80) {
            *code = 0xfffd;
            return 1;
        }
        *code = *code << 6 | (bytes[i] & 0x3f);
    }
    const bool is_surrogate = *code >= 0xd800 && *code < 0xe000;
    if (length > 1 && bytes[0] < 0xf8 && *code >= kSmallest[length] && *code <= 0x10ffff && !is_surrogate) {
        return length;
    }
    *code = 0xfffd;
    return 1;
}

static bool needs_escape(unsigned code) {
    return code < 0x20 || code == '"' || code == '\\' || code == '<' || code == '>' || code == '&' ||
           (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 || code == 0xfffd;
}

static void print_text(FILE* out, const char* text) {
    fputc('"', out);
    while (*text) {
        unsigned code;
        const int length = view_utf8_next(text, &code);
        if (needs_escape(code)) {
            fprintf(out, "\\u%04x", code);
        } else {
            fwrite(text, 1, (size_t)length, out);
        }
        text += length;
    }
    fputc('"', out);
}

static void begin(ViewJson* json, const char* key) {
    if (json->needs_comma) fputc(',', json->out);
    json->needs_comma = true;
    if (!key) return;
    print_text(json->out, key);
    fputc(':', json->out);
}

void view_json_open(ViewJson* json, const char* key, char bracket) {
    begin(json, key);
    fputc(bracket, json->out);
    json->needs_comma = false;
}

void view_json_close(ViewJson* json, char bracket) {
    fputc(bracket, json->out);
    json->needs_comma = true;
}

void view_json_text(ViewJson* json, const char* key, const char* text) {
    begin(json, key);
    if (text) {
        print_text(json->out, text);
    } else {
        fputs("null", json->out);
    }
}

void view_json_integer(ViewJson* json, const char* key, long long value) {
    begin(json, key);
    fprintf(json->out, "%lld", value);
}

void view_json_real(ViewJson* json, const char* key, double value) {
    begin(json, key);
    if (isfinite(value)) {
        fprintf(json->out, "%.9g", value);
    } else {
        fputs("null", json->out);
    }
}

void view_json_flag(ViewJson* json, const char* key, bool value) {
    begin(json, key);
    fputs(value ? "true" : "false", json->out);
}

void view_json_integers(ViewJson* json, const char* key, const int* values, int count) {
    view_json_open(json, key, '[');
    for (int i = 0; i < count; ++i) view_json_integer(json, NULL, values[i]);
    view_json_close(json, ']');
}
