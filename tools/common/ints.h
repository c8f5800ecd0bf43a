// SPDX-License-Identifier: Apache-2.0
// Lists of ints, such as those of a node's tensors.
#ifndef TOOLS_COMMON_INTS_H_
#define TOOLS_COMMON_INTS_H_

#include <stdbool.h>

bool tool_ints_contain(const int* values, int count, int value);

#endif
