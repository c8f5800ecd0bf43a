// SPDX-License-Identifier: Apache-2.0
// The facts of subgraphs, tensors and nodes (tools/common/facts.h).
#ifndef TOOLS_INFO_NODES_H_
#define TOOLS_INFO_NODES_H_

#include "tools/common/facts.h"
#include "tools/info/info.h"

// Adds every subgraph: its tensors, its nodes with parameters and work, and the sums of the work.
void info_add_subgraphs(const Info* info, cJSON* facts);

#endif
