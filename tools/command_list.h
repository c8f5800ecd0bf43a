// SPDX-License-Identifier: Apache-2.0
// The commands of oclite in order.
#ifndef TOOLS_COMMAND_LIST_H_
#define TOOLS_COMMAND_LIST_H_

#include "tools/common/command.h"

// Return every command, in the order of the help; NULL when there is none of this index or name.
const ToolCommand* tool_command(int index);
const ToolCommand* tool_command_named(const char* name);

#endif
