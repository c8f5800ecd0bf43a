// SPDX-License-Identifier: Apache-2.0
// The format in short: a table begins with the distance back to its vtable, which holds its own size, the
// table's size and, per field id, where in the table the field lies (0: absent). Strings, vectors and tables
// are stored as the distance forward to them; vectors and strings begin with their length. Offsets are 32
// bits.
//
// The rules are those of the official verifier, so that both accept the same files: alignment is checked
// relative to the start of the buffer, and the number of tables visited is limited, because tables may be
// shared and a small file could otherwise describe an endless walk. (The schema has no cycle, so depth needs
// no limit.)
#include "core/model/flatbuffer.h"

#include <stdio.h>

static const size_t kMaxSize = INT32_MAX;
static const int kMaxTables = 1000000;

// Where in the tree the verifier is: for messages.
typedef struct Place {
    const struct Place* parent;
    const char* name;
    int64_t index; // in a vector; -1: none
} Place;

typedef struct Verifier {
    const uint8_t* data;
    size_t size;
    int tables;    // visited
    bool unbound;  // lite_flat_extent: where the buffer begins and ends is not known, but found out
    size_t root;   // then: where the root table is
    size_t lowest; // and all that was reached from it is in [lowest, end)
    size_t end;
    const LiteReporter* reporter;
} Verifier;

// Appends the path of `place` ("subgraphs[0].tensors[3].shape") to the `length` characters in `text`.
static size_t write_path(char* text, size_t capacity, size_t length, const Place* place) {
    if (place->parent != NULL) length = write_path(text, capacity, length, place->parent);
    if (length >= capacity) return length;
    const char* dot = length > 0 ? "." : "";
    int written;
    if (place->index < 0) {
        written = snprintf(text + length, capacity - length, "%s%s", dot, place->name);
    } else {
        written = snprintf(text + length, capacity - length, "%s%s[%lld]", dot, place->name,
                           (long long)place->index);
    }
    return written < 0 ? length : length + (size_t)written;
}

static TfLiteStatus fail(const Verifier* v, const Place* place, size_t at, const char* problem) {
    char path[160] = "";
    write_path(path, sizeof(path), 0, place);
    if (v->unbound) {
        return lite_report(
            v->reporter,
            "The model is not a valid Flatbuffer buffer: %s at %lld bytes from the root table: %s", path,
            (long long)at - (long long)v->root, problem);
    }
    return lite_report(v->reporter, "The model is not a valid Flatbuffer buffer: %s at offset %zu of %zu: %s",
                       path, at, v->size, problem);
}
#define fail(...) lite_failed(fail(__VA_ARGS__)) // never kTfLiteOk, as the optimizer's warnings have to see

// Without a beginning nothing can be said about alignment.
static bool fits(Verifier* v, size_t at, size_t bytes, size_t alignment) {
    if (v->data == NULL || at > v->size || bytes > v->size - at) return false;
    if (at % alignment != 0 && !v->unbound) return false;
    if (at < v->lowest) v->lowest = at;
    if (at + bytes > v->end) v->end = at + bytes;
    return true;
}

// Follows the offset stored at `at`, at least `least`, to *target, which lies inside the buffer.
static TfLiteStatus follow(Verifier* v, size_t at, uint32_t least, const Place* place, size_t* target) {
    if (!fits(v, at, 4, 4)) return fail(v, place, at, "the offset is misaligned or outside");
    const uint32_t distance = lite_flat_load_u32(v->data + at);
    if (distance < least || distance >= v->size - at) return fail(v, place, at, "the offset leads outside");
    *target = at + distance;
    return kTfLiteOk;
}

// The vector at `at`: its length in *count.
static TfLiteStatus check_vector(Verifier* v, size_t at, size_t width, const Place* place, uint32_t* count) {
    if (!fits(v, at, 4, 4)) return fail(v, place, at, "the vector is misaligned or outside");
    *count = lite_flat_load_u32(v->data + at);
    if (!fits(v, at + 4, *count * width, 1)) return fail(v, place, at, "the vector ends outside");
    return kTfLiteOk;
}

static TfLiteStatus check_string(Verifier* v, size_t at, const Place* place) {
    uint32_t length;
    LITE_TRY(check_vector(v, at, 1, place, &length));
    const size_t end = at + 4 + length;
    if (!fits(v, end, 1, 1) || v->data[end] != 0) {
        return fail(v, place, at, "the string has no NUL at its end");
    }
    return kTfLiteOk;
}

static TfLiteStatus check_table(Verifier* v, size_t at, const LiteFlatSchema* schema, const Place* place);

static TfLiteStatus check_tables(Verifier* v, size_t at, const LiteFlatSchema* schema, const Place* place) {
    uint32_t count;
    LITE_TRY(check_vector(v, at, 4, place, &count));
    for (uint32_t i = 0; i < count; i++) {
        const Place element = {place->parent, place->name, i};
        size_t target;
        // In a vector, the offset 0 is accepted: it is its own table and vtable, one without fields.
        LITE_TRY(follow(v, at + 4 + 4 * (size_t)i, 0, &element, &target));
        LITE_TRY(check_table(v, target, schema, &element));
    }
    return kTfLiteOk;
}

// Field `id`, stored at `at`, of the table at `table`.
static TfLiteStatus check_field(Verifier* v, size_t at, size_t table, const LiteFlatSchema* schema, int id,
                                const Place* parent) {
    const LiteFlatField* field = &schema->fields[id];
    const Place place = {parent, field->name, -1};
    if (field->kind == kLiteFlatDeprecated) return kTfLiteOk;
    if (field->kind == kLiteFlatScalar) {
        return fits(v, at, field->width, field->width) ? kTfLiteOk
                                                       : fail(v, &place, at, "misaligned or outside");
    }
    size_t target;
    uint32_t count;
    LITE_TRY(follow(v, at, 1, &place, &target));
    switch (field->kind) {
    case kLiteFlatString:
        return check_string(v, target, &place);
    case kLiteFlatVector:
        return check_vector(v, target, field->width, &place, &count);
    case kLiteFlatTables:
        return check_tables(v, target, field->table, &place);
    case kLiteFlatChild:
        return check_table(v, target, field->table, &place);
    default: {
        const LiteFlatSchema* member = lite_flat_union_member((LiteFlatTable){v->data + table}, schema, id);
        return member == NULL ? kTfLiteOk : check_table(v, target, member, &place);
    }
    }
}

static TfLiteStatus check_table(Verifier* v, size_t at, const LiteFlatSchema* schema, const Place* place) {
    if (++v->tables > kMaxTables) return fail(v, place, at, "more than a million tables");
    if (!fits(v, at, 4, 4)) return fail(v, place, at, "the table is misaligned or outside");
    const int64_t vtable = (int64_t)at - (int32_t)lite_flat_load_u32(v->data + at);
    if (vtable < 0 || !fits(v, (size_t)vtable, 2, 2)) return fail(v, place, at, "the vtable lies outside");
    const uint16_t vtable_size = lite_flat_load_u16(v->data + vtable);
    if (vtable_size % 2 != 0 || !fits(v, (size_t)vtable, vtable_size, 2)) {
        return fail(v, place, (size_t)vtable, "the vtable's size is odd or leads outside");
    }
    for (int id = 0; id < schema->field_count && 4 + 2 * id < vtable_size; id++) {
        const uint16_t offset = lite_flat_load_u16(v->data + vtable + 4 + 2 * id);
        if (offset != 0) LITE_TRY(check_field(v, at + offset, at, schema, id, place));
    }
    return kTfLiteOk;
}

TfLiteStatus lite_flat_verify(const void* data, size_t size, const LiteFlatSchema* root,
                              const char* identifier, const LiteReporter* reporter) {
    Verifier v = {.data = data, .size = size < kMaxSize ? size : kMaxSize, .reporter = reporter};
    const Place place = {NULL, root->name, -1};
    size_t target;
    if (data == NULL || size < 8) {
        return lite_report(reporter, "The model is not a valid Flatbuffer buffer: %zu bytes are too few",
                           size);
    }
    if (identifier != NULL && memcmp(v.data + 4, identifier, 4) != 0) {
        return lite_report(reporter, "The model is not a valid Flatbuffer buffer"); // the reference's words
    }
    LITE_TRY(follow(&v, 0, 1, &place, &target));
    return check_table(&v, target, root, &place);
}

TfLiteStatus lite_flat_verify_at(const void* data, size_t size, size_t root_at, const LiteFlatSchema* root,
                                 const LiteReporter* reporter) {
    Verifier v = {.data = data, .size = size < kMaxSize ? size : kMaxSize, .reporter = reporter};
    return check_table(&v, root_at, root, &(Place){NULL, root->name, -1});
}

TfLiteStatus lite_flat_extent(const void* root_table, const LiteFlatSchema* root, size_t* before,
                              size_t* after, const LiteReporter* reporter) {
    const size_t reach = kMaxSize; // of an offset, in either direction
    const uintptr_t address = (uintptr_t)root_table;
    if (address == 0) return lite_report(reporter, "The model's root table is NULL");
    const size_t below = address <= reach ? address - 1 : reach; // nothing lies at NULL
    const size_t above = UINTPTR_MAX - address < reach ? UINTPTR_MAX - address : reach;
    Verifier v = {.data = (const uint8_t*)(address - below),
                  .size = below + above,
                  .unbound = true,
                  .root = below,
                  .lowest = below,
                  .end = below,
                  .reporter = reporter};
    LITE_TRY(check_table(&v, below, root, &(Place){NULL, root->name, -1}));
    *before = below - v.lowest;
    *after = v.end - below;
    if (*before + *after <= kMaxSize) return kTfLiteOk;
    return lite_report(reporter, "The model is not a valid Flatbuffer buffer: its parts lie %zu bytes apart",
                       *before + *after);
}

const LiteFlatSchema* lite_flat_union_member(LiteFlatTable table, const LiteFlatSchema* schema, int id) {
    const uint8_t type = lite_flat_u8(table, id - 1);
    const LiteFlatUnion* members = schema->fields[id].members;
    return type < members->count ? members->members[type] : NULL;
}
