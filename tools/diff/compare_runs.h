// SPDX-License-Identifier: Apache-2.0
// Computes the model on both sides, as it is and with all visible tensors as outputs.
#ifndef TOOLS_DIFF_COMPARE_RUNS_H_
#define TOOLS_DIFF_COMPARE_RUNS_H_

#include "tools/common/command.h"
#include "tools/diff/diff.h"

typedef struct DiffRuns {
    const ToolList* files;
    const ToolList* shapes;
    int seed;
    int count;
} DiffRuns;

// Fills in all of `work` but the finding. Stops at the first inference in which something differs.
ToolStatus diff_compare_runs(DiffWork* work, const DiffRuns* runs, ToolMessage* message);

#endif
