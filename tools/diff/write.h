// SPDX-License-Identifier: Apache-2.0
// Writes the finding as files.
#ifndef TOOLS_DIFF_WRITE_H_
#define TOOLS_DIFF_WRITE_H_

#include "tools/diff/diff.h"

// Writes the nodes of the finding as a model, with their inputs and the command line, into a folder.
ToolStatus diff_write(DiffWork* work, const char* folder, ToolMessage* message);

#endif
