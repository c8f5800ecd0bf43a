// SPDX-License-Identifier: Apache-2.0
// Outputs that differ only as long as the tensors before them are not read: a device may store tensors that
// stay in its memory in another form. Tensors are made visible one after the other, in the order of the
// graph, until the outputs agree. The last one is the cause.
#ifndef TOOLS_DIFF_STORED_H_
#define TOOLS_DIFF_STORED_H_

#include "tools/diff/diff.h"

// Finds the tensor that is the reason.
ToolStatus diff_search_stored(DiffWork* work, ToolMessage* message);

#endif
