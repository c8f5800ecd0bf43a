// SPDX-License-Identifier: Apache-2.0
// oclite man and oclite completion: print the tables of options for man(1) and for shells.
#include <stdio.h>
#include <string.h>

#include "tools/command_list.h"
#include "tools/commands.h"
#include "tools/common/file.h"
#include "tools/completion.h"
#include "tools/help.h"

typedef struct Manual {
    const char* folder;
} Manual;

static ToolStatus write_page(const char* folder, const ToolCommand* command, ToolMessage* message) {
    char path[4096];
    const int length = snprintf(path, sizeof(path), "%s/oclite%s%s.1", folder, command != NULL ? "-" : "",
                                command != NULL ? command->name : "");
    if (length >= (int)sizeof(path)) return tool_fail(message, kToolFile, "%s: the path is too long", folder);
    ToolOutput output;
    const ToolStatus status = tool_output_open(path, &output, message);
    if (status != kToolOk) return status;
    tool_manual_print(output.stream, command);
    return tool_output_close(&output, status, message);
}

static ToolStatus write_all(const char* folder, ToolMessage* message) {
    ToolStatus status = tool_folder_make(folder, message);
    if (status == kToolOk) status = write_page(folder, NULL, message);
    for (int i = 0; tool_command(i) != NULL && status == kToolOk; i++) {
        status = write_page(folder, tool_command(i), message);
    }
    return status;
}

static ToolStatus run_manual(void* settings, const ToolList* operands, ToolMessage* message) {
    const Manual* manual = settings;
    const ToolCommand* command = NULL;
    if (operands->count > 0) {
        command = tool_command_named(operands->items[0]);
        if (command == NULL)
            return tool_fail(message, kToolUsage, "there is no command '%s'", operands->items[0]);
    }
    if (manual->folder == NULL) {
        tool_manual_print(stdout, command);
        return kToolOk;
    }
    return command != NULL ? write_page(manual->folder, command, message)
                           : write_all(manual->folder, message);
}

static const ToolOption kOptions[] = {
    {.name = "out",
     .alias = "o",
     .value = "DIR",
     .help = "Writes DIR/oclite-COMMAND.1 in place of printing it; without a command the pages of all.",
     .kind = kToolPath,
     .offset = offsetof(Manual, folder)},
    {0},
};

const ToolCommand tool_manual_command = {
    .name = "man",
    .summary = "prints the manual page of a command, or of oclite, for man(1)",
    .operands = "[COMMAND]",
    .max_operands = 1,
    .examples = "  oclite man run | man -l -\n",
    .options = kOptions,
    .size = sizeof(Manual),
    .run = run_manual,
};

static ToolStatus run_completion(void* settings, const ToolList* operands, ToolMessage* message) {
    static const char* const shells[] = {"bash", "zsh", "fish"};
    (void)settings;
    for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
        if (strcmp(operands->items[0], shells[i]) == 0) {
            tool_completion_print(stdout, shells[i]);
            return kToolOk;
        }
    }
    return tool_fail(message, kToolUsage, "'%s' is none of bash, zsh, fish", operands->items[0]);
}

const ToolCommand tool_completion_command = {
    .name = "completion",
    .summary = "prints a completion script for a shell",
    .operands = "bash|zsh|fish",
    .min_operands = 1,
    .max_operands = 1,
    .examples = "  oclite completion bash > ~/.local/share/bash-completion/completions/oclite\n",
    .run = run_completion,
};
