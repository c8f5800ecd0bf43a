// SPDX-License-Identifier: Apache-2.0
// How the tools end: an exit status, and one line that says why. Also prints names from models.
#ifndef TOOLS_COMMON_STATUS_H_
#define TOOLS_COMMON_STATUS_H_

#include <stdarg.h>
#include <stdio.h>

typedef enum ToolStatus {
    kToolOk = 0,
    kToolFile = 1,      // a file could not be read, understood or written; no delegate could be made
    kToolUsage = 2,     // the command line, or an input file that does not fit the model
    kToolLoad = 10,     // the model did not load, or no interpreter could be made
    kToolAllocate = 11, // a resize or the allocation of tensors failed
    kToolInvoke = 12,   // an invoke failed
} ToolStatus;

// The reports so far: one line of parts separated by "; ", each part only once. Starts as {0}.
typedef struct ToolMessage {
    char text[1024];
} ToolMessage;

// Adds a part and returns `status`. Text that does not fit is cut off. Control characters become spaces.
ToolStatus tool_fail(ToolMessage* message, ToolStatus status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
// Adds "out of memory" and returns kToolFile.
ToolStatus tool_out_of_memory(ToolMessage* message);

// The same as an error reporter of the library. `user_data` is a ToolMessage.
void tool_report(void* user_data, const char* format, va_list args);

// Print a name from a model, to a stream and to stdout, in one line: line breaks and tabs become spaces,
// other control characters, which a terminal might obey, question marks.
void tool_put_name(FILE* out, const char* name);
void tool_print_name(const char* name);

#endif
