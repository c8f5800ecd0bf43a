// SPDX-License-Identifier: Apache-2.0
// Mutations that know the format: the tables, vectors, offsets and fields of a model file.
#ifndef TESTS_FUZZ_STRUCTURE_H_
#define TESTS_FUZZ_STRUCTURE_H_

#include <stdbool.h>

#include "core/model/flatbuffer.h"
#include "tests/fuzz/mutate.h"
#include "tests/support/flat_writer.h"

// Calls `visit` for each table of a verified file, parents first. *budget is how many may still be visited:
// tables may be shared, and a small file can describe very many.
typedef void (*FuzzVisit)(void* argument, LiteFlatTable table, const LiteFlatSchema* schema);
void fuzz_walk(LiteFlatTable table, const LiteFlatSchema* schema, int* budget, FuzzVisit visit,
               void* argument);

// Changes one to three of the numbers, lengths, offsets and vtable entries that hold the file together. false
// when the file is no FlatBuffer.
bool fuzz_mutate_sites(uint64_t* state, uint8_t* data, size_t size);

// Writes the file anew with one to four changes to its tree: fields set, removed, taken over from elsewhere
// in the file or from `donor` (NULL: none); elements of vectors and tables changed, added, doubled, swapped,
// removed. The result is a FlatBuffer again (to be released with free()); NULL when the file is none.
uint8_t* fuzz_mutate_tree(uint64_t* state, const uint8_t* data, size_t size, const FuzzFile* donor,
                          size_t* mutated_size);

// Writes the file anew with one to three changes to one of its operators: parameters, inputs and outputs,
// version, and the types, shapes, quantization and contents of its tensors. As above.
uint8_t* fuzz_mutate_operator(uint64_t* state, const uint8_t* data, size_t size, size_t* mutated_size);

// The file as a tree whose vectors lie in `data`; NULL when it is no FlatBuffer.
LiteTree* fuzz_copy_tree(const uint8_t* data, size_t size);

#endif
