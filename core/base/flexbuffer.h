// SPDX-License-Identifier: Apache-2.0
// Reads FlexBuffers, the schema-less format of custom operators' options. Every access is bounds-checked, so
// any bytes may be given; nothing is allocated and nothing is copied.
//
//     LiteFlex options, value;
//     int64_t count = 10;
//     if (!lite_flex_root(buffer, length, &options)) return lite_fail(context, "...");
//     if (lite_flex_map_find(options, "max_detections", &value) && !lite_flex_int(value, &count)) ...
//
// All functions return false, and leave *out alone, when the value has another kind or points outside the
// buffer.
#ifndef CORE_BASE_FLEXBUFFER_H_
#define CORE_BASE_FLEXBUFFER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum LiteFlexKind {
    kLiteFlexNull,
    kLiteFlexInt,
    kLiteFlexUInt,
    kLiteFlexFloat,
    kLiteFlexBool,
    kLiteFlexString, // also keys
    kLiteFlexBlob,
    kLiteFlexVector, // untyped, typed and fixed-length
    kLiteFlexMap,
} LiteFlexKind;

// A value inside a buffer; valid as long as the buffer's bytes are. Treat the fields as private.
typedef struct LiteFlex {
    const uint8_t* data; // the whole buffer
    size_t size;
    size_t at;     // where the value, or the offset that leads to it, is stored
    uint8_t slot;  // bytes stored at `at`: 1, 2, 4 or 8
    uint8_t width; // bytes of each number of the thing that an offset leads to
    uint8_t type;  // FlexBuffers type code
} LiteFlex;

bool lite_flex_root(const void* data, size_t size, LiteFlex* root);
LiteFlexKind lite_flex_kind(LiteFlex value);

// Numbers and booleans convert into each other: a real number towards zero, saturating (NaN gives 0).
bool lite_flex_int(LiteFlex value, int64_t* out);
bool lite_flex_float(LiteFlex value, double* out);
bool lite_flex_bool(LiteFlex value, bool* out); // whether the integer above is not zero

// `text` is NUL-terminated inside the buffer; `length` (may be NULL) does not count the NUL.
bool lite_flex_string(LiteFlex value, const char** text, size_t* length);

// Blobs and strings.
bool lite_flex_blob(LiteFlex value, const void** bytes, size_t* size);

// Any vector, or the values of a map in the order of its keys.
bool lite_flex_vector_size(LiteFlex vector, size_t* count);
bool lite_flex_vector_at(LiteFlex vector, size_t index, LiteFlex* element);

// The value of `key`; false also when the map has none.
bool lite_flex_map_find(LiteFlex map, const char* key, LiteFlex* value);
// The key of the value with the same index.
bool lite_flex_map_key(LiteFlex map, size_t index, const char** key);

#endif
