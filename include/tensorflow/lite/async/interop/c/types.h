// SPDX-License-Identifier: Apache-2.0
// Wrappers of other systems' buffers and synchronization objects (device memory, fences, events), which
// program, runtime and delegate pass to each other, and the keys of the attributes that describe them.
#ifndef TENSORFLOW_LITE_ASYNC_INTEROP_C_TYPES_H_
#define TENSORFLOW_LITE_ASYNC_INTEROP_C_TYPES_H_

#include <stdint.h>

#include "tensorflow/lite/c/c_api_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Buffers ----

// A pointer to a buffer. The attribute kTfLiteBufferAttrKeyResourceTypeName states what it points to.
typedef struct TfLiteBackendBuffer TfLiteBackendBuffer;

// Creates a wrapper without a buffer. Returns NULL when memory runs out. The caller owns it.
TFL_CAPI_EXPORT extern TfLiteBackendBuffer* TfLiteBackendBufferCreate(void);
// Deletes the wrapper, but not the buffer. Accepts NULL.
TFL_CAPI_EXPORT extern void TfLiteBackendBufferDelete(TfLiteBackendBuffer* buf);

// Sets the pointer. What it points to remains the caller's and must be valid as long as the wrapper is used.
TFL_CAPI_EXPORT extern void TfLiteBackendBufferSetPtr(TfLiteBackendBuffer* buf, void* ptr);
// Returns NULL when there is no pointer.
TFL_CAPI_EXPORT extern void* TfLiteBackendBufferGetPtr(const TfLiteBackendBuffer* buf);

// ---- Synchronization objects ----

// A pointer to a synchronization object. The attribute kTfLiteSynchronizationAttrKeyObjectTypeName states
// what it points to.
typedef struct TfLiteSynchronization TfLiteSynchronization;

// The same for synchronization objects.
TFL_CAPI_EXPORT extern TfLiteSynchronization* TfLiteSynchronizationCreate(void);
TFL_CAPI_EXPORT extern void TfLiteSynchronizationDelete(TfLiteSynchronization* sync);
TFL_CAPI_EXPORT extern void TfLiteSynchronizationSetPtr(TfLiteSynchronization* sync, void* ptr);
TFL_CAPI_EXPORT extern void* TfLiteSynchronizationGetPtr(const TfLiteSynchronization* sync);

// ---- Attributes ----

// What an attribute map describes. It determines the meaning of the keys.
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
