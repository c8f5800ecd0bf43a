// SPDX-License-Identifier: Apache-2.0
// Where the time of an inference goes, node by node of the main graph.
#ifndef TOOLS_PROFILE_H_
#define TOOLS_PROFILE_H_

#include "tensorflow/lite/c/c_api.h"
#include "tools/status.h"

typedef struct ToolProfile {
    int node_count;
    uint64_t* nanoseconds; // per node, summed over inferences
    int* calls;
} ToolProfile;

// Starts to count; the interpreter must not outlive the profile. Release with tool_profile_free.
ToolStatus tool_profile_start(ToolProfile* profile, TfLiteInterpreter* interpreter, ToolMessage* message);
void tool_profile_free(ToolProfile* profile); // accepts {0}

// One line per node that ran, slowest first: mean milliseconds, share of the whole, node, operator.
ToolStatus tool_profile_print(const ToolProfile* profile, const TfLiteInterpreter* interpreter,
                              ToolMessage* message);

#endif
