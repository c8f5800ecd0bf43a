// SPDX-License-Identifier: Apache-2.0
// What oclite diff compares, and what it has found.
#ifndef TOOLS_DIFF_DIFF_H_
#define TOOLS_DIFF_DIFF_H_

#include <stdbool.h>

#include "tools/common/status.h"
#include "tools/common/tensor_io.h"
#include "tools/diff/compare.h"
#include "tools/diff/graph.h"
#include "tools/diff/side.h"

enum { DIFF_MAX_PATH = 4096 };

// A tensor that both sides have returned.
typedef struct DiffRow {
    int tensor;
    DiffError error;
    bool has_own;     // the node was also computed alone, from A's inputs
    DiffError own;    // its error then
    ToolMessage note; // why not, or another remark
} DiffRow;

typedef enum DiffCause {
    kDiffNone,     // nothing was found
    kDiffNode,     // a node computes another result from the same inputs
    kDiffFused,    // nodes that are computed at once do, but none of them alone
    kDiffStored,   // nodes do while the device stores the tensor between them, see `tensor`
    kDiffSum,      // no node does: small errors accumulate
    kDiffRandom,   // only the results of random number generators
    kDiffUnproven, // the first that differs could not be computed alone
} DiffCause;

typedef struct DiffFinding {
    DiffCause cause;
    int* nodes; // owned
    int node_count;
    int tensor;      // the worst output, or the tensor between the nodes; -1 for none
    DiffError error; // in the model; of kDiffStored, of the model's output
    bool is_alone;   // it was computed alone
    int own_tensor;  // the worst output then
    DiffError own;   // and its error
    ToolMessage note;
    char command[2 * DIFF_MAX_PATH]; // that reproduces it; "" when nothing was written
} DiffFinding;

typedef struct DiffWork {
    const char* model;  // as it was given
    const char* path;   // of the file that is compared, another one for a signature's graph
    const char* folder; // for temporary files
    DiffSide sides[2];
    char about[2][512]; // what the sides are, for people
    DiffTolerance tolerance;
    const char* tolerance_text; // NULL: the default
    const char* python;         // likewise
    DiffGraph graph;
    int input_count;
    ToolInput* inputs; // of the inference that was compared last
    int run;
    int output_count; // of the model; the first tensors of the rows
    DiffError* outputs;
    int row_count;
    int* tensors; // as they are exposed
    DiffRow* rows;
    ToolInput* values[2];       // of the rows
    const ToolInput** value_of; // by tensor: what A has computed; NULL where that is not known
    ToolInput* inner;           // what is known of tensors within a group
    int inner_count;
    DiffFinding finding;
} DiffWork;

// Returns how the tensor is compared.
DiffKind diff_kind(const DiffWork* work, int tensor);
// Returns the row of a tensor; NULL when it has none.
DiffRow* diff_find_row(const DiffWork* work, int tensor);
// Return whether an error exceeds the tolerance, and whether it does so by more than `other`.
bool diff_is_beyond(const DiffError* error);
bool diff_is_worse(const DiffError* error, const DiffError* other);

#endif
