// SPDX-License-Identifier: Apache-2.0
// The facts of a model file (tools/common/facts.h).
#ifndef TOOLS_INFO_MODEL_H_
#define TOOLS_INFO_MODEL_H_

#include "tools/common/facts.h"
#include "tools/info/info.h"

// Adds size, description, metadata, signatures, buffers, parameters, operators, inputs and outputs.
void info_add_model(const Info* info, cJSON* facts);

#endif
