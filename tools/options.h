// SPDX-License-Identifier: Apache-2.0
// Command lines, as the tables of tools/command.h describe them.
#ifndef TOOLS_OPTIONS_H_
#define TOOLS_OPTIONS_H_

#include <stdbool.h>

#include "tools/command.h"
#include "tools/job.h"

// An option of a command, and the offset that its field has in the command's settings.
typedef struct ToolOptionPlace {
    const ToolOption* option;
    size_t offset;
} ToolOptionPlace;

// The command's own options, then those of its setup; {NULL} when there is none of that number.
ToolOptionPlace tool_option(const ToolCommand* command, int index);
// The same of those that have a help.
ToolOptionPlace tool_helped_option(const ToolCommand* command, int index);

// Fills `settings`, which hold the defaults, and `operands`. Both are to be released by tool_options_free,
// whatever the result. Texts point into `arguments`.
ToolStatus tool_options_parse(const ToolCommand* command, int count, char** arguments, void* settings,
                              ToolList* operands, ToolMessage* message);
void tool_options_free(const ToolCommand* command, void* settings, ToolList* operands);

// Options that several commands have, with the field of the settings that takes them: a ToolList, an int.
#define TOOL_RESIZE_OPTION(Settings, field)                                                                  \
    {                                                                                                        \
        .name = "resize", .value = "I=SHAPE",                                                                \
        .help =                                                                                              \
            "Gives the I-th input a shape: 0=1x224x224x3, \"0=\" for a scalar, 0=0x3 for an empty tensor.",  \
        .kind = kToolTexts, .offset = offsetof(Settings, field)                                              \
    }
#define TOOL_THREADS_OPTION(Settings, field)                                                                 \
    {                                                                                                        \
        .name = "threads", .alias = "num_threads", .value = "N", .help = "Threads on the CPU.",              \
        .kind = kToolInteger, .low = 1, .offset = offsetof(Settings, field)                                  \
    }

// Values that several commands read in the same way.
//
// "I=1x224x224x3": another shape of the I-th input; "I=": a scalar. kToolUsage and a message otherwise.
ToolStatus tool_parse_resize(const char* text, ToolResize* resize, ToolMessage* message);
// An int and what follows it; NULL when there is none.
const char* tool_parse_int(const char* text, int* value);

#endif
