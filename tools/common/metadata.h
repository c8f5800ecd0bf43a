// SPDX-License-Identifier: Apache-2.0
// What a model says about itself (oclite/metadata.h), as facts (facts.h).
#ifndef TOOLS_COMMON_METADATA_H_
#define TOOLS_COMMON_METADATA_H_

#include "oclite/metadata.h"
#include "tools/common/facts.h"

// Reads it; NULL, with the reason in `message`, when it is damaged.
OcliteMetadata* tool_metadata_read(const TfLiteModel* model, ToolMessage* message);

// Adds all that is said; nothing for what is not.
void tool_metadata_add(const OcliteMetadata* metadata, cJSON* facts);

// Adds the files that are packed into the model as an array "packed_files" of names and sizes; nothing when
// there are none.
void tool_metadata_add_packed(const OcliteMetadata* metadata, cJSON* facts);

#endif
