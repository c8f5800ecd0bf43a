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
    kMost = 1 << 30,
    kMostNumbers = 16,
};

typedef struct Cache {
    LiteSharedCache methods; // first
    int folder;
    size_t most;
    LiteLock lock; // of `bytes`
    size_t bytes;  // of files, as far as is known; SIZE_MAX: not yet
} Cache;

static LiteSharedKey key_of(const LiteSharedSource* source, size_t bytes) {
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

static void close_cache(LiteSharedCache* methods) {
    Cache* cache = (Cache*)methods;
    lite_lock_destroy(&cache->lock);
    close(cache->folder);
    lite_free(cache);
}

static LiteKeyedFile load(LiteSharedCache* cache, const LiteSharedKey* key) {
    LiteKeyedFile file = lite_keyed_map(((Cache*)cache)->folder, key->text, ENDING);
    if (file.data != NULL && file.size != key->bytes) lite_keyed_free(&file);
    return file;
}

// Room for further bytes: other processes' files are counted when ours alone would be too many.
static bool make_room(Cache* cache, size_t bytes) {
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

static void store(LiteSharedCache* methods, const LiteSharedKey* key, const void* memory) {
    Cache* cache = (Cache*)methods;
    if (!make_room(cache, key->bytes)) return;
    (void)lite_keyed_write(cache->folder, key->text, ENDING, memory, key->bytes);
}

LiteSharedCache* lite_shared_cache_open(const char* folder, size_t most, const LiteReporter* reporter) {
    char why[160];
    const int opened = lite_folder_open(folder, why, sizeof why);
    if (opened < 0) {
        lite_report(reporter, "weight cache \"%s\": %s; weights are packed without it", folder, why);
        return NULL;
    }
    Cache* cache = lite_malloc(sizeof *cache);
    if (cache == NULL) {
        lite_report(reporter, "weight cache: out of memory; weights are packed without it");
        close(opened);
        return NULL;
    }
    *cache = (Cache){.methods = {key_of, load, store, close_cache},
                     .folder = opened,
                     .most = most == 0 ? kMost : most,
                     .bytes = SIZE_MAX};
    lite_lock_init(&cache->lock);
    return &cache->methods;
}
