// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/litert.h"

#include <cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/common/file.h"
#include "tools/diff/litert_script.h"

enum { MAX_PATH = 4096 };

struct DiffLitert {
    pid_t process;
    FILE* requests;
    FILE* answers;
    const char* python;
    const char* folder;
    char name[128];
    int opened;
};

// Makes a pipe whose ends no other process inherits.
static bool make_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC) == 0;
}

// Starts the process. Its messages go to a file, whose last line says why it ended.
static int spawn_python(DiffLitert* litert, int input, int output) {
    char log[MAX_PATH];
    char* const arguments[] = {(char*)litert->python, "-c", (char*)diff_scripts[0].text, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    snprintf(log, sizeof(log), "%s/messages", litert->folder);
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigemptyset(&none); // the program itself blocks those for which a thread waits
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!error) {
        error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC,
                                                 0600);
    }
    if (!error)
        error = posix_spawnp(&litert->process, litert->python, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static int start_process(DiffLitert* litert) {
    int request[2] = {-1, -1};
    int answer[2] = {-1, -1};
    int error = make_pipe(request) && make_pipe(answer) ? 0 : errno;
    if (!error) error = spawn_python(litert, request[0], answer[1]);
    if (request[0] >= 0) close(request[0]);
    if (answer[1] >= 0) close(answer[1]);
    if (error) litert->process = 0;
    litert->requests = request[1] >= 0 ? fdopen(request[1], "w") : NULL;
    litert->answers = answer[0] >= 0 ? fdopen(answer[0], "r") : NULL;
    return error;
}

// Reports the last non-empty line that the process has written to its standard error.
static void report_end(DiffLitert* litert, ToolMessage* message) {
    char log[MAX_PATH];
    char last[256] = "";
    char line[256];
    snprintf(log, sizeof(log), "%s/messages", litert->folder);
    FILE* file = fopen(log, "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0]) snprintf(last, sizeof(last), "%s", line);
    }
    if (file != NULL) fclose(file);
    tool_fail(message, kToolFile, "LiteRT: %s ended without an answer%s%s", litert->python,
              last[0] ? ": " : "", last);
}

// Returns NULL, with a message, when the process has ended or has answered with an error.
static cJSON* read_answer(DiffLitert* litert, ToolMessage* message) {
    char* line = NULL;
    size_t room = 0;
    cJSON* answer = NULL;
    if (litert->answers != NULL && getline(&line, &room, litert->answers) > 0) answer = cJSON_Parse(line);
    free(line);
    if (answer == NULL) {
        report_end(litert, message);
        return NULL;
    }
    const cJSON* error = cJSON_GetObjectItemCaseSensitive(answer, "error");
    if (!cJSON_IsString(error)) return answer;
    tool_fail(message, kToolFile, "LiteRT: %s", error->valuestring);
    cJSON_Delete(answer);
    return NULL;
}

static cJSON* ask(DiffLitert* litert, cJSON* request, ToolMessage* message) {
    char* text = cJSON_PrintUnformatted(request);
    if (text == NULL) {
        tool_out_of_memory(message);
        return NULL;
    }
    // The end of the process shows when its answer is read.
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    fprintf(litert->requests, "%s\n", text);
    fflush(litert->requests);
    signal(SIGPIPE, before);
    free(text);
    return read_answer(litert, message);
}

static void take_name(DiffLitert* litert, const cJSON* answer) {
    const cJSON* package = cJSON_GetObjectItemCaseSensitive(answer, "package");
    const cJSON* version = cJSON_GetObjectItemCaseSensitive(answer, "version");
    snprintf(litert->name, sizeof(litert->name), "%s %s",
             cJSON_IsString(package) ? package->valuestring : "LiteRT",
             cJSON_IsString(version) ? version->valuestring : "");
}

DiffLitert* diff_litert_start(const char* python, const char* folder, ToolMessage* message) {
    DiffLitert* litert = calloc(1, sizeof(*litert));
    if (litert == NULL) {
        tool_out_of_memory(message);
        return NULL;
    }
    if (python == NULL) python = getenv("OCLITE_PYTHON");
    litert->python = python != NULL && python[0] ? python : "python3";
    litert->folder = folder;
    const int error = start_process(litert);
    cJSON* answer = NULL;
    if (error || litert->requests == NULL || litert->answers == NULL) {
        tool_fail(message, kToolFile, "LiteRT: %s: %s", litert->python, strerror(error ? error : ENOMEM));
    } else {
        answer = read_answer(litert, message);
        if (answer == NULL) {
            tool_fail(message, kToolFile, "choose a Python that has LiteRT by --python or $OCLITE_PYTHON");
        }
    }
    if (answer != NULL) take_name(litert, answer);
    if (answer == NULL) {
        diff_litert_stop(litert);
        litert = NULL;
    }
    cJSON_Delete(answer);
    return litert;
}

void diff_litert_stop(DiffLitert* litert) {
    if (litert == NULL) return;
    if (litert->requests != NULL) fclose(litert->requests); // which is the end to it
    if (litert->answers != NULL) fclose(litert->answers);
    if (litert->process > 0) waitpid(litert->process, NULL, 0);
    free(litert);
}

const char* diff_litert_name(const DiffLitert* litert) {
    return litert->name;
}

ToolStatus diff_litert_open(DiffLitert* litert, const char* model, const char* resolver, int threads,
                            int* number, ToolMessage* message) {
    cJSON* request = cJSON_CreateObject();
    *number = litert->opened++;
    cJSON_AddStringToObject(request, "do", "open");
    cJSON_AddNumberToObject(request, "id", *number);
    cJSON_AddStringToObject(request, "model", model);
    cJSON_AddStringToObject(request, "resolver", resolver);
    cJSON_AddNumberToObject(request, "threads", threads);
    cJSON* answer = ask(litert, request, message);
    cJSON_Delete(request);
    cJSON_Delete(answer);
    return answer != NULL ? kToolOk : kToolLoad;
}

static ToolStatus write_inputs(const DiffLitert* litert, const ToolInput* inputs, int count, cJSON* names,
                               ToolMessage* message) {
    for (int i = 0; i < count; i++) {
        char stem[MAX_PATH];
        char name[MAX_PATH + 8];
        snprintf(stem, sizeof(stem), "%s/in%d", litert->folder, i);
        const ToolStatus status = tool_input_write(&inputs[i], stem, message);
        if (status != kToolOk) return status;
        snprintf(name, sizeof(name), "%s.%s", stem, inputs[i].is_strings ? "json" : "npy");
        cJSON_AddItemToArray(names, cJSON_CreateString(name));
    }
    return kToolOk;
}

// Reads and removes the files that the answer names.
static ToolStatus read_outputs(const cJSON* answer, ToolInput* outputs, int count, ToolMessage* message) {
    const cJSON* names = cJSON_GetObjectItemCaseSensitive(answer, "outputs");
    if (cJSON_GetArraySize(names) != count) {
        return tool_fail(message, kToolInvoke, "LiteRT: %d outputs where %d were expected",
                         cJSON_GetArraySize(names), count);
    }
    ToolStatus status = kToolOk;
    for (int i = 0; i < count; i++) {
        const cJSON* name = cJSON_GetArrayItem(names, i);
        outputs[i] = (ToolInput){.array = {.type = kTfLiteNoType}};
        if (!cJSON_IsString(name)) continue;
        if (status == kToolOk) status = tool_input_read(name->valuestring, &outputs[i], message);
        outputs[i].path = "LiteRT's output";
        remove(name->valuestring);
    }
    return status;
}

ToolStatus diff_litert_invoke(DiffLitert* litert, int number, const ToolInput* inputs, int input_count,
                              ToolInput* outputs, int output_count, ToolMessage* message) {
    char stem[MAX_PATH];
    snprintf(stem, sizeof(stem), "%s/out", litert->folder);
    cJSON* request = cJSON_CreateObject();
    cJSON_AddStringToObject(request, "do", "invoke");
    cJSON_AddNumberToObject(request, "id", number);
    cJSON_AddStringToObject(request, "stem", stem);
    ToolStatus status =
        write_inputs(litert, inputs, input_count, cJSON_AddArrayToObject(request, "inputs"), message);
    if (status == kToolOk) {
        cJSON* answer = ask(litert, request, message);
        status = answer != NULL ? read_outputs(answer, outputs, output_count, message) : kToolInvoke;
        cJSON_Delete(answer);
    }
    cJSON_Delete(request);
    return status;
}

void diff_litert_close(DiffLitert* litert, int number) {
    ToolMessage ignored = {{0}};
    cJSON* request = cJSON_CreateObject();
    cJSON_AddStringToObject(request, "do", "close");
    cJSON_AddNumberToObject(request, "id", number);
    cJSON_Delete(ask(litert, request, &ignored));
    cJSON_Delete(request);
}
