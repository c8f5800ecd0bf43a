// SPDX-License-Identifier: Apache-2.0
// Feeds files to the fuzz targets without a fuzzer.
//
//     fuzz_replay load PATH...               every file as it is
//     fuzz_replay accept PATH...             the same; fails when one is refused
//     fuzz_replay run PATH...                the same as load, and runs it
//     fuzz_replay truncate STEP PATH...      loads every file cut after STEP, 2 * STEP, … bytes
//     fuzz_replay mutate COUNT SEED PATH...  loads COUNT seeded mutations of the files
//     fuzz_replay mutate-run COUNT SEED PATH...
//
// PATH is a file, or a folder with .tflite files. Status 77 when there is none at all. With the environment
// variable FUZZ_LAST=FILE, each mutation is written to FILE first, so that the one that crashed is left
// there.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#include <sys/resource.h>
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

#include "tests/fuzz/mutate.h"
#include "tests/fuzz/target.h"

static const size_t kMaxMutated = 64 * 1024;

typedef bool (*Target)(const uint8_t* data, size_t size);

// How many files were refused.
static int replay(Target target, const FuzzFile* files, int count) {
    int refused = 0;
    for (int i = 0; i < count; i++) {
        if (target(files[i].data, files[i].size)) continue;
        printf("%s: refused\n", files[i].path);
        refused++;
    }
    printf("%d of %d files accepted\n", count - refused, count);
    return refused;
}

// What is cut off is poisoned instead of copying the rest: a read past the end is still seen.
static void truncate_files(size_t step, const FuzzFile* files, int count) {
    size_t cuts = 0, accepted = 0;
    for (int i = 0; i < count; i++) {
        const FuzzFile* file = &files[i];
        for (size_t left = file->size / step; left > 0; left--) {
            const size_t size = (left - 1) * step;
            ASAN_POISON_MEMORY_REGION(file->data + size, file->size - size);
            accepted += fuzz_load(file->data, size);
            cuts++;
        }
        ASAN_UNPOISON_MEMORY_REGION(file->data, file->size);
    }
    printf("%zu truncations, %zu accepted\n", cuts, accepted);
}

static void save(const uint8_t* data, size_t size) {
    const char* path = getenv("FUZZ_LAST");
    FILE* file = path == NULL ? NULL : fopen(path, "wb");
    if (file == NULL) return;
    fwrite(data, 1, size, file);
    fclose(file);
}

static void mutate_files(Target target, int mutations, uint64_t seed, const FuzzFile* files, int count) {
    int accepted = 0;
    for (int i = 0; i < mutations; i++) {
        uint64_t state = seed + (uint64_t)i;
        const FuzzFile* file = &files[fuzz_below(&state, (size_t)count)];
        uint8_t* copy = malloc(file->size > 0 ? file->size : 1); // exactly as large, for sanitizers
        if (copy == NULL) exit(1);
        memcpy(copy, file->data, file->size);
        fuzz_mutate(&state, copy, file->size);
        save(copy, file->size);
        accepted += target(copy, file->size);
        free(copy);
    }
    printf("%d of %d mutations accepted\n", accepted, mutations);
}

static void limit_memory(void) {
#if !defined(__SANITIZE_ADDRESS__)
    const struct rlimit limit = {(rlim_t)2 << 30, (rlim_t)2 << 30};
    setrlimit(RLIMIT_AS, &limit);
#endif
}

int main(int argc, char** argv) {
    const char* mode = argc > 1 ? argv[1] : "";
    const bool mutates = strncmp(mode, "mutate", 6) == 0;
    const int first = mutates ? 4 : strcmp(mode, "truncate") == 0 ? 3 : 2;
    if (argc <= first) {
        fputs("usage: fuzz_replay load|accept|run|truncate STEP|mutate COUNT SEED|mutate-run COUNT SEED "
              "PATH...\n",
              stderr);
        return 2;
    }
    limit_memory();
    int count, refused = 0;
    FuzzFile* files = fuzz_files(argv + first, argc - first, mutates ? kMaxMutated : SIZE_MAX, &count);
    const Target target = strstr(mode, "run") != NULL ? fuzz_run : fuzz_load;
    if (count == 0) {
        puts("skipped: no .tflite file found");
    } else if (mutates) {
        mutate_files(target, atoi(argv[2]), strtoull(argv[3], NULL, 0), files, count);
    } else if (first == 3) {
        truncate_files((size_t)atoi(argv[2]), files, count);
    } else {
        refused = replay(target, files, count);
    }
    fuzz_free_files(files, count);
    if (count == 0) return 77;
    return strcmp(mode, "accept") == 0 && refused > 0;
}
