// SPDX-License-Identifier: Apache-2.0
// The only callers of malloc and free, so that tests can make any allocation fail.
//
// An arena holds what dies with one owner: allocate freely, free once. Everything else is a pair of
// lite_malloc/lite_free. Sizes are checked: a product that overflows is an allocation that fails.
#ifndef CORE_BASE_MEMORY_H_
#define CORE_BASE_MEMORY_H_

#include <stdbool.h>
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

// Zeroed memory that takes from the machine only the pages that are written: for arrays with room that most
// never need. NULL when out of memory. Released with the same number of bytes; NULL does nothing.
void* lite_reserve(size_t bytes);
void lite_release_reserved(void* pointer, size_t bytes);

// Asks for pages of 2 MiB for memory of several, where the system gives them to those who ask. To be given
// packed weights in pages of 4 KiB takes longer than to pack them. calloc and aligned_alloc do it themselves.
void lite_prefer_large_pages(void* pointer, size_t bytes);

// A NUL-terminated copy of `text`; NULL when out of memory or `text` is NULL.
char* lite_strdup(const char* text);

// The largest request that can succeed on this thread from now on (SIZE_MAX: any); returns what it was.
size_t lite_memory_set_largest(size_t bytes);

// Tests only, in one thread at a time.
// The allocation `count` calls from now fails, and every one after it, or only that one (count < 0: none).
void lite_memory_fail_after(int64_t count);
void lite_memory_fail_once(int64_t count);
// How many have failed in this way since one of the two was called.
int64_t lite_memory_failures(void);
// Between these two calls no allocation fails or counts, for what a test itself allocates. The first returns
// the count that the second takes.
int64_t lite_memory_pause_failures(void);
void lite_memory_resume_failures(int64_t count);
// How many allocations have not been released. They are counted from lite_memory_count_live(true) on, which
// comes before the first of them.
void lite_memory_count_live(bool count);
int64_t lite_memory_live(void);

// Bump allocator: zero-initialised `{0}` is an empty arena. Memory is zeroed and aligned to 16 bytes.
typedef struct LiteArenaBlock LiteArenaBlock;
typedef struct LiteArena {
    LiteArenaBlock* blocks;
} LiteArena;

// NULL when out of memory or count * size overflows. A count or size of 0 gives a valid pointer.
void* lite_arena_alloc(LiteArena* arena, size_t count, size_t size);
void lite_arena_free(LiteArena* arena);

#endif
