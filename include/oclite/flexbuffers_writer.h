// SPDX-License-Identifier: Apache-2.0
// Writes FlexBuffers, for tests and tools: values are written one after the other, containers are begun and
// ended.
//
//     // {"axis": 3, "pads": [1, 2]}
//     OcliteFlexWriter* writer = oclite_flex_writer_create();
//     oclite_flex_begin_map(writer);
//     oclite_flex_write_key(writer, "pads");
//     oclite_flex_begin_typed_vector(writer, kOcliteFlexInt);
//     oclite_flex_write_int(writer, 1);
//     oclite_flex_write_int(writer, 2);
//     oclite_flex_end(writer);
//     oclite_flex_write_key(writer, "axis");
//     oclite_flex_write_int(writer, 3);
//     oclite_flex_end(writer);
//     size_t size;
//     const void* options = oclite_flex_finish(writer, &size);
//     if (options == NULL) printf("%s\n", oclite_flex_writer_error(writer));
//     ...
//     oclite_flex_writer_delete(writer);
//
// The first misuse, or the first time that memory runs out, is remembered, and everything after it fails: it
// is enough to check the result of oclite_flex_finish. A writer of NULL fails too. A writer is used by one
// thread at a time.
#ifndef OCLITE_FLEXBUFFERS_WRITER_H_
#define OCLITE_FLEXBUFFERS_WRITER_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oclite/flexbuffers.h"
#include "tensorflow/lite/c/c_api_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OcliteFlexWriter OcliteFlexWriter;

// An empty document; NULL when out of memory. The caller deletes it.
TFL_CAPI_EXPORT extern OcliteFlexWriter* oclite_flex_writer_create(void);
// Accepts NULL.
TFL_CAPI_EXPORT extern void oclite_flex_writer_delete(OcliteFlexWriter* writer);

// What went wrong first; "" when nothing has. Never NULL; not to be released.
TFL_CAPI_EXPORT extern const char* oclite_flex_writer_error(const OcliteFlexWriter* writer);

// Values. Each takes as few bytes as hold it, a double those of a float where that is the same number.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_null(OcliteFlexWriter* writer);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_int(OcliteFlexWriter* writer, int64_t value);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_uint(OcliteFlexWriter* writer, uint64_t value);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_float(OcliteFlexWriter* writer, double value);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_bool(OcliteFlexWriter* writer, bool value);
// A string of `length` bytes, which may contain zeros, and any bytes. NULL is allowed where the length is 0.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_string(OcliteFlexWriter* writer, const char* text,
                                                             size_t length);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_blob(OcliteFlexWriter* writer, const void* bytes,
                                                           size_t size);

// Numbers that are stored apart, so that one large number does not make all others of its vector or map wide.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_indirect_int(OcliteFlexWriter* writer, int64_t value);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_indirect_uint(OcliteFlexWriter* writer, uint64_t value);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_indirect_float(OcliteFlexWriter* writer, double value);

// In a map, in turn, the key of the value that is written next; elsewhere, and after a key, a value. Equal
// keys are stored once.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_key(OcliteFlexWriter* writer, const char* key);

// What is written until the matching oclite_flex_end becomes one value. A map takes keys and values in turn,
// in any order of the keys, each key once. Elements of a typed vector are ints, uints, floats, bools, keys or
// strings (of which only the bytes before the first zero can be read); those of a fixed vector are two, three
// or four ints, uints or floats.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_begin_map(OcliteFlexWriter* writer);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_begin_vector(OcliteFlexWriter* writer);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_begin_typed_vector(OcliteFlexWriter* writer,
                                                                   OcliteFlexKind element);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_begin_fixed_vector(OcliteFlexWriter* writer,
                                                                   OcliteFlexKind element);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_end(OcliteFlexWriter* writer);

// The document, once exactly one value has been written, and its size in bytes. It belongs to the writer,
// which takes nothing more. NULL, with *size 0, after an error.
TFL_CAPI_EXPORT extern const void* oclite_flex_finish(OcliteFlexWriter* writer, size_t* size);

#ifdef __cplusplus
}
#endif

#endif
