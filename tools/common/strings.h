// SPDX-License-Identifier: Apache-2.0
// String tensors in files: a JSON list of the elements in base64, or {"shape": [2, 3], "data": [list]}.
#ifndef TOOLS_COMMON_STRINGS_H_
#define TOOLS_COMMON_STRINGS_H_

#include <stdbool.h>
#include <stddef.h>

#include "tools/common/npy.h"
#include "tools/common/status.h"

typedef struct ToolStrings {
    int count;
    const char** items; // not terminated
    int* lengths;
    bool has_shape; // false for a plain list
    ToolShape shape;
    char* storage; // what items point into
} ToolStrings;

// Parses the text of a file. A shape must agree with the number of elements. Release with tool_strings_free,
// which accepts {0}. Messages use `name`.
ToolStatus tool_strings_parse(const char* name, const char* text, size_t size, ToolStrings* strings,
                              ToolMessage* message);
void tool_strings_free(ToolStrings* strings);

// Writes the form with a shape.
ToolStatus tool_strings_write(const char* path, const ToolStrings* strings, ToolMessage* message);

#endif
