// SPDX-License-Identifier: Apache-2.0
#include "core/base/shared_cache.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/lock.h"
#include "core/base/memory.h"
#include "core/base/xxh64.h"
#include "oclite/oclite.h"

#define ENDING ".packed"

enum {
    // How weights are packed: another number wherever that changes, so that older files are not taken.
    kLayout = 1,
    kLeastBytes = 32 * 1024,
    kMost = 1 << 30,
    kMostNumbers = 16,
};

struct LiteSharedCache {
    int folder;
    size_t most;
    LiteLock lock; // of `bytes`
    size_t bytes;  // of files, as far as is known; SIZE_MAX: not yet
};

LiteSharedKey lite_shared_cache_key(const LiteSharedSource* source, size_t bytes) {
    LiteSharedKey key = {.bytes = bytes};
    const LiteBytes contents = source->contents;
    int length = snprintf(key.text, sizeof key.text, "%s %d %s %s %zu %zu %016llx", OCLITE_VERSION_STRING,
                          kLayout, source->kind, source->table, bytes, contents.size,
                          (unsigned long long)lite_xxh64(contents.data, contents.size, 0));
    for (int i = 0; i < source->number_count && i < kMostNumbers; i++) {
        length += snprintf(key.text + length, sizeof key.text - (size_t)length, " %lld",
                           (long long)source->numbers[i]);
    }
    return key;
}

LiteSharedCache* lite_shared_cache_open(const char* folder, size_t most, const LiteReporter* reporter) {
    char why[160];
    const int opened = lite_folder_open(folder, why, sizeof why);
    if (opened < 0) {
        lite_report(reporter, "weight cache \"%s\": %s; weights are packed without it", folder, why);
        return NULL;
    }
    LiteSharedCache* cache = lite_malloc(sizeof *cache);
    if (cache == NULL) {
        lite_report(reporter, "weight cache: out of memory; weights are packed without it");
        close(opened);
        return NULL;
    }
    *cache = (LiteSharedCache){.folder = opened, .most = most == 0 ? kMost : most, .bytes = SIZE_MAX};
    lite_lock_init(&cache->lock);
    return cache;
}

void lite_shared_cache_close(LiteSharedCache* cache) {
    if (cache == NULL) return;
    lite_lock_destroy(&cache->lock);
    close(cache->folder);
    lite_free(cache);
}

bool lite_shared_cache_takes(size_t bytes) {
    return bytes >= kLeastBytes;
}

LiteKeyedFile lite_shared_cache_load(LiteSharedCache* cache, const LiteSharedKey* key) {
    LiteKeyedFile file = lite_keyed_map(cache->folder, key->text, ENDING);
    if (file.data != NULL && file.size != key->bytes) lite_keyed_free(&file);
    return file;
}

// Room for further bytes: other processes' files are counted when ours alone would be too many.
static bool make_room(LiteSharedCache* cache, size_t bytes) {
    if (bytes > cache->most) return false;
    lite_lock(&cache->lock);
    if (cache->bytes > cache->most - bytes) {
        cache->bytes = lite_keyed_limit(cache->folder, ENDING, cache->most - bytes);
    }
    const bool has_room = cache->bytes <= cache->most - bytes;
    if (has_room) cache->bytes += bytes;
    lite_unlock(&cache->lock);
    return has_room;
}

void lite_shared_cache_store(LiteSharedCache* cache, const LiteSharedKey* key, const void* memory) {
    if (!make_room(cache, key->bytes)) return;
    (void)lite_keyed_write(cache->folder, key->text, ENDING, memory, key->bytes);
}
