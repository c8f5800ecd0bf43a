// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/mutate.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// nftw takes no argument for its callback.
static struct {
    FuzzFile* files;
    int count;
    size_t limit;
} found;

static void add_file(const char* path, size_t size) {
    FILE* file = size <= found.limit ? fopen(path, "rb") : NULL;
    if (file == NULL) return;
    FuzzFile added = {.path = strdup(path), .data = malloc(size > 0 ? size : 1)};
    FuzzFile* files = realloc(found.files, ((size_t)found.count + 1) * sizeof(*files));
    if (added.path == NULL || added.data == NULL || files == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    added.size = fread(added.data, 1, size, file);
    fclose(file);
    found.files = files;
    found.files[found.count++] = added;
}

static int visit(const char* path, const struct stat* info, int kind, struct FTW* place) {
    const char* suffix = strrchr(path, '.');
    (void)place;
    if (kind == FTW_F && suffix != NULL && (strcmp(suffix, ".tflite") == 0 || strcmp(suffix, ".flex") == 0)) {
        add_file(path, (size_t)info->st_size);
    }
    return 0;
}

static int by_path(const void* a, const void* b) {
    return strcmp(((const FuzzFile*)a)->path, ((const FuzzFile*)b)->path);
}

FuzzFile* fuzz_files(char* const* arguments, int argument_count, size_t limit, int* count) {
    found.files = NULL;
    found.count = 0;
    found.limit = limit;
    for (int i = 0; i < argument_count; i++) {
        struct stat info;
        if (stat(arguments[i], &info) != 0) {
            printf("%s: absent\n", arguments[i]);
        } else if (S_ISDIR(info.st_mode)) {
            nftw(arguments[i], visit, 16, FTW_PHYS);
        } else {
            add_file(arguments[i], (size_t)info.st_size);
        }
    }
    if (found.count > 0) qsort(found.files, (size_t)found.count, sizeof(*found.files), by_path);
    *count = found.count;
    return found.files;
}

void fuzz_free_files(FuzzFile* files, int count) {
    for (int i = 0; i < count; i++) {
        free(files[i].path);
        free(files[i].data);
    }
    free(files);
}

uint64_t fuzz_random(uint64_t* state) { // splitmix64
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

size_t fuzz_below(uint64_t* state, size_t bound) {
    return (size_t)(fuzz_random(state) % bound);
}

uint64_t fuzz_number(uint64_t* state) {
    // Limits of types, small numbers, powers of two; as floats 1, -1, inf, NaN, the least and the greatest.
    static const int64_t numbers[] = {
        0,          1,          2,          3,          4,           5,          7,          8,
        15,         16,         32,         64,         0x7f,        0x80,       0xff,       0x100,
        0x7fff,     0x8000,     0xffff,     0x10000,    0x1000000,   0x3fffffff, 0x40000000, 0x7ffffffe,
        0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, -1,          -2,         -3,         -128,
        INT32_MIN,  INT64_MAX,  INT64_MIN,  0x3f800000, -0x40800000, 0x7f800000, 0x7fc00000, 0x7f7fffff,
    };
    const size_t count = sizeof(numbers) / sizeof(*numbers);
    const size_t choice = fuzz_below(state, count + 3);
    return choice < count ? (uint64_t)numbers[choice] : fuzz_random(state) >> fuzz_below(state, 64);
}

static void change_number(uint64_t* state, uint8_t* data, size_t size, size_t at) {
    const uint32_t number = fuzz_below(state, 12) == 0 ? (uint32_t)size : (uint32_t)fuzz_number(state);
    at = at / 4 * 4;
    if (at + 4 <= size) memcpy(data + at, &number, 4);
}

void fuzz_mutate(uint64_t* state, uint8_t* data, size_t size) {
    if (size == 0) return;
    for (size_t left = 1 + fuzz_below(state, 4); left > 0; left--) {
        const size_t range = fuzz_below(state, 2) == 0 && size > 2048 ? 2048 : size;
        const size_t at = fuzz_below(state, range);
        const size_t kind = fuzz_below(state, 4);
        if (kind == 0) {
            data[at] = (uint8_t)fuzz_random(state);
        } else if (kind == 1) {
            data[at] ^= (uint8_t)(1u << fuzz_below(state, 8));
        } else if (kind == 2) {
            change_number(state, data, size, at);
        } else {
            const size_t from = fuzz_below(state, size);
            const size_t bytes = 1 + fuzz_below(state, 8);
            const size_t end = at > from ? at : from;
            memmove(data + at, data + from, bytes < size - end ? bytes : size - end);
        }
    }
}
