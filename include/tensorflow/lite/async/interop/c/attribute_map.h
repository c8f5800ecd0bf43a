// SPDX-License-Identifier: Apache-2.0
// Attribute maps: what a program offers and a delegate demands of a buffer or synchronization object. The two
// agree by TfLiteAsyncSignatureRunnerReconcileRestrictions.
//
// A value has one of four types and is found only with that type. Setting a key again replaces value and
// type. Strings are not copied: they must outlive the map and its copies. Names of custom keys are copied.
//
// Getters return false, and leave *val alone, when the key is absent or its value of another type. A map is
// used by one thread at a time; any number of threads may read it.
#ifndef TENSORFLOW_LITE_ASYNC_INTEROP_C_ATTRIBUTE_MAP_H_
#define TENSORFLOW_LITE_ASYNC_INTEROP_C_ATTRIBUTE_MAP_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/async/interop/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TfLiteAttributeMap TfLiteAttributeMap;

// An empty map, which the caller owns; NULL when out of memory.
TFL_CAPI_EXPORT extern TfLiteAttributeMap* TfLiteAttributeMapCreate(TfLiteAttrMapType type);
// Accepts NULL.
TFL_CAPI_EXPORT extern void TfLiteAttributeMapDelete(TfLiteAttributeMap* attrs);

// false for NULL.
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapIsBufferAttributeMap(const TfLiteAttributeMap* attrs);
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapIsSyncAttributeMap(const TfLiteAttributeMap* attrs);

// Makes `dst` equal to `src`, its type included. Does nothing when one of them is NULL; out of memory leaves
// `dst` as it was.
TFL_CAPI_EXPORT extern void TfLiteAttributeMapCopy(const TfLiteAttributeMap* src, TfLiteAttributeMap* dst);

// ---- Attributes of buffers ----

// false for a map of another kind and NULL, and from setters when out of memory.
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapGetSizeTBufferAttr(const TfLiteAttributeMap* attrs,
                                                                 TfLiteBufferAttrKey key, size_t* val);
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapSetSizeTBufferAttr(TfLiteAttributeMap* attrs,
                                                                 TfLiteBufferAttrKey key, size_t val);
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapGetStringBufferAttr(const TfLiteAttributeMap* attrs,
                                                                  TfLiteBufferAttrKey key, const char** val);
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapSetStringBufferAttr(TfLiteAttributeMap* attrs,
                                                                  TfLiteBufferAttrKey key, const char* val);
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapGetBoolBufferAttr(const TfLiteAttributeMap* attrs,
                                                                TfLiteBufferAttrKey key, bool* val);
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapSetBoolBufferAttr(TfLiteAttributeMap* attrs,
                                                                TfLiteBufferAttrKey key, bool val);

// ---- Attributes of synchronization objects ----

// As for buffers.
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapGetStringSyncAttr(const TfLiteAttributeMap* attrs,
                                                                TfLiteSynchronizationAttrKey key,
                                                                const char** val);
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapSetStringSyncAttr(TfLiteAttributeMap* attrs,
                                                                TfLiteSynchronizationAttrKey key,
                                                                const char* val);

// ---- Attributes of any map ----
// For keys that delegates define: by number, which does not check the kind of the map, and by name. Setters
// do nothing when the map or the name is NULL, or out of memory.

// Values of type int.
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapGetIntAttr(const TfLiteAttributeMap* attrs, uint32_t key,
                                                         int* val);
TFL_CAPI_EXPORT extern void TfLiteAttributeMapSetIntAttr(TfLiteAttributeMap* attrs, uint32_t key, int val);
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapGetCustomIntAttr(const TfLiteAttributeMap* attrs,
                                                               const char* key, int* val);
TFL_CAPI_EXPORT extern void TfLiteAttributeMapSetCustomIntAttr(TfLiteAttributeMap* attrs, const char* key,
                                                               int val);

// Values of type size_t.
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapGetSizeTAttr(const TfLiteAttributeMap* attrs, uint32_t key,
                                                           size_t* val);
TFL_CAPI_EXPORT extern void TfLiteAttributeMapSetSizeTAttr(TfLiteAttributeMap* attrs, uint32_t key,
                                                           size_t val);
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapGetCustomSizeTAttr(const TfLiteAttributeMap* attrs,
                                                                 const char* key, size_t* val);
TFL_CAPI_EXPORT extern void TfLiteAttributeMapSetCustomSizeTAttr(TfLiteAttributeMap* attrs, const char* key,
                                                                 size_t val);

// Strings.
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapGetStringAttr(const TfLiteAttributeMap* attrs, uint32_t key,
                                                            const char** val);
TFL_CAPI_EXPORT extern void TfLiteAttributeMapSetStringAttr(TfLiteAttributeMap* attrs, uint32_t key,
                                                            const char* val);
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapGetCustomStringAttr(const TfLiteAttributeMap* attrs,
                                                                  const char* key, const char** val);
TFL_CAPI_EXPORT extern void TfLiteAttributeMapSetCustomStringAttr(TfLiteAttributeMap* attrs, const char* key,
                                                                  const char* val);

// Values of type bool.
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapGetBoolAttr(const TfLiteAttributeMap* attrs, uint32_t key,
                                                          bool* val);
TFL_CAPI_EXPORT extern void TfLiteAttributeMapSetBoolAttr(TfLiteAttributeMap* attrs, uint32_t key, bool val);
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapGetCustomBoolAttr(const TfLiteAttributeMap* attrs,
                                                                const char* key, bool* val);
TFL_CAPI_EXPORT extern void TfLiteAttributeMapSetCustomBoolAttr(TfLiteAttributeMap* attrs, const char* key,
                                                                bool val);

#ifdef __cplusplus
}
#endif

#endif
