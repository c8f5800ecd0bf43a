// SPDX-License-Identifier: Apache-2.0
// Attribute maps, from keys (numbers or names) to values of four types, and the rules by which two maps are
// merged.
#ifndef CORE_BASE_ATTRIBUTES_H_
#define CORE_BASE_ATTRIBUTES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/async/interop/c/attribute_map.h"

typedef enum LiteAttributeType {
    kLiteAttributeInt,
    kLiteAttributeSizeT,
    kLiteAttributeString,
    kLiteAttributeBool,
} LiteAttributeType;

typedef struct LiteAttributeValue {
    LiteAttributeType type;
    union {
        int as_int;
        size_t as_size_t;
        const char* as_string; // not owned; may be NULL
        bool as_bool;
    };
} LiteAttributeValue;

typedef struct LiteAttribute {
    char* name; // owned; NULL: the key is the number
    uint32_t key;
    LiteAttributeValue value;
} LiteAttribute;

struct TfLiteAttributeMap {
    TfLiteAttrMapType type;
    LiteAttribute* attributes; // in the order in which the keys were first set
    size_t count;
    size_t capacity;
};

void lite_attributes_destroy(TfLiteAttributeMap* map); // NULL allowed

// The value of a key: that called `name` or, when it is NULL, number `key`. NULL when there is none.
const LiteAttributeValue* lite_attributes_get(const TfLiteAttributeMap* map, const char* name, uint32_t key);
// kTfLiteError when out of memory.
TfLiteStatus lite_attributes_set(TfLiteAttributeMap* map, const char* name, uint32_t key,
                                 LiteAttributeValue value);
// `to` stays as it is when memory runs out.
TfLiteStatus lite_attributes_copy(const TfLiteAttributeMap* from, TfLiteAttributeMap* to);

// Puts into `merged` what satisfies both maps: the larger size, a common multiple of alignments and of
// paddings, and what only one of them has; other attributes must be equal. Returns false when that cannot be
// (`conflict`, if not NULL, receives the values of `right`), for maps of different types, and when out of
// memory. Other attributes of `merged` and `conflict` stay; their type becomes that of the maps. `merged` may
// be one of the maps.
bool lite_attributes_reconcile(const TfLiteAttributeMap* left, const TfLiteAttributeMap* right,
                               TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict);

// Whether a buffer or object with the attributes `offered` is all that `required` asks for. `conflict`, if
// not NULL, receives what is missing.
bool lite_attributes_cover(const TfLiteAttributeMap* offered, const TfLiteAttributeMap* required,
                           TfLiteAttributeMap* conflict);

#endif
