// SPDX-License-Identifier: Apache-2.0
// Pieces of command lines that several commands share.
#ifndef TOOLS_ARGUMENTS_H_
#define TOOLS_ARGUMENTS_H_

#include <stdbool.h>

#include "tools/job.h"
#include "tools/session.h"
#include "tools/status.h"

typedef struct ToolArguments {
    int count;
    char** items;
    int next; // the argument to look at
} ToolArguments;

// Is the next argument `name`? Then it is passed over.
bool tool_argument_is(ToolArguments* arguments, const char* name);

// The value of option `name`, whose name has just been passed over; NULL and a message when there is none.
const char* tool_argument_value(ToolArguments* arguments, const char* name, ToolMessage* message);

// An integer of at least `low`; false and a message otherwise.
bool tool_argument_integer(ToolArguments* arguments, const char* name, int low, int* value,
                           ToolMessage* message);

// "I=1x224x224x3", "I=" for a scalar.
bool tool_argument_resize(ToolArguments* arguments, ToolResize* resize, ToolMessage* message);

// --delegate, --cpu, --threads and --memory-limit. *matched says whether the next argument was one of them.
ToolStatus tool_argument_setup(ToolArguments* arguments, ToolSetup* setup, bool* matched,
                               ToolMessage* message);

// The one argument that is not an option: the model. kToolUsage for an unknown option or a second model.
ToolStatus tool_argument_model(ToolArguments* arguments, const char** model, ToolMessage* message);

#endif
