// SPDX-License-Identifier: Apache-2.0
// What was found, as JSON.
#ifndef TOOLS_DIFF_JSON_H_
#define TOOLS_DIFF_JSON_H_

#include "tools/diff/diff.h"

// Writes it to a file; "-" is the standard output.
ToolStatus diff_write_json(const DiffWork* work, const char* path, ToolMessage* message);

#endif
