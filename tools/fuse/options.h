// SPDX-License-Identifier: Apache-2.0
// Options of a custom operator, as a model keeps them.
#ifndef TOOLS_FUSE_OPTIONS_H_
#define TOOLS_FUSE_OPTIONS_H_

#include "tools/file.h"

// JSON, where the text begins with '{' or names a file of that ending: a FlexBuffers map of the same. Any
// other file is taken as it is. Release with tool_bytes_free.
ToolStatus tool_fuse_options(const char* text, ToolBytes* bytes, ToolMessage* message);

#endif
