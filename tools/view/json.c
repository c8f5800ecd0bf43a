// SPDX-License-Identifier: Apache-2.0
#include "tools/view/json.h"

#include <math.h>

#include "tools/common/text.h"

static bool needs_escape(unsigned code) {
    return code < 0x20 || code == '"' || code == '\\' || code == '<' || code == '>' || code == '&' ||
           (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 || code == TOOL_TEXT_INVALID;
}

static void print_text(FILE* out, const char* text) {
    fputc('"', out);
    while (*text) {
        unsigned code;
        const int length = tool_text_next(text, &code);
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
    if (key == NULL) return;
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
    if (text != NULL) {
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
    for (int i = 0; i < count; i++) view_json_integer(json, NULL, values[i]);
    view_json_close(json, ']');
}
