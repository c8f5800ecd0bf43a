// SPDX-License-Identifier: Apache-2.0
// A bounds-checked FlatBuffers reader, driven by tables that describe a schema.
//
// lite_flat_verify walks a whole buffer once and checks every offset, vtable, vector, string and union. The
// accessors below read a verified buffer and check nothing: never use them on anything else. Numbers in a
// FlatBuffer are little-endian, as on every machine that this library supports.
#ifndef CORE_MODEL_FLATBUFFER_H_
#define CORE_MODEL_FLATBUFFER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/base/status.h"

// --- Schema ---------------------------------------------------------------------------------------------

typedef enum LiteFlatKind {
    kLiteFlatDeprecated, // never read, so never checked
    kLiteFlatScalar,     // `width` bytes
    kLiteFlatString,
    kLiteFlatVector, // of scalars of `width` bytes
    kLiteFlatChild,  // a table: `table`
    kLiteFlatTables, // a vector of tables: `table`
    kLiteFlatUnion,  // a table chosen from `members` by the byte in the field before
} LiteFlatKind;

typedef struct LiteFlatSchema LiteFlatSchema;

typedef struct LiteFlatUnion {
    int count;
    const LiteFlatSchema* const* members; // NULL: that type is not known, its value is skipped
} LiteFlatUnion;

// What a field of an options table becomes.
typedef enum LiteParamKind {
    kLiteParamNone, // the field has no member
    kLiteParamBool,
    kLiteParamInt, // of any width in the file and in memory
    kLiteParamFloat,
    kLiteParamEnum,      // a value in [0, limit], to which `preset` is added
    kLiteParamType,      // TensorType, to TfLiteType
    kLiteParamSubgraph,  // index of a subgraph
    kLiteParamText,      // const char*
    kLiteParamInts,      // array of int32_t
    kLiteParamLongs,     // array of int64_t, filled with `preset` when absent; `limit` times as long as the
                         // table's first vector when limit is not 0
    kLiteParamSubgraphs, // array of int32_t
    kLiteParamFloatPointer, // const float*
    kLiteParamBytePointer,  // const uint8_t*
} LiteParamKind;

// How a field of an options table becomes a member of its TfLite*Params (core/model/options.h); all zero for
// other tables.
typedef struct LiteParam {
    uint8_t kind; // LiteParamKind
    bool required;
    bool open;             // enums: what is beyond the limit stands for 0
    uint16_t offset;       // of the member
    uint16_t size;         // of the member
    uint16_t count_offset; // of the member that takes the length of a vector
    uint16_t count_size;   // of that member; 0: there is none
    int32_t limit;         // enums: the greatest value
    int32_t preset;        // the value of an absent field; enums: added to every value
} LiteParam;

// A field's id is its index.
typedef struct LiteFlatField {
    const char* name; // as in the schema
    uint8_t kind;     // LiteFlatKind
    uint8_t width;
    const LiteFlatSchema* table;
    const LiteFlatUnion* members;
    LiteParam param;
} LiteFlatField;

struct LiteFlatSchema {
    const char* name;
    int field_count;
    const LiteFlatField* fields;
    size_t params_size; // of the TfLite*Params; 0 for tables that have none
};

// Checks `size` bytes at `data` as a table `root` with the 4 characters of `identifier` (NULL: any). Reports
// what is wrong, in which field and at which offset. Bytes beyond 2 GiB, which offsets cannot reach, are not
// looked at.
TfLiteStatus lite_flat_verify(const void* data, size_t size, const LiteFlatSchema* root,
                              const char* identifier, const LiteReporter* reporter);

// The same for a buffer whose root table is at `root_at`, whatever its first bytes say.
TfLiteStatus lite_flat_verify_at(const void* data, size_t size, size_t root_at, const LiteFlatSchema* root,
                                 const LiteReporter* reporter);

// Follows everything from the root table of a buffer whose beginning and end are not known: it occupies
// `*before` bytes in front of the table and `*after` from there on, as far as the schema knows of it. The
// caller answers for the bytes to which offsets lead; alignment is not looked at.
TfLiteStatus lite_flat_extent(const void* root_table, const LiteFlatSchema* root, size_t* before,
                              size_t* after, const LiteReporter* reporter);

// --- Verified buffers -------------------------------------------------------------------------------------

typedef struct LiteFlatTable {
    const uint8_t* at; // NULL: absent
} LiteFlatTable;

typedef struct LiteFlatVector {
    const uint8_t* data; // of the first element; NULL: absent
    uint32_t count;
} LiteFlatVector;

static inline uint16_t lite_flat_load_u16(const uint8_t* at) {
    uint16_t value;
    memcpy(&value, at, sizeof(value));
    return value;
}

static inline uint32_t lite_flat_load_u32(const uint8_t* at) {
    uint32_t value;
    memcpy(&value, at, sizeof(value));
    return value;
}

// Where a field is stored in its table, NULL when the field or the table is absent.
static inline const uint8_t* lite_flat_field(LiteFlatTable table, int id) {
    if (table.at == NULL) return NULL;
    const uint8_t* vtable = table.at - (int32_t)lite_flat_load_u32(table.at);
    const uint32_t entry = 4 + 2 * (uint32_t)id;
    const uint16_t offset = entry < lite_flat_load_u16(vtable) ? lite_flat_load_u16(vtable + entry) : 0;
    return offset == 0 ? NULL : table.at + offset;
}

// How many fields its vtable has room for: ids from there on are absent.
static inline int lite_flat_field_count(LiteFlatTable table) {
    if (table.at == NULL) return 0;
    const uint16_t size = lite_flat_load_u16(table.at - (int32_t)lite_flat_load_u32(table.at));
    return size < 4 ? 0 : (size - 4) / 2;
}

static inline const uint8_t* lite_flat_follow(const uint8_t* at) {
    return at == NULL ? NULL : at + lite_flat_load_u32(at);
}

static inline LiteFlatTable lite_flat_root(const uint8_t* data) {
    return (LiteFlatTable){lite_flat_follow(data)};
}

static inline LiteFlatTable lite_flat_child(LiteFlatTable table, int id) {
    return (LiteFlatTable){lite_flat_follow(lite_flat_field(table, id))};
}

static inline LiteFlatVector lite_flat_vector(LiteFlatTable table, int id) {
    const uint8_t* at = lite_flat_follow(lite_flat_field(table, id));
    return at == NULL ? (LiteFlatVector){NULL, 0} : (LiteFlatVector){at + 4, lite_flat_load_u32(at)};
}

// Element of a vector of tables.
static inline LiteFlatTable lite_flat_element(LiteFlatVector tables, uint32_t index) {
    return (LiteFlatTable){lite_flat_follow(tables.data + 4 * (size_t)index)};
}

// NUL-terminated; NULL when absent.
static inline const char* lite_flat_string(LiteFlatTable table, int id) {
    return (const char*)lite_flat_vector(table, id).data;
}

// The bits of a scalar of `width` bytes; `preset` when absent.
static inline uint64_t lite_flat_bits(LiteFlatTable table, int id, size_t width, uint64_t preset) {
    const uint8_t* at = lite_flat_field(table, id);
    if (at == NULL) return preset;
    uint64_t bits = 0;
    memcpy(&bits, at, width);
    return bits;
}

static inline uint8_t lite_flat_u8(LiteFlatTable table, int id) {
    return (uint8_t)lite_flat_bits(table, id, 1, 0);
}

static inline uint32_t lite_flat_u32(LiteFlatTable table, int id) {
    return (uint32_t)lite_flat_bits(table, id, 4, 0);
}

static inline int32_t lite_flat_i32(LiteFlatTable table, int id, int32_t preset) {
    return (int32_t)lite_flat_bits(table, id, 4, (uint32_t)preset);
}

static inline uint64_t lite_flat_u64(LiteFlatTable table, int id) {
    return lite_flat_bits(table, id, 8, 0);
}

// The schema of the table that a union, field `id`, holds; NULL when its type is not known, or none.
const LiteFlatSchema* lite_flat_union_member(LiteFlatTable table, const LiteFlatSchema* schema, int id);

// Element of a vector of 64-bit integers, which the format aligns to 4 only.
static inline int64_t lite_flat_i64_at(LiteFlatVector vector, uint32_t index) {
    int64_t value;
    memcpy(&value, vector.data + 8 * (size_t)index, sizeof(value));
    return value;
}

#endif
