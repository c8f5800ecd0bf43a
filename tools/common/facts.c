// SPDX-License-Identifier: Apache-2.0
#include "tools/common/facts.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/file.h"
#include "tools/common/text.h"

enum { kColumn = 30 }; // where values begin

static const struct {
    const char* suffix;
    const char* unit;
} kUnits[] = {
    {"_us", "us"}, {"_mhz", "MHz"}, {"_gflops", "GFLOP/s"}, {"_gops", "GOP/s"}, {"_gb_per_s", "GB/s"},
};

static void print_bytes(double bytes) {
    static const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 4; unit++) bytes /= 1024;
    printf(bytes == floor(bytes) ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
}

static void print_number(const char* key, double value) {
    if (tool_text_ends_with(key, "_bytes")) {
        print_bytes(value);
        return;
    }
    const char* unit = "";
    for (size_t u = 0; u < sizeof(kUnits) / sizeof(kUnits[0]); u++) {
        if (tool_text_ends_with(key, kUnits[u].suffix)) unit = kUnits[u].unit;
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
        print_number(value->string != NULL ? value->string : "", value->valuedouble);
    } else if (cJSON_IsArray(value)) {
        const cJSON* item;
        cJSON_ArrayForEach(item, value) {
            if (item != value->child) printf(", ");
            print_value(item);
        }
        if (value->child == NULL) printf("none");
    } else {
        printf("not known");
    }
}

// Prints the key without its unit, with spaces between words.
static int print_key(const char* key, int indent) {
    size_t length = strlen(key);
    if (tool_text_ends_with(key, "_bytes")) length -= strlen("_bytes");
    for (size_t u = 0; u < sizeof(kUnits) / sizeof(kUnits[0]); u++) {
        if (tool_text_ends_with(key, kUnits[u].suffix)) length -= strlen(kUnits[u].suffix);
    }
    printf("%*s", indent, "");
    for (size_t i = 0; i < length; i++) putchar(key[i] == '_' ? ' ' : key[i]);
    return indent + (int)length;
}

static void print_object(const cJSON* object, int indent);

// Prints an item as the array's name and the first fact, "opencl device 0", with the other facts below; where
// the first one is a list, as the array's name and a number.
static void print_items(const cJSON* array, int indent) {
    const cJSON* item;
    int number = 0;
    cJSON_ArrayForEach(item, array) {
        print_key(array->string != NULL ? array->string : "", indent);
        printf(" ");
        cJSON rest = *item;
        if (cJSON_IsArray(item->child) || cJSON_IsObject(item->child)) {
            printf("%d", number);
        } else if (item->child != NULL) {
            print_value(item->child);
            rest.child = item->child->next;
        }
        printf("\n");
        print_object(&rest, indent + 2);
        number++;
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

void tool_facts_print(const cJSON* object, int indent) {
    print_object(object, indent);
}

// Writes a line, and frees `text`.
static ToolStatus write_text(char* text, const char* path, ToolMessage* message) {
    if (text == NULL) return tool_out_of_memory(message);
    ToolOutput output;
    ToolStatus status = tool_output_open(path, &output, message);
    if (status == kToolOk) {
        fprintf(output.stream, "%s\n", text);
        status = tool_output_close(&output, kToolOk, message);
    }
    cJSON_free(text);
    return status;
}

ToolStatus tool_facts_write(const cJSON* object, const char* path, ToolMessage* message) {
    return write_text(object != NULL ? cJSON_Print(object) : NULL, path, message);
}

ToolStatus tool_facts_write_line(const cJSON* object, const char* path, ToolMessage* message) {
    return write_text(object != NULL ? cJSON_PrintUnformatted(object) : NULL, path, message);
}

void tool_facts_add_text(cJSON* object, const char* key, const char* text) {
    cJSON* item = cJSON_AddStringToObject(object, key, text != NULL ? text : "");
    char* at = item != NULL ? item->valuestring : NULL;
    while (at != NULL && *at) {
        unsigned code;
        const int length = tool_text_next(at, &code);
        if (length == 1 && code == TOOL_TEXT_INVALID) *at = '?';
        at += length;
    }
}

void tool_facts_add_measured(cJSON* object, const char* key, double value) {
    cJSON_AddNumberToObject(object, key, round(value * 1000) / 1000);
}
