// SPDX-License-Identifier: Apache-2.0
// Runs dot of Graphviz as a process.
#ifndef TOOLS_VIEW_GRAPHVIZ_H_
#define TOOLS_VIEW_GRAPHVIZ_H_

#include <stdbool.h>
#include <stdio.h>

#include "tools/common/file.h"

// Runs `dot -Tplain` on the text in `input`, a file that is read from its beginning. After `seconds` the
// process is ended, and its output so far counts. Where there is no dot, *has_dot becomes false, and the
// output is empty.
ToolStatus view_graphviz_run(FILE* input, double seconds, ToolBytes* output, bool* has_dot,
                             ToolMessage* message);

#endif
