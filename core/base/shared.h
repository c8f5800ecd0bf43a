// SPDX-License-Identifier: Apache-2.0
// Memory that is computed once from what is constant and read by several owners, as packed weights are by the
// interpreters of one model. A block of it is filled by the first who asks for it and goes with the last who
// releases it.
#ifndef CORE_BASE_SHARED_H_
#define CORE_BASE_SHARED_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/lock.h"
#include "core/base/precision.h"
#include "core/base/shared_cache.h"
#include "core/base/system.h"

typedef struct LiteSharedBlock LiteSharedBlock;

// The blocks of one model, or of anything else whose constants stay as and where they are while it has
// blocks.
enum { kLiteSharedSlots = 128 };
typedef struct LiteShared {
    LiteLock lock; // of the lists, the blocks' references, and `cache` until it is set
    LiteSharedBlock* slots[kLiteSharedSlots];
    LiteSharedCache* cache; // NULL: blocks come from no files
    // What the constants lie in, if that is a file: those that a block was filled from leave the process's
    // memory.
    const LiteMapping* mapping;
} LiteShared;

void lite_shared_init(LiteShared* shared);
// Only when all blocks have been released.
void lite_shared_destroy(LiteShared* shared);

// From now on blocks come from files of the folder. `open` is lite_shared_cache_open. The first folder that
// can be opened counts.
void lite_shared_set_cache(LiteShared* shared, LiteSharedCacheOpen open, const char* folder, size_t most,
                           const LiteReporter* reporter);

// What a block holds: `bytes` bytes that `fill` computes, which depend on nothing but these, the function and
// the numbers of the key (addresses of constants, sizes).
typedef struct LiteSharedContents {
    const int64_t* key;
    int key_count;
    size_t bytes;
    LitePrecision precision;                    // of floats, which follows from the key; for accounts
    const LiteSharedSource* source;             // what the key stands for; NULL: no file keeps it
    bool (*fill)(void* argument, void* memory); // false: the contents cannot be made
    void* argument;
} LiteSharedContents;

// The block with these contents, which the caller releases; `shared` NULL: one that is the caller's alone.
// Who asks while another thread fills it waits. NULL when out of memory, or the contents cannot be made.
// Thread-safe.
LiteSharedBlock* lite_shared_get(LiteShared* shared, const LiteSharedContents* contents);
// The same in place of *block, which is released afterwards: where nothing has changed it is the same again.
bool lite_shared_replace(LiteSharedBlock** block, LiteShared* shared, const LiteSharedContents* contents);
// As with `shared` NULL, for the caller to fill.
LiteSharedBlock* lite_shared_new_private(size_t bytes);
// NULL does nothing.
void lite_shared_release(LiteSharedBlock* block);

// Aligned to 64 bytes. Only blocks that are the caller's alone may be written.
void* lite_shared_memory(LiteSharedBlock* block);

// What all blocks hold.
size_t lite_shared_bytes(LiteShared* shared);

typedef struct LiteSharedAccount {
    size_t bytes;
    size_t halves[kLitePrecisions]; // of these in blocks of BFLOAT16 and FLOAT16
    size_t mapped;                  // of these in files
} LiteSharedAccount;
LiteSharedAccount lite_shared_account(LiteShared* shared);

#endif
