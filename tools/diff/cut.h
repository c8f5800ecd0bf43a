// SPDX-License-Identifier: Apache-2.0
// Models made from parts of another one.
#ifndef TOOLS_DIFF_CUT_H_
#define TOOLS_DIFF_CUT_H_

#include <stdbool.h>

#include "tools/common/status.h"
#include "tools/diff/graph.h"

// Writes the main graph, with these tensors as its outputs, to a file.
ToolStatus diff_cut_expose(const DiffGraph* graph, const int* outputs, int count, const char* path,
                           ToolMessage* message);

// Writes nodes as a model of their own. `inputs` are the inputs of that model, in its order, as indices of
// tensors of the original; the outputs are those that were asked for. Release with diff_cut_free, which
// accepts {0}.
typedef struct DiffCut {
    int input_count;
    int* inputs;
} DiffCut;
ToolStatus diff_cut_nodes(const DiffGraph* graph, const int* nodes, int count, const int* outputs,
                          int output_count, const char* path, DiffCut* cut, ToolMessage* message);
void diff_cut_free(DiffCut* cut);

// Writes the graph that a signature runs, unless it is the main one, as the main graph of a model of its own;
// *is_written says whether it did. The inputs are those that the graph reads, in the order in which it reads
// them.
ToolStatus diff_cut_signature(const char* model, const char* signature, const char* path, bool* is_written,
                              ToolMessage* message);

#endif
