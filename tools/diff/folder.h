// SPDX-License-Identifier: Apache-2.0
// A folder for temporary files, without folders in it.
#ifndef TOOLS_DIFF_FOLDER_H_
#define TOOLS_DIFF_FOLDER_H_

#include <stddef.h>

#include "tools/status.h"

// In $TMPDIR, or /tmp. `path`, which stays until the program ends, is "" unless it succeeds. SIGINT and
// SIGTERM remove it before they end the program: to be called once, by its only thread.
ToolStatus diff_folder_make(char* path, size_t room, ToolMessage* message);
// With all that is in it. Accepts "".
void diff_folder_remove(const char* path);

#endif
