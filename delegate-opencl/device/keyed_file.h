// SPDX-License-Identifier: Apache-2.0
// Files of a folder that keep what one process found out for the next ones. Each is named by a hash of its
// key, and also holds the whole key. The digest guards against damage only: whoever may write to the folder
// can write what it likes, see core/base/folder.h for who that is.
#ifndef DELEGATE_OPENCL_DEVICE_KEYED_FILE_H_
#define DELEGATE_OPENCL_DEVICE_KEYED_FILE_H_

#include <stdbool.h>

#include "core/base/folder.h"

// What the file of that key keeps, in the memory of the whole file.
typedef struct LiteClKeyedFile {
    LiteContents file; // owned: lite_cl_keyed_free
    const void* data;  // NULL: there is none that can be trusted
    size_t size;       // not 0
} LiteClKeyedFile;

LiteClKeyedFile lite_cl_keyed_read(int folder, const char* key, const char* ending);
void lite_cl_keyed_free(LiteClKeyedFile* kept);

// Replaces the file. False when it cannot be written.
bool lite_cl_keyed_write(int folder, const char* key, const char* ending, const void* data, size_t size);

#endif
