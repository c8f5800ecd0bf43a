// SPDX-License-Identifier: Apache-2.0
// Files of a folder that keep what one process found out for the next ones. Each is named by a hash of its
// key, and also holds the whole key. The hash of the data guards against damage only: whoever may write to
// the folder can write what it likes, see core/base/folder.h for who that is.
#ifndef CORE_BASE_KEYED_FILE_H_
#define CORE_BASE_KEYED_FILE_H_

#include <stdbool.h>

#include "core/base/folder.h"

// What the file of that key keeps, in the memory of the whole file, and aligned to 64 bytes if that is.
typedef struct LiteKeyedFile {
    LiteContents file; // owned: lite_keyed_free
    const void* data;  // NULL: there is none that can be trusted
    size_t size;       // not 0
} LiteKeyedFile;

// A folder of -1 has no files. The time of change of a file that is used becomes now, for lite_keyed_limit.
LiteKeyedFile lite_keyed_read(int folder, const char* key, const char* ending);
// The same without a copy, for as long as it is not freed.
LiteKeyedFile lite_keyed_map(int folder, const char* key, const char* ending);
void lite_keyed_free(LiteKeyedFile* kept);

// Replaces the file. False when it cannot be written.
bool lite_keyed_write(int folder, const char* key, const char* ending, const void* data, size_t size);

// Removes files of that ending, which were changed the longest ago, until all of them have at most `most`
// bytes. Returns how many they have.
size_t lite_keyed_limit(int folder, const char* ending, size_t most);

#endif
