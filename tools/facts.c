// SPDX-License-Identifier: Apache-2.0
#include "tools/facts.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tools/file.h"

enum { kColumn = 30 }; // where values begin

static const struct {
    const char* suffix;
    const char* unit;
} kUnits[] = {
    {"_us", "us"}, {"_mhz", "MHz"}, {"_gflops", "GFLOP/s"}, {"_gops", "GOP/s"}, {"_gb_per_s", "GB/s"},
};

static bool ends_with(const char* text, const char* end) {
    const size_t length = strlen(text);
    return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static void print_bytes(double bytes) {
    static const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 4; ++unit) bytes /= 1024;
    printf(bytes == floor(bytes) ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
}

static void print_number(const char* key, double value) {
    if (ends_with(key, "_bytes")) {
        print_bytes(value);
        return;
    }
    const char* unit = "";
    for (size_t u = 0; u < sizeof(kUnits) / sizeof(kUnits[0]); ++u) {
        if (ends_with(key, kUnits[u].suffix)) unit = kUnits[u].unit;
    }
    printf(value == floor(value) ? "%.0f" : fabs(value) < 10 ? "%.2f" : "%.1f", value);
    if (unit[0]) printf(" %s", unit);
}

static void print_value(const cJSON* value) {
    if (cJSON_IsString(value)) {
        tool_print_name(value->valuestring);
    } else if (cJSON_IsBool(value)) {
        printf(cJSON_IsTrue(value) ? "yes" : "no");
    } else if (cJSON_IsNumber(value)) {
        print_number(value->string ? value->string : "", value->valuedouble);
    } else if (cJSON_IsArray(value)) {
        const cJSON* item;
        cJSON_ArrayForEach(item, value) {
            if (item != value->child) printf(", ");
            print_value(item);
        }
        if (!value->child) printf("none");
    } else {
        printf("not known");
    }
}

// The key without its unit, words apart.
static int print_key(const char* key, int indent) {
    size_t length = strlen(key);
    if (ends_with(key, "_bytes")) length -= strlen("_bytes");
    for (size_t u = 0; u < sizeof(kUnits) / sizeof(kUnits[0]); ++u) {
        if (ends_with(key, kUnits[u].suffix)) length -= strlen(kUnits[u].suffix);
    }
    printf("%*s", indent, "");
    for (size_t i = 0; i < length; ++i) putchar(key[i] == '_' ? ' ' : key[i]);
    return indent + (int)length;
}

static void print_object(const cJSON* object, int indent);

// "opencl device 0": the array's name, the first fact, and the others below.
static void print_items(const cJSON* array, int indent) {
    const cJSON* item;
    cJSON_ArrayForEach(item, array) {
        print_key(array->string ? array->string : "", indent);
        printf(" ");
        if (item->child) print_value(item->child);
        printf("\n");
        cJSON rest = *item;
        if (item->child) rest.child = item->child->next;
        print_object(&rest, indent + 2);
    }
}

static void print_object(const cJSON* object, int indent) {
    const cJSON* fact;
    cJSON_ArrayForEach(fact, object) {
        if (cJSON_IsArray(fact) && cJSON_IsObject(fact->child)) {
            print_items(fact, indent);
            continue;
        }
        const int used = print_key(fact->string, indent);
        if (cJSON_IsObject(fact)) {
            printf("\n");
            print_object(fact, indent + 2);
            continue;
        }
        printf("%*s", used < kColumn ? kColumn - used : 1, "");
        print_value(fact);
        printf("\n");
    }
}

void tool_facts_print(const cJSON* object) {
    print_object(object, 0);
}

ToolStatus tool_facts_write(const cJSON* object, const char* path, ToolMessage* message) {
    char* text = object ? cJSON_Print(object) : NULL;
    if (!text) return tool_fail(message, kToolFile, "out of memory");
    ToolOutput output;
    ToolStatus status = tool_output_open(path, &output, message);
    if (status == kToolOk) {
        fprintf(output.stream, "%s\n", text);
        status = tool_output_close(&output, kToolOk, message);
    }
    cJSON_free(text);
    return status;
}

// The length of the character at `text` as UTF-8; 0 when it is none.
static size_t character_length(const unsigned char* text) {
    static const struct {
        unsigned char mask;
        unsigned char lead;
        unsigned least; // shorter forms are not allowed
    } forms[] = {{0x80, 0, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t length = 1; length <= 4; ++length) {
        if ((text[0] & forms[length - 1].mask) != forms[length - 1].lead) continue;
        unsigned code = text[0] & (unsigned char)~forms[length - 1].mask;
        for (size_t i = 1; i < length; ++i) {
            if ((text[i] & 0xc0) != 0x80) return 0;
            code = code << 6 | (text[i] & 0x3fu);
        }
        const bool is_surrogate = code >= 0xd800 && code < 0xe000;
        return code < forms[length - 1].least || code > 0x10ffff || is_surrogate ? 0 : length;
    }
    return 0;
}

void tool_facts_add_text(cJSON* object, const char* key, const char* text) {
    cJSON* item = cJSON_AddStringToObject(object, key, text ? text : "");
    unsigned char* at = item ? (unsigned char*)item->valuestring : NULL;
    while (at && *at) {
        const size_t length = character_length(at);
        if (length == 0) *at = '?';
        at += length > 0 ? length : 1;
    }
}

void tool_facts_add_measured(cJSON* object, const char* key, double value) {
    cJSON_AddNumberToObject(object, key, round(value * 1000) / 1000);
}
