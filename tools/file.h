// SPDX-License-Identifier: Apache-2.0
// Whole files in memory.
#ifndef TOOLS_FILE_H_
#define TOOLS_FILE_H_

#include <stddef.h>

#include "tools/status.h"

typedef struct ToolBytes {
    char* data; // never NULL once read; a NUL follows the last byte
    size_t size;
} ToolBytes;

// Reads a file, pipe or device to its end. Release with tool_bytes_free, which accepts {0}.
ToolStatus tool_file_read(const char* path, ToolBytes* bytes, ToolMessage* message);
void tool_bytes_free(ToolBytes* bytes);

// Writes `head`, then `body` (NULL when body_size is 0), over whatever is there.
ToolStatus tool_file_write(const char* path, const void* head, size_t head_size, const void* body,
                           size_t body_size, ToolMessage* message);

// Makes a folder unless it is there; its parent must exist.
ToolStatus tool_folder_make(const char* path, ToolMessage* message);

#endif
