// SPDX-License-Identifier: Apache-2.0
// The only callers of malloc and free, so that tests can make any allocation fail.
//
// An arena holds what dies with one owner: allocate freely, free once. Everything else is a pair of
// lite_malloc/lite_free. Sizes are checked: a product that overflows is an allocation that fails.
#ifndef CORE_BASE_MEMORY_H_
#define CORE_BASE_MEMORY_H_

#include <stddef.h>
#include <stdint.h>

// As malloc, calloc, realloc and free; NULL when out of memory, also for count * size overflow.
// lite_free(NULL) does nothing.
void* lite_malloc(size_t bytes);
void* lite_calloc(size_t count, size_t size);
void* lite_realloc(void* pointer, size_t bytes);
void lite_free(void* pointer);

// `alignment` is a power of two; release with lite_free. Bytes beyond `bytes` up to the alignment are
// writable.
void* lite_aligned_alloc(size_t alignment, size_t bytes);

// A NUL-terminated copy of `text`; NULL when out of memory or `text` is NULL.
char* lite_strdup(const char* text);

// Tests only: the allocation `count` calls from now fails, and every one after it (count < 0: never).
void lite_memory_fail_after(int64_t count);

// Bump allocator: zero-initialised `{0}` is an empty arena. Memory is zeroed and aligned to 16 bytes.
typedef struct LiteArenaBlock LiteArenaBlock;
typedef struct LiteArena {
    LiteArenaBlock* blocks;
} LiteArena;

// NULL when out of memory or count * size overflows; a count or size of 0 gives a valid unique-enough
// pointer.
void* lite_arena_alloc(LiteArena* arena, size_t count, size_t size);
void lite_arena_free(LiteArena* arena);

#endif
