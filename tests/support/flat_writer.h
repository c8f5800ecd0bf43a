// SPDX-License-Identifier: Apache-2.0
// Writes FlatBuffers from a tree of tables. Fields may be set in any order and again; the last value counts.
// Memory belongs to the tree; out of memory ends the test program.
#ifndef TESTS_SUPPORT_FLAT_WRITER_H_
#define TESTS_SUPPORT_FLAT_WRITER_H_

#include <stddef.h>
#include <stdint.h>

typedef struct FlatTree FlatTree;
typedef struct FlatTable FlatTable;

FlatTree* flat_create(void);
FlatTable* flat_root(FlatTree* tree);
// A table that belongs to no field yet.
FlatTable* flat_table(FlatTree* tree);

// A scalar of 1, 2, 4 or 8 bytes: the low bytes of `bits`.
void flat_scalar(FlatTable* table, int id, int width, uint64_t bits);
void flat_float(FlatTable* table, int id, float value);
void flat_string(FlatTable* table, int id, const char* text);
// A vector of `count` scalars of `width` bytes whose first element lies at a multiple of `alignment`.
void flat_vector(FlatTable* table, int id, const void* data, size_t count, size_t width, size_t alignment);
void flat_remove(FlatTable* table, int id);

FlatTable* flat_child(FlatTable* table, int id); // a new table as field `id`
void flat_set_child(FlatTable* table, int id,
                    FlatTable* of);               // `of` may have other parents: it is written once
void flat_tables(FlatTable* table, int id);       // an empty vector of tables
FlatTable* flat_append(FlatTable* table, int id); // a new table at the end of the vector of tables
void flat_append_table(FlatTable* table, int id, FlatTable* of);
int flat_count(const FlatTable* table, int id);                // tables in the vector
FlatTable* flat_at(const FlatTable* table, int id, int index); // a single table is at 0

// What was set: `preset`, or an empty vector, when the field is absent.
typedef struct FlatVector {
    const void* data;
    size_t count;
} FlatVector;
uint64_t flat_get_scalar(const FlatTable* table, int id, uint64_t preset);
FlatVector flat_get_vector(const FlatTable* table, int id);

// The file, to be released with free(); the tree is gone afterwards. `identifier` has 4 characters.
uint8_t* flat_finish(FlatTree* tree, const char* identifier, size_t* size);

#endif
