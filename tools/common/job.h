// SPDX-License-Identifier: Apache-2.0
// A job of `oclite run`: a model, and one or more runs in the same interpreter, so that state persists
// between runs.
#ifndef TOOLS_COMMON_JOB_H_
#define TOOLS_COMMON_JOB_H_

#include "tools/common/npy.h"
#include "tools/common/session.h"
#include "tools/common/status.h"

typedef struct ToolResize {
    int input; // position among the model's inputs
    ToolShape shape;
} ToolResize;

typedef struct ToolRun {
    int resize_count;
    const ToolResize* resizes;
    int file_count;
    // In the order of the model's inputs. Where one is NULL, and behind them, inputs are zero, or the
    // constants that they are.
    const char* const* files;
} ToolRun;

typedef struct ToolJob {
    const char* model;
    const char* out; // folder, made if absent, for out0.npy ..., from the second run on run1_out0.npy ...
    int run_count;
    const ToolRun* runs;
    // Called after the last run, whether or not it succeeded, unless it is NULL.
    void (*finished)(const ToolSession* session, void* user_data);
    void* user_data;
} ToolJob;

// An input takes the shape of its file, unless the run resizes it: then the file must have the same number of
// elements. Tensors are allocated in the first run and after each change of a shape. The job stops at the
// first failure.
ToolStatus tool_job_run(const ToolJob* job, const ToolSetup* setup, ToolMessage* message);

// Applies resizes; *changed becomes true when any shape did.
ToolStatus tool_job_resize(TfLiteInterpreter* interpreter, const ToolResize* resizes, int count,
                           bool* changed, ToolMessage* message);

#endif
