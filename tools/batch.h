// SPDX-License-Identifier: Apache-2.0
// Many jobs in one process:
//
//     {"cases": [{"name": "a", "model": "a.tflite", "out": "out/a",
//                 "runs": [{"resize": {"0": [2, 3]}, "in": ["x.npy"]}]}]}
//
// After each case OUT/status.json holds {"rc": exit status}, and with a delegate which nodes it was asked
// about, "nodes": [{"op": "ADD", "taken": false, "reason": "why not"}], and "failure", "" when it did not
// fail. A case that fails does not stop the others.
#ifndef TOOLS_BATCH_H_
#define TOOLS_BATCH_H_

#include "tools/session.h"
#include "tools/status.h"

// kToolOk when every case was tried and has its status, whatever the status; why cases failed goes to stderr.
ToolStatus tool_batch_run(const char* list, const ToolSetup* setup, ToolMessage* message);

#endif
