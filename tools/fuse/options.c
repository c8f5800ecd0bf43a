// SPDX-License-Identifier: Apache-2.0
#include "tools/fuse/options.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/flexbuffers_writer.h"

// cJSON limits the depth to CJSON_NESTING_LIMIT. The writer remembers errors.
static void write_value(OcliteFlexWriter* writer, const cJSON* value) {
    const bool is_object = cJSON_IsObject(value);
    if (is_object || cJSON_IsArray(value)) {
        (void)(is_object ? oclite_flex_begin_map(writer) : oclite_flex_begin_vector(writer));
        for (const cJSON* child = value->child; child != NULL; child = child->next) {
            if (is_object) oclite_flex_write_key(writer, child->string);
            write_value(writer, child);
        }
        oclite_flex_end(writer);
    } else if (cJSON_IsString(value)) {
        oclite_flex_write_string(writer, value->valuestring, strlen(value->valuestring));
    } else if (cJSON_IsBool(value)) {
        oclite_flex_write_bool(writer, cJSON_IsTrue(value));
    } else if (cJSON_IsNumber(value)) {
        const double number = value->valuedouble;
        if (number == trunc(number) && fabs(number) <= 9007199254740992.0) {
            oclite_flex_write_int(writer, (int64_t)number);
        } else {
            oclite_flex_write_float(writer, number);
        }
    } else {
        oclite_flex_write_null(writer);
    }
}

static ToolStatus write_map(const cJSON* root, ToolBytes* bytes, ToolMessage* message) {
    OcliteFlexWriter* writer = oclite_flex_writer_create();
    size_t size = 0;
    write_value(writer, root);
    const void* written = oclite_flex_finish(writer, &size);
    ToolStatus status = kToolOk;
    if (written == NULL) {
        status = tool_fail(message, kToolFile, "--options: %s",
                           writer != NULL ? oclite_flex_writer_error(writer) : "out of memory");
    } else if ((bytes->data = malloc(size + 1)) != NULL) {
        memcpy(bytes->data, written, size);
        bytes->data[size] = '\0';
        bytes->size = size;
    } else {
        status = tool_out_of_memory(message);
    }
    oclite_flex_writer_delete(writer);
    return status;
}

static ToolStatus parse(const char* text, size_t size, ToolBytes* bytes, ToolMessage* message) {
    const char* end = NULL;
    cJSON* root = cJSON_ParseWithLengthOpts(text, size + 1, &end, true);
    const ToolStatus status = cJSON_IsObject(root)
                                  ? write_map(root, bytes, message)
                                  : tool_fail(message, kToolFile, "--options: no JSON object, at \"%.20s\"",
                                              end != NULL ? end : "");
    cJSON_Delete(root);
    return status;
}

ToolStatus fuse_options(const char* text, ToolBytes* bytes, ToolMessage* message) {
    const char* ending = strrchr(text, '.');
    *bytes = (ToolBytes){0};
    if (text[0] == '{') return parse(text, strlen(text), bytes, message);
    if (ending == NULL || strcmp(ending, ".json") != 0) return tool_file_read(text, bytes, message);
    ToolBytes file = {0};
    ToolStatus status = tool_file_read(text, &file, message);
    if (status == kToolOk) status = parse(file.data, file.size, bytes, message);
    tool_bytes_free(&file);
    return status;
}
