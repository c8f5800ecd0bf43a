// SPDX-License-Identifier: Apache-2.0
#include "core/base/attributes.h"

#include <string.h>

#include "core/base/memory.h"
#include "core/base/status.h"

static LiteAttribute* find(const TfLiteAttributeMap* map, const char* name, uint32_t key) {
    for (size_t i = 0; i < map->count; i++) {
        LiteAttribute* attribute = &map->attributes[i];
        if (name == NULL && attribute->name == NULL && attribute->key == key) return attribute;
        if (name != NULL && attribute->name != NULL && strcmp(attribute->name, name) == 0) return attribute;
    }
    return NULL;
}

static void clear(TfLiteAttributeMap* map) {
    for (size_t i = 0; i < map->count; i++) lite_free(map->attributes[i].name);
    lite_free(map->attributes);
    *map = (TfLiteAttributeMap){.type = map->type};
}

void lite_attributes_destroy(TfLiteAttributeMap* map) {
    if (map == NULL) return;
    clear(map);
    lite_free(map);
}

const LiteAttributeValue* lite_attributes_get(const TfLiteAttributeMap* map, const char* name, uint32_t key) {
    const LiteAttribute* attribute = find(map, name, key);
    return attribute ? &attribute->value : NULL;
}

static TfLiteStatus reserve_one(TfLiteAttributeMap* map) {
    if (map->count < map->capacity) return kTfLiteOk;
    const size_t capacity = map->capacity * 2 + 8;
    LiteAttribute* attributes = lite_realloc(map->attributes, capacity * sizeof *attributes);
    if (attributes == NULL) return kTfLiteError;
    map->attributes = attributes;
    map->capacity = capacity;
    return kTfLiteOk;
}

TfLiteStatus lite_attributes_set(TfLiteAttributeMap* map, const char* name, uint32_t key,
                                 LiteAttributeValue value) {
    LiteAttribute* attribute = find(map, name, key);
    if (attribute != NULL) {
        attribute->value = value;
        return kTfLiteOk;
    }
    LITE_TRY(reserve_one(map));
    char* own_name = lite_strdup(name);
    if (name != NULL && own_name == NULL) return kTfLiteError;
    map->attributes[map->count++] = (LiteAttribute){own_name, key, value};
    return kTfLiteOk;
}

TfLiteStatus lite_attributes_copy(const TfLiteAttributeMap* from, TfLiteAttributeMap* to) {
    TfLiteAttributeMap copy = {.type = from->type};
    for (size_t i = 0; i < from->count; i++) {
        const LiteAttribute* attribute = &from->attributes[i];
        if (lite_attributes_set(&copy, attribute->name, attribute->key, attribute->value) != kTfLiteOk) {
            clear(&copy);
            return kTfLiteError;
        }
    }
    clear(to);
    *to = copy;
    return kTfLiteOk;
}

// Rules.

static bool same_string(const char* a, const char* b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool equal(const LiteAttributeValue* a, const LiteAttributeValue* b) {
    if (a->type != b->type) return false;
    switch (a->type) {
    case kLiteAttributeInt:
        return a->as_int == b->as_int;
    case kLiteAttributeSizeT:
        return a->as_size_t == b->as_size_t;
    case kLiteAttributeString:
        return same_string(a->as_string, b->as_string);
    case kLiteAttributeBool:
        return a->as_bool == b->as_bool;
    }
    return false;
}

// The least common multiple, 0 if one of them is; false when it is too large for a size_t.
static bool common_multiple(size_t a, size_t b, size_t* result) {
    size_t divisor = a;
    for (size_t rest = b; rest != 0;) {
        const size_t next = divisor % rest;
        divisor = rest;
        rest = next;
    }
    const size_t factor = divisor ? a / divisor : 0;
    if (factor != 0 && b > SIZE_MAX / factor) return false;
    *result = factor * b;
    return true;
}

// The attributes of a buffer that are more than equal or not.
static bool is_quantity(TfLiteAttrMapType type, const LiteAttribute* attribute) {
    if (type != kTfLiteAttrMapTypeBuffer || attribute->name != NULL) return false;
    return attribute->key == kTfLiteBufferAttrKeySize || attribute->key == kTfLiteBufferAttrKeyAlignment ||
           attribute->key == kTfLiteBufferAttrKeyPadding;
}

// Changes *value, that of the left map, so that it satisfies `right` too.
static bool combine(TfLiteAttrMapType type, LiteAttributeValue* value, const LiteAttribute* right) {
    if (!is_quantity(type, right)) return equal(value, &right->value);
    if (value->type != kLiteAttributeSizeT || right->value.type != kLiteAttributeSizeT) return false;
    const size_t other = right->value.as_size_t;
    if (right->key != kTfLiteBufferAttrKeySize) {
        return common_multiple(value->as_size_t, other, &value->as_size_t);
    }
    if (value->as_size_t < other) value->as_size_t = other;
    return true;
}

bool lite_attributes_reconcile(const TfLiteAttributeMap* left, const TfLiteAttributeMap* right,
                               TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict) {
    const TfLiteAttrMapType type = left->type;
    if (type != right->type) return false;
    merged->type = type;
    if (conflict != NULL) conflict->type = type;
    bool good = true;
    // Attributes are copied before they are set, since a map that grows moves them.
    for (size_t i = 0; i < right->count; i++) {
        const LiteAttribute attribute = right->attributes[i];
        const LiteAttributeValue* found = lite_attributes_get(left, attribute.name, attribute.key);
        LiteAttributeValue value = found ? *found : attribute.value;
        TfLiteAttributeMap* target = merged;
        if (found != NULL && !combine(type, &value, &attribute)) {
            good = false;
            value = attribute.value;
            target = conflict;
        }
        if (target == NULL) continue;
        if (lite_attributes_set(target, attribute.name, attribute.key, value) != kTfLiteOk) return false;
    }
    for (size_t i = 0; i < left->count; i++) {
        const LiteAttribute attribute = left->attributes[i];
        if (lite_attributes_get(right, attribute.name, attribute.key) != NULL) continue;
        if (lite_attributes_set(merged, attribute.name, attribute.key, attribute.value) != kTfLiteOk)
            return false;
    }
    return good;
}

static bool covers(TfLiteAttrMapType type, const LiteAttributeValue* offered, const LiteAttribute* required) {
    if (offered == NULL) return false;
    if (!is_quantity(type, required)) return equal(offered, &required->value);
    if (offered->type != kLiteAttributeSizeT || required->value.type != kLiteAttributeSizeT) return false;
    const size_t least = required->value.as_size_t;
    if (required->key != kTfLiteBufferAttrKeyAlignment) return offered->as_size_t >= least;
    return least == 0 || offered->as_size_t % least == 0;
}

bool lite_attributes_cover(const TfLiteAttributeMap* offered, const TfLiteAttributeMap* required,
                           TfLiteAttributeMap* conflict) {
    const TfLiteAttrMapType type = offered->type;
    if (type != required->type) return false;
    if (conflict != NULL) conflict->type = type;
    bool good = true;
    for (size_t i = 0; i < required->count; i++) {
        const LiteAttribute attribute = required->attributes[i];
        if (covers(type, lite_attributes_get(offered, attribute.name, attribute.key), &attribute)) continue;
        good = false;
        if (conflict == NULL) continue;
        if (lite_attributes_set(conflict, attribute.name, attribute.key, attribute.value) != kTfLiteOk) break;
    }
    return good;
}
