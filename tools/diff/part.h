// SPDX-License-Identifier: Apache-2.0
// A side's configuration for a part of the model: options of the delegate that name nodes by their numbers,
// or look at the graph as a whole, would mean something else there.
#ifndef TOOLS_DIFF_PART_H_
#define TOOLS_DIFF_PART_H_

#include "tools/diff/side.h"

// The text of the configuration in which these nodes alone run as they did in the whole model, which the side
// has learnt; to be freed. NULL when out of memory.
char* diff_part_text(const DiffSide* side, const int* nodes, int count);

#endif
