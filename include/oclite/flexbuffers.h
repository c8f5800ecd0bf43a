// SPDX-License-Identifier: Apache-2.0
// Reads FlexBuffers, the schema-less format in which a model keeps the options of a custom operator: a map
// from parameter name to value, which the operator's init receives.
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
// Nothing is allocated, nothing is copied, and every access is bounds-checked: any bytes may be given, and
// the buffer needs no alignment. All functions return false, and leave their results alone, when the value
// has another kind, does not exist or lies outside the buffer. They may be called on any thread.
//
// A malicious buffer can contain itself. A program that walks a whole document limits its depth.
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
    kOcliteFlexNull, // also what this version of the format does not define
    kOcliteFlexInt,
    kOcliteFlexUInt,
    kOcliteFlexFloat,
    kOcliteFlexBool,
    kOcliteFlexKey, // a string without length, as the keys of maps are
    kOcliteFlexString,
    kOcliteFlexBlob,
    kOcliteFlexVector, // of values of any kinds, of one kind, or a pair, triple or quadruple of numbers
    kOcliteFlexMap,
} OcliteFlexKind;

// A value inside a buffer, valid as long as the buffer is. The fields are private. All zero it is a null.
typedef struct OcliteFlex {
    const uint8_t* data; // the whole buffer
    size_t size;
    size_t at;     // where the value, or the distance to it, is stored
    uint8_t slot;  // bytes stored at `at`: 1, 2, 4 or 8
    uint8_t width; // bytes of each number of the thing that a distance leads to
    uint8_t type;  // the format's code
} OcliteFlex;

// The outermost value of a buffer, mostly a map.
TFL_CAPI_EXPORT extern bool oclite_flex_root(const void* buffer, size_t size, OcliteFlex* root);

// What the document says that a value is; whether it is there is checked when it is read.
TFL_CAPI_EXPORT extern OcliteFlexKind oclite_flex_kind(OcliteFlex value);

// Numbers and booleans convert into each other: real numbers towards zero, and what is out of the range of
// the result becomes the nearest number in it (NaN becomes 0).
TFL_CAPI_EXPORT extern bool oclite_flex_int(OcliteFlex value, int64_t* result);
TFL_CAPI_EXPORT extern bool oclite_flex_uint(OcliteFlex value, uint64_t* result);
TFL_CAPI_EXPORT extern bool oclite_flex_float(OcliteFlex value, double* result);
TFL_CAPI_EXPORT extern bool oclite_flex_bool(OcliteFlex value, bool* result); // whether the integer is not 0

// A string or key. *text lies in the buffer and is terminated; *length, where not NULL, does not count the
// terminator. A string may contain further zeros, a key may not.
TFL_CAPI_EXPORT extern bool oclite_flex_string(OcliteFlex value, const char** text, size_t* length);

// The bytes of a blob or string.
TFL_CAPI_EXPORT extern bool oclite_flex_blob(OcliteFlex value, const void** bytes, size_t* size);

// The elements of a vector of any sort, or the values of a map in the order of its keys.
TFL_CAPI_EXPORT extern bool oclite_flex_vector_size(OcliteFlex vector, size_t* count);
TFL_CAPI_EXPORT extern bool oclite_flex_vector_at(OcliteFlex vector, size_t index, OcliteFlex* element);

// The kind of all elements of a vector that has just one; false for vectors of any kinds, and for maps.
TFL_CAPI_EXPORT extern bool oclite_flex_vector_kind(OcliteFlex vector, OcliteFlexKind* kind);

// The value of a key, found by binary search: the format has the keys sorted.
TFL_CAPI_EXPORT extern bool oclite_flex_map_find(OcliteFlex map, const char* key, OcliteFlex* value);

// The key of the value with that index.
TFL_CAPI_EXPORT extern bool oclite_flex_map_key(OcliteFlex map, size_t index, const char** key);

#ifdef __cplusplus
}
#endif

#endif
