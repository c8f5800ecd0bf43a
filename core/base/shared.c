// SPDX-License-Identifier: Apache-2.0
#include "core/base/shared.h"

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
    void* memory; // behind the key
    bool (*fill)(void* argument, void* memory);
    int key_count;
    int64_t key[];
};

void lite_shared_init(LiteShared* shared) {
    lite_lock_init(&shared->lock);
    memset(shared->slots, 0, sizeof shared->slots);
}

void lite_shared_destroy(LiteShared* shared) {
    lite_lock_destroy(&shared->lock);
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

// The key is small; the bytes are what the caller allocates.
static LiteSharedBlock* allocate(const LiteSharedContents* contents) {
    const size_t key = (size_t)contents->key_count * sizeof *contents->key;
    const size_t head = (sizeof(LiteSharedBlock) + key + kAlignment - 1) / kAlignment * kAlignment;
    if (contents->bytes > SIZE_MAX - head) return NULL;
    LiteSharedBlock* block = lite_aligned_alloc(kAlignment, head + contents->bytes);
    if (block == NULL) return NULL;
    *block = (LiteSharedBlock){.references = 1,
                               .bytes = contents->bytes,
                               .memory = (char*)block + head,
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

static LiteSharedBlock* find(LiteShared* shared, const LiteSharedContents* contents) {
    if (shared == NULL) return allocate(contents);
    lite_lock(&shared->lock);
    LiteSharedBlock* block = find_or_add(shared, contents);
    lite_unlock(&shared->lock);
    return block;
}

LiteSharedBlock* lite_shared_get(LiteShared* shared, const LiteSharedContents* contents) {
    LiteSharedBlock* block = find(shared, contents);
    if (block == NULL) return NULL;
    lite_lock(&block->filling);
    if (!block->filled) block->filled = contents->fill(contents->argument, block->memory);
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
    return allocate(&(LiteSharedContents){.bytes = bytes});
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
    lite_free(block);
}

void* lite_shared_memory(LiteSharedBlock* block) {
    return block->memory;
}

size_t lite_shared_bytes(LiteShared* shared) {
    size_t bytes = 0;
    lite_lock(&shared->lock);
    for (int i = 0; i < kLiteSharedSlots; i++) {
        for (const LiteSharedBlock* block = shared->slots[i]; block != NULL; block = block->next) {
            bytes += block->bytes;
        }
    }
    lite_unlock(&shared->lock);
    return bytes;
}
