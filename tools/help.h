// SPDX-License-Identifier: Apache-2.0
// What is said about the commands, made of their tables: help, manual pages, completion.
#ifndef TOOLS_HELP_H_
#define TOOLS_HELP_H_

#include <stdio.h>

#include "tools/command.h"

void tool_help_print(FILE* out); // of the whole program
void tool_help_print_command(FILE* out, const ToolCommand* command);

// A manual page in man(7) macros; of the whole program for NULL.
void tool_manual_print(FILE* out, const ToolCommand* command);

// A completion script of the shell "bash", "zsh" or "fish".
void tool_completion_print(FILE* out, const char* shell);

#endif
