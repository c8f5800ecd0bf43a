// SPDX-License-Identifier: Apache-2.0
#include "tools/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Doubling reads that need no file size, so that pipes work.
static int read_all(FILE* file, ToolBytes* bytes) {
    size_t room = 1 << 16;
    bytes->data = malloc(room);
    while (bytes->data) {
        bytes->size += fread(bytes->data + bytes->size, 1, room - 1 - bytes->size, file);
        if (ferror(file)) return errno ? errno : EIO;
        if (bytes->size < room - 1) {
            bytes->data[bytes->size] = '\0';
            return 0;
        }
        if (room > SIZE_MAX / 2) return ENOMEM;
        room *= 2;
        char* larger = realloc(bytes->data, room);
        if (!larger) return ENOMEM;
        bytes->data = larger;
    }
    return ENOMEM;
}

ToolStatus tool_file_read(const char* path, ToolBytes* bytes, ToolMessage* message) {
    *bytes = (ToolBytes){0};
    FILE* file = fopen(path, "rb");
    if (!file) return tool_fail(message, kToolFile, "%s: %s", path, strerror(errno));
    errno = 0;
    const int error = read_all(file, bytes);
    fclose(file);
    if (!error) return kToolOk;
    tool_bytes_free(bytes);
    return tool_fail(message, kToolFile, "%s: %s", path, strerror(error));
}

void tool_bytes_free(ToolBytes* bytes) {
    free(bytes->data);
    *bytes = (ToolBytes){0};
}

ToolStatus tool_file_write(const char* path, const void* head, size_t head_size, const void* body,
                           size_t body_size, ToolMessage* message) {
    FILE* file = fopen(path, "wb");
    if (!file) return tool_fail(message, kToolFile, "%s: %s", path, strerror(errno));
    const bool written = fwrite(head, 1, head_size, file) == head_size &&
                         (body_size == 0 || fwrite(body, 1, body_size, file) == body_size);
    const int error = errno;
    // A full disk may show only when the last buffer is flushed.
    if (fclose(file) == 0 && written) return kToolOk;
    return tool_fail(message, kToolFile, "%s: %s", path, strerror(written ? errno : error));
}

ToolStatus tool_folder_make(const char* path, ToolMessage* message) {
    struct stat about;
    if (mkdir(path, 0777) == 0) return kToolOk;
    const int error = errno;
    if (error == EEXIST && stat(path, &about) == 0 && S_ISDIR(about.st_mode)) return kToolOk;
    return tool_fail(message, kToolFile, "%s: %s", path, error == EEXIST ? "not a folder" : strerror(error));
}
