// SPDX-License-Identifier: Apache-2.0
#include "tests/support/flat_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxFields = 24 };

typedef enum NodeKind {
    kNodeAbsent,
    kNodeScalar,
    kNodeVector,
    kNodeString,
    kNodeTable,
    kNodeTables
} NodeKind;

typedef struct Node {
    NodeKind kind;
    size_t width; // of a scalar or element
    uint64_t bits;
    const void* data; // of a vector or string
    size_t count;
    size_t alignment;
    FlatTable** tables;
} Node;

struct FlatTable {
    FlatTree* tree;
    FlatTable* next; // of all tables of the tree
    Node fields[kMaxFields];
    int parents;
    // Offsets in the file that lead to this table, which is written when all its parents are: offsets lead
    // forward only.
    size_t* slots;
    int slot_count;
};

struct FlatTree {
    FlatTable* root;
    FlatTable* all;
    uint8_t* data;
    size_t size;
    size_t capacity;
};

static void* must(void* memory) {
    if (memory != NULL) return memory;
    fputs("out of memory\n", stderr);
    exit(1);
}

FlatTree* flat_create(void) {
    FlatTree* tree = must(calloc(1, sizeof(*tree)));
    tree->root = flat_table(tree);
    return tree;
}

FlatTable* flat_root(FlatTree* tree) {
    return tree->root;
}

FlatTable* flat_table(FlatTree* tree) {
    FlatTable* table = must(calloc(1, sizeof(*table)));
    table->tree = tree;
    table->next = tree->all;
    tree->all = table;
    return table;
}

void flat_remove(FlatTable* table, int id) {
    Node* node = &table->fields[id];
    for (size_t i = 0; node->tables != NULL && i < node->count; i++) node->tables[i]->parents--;
    free(node->tables);
    *node = (Node){.kind = kNodeAbsent};
}

void flat_scalar(FlatTable* table, int id, int width, uint64_t bits) {
    flat_remove(table, id);
    table->fields[id] = (Node){.kind = kNodeScalar, .width = (size_t)width, .bits = bits};
}

void flat_float(FlatTable* table, int id, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    flat_scalar(table, id, 4, bits);
}

void flat_string(FlatTable* table, int id, const char* text) {
    flat_remove(table, id);
    table->fields[id] =
        (Node){.kind = kNodeString, .data = text, .count = strlen(text), .width = 1, .alignment = 4};
}

void flat_vector(FlatTable* table, int id, const void* data, size_t count, size_t width, size_t alignment) {
    flat_remove(table, id);
    table->fields[id] =
        (Node){.kind = kNodeVector, .data = data, .count = count, .width = width, .alignment = alignment};
}

void flat_set_child(FlatTable* table, int id, FlatTable* of) {
    flat_remove(table, id);
    FlatTable** tables = must(malloc(sizeof(*tables)));
    tables[0] = of;
    of->parents++;
    table->fields[id] = (Node){.kind = kNodeTable, .tables = tables, .count = 1};
}

FlatTable* flat_child(FlatTable* table, int id) {
    FlatTable* child = flat_table(table->tree);
    flat_set_child(table, id, child);
    return child;
}

void flat_tables(FlatTable* table, int id) {
    flat_remove(table, id);
    table->fields[id].kind = kNodeTables;
}

void flat_append_table(FlatTable* table, int id, FlatTable* of) {
    Node* node = &table->fields[id];
    if (node->kind != kNodeTables) flat_tables(table, id);
    node->tables = must(realloc(node->tables, (node->count + 1) * sizeof(*node->tables)));
    node->tables[node->count++] = of;
    of->parents++;
}

FlatTable* flat_append(FlatTable* table, int id) {
    FlatTable* element = flat_table(table->tree);
    flat_append_table(table, id, element);
    return element;
}

int flat_count(const FlatTable* table, int id) {
    return (int)table->fields[id].count;
}

FlatTable* flat_at(const FlatTable* table, int id, int index) {
    return table->fields[id].tables[index];
}

uint64_t flat_get_scalar(const FlatTable* table, int id, uint64_t preset) {
    return table->fields[id].kind == kNodeScalar ? table->fields[id].bits : preset;
}

FlatVector flat_get_vector(const FlatTable* table, int id) {
    const Node* node = &table->fields[id];
    return node->kind == kNodeVector ? (FlatVector){node->data, node->count} : (FlatVector){NULL, 0};
}

// Appends zeros until `offset` bytes further is a multiple of `alignment`; then `size` bytes, zero when NULL.
static size_t append(FlatTree* tree, const void* data, size_t size, size_t alignment, size_t offset) {
    size_t at = tree->size;
    while (alignment > 1 && (at + offset) % alignment != 0) at++;
    if (at + size > tree->capacity) {
        tree->capacity = 2 * (at + size) + 256;
        tree->data = must(realloc(tree->data, tree->capacity));
    }
    memset(tree->data + tree->size, 0, at + size - tree->size);
    if (data != NULL && size > 0) memcpy(tree->data + at, data, size);
    tree->size = at + size;
    return at;
}

static void put(FlatTree* tree, size_t at, uint64_t bits, size_t width) {
    memcpy(tree->data + at, &bits, width);
}

// Lets the offset stored at `slot` lead to `target`.
static void link_to(FlatTree* tree, size_t slot, size_t target) {
    put(tree, slot, target - slot, 4);
}

static size_t write_table(FlatTable* table);

// Lets the offset stored at `slot` lead to `table`.
static void link_table(FlatTable* table, size_t slot) {
    table->slots = must(realloc(table->slots, ((size_t)table->slot_count + 1) * sizeof(*table->slots)));
    table->slots[table->slot_count++] = slot;
    if (table->slot_count < table->parents) return;
    const size_t at = write_table(table);
    for (int i = 0; i < table->slot_count; i++) link_to(table->tree, table->slots[i], at);
}

static size_t write_vector(FlatTree* tree, const Node* node) {
    const size_t at = append(tree, NULL, 4, node->alignment < 4 ? 4 : node->alignment, 4);
    put(tree, at, node->count, 4);
    append(tree, node->data, node->count * node->width, 1, 0);
    if (node->kind == kNodeString) append(tree, NULL, 1, 1, 0);
    return at;
}

static size_t write_tables(FlatTree* tree, const Node* node) {
    const size_t at = append(tree, NULL, 4 + 4 * node->count, 4, 0);
    put(tree, at, node->count, 4);
    for (size_t i = 0; i < node->count; i++) link_table(node->tables[i], at + 4 + 4 * i);
    return at;
}

// Writes what the field stored at `slot` leads to.
static void write_target(FlatTree* tree, const Node* node, size_t slot) {
    if (node->kind == kNodeTable) {
        link_table(node->tables[0], slot);
    } else if (node->kind == kNodeTables) {
        link_to(tree, slot, write_tables(tree, node));
    } else if (node->kind != kNodeAbsent && node->kind != kNodeScalar) {
        link_to(tree, slot, write_vector(tree, node));
    }
}

static size_t write_table(FlatTable* table) {
    FlatTree* tree = table->tree;
    int count = 0;
    for (int id = 0; id < kMaxFields; id++) {
        if (table->fields[id].kind != kNodeAbsent) count = id + 1;
    }
    const size_t vtable_size = 4 + 2 * (size_t)count;
    const size_t vtable = append(tree, NULL, vtable_size, 2, 0);
    const size_t at = append(tree, NULL, 4, 4, 0);
    size_t slots[kMaxFields] = {0};
    put(tree, at, at - vtable, 4);
    for (int id = 0; id < count; id++) {
        const Node* node = &table->fields[id];
        if (node->kind == kNodeAbsent) continue;
        const size_t width = node->kind == kNodeScalar ? node->width : 4;
        slots[id] = append(tree, &node->bits, width, width, 0);
        put(tree, vtable + 4 + 2 * (size_t)id, slots[id] - at, 2);
    }
    put(tree, vtable, vtable_size, 2);
    put(tree, vtable + 2, tree->size - at, 2);
    for (int id = 0; id < count; id++) write_target(tree, &table->fields[id], slots[id]);
    return at;
}

uint8_t* flat_finish(FlatTree* tree, const char* identifier, size_t* size) {
    append(tree, NULL, 4, 1, 0);
    append(tree, identifier, 4, 1, 0);
    link_to(tree, 0, write_table(tree->root));
    uint8_t* data = tree->data;
    *size = tree->size;
    for (FlatTable* table = tree->all; table != NULL;) {
        FlatTable* next = table->next;
        for (int id = 0; id < kMaxFields; id++) free(table->fields[id].tables);
        free(table->slots);
        free(table);
        table = next;
    }
    free(tree);
    return data;
}
