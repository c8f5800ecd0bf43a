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

// The result of a function that can fail. Every status but kTfLiteOk means that the function did not do what
// was asked; the error reporter, if there is one, has received the reason.
typedef enum TfLiteStatus {
    kTfLiteOk = 0,
    kTfLiteError = 1,                  // general failure
    kTfLiteDelegateError = 2,          // a delegate failed; the interpreter still works without it
    kTfLiteApplicationError = 3,       // the call does not fit the state of the interpreter or delegate
    kTfLiteDelegateDataNotFound = 4,   // a delegate's stored data is absent
    kTfLiteDelegateDataWriteError = 5, // a delegate's data cannot be written
    kTfLiteDelegateDataReadError = 6,  // a delegate's stored data cannot be read
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
// that the tensor is not quantized in this way.
typedef struct TfLiteQuantizationParams {
    float scale;
    int32_t zero_point;
} TfLiteQuantizationParams;

// The objects that an operator or a delegate receives from the interpreter; c_api_opaque.h has their
// accessors. The pointers are valid during the call that received them.
typedef struct TfLiteOpaqueContext TfLiteOpaqueContext;
typedef struct TfLiteOpaqueNode TfLiteOpaqueNode;
typedef struct TfLiteOpaqueTensor TfLiteOpaqueTensor;

// A delegate takes over parts of a graph (common.h). Both names mean the same object.
typedef struct TfLiteDelegate TfLiteDelegate;
typedef struct TfLiteOpaqueDelegateStruct TfLiteOpaqueDelegateStruct;
typedef TfLiteDelegate TfLiteOpaqueDelegate;

#ifdef __cplusplus
}
#endif

#endif
