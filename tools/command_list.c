// SPDX-License-Identifier: Apache-2.0
#include "tools/command_list.h"

#include <stdio.h>
#include <string.h>

#include "oclite/oclite.h"
#include "tools/commands.h"

static ToolStatus print_cpu_paths(void* settings, const ToolList* operands, ToolMessage* message) {
    (void)settings, (void)operands, (void)message;
    for (int i = 0; oclite_available_cpu_path(i) != NULL; i++) puts(oclite_available_cpu_path(i));
    return kToolOk;
}

static const ToolCommand kCpu = {
    .name = "cpu",
    .summary = "prints the CPU paths that this machine and build have, one per line",
    .operands = "",
    .run = print_cpu_paths,
};

static const ToolCommand* const kCommands[] = {
    &tool_run_command,        &tool_info_command,
    &tool_bench_command,      &tool_devices_command,
    &tool_view_command,       &tool_select_command,
    &tool_diff_command,       &tool_fuse_command,
    &tool_warm_command,       &kCpu,
    &tool_completion_command, &tool_manual_command,
};

const ToolCommand* tool_command(int index) {
    const int count = (int)(sizeof(kCommands) / sizeof(kCommands[0]));
    return index >= 0 && index < count ? kCommands[index] : NULL;
}

const ToolCommand* tool_command_named(const char* name) {
    const ToolCommand* command = NULL;
    for (int i = 0; (command = tool_command(i)) != NULL; i++) {
        if (strcmp(command->name, name) == 0) break;
    }
    return command;
}
