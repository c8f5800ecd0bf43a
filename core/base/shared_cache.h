// SPDX-License-Identifier: Apache-2.0
// A folder of files from which shared blocks come, where it has them, and to which they go. A file is found
// by what a block is computed from: by the hash of its contents, wherever they lie.
#ifndef CORE_BASE_SHARED_CACHE_H_
#define CORE_BASE_SHARED_CACHE_H_

#include "core/base/keyed_file.h"
#include "core/base/status.h"

// What a block is computed from, in terms that another process understands, too.
typedef struct LiteSharedSource {
    const char* kind;  // what computes it
    const char* table; // the micro kernels that read it
    LiteBytes contents;
    const int64_t* numbers; // all else that it depends on
    int number_count;
} LiteSharedSource;

// What a block of so many bytes is found by.
typedef struct LiteSharedKey {
    char text[512];
    size_t bytes;
} LiteSharedKey;

// Reached by pointers, so that programs that name no folder do not link what is behind them. Thread-safe, but
// for `close`.
typedef struct LiteSharedCache LiteSharedCache;
struct LiteSharedCache {
    LiteSharedKey (*key)(const LiteSharedSource* source, size_t bytes);
    // The block; without data where there is no file that can be trusted.
    LiteKeyedFile (*load)(LiteSharedCache* cache, const LiteSharedKey* key);
    // Keeps a block, if that is possible.
    void (*store)(LiteSharedCache* cache, const LiteSharedKey* key, const void* memory);
    void (*close)(LiteSharedCache* cache);
};

// `most`: bytes that files may take; 0: a gigabyte. NULL, and a message, when the folder cannot be used
// (core/base/folder.h).
typedef LiteSharedCache* (*LiteSharedCacheOpen)(const char* folder, size_t most,
                                                const LiteReporter* reporter);
LiteSharedCache* lite_shared_cache_open(const char* folder, size_t most, const LiteReporter* reporter);

// Smaller blocks are not worth a file.
enum { kLiteSharedCacheLeast = 32 * 1024 };

#endif
