// SPDX-License-Identifier: Apache-2.0
// The commands of oclite. Arguments are those behind the command's name; the result is the exit status, the
// line for stderr is left in `message`.
#ifndef TOOLS_COMMANDS_H_
#define TOOLS_COMMANDS_H_

#include "tools/status.h"

ToolStatus tool_command_run(int count, char** arguments, ToolMessage* message);
ToolStatus tool_command_info(int count, char** arguments, ToolMessage* message);
ToolStatus tool_command_bench(int count, char** arguments, ToolMessage* message);

#endif
