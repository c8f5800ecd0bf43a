// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/keyed_file.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/sha256.h"

// A file is a header, the key and the data; the digest is of the last two. Numbers have the machine's byte
// order, because only this machine has its drivers.
typedef struct Header {
    char magic[8];
    uint64_t key_size;
    uint64_t data_size;
    unsigned char digest[LITE_SHA256_BYTES];
} Header;
static const char magic[8] = "OCLPRG2";

typedef struct FileName {
    char text[64];
} FileName;

static FileName name_of(const char* key, const char* ending) {
    FileName name;
    unsigned char digest[LITE_SHA256_BYTES];
    lite_sha256(&(LiteBytes){key, strlen(key)}, 1, digest);
    for (size_t i = 0; i < 8; i++) snprintf(name.text + 2 * i, 3, "%02x", digest[i]);
    snprintf(name.text + 16, sizeof name.text - 16, "%s", ending);
    return name;
}

// The data in a file of that key, NULL where it is anything else.
static const void* find_data(const LiteContents* file, const char* key, size_t* size) {
    Header header;
    unsigned char digest[LITE_SHA256_BYTES];
    const size_t key_size = strlen(key);
    if (file->size < sizeof header) return NULL;
    memcpy(&header, file->data, sizeof header);
    const size_t rest = file->size - sizeof header;
    if (memcmp(header.magic, magic, sizeof magic) != 0 || header.key_size != key_size || key_size > rest ||
        header.data_size != rest - key_size || header.data_size == 0)
        return NULL;
    const char* at = (const char*)file->data + sizeof header;
    if (memcmp(at, key, key_size) != 0) return NULL;
    lite_sha256(&(LiteBytes){at, rest}, 1, digest);
    if (memcmp(digest, header.digest, sizeof digest) != 0) return NULL;
    *size = rest - key_size;
    return at + key_size;
}

LiteClKeyedFile lite_cl_keyed_read(int folder, const char* key, const char* ending) {
    LiteClKeyedFile kept = {0};
    const FileName name = name_of(key, ending);
    if (folder < 0) return kept;
    (void)lite_folder_read(folder, name.text, &kept.file);
    kept.data = find_data(&kept.file, key, &kept.size);
    return kept;
}

void lite_cl_keyed_free(LiteClKeyedFile* kept) {
    lite_free(kept->file.data);
    *kept = (LiteClKeyedFile){0};
}

bool lite_cl_keyed_write(int folder, const char* key, const char* ending, const void* data, size_t size) {
    Header header = {.key_size = strlen(key), .data_size = size};
    const LiteBytes parts[] = {{&header, sizeof header}, {key, strlen(key)}, {data, size}};
    const FileName name = name_of(key, ending);
    memcpy(header.magic, magic, sizeof magic);
    lite_sha256(parts + 1, 2, header.digest);
    return folder >= 0 && lite_folder_write(folder, name.text, parts, 3) == 0;
}
