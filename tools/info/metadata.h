// SPDX-License-Identifier: Apache-2.0
// What a model's metadata say (tools/common/facts.h).
#ifndef TOOLS_INFO_METADATA_H_
#define TOOLS_INFO_METADATA_H_

#include "oclite/oclite.h"
#include "tools/common/facts.h"

// Adds an array "metadata": names and sizes, and what is in them where that is known: a short text ("text"),
// TensorFlow Lite's description of a model ("model") and the converter's notes ("conversion"). What is
// damaged is told by its name and size.
void info_add_metadata(const TfLiteModel* model, cJSON* facts);

#endif
