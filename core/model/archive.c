// SPDX-License-Identifier: Apache-2.0
// The format in short: each file has a local header in front of its contents. The directory behind all files
// has one entry for each, with the distance from the archive's start to the local header. A record at the
// very end says where the directory is; a comment of up to 65,535 bytes may follow it. Everything in front of
// the archive, here the model, counts as part of it for some writers and not for others: the directory's true
// place tells which.
#include "core/model/archive.h"

#include <string.h>

#include "core/model/flatbuffer.h"

enum { kLocalBytes = 30, kEntryBytes = 46, kEndBytes = 22, kMaxComment = 65535, kStored = 0, kEncrypted = 1 };
static const uint8_t kLocalMark[4] = {'P', 'K', 3, 4};
static const uint8_t kEntryMark[4] = {'P', 'K', 1, 2};
static const uint8_t kEndMark[4] = {'P', 'K', 5, 6};

typedef struct Archive {
    const uint8_t* data;
    size_t size;
    size_t start; // what distances count from
    LiteArena* arena;
    const LiteReporter* reporter;
} Archive;

// Where the record at the end is; `size` when there is none.
static size_t find_end(const uint8_t* data, size_t size) {
    for (size_t tail = kEndBytes; tail <= size && tail <= kEndBytes + kMaxComment; tail++) {
        const uint8_t* end = data + size - tail;
        if (memcmp(end, kEndMark, 4) == 0 && lite_flat_load_u16(end + 20) == tail - kEndBytes)
            return size - tail;
    }
    return size;
}

// Points file->data at what is behind the local header at `local`, of `bytes` bytes.
static TfLiteStatus find_contents(const Archive* archive, uint32_t local, uint32_t bytes,
                                  OcliteMetadataFile* file) {
    const size_t at = archive->start + local;
    if (at > archive->size || archive->size - at < kLocalBytes ||
        memcmp(archive->data + at, kLocalMark, 4) != 0) {
        return lite_report(archive->reporter, "The packed file %s has no header at offset %zu", file->name,
                           at);
    }
    const uint8_t* header = archive->data + at;
    const size_t begin = at + kLocalBytes + lite_flat_load_u16(header + 26) + lite_flat_load_u16(header + 28);
    if (begin > archive->size || bytes > archive->size - begin) {
        return lite_report(archive->reporter, "The packed file %s of %u bytes at offset %zu ends outside",
                           file->name, bytes, begin);
    }
    file->data = archive->data + begin;
    file->size = bytes;
    return kTfLiteOk;
}

// Reads the entry at *at of the directory, which ends at `end`, and goes on to the next one.
static TfLiteStatus read_entry(const Archive* archive, size_t* at, size_t end, OcliteMetadataFile* file) {
    const uint8_t* entry = archive->data + *at;
    if (end - *at < kEntryBytes || memcmp(entry, kEntryMark, 4) != 0) {
        return lite_report(archive->reporter, "The directory of packed files has no entry at offset %zu",
                           *at);
    }
    const size_t length = lite_flat_load_u16(entry + 28);
    const size_t whole =
        kEntryBytes + length + lite_flat_load_u16(entry + 30) + lite_flat_load_u16(entry + 32);
    if (end - *at < whole) {
        return lite_report(archive->reporter, "The directory's entry at offset %zu ends outside", *at);
    }
    char* name = lite_arena_alloc(archive->arena, length + 1, 1);
    if (name == NULL) return lite_report(archive->reporter, "out of memory");
    memcpy(name, entry + kEntryBytes, length);
    *file = (OcliteMetadataFile){.name = name, .description = "", .type = "", .locale = "", .absent = ""};
    *at += whole;
    if ((lite_flat_load_u16(entry + 8) & kEncrypted) != 0) {
        file->absent = "is encrypted";
    } else if (lite_flat_load_u16(entry + 10) != kStored) {
        file->absent = "is compressed, and only files that are stored can be read";
    } else {
        return find_contents(archive, lite_flat_load_u32(entry + 42), lite_flat_load_u32(entry + 24), file);
    }
    return kTfLiteOk;
}

TfLiteStatus lite_archive_read(const void* data, size_t size, LiteArena* arena, OcliteMetadataFile** files,
                               int* count, const LiteReporter* reporter) {
    Archive archive = {.data = data, .size = size, .arena = arena, .reporter = reporter};
    *files = NULL;
    *count = 0;
    const size_t end = data != NULL ? find_end(data, size) : size;
    if (end == size) return kTfLiteOk;
    const uint8_t* record = archive.data + end;
    const int entries = lite_flat_load_u16(record + 10);
    const uint32_t directory_bytes = lite_flat_load_u32(record + 12);
    const uint32_t directory = lite_flat_load_u32(record + 16);
    if (entries == UINT16_MAX || directory == UINT32_MAX) {
        return lite_report(reporter, "The archive of packed files has the format for large ones (ZIP64)");
    }
    if (directory_bytes > end || directory > end - directory_bytes) {
        return lite_report(reporter, "The directory of packed files lies outside: %u bytes at %u of %zu",
                           directory_bytes, directory, end);
    }
    size_t at = end - directory_bytes;
    archive.start = at - directory;
    // Entries have a size, so that the file bounds how many there are.
    if ((size_t)entries * kEntryBytes > directory_bytes) {
        return lite_report(reporter, "The directory of packed files has %u bytes for %d entries",
                           directory_bytes, entries);
    }
    OcliteMetadataFile* found = lite_arena_alloc(arena, (size_t)entries, sizeof *found);
    if (found == NULL) return lite_report(reporter, "out of memory");
    for (int i = 0; i < entries; i++) LITE_TRY(read_entry(&archive, &at, end, &found[i]));
    *files = found;
    *count = entries;
    return kTfLiteOk;
}
