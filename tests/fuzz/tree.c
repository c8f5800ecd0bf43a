// SPDX-License-Identifier: Apache-2.0
// The file is copied field by field into a tree that flat_writer writes out; at a few fields, drawn
// beforehand, the copy differs.
#include <stdlib.h>

#include "core/base/memory.h"
#include "core/model/schema.h"
#include "tests/fuzz/structure.h"

enum { kMaxTables = 4096, kMaxTargets = 4, kMaxFresh = 6, kMaxVector = 1 << 20 };

typedef struct Copy {
    uint64_t* state;
    LiteTree* tree;
    LiteArena arena;         // vectors and strings that are in no file
    LiteFlatTable donors[2]; // roots of the files that pieces are taken from
    int fields;              // seen so far
    int targets[kMaxTargets];
    int target_count;
    int tables; // that may still be copied
} Copy;

static void copy_table(Copy* c, LiteFlatTable from, const LiteFlatSchema* schema, LiteTreeTable* to);

static size_t below(Copy* c, size_t bound) {
    return fuzz_below(c->state, bound);
}

// A table of the schema from one of the files; absent when there is none.
typedef struct Search {
    Copy* copy;
    const LiteFlatSchema* schema;
    size_t found;
    LiteFlatTable table;
} Search;

static void consider(void* argument, LiteFlatTable table, const LiteFlatSchema* schema) {
    Search* search = argument;
    if (schema == search->schema && below(search->copy, ++search->found) == 0) search->table = table;
}

static LiteFlatTable find_donor(Copy* c, const LiteFlatSchema* schema) {
    Search search = {.copy = c, .schema = schema};
    int budget = kMaxTables;
    fuzz_walk(c->donors[below(c, 2)], &lite_schema_model, &budget, consider, &search);
    return search.table;
}

// New contents
// ---------------------------------------------------------------------------------------------------------

static uint64_t number(Copy* c) {
    return below(c, 2) == 0 ? below(c, 24) : fuzz_number(c->state);
}

static void put_string(Copy* c, LiteTreeTable* to, int id) {
    static const char* const texts[] = {"", "x", "serving_default", "\xff\xfe\x80", "%s%n%d", "a\nb", "TFL3"};
    const size_t count = sizeof(texts) / sizeof(*texts);
    const size_t choice = below(c, count + 1);
    const size_t length = below(c, 600);
    char* text = choice < count ? NULL : lite_arena_alloc(&c->arena, length + 1, 1);
    if (text != NULL) memset(text, 'n', length);
    lite_tree_string(to, id, text != NULL ? text : texts[choice % count]);
}

// `count` elements, the first ones those of `old`.
static uint8_t* put_vector(Copy* c, LiteTreeTable* to, const LiteFlatField* field, int id, LiteFlatVector old,
                           size_t count) {
    uint8_t* data = lite_arena_alloc(&c->arena, count, field->width);
    if (data == NULL) return NULL;
    const size_t kept = old.count < count ? old.count : count;
    if (kept > 0) memcpy(data, old.data, kept * field->width);
    for (size_t i = kept; i < count; i++) {
        const uint64_t value = number(c);
        memcpy(data + i * field->width, &value, field->width);
    }
    // Contents of buffers begin at multiples of 16; not always.
    const size_t alignment = field->width == 1 && below(c, 8) > 0 ? 16 : field->width;
    lite_tree_vector(to, id, data, count, field->width, alignment);
    return data;
}

static void fresh_table(Copy* c, const LiteFlatSchema* schema, LiteTreeTable* to);

static void fresh_field(Copy* c, const LiteFlatSchema* schema, int id, LiteTreeTable* to) {
    const LiteFlatField* field = &schema->fields[id];
    switch (field->kind) {
    case kLiteFlatDeprecated:
        return;
    case kLiteFlatScalar:
        lite_tree_scalar(to, id, field->width, number(c));
        return;
    case kLiteFlatString:
        put_string(c, to, id);
        return;
    case kLiteFlatVector:
        put_vector(c, to, field, id, (LiteFlatVector){NULL, 0}, below(c, 5));
        return;
    case kLiteFlatChild:
        fresh_table(c, field->table, lite_tree_child(to, id));
        return;
    case kLiteFlatTables:
        lite_tree_tables(to, id);
        for (size_t left = below(c, 3); left > 0; left--)
            fresh_table(c, field->table, lite_tree_append(to, id));
        return;
    default: {
        const size_t type = 1 + below(c, (size_t)field->members->count - 1);
        lite_tree_scalar(to, id - 1, 1, type);
        if (field->members->members[type] != NULL) {
            fresh_table(c, field->members->members[type], lite_tree_child(to, id));
        }
    }
    }
}

// A copy of a donor, or a few fields at random. (Tables do not contain themselves, so this ends.)
static void fresh_table(Copy* c, const LiteFlatSchema* schema, LiteTreeTable* to) {
    const LiteFlatTable donor = below(c, 2) == 0 ? find_donor(c, schema) : (LiteFlatTable){NULL};
    if (donor.at != NULL) {
        copy_table(c, donor, schema, to);
        return;
    }
    for (size_t left = below(c, kMaxFresh); left > 0 && schema->field_count > 0; left--) {
        fresh_field(c, schema, (int)below(c, (size_t)schema->field_count), to);
    }
}

// Copying
// --------------------------------------------------------------------------------------------------------------

static void copy_field(Copy* c, LiteFlatTable from, const LiteFlatSchema* schema, int id, LiteTreeTable* to) {
    const LiteFlatField* field = &schema->fields[id];
    LiteFlatVector vector = {NULL, 0};
    if (lite_flat_field(from, id) == NULL) return;
    if (field->kind == kLiteFlatString || field->kind == kLiteFlatVector || field->kind == kLiteFlatTables) {
        vector = lite_flat_vector(from, id);
    }
    switch (field->kind) {
    case kLiteFlatDeprecated:
        return;
    case kLiteFlatScalar:
        lite_tree_scalar(to, id, field->width, lite_flat_bits(from, id, field->width, 0));
        return;
    case kLiteFlatString:
        lite_tree_string(to, id, (const char*)vector.data);
        return;
    case kLiteFlatVector:
        lite_tree_vector(to, id, vector.data, vector.count, field->width,
                         field->width == 1 ? 16 : field->width);
        return;
    case kLiteFlatChild:
        copy_table(c, lite_flat_child(from, id), field->table, lite_tree_child(to, id));
        return;
    case kLiteFlatTables:
        lite_tree_tables(to, id);
        for (uint32_t i = 0; i < vector.count && c->tables > 0; i++) {
            copy_table(c, lite_flat_element(vector, i), field->table, lite_tree_append(to, id));
        }
        return;
    default: {
        const LiteFlatSchema* member = lite_flat_union_member(from, schema, id);
        if (member != NULL) copy_table(c, lite_flat_child(from, id), member, lite_tree_child(to, id));
    }
    }
}

static void change_vector(Copy* c, LiteFlatTable from, const LiteFlatField* field, int id,
                          LiteTreeTable* to) {
    const LiteFlatVector old = lite_flat_vector(from, id);
    if (old.count > kMaxVector) return;
    const size_t grown = old.count + 1 + below(c, 3);
    const size_t counts[] = {old.count, old.count, grown, below(c, old.count + 1)};
    const size_t count = counts[below(c, 4)];
    uint8_t* data = put_vector(c, to, field, id, old, count);
    if (count != old.count || count == 0 || data == NULL) return;
    const size_t at = below(c, count) * field->width, other = below(c, count) * field->width;
    uint64_t value = number(c);
    if (below(c, 3) == 0) memcpy(&value, data + other, field->width);
    memcpy(data + other, data + at, field->width);
    memcpy(data + at, &value, field->width);
}

static void change_tables(Copy* c, LiteFlatTable from, const LiteFlatField* field, int id,
                          LiteTreeTable* to) {
    const LiteFlatVector old = lite_flat_vector(from, id);
    const uint32_t at = (uint32_t)below(c, old.count + 1), other = (uint32_t)below(c, old.count + 1);
    const size_t kind = below(c, 5);
    lite_tree_tables(to, id);
    for (uint32_t i = 0; i < old.count && c->tables > 0; i++) {
        if (i == at && kind == 0) continue;                                               // removed
        if (i == at && kind == 1) fresh_table(c, field->table, lite_tree_append(to, id)); // added
        const bool swapped = kind == 2 && (i == at || i == other) && at < old.count && other < old.count;
        const uint32_t source = !swapped ? i : i == at ? other : at;
        copy_table(c, lite_flat_element(old, source), field->table, lite_tree_append(to, id));
        if (i == at && kind == 3) { // the same table again
            lite_tree_append_table(to, id, lite_tree_at(to, id, lite_tree_count(to, id) - 1));
        }
    }
    if (kind == 4 || old.count == 0) fresh_table(c, field->table, lite_tree_append(to, id));
}

static void change_field(Copy* c, LiteFlatTable from, const LiteFlatSchema* schema, int id,
                         LiteTreeTable* to) {
    const LiteFlatField* field = &schema->fields[id];
    const LiteFlatTable donor = below(c, 4) == 0 ? find_donor(c, schema) : (LiteFlatTable){NULL};
    if (donor.at != NULL && field->kind != kLiteFlatUnion) {
        copy_field(c, donor, schema, id, to);
    } else if (lite_flat_field(from, id) == NULL || below(c, 8) == 0) {
        fresh_field(c, schema, id, to);
    } else if (below(c, 8) == 0) {
        return; // removed
    } else if (field->kind == kLiteFlatVector) {
        change_vector(c, from, field, id, to);
    } else if (field->kind == kLiteFlatTables) {
        change_tables(c, from, field, id, to);
    } else if (field->kind == kLiteFlatScalar && below(c, 2) == 0) {
        const uint64_t step = UINT64_C(1) << below(c, 4);
        const uint64_t value = lite_flat_bits(from, id, field->width, 0);
        lite_tree_scalar(to, id, field->width, below(c, 2) == 0 ? value + step : value - step);
    } else {
        fresh_field(c, schema, id, to);
    }
}

static void copy_table(Copy* c, LiteFlatTable from, const LiteFlatSchema* schema, LiteTreeTable* to) {
    if (c->tables == 0) return;
    c->tables--;
    for (int id = 0; id < schema->field_count; id++) {
        bool hit = false;
        for (int i = 0; i < c->target_count; i++) hit |= c->targets[i] == c->fields;
        c->fields++;
        if (hit)
            change_field(c, from, schema, id, to);
        else
            copy_field(c, from, schema, id, to);
    }
}

static void count_fields(void* argument, LiteFlatTable table, const LiteFlatSchema* schema) {
    (void)table;
    *(size_t*)argument += (size_t)schema->field_count;
}

static LiteFlatTable verified_root(const uint8_t* data, size_t size) {
    const bool valid =
        lite_flat_verify(data, size, &lite_schema_model, LITE_SCHEMA_IDENTIFIER, NULL) == kTfLiteOk;
    return valid ? lite_flat_root(data) : (LiteFlatTable){NULL};
}

uint8_t* fuzz_mutate_tree(uint64_t* state, const uint8_t* data, size_t size, const FuzzFile* donor,
                          size_t* mutated_size) {
    const LiteFlatTable root = verified_root(data, size);
    if (root.at == NULL) return NULL;
    const LiteFlatTable other = donor == NULL ? root : verified_root(donor->data, donor->size);
    Copy c = {.state = state, .tree = lite_tree_create(), .donors = {root, other}, .tables = kMaxTables};
    size_t fields = 0;
    int budget = kMaxTables;
    fuzz_walk(root, &lite_schema_model, &budget, count_fields, &fields);
    for (size_t left = 1 + below(&c, kMaxTargets); left > 0; left--) {
        c.targets[c.target_count++] = (int)below(&c, fields);
    }
    copy_table(&c, root, &lite_schema_model, lite_tree_root(c.tree));
    uint8_t* mutated = flat_finish(c.tree, LITE_SCHEMA_IDENTIFIER, mutated_size);
    lite_arena_free(&c.arena);
    return mutated;
}

LiteTree* fuzz_copy_tree(const uint8_t* data, size_t size) {
    const LiteFlatTable root = verified_root(data, size);
    if (root.at == NULL) return NULL;
    Copy c = {.tree = lite_tree_create(), .tables = kMaxTables};
    copy_table(&c, root, &lite_schema_model, lite_tree_root(c.tree));
    return c.tree;
}
