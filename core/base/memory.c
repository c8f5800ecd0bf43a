// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/base/shape.h"

// Allocations left before they begin to fail; negative: never.
static _Atomic int64_t allocations_left = -1;
static atomic_bool only_one_fails;
static _Atomic int64_t failures;

static atomic_bool counting;
static _Atomic int64_t live;

// No request that large can be honest; some allocators stop the process instead of refusing it.
static const size_t kLargestRequest = (size_t)1 << (sizeof(size_t) > 4 ? 39 : 30);

// Set by lite_memory_set_largest on this thread.
static _Thread_local size_t largest_of_thread = SIZE_MAX;

size_t lite_memory_set_largest(size_t bytes) {
    const size_t before = largest_of_thread;
    largest_of_thread = bytes;
    return before;
}

static void set_failure(int64_t count, bool only_one) {
    atomic_store(&only_one_fails, only_one);
    atomic_store(&failures, 0);
    atomic_store(&allocations_left, count);
}

void lite_memory_fail_after(int64_t count) {
    set_failure(count, false);
}

void lite_memory_fail_once(int64_t count) {
    set_failure(count, true);
}

int64_t lite_memory_failures(void) {
    return atomic_load(&failures);
}

int64_t lite_memory_pause_failures(void) {
    return atomic_exchange(&allocations_left, -1);
}

void lite_memory_resume_failures(int64_t count) {
    atomic_store(&allocations_left, count);
}

void lite_memory_count_live(bool count) {
    atomic_store(&counting, count);
}

int64_t lite_memory_live(void) {
    return atomic_load(&live);
}

static bool may_allocate(size_t bytes) {
    if (bytes > kLargestRequest || bytes > largest_of_thread) return false;
    const int64_t left = atomic_load_explicit(&allocations_left, memory_order_relaxed);
    if (left < 0) return true;
    if (left > 0) {
        atomic_store_explicit(&allocations_left, left - 1, memory_order_relaxed);
        return true;
    }
    atomic_fetch_add(&failures, 1);
    if (atomic_load(&only_one_fails)) atomic_store(&allocations_left, -1);
    return false;
}

static void count_by(const void* pointer, int64_t step) {
    if (pointer != NULL && atomic_load_explicit(&counting, memory_order_relaxed))
        atomic_fetch_add(&live, step);
}

void lite_prefer_large_pages(void* pointer, size_t bytes) {
#ifdef MADV_HUGEPAGE
    enum { kPage = 4096, kLargePage = 2 * 1024 * 1024 };
    if (pointer == NULL || bytes < 2 * (size_t)kLargePage) return;
    const size_t before = (kPage - (uintptr_t)pointer % kPage) % kPage;
    (void)madvise((char*)pointer + before, (bytes - before) / kPage * kPage, MADV_HUGEPAGE);
#else
    (void)pointer, (void)bytes;
#endif
}

void* lite_malloc(size_t bytes) {
    void* pointer = may_allocate(bytes) ? malloc(bytes > 0 ? bytes : 1) : NULL;
    count_by(pointer, 1);
    return pointer;
}

void* lite_calloc(size_t count, size_t size) {
    size_t bytes;
    if (!lite_size_mul(count, size, &bytes) || !may_allocate(bytes)) return NULL;
    void* pointer = calloc(1, bytes > 0 ? bytes : 1);
    lite_prefer_large_pages(pointer, bytes);
    count_by(pointer, 1);
    return pointer;
}

void* lite_realloc(void* pointer, size_t bytes) {
    void* moved = may_allocate(bytes) ? realloc(pointer, bytes > 0 ? bytes : 1) : NULL;
    if (pointer == NULL) count_by(moved, 1);
    return moved;
}

void lite_free(void* pointer) {
    count_by(pointer, -1);
    free(pointer);
}

void* lite_aligned_alloc(size_t alignment, size_t bytes) {
    if (alignment < sizeof(void*)) alignment = sizeof(void*);
    if (bytes > SIZE_MAX - alignment) return NULL;
    const size_t rounded = (bytes + alignment - 1) & ~(alignment - 1);
    if (!may_allocate(rounded)) return NULL;
    void* pointer = aligned_alloc(alignment, rounded > 0 ? rounded : alignment);
    lite_prefer_large_pages(pointer, rounded);
    count_by(pointer, 1);
    return pointer;
}

// What allocators keep of such room is lost to the process as soon as it is between other allocations.
enum { kLeastReserved = 16 * 1024 };

// The leak checkers of programs look for pointers in what they have allocated themselves, and where they are
// told to.
extern void __lsan_register_root_region(const void* begin, size_t bytes) __attribute__((weak, noplt));
extern void __lsan_unregister_root_region(const void* begin, size_t bytes) __attribute__((weak, noplt));

void* lite_reserve(size_t bytes) {
    if (bytes < kLeastReserved) return lite_calloc(bytes, 1);
    if (!may_allocate(bytes)) return NULL;
    void* pointer =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pointer == MAP_FAILED) return NULL;
    if (__lsan_register_root_region != NULL) __lsan_register_root_region(pointer, bytes);
    count_by(pointer, 1);
    return pointer;
}

void lite_release_reserved(void* pointer, size_t bytes) {
    if (pointer == NULL || bytes < kLeastReserved) {
        lite_free(pointer);
        return;
    }
    if (__lsan_unregister_root_region != NULL) __lsan_unregister_root_region(pointer, bytes);
    count_by(pointer, -1);
    (void)munmap(pointer, bytes);
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
        // A block made for one large object goes after the current one, which may still have room.
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
