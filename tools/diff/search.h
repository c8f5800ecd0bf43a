// SPDX-License-Identifier: Apache-2.0
// Finds out why tensors differ. Both sides compute each group of nodes whose results differ too much alone,
// from the same inputs. The first whose results still differ is the cause.
#ifndef TOOLS_DIFF_SEARCH_H_
#define TOOLS_DIFF_SEARCH_H_

#include "tools/diff/diff.h"

// Finds out why tensors differ. When the model's outputs differ only as long as the tensors between are not
// read, finds out which tensor is the reason (tools/diff/stored.h).
ToolStatus diff_search(DiffWork* work, ToolMessage* message);

#endif
