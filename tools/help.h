// SPDX-License-Identifier: Apache-2.0
// Help and manual pages, made from the tables of the commands.
#ifndef TOOLS_HELP_H_
#define TOOLS_HELP_H_

#include <stdio.h>

#include "tools/common/command.h"

void tool_help_print(FILE* out); // of the whole program
void tool_help_print_command(FILE* out, const ToolCommand* command);

// Prints a manual page in man(7) macros; NULL means that of the whole program.
void tool_manual_print(FILE* out, const ToolCommand* command);

#endif
