// SPDX-License-Identifier: Apache-2.0
// Writes FlexBuffers, for tests and tools. A program writes the values one after the other, and begins and
// ends containers around them.
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
// The writer remembers the first misuse, or the first time that memory runs out, and every later call fails.
// So it is enough to check the result of oclite_flex_finish. Calls with a writer of NULL fail, too. A writer
// is used by one thread at a time.
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

// Creates a writer of an empty document. Returns NULL when memory runs out. The caller deletes it.
TFL_CAPI_EXPORT extern OcliteFlexWriter* oclite_flex_writer_create(void);
// Accepts NULL.
TFL_CAPI_EXPORT extern void oclite_flex_writer_delete(OcliteFlexWriter* writer);

// Returns the first error; "" when there is none. Never returns NULL. The text belongs to the writer.
TFL_CAPI_EXPORT extern const char* oclite_flex_writer_error(const OcliteFlexWriter* writer);

// Write a value in as few bytes as hold it. A double takes those of a float when the float is the same
// number.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_null(OcliteFlexWriter* writer);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_int(OcliteFlexWriter* writer, int64_t value);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_uint(OcliteFlexWriter* writer, uint64_t value);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_float(OcliteFlexWriter* writer, double value);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_bool(OcliteFlexWriter* writer, bool value);
// Writes a string of `length` bytes, or a blob of `size` bytes. The bytes may be any, zeros included. NULL is
// allowed when the length is 0.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_string(OcliteFlexWriter* writer, const char* text,
                                                             size_t length);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_blob(OcliteFlexWriter* writer, const void* bytes,
                                                           size_t size);

// Write a number apart from its vector or map, so that one large number does not widen all the others.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_indirect_int(OcliteFlexWriter* writer, int64_t value);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_indirect_uint(OcliteFlexWriter* writer, uint64_t value);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_indirect_float(OcliteFlexWriter* writer, double value);

// Writes a key. In a map it alternates with the values and names the value that is written next; elsewhere,
// and directly after a key, it is a value. Equal keys are stored once.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_write_key(OcliteFlexWriter* writer, const char* key);

// Begin a container: everything that is written until the matching oclite_flex_end becomes one value. A map
// takes keys and values in turn. The keys may come in any order, each key once. The elements of a typed
// vector are ints, uints, floats, bools, keys or strings (a reader sees only the bytes of such a string
// before its first zero). Those of a fixed vector are two, three or four ints, uints or floats.
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_begin_map(OcliteFlexWriter* writer);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_begin_vector(OcliteFlexWriter* writer);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_begin_typed_vector(OcliteFlexWriter* writer,
                                                                   OcliteFlexKind element);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_begin_fixed_vector(OcliteFlexWriter* writer,
                                                                   OcliteFlexKind element);
TFL_CAPI_EXPORT extern TfLiteStatus oclite_flex_end(OcliteFlexWriter* writer);

// Returns the document and its size in bytes, after exactly one value has been written. The document belongs
// to the writer, which accepts nothing more. Returns NULL, with *size 0, after an error. `size` may be NULL.
TFL_CAPI_EXPORT extern const void* oclite_flex_finish(OcliteFlexWriter* writer, size_t* size);

#ifdef __cplusplus
}
#endif

#endif
