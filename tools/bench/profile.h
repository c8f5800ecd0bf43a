// SPDX-License-Identifier: Apache-2.0
// The time of inferences by node, of all subgraphs, and by kernel on the device.
#ifndef TOOLS_BENCH_PROFILE_H_
#define TOOLS_BENCH_PROFILE_H_

#include <stdbool.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api.h"
#include "tools/common/statistics.h"
#include "tools/common/status.h"

typedef struct BenchNodeTimes {
    int subgraph;
    int node;
    ToolMoments microseconds; // of every call
} BenchNodeTimes;

// A launch on an OpenCL device; the times in `launch` are the delegate's own, of all inferences.
typedef struct BenchKernelTimes {
    OcliteOpenclKernel launch; // a copy
    ToolMoments microseconds;
} BenchKernelTimes;

typedef struct BenchProfile {
    TfLiteInterpreter* interpreter;
    int subgraph_count;
    int* first_rows;      // by subgraph: where its nodes begin in `index`; one more at the end
    int* index;           // by node: its row; -1 when it has not run
    BenchNodeTimes* rows; // the nodes that have run, in the order of their first run
    int row_count;
    double* run_microseconds; // by subgraph: of its nodes in the present inference
    ToolMoments* totals;      // by subgraph: of all its nodes in an inference
    BenchKernelTimes* kernels;
    int kernel_count;
    bool is_counting;
} BenchProfile;

// Starts and stops the profile of an interpreter, to which delegates have been applied. The interpreter must
// not outlive the profile unless bench_profile_stop was called. Release with bench_profile_free, which
// accepts {0}.
ToolStatus bench_profile_start(BenchProfile* profile, TfLiteInterpreter* interpreter, ToolMessage* message);
void bench_profile_stop(BenchProfile* profile);
void bench_profile_free(BenchProfile* profile);

// Call these before and after an inference that counts. `delegate` is the OpenCL delegate, whose kernels of
// this inference are added, or NULL.
void bench_profile_begin_run(BenchProfile* profile);
ToolStatus bench_profile_end_run(BenchProfile* profile, const TfLiteDelegate* delegate, ToolMessage* message);

// Describes the node of a row; false when the interpreter does not have it.
bool bench_profile_node(const BenchProfile* profile, const TfLiteInterpreter* interpreter, int row,
                        OcliteNode* node);

#endif
