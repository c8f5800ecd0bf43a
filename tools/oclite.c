// SPDX-License-Identifier: Apache-2.0
// oclite: runs, times and shows .tflite models from the command line.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/nearest.h"
#include "oclite/oclite.h"
#include "tensorflow/lite/c/c_api.h"
#include "tools/command_list.h"
#include "tools/commands.h"
#include "tools/common/options.h"
#include "tools/help.h"

static bool asks_for_help(int count, char** arguments) {
    for (int i = 0; i < count; i++) {
        if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0) return true;
    }
    return false;
}

static ToolStatus run_command(const ToolCommand* command, int count, char** arguments, ToolMessage* message) {
    if (asks_for_help(count, arguments)) {
        tool_help_print_command(stdout, command);
        return kToolOk;
    }
    void* settings = calloc(1, command->size + 1);
    if (settings == NULL) return tool_out_of_memory(message);
    if (command->defaults != NULL) memcpy(settings, command->defaults, command->size);
    ToolList operands = {0};
    ToolStatus status = tool_options_parse(command, count, arguments, settings, &operands, message);
    if (status == kToolOk) status = command->run(settings, &operands, message);
    if (command->release != NULL) command->release(settings);
    tool_options_free(command, settings, &operands);
    free(settings);
    return status > kToolUsage && !command->has_detailed_status ? kToolFile : status;
}

static ToolStatus fail_unknown(const char* name, ToolMessage* message) {
    const char* nearest = NULL;
    for (int i = 0; tool_command(i) != NULL; i++) lite_nearest(name, tool_command(i)->name, &nearest);
    return tool_fail(message, kToolUsage, "unknown command '%s'%s%s%s, see oclite --help", name,
                     nearest != NULL ? " (" : "", nearest != NULL ? nearest : "",
                     nearest != NULL ? "?)" : "");
}

static ToolStatus dispatch(int count, char** arguments, ToolMessage* message) {
    if (count < 2) return tool_fail(message, kToolUsage, "no command given, see oclite --help");
    const bool wants_help = strcmp(arguments[1], "help") == 0;
    const ToolCommand* command = tool_command_named(arguments[wants_help && count > 2 ? 2 : 1]);
    if (command != NULL && wants_help) {
        tool_help_print_command(stdout, command);
        return kToolOk;
    }
    if (command != NULL) return run_command(command, count - 2, arguments + 2, message);
    if (wants_help && count > 2) return fail_unknown(arguments[2], message);
    if (wants_help || strcmp(arguments[1], "--help") == 0 || strcmp(arguments[1], "-h") == 0) {
        tool_help_print(stdout);
    } else if (strcmp(arguments[1], "--version") == 0) {
        printf("oclite %s (TensorFlow Lite API %s)\n", oclite_version(), TfLiteVersion());
    } else {
        return fail_unknown(arguments[1], message);
    }
    return kToolOk;
}

// The program is also installed under the name of the reference's benchmark tool.
static bool is_benchmark_model(const char* path) {
    const char* name = strrchr(path, '/');
    return strcmp(name != NULL ? name + 1 : path, "benchmark_model") == 0;
}

int main(int count, char** arguments) {
    ToolMessage message = {{0}};
    ToolStatus status = count > 0 && is_benchmark_model(arguments[0])
                            ? run_command(&tool_bench_command, count - 1, arguments + 1, &message)
                            : dispatch(count, arguments, &message);
    // Output counts only when it has been written.
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == kToolOk) {
        status = tool_fail(&message, kToolFile, "the output could not be written");
    }
    if (status != kToolOk) fprintf(stderr, "oclite: %s\n", message.text);
    return status;
}
