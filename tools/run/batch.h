// SPDX-License-Identifier: Apache-2.0
// Many jobs in one process:
//
//     {"cases": [{"name": "a", "model": "a.tflite", "out": "out/a",
//                 "runs": [{"resize": {"0": [2, 3]}, "in": ["x.npy"]}]}]}
//
// An input whose file is null is zero, or the constant that it is.
//
// After each case OUT/status.json contains {"rc": exit status}. With a delegate it also lists the nodes that
// the delegate was asked about, "nodes": [{"op": "ADD", "taken": false, "reason": "why not"}], and "failure",
// which is "" unless the delegate failed. A case that fails does not stop the others.
#ifndef TOOLS_RUN_BATCH_H_
#define TOOLS_RUN_BATCH_H_

#include "tools/common/session.h"
#include "tools/common/status.h"

// Returns kToolOk when every case was tried and has its status, whatever the status. The reasons of failures
// go to stderr.
ToolStatus tool_batch_run(const char* list, const ToolSetup* setup, ToolMessage* message);

#endif
