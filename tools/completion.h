// SPDX-License-Identifier: Apache-2.0
// Completion scripts, made from the tables of the commands.
#ifndef TOOLS_COMPLETION_H_
#define TOOLS_COMPLETION_H_

#include <stdio.h>

// Prints a completion script for the shell "bash", "zsh" or "fish".
void tool_completion_print(FILE* out, const char* shell);

#endif
