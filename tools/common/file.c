// SPDX-License-Identifier: Apache-2.0
#include "tools/common/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Doubling reads that need no file size, so that pipes work.
static int read_all(FILE* file, ToolBytes* bytes) {
    size_t room = 1 << 16;
    bytes->data = malloc(room);
    while (bytes->data != NULL) {
        bytes->size += fread(bytes->data + bytes->size, 1, room - 1 - bytes->size, file);
        if (ferror(file)) return errno ? errno : EIO;
        if (bytes->size < room - 1) {
            bytes->data[bytes->size] = '\0';
            return 0;
        }
        if (room > SIZE_MAX / 2) return ENOMEM;
        room *= 2;
        char* larger = realloc(bytes->data, room);
        if (larger == NULL) return ENOMEM;
        bytes->data = larger;
    }
    return ENOMEM;
}

ToolStatus tool_file_read(const char* path, ToolBytes* bytes, ToolMessage* message) {
    *bytes = (ToolBytes){0};
    FILE* file = fopen(path, "rb");
    if (file == NULL) return tool_fail(message, kToolFile, "%s: %s", path, strerror(errno));
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

// Returns the path of a temporary file beside the file, so that renaming stays within the file system; NULL
// when memory runs out.
static char* temporary_name(const char* path) {
    const size_t room = strlen(path) + 32;
    char* name = malloc(room);
    if (name != NULL) snprintf(name, room, "%s.%ld.partial", path, (long)getpid());
    return name;
}

ToolStatus tool_output_open(const char* path, ToolOutput* output, ToolMessage* message) {
    *output = (ToolOutput){.path = path};
    struct stat about;
    if (strcmp(path, "-") == 0) {
        output->stream = stdout;
        return kToolOk;
    }
    if (stat(path, &about) != 0 || S_ISREG(about.st_mode)) {
        output->temporary = temporary_name(path);
        if (output->temporary == NULL) return tool_out_of_memory(message);
    }
    output->stream = fopen(output->temporary != NULL ? output->temporary : path, "wb");
    if (output->stream != NULL) return kToolOk;
    const int error = errno;
    free(output->temporary);
    *output = (ToolOutput){0};
    return tool_fail(message, kToolFile, "%s: %s", path, strerror(error));
}

// Returns an errno, 0 for success. A full disk may show only when the last buffer is flushed.
static int close_stream(FILE* stream) {
    errno = 0;
    const bool failed = ferror(stream) != 0;
    const int end = stream == stdout ? fflush(stream) : fclose(stream);
    return failed || end != 0 ? (errno ? errno : EIO) : 0;
}

ToolStatus tool_output_close(ToolOutput* output, ToolStatus status, ToolMessage* message) {
    if (output->stream == NULL) return status;
    int error = close_stream(output->stream);
    if (output->temporary != NULL) {
        const bool keep = status == kToolOk && !error;
        if (keep && rename(output->temporary, output->path) != 0) error = errno;
        if (!keep || error) remove(output->temporary);
        free(output->temporary);
    }
    if (error && status == kToolOk) {
        status = tool_fail(message, kToolFile, "%s: %s", output->path, strerror(error));
    }
    *output = (ToolOutput){0};
    return status;
}

ToolStatus tool_file_write(const char* path, const void* head, size_t head_size, const void* body,
                           size_t body_size, ToolMessage* message) {
    ToolOutput output;
    ToolStatus status = tool_output_open(path, &output, message);
    if (status != kToolOk) return status;
    const bool written = fwrite(head, 1, head_size, output.stream) == head_size &&
                         (body_size == 0 || fwrite(body, 1, body_size, output.stream) == body_size);
    if (!written) status = tool_fail(message, kToolFile, "%s: %s", path, strerror(errno));
    return tool_output_close(&output, status, message);
}

ToolStatus tool_folder_make(const char* path, ToolMessage* message) {
    struct stat about;
    if (mkdir(path, 0777) == 0) return kToolOk;
    const int error = errno;
    if (error == EEXIST && stat(path, &about) == 0 && S_ISDIR(about.st_mode)) return kToolOk;
    return tool_fail(message, kToolFile, "%s: %s", path, error == EEXIST ? "not a folder" : strerror(error));
}
