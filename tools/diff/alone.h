// SPDX-License-Identifier: Apache-2.0
// Nodes as a model of their own, which both sides compute from the same inputs: those that A had in the whole
// model.
#ifndef TOOLS_DIFF_ALONE_H_
#define TOOLS_DIFF_ALONE_H_

#include "tools/diff/cut.h"
#include "tools/diff/diff.h"

typedef struct DiffAlone {
    char* texts[2]; // the sides' configurations for these nodes; NULL: as for the whole model
    DiffCut cut;
    ToolInput* inputs; // of the model; their contents belong to the work
    int output_count;
    int* outputs; // indices of tensors of the original model
    DiffError* errors;
    int worst; // output; -1 when there is none
} DiffAlone;

// Writes the model to `path` and finds its inputs. Release with diff_alone_free, which accepts {0}. Fails
// when the nodes cannot be extracted.
ToolStatus diff_alone_make(const DiffWork* work, const int* nodes, int count, const char* path,
                           DiffAlone* alone, ToolMessage* message);
// Computes the model on both sides and compares the outputs.
ToolStatus diff_alone_compare(const DiffWork* work, const char* path, DiffAlone* alone, ToolMessage* message);
void diff_alone_free(DiffAlone* alone);

// Does all of this for the nodes of a finding, and sets `is_alone` and `own`. Returns false, with the reason
// in `note`, when that fails.
bool diff_alone_check(DiffWork* work, DiffFinding* finding);

// Learns what A computes between the nodes of a group, so that each of them can be computed alone.
ToolStatus diff_alone_learn(DiffWork* work, const int* nodes, int count, ToolMessage* message);

#endif
