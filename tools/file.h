// SPDX-License-Identifier: Apache-2.0
// Whole files in memory.
#ifndef TOOLS_FILE_H_
#define TOOLS_FILE_H_

#include <stddef.h>
#include <stdio.h>

#include "tools/status.h"

typedef struct ToolBytes {
    char* data; // never NULL once read; a NUL follows the last byte
    size_t size;
} ToolBytes;

// Reads a file, pipe or device to its end. Release with tool_bytes_free, which accepts {0}.
ToolStatus tool_file_read(const char* path, ToolBytes* bytes, ToolMessage* message);
void tool_bytes_free(ToolBytes* bytes);

// Writes `head`, then `body` (NULL when body_size is 0), in the place of whatever is there: that stays until
// all is written, and when it cannot be.
ToolStatus tool_file_write(const char* path, const void* head, size_t head_size, const void* body,
                           size_t body_size, ToolMessage* message);

// The same for what is printed bit by bit: a stream, and the file that it becomes at the end.
typedef struct ToolOutput {
    FILE* stream; // NULL once it is closed
    const char* path;
    char* temporary; // NULL where the stream is the file: a pipe, a device
} ToolOutput;

// `path` must outlive the output; "-" is the standard output.
ToolStatus tool_output_open(const char* path, ToolOutput* output, ToolMessage* message);
// Keeps the file if `status` is kToolOk and all could be written. Returns `status`, or why not. Accepts {0}.
ToolStatus tool_output_close(ToolOutput* output, ToolStatus status, ToolMessage* message);

// Makes a folder unless it is there; its parent must exist.
ToolStatus tool_folder_make(const char* path, ToolMessage* message);

#endif
