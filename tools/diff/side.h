// SPDX-License-Identifier: Apache-2.0
// The two configurations that are compared, and models that run in them.
#ifndef TOOLS_DIFF_SIDE_H_
#define TOOLS_DIFF_SIDE_H_

#include <stdbool.h>

#include "tools/common/session.h"
#include "tools/common/status.h"
#include "tools/common/tensor_io.h"
#include "tools/diff/litert.h"

// "cpu" or the name of a CPU path, both also with ":PRECISION" of packed weights, "opencl[:KEY=VALUE,...]" or
// "litert[:reference|builtin]".
typedef struct DiffSide {
    char name;            // 'A' or 'B', for messages
    const char* text;     // as it was given
    ToolSetup setup;      // the setup of oclite, with the CPU's path
    char path[32];        // that, where it is part of the text
    const char* resolver; // of LiteRT; NULL for oclite
    DiffLitert* litert;
    TfLiteDelegate* keeper; // no interpreter uses it; it keeps the device and its programs loaded
    // By node of the model, after diff_side_learn: whether it runs on the delegate, and whether it stores
    // float16.
    int node_count;
    bool* taken;
    bool* is_half;
} DiffSide;

// `folder` is for temporary files, `python` for LiteRT. diff_side_close accepts {0} and sides that are partly
// open.
ToolStatus diff_side_open(DiffSide* side, char name, const char* text, int threads, const char* python,
                          const char* folder, ToolMessage* message);
void diff_side_close(DiffSide* side);

// A model that a side has loaded. CPU paths are a setting of the process. Every function selects its path
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

// `model` must not move until it is closed, because the library writes into it. With `profiling` the delegate
// reports which nodes it computes at once.
ToolStatus diff_model_open(DiffSide* side, const char* path, bool profiling, DiffModel* model,
                           ToolMessage* message);
// Accepts {0}.
void diff_model_close(DiffModel* model);

// Sets shapes and contents of the inputs, invokes the model, and takes `output_count` outputs, which the
// caller releases by tool_input_free.
ToolStatus diff_model_invoke(DiffModel* model, const ToolInput* inputs, int input_count, ToolInput* outputs,
                             int output_count, ToolMessage* message);

// Stores which nodes the model's delegate has taken.
ToolStatus diff_side_learn(DiffSide* side, const DiffModel* model, int node_count, ToolMessage* message);

void diff_values_free(ToolInput* values, int count);

#endif
