// SPDX-License-Identifier: Apache-2.0
// A folder of files that nobody but the process's user, and root, can have written: what they hold may be
// run.
#ifndef CORE_BASE_FOLDER_H_
#define CORE_BASE_FOLDER_H_

#include <stdbool.h>
#include <stddef.h>

#include "core/base/bytes.h"

// Opens a folder, and makes it and those that it is in, for the user alone, where there is none. Returns a
// descriptor to close; -1 when the folder cannot be opened or read, or belongs to somebody else, or others
// may write to it: then `why`, of `size` bytes, says so. It may be a folder that cannot be written to. What
// happens to its path later is without effect.
int lite_folder_open(const char* path, char* why, size_t size);

// The contents of a file, owned by whoever read or mapped them (lite_contents_free).
typedef struct LiteContents {
    const void* data; // NULL: of an empty file, or none
    size_t size;
    bool is_mapped;
} LiteContents;
void lite_contents_free(LiteContents* contents); // which are empty afterwards

// Reads a file of the folder. Returns an errno number on failure, with empty contents: EPERM where it belongs
// to somebody else or others may write to it, ELOOP for a link.
int lite_folder_read(int folder, const char* name, LiteContents* contents);

// The same without a copy: the pages of the file itself, which all processes share. Nobody but the user, and
// root, can change or shorten it meanwhile; one that is replaced or removed stays as it was.
int lite_folder_map(int folder, const char* name, LiteContents* contents);

// Makes now the time of a file's change, where that is allowed.
void lite_folder_touch(int folder, const char* name);

// Writes a file of these parts, for its owner alone: whoever opens it finds what was there before or all of
// it. An errno number on failure, which leaves nothing behind.
int lite_folder_write(int folder, const char* name, const LiteBytes* parts, size_t count);

#endif
