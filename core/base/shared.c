// SPDX-License-Identifier: Apache-2.0
#include "core/base/shared.h"

#include <stdatomic.h>
#include <string.h>

#include "core/base/memory.h"

enum { kAlignment = 64 };

struct LiteSharedBlock {
    LiteSharedBlock* next; // in its slot
    LiteShared* shared;    // NULL: private
    int references;
    LiteLock filling; // whoever fills it; a child that was forked in the meantime finds it open and fills it
    bool filled;
    size_t bytes;
    LitePrecision precision;
    void* memory;          // NULL until it is filled
    LiteKeyedFile file;    // where `memory` is; without data: it is the block's own
    atomic_bool is_mapped; // it is in the file
    bool (*fill)(void* argument, void* memory);
    int key_count;
    int64_t key[];
};

void lite_shared_init(LiteShared* shared) {
    *shared = (LiteShared){0};
    lite_lock_init(&shared->lock);
}

void lite_shared_destroy(LiteShared* shared) {
    if (shared->cache != NULL) shared->cache->close(shared->cache);
    lite_lock_destroy(&shared->lock);
}

void lite_shared_set_cache(LiteShared* shared, LiteSharedCacheOpen open, const char* folder, size_t most,
                           const LiteReporter* reporter) {
    lite_lock(&shared->lock);
    if (shared->cache == NULL) shared->cache = open(folder, most, reporter);
    lite_unlock(&shared->lock);
}

static LiteSharedBlock** slot_of(LiteShared* shared, const LiteSharedContents* contents) {
    uint64_t hash = contents->bytes;
    for (int i = 0; i < contents->key_count; i++) {
        hash = (hash ^ (uint64_t)contents->key[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return &shared->slots[hash % kLiteSharedSlots];
}

static bool holds(const LiteSharedBlock* block, const LiteSharedContents* contents) {
    return block->fill == contents->fill && block->bytes == contents->bytes &&
           block->key_count == contents->key_count &&
           memcmp(block->key, contents->key, (size_t)contents->key_count * sizeof *contents->key) == 0;
}

static LiteSharedBlock* allocate(const LiteSharedContents* contents) {
    const size_t key = (size_t)contents->key_count * sizeof *contents->key;
    LiteSharedBlock* block = lite_malloc(sizeof(LiteSharedBlock) + key);
    if (block == NULL) return NULL;
    *block = (LiteSharedBlock){.references = 1,
                               .bytes = contents->bytes,
                               .precision = contents->precision,
                               .fill = contents->fill,
                               .key_count = contents->key_count};
    lite_lock_init(&block->filling);
    if (key > 0) memcpy(block->key, contents->key, key);
    return block;
}

// With the lock held: a further reference, or a new block.
static LiteSharedBlock* find_or_add(LiteShared* shared, const LiteSharedContents* contents) {
    LiteSharedBlock** slot = slot_of(shared, contents);
    LiteSharedBlock* block = *slot;
    while (block != NULL && !holds(block, contents)) block = block->next;
    if (block != NULL) {
        block->references++;
        return block;
    }
    block = allocate(contents);
    if (block == NULL) return NULL;
    block->shared = shared;
    block->next = *slot;
    *slot = block;
    return block;
}

static LiteSharedBlock* find(LiteShared* shared, const LiteSharedContents* contents,
                             LiteSharedCache** cache) {
    *cache = NULL;
    if (shared == NULL) return allocate(contents);
    lite_lock(&shared->lock);
    LiteSharedBlock* block = find_or_add(shared, contents);
    *cache = shared->cache;
    lite_unlock(&shared->lock);
    return block;
}

static bool allocate_memory(LiteSharedBlock* block) {
    // What a child inherited from a parent that was filling it is there already.
    if (block->memory == NULL)
        block->memory = lite_aligned_alloc(kAlignment, block->bytes > 0 ? block->bytes : 1);
    return block->memory != NULL;
}

static bool compute(LiteSharedBlock* block, const LiteSharedContents* contents) {
    return allocate_memory(block) && contents->fill(contents->argument, block->memory);
}

static bool fill(LiteSharedBlock* block, const LiteSharedContents* contents, LiteSharedCache* cache) {
    if (cache == NULL || contents->source == NULL || block->bytes < kLiteSharedCacheLeast)
        return compute(block, contents);
    const LiteSharedKey key = cache->key(contents->source, block->bytes);
    if (block->memory == NULL) {
        block->file = cache->load(cache, &key);
        block->memory = (void*)block->file.data; // which nobody writes, as all that is shared
        atomic_store(&block->is_mapped, block->memory != NULL);
        if (block->memory != NULL) return true;
    }
    if (!compute(block, contents)) return false;
    cache->store(cache, &key, block->memory);
    return true;
}

// The block takes the place of what it was filled from.
static void leave_source(const LiteShared* shared, const LiteSharedSource* source) {
    if (shared == NULL || shared->mapping == NULL || source == NULL) return;
    lite_leave_mapped(shared->mapping, source->contents.data, source->contents.size);
}

LiteSharedBlock* lite_shared_get(LiteShared* shared, const LiteSharedContents* contents) {
    LiteSharedCache* cache;
    LiteSharedBlock* block = find(shared, contents, &cache);
    if (block == NULL) return NULL;
    lite_lock(&block->filling);
    if (!block->filled) {
        block->filled = fill(block, contents, cache);
        leave_source(shared, contents->source);
    }
    const bool filled = block->filled;
    lite_unlock(&block->filling);
    if (filled) return block;
    lite_shared_release(block);
    return NULL;
}

bool lite_shared_replace(LiteSharedBlock** block, LiteShared* shared, const LiteSharedContents* contents) {
    LiteSharedBlock* before = *block;
    *block = lite_shared_get(shared, contents);
    lite_shared_release(before);
    return *block != NULL;
}

LiteSharedBlock* lite_shared_new_private(size_t bytes) {
    LiteSharedBlock* block = allocate(&(LiteSharedContents){.bytes = bytes});
    if (block == NULL || allocate_memory(block)) return block;
    lite_shared_release(block);
    return NULL;
}

// Whether that was the last reference: then the block is in no list any more.
static bool give_up(LiteSharedBlock* block) {
    LiteShared* shared = block->shared;
    if (shared == NULL) return true;
    lite_lock(&shared->lock);
    const bool last = --block->references == 0;
    if (last) {
        const LiteSharedContents contents = {
            .key = block->key, .key_count = block->key_count, .bytes = block->bytes};
        LiteSharedBlock** link = slot_of(shared, &contents);
        while (*link != block) link = &(*link)->next;
        *link = block->next;
    }
    lite_unlock(&shared->lock);
    return last;
}

void lite_shared_release(LiteSharedBlock* block) {
    if (block == NULL || !give_up(block)) return;
    lite_lock_destroy(&block->filling);
    if (block->file.data == NULL) lite_free(block->memory);
    lite_keyed_free(&block->file);
    lite_free(block);
}

void* lite_shared_memory(LiteSharedBlock* block) {
    return block->memory;
}

LiteSharedAccount lite_shared_account(LiteShared* shared) {
    LiteSharedAccount account = {0};
    lite_lock(&shared->lock);
    for (int i = 0; i < kLiteSharedSlots; i++) {
        for (const LiteSharedBlock* block = shared->slots[i]; block != NULL; block = block->next) {
            account.bytes += block->bytes;
            if (block->precision != kLitePrecisionFloat32) account.halves[block->precision] += block->bytes;
            if (atomic_load(&block->is_mapped)) account.mapped += block->bytes;
        }
    }
    lite_unlock(&shared->lock);
    return account;
}

size_t lite_shared_bytes(LiteShared* shared) {
    return lite_shared_account(shared).bytes;
}
