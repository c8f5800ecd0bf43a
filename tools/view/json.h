// SPDX-License-Identifier: Apache-2.0
// Writes JSON step by step. The result is safe within a <script> of a page: '<', '>', '&', control characters
// and line separators are escaped, and bytes that are not UTF-8 become U+FFFD, because texts come from
// models.
#ifndef TOOLS_VIEW_JSON_H_
#define TOOLS_VIEW_JSON_H_

#include <stdbool.h>
#include <stdio.h>

typedef struct ViewJson {
    FILE* out;
    bool needs_comma;
} ViewJson;

// `key` is the member's name, NULL within arrays and at the top. Brackets: "{}" or "[]".
void view_json_open(ViewJson* json, const char* key, char bracket);
void view_json_close(ViewJson* json, char bracket);
void view_json_text(ViewJson* json, const char* key, const char* text); // NULL: null
void view_json_integer(ViewJson* json, const char* key, long long value);
void view_json_real(ViewJson* json, const char* key, double value); // null unless finite
void view_json_flag(ViewJson* json, const char* key, bool value);
void view_json_integers(ViewJson* json, const char* key, const int* values, int count);

#endif
