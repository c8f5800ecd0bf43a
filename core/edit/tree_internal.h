// SPDX-License-Identifier: Apache-2.0
// The structures of the tree, for tree.c, which makes it, and tree_write.c, which writes it.
#ifndef CORE_EDIT_TREE_INTERNAL_H_
#define CORE_EDIT_TREE_INTERNAL_H_

#include <stdbool.h>

#include "core/edit/tree.h"

typedef enum LiteTreeKind {
    kLiteTreeAbsent,
    kLiteTreeScalar,
    kLiteTreeVector,
    kLiteTreeString,
    kLiteTreeOutside,
    kLiteTreeTable,
    kLiteTreeTables,
} LiteTreeKind;

typedef struct LiteTreeNode {
    uint8_t kind; // LiteTreeKind
    uint8_t width;
    uint8_t alignment;
    size_t count; // of elements or tables
    size_t capacity;
    union {
        uint64_t bits;
        const void* data;
        LiteTreeTable** tables;
    };
} LiteTreeNode;

struct LiteTreeTable {
    LiteTree* tree;
    LiteTreeNode* fields;
    int field_count;
    int parents;
    // Offsets in the file that lead to this table. Offsets lead forward only, so it is written when all its
    // parents are.
    size_t* slots;
    int slot_count;
};

struct LiteTree {
    LiteArena arena;
    LiteTreeTable* root;
    // Functions return and accept these where there is no memory for a table or field.
    LiteTreeTable spare;
    LiteTreeNode spare_node;
    bool out_of_memory;
    const char* unknown; // the name of a schema's table that cannot be copied; NULL: there was none
};

#endif
