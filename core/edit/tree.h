// SPDX-License-Identifier: Apache-2.0
// A tree of tables, to be written as a FlatBuffer (tree_write.h). Fields may be set in any order and again;
// the last value counts.
//
// Tables, and what belongs to them, live until the tree is deleted. Vectors and strings stay where they are,
// and have to be there until the file is written. What lies at the same place is written once, as is a table
// that several fields lead to. When memory runs out the tree remembers it: functions go on to return tables
// that other functions accept, and lite_tree_finish fails.
#ifndef CORE_EDIT_TREE_H_
#define CORE_EDIT_TREE_H_

#include <stddef.h>
#include <stdint.h>

#include "core/base/memory.h"
#include "core/model/flatbuffer.h"

typedef struct LiteTree LiteTree;
typedef struct LiteTreeTable LiteTreeTable;

// With an empty root. NULL when out of memory. lite_tree_delete(NULL) does nothing.
LiteTree* lite_tree_create(void);
void lite_tree_delete(LiteTree* tree);
LiteTreeTable* lite_tree_root(LiteTree* tree);
// Memory that lives as long as the tree; NULL when there is none, which is remembered.
void* lite_tree_alloc(LiteTree* tree, size_t count, size_t size);
// A table that belongs to no field yet.
LiteTreeTable* lite_tree_table(LiteTree* tree);

// A scalar of 1, 2, 4 or 8 bytes: the low bytes of `bits`.
void lite_tree_scalar(LiteTreeTable* table, int id, int width, uint64_t bits);
void lite_tree_float(LiteTreeTable* table, int id, float value);
void lite_tree_string(LiteTreeTable* table, int id, const char* text);
// A vector of `count` scalars of `width` bytes, zeros when `data` is NULL, whose first element lies at a
// multiple of `alignment`.
void lite_tree_vector(LiteTreeTable* table, int id, const void* data, size_t count, size_t width,
                      size_t alignment);
// Bytes after all tables, for files beyond 2 GiB: the field is their offset from the start of the file.
void lite_tree_outside(LiteTreeTable* table, int id, const void* data, size_t size);
void lite_tree_remove(LiteTreeTable* table, int id);

LiteTreeTable* lite_tree_child(LiteTreeTable* table, int id); // a new table as field `id`
// `of` may have other parents.
void lite_tree_set_child(LiteTreeTable* table, int id, LiteTreeTable* of);
void lite_tree_tables(LiteTreeTable* table, int id);           // an empty vector of tables
LiteTreeTable* lite_tree_append(LiteTreeTable* table, int id); // a new table at the end of the vector
void lite_tree_append_table(LiteTreeTable* table, int id, LiteTreeTable* of);
int lite_tree_count(const LiteTreeTable* table, int id);                    // tables in the vector
LiteTreeTable* lite_tree_at(const LiteTreeTable* table, int id, int index); // a single table is at 0

// What was set: `preset`, or an empty vector, when the field is absent.
typedef struct LiteTreeVector {
    const void* data;
    size_t count;
} LiteTreeVector;
uint64_t lite_tree_get_scalar(const LiteTreeTable* table, int id, uint64_t preset);
LiteTreeVector lite_tree_get_vector(const LiteTreeTable* table, int id);

// Copies the fields of a verified table, whose strings and vectors stay in the file. Deprecated fields are
// left out. What the schema does not know cannot be copied: the tree remembers that, and lite_tree_finish
// fails.
void lite_tree_copy(LiteTreeTable* to, LiteFlatTable from, const LiteFlatSchema* schema);

#endif
