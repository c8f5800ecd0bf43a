// SPDX-License-Identifier: Apache-2.0
// TfLiteAttributeMap*: attributes of buffers and synchronization objects.
#include "core/base/attributes.h"
#include "core/base/memory.h"

TfLiteAttributeMap* TfLiteAttributeMapCreate(TfLiteAttrMapType type) {
    TfLiteAttributeMap* map = lite_calloc(1, sizeof *map);
    if (map != NULL) map->type = type;
    return map;
}

void TfLiteAttributeMapDelete(TfLiteAttributeMap* attrs) {
    lite_attributes_destroy(attrs);
}

bool TfLiteAttributeMapIsBufferAttributeMap(const TfLiteAttributeMap* attrs) {
    return attrs != NULL && attrs->type == kTfLiteAttrMapTypeBuffer;
}

bool TfLiteAttributeMapIsSyncAttributeMap(const TfLiteAttributeMap* attrs) {
    return attrs != NULL && attrs->type == kTfLiteAttrMapTypeSync;
}

void TfLiteAttributeMapCopy(const TfLiteAttributeMap* src, TfLiteAttributeMap* dst) {
    if (src != NULL && dst != NULL && src != dst) (void)lite_attributes_copy(src, dst);
}

// Getter and setter of one type of values, for keys that are numbers and keys that are names: static ones
// that say whether they succeeded, and the public ones for any map.
#define DEFINE_ACCESSORS(Type, field, value_type)                                                            \
    static bool get_##field(const TfLiteAttributeMap* attrs, const char* name, uint32_t key,                 \
                            value_type* val) {                                                               \
        if (attrs == NULL || val == NULL) return false;                                                      \
        const LiteAttributeValue* found = lite_attributes_get(attrs, name, key);                             \
        if (found == NULL || found->type != kLiteAttribute##Type) return false;                              \
        *val = found->as_##field;                                                                            \
        return true;                                                                                         \
    }                                                                                                        \
                                                                                                             \
    static bool set_##field(TfLiteAttributeMap* attrs, const char* name, uint32_t key, value_type val) {     \
        if (attrs == NULL) return false;                                                                     \
        const LiteAttributeValue value = {.type = kLiteAttribute##Type, .as_##field = val};                  \
        return lite_attributes_set(attrs, name, key, value) == kTfLiteOk;                                    \
    }                                                                                                        \
                                                                                                             \
    bool TfLiteAttributeMapGet##Type##Attr(const TfLiteAttributeMap* attrs, uint32_t key, value_type* val) { \
        return get_##field(attrs, NULL, key, val);                                                           \
    }                                                                                                        \
                                                                                                             \
    void TfLiteAttributeMapSet##Type##Attr(TfLiteAttributeMap* attrs, uint32_t key, value_type val) {        \
        (void)set_##field(attrs, NULL, key, val);                                                            \
    }                                                                                                        \
                                                                                                             \
    bool TfLiteAttributeMapGetCustom##Type##Attr(const TfLiteAttributeMap* attrs, const char* key,           \
                                                 value_type* val) {                                          \
        return key != NULL && get_##field(attrs, key, 0, val);                                               \
    }                                                                                                        \
                                                                                                             \
    void TfLiteAttributeMapSetCustom##Type##Attr(TfLiteAttributeMap* attrs, const char* key,                 \
                                                 value_type val) {                                           \
        if (key != NULL) (void)set_##field(attrs, key, 0, val);                                              \
    }

DEFINE_ACCESSORS(Int, int, int)
DEFINE_ACCESSORS(SizeT, size_t, size_t)
DEFINE_ACCESSORS(String, string, const char*)
DEFINE_ACCESSORS(Bool, bool, bool)

// The same for the keys of one kind of map.
#define DEFINE_CHECKED_ACCESSORS(Type, field, value_type, Kind, KindMap, key_type)                           \
    bool TfLiteAttributeMapGet##Type##Kind##Attr(const TfLiteAttributeMap* attrs, key_type key,              \
                                                 value_type* val) {                                          \
        return TfLiteAttributeMapIs##KindMap(attrs) && get_##field(attrs, NULL, (uint32_t)key, val);         \
    }                                                                                                        \
                                                                                                             \
    bool TfLiteAttributeMapSet##Type##Kind##Attr(TfLiteAttributeMap* attrs, key_type key, value_type val) {  \
        return TfLiteAttributeMapIs##KindMap(attrs) && set_##field(attrs, NULL, (uint32_t)key, val);         \
    }

DEFINE_CHECKED_ACCESSORS(SizeT, size_t, size_t, Buffer, BufferAttributeMap, TfLiteBufferAttrKey)
DEFINE_CHECKED_ACCESSORS(String, string, const char*, Buffer, BufferAttributeMap, TfLiteBufferAttrKey)
DEFINE_CHECKED_ACCESSORS(Bool, bool, bool, Buffer, BufferAttributeMap, TfLiteBufferAttrKey)
DEFINE_CHECKED_ACCESSORS(String, string, const char*, Sync, SyncAttributeMap, TfLiteSynchronizationAttrKey)
