// SPDX-License-Identifier: Apache-2.0
// Graphviz's dot, as a program of its own.
#ifndef TOOLS_VIEW_GRAPHVIZ_H_
#define TOOLS_VIEW_GRAPHVIZ_H_

#include <stdbool.h>
#include <stdio.h>

#include "tools/file.h"

// Runs `dot -Tplain` on the text in `input`, a file that is read from its beginning. What it has written by
// then counts when it takes longer than `seconds` and is ended. An error where there is no dot.
ToolStatus view_graphviz_run(FILE* input, double seconds, ToolBytes* output, ToolMessage* message);

#endif
