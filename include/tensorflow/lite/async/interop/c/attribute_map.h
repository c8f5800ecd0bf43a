// SPDX-License-Identifier: Apache-2.0
// Attribute maps describe a buffer or synchronization object: what a program offers and what a delegate
// demands. TfLiteAsyncSignatureRunnerReconcileRestrictions combines the two.
//
// A value has one of four types, and a getter finds it only with that type. Setting a key again replaces its
// value and type. Strings are not copied: they must outlive the map and its copies. The names of custom keys
// are copied.
//
// Getters return false, and leave *val alone, when the key is absent or its value has another type. Any
// number of threads may read a map, but while one changes it no other thread may use it.
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

// Creates an empty map, which the caller owns. Returns NULL when memory runs out.
TFL_CAPI_EXPORT extern TfLiteAttributeMap* TfLiteAttributeMapCreate(TfLiteAttrMapType type);
// Accepts NULL.
TFL_CAPI_EXPORT extern void TfLiteAttributeMapDelete(TfLiteAttributeMap* attrs);

// Return false for NULL.
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapIsBufferAttributeMap(const TfLiteAttributeMap* attrs);
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapIsSyncAttributeMap(const TfLiteAttributeMap* attrs);

// Makes `dst` equal to `src`, its type included. Does nothing when one of them is NULL. When memory runs out,
// `dst` remains unchanged.
TFL_CAPI_EXPORT extern void TfLiteAttributeMapCopy(const TfLiteAttributeMap* src, TfLiteAttributeMap* dst);

// ---- Attributes of buffers ----

// Return false for NULL and for a map of another kind. Setters also return false when memory runs out.
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

// The same for synchronization objects.
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapGetStringSyncAttr(const TfLiteAttributeMap* attrs,
                                                                TfLiteSynchronizationAttrKey key,
                                                                const char** val);
TFL_CAPI_EXPORT extern bool TfLiteAttributeMapSetStringSyncAttr(TfLiteAttributeMap* attrs,
                                                                TfLiteSynchronizationAttrKey key,
                                                                const char* val);

// ---- Attributes of any map ----
// These functions serve keys that delegates define: keys by number, for which the kind of the map is not
// checked, and keys by name. Setters do nothing when the map or the name is NULL, and when memory runs out.

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

// Values that are strings.
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
