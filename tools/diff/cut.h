// SPDX-License-Identifier: Apache-2.0
// Models made of another one.
#ifndef TOOLS_DIFF_CUT_H_
#define TOOLS_DIFF_CUT_H_

#include <stdbool.h>

#include "tools/diff/graph.h"
#include "tools/status.h"

// The main graph with these tensors as its outputs, as a file.
ToolStatus diff_cut_expose(const DiffGraph* graph, const int* outputs, int count, const char* path,
                           ToolMessage* message);

// Nodes as a model of their own. `inputs` are those of the model, in their order, as tensors of the original;
// outputs are as they were asked for. Release with diff_cut_free, which accepts {0}.
typedef struct DiffCut {
    int input_count;
    int* inputs;
} DiffCut;
ToolStatus diff_cut_nodes(const DiffGraph* graph, const int* nodes, int count, const int* outputs,
                          int output_count, const char* path, DiffCut* cut, ToolMessage* message);
void diff_cut_free(DiffCut* cut);

// The graph that a signature of the model runs, when it is not the main one, as the main graph of a model of
// its own. *is_written: whether it was not. Its inputs are those that it reads, in the order in which it
// does.
ToolStatus diff_cut_signature(const char* model, const char* signature, const char* path, bool* is_written,
                              ToolMessage* message);

#endif
