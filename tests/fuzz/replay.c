// SPDX-License-Identifier: Apache-2.0
// Feeds files to the fuzz targets (tests/fuzz/target.h: load, run, delegate, edit, verify, flexbuffers)
// without a fuzzer.
//
//     fuzz_replay TARGET replay PATH...               every file as it is
//     fuzz_replay TARGET accept PATH...               the same; fails when one is refused
//     fuzz_replay TARGET truncate STEP PATH...        every file cut after STEP, 2 * STEP, … bytes
//     fuzz_replay TARGET mutate COUNT SEED PATH...    COUNT seeded mutations of the files
//     fuzz_replay TARGET operators COUNT SEED PATH... the same, each of one operator in a model
//
// PATH is a file, or a folder with .tflite and .flex files. Status 77 when there is none at all. With the
// environment variable FUZZ_LAST=FILE, each mutation is written to FILE first, so that the one that crashed
// is left there.
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
        refused += !target(files[i].data, files[i].size);
    }
    printf("%d of %d files accepted\n", count - refused, count);
    return refused;
}

// What is cut off is poisoned instead of copying the rest: a read past the end is still seen.
static void truncate_files(Target target, size_t step, const FuzzFile* files, int count) {
    size_t cuts = 0, accepted = 0;
    for (int i = 0; i < count; i++) {
        const FuzzFile* file = &files[i];
        for (size_t left = file->size / step; left > 0; left--) {
            const size_t size = (left - 1) * step;
            ASAN_POISON_MEMORY_REGION(file->data + size, file->size - size);
            accepted += target(file->data, size);
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

static void mutate_files(Target target, bool operators, int mutations, uint64_t seed, const FuzzFile* files,
                         int count) {
    int accepted = 0;
    for (int i = 0; i < mutations; i++) {
        uint64_t state = seed + (uint64_t)i;
        const FuzzFile* file = &files[fuzz_below(&state, (size_t)count)];
        const FuzzFile* donor = &files[fuzz_below(&state, (size_t)count)];
        size_t size;
        uint8_t* copy =
            operators ? fuzz_mutated_operator(&state, file, &size) : fuzz_mutated(&state, file, donor, &size);
        save(copy, size);
        accepted += target(copy, size);
        free(copy);
    }
    printf("%d of %d mutations accepted\n", accepted, mutations);
}

static void limit_memory(Target target) {
    if (target == fuzz_delegate) return;                            // a compiler in the process needs more
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // their shadows are larger
    const struct rlimit limit = {(rlim_t)2 << 30, (rlim_t)2 << 30};
    setrlimit(RLIMIT_AS, &limit);
#endif
}

static Target find_target(const char* name) {
#ifdef FUZZ_OFFICIAL
    fuzz_edit_verify = fuzz_verify;
#endif
    if (strcmp(name, "load") == 0) return fuzz_load;
    if (strcmp(name, "run") == 0) return fuzz_run;
    if (strcmp(name, "delegate") == 0) return fuzz_delegate;
    if (strcmp(name, "edit") == 0) return fuzz_edit;
    if (strcmp(name, "flexbuffers") == 0) return fuzz_flexbuffers;
#ifdef FUZZ_OFFICIAL
    if (strcmp(name, "verify") == 0) return fuzz_verify;
#endif
    return NULL;
}

static int usage(void) {
    fputs("usage: fuzz_replay load|run|delegate|edit|flexbuffers|verify replay|accept|truncate STEP|mutate "
          "COUNT "
          "SEED|"
          "operators COUNT SEED "
          "PATH...\n",
          stderr);
    return 2;
}

int main(int argc, char** argv) {
    const Target target = argc > 2 ? find_target(argv[1]) : NULL;
    const char* mode = argc > 2 ? argv[2] : "";
    const bool operators = strcmp(mode, "operators") == 0;
    const bool mutates = operators || strcmp(mode, "mutate") == 0, truncates = strcmp(mode, "truncate") == 0;
    const bool accepts = strcmp(mode, "accept") == 0;
    const int first = mutates ? 5 : truncates ? 4 : 3;
    if (target == NULL || argc <= first) return usage();
    if (!mutates && !truncates && !accepts && strcmp(mode, "replay") != 0) return usage();
    limit_memory(target);
    int count, refused = 0;
    FuzzFile* files = fuzz_files(argv + first, argc - first, mutates ? kMaxMutated : SIZE_MAX, &count);
    if (count == 0) {
        puts("skipped: no file found");
    } else if (mutates) {
        mutate_files(target, operators, atoi(argv[3]), strtoull(argv[4], NULL, 0), files, count);
    } else if (truncates) {
        truncate_files(target, (size_t)atoi(argv[3]), files, count);
    } else {
        refused = replay(target, files, count);
    }
    fuzz_free_files(files, count);
    if (count == 0) return 77;
    return accepts && refused > 0;
}
