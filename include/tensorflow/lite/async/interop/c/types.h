// SPDX-License-Identifier: Apache-2.0
// Buffers and synchronization objects of other systems (memory of a device, fences, events), wrapped so that
// program, runtime and delegate can pass them on, and the keys of the attributes that describe them.
#ifndef TENSORFLOW_LITE_ASYNC_INTEROP_C_TYPES_H_
#define TENSORFLOW_LITE_ASYNC_INTEROP_C_TYPES_H_

#include <stdint.h>

#include "tensorflow/lite/c/c_api_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Buffers ----

// A pointer to a buffer. What it points to is said by the attribute kTfLiteBufferAttrKeyResourceTypeName.
typedef struct TfLiteBackendBuffer TfLiteBackendBuffer;

// A wrapper around nothing; NULL when out of memory. The caller owns it.
TFL_CAPI_EXPORT extern TfLiteBackendBuffer* TfLiteBackendBufferCreate(void);
// The buffer itself stays as it is. Accepts NULL.
TFL_CAPI_EXPORT extern void TfLiteBackendBufferDelete(TfLiteBackendBuffer* buf);

// `ptr` stays the caller's and must be valid as long as the wrapper is used.
TFL_CAPI_EXPORT extern void TfLiteBackendBufferSetPtr(TfLiteBackendBuffer* buf, void* ptr);
// NULL when there is none.
TFL_CAPI_EXPORT extern void* TfLiteBackendBufferGetPtr(const TfLiteBackendBuffer* buf);

// ---- Synchronization objects ----

// A pointer to a synchronization object. What it points to is said by the attribute
// kTfLiteSynchronizationAttrKeyObjectTypeName.
typedef struct TfLiteSynchronization TfLiteSynchronization;

// As for buffers.
TFL_CAPI_EXPORT extern TfLiteSynchronization* TfLiteSynchronizationCreate(void);
TFL_CAPI_EXPORT extern void TfLiteSynchronizationDelete(TfLiteSynchronization* sync);
TFL_CAPI_EXPORT extern void TfLiteSynchronizationSetPtr(TfLiteSynchronization* sync, void* ptr);
TFL_CAPI_EXPORT extern void* TfLiteSynchronizationGetPtr(const TfLiteSynchronization* sync);

// ---- Attributes ----

// What an attribute map describes, and with that what its keys mean.
typedef enum TfLiteAttrMapType {
    kTfLiteAttrMapTypeUnknown = 0,
    kTfLiteAttrMapTypeBuffer = 1, // keys: TfLiteBufferAttrKey
    kTfLiteAttrMapTypeSync = 2,   // keys: TfLiteSynchronizationAttrKey
} TfLiteAttrMapType;

// Attributes of a buffer; delegates may define more.
typedef enum TfLiteBufferAttrKey {
    kTfLiteBufferAttrKeyUnknown = 0,
    kTfLiteBufferAttrKeyResourceTypeName = 1,            // string: one of the delegate's supported types
    kTfLiteBufferAttrKeyAlignment = 2,                   // size_t: of the address, in bytes
    kTfLiteBufferAttrKeyPadding = 3,                     // size_t: the size is a multiple of it
    kTfLiteBufferAttrKeyOffset = 4,                      // size_t: where a slice begins
    kTfLiteBufferAttrKeySize = 5,                        // size_t: bytes, padding included
    kTfLiteBufferAttrKeyCurrentHostCoherencyState = 6,   // bool
    kTfLiteBufferAttrKeyPreferredHostCoherencyState = 7, // bool
    kTfLiteBufferAttrKeyCurrentHostCacheState = 8,       // bool
    kTfLiteBufferAttrKeyPreferredHostCacheState = 9,     // bool
} TfLiteBufferAttrKey;

// Attributes of a synchronization object.
typedef enum TfLiteSynchronizationAttrKey {
    kTfLiteSynchronizationAttrKeyUnknown = 0,
    kTfLiteSynchronizationAttrKeyObjectTypeName = 1, // string: one of the delegate's supported types
} TfLiteSynchronizationAttrKey;

#ifdef __cplusplus
}
#endif

#endif
