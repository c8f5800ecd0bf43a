// SPDX-License-Identifier: Apache-2.0
#include "oclite/flexbuffers.h"

#include <string.h>

#include "core/base/flexbuffers_format.h"

static bool in_bounds(const OcliteFlex* v, size_t at, size_t bytes) {
    return at <= v->size && bytes <= v->size - at;
}

static bool read_uint(const OcliteFlex* v, size_t at, unsigned width, uint64_t* out) {
    if (!in_bounds(v, at, width)) return false;
    uint64_t value = 0;
    for (unsigned i = 0; i < width; i++) value |= (uint64_t)v->data[at + i] << (8 * i);
    *out = value;
    return true;
}

// Follows the distance stored at `at`.
static bool follow(const OcliteFlex* v, size_t at, unsigned width, size_t* target) {
    uint64_t distance;
    if (!read_uint(v, at, width, &distance) || distance > at) return false;
    *target = at - (size_t)distance;
    return true;
}

// The length stored before `at`, with which what lies there would still fit if its elements took a byte each.
static bool read_length(const OcliteFlex* v, size_t at, unsigned width, size_t* length) {
    uint64_t count;
    if (at < width || !read_uint(v, at - width, width, &count)) return false;
    *length = (size_t)count;
    return at <= v->size && count <= v->size - at;
}

bool oclite_flex_root(const void* buffer, size_t size, OcliteFlex* root) {
    if (buffer == NULL || size < 3) return false;
    const uint8_t* bytes = buffer;
    const uint8_t slot = bytes[size - 1];
    const uint8_t packed = bytes[size - 2];
    if ((slot != 1 && slot != 2 && slot != 4 && slot != 8) || slot > size - 2) return false;
    root->data = bytes;
    root->size = size;
    root->at = size - 2 - slot;
    root->slot = slot;
    root->width = (uint8_t)(1u << (packed & 3));
    root->type = packed >> 2;
    return true;
}

OcliteFlexKind oclite_flex_kind(OcliteFlex value) {
    switch (value.type) {
    case kFlexTypeInt:
    case kFlexTypeIndirectInt:
        return kOcliteFlexInt;
    case kFlexTypeUInt:
    case kFlexTypeIndirectUInt:
        return kOcliteFlexUInt;
    case kFlexTypeFloat:
    case kFlexTypeIndirectFloat:
        return kOcliteFlexFloat;
    case kFlexTypeBool:
        return kOcliteFlexBool;
    case kFlexTypeKey:
        return kOcliteFlexKey;
    case kFlexTypeString:
        return kOcliteFlexString;
    case kFlexTypeBlob:
        return kOcliteFlexBlob;
    case kFlexTypeMap:
        return kOcliteFlexMap;
    case kFlexTypeVectorBool:
        return kOcliteFlexVector;
    default:
        return value.type >= kFlexTypeVector && value.type <= kFlexTypeVectorFloat4 ? kOcliteFlexVector
                                                                                    : kOcliteFlexNull;
    }
}

// ---- Numbers ----

typedef struct Number {
    OcliteFlexKind kind; // int, uint (also booleans) or float
    uint64_t bits;       // of an int64_t, uint64_t or double
} Number;

static uint64_t extend_sign(uint64_t value, unsigned width) {
    const unsigned unused = 64 - 8 * width;
    if (unused == 0 || (value >> (8 * width - 1)) == 0) return value;
    return value | ~UINT64_C(0) << (64 - unused);
}

// Half and quarter floats, as which the library that defines the format reads integers, do not exist.
static bool extend_float(uint64_t* bits, unsigned width) {
    if (width == 4) {
        const uint32_t low = (uint32_t)*bits;
        float narrow;
        memcpy(&narrow, &low, sizeof narrow);
        const double wide = narrow;
        memcpy(bits, &wide, sizeof wide);
    }
    return width >= 4;
}

static bool read_number(const OcliteFlex* v, Number* number) {
    size_t at = v->at;
    unsigned width = v->slot;
    if (v->type >= kFlexTypeIndirectInt && v->type <= kFlexTypeIndirectFloat) {
        if (!follow(v, v->at, v->slot, &at)) return false;
        width = v->width;
    }
    number->kind = oclite_flex_kind(*v);
    switch (number->kind) {
    case kOcliteFlexInt:
        if (!read_uint(v, at, width, &number->bits)) return false;
        number->bits = extend_sign(number->bits, width);
        return true;
    case kOcliteFlexBool:
        number->kind = kOcliteFlexUInt;
        return read_uint(v, at, width, &number->bits);
    case kOcliteFlexUInt:
        return read_uint(v, at, width, &number->bits);
    case kOcliteFlexFloat:
        return read_uint(v, at, width, &number->bits) && extend_float(&number->bits, width);
    default:
        return false;
    }
}

static int64_t as_int(uint64_t bits) {
    int64_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double as_float(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// 2^63 and 2^64 are the smallest doubles that no longer fit.
static int64_t saturated_int(double real) {
    if (real != real) return 0;
    if (real >= 0x1p63) return INT64_MAX;
    return real < -0x1p63 ? INT64_MIN : (int64_t)real;
}

static uint64_t saturated_uint(double real) {
    if (!(real > 0)) return 0;
    return real >= 0x1p64 ? UINT64_MAX : (uint64_t)real;
}

bool oclite_flex_int(OcliteFlex value, int64_t* result) {
    Number number;
    if (!read_number(&value, &number)) return false;
    if (number.kind == kOcliteFlexFloat)
        *result = saturated_int(as_float(number.bits));
    else if (number.kind == kOcliteFlexUInt && number.bits > INT64_MAX)
        *result = INT64_MAX;
    else
        *result = as_int(number.bits);
    return true;
}

bool oclite_flex_uint(OcliteFlex value, uint64_t* result) {
    Number number;
    if (!read_number(&value, &number)) return false;
    if (number.kind == kOcliteFlexFloat)
        *result = saturated_uint(as_float(number.bits));
    else if (number.kind == kOcliteFlexInt && as_int(number.bits) < 0)
        *result = 0;
    else
        *result = number.bits;
    return true;
}

bool oclite_flex_float(OcliteFlex value, double* result) {
    Number number;
    if (!read_number(&value, &number)) return false;
    if (number.kind == kOcliteFlexFloat)
        *result = as_float(number.bits);
    else if (number.kind == kOcliteFlexInt)
        *result = (double)as_int(number.bits);
    else
        *result = (double)number.bits;
    return true;
}

bool oclite_flex_bool(OcliteFlex value, bool* result) {
    int64_t whole;
    if (!oclite_flex_int(value, &whole)) return false;
    *result = whole != 0;
    return true;
}

// ---- Text and bytes ----

static bool read_key(const OcliteFlex* v, size_t at, const char** text, size_t* length) {
    const void* end = at < v->size ? memchr(v->data + at, 0, v->size - at) : NULL;
    if (end == NULL) return false;
    *text = (const char*)(v->data + at);
    if (length != NULL) *length = (size_t)((const uint8_t*)end - (v->data + at));
    return true;
}

bool oclite_flex_string(OcliteFlex value, const char** text, size_t* length) {
    size_t at, count;
    if (value.type == kFlexTypeKey) {
        return follow(&value, value.at, value.slot, &at) && read_key(&value, at, text, length);
    }
    if (value.type != kFlexTypeString || !follow(&value, value.at, value.slot, &at)) return false;
    if (!read_length(&value, at, value.width, &count) || !in_bounds(&value, at, count + 1)) return false;
    if (value.data[at + count] != 0) return false;
    *text = (const char*)(value.data + at);
    if (length != NULL) *length = count;
    return true;
}

bool oclite_flex_blob(OcliteFlex value, const void** bytes, size_t* size) {
    size_t at;
    if (value.type != kFlexTypeBlob && value.type != kFlexTypeString) return false;
    if (!follow(&value, value.at, value.slot, &at) || !read_length(&value, at, value.width, size))
        return false;
    *bytes = value.data + at;
    return true;
}

// ---- Vectors ----

typedef struct Elements {
    size_t at; // of the first
    size_t count;
    uint8_t type; // of all of them; kFlexTypeVector when each has its own, listed after the last
} Elements;

static bool is_fixed_vector(uint8_t type) {
    return type >= kFlexTypeVectorInt2 && type <= kFlexTypeVectorFloat4;
}

static uint8_t element_type(uint8_t vector_type) {
    if (vector_type == kFlexTypeMap || vector_type == kFlexTypeVector) return kFlexTypeVector;
    if (vector_type == kFlexTypeVectorBool) return kFlexTypeBool;
    if (vector_type == kFlexTypeVectorString) return kFlexTypeKey;
    if (is_fixed_vector(vector_type))
        return (uint8_t)(kFlexTypeInt + (vector_type - kFlexTypeVectorInt2) % 3);
    return (uint8_t)(kFlexTypeInt + (vector_type - kFlexTypeVectorInt));
}

static bool locate_elements(const OcliteFlex* v, Elements* elements) {
    const OcliteFlexKind kind = oclite_flex_kind(*v);
    if (kind != kOcliteFlexVector && kind != kOcliteFlexMap) return false;
    if (!follow(v, v->at, v->slot, &elements->at)) return false;
    elements->type = element_type(v->type);
    if (is_fixed_vector(v->type)) {
        elements->count = 2 + (size_t)(v->type - kFlexTypeVectorInt2) / 3;
    } else if (!read_length(v, elements->at, v->width, &elements->count)) {
        return false;
    }
    // An untyped element takes one byte more, for its type.
    const size_t each = (size_t)v->width + (elements->type == kFlexTypeVector ? 1 : 0);
    return each > 0 && elements->at <= v->size && elements->count <= (v->size - elements->at) / each;
}

bool oclite_flex_vector_size(OcliteFlex vector, size_t* count) {
    Elements elements;
    if (!locate_elements(&vector, &elements)) return false;
    *count = elements.count;
    return true;
}

bool oclite_flex_vector_at(OcliteFlex vector, size_t index, OcliteFlex* element) {
    Elements elements;
    if (!locate_elements(&vector, &elements) || index >= elements.count) return false;
    OcliteFlex result = vector;
    result.at = elements.at + index * vector.width;
    result.slot = vector.width;
    result.width = 1;
    result.type = elements.type;
    if (elements.type == kFlexTypeVector) {
        const uint8_t packed = vector.data[elements.at + elements.count * vector.width + index];
        result.width = (uint8_t)(1u << (packed & 3));
        result.type = packed >> 2;
    }
    *element = result;
    return true;
}

bool oclite_flex_vector_kind(OcliteFlex vector, OcliteFlexKind* kind) {
    Elements elements;
    if (!locate_elements(&vector, &elements) || elements.type == kFlexTypeVector) return false;
    *kind = oclite_flex_kind((OcliteFlex){.type = elements.type});
    return true;
}

// ---- Maps ----

// The keys of a map as the vector of keys that they are.
static bool locate_keys(const OcliteFlex* map, OcliteFlex* keys, size_t* count) {
    size_t at, key_count, value_count;
    if (map->type != kFlexTypeMap || !follow(map, map->at, map->slot, &at)) return false;
    if (at < 3 * (size_t)map->width) return false;
    uint64_t width; // its low byte, whatever it is stored in
    if (!read_uint(map, at - 2 * (size_t)map->width, 1, &width)) return false;
    if (width != 1 && width != 2 && width != 4 && width != 8) return false;
    *keys = *map;
    keys->at = at - 3 * (size_t)map->width;
    keys->slot = map->width;
    keys->width = (uint8_t)width;
    keys->type = kFlexTypeVectorKey;
    if (!oclite_flex_vector_size(*keys, &key_count) || !oclite_flex_vector_size(*map, &value_count))
        return false;
    *count = key_count < value_count ? key_count : value_count;
    return true;
}

bool oclite_flex_map_key(OcliteFlex map, size_t index, const char** key) {
    OcliteFlex keys, element;
    size_t count;
    if (!locate_keys(&map, &keys, &count) || index >= count) return false;
    return oclite_flex_vector_at(keys, index, &element) && oclite_flex_string(element, key, NULL);
}

// As strcmp(key, the stored key), which may have no end in the buffer: *order is set only where it has one,
// or differs before.
static bool compare_key(const OcliteFlex* stored, const char* key, int* order) {
    size_t at;
    if (!follow(stored, stored->at, stored->slot, &at)) return false;
    for (; at < stored->size; at++, key++) {
        const uint8_t wanted = (uint8_t)*key, found = stored->data[at];
        *order = wanted - found;
        if (wanted != found || wanted == 0) return true;
    }
    return false;
}

bool oclite_flex_map_find(OcliteFlex map, const char* key, OcliteFlex* value) {
    OcliteFlex keys, element;
    size_t end, begin = 0;
    if (key == NULL || !locate_keys(&map, &keys, &end)) return false;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        int order;
        if (!oclite_flex_vector_at(keys, middle, &element) || !compare_key(&element, key, &order))
            return false;
        if (order == 0) return oclite_flex_vector_at(map, middle, value);
        if (order < 0)
            end = middle;
        else
            begin = middle + 1;
    }
    return false;
}
