// SPDX-License-Identifier: Apache-2.0
#include "tools/common/strings.h"

#include <cJSON.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/base64.h"
#include "tools/common/file.h"

static bool parse_shape(const cJSON* list, ToolShape* shape) {
    if (!cJSON_IsArray(list)) return false;
    const cJSON* dim = NULL;
    shape->rank = 0;
    cJSON_ArrayForEach(dim, list) {
        const double value = cJSON_IsNumber(dim) ? dim->valuedouble : -1;
        if (!(value >= 0 && value <= INT_MAX) || value != floor(value) || shape->rank == TOOL_MAX_RANK)
            return false;
        shape->dims[shape->rank++] = (int)value;
    }
    return true;
}

// Decodes the elements of a list one after the other. All of them together are shorter than `text_size`.
static bool decode_items(const cJSON* list, size_t text_size, ToolStrings* strings) {
    char* end = strings->storage = malloc(text_size + 1);
    strings->items = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof(*strings->items));
    strings->lengths = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof(*strings->lengths));
    if (strings->storage == NULL || strings->items == NULL || strings->lengths == NULL) return false;
    const cJSON* item = NULL;
    cJSON_ArrayForEach(item, list) {
        size_t size = 0;
        if (!cJSON_IsString(item)) return false;
        if (!tool_base64_decode(item->valuestring, strlen(item->valuestring), end, &size) || size > INT_MAX) {
            return false;
        }
        strings->items[strings->count] = end;
        strings->lengths[strings->count++] = (int)size;
        end += size;
    }
    return true;
}

ToolStatus tool_strings_parse(const char* name, const char* text, size_t size, ToolStrings* strings,
                              ToolMessage* message) {
    *strings = (ToolStrings){0};
    cJSON* root = cJSON_ParseWithLength(text, size);
    const cJSON* shape = cJSON_GetObjectItemCaseSensitive(root, "shape");
    const cJSON* list = cJSON_IsObject(root) ? cJSON_GetObjectItemCaseSensitive(root, "data") : root;
    size_t count = 0;
    ToolStatus status = kToolOk;
    if (!cJSON_IsArray(list) || !decode_items(list, size, strings)) {
        status = tool_fail(message, kToolFile, "%s: not a JSON list of strings in base64", name);
    } else if (shape != NULL && !parse_shape(shape, &strings->shape)) {
        status = tool_fail(message, kToolFile, "%s: \"shape\" is not a list of dimensions", name);
    } else if (shape != NULL &&
               (!tool_shape_count(&strings->shape, &count) || count != (size_t)strings->count)) {
        status =
            tool_fail(message, kToolFile, "%s: \"data\" has %d elements, which is not what \"shape\" says",
                      name, strings->count);
    }
    strings->has_shape = shape != NULL;
    cJSON_Delete(root);
    if (status != kToolOk) tool_strings_free(strings);
    return status;
}

void tool_strings_free(ToolStrings* strings) {
    free(strings->items);
    free(strings->lengths);
    free(strings->storage);
    *strings = (ToolStrings){0};
}

static char* encode_item(const char* item, int length) {
    const size_t size = tool_base64_length((size_t)length);
    char* text = malloc(size + 1);
    if (text == NULL) return NULL;
    tool_base64_encode(item, (size_t)length, text);
    text[size] = '\0';
    return text;
}

static bool add_items(cJSON* list, const ToolStrings* strings) {
    for (int i = 0; i < strings->count; i++) {
        char* text = encode_item(strings->items[i], strings->lengths[i]);
        const bool added = text != NULL && cJSON_AddItemToArray(list, cJSON_CreateString(text));
        free(text);
        if (!added) return false;
    }
    return true;
}

ToolStatus tool_strings_write(const char* path, const ToolStrings* strings, ToolMessage* message) {
    cJSON* root = cJSON_CreateObject();
    char* text = NULL;
    if (cJSON_AddItemToObject(root, "shape",
                              cJSON_CreateIntArray(strings->shape.dims, strings->shape.rank)) &&
        add_items(cJSON_AddArrayToObject(root, "data"), strings)) {
        text = cJSON_PrintUnformatted(root);
    }
    const ToolStatus status = text != NULL ? tool_file_write(path, text, strlen(text), NULL, 0, message)
                                           : tool_fail(message, kToolFile, "%s: out of memory", path);
    cJSON_free(text);
    cJSON_Delete(root);
    return status;
}
