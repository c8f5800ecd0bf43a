// SPDX-License-Identifier: Apache-2.0
// Tables and their fields: setting, reading, copying.
#include "core/edit/tree.h"

#include <string.h>

#include "core/edit/tree_internal.h"

LiteTree* lite_tree_create(void) {
    LiteTree* tree = lite_calloc(1, sizeof(*tree));
    if (tree == NULL) return NULL;
    tree->spare.tree = tree;
    tree->root = lite_tree_table(tree);
    return tree;
}

void lite_tree_delete(LiteTree* tree) {
    if (tree == NULL) return;
    lite_arena_free(&tree->arena);
    lite_free(tree);
}

LiteTreeTable* lite_tree_root(LiteTree* tree) {
    return tree->root;
}

void* lite_tree_alloc(LiteTree* tree, size_t count, size_t size) {
    void* memory = lite_arena_alloc(&tree->arena, count, size);
    if (memory == NULL) tree->out_of_memory = true;
    return memory;
}

LiteTreeTable* lite_tree_table(LiteTree* tree) {
    LiteTreeTable* table = lite_tree_alloc(tree, 1, sizeof(*table));
    if (table == NULL) return &tree->spare;
    table->tree = tree;
    return table;
}

// The field, made when there is none.
static LiteTreeNode* field_at(LiteTreeTable* table, int id) {
    LiteTree* tree = table->tree;
    if (table == &tree->spare) return &tree->spare_node;
    if (id < table->field_count) return &table->fields[id];
    const int count = id + 1 > 2 * table->field_count ? id + 1 : 2 * table->field_count;
    LiteTreeNode* fields = lite_tree_alloc(tree, (size_t)count, sizeof(*fields));
    if (fields == NULL) return &tree->spare_node;
    if (table->field_count > 0) {
        memcpy(fields, table->fields, (size_t)table->field_count * sizeof(*fields));
    }
    table->fields = fields;
    table->field_count = count;
    return &fields[id];
}

// The field; an absent one when there is none.
static LiteTreeNode find_field(const LiteTreeTable* table, int id) {
    return id < table->field_count ? table->fields[id] : (LiteTreeNode){.kind = kLiteTreeAbsent};
}

void lite_tree_remove(LiteTreeTable* table, int id) {
    const LiteTreeNode node = find_field(table, id);
    if (node.kind == kLiteTreeAbsent) return;
    const bool tables = node.kind == kLiteTreeTable || node.kind == kLiteTreeTables;
    for (size_t i = 0; tables && i < node.count; i++) node.tables[i]->parents--;
    table->fields[id] = (LiteTreeNode){.kind = kLiteTreeAbsent};
}

static void set(LiteTreeTable* table, int id, LiteTreeNode node) {
    lite_tree_remove(table, id);
    *field_at(table, id) = node;
}

void lite_tree_scalar(LiteTreeTable* table, int id, int width, uint64_t bits) {
    set(table, id, (LiteTreeNode){.kind = kLiteTreeScalar, .width = (uint8_t)width, .bits = bits});
}

void lite_tree_float(LiteTreeTable* table, int id, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    lite_tree_scalar(table, id, 4, bits);
}

void lite_tree_string(LiteTreeTable* table, int id, const char* text) {
    set(table, id,
        (LiteTreeNode){
            .kind = kLiteTreeString, .width = 1, .alignment = 4, .count = strlen(text), .data = text});
}

void lite_tree_vector(LiteTreeTable* table, int id, const void* data, size_t count, size_t width,
                      size_t alignment) {
    set(table, id,
        (LiteTreeNode){.kind = kLiteTreeVector,
                       .width = (uint8_t)width,
                       .alignment = (uint8_t)alignment,
                       .count = count,
                       .data = data});
}

void lite_tree_outside(LiteTreeTable* table, int id, const void* data, size_t size) {
    set(table, id,
        (LiteTreeNode){.kind = kLiteTreeOutside, .width = 1, .alignment = 16, .count = size, .data = data});
}

void lite_tree_set_child(LiteTreeTable* table, int id, LiteTreeTable* of) {
    LiteTreeTable** tables = lite_tree_alloc(table->tree, 1, sizeof(LiteTreeTable*));
    lite_tree_remove(table, id);
    if (tables == NULL) return;
    tables[0] = of;
    of->parents++;
    set(table, id, (LiteTreeNode){.kind = kLiteTreeTable, .tables = tables, .count = 1});
}

LiteTreeTable* lite_tree_child(LiteTreeTable* table, int id) {
    LiteTreeTable* child = lite_tree_table(table->tree);
    lite_tree_set_child(table, id, child);
    return child;
}

void lite_tree_tables(LiteTreeTable* table, int id) {
    set(table, id, (LiteTreeNode){.kind = kLiteTreeTables});
}

void lite_tree_append_table(LiteTreeTable* table, int id, LiteTreeTable* of) {
    if (find_field(table, id).kind != kLiteTreeTables) lite_tree_tables(table, id);
    LiteTreeNode* node = field_at(table, id);
    if (node->count == node->capacity) {
        const size_t capacity = 2 * node->capacity + 2;
        LiteTreeTable** tables = lite_tree_alloc(table->tree, capacity, sizeof(LiteTreeTable*));
        if (tables == NULL) return;
        if (node->count > 0) memcpy(tables, node->tables, node->count * sizeof(*tables));
        node->tables = tables;
        node->capacity = capacity;
    }
    node->tables[node->count++] = of;
    of->parents++;
}

LiteTreeTable* lite_tree_append(LiteTreeTable* table, int id) {
    LiteTreeTable* element = lite_tree_table(table->tree);
    lite_tree_append_table(table, id, element);
    return element;
}

int lite_tree_count(const LiteTreeTable* table, int id) {
    return (int)find_field(table, id).count;
}

LiteTreeTable* lite_tree_at(const LiteTreeTable* table, int id, int index) {
    const LiteTreeNode node = find_field(table, id);
    return (size_t)index < node.count ? node.tables[index] : &table->tree->spare;
}

uint64_t lite_tree_get_scalar(const LiteTreeTable* table, int id, uint64_t preset) {
    const LiteTreeNode node = find_field(table, id);
    return node.kind == kLiteTreeScalar ? node.bits : preset;
}

LiteTreeVector lite_tree_get_vector(const LiteTreeTable* table, int id) {
    const LiteTreeNode node = find_field(table, id);
    return node.kind == kLiteTreeVector ? (LiteTreeVector){node.data, node.count} : (LiteTreeVector){NULL, 0};
}

// Copying
// --------------------------------------------------------------------------------------------------------

static void copy_field(LiteTreeTable* to, LiteFlatTable from, const LiteFlatSchema* schema, int id) {
    const LiteFlatField* field = &schema->fields[id];
    LiteFlatVector vector;
    switch (field->kind) {
    case kLiteFlatDeprecated:
        return;
    case kLiteFlatScalar:
        lite_tree_scalar(to, id, field->width, lite_flat_bits(from, id, field->width, 0));
        return;
    case kLiteFlatString:
        lite_tree_string(to, id, lite_flat_string(from, id));
        return;
    case kLiteFlatVector:
        // Contents of buffers, and FlexBuffers, are read as wider numbers.
        vector = lite_flat_vector(from, id);
        lite_tree_vector(to, id, vector.data, vector.count, field->width,
                         field->width == 1 ? 16 : field->width);
        return;
    case kLiteFlatChild:
        lite_tree_copy(lite_tree_child(to, id), lite_flat_child(from, id), field->table);
        return;
    case kLiteFlatTables:
        vector = lite_flat_vector(from, id);
        lite_tree_tables(to, id);
        for (uint32_t i = 0; i < vector.count && !to->tree->out_of_memory; i++) {
            lite_tree_copy(lite_tree_append(to, id), lite_flat_element(vector, i), field->table);
        }
        return;
    default: {
        const LiteFlatSchema* member = lite_flat_union_member(from, schema, id);
        if (member == NULL && lite_flat_u8(from, id - 1) != 0) to->tree->unknown = schema->name;
        if (member != NULL) lite_tree_copy(lite_tree_child(to, id), lite_flat_child(from, id), member);
    }
    }
}

void lite_tree_copy(LiteTreeTable* to, LiteFlatTable from, const LiteFlatSchema* schema) {
    for (int id = 0; id < schema->field_count; id++) {
        if (lite_flat_field(from, id) != NULL) copy_field(to, from, schema, id);
    }
    for (int id = schema->field_count; id < lite_flat_field_count(from); id++) {
        if (lite_flat_field(from, id) != NULL) to->tree->unknown = schema->name;
    }
}
