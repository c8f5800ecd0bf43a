// SPDX-License-Identifier: Apache-2.0
// Entry points for libFuzzer; the build says which FUZZ_TARGET (tests/fuzz/target.h), and whether its input
// is a model.
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/mutate.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    FUZZ_TARGET(data, size);
    return 0;
}

#ifdef FUZZ_MODEL
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size); // libFuzzer's own
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t* data, size_t size, const uint8_t* other, size_t other_size,
                                 uint8_t* out, size_t max_size, unsigned seed);

// 0 when the mutation is larger than `max_size`.
static size_t mutate(uint64_t* state, const FuzzFile* file, const FuzzFile* donor, uint8_t* out,
                     size_t max_size) {
    size_t size;
    uint8_t* mutated = fuzz_mutated(state, file, donor, &size);
    if (size <= max_size) memcpy(out, mutated, size);
    free(mutated);
    return size <= max_size ? size : 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
    uint64_t state = seed;
    if (fuzz_below(&state, 8) == 0) return LLVMFuzzerMutate(data, size, max_size);
    const size_t mutated = mutate(&state, &(FuzzFile){NULL, data, size}, NULL, data, max_size);
    return mutated > 0 ? mutated : LLVMFuzzerMutate(data, size, max_size);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t* data, size_t size, const uint8_t* other, size_t other_size,
                                 uint8_t* out, size_t max_size, unsigned seed) {
    uint64_t state = seed;
    const FuzzFile file = {NULL, (uint8_t*)data, size}, donor = {NULL, (uint8_t*)other, other_size};
    return mutate(&state, &file, &donor, out, max_size);
}
#endif
