// SPDX-License-Identifier: Apache-2.0
// What is said about the commands, made of their tables: help, manual pages, completion.
#ifndef TOOLS_HELP_H_
#define TOOLS_HELP_H_

#include "tools/command.h"

void tool_help_print(void); // of the whole program
void tool_help_print_command(const ToolCommand* command);

// A manual page in man(7) macros on stdout; of the whole program for NULL.
void tool_manual_print(const ToolCommand* command);

// A completion script of the shell "bash", "zsh" or "fish" on stdout.
void tool_completion_print(const char* shell);

#endif
