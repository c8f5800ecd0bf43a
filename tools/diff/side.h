// SPDX-License-Identifier: Apache-2.0
// The two configurations that are compared, and models that run in them.
#ifndef TOOLS_DIFF_SIDE_H_
#define TOOLS_DIFF_SIDE_H_

#include <stdbool.h>

#include "tools/diff/litert.h"
#include "tools/session.h"
#include "tools/status.h"
#include "tools/tensor_io.h"

// "reference", "cpu", the name of a CPU path, "opencl[:KEY=VALUE,...]" or "litert[:reference|builtin]".
typedef struct DiffSide {
    char name;            // 'A' or 'B', for messages
    const char* text;     // as it was given
    ToolSetup setup;      // where oclite computes; the CPU's path is set
    const char* resolver; // of LiteRT; NULL: it is not LiteRT
    DiffLitert* litert;
    TfLiteDelegate* keeper; // given to no interpreter: the device and its programs stay as long as the side
    // By node of the model, once diff_side_learn was called: what runs on the delegate, and stores halves.
    int node_count;
    bool* taken;
    bool* is_half;
} DiffSide;

// `folder` is for temporary files, `python` for LiteRT. diff_side_close accepts {0} and sides that are half
// open.
ToolStatus diff_side_open(DiffSide* side, char name, const char* text, int threads, const char* python,
                          const char* folder, ToolMessage* message);
void diff_side_close(DiffSide* side);

// A model that is loaded in a side. CPU paths are a setting of the process, which every function chooses
// anew, so that models of both sides may be open at once.
typedef struct DiffModel {
    DiffSide* side;
    ToolSession session; // {0} in LiteRT
    int number;          // in LiteRT
    bool is_allocated;
    ToolMessage messages; // of the library
    bool* ran;            // by node: it was run by itself, see diff_graph_watch
    int watched;          // nodes
} DiffModel;

// `model` stays where it is until it is closed, as the library writes into it. With `profiling` the delegate
// tells which nodes it computes at once.
ToolStatus diff_model_open(DiffSide* side, const char* path, bool profiling, DiffModel* model,
                           ToolMessage* message);
// Accepts {0}.
void diff_model_close(DiffModel* model);

// Gives the inputs their shapes and contents, computes, and takes the outputs: `output_count` of them, to be
// released by tool_input_free.
ToolStatus diff_model_invoke(DiffModel* model, const ToolInput* inputs, int input_count, ToolInput* outputs,
                             int output_count, ToolMessage* message);

// Keeps which nodes the model's delegate has taken.
ToolStatus diff_side_learn(DiffSide* side, const DiffModel* model, int node_count, ToolMessage* message);

void diff_values_free(ToolInput* values, int count);

#endif
