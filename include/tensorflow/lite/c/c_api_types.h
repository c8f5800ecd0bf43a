// SPDX-License-Identifier: Apache-2.0
// Types that the whole C API shares: statuses, element types, and the names of opaque objects.
#ifndef TENSORFLOW_LITE_C_C_API_TYPES_H_
#define TENSORFLOW_LITE_C_C_API_TYPES_H_

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Marks what the shared library exports. A program that links a static library may define it empty.
#ifndef TFL_CAPI_EXPORT
#if defined(_WIN32) && defined(TFL_COMPILE_LIBRARY)
#define TFL_CAPI_EXPORT __declspec(dllexport)
#elif defined(_WIN32)
#define TFL_CAPI_EXPORT __declspec(dllimport)
#else
#define TFL_CAPI_EXPORT __attribute__((visibility("default")))
#endif
#endif

// What a fallible function returns. Anything but kTfLiteOk means that it did not do what was asked; the
// reason has gone to the error reporter, if there is one.
typedef enum TfLiteStatus {
    kTfLiteOk = 0,
    kTfLiteError = 1,                  // general failure
    kTfLiteDelegateError = 2,          // a delegate failed; the interpreter still works without it
    kTfLiteApplicationError = 3,       // the call does not fit the state of the interpreter or delegate
    kTfLiteDelegateDataNotFound = 4,   // a delegate's stored data: absent,
    kTfLiteDelegateDataWriteError = 5, // not writable,
    kTfLiteDelegateDataReadError = 6,  // not readable
    kTfLiteUnresolvedOps = 7,          // the model has operators that nobody implements
    kTfLiteCancelled = 8,              // an invocation was stopped by a Cancel function
    kTfLiteOutputShapeNotKnown = 9,    // the shape is known only after the operator has run
} TfLiteStatus;

// Type of a tensor's elements.
typedef enum TfLiteType {
    kTfLiteNoType = 0,
    kTfLiteFloat32 = 1,
    kTfLiteInt32 = 2,
    kTfLiteUInt8 = 3,
    kTfLiteInt64 = 4,
    kTfLiteString = 5, // serialized strings, see TfLiteOpaqueTensorWriteStrings
    kTfLiteBool = 6,
    kTfLiteInt16 = 7,
    kTfLiteComplex64 = 8, // two float32
    kTfLiteInt8 = 9,
    kTfLiteFloat16 = 10,
    kTfLiteFloat64 = 11,
    kTfLiteComplex128 = 12, // two float64
    kTfLiteUInt64 = 13,
    kTfLiteResource = 14, // number of a hash table or variable
    kTfLiteVariant = 15,
    kTfLiteUInt32 = 16,
    kTfLiteUInt16 = 17,
    kTfLiteInt4 = 18, // two elements in a byte, the first in the low bits
    kTfLiteBFloat16 = 19,
    kTfLiteInt2 = 20,  // four elements in a byte
    kTfLiteUInt4 = 21, // as kTfLiteInt4
    kTfLiteFloat8E4M3FN = 22,
    kTfLiteFloat8E5M2 = 23,
} TfLiteType;

// How one dimension of a sparse tensor is stored.
typedef enum TfLiteDimensionType {
    kTfLiteDimDense = 0,
    kTfLiteDimSparseCSR = 1, // compressed: segments and indices
} TfLiteDimensionType;

// Quantization with one scale for a whole tensor: real = scale * (stored - zero_point). A scale of 0 means
// that there is none.
typedef struct TfLiteQuantizationParams {
    float scale;
    int32_t zero_point;
} TfLiteQuantizationParams;

// What an operator or delegate gets to see of the interpreter; accessors in c_api_opaque.h. The pointers are
// valid during the call that received them.
typedef struct TfLiteOpaqueContext TfLiteOpaqueContext;
typedef struct TfLiteOpaqueNode TfLiteOpaqueNode;
typedef struct TfLiteOpaqueTensor TfLiteOpaqueTensor;

// Takes over parts of a graph (common.h). Both names mean the same object.
typedef struct TfLiteDelegate TfLiteDelegate;
typedef struct TfLiteOpaqueDelegateStruct TfLiteOpaqueDelegateStruct;
typedef TfLiteDelegate TfLiteOpaqueDelegate;

#ifdef __cplusplus
}
#endif

#endif
