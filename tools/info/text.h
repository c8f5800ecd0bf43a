// SPDX-License-Identifier: Apache-2.0
// The facts of a model as text.
#ifndef TOOLS_INFO_TEXT_H_
#define TOOLS_INFO_TEXT_H_

#include "tools/common/facts.h"
#include "tools/info/info.h"

// Prints all facts to the standard output.
void info_print(const Info* info, const cJSON* facts);

#endif
