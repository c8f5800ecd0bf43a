// SPDX-License-Identifier: Apache-2.0
#include "tools/run/batch.h"

#include <cJSON.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/opencl.h"
#include "tools/common/file.h"
#include "tools/common/job.h"

enum { MAX_STATUS_PATH = 4096 };

// A case as a job. Its runs point into the other arrays, and its strings into the JSON tree.
typedef struct Case {
    ToolJob job;
    ToolRun* runs;
    ToolResize* resizes;
    const char** files;
    int resize_count;
    int file_count;
} Case;

static bool parse_int(const cJSON* number, int* value) {
    if (!cJSON_IsNumber(number) || number->valuedouble < INT_MIN || number->valuedouble > INT_MAX)
        return false;
    *value = (int)number->valuedouble;
    return *value == number->valuedouble;
}

static bool parse_resize(const cJSON* entry, ToolResize* resize) {
    char* end = NULL;
    errno = 0;
    const long input = strtol(entry->string, &end, 10);
    if (end == entry->string || *end || errno || input < 0 || input > INT_MAX || !cJSON_IsArray(entry))
        return false;
    resize->input = (int)input;
    const cJSON* dim = NULL;
    cJSON_ArrayForEach(dim, entry) {
        ToolShape* shape = &resize->shape;
        if (shape->rank == TOOL_MAX_RANK || !parse_int(dim, &shape->dims[shape->rank++])) return false;
    }
    return true;
}

static bool parse_run(const cJSON* entry, Case* parsed) {
    const cJSON* resizes = cJSON_GetObjectItemCaseSensitive(entry, "resize");
    const cJSON* files = cJSON_GetObjectItemCaseSensitive(entry, "in");
    const cJSON* item = NULL;
    ToolRun* run = &parsed->runs[parsed->job.run_count++];
    *run = (ToolRun){.resizes = parsed->resizes + parsed->resize_count,
                     .files = parsed->files + parsed->file_count};
    if (!cJSON_IsObject(entry) || (resizes != NULL && !cJSON_IsObject(resizes)) ||
        (files != NULL && !cJSON_IsArray(files)))
        return false;
    cJSON_ArrayForEach(item, resizes) {
        run->resize_count++;
        if (!parse_resize(item, &parsed->resizes[parsed->resize_count++])) return false;
    }
    cJSON_ArrayForEach(item, files) {
        if (!cJSON_IsString(item) && !cJSON_IsNull(item)) return false;
        run->file_count++;
        parsed->files[parsed->file_count++] = item->valuestring; // NULL for null
    }
    return true;
}

// Returns an upper bound for the number of pieces of any kind below `entry`.
static size_t count_descendants(const cJSON* entry) {
    size_t count = 1;
    const cJSON* child = NULL;
    cJSON_ArrayForEach(child, entry) count += count_descendants(child);
    return count;
}

static ToolStatus parse_case(const cJSON* entry, Case* parsed, ToolMessage* message) {
    const cJSON* model = cJSON_GetObjectItemCaseSensitive(entry, "model");
    const cJSON* runs = cJSON_GetObjectItemCaseSensitive(entry, "runs");
    if (!cJSON_IsString(model) || !cJSON_IsArray(runs)) {
        return tool_fail(message, kToolUsage, "a case needs \"model\" and \"runs\"");
    }
    const size_t room = count_descendants(runs);
    parsed->runs = calloc(room, sizeof(*parsed->runs));
    parsed->resizes = calloc(room, sizeof(*parsed->resizes));
    parsed->files = calloc(room, sizeof(*parsed->files));
    if (parsed->runs == NULL || parsed->resizes == NULL || parsed->files == NULL)
        return tool_out_of_memory(message);
    parsed->job.model = model->valuestring;
    parsed->job.runs = parsed->runs;
    const cJSON* run = NULL;
    cJSON_ArrayForEach(run, runs) {
        if (!parse_run(run, parsed))
            return tool_fail(message, kToolUsage, "run %d is malformed", parsed->job.run_count - 1);
    }
    return kToolOk;
}

static void add_node(void* user_data, const OcliteOpenclNode* node) {
    cJSON* entry = cJSON_CreateObject();
    cJSON_AddStringToObject(entry, "op", node->op);
    cJSON_AddBoolToObject(entry, "taken", node->taken);
    cJSON_AddStringToObject(entry, "reason", node->reason);
    cJSON_AddItemToArray(user_data, entry);
}

// Describes what the delegate did: every node that it was asked about, and its failure.
static void add_delegate(const ToolSession* session, void* state) {
    if (session->delegate == NULL) return;
    oclite_opencl_delegate_explain(session->delegate, add_node, cJSON_AddArrayToObject(state, "nodes"));
    cJSON_AddStringToObject(state, "failure", oclite_opencl_delegate_failure(session->delegate));
}

static ToolStatus write_status(const char* folder, ToolStatus status, cJSON* state, ToolMessage* message) {
    char path[MAX_STATUS_PATH];
    const ToolStatus made = tool_folder_make(folder, message);
    if (made != kToolOk) return made;
    if (snprintf(path, sizeof(path), "%s/status.json", folder) >= MAX_STATUS_PATH) {
        return tool_fail(message, kToolFile, "%s: the path is too long", folder);
    }
    cJSON_AddNumberToObject(state, "rc", status);
    char* text = cJSON_PrintUnformatted(state);
    if (text == NULL) return tool_out_of_memory(message);
    const ToolStatus written = tool_file_write(path, text, strlen(text), NULL, 0, message);
    free(text);
    return written;
}

static ToolStatus run_case(const cJSON* entry, const ToolSetup* setup, ToolMessage* message) {
    const cJSON* name = cJSON_GetObjectItemCaseSensitive(entry, "name");
    const cJSON* out = cJSON_GetObjectItemCaseSensitive(entry, "out");
    if (!cJSON_IsString(out)) return tool_fail(message, kToolUsage, "a case has no \"out\"");
    cJSON* state = cJSON_CreateObject();
    Case parsed = {.job = {.out = out->valuestring, .finished = add_delegate, .user_data = state}};
    ToolMessage own = {{0}};
    ToolStatus status = parse_case(entry, &parsed, &own);
    if (status == kToolOk) status = tool_job_run(&parsed.job, setup, &own);
    free(parsed.runs);
    free(parsed.resizes);
    free(parsed.files);
    if (status != kToolOk) {
        fprintf(stderr, "oclite: %s: %s\n", cJSON_IsString(name) ? name->valuestring : out->valuestring,
                own.text);
    }
    const ToolStatus written = write_status(out->valuestring, status, state, message);
    cJSON_Delete(state);
    return written;
}

ToolStatus tool_batch_run(const char* list, const ToolSetup* setup, ToolMessage* message) {
    ToolBytes file;
    ToolStatus status = tool_file_read(list, &file, message);
    if (status != kToolOk) return status;
    TfLiteDelegate* first = NULL;
    status = tool_session_delegate(setup, &first, message);
    cJSON* root = cJSON_ParseWithLength(file.data, file.size);
    const cJSON* cases = cJSON_GetObjectItemCaseSensitive(root, "cases");
    if (status == kToolOk && !cJSON_IsArray(cases))
        status = tool_fail(message, kToolUsage, "%s: no JSON object with \"cases\"", list);
    const cJSON* entry = NULL;
    cJSON_ArrayForEach(entry, cases) {
        if (status == kToolOk) status = run_case(entry, setup, message);
    }
    oclite_opencl_delegate_delete(first);
    cJSON_Delete(root);
    tool_bytes_free(&file);
    return status;
}
