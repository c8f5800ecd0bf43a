// SPDX-License-Identifier: Apache-2.0
// Inputs of the fuzz programs: files, and seeded mutations of them.
#ifndef TESTS_FUZZ_MUTATE_H_
#define TESTS_FUZZ_MUTATE_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FuzzFile {
    char* path;
    uint8_t* data;
    size_t size;
} FuzzFile;

// The files named by `arguments`, and all files that end in .tflite or .flex in and below the folders among
// them, in the order of their paths; none larger than `limit`. *count 0 when there is none. Release with
// free_files.
FuzzFile* fuzz_files(char* const* arguments, int argument_count, size_t limit, int* count);
void fuzz_free_files(FuzzFile* files, int count);

// A sequence of numbers from a seed, the same everywhere.
uint64_t fuzz_random(uint64_t* state);
// A number in [0, bound).
size_t fuzz_below(uint64_t* state, size_t bound);
// A number of up to 64 bits that code tends to get wrong.
uint64_t fuzz_number(uint64_t* state);

// Changes one to four places of `data`: bytes, numbers of 32 bits, pieces copied from elsewhere. Files' first
// bytes, where the tables are, are hit more often.
void fuzz_mutate(uint64_t* state, uint8_t* data, size_t size);

// A mutation of `file`, of any kind (tests/fuzz/structure.h): `donor` (NULL: none) is where pieces may come
// from. To be released with free(); exactly *size bytes, for sanitizers.
uint8_t* fuzz_mutated(uint64_t* state, const FuzzFile* file, const FuzzFile* donor, size_t* size);

// The same, of one operator of the file (fuzz_mutate_operator).
uint8_t* fuzz_mutated_operator(uint64_t* state, const FuzzFile* file, size_t* size);

#ifdef __cplusplus
}
#endif

#endif
