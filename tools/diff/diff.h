// SPDX-License-Identifier: Apache-2.0
// oclite diff: what is compared, and what was found.
#ifndef TOOLS_DIFF_DIFF_H_
#define TOOLS_DIFF_DIFF_H_

#include <stdbool.h>

#include "tools/diff/compare.h"
#include "tools/diff/graph.h"
#include "tools/diff/side.h"
#include "tools/status.h"
#include "tools/tensor_io.h"

enum { DIFF_MAX_PATH = 4096 };

// A tensor that both sides have shown.
typedef struct DiffRow {
    int tensor;
    DiffError error;
    bool has_own;     // the node was also computed by itself, from A's inputs
    DiffError own;    // its error then
    ToolMessage note; // why not, or what else there is to say
} DiffRow;

typedef enum DiffCause {
    kDiffNone,     // nothing was found
    kDiffNode,     // a node gives another result from the same inputs
    kDiffFused,    // nodes do that are computed at once, and none of them by itself
    kDiffStored,   // nodes do while the tensor between them stays in the device's memory, see `tensor`
    kDiffSum,      // no node does: small errors grow on their way
    kDiffRandom,   // only what generators of random numbers give
    kDiffUnproven, // the first that differs could not be computed by itself
} DiffCause;

typedef struct DiffFinding {
    DiffCause cause;
    int* nodes; // owned
    int node_count;
    int tensor;      // the worst output, or the one between the nodes; -1 for none
    DiffError error; // in the model; of kDiffStored, of the model's output
    bool is_alone;   // it was computed by itself
    int own_tensor;  // the worst output of that
    DiffError own;   // and its error
    ToolMessage note;
    char command[2 * DIFF_MAX_PATH]; // that shows it again; "" when nothing was written
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

// How the tensor is to be compared.
DiffKind diff_kind(const DiffWork* work, int tensor);
// The row of a tensor; NULL when it has none.
DiffRow* diff_find_row(const DiffWork* work, int tensor);
// Whether it is more than the tolerance allows; whether it is more of that than `other`.
bool diff_is_beyond(const DiffError* error);
bool diff_is_worse(const DiffError* error, const DiffError* other);

// Finds out why tensors differ, or, when only the model's outputs do as long as nobody looks at what is
// between them, where.
ToolStatus diff_search(DiffWork* work, ToolMessage* message);
// The second of these.
ToolStatus diff_search_stored(DiffWork* work, ToolMessage* message);

// Writes the nodes of the finding as a model, with their inputs and the command line, into a folder.
ToolStatus diff_write(DiffWork* work, const char* folder, ToolMessage* message);

// The table, and what it comes to.
void diff_print(const DiffWork* work, int most_rows);
ToolStatus diff_write_json(const DiffWork* work, const char* path, ToolMessage* message);

#endif
