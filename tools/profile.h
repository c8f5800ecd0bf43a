// SPDX-License-Identifier: Apache-2.0
// Where the time of inferences goes: node by node, of all subgraphs, and kernel by kernel on the device.
#ifndef TOOLS_PROFILE_H_
#define TOOLS_PROFILE_H_

#include <stdbool.h>

#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api.h"
#include "tools/statistics.h"
#include "tools/status.h"

typedef struct ToolNodeTimes {
    int subgraph;
    int node;
    ToolMoments microseconds; // of every call
} ToolNodeTimes;

// A launch on an OpenCL device; the times in `launch` are the delegate's own, of all inferences.
typedef struct ToolKernelTimes {
    OcliteOpenclKernel launch; // a copy
    ToolMoments microseconds;
} ToolKernelTimes;

typedef struct ToolProfile {
    TfLiteInterpreter* interpreter;
    int subgraph_count;
    int* first_rows;     // of each subgraph, and one more: where its nodes begin in `index`
    int* index;          // node to its row; -1: it has not run
    ToolNodeTimes* rows; // those that have run, in the order in which they first did
    int row_count;
    double* run_microseconds; // per subgraph: of the nodes of the inference that goes on
    ToolMoments* totals;      // per subgraph: of its nodes in an inference, together
    ToolKernelTimes* kernels;
    int kernel_count;
    bool is_counting;
} ToolProfile;

// The interpreter must not outlive the profile, unless tool_profile_stop was called. Release with
// tool_profile_free, which accepts {0}. Delegates are applied already.
ToolStatus tool_profile_start(ToolProfile* profile, TfLiteInterpreter* interpreter, ToolMessage* message);
void tool_profile_stop(ToolProfile* profile);
void tool_profile_free(ToolProfile* profile);

// Around an inference that counts. `delegate`: OpenCL's, whose kernels of this inference are added; NULL.
void tool_profile_begin_run(ToolProfile* profile);
ToolStatus tool_profile_end_run(ToolProfile* profile, const TfLiteDelegate* delegate, ToolMessage* message);

#endif
