// SPDX-License-Identifier: Apache-2.0
// Parses command lines by the tables of tools/common/command.h.
#ifndef TOOLS_COMMON_OPTIONS_H_
#define TOOLS_COMMON_OPTIONS_H_

#include <stdbool.h>

#include "tools/common/command.h"
#include "tools/common/job.h"

// An option of a command, and the offset that its field has in the command's settings.
typedef struct ToolOptionPlace {
    const ToolOption* option;
    size_t offset;
} ToolOptionPlace;

// Returns the command's own options, then those of its setup, by index; {NULL} when there is none.
ToolOptionPlace tool_option(const ToolCommand* command, int index);
// The same for the options that have a help.
ToolOptionPlace tool_helped_option(const ToolCommand* command, int index);

// Fills `settings`, which hold the defaults, and `operands`. Release both by tool_options_free, whatever the
// result. Texts point into `arguments`.
ToolStatus tool_options_parse(const ToolCommand* command, int count, char** arguments, void* settings,
                              ToolList* operands, ToolMessage* message);
void tool_options_free(const ToolCommand* command, void* settings, ToolList* operands);

// Values that several commands read in the same way.
//
// Parses "I=1x224x224x3", another shape of the I-th input, or "I=" for a scalar. Otherwise returns kToolUsage
// and a message.
ToolStatus tool_parse_resize(const char* text, ToolResize* resize, ToolMessage* message);
// Parses an int and returns the text after it; NULL when there is none.
const char* tool_parse_int(const char* text, int* value);

#endif
