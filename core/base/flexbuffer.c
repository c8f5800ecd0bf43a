// SPDX-License-Identifier: Apache-2.0
// The format in short: a buffer ends with the root value, one byte with its packed type and one byte with its
// size. A packed type is (type << 2 | log2 of the width of what it leads to). Numbers are stored in place;
// everything else as an unsigned distance back from where the distance is stored. A vector is preceded by its
// length and, when untyped, followed by one packed type per element. A map is a vector of values preceded by
// the distance to, and the width of, its vector of sorted keys.
#include "core/base/flexbuffer.h"

#include <assert.h>
#include <string.h>

enum {
    kTypeNull = 0,
    kTypeInt = 1,
    kTypeUInt = 2,
    kTypeFloat = 3,
    kTypeKey = 4,
    kTypeString = 5,
    kTypeIndirectInt = 6,
    kTypeIndirectUInt = 7,
    kTypeIndirectFloat = 8,
    kTypeMap = 9,
    kTypeVector = 10,
    kTypeVectorInt = 11,
    kTypeVectorKey = 14,
    kTypeVectorStringDeprecated = 15,
    kTypeVectorInt2 = 16, // int, uint and float pairs, then triples, then quadruples
    kTypeVectorFloat4 = 24,
    kTypeBlob = 25,
    kTypeBool = 26,
    kTypeVectorBool = 36,
};

static bool in_bounds(const LiteFlex* v, size_t at, size_t bytes) {
    return at <= v->size && bytes <= v->size - at;
}

static bool read_uint(const LiteFlex* v, size_t at, unsigned width, uint64_t* out) {
    if (!in_bounds(v, at, width)) return false;
    uint64_t value = 0;
    for (unsigned i = 0; i < width; i++) value |= (uint64_t)v->data[at + i] << (8 * i);
    *out = value;
    return true;
}

static bool read_int(const LiteFlex* v, size_t at, unsigned width, int64_t* out) {
    uint64_t value;
    if (!read_uint(v, at, width, &value)) return false;
    const unsigned unused = 64 - 8 * width;
    if (unused != 0 && (value >> (8 * width - 1)) != 0) value |= ~UINT64_C(0) << (64 - unused);
    memcpy(out, &value, sizeof(*out));
    return true;
}

static bool read_float(const LiteFlex* v, size_t at, unsigned width, double* out) {
    uint64_t bits;
    if (width < 4 || !read_uint(v, at, width, &bits)) return false;
    if (width == 8) {
        memcpy(out, &bits, sizeof(*out));
    } else {
        const uint32_t low = (uint32_t)bits;
        float value;
        memcpy(&value, &low, sizeof(value));
        *out = value;
    }
    return true;
}

// Follows the distance stored at `at`.
static bool follow(const LiteFlex* v, size_t at, unsigned width, size_t* target) {
    uint64_t distance;
    if (!read_uint(v, at, width, &distance) || distance > at) return false;
    *target = at - (size_t)distance;
    return true;
}

// The length stored before `at`, of which each element takes `width` bytes and all lie in the buffer.
static bool read_length(const LiteFlex* v, size_t at, unsigned width, size_t* length) {
    uint64_t count;
    if (at < width || !read_uint(v, at - width, width, &count)) return false;
    *length = (size_t)count;
    return count <= v->size && at <= v->size;
}

// Where a number is stored, with the kind it is stored as.
typedef struct Number {
    size_t at;
    unsigned width;
    uint8_t type; // kTypeInt, kTypeUInt or kTypeFloat
} Number;

static bool locate_number(const LiteFlex* v, Number* number) {
    switch (v->type) {
    case kTypeInt:
    case kTypeUInt:
    case kTypeFloat:
        *number = (Number){v->at, v->slot, v->type};
        return true;
    case kTypeBool:
        *number = (Number){v->at, v->slot, kTypeUInt};
        return true;
    case kTypeIndirectInt:
    case kTypeIndirectUInt:
    case kTypeIndirectFloat:
        number->width = v->width;
        number->type = (uint8_t)(v->type - kTypeIndirectInt + kTypeInt);
        return follow(v, v->at, v->slot, &number->at);
    default:
        return false;
    }
}

bool lite_flex_root(const void* data, size_t size, LiteFlex* root) {
    if (data == NULL || size < 3) return false;
    const uint8_t* bytes = data;
    const uint8_t slot = bytes[size - 1];
    const uint8_t packed = bytes[size - 2];
    if ((slot != 1 && slot != 2 && slot != 4 && slot != 8) || slot > size - 2) return false;
    *root = (LiteFlex){.data = bytes,
                       .size = size,
                       .at = size - 2 - slot,
                       .slot = slot,
                       .width = (uint8_t)(1u << (packed & 3)),
                       .type = packed >> 2};
    return true;
}

LiteFlexKind lite_flex_kind(LiteFlex value) {
    switch (value.type) {
    case kTypeInt:
    case kTypeIndirectInt:
        return kLiteFlexInt;
    case kTypeUInt:
    case kTypeIndirectUInt:
        return kLiteFlexUInt;
    case kTypeFloat:
    case kTypeIndirectFloat:
        return kLiteFlexFloat;
    case kTypeBool:
        return kLiteFlexBool;
    case kTypeKey:
    case kTypeString:
        return kLiteFlexString;
    case kTypeBlob:
        return kLiteFlexBlob;
    case kTypeMap:
        return kLiteFlexMap;
    case kTypeVectorBool:
        return kLiteFlexVector;
    default:
        return value.type >= kTypeVector && value.type <= kTypeVectorFloat4 ? kLiteFlexVector : kLiteFlexNull;
    }
}

bool lite_flex_int(LiteFlex value, int64_t* out) {
    Number number;
    if (!locate_number(&value, &number)) return false;
    if (number.type == kTypeInt) return read_int(&value, number.at, number.width, out);
    if (number.type == kTypeUInt) {
        uint64_t wide;
        if (!read_uint(&value, number.at, number.width, &wide)) return false;
        *out = wide > INT64_MAX ? INT64_MAX : (int64_t)wide;
        return true;
    }
    double real;
    if (!read_float(&value, number.at, number.width, &real)) return false;
    // 2^63 is the smallest double that no longer fits.
    if (real != real)
        *out = 0;
    else if (real >= 0x1p63)
        *out = INT64_MAX;
    else if (real < -0x1p63)
        *out = INT64_MIN;
    else
        *out = (int64_t)real;
    return true;
}

bool lite_flex_float(LiteFlex value, double* out) {
    Number number;
    if (!locate_number(&value, &number)) return false;
    if (number.type == kTypeFloat) return read_float(&value, number.at, number.width, out);
    if (number.type == kTypeInt) {
        int64_t whole;
        if (!read_int(&value, number.at, number.width, &whole)) return false;
        *out = (double)whole;
        return true;
    }
    uint64_t whole;
    if (!read_uint(&value, number.at, number.width, &whole)) return false;
    *out = (double)whole;
    return true;
}

bool lite_flex_bool(LiteFlex value, bool* out) {
    int64_t whole;
    if (!lite_flex_int(value, &whole)) return false;
    *out = whole != 0;
    return true;
}

static bool read_key(const LiteFlex* v, size_t at, const char** text, size_t* length) {
    if (at >= v->size) return false;
    const void* end = memchr(v->data + at, 0, v->size - at);
    if (end == NULL) return false;
    *text = (const char*)(v->data + at);
    if (length != NULL) *length = (size_t)((const uint8_t*)end - (v->data + at));
    return true;
}

bool lite_flex_string(LiteFlex value, const char** text, size_t* length) {
    size_t at, count;
    if (value.type == kTypeKey) {
        return follow(&value, value.at, value.slot, &at) && read_key(&value, at, text, length);
    }
    if (value.type != kTypeString || !follow(&value, value.at, value.slot, &at)) return false;
    if (!read_length(&value, at, value.width, &count) || !in_bounds(&value, at, count + 1)) return false;
    if (value.data[at + count] != 0) return false;
    *text = (const char*)(value.data + at);
    if (length != NULL) *length = count;
    return true;
}

bool lite_flex_blob(LiteFlex value, const void** bytes, size_t* size) {
    size_t at, count;
    if (value.type != kTypeBlob && value.type != kTypeString) return false;
    if (!follow(&value, value.at, value.slot, &at)) return false;
    if (!read_length(&value, at, value.width, &count) || !in_bounds(&value, at, count)) return false;
    *bytes = value.data + at;
    *size = count;
    return true;
}

typedef struct Elements {
    size_t at; // of the first
    size_t count;
    uint8_t type; // of all of them; kTypeVector when each has its own, listed after the last
} Elements;

static bool is_fixed_vector(uint8_t type) {
    return type >= kTypeVectorInt2 && type <= kTypeVectorFloat4;
}

static uint8_t element_type(uint8_t vector_type) {
    if (vector_type == kTypeMap || vector_type == kTypeVector) return kTypeVector;
    if (vector_type == kTypeVectorBool) return kTypeBool;
    // Old files hold vectors of strings without the width of the strings' lengths: only as keys can they be
    // read.
    if (vector_type == kTypeVectorStringDeprecated) return kTypeKey;
    if (is_fixed_vector(vector_type)) return (uint8_t)(kTypeInt + (vector_type - kTypeVectorInt2) % 3);
    return (uint8_t)(kTypeInt + (vector_type - kTypeVectorInt));
}

static bool locate_elements(const LiteFlex* v, Elements* elements) {
    const LiteFlexKind kind = lite_flex_kind(*v);
    if (kind != kLiteFlexVector && kind != kLiteFlexMap) return false;
    if (!follow(v, v->at, v->slot, &elements->at)) return false;
    elements->type = element_type(v->type);
    if (is_fixed_vector(v->type)) {
        elements->count = 2 + (size_t)(v->type - kTypeVectorInt2) / 3;
    } else if (!read_length(v, elements->at, v->width, &elements->count)) {
        return false;
    }
    assert(v->width > 0);
    // An untyped element takes one byte more, for its type.
    const size_t each = (size_t)v->width + (elements->type == kTypeVector ? 1 : 0);
    return elements->at <= v->size && elements->count <= (v->size - elements->at) / each;
}

bool lite_flex_vector_size(LiteFlex vector, size_t* count) {
    Elements elements;
    if (!locate_elements(&vector, &elements)) return false;
    *count = elements.count;
    return true;
}

bool lite_flex_vector_at(LiteFlex vector, size_t index, LiteFlex* element) {
    Elements elements;
    if (!locate_elements(&vector, &elements) || index >= elements.count) return false;
    LiteFlex result = vector;
    result.at = elements.at + index * vector.width;
    result.slot = vector.width;
    result.width = 1;
    result.type = elements.type;
    if (elements.type == kTypeVector) {
        const uint8_t packed = vector.data[elements.at + elements.count * vector.width + index];
        result.width = (uint8_t)(1u << (packed & 3));
        result.type = packed >> 2;
    }
    *element = result;
    return true;
}

// The keys of a map as the vector of keys that they are.
static bool locate_keys(const LiteFlex* map, LiteFlex* keys, size_t* count) {
    size_t at, key_count, value_count;
    if (map->type != kTypeMap || !follow(map, map->at, map->slot, &at)) return false;
    if (at < 3 * (size_t)map->width) return false;
    uint64_t width; // its low byte, whatever it is stored in
    if (!read_uint(map, at - 2 * (size_t)map->width, 1, &width)) return false;
    if (width != 1 && width != 2 && width != 4 && width != 8) return false;
    *keys = *map;
    keys->at = at - 3 * (size_t)map->width;
    keys->slot = map->width;
    keys->width = (uint8_t)width;
    keys->type = kTypeVectorKey;
    if (!lite_flex_vector_size(*keys, &key_count) || !lite_flex_vector_size(*map, &value_count)) return false;
    *count = key_count < value_count ? key_count : value_count;
    return true;
}

bool lite_flex_map_key(LiteFlex map, size_t index, const char** key) {
    LiteFlex keys, element;
    size_t count;
    if (!locate_keys(&map, &keys, &count) || index >= count) return false;
    return lite_flex_vector_at(keys, index, &element) && lite_flex_string(element, key, NULL);
}

bool lite_flex_map_find(LiteFlex map, const char* key, LiteFlex* value) {
    LiteFlex keys, element;
    size_t count;
    if (!locate_keys(&map, &keys, &count)) return false;
    for (size_t i = 0; i < count; i++) {
        const char* text;
        if (!lite_flex_vector_at(keys, i, &element) || !lite_flex_string(element, &text, NULL)) return false;
        if (strcmp(text, key) == 0) return lite_flex_vector_at(map, i, value);
    }
    return false;
}
