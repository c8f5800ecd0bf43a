// SPDX-License-Identifier: Apache-2.0
// What a model's metadata say (tools/common/facts.h).
#ifndef TOOLS_INFO_METADATA_H_
#define TOOLS_INFO_METADATA_H_

#include "oclite/oclite.h"
#include "tools/common/facts.h"

// Adds an array "metadata": names and sizes, and what is in them where that is known: a short text ("text"),
// TensorFlow Lite's description of a model ("model", or why it is "damaged") and the converter's notes
// ("conversion"). Adds an array "packed_files" when files are packed into the model; "metadata_damaged" says
// why the description or the packed files cannot be read.
void info_add_metadata(const TfLiteModel* model, cJSON* facts);

#endif
