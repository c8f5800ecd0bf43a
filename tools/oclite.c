// SPDX-License-Identifier: Apache-2.0
// oclite: runs, times and shows .tflite models from the command line.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"
#include "tensorflow/lite/c/c_api.h"
#include "tools/commands.h"
#include "tools/help.h"
#include "tools/nearest.h"
#include "tools/options.h"

static ToolStatus print_cpu_paths(void* settings, const ToolList* operands, ToolMessage* message) {
    (void)settings, (void)operands, (void)message;
    for (int i = 0; oclite_available_cpu_path(i); ++i) puts(oclite_available_cpu_path(i));
    return kToolOk;
}

static const ToolCommand kCpu = {
    .name = "cpu",
    .summary = "prints the CPU paths that this machine and build have, one per line",
    .operands = "",
    .run = print_cpu_paths,
};

static const ToolCommand* const kCommands[] = {
    &tool_run_command,        &tool_info_command,   &tool_bench_command,
    &tool_devices_command,    &tool_view_command,   &tool_select_command,
    &tool_diff_command,       &tool_fuse_command,   &kCpu,
    &tool_completion_command, &tool_manual_command,
};

const ToolCommand* tool_command(int index) {
    const int count = (int)(sizeof(kCommands) / sizeof(kCommands[0]));
    return index >= 0 && index < count ? kCommands[index] : NULL;
}

const ToolCommand* tool_command_named(const char* name) {
    const ToolCommand* command = NULL;
    for (int i = 0; (command = tool_command(i)); ++i) {
        if (strcmp(command->name, name) == 0) break;
    }
    return command;
}

static bool asks_for_help(int count, char** arguments) {
    for (int i = 0; i < count; ++i) {
        if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0) return true;
    }
    return false;
}

ToolStatus tool_command_main(const ToolCommand* command, int count, char** arguments, ToolMessage* message) {
    if (asks_for_help(count, arguments)) {
        tool_help_print_command(stdout, command);
        return kToolOk;
    }
    void* settings = calloc(1, command->size + 1);
    if (!settings) return tool_fail(message, kToolFile, "out of memory");
    if (command->defaults) memcpy(settings, command->defaults, command->size);
    ToolList operands = {0};
    ToolStatus status = tool_options_parse(command, count, arguments, settings, &operands, message);
    if (status == kToolOk) status = command->run(settings, &operands, message);
    if (command->release) command->release(settings);
    tool_options_free(command, settings, &operands);
    free(settings);
    return status > kToolUsage && !command->has_detailed_status ? kToolFile : status;
}

static ToolStatus fail_unknown(const char* name, ToolMessage* message) {
    const char* nearest = NULL;
    for (int i = 0; tool_command(i); ++i) tool_nearest(name, tool_command(i)->name, &nearest);
    return tool_fail(message, kToolUsage, "unknown command '%s'%s%s%s, see oclite --help", name,
                     nearest ? " (" : "", nearest ? nearest : "", nearest ? "?)" : "");
}

static ToolStatus dispatch(int count, char** arguments, ToolMessage* message) {
    if (count < 2) return tool_fail(message, kToolUsage, "no command given, see oclite --help");
    const bool wants_help = strcmp(arguments[1], "help") == 0;
    const ToolCommand* command = tool_command_named(arguments[wants_help && count > 2 ? 2 : 1]);
    if (command && wants_help) {
        tool_help_print_command(stdout, command);
        return kToolOk;
    }
    if (command) return tool_command_main(command, count - 2, arguments + 2, message);
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
    return strcmp(name ? name + 1 : path, "benchmark_model") == 0;
}

int main(int count, char** arguments) {
    ToolMessage message = {{0}};
    ToolStatus status = count > 0 && is_benchmark_model(arguments[0])
                            ? tool_command_main(&tool_bench_command, count - 1, arguments + 1, &message)
                            : dispatch(count, arguments, &message);
    // What was printed counts only when it has arrived.
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == kToolOk) {
        status = tool_fail(&message, kToolFile, "the output could not be written");
    }
    if (status != kToolOk) fprintf(stderr, "oclite: %s\n", message.text);
    return status;
}
