// SPDX-License-Identifier: Apache-2.0
// The configuration of a side for a part of the model. The delegate's options that name nodes by index, or
// concern the whole graph, would mean something else there.
#ifndef TOOLS_DIFF_PART_H_
#define TOOLS_DIFF_PART_H_

#include "tools/diff/side.h"

// Returns the text of the configuration in which these nodes alone run as they did in the whole model, which
// the side has learnt. The caller frees it; NULL when memory runs out.
char* diff_part_text(const DiffSide* side, const int* nodes, int count);

#endif
