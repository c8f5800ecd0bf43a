// SPDX-License-Identifier: Apache-2.0
#include "tools/view/about.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/metadata.h"

enum { MAX_NAME = 160, MAX_LIST = 200 };

static void print_pair(ViewJson* json, const char* name, const char* value) {
    view_json_open(json, NULL, '[');
    view_json_text(json, NULL, name);
    view_json_text(json, NULL, value);
    view_json_close(json, ']');
}

// A list of numbers, or of one; what does not fit is left out.
static void print_numbers(ViewJson* json, const char* name, const cJSON* value) {
    char text[MAX_LIST] = "";
    size_t length = 0;
    const cJSON* last = cJSON_IsArray(value) ? value->child : value;
    for (const cJSON* item = last; item != NULL && length < sizeof text; item = item->next) {
        const int written = snprintf(text + length, sizeof text - length, "%s%.9g", length > 0 ? ", " : "",
                                     item->valuedouble);
        length += written > 0 ? (size_t)written : 0;
        if (item == value) break; // its neighbours are other facts
    }
    if (length >= sizeof text) snprintf(text + sizeof text - 4, 4, "...");
    print_pair(json, name, text);
}

static void print_facts(ViewJson* json, const char* prefix, const cJSON* object) {
    const cJSON *fact, *item;
    cJSON_ArrayForEach(fact, object) {
        char name[MAX_NAME];
        int number = 0;
        snprintf(name, sizeof name, "%s%s%s", prefix, prefix[0] ? " " : "", fact->string);
        for (char* c = name; *c; c++) {
            if (*c == '_') *c = ' ';
        }
        if (cJSON_IsString(fact)) {
            print_pair(json, name, fact->valuestring);
        } else if (cJSON_IsObject(fact)) {
            print_facts(json, name, fact);
        } else if (!cJSON_IsArray(fact) || !cJSON_IsObject(fact->child)) {
            print_numbers(json, name, fact);
        } else {
            cJSON_ArrayForEach(item, fact) {
                char numbered[MAX_NAME + 16];
                snprintf(numbered, sizeof numbered, "%s %d", name, number++);
                print_facts(json, numbered, item);
            }
        }
    }
}

void view_print_about(ViewJson* json, const TfLiteModel* model) {
    ToolMessage damage = {{0}};
    OcliteMetadata* metadata = tool_metadata_read(model, &damage);
    cJSON* facts = cJSON_CreateObject();
    if (metadata != NULL) {
        tool_metadata_add(metadata, facts);
        tool_metadata_add_packed(metadata, facts);
    } else {
        tool_facts_add_text(facts, "damaged", damage.text);
    }
    if (facts != NULL && facts->child != NULL) {
        view_json_open(json, "about", '[');
        print_facts(json, "", facts);
        view_json_close(json, ']');
    }
    cJSON_Delete(facts);
    oclite_metadata_delete(metadata);
}
