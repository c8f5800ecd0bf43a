// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/shape.h"

// Allocations left before they begin to fail; negative: never.
static _Atomic int64_t allocations_left = -1;

// No request that large can be honest; some allocators stop the process instead of refusing it.
static const size_t kLargestRequest = (size_t)1 << (sizeof(size_t) > 4 ? 39 : 30);

void lite_memory_fail_after(int64_t count) {
    atomic_store(&allocations_left, count);
}

static bool may_allocate(size_t bytes) {
    if (bytes > kLargestRequest) return false;
    const int64_t left = atomic_load_explicit(&allocations_left, memory_order_relaxed);
    if (left < 0) return true;
    if (left > 0) atomic_store_explicit(&allocations_left, left - 1, memory_order_relaxed);
    return left > 0;
}

void* lite_malloc(size_t bytes) {
    return may_allocate(bytes) ? malloc(bytes > 0 ? bytes : 1) : NULL;
}

void* lite_calloc(size_t count, size_t size) {
    size_t bytes;
    if (!lite_size_mul(count, size, &bytes) || !may_allocate(bytes)) return NULL;
    return calloc(1, bytes > 0 ? bytes : 1);
}

void* lite_realloc(void* pointer, size_t bytes) {
    return may_allocate(bytes) ? realloc(pointer, bytes > 0 ? bytes : 1) : NULL;
}

void lite_free(void* pointer) {
    free(pointer);
}

void* lite_aligned_alloc(size_t alignment, size_t bytes) {
    if (alignment < sizeof(void*)) alignment = sizeof(void*);
    if (bytes > SIZE_MAX - alignment) return NULL;
    const size_t rounded = (bytes + alignment - 1) & ~(alignment - 1);
    if (!may_allocate(rounded)) return NULL;
    return aligned_alloc(alignment, rounded > 0 ? rounded : alignment);
}

char* lite_strdup(const char* text) {
    if (text == NULL) return NULL;
    const size_t bytes = strlen(text) + 1;
    char* copy = lite_malloc(bytes);
    if (copy != NULL) memcpy(copy, text, bytes);
    return copy;
}

struct LiteArenaBlock {
    LiteArenaBlock* next;
    size_t used;
    size_t size;
    _Alignas(16) unsigned char bytes[];
};

enum { kArenaAlignment = 16, kArenaBlockBytes = 4096 };

void* lite_arena_alloc(LiteArena* arena, size_t count, size_t size) {
    size_t bytes;
    if (!lite_size_mul(count, size, &bytes) || bytes > kLargestRequest) return NULL;
    if (bytes == 0) bytes = 1;
    bytes = (bytes + kArenaAlignment - 1) & ~(size_t)(kArenaAlignment - 1);
    LiteArenaBlock* block = arena->blocks;
    if (block == NULL || block->size - block->used < bytes) {
        const size_t capacity = bytes > kArenaBlockBytes ? bytes : kArenaBlockBytes;
        LiteArenaBlock* fresh = lite_calloc(1, sizeof *fresh + capacity);
        if (fresh == NULL) return NULL;
        fresh->size = capacity;
        // A block made for one large object goes behind the current one, which may still have room.
        if (block != NULL && bytes > kArenaBlockBytes) {
            fresh->next = block->next;
            block->next = fresh;
        } else {
            fresh->next = block;
            arena->blocks = fresh;
        }
        block = fresh;
    }
    void* result = block->bytes + block->used;
    block->used += bytes;
    return result;
}

void lite_arena_free(LiteArena* arena) {
    LiteArenaBlock* block = arena->blocks;
    while (block != NULL) {
        LiteArenaBlock* next = block->next;
        lite_free(block);
        block = next;
    }
    arena->blocks = NULL;
}
