// SPDX-License-Identifier: Apache-2.0
// Both sides compute the model, as it is and with everything that can be looked at as an output.
#ifndef TOOLS_DIFF_COMPARE_RUNS_H_
#define TOOLS_DIFF_COMPARE_RUNS_H_

#include "tools/command.h"
#include "tools/diff/diff.h"

typedef struct DiffRuns {
    const ToolList* files;
    const ToolList* shapes;
    int seed;
    int count;
} DiffRuns;

// Fills in everything of `work` but the finding. Stops at the first inference in which something differs.
ToolStatus diff_compare_runs(DiffWork* work, const DiffRuns* runs, ToolMessage* message);

#endif
