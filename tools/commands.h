// SPDX-License-Identifier: Apache-2.0
// The commands of oclite. Each has a file or a folder of its own; command_list.c lists them.
#ifndef TOOLS_COMMANDS_H_
#define TOOLS_COMMANDS_H_

#include "tools/common/command.h"

extern const ToolCommand tool_run_command;
extern const ToolCommand tool_info_command;
extern const ToolCommand tool_bench_command;
extern const ToolCommand tool_view_command;
extern const ToolCommand tool_select_command;
extern const ToolCommand tool_diff_command;
extern const ToolCommand tool_completion_command;
extern const ToolCommand tool_manual_command;
extern const ToolCommand tool_devices_command;
extern const ToolCommand tool_fuse_command;
extern const ToolCommand tool_warm_command;

#endif
