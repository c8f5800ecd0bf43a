// SPDX-License-Identifier: Apache-2.0
// The options of a custom operator, as a model stores them.
#ifndef TOOLS_FUSE_OPTIONS_H_
#define TOOLS_FUSE_OPTIONS_H_

#include "tools/common/file.h"

// Converts JSON, which begins with '{' or is in a file with the ending .json, to a FlexBuffers map. Any other
// file is taken as it is. Release with tool_bytes_free.
ToolStatus fuse_options(const char* text, ToolBytes* bytes, ToolMessage* message);

#endif
