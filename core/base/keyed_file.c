// SPDX-License-Identifier: Apache-2.0
#include "core/base/keyed_file.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/base/folder_limit.h"
#include "core/base/sha256.h"
#include "core/base/xxh64.h"

enum { kAlignment = 64, kNameDigits = 16 };

// A file is a header, the key, zeros up to a whole number of cache lines, and the data. Numbers have the
// machine's byte order, and a file of another one has another magic number.
typedef struct Header {
    uint64_t magic;
    uint64_t key_size;
    uint64_t data_size;
    uint64_t hash; // of the data, begun with that of the key
} Header;
static const uint64_t magic = UINT64_C(0x334C494643494C4F);

typedef struct FileName {
    char text[64];
} FileName;

static FileName name_of(const char* key, const char* ending) {
    FileName name;
    unsigned char digest[LITE_SHA256_BYTES];
    lite_sha256(&(LiteBytes){key, strlen(key)}, 1, digest);
    for (size_t i = 0; i < kNameDigits / 2; i++) snprintf(name.text + 2 * i, 3, "%02x", digest[i]);
    snprintf(name.text + kNameDigits, sizeof name.text - kNameDigits, "%s", ending);
    return name;
}

static size_t padding_of(size_t key_size) {
    return (kAlignment - (sizeof(Header) + key_size) % kAlignment) % kAlignment;
}

static uint64_t hash_of(const char* key, const void* data, size_t size) {
    return lite_xxh64(data, size, lite_xxh64(key, strlen(key), 0));
}

// The data in a file of that key, NULL where it is anything else.
static const void* find_data(const LiteContents* file, const char* key, size_t* size) {
    static const char zeros[kAlignment];
    Header header;
    if (file->size < sizeof header) return NULL;
    memcpy(&header, file->data, sizeof header);
    const size_t key_size = strlen(key), padding = padding_of(key_size);
    const size_t rest = file->size - sizeof header;
    if (header.magic != magic || header.key_size != key_size || rest <= key_size + padding ||
        header.data_size != rest - key_size - padding)
        return NULL;
    const char* at = (const char*)file->data + sizeof header;
    const char* data = at + key_size + padding;
    *size = rest - key_size - padding;
    if (memcmp(at, key, key_size) != 0 || memcmp(at + key_size, zeros, padding) != 0) return NULL;
    return hash_of(key, data, *size) == header.hash ? data : NULL;
}

static LiteKeyedFile find(LiteContents file, const char* key) {
    LiteKeyedFile kept = {.file = file};
    kept.data = find_data(&kept.file, key, &kept.size);
    return kept;
}

LiteKeyedFile lite_keyed_read(int folder, const char* key, const char* ending) {
    LiteContents file = {0};
    const FileName name = name_of(key, ending);
    if (folder >= 0) (void)lite_folder_read(folder, name.text, &file);
    LiteKeyedFile kept = find(file, key);
    if (kept.data != NULL) lite_folder_touch(folder, name.text);
    return kept;
}

LiteKeyedFile lite_keyed_map(int folder, const char* key, const char* ending) {
    LiteContents file = {0};
    const FileName name = name_of(key, ending);
    if (folder >= 0) (void)lite_folder_map(folder, name.text, &file);
    LiteKeyedFile kept = find(file, key);
    if (kept.data != NULL) {
        lite_folder_touch(folder, name.text);
    } else {
        lite_keyed_free(&kept);
    }
    return kept;
}

void lite_keyed_free(LiteKeyedFile* kept) {
    lite_contents_free(&kept->file);
    *kept = (LiteKeyedFile){0};
}

bool lite_keyed_write(int folder, const char* key, const char* ending, const void* data, size_t size) {
    static const char zeros[kAlignment];
    const Header header = {magic, strlen(key), size, hash_of(key, data, size)};
    const LiteBytes parts[] = {
        {&header, sizeof header}, {key, strlen(key)}, {zeros, padding_of(strlen(key))}, {data, size}};
    const FileName name = name_of(key, ending);
    return folder >= 0 && lite_folder_write(folder, name.text, parts, sizeof parts / sizeof parts[0]) == 0;
}

size_t lite_keyed_limit(int folder, const char* ending, size_t most) {
    return lite_folder_limit(folder, kNameDigits, ending, most);
}
