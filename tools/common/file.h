// SPDX-License-Identifier: Apache-2.0
// Whole files in memory.
#ifndef TOOLS_COMMON_FILE_H_
#define TOOLS_COMMON_FILE_H_

#include <stddef.h>
#include <stdio.h>

#include "tools/common/status.h"

typedef struct ToolBytes {
    char* data; // never NULL once read; a NUL follows the last byte
    size_t size;
} ToolBytes;

// Reads a file, pipe or device to its end. Release with tool_bytes_free, which accepts {0}.
ToolStatus tool_file_read(const char* path, ToolBytes* bytes, ToolMessage* message);
void tool_bytes_free(ToolBytes* bytes);

// Writes `head`, then `body` (NULL when body_size is 0), and replaces an existing file. The existing file
// remains until everything is written, and when writing fails.
ToolStatus tool_file_write(const char* path, const void* head, size_t head_size, const void* body,
                           size_t body_size, ToolMessage* message);

// The same for a file that is printed step by step: a stream, which becomes the file at the end.
typedef struct ToolOutput {
    FILE* stream; // NULL once it is closed
    const char* path;
    char* temporary; // NULL when the stream writes to the file itself: a pipe, a device
} ToolOutput;

// `path` must outlive the output; "-" is the standard output.
ToolStatus tool_output_open(const char* path, ToolOutput* output, ToolMessage* message);
// Keeps the file if `status` is kToolOk and everything could be written. Returns `status`, or the failure.
// Accepts {0}.
ToolStatus tool_output_close(ToolOutput* output, ToolStatus status, ToolMessage* message);

// Makes a folder unless it exists. Its parent must exist.
ToolStatus tool_folder_make(const char* path, ToolMessage* message);

#endif
