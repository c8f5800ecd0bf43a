// SPDX-License-Identifier: Apache-2.0
// The bytes of a FlexBuffers document that is being written: they are only appended to. Each key is in it
// once.
#ifndef CORE_BASE_FLEXBUFFERS_DOCUMENT_H_
#define CORE_BASE_FLEXBUFFERS_DOCUMENT_H_

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/core/c/c_api_types.h"

// Zeros are an empty document.
typedef struct LiteFlexDocument {
    uint8_t* bytes;
    size_t size, capacity;
    size_t* keys; // hash table of the places of all keys, plus 1; as many slots as a power of two
    size_t key_count, key_slots;
    const char* error; // the first one; NULL
} LiteFlexDocument;

void lite_flex_document_free(LiteFlexDocument* d);

// Keeps the message, unless there was one before. Returns kTfLiteError.
TfLiteStatus lite_flex_fail(LiteFlexDocument* d, const char* message);

// `array`, or a larger copy of it, with room for `needed` elements; NULL, and an error of the document, when
// out of memory.
void* lite_flex_reserve(LiteFlexDocument* d, void* array, size_t* capacity, size_t needed, size_t element);

// Zeros when `data` is NULL.
TfLiteStatus lite_flex_append(LiteFlexDocument* d, const void* data, size_t size);
// In 2^log bytes: the lowest bits, or the double that `bits` are.
TfLiteStatus lite_flex_append_number(LiteFlexDocument* d, uint64_t bits, unsigned log);
TfLiteStatus lite_flex_append_float(LiteFlexDocument* d, uint64_t bits, unsigned log);

// How many bytes there are from `size` to the next multiple of 2^log; appends as many zeros to the document.
size_t lite_flex_padding(size_t size, unsigned log);
TfLiteStatus lite_flex_align(LiteFlexDocument* d, unsigned log);

// The key at a place. Where a key is; appends one that is not there yet.
const char* lite_flex_key(const LiteFlexDocument* d, size_t place);
TfLiteStatus lite_flex_store_key(LiteFlexDocument* d, const char* key, size_t* place);

#endif
