// SPDX-License-Identifier: Apache-2.0
// A folder for temporary files, without folders in it.
#ifndef TOOLS_DIFF_FOLDER_H_
#define TOOLS_DIFF_FOLDER_H_

#include <stddef.h>

#include "tools/common/status.h"

// Makes the folder in $TMPDIR, or /tmp. `path`, which must live until the program ends, is "" on failure.
// Signals that end the program, and can be caught, remove the folder first: call this once. Those that are
// ignored stay so.
ToolStatus diff_folder_make(char* path, size_t room, ToolMessage* message);
// Removes the folder with all that is in it. Accepts "".
void diff_folder_remove(const char* path);

#endif
