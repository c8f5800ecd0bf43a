// SPDX-License-Identifier: Apache-2.0
// Reads FlexBuffers, the schema-less format in which a model stores the options of a custom operator. Most
// options are a map from parameter name to value, which the operator's init function receives.
//
//     // Options {"axis": 3, "epsilon": 1e-5, "mode": "fast"}, all of them optional.
//     static void* NormInit(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
//         int64_t axis = -1;
//         OcliteFlex options, value;
//         if (!oclite_flex_root(buffer, length, &options)) return TfLiteKernelInitFailed();
//         if (oclite_flex_map_find(options, "axis", &value) && !oclite_flex_int(value, &axis)) {
//             TfLiteOpaqueContextReportError(context, "Norm: axis is not a number");
//             return TfLiteKernelInitFailed();
//         }
//         ...
//
// The functions allocate nothing, copy nothing and check the bounds of every access, so that a program may
// pass any bytes. The buffer needs no alignment. A function returns false, and leaves its results alone, when
// the value has another kind, does not exist or lies outside the buffer. The functions may be called on any
// thread.
//
// A malicious buffer can contain itself. A program that walks a whole document must limit the depth.
//
// oclite/flexbuffers_writer.h writes the format.
#ifndef OCLITE_FLEXBUFFERS_H_
#define OCLITE_FLEXBUFFERS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum OcliteFlexKind {
    kOcliteFlexNull, // also for types that this version of the format does not define
    kOcliteFlexInt,
    kOcliteFlexUInt,
    kOcliteFlexFloat,
    kOcliteFlexBool,
    kOcliteFlexKey, // a string without length, as the keys of maps are
    kOcliteFlexString,
    kOcliteFlexBlob,
    kOcliteFlexVector, // of values of any kind, of one kind, or a tuple of 2 to 4 numbers
    kOcliteFlexMap,
} OcliteFlexKind;

// A value inside a buffer. It is valid as long as the buffer is. The fields are private. A struct of zeros is
// a null.
typedef struct OcliteFlex {
    const uint8_t* data; // the whole buffer
    size_t size;
    size_t at;     // where the value, or the distance to it, is stored
    uint8_t slot;  // bytes stored at `at`: 1, 2, 4 or 8
    uint8_t width; // bytes of each number of the value that the distance leads to
    uint8_t type;  // the format's code
} OcliteFlex;

// Stores the outermost value of a buffer, which is a map in most models.
TFL_CAPI_EXPORT extern bool oclite_flex_root(const void* buffer, size_t size, OcliteFlex* root);

// Returns the kind that the document states for a value. Whether the value is there is checked only when it
// is read.
TFL_CAPI_EXPORT extern OcliteFlexKind oclite_flex_kind(OcliteFlex value);

// Numbers and booleans convert into each other. Real numbers are rounded towards zero. A number outside the
// range of the result becomes the nearest number in the range, and NaN becomes 0.
TFL_CAPI_EXPORT extern bool oclite_flex_int(OcliteFlex value, int64_t* result);
TFL_CAPI_EXPORT extern bool oclite_flex_uint(OcliteFlex value, uint64_t* result);
TFL_CAPI_EXPORT extern bool oclite_flex_float(OcliteFlex value, double* result);
TFL_CAPI_EXPORT extern bool oclite_flex_bool(OcliteFlex value, bool* result); // whether the integer is not 0

// Reads a string or a key. *text lies in the buffer and ends with a zero byte. *length, unless `length` is
// NULL, does not count that byte. A string may contain further zero bytes, a key may not.
TFL_CAPI_EXPORT extern bool oclite_flex_string(OcliteFlex value, const char** text, size_t* length);

// Reads the bytes of a blob or a string.
TFL_CAPI_EXPORT extern bool oclite_flex_blob(OcliteFlex value, const void** bytes, size_t* size);

// Read the elements of any vector, or the values of a map in the order of its keys.
TFL_CAPI_EXPORT extern bool oclite_flex_vector_size(OcliteFlex vector, size_t* count);
TFL_CAPI_EXPORT extern bool oclite_flex_vector_at(OcliteFlex vector, size_t index, OcliteFlex* element);

// Stores the kind of all elements of a typed vector. Returns false for vectors that may mix kinds, and for
// maps.
TFL_CAPI_EXPORT extern bool oclite_flex_vector_kind(OcliteFlex vector, OcliteFlexKind* kind);

// Finds the value of a key by binary search: the format keeps the keys of a map sorted.
TFL_CAPI_EXPORT extern bool oclite_flex_map_find(OcliteFlex map, const char* key, OcliteFlex* value);

// Stores the key of the value with this index.
TFL_CAPI_EXPORT extern bool oclite_flex_map_key(OcliteFlex map, size_t index, const char** key);

#ifdef __cplusplus
}
#endif

#endif
