// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "core/model/schema.h"
#include "tests/fuzz/structure.h"

enum { kMaxSites = 1 << 14, kMaxTables = 1 << 14 };

void fuzz_walk(LiteFlatTable table, const LiteFlatSchema* schema, int* budget, FuzzVisit visit,
               void* argument) {
    if (table.at == NULL || schema == NULL || --*budget < 0) return;
    visit(argument, table, schema);
    for (int id = 0; id < schema->field_count; id++) {
        const LiteFlatField* field = &schema->fields[id];
        if (field->kind == kLiteFlatChild) {
            fuzz_walk(lite_flat_child(table, id), field->table, budget, visit, argument);
        } else if (field->kind == kLiteFlatUnion) {
            fuzz_walk(lite_flat_child(table, id), lite_flat_union_member(table, schema, id), budget, visit,
                      argument);
        } else if (field->kind == kLiteFlatTables) {
            const LiteFlatVector tables = lite_flat_vector(table, id);
            for (uint32_t i = 0; i<tables.count&& * budget> 0; i++) {
                fuzz_walk(lite_flat_element(tables, i), field->table, budget, visit, argument);
            }
        }
    }
}

typedef enum SiteKind { kSiteNumber, kSiteLength, kSiteOffset, kSiteEntry } SiteKind;

typedef struct Site {
    size_t at;
    uint8_t width;
    uint8_t kind;
} Site;

typedef struct Sites {
    const uint8_t* data;
    int count;
    Site items[kMaxSites];
} Sites;

static void add_site(Sites* sites, const uint8_t* at, size_t width, SiteKind kind) {
    if (sites->count == kMaxSites) return;
    sites->items[sites->count++] =
        (Site){.at = (size_t)(at - sites->data), .width = (uint8_t)width, .kind = kind};
}

static void add_vector(Sites* sites, LiteFlatTable table, const LiteFlatField* field, int id) {
    const LiteFlatVector vector = lite_flat_vector(table, id);
    add_site(sites, vector.data - 4, 4, kSiteLength);
    const bool scalars = field->kind == kLiteFlatVector;
    const size_t width = scalars ? field->width : 4;
    // Contents of buffers would hide everything else.
    for (uint32_t i = 0; i < vector.count && i < 16; i++) {
        add_site(sites, vector.data + i * width, width, scalars ? kSiteNumber : kSiteOffset);
    }
}

static void visit(void* argument, LiteFlatTable table, const LiteFlatSchema* schema) {
    Sites* sites = argument;
    const uint8_t* vtable = table.at - (int32_t)lite_flat_load_u32(table.at);
    add_site(sites, table.at, 4, kSiteOffset);
    add_site(sites, vtable, 2, kSiteEntry);
    for (int id = 0; id < schema->field_count; id++) {
        const LiteFlatField* field = &schema->fields[id];
        const uint8_t* at = lite_flat_field(table, id);
        if (at == NULL || field->kind == kLiteFlatDeprecated) continue;
        add_site(sites, vtable + 4 + 2 * id, 2, kSiteEntry);
        if (field->kind == kLiteFlatScalar) {
            add_site(sites, at, field->width, kSiteNumber);
            continue;
        }
        add_site(sites, at, 4, kSiteOffset);
        if (field->kind == kLiteFlatString) {
            add_site(sites, lite_flat_follow(at), 4, kSiteLength);
        } else if (field->kind == kLiteFlatVector || field->kind == kLiteFlatTables) {
            add_vector(sites, table, field, id);
        }
    }
}

static uint64_t load(const uint8_t* data, const Site* site) {
    uint64_t value = 0;
    memcpy(&value, data + site->at, site->width);
    return value;
}

static uint64_t change(uint64_t* state, const uint8_t* data, size_t size, const Site* site,
                       const Site* other) {
    const uint64_t value = load(data, site);
    const uint64_t step = UINT64_C(1) << fuzz_below(state, 5);
    switch (fuzz_below(state, 6)) {
    case 0:
        return value + step;
    case 1:
        return value - step;
    case 2:
        return fuzz_number(state);
    case 3: // around what is left of the file
        return (size - site->at) / (1 + fuzz_below(state, 8)) + fuzz_below(state, 9) - 4;
    case 4: // offsets lead to what another one leads to
        if (site->kind == kSiteOffset && other->kind == kSiteOffset) {
            return other->at + load(data, other) - site->at;
        }
        return load(data, other);
    default:
        return site->kind == kSiteEntry ? 0 : value ^ step;
    }
}

bool fuzz_mutate_sites(uint64_t* state, uint8_t* data, size_t size) {
    if (lite_flat_verify(data, size, &lite_schema_model, LITE_SCHEMA_IDENTIFIER, NULL) != kTfLiteOk) {
        return false;
    }
    static Sites sites; // large, and no fuzz program has a second thread
    int budget = kMaxTables;
    sites.data = data;
    sites.count = 0;
    fuzz_walk(lite_flat_root(data), &lite_schema_model, &budget, visit, &sites);
    for (size_t left = 1 + fuzz_below(state, 3); left > 0; left--) {
        const Site* site = &sites.items[fuzz_below(state, (size_t)sites.count)];
        const Site* other = &sites.items[fuzz_below(state, (size_t)sites.count)];
        const uint64_t value = change(state, data, size, site, other);
        memcpy(data + site->at, &value, site->width);
    }
    return true;
}

// For sanitizers, `data` (released; NULL: the file as it is) in exactly the bytes that it needs.
static uint8_t* copy_exactly(const FuzzFile* file, uint8_t* data, size_t* size) {
    if (data == NULL) *size = file->size;
    uint8_t* copy = malloc(*size > 0 ? *size : 1);
    if (copy == NULL) abort();
    if (*size > 0) memcpy(copy, data != NULL ? data : file->data, *size);
    free(data);
    return copy;
}

uint8_t* fuzz_mutated(uint64_t* state, const FuzzFile* file, const FuzzFile* donor, size_t* size) {
    const size_t kind = fuzz_below(state, 5);
    uint8_t* tree = NULL;
    if (kind < 2) tree = fuzz_mutate_tree(state, file->data, file->size, donor, size);
    if (kind == 2) tree = fuzz_mutate_operator(state, file->data, file->size, size);
    const bool done = tree != NULL;
    uint8_t* copy = copy_exactly(file, tree, size);
    if (!done && (kind > 3 || !fuzz_mutate_sites(state, copy, *size))) fuzz_mutate(state, copy, *size);
    return copy;
}

uint8_t* fuzz_mutated_operator(uint64_t* state, const FuzzFile* file, size_t* size) {
    return copy_exactly(file, fuzz_mutate_operator(state, file->data, file->size, size), size);
}
