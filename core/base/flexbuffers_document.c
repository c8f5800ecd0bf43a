// SPDX-License-Identifier: Apache-2.0
#include "core/base/flexbuffers_document.h"

#include <string.h>

#include "core/base/memory.h"
#include "core/base/shape.h"

void lite_flex_document_free(LiteFlexDocument* d) {
    lite_free(d->bytes);
    lite_free(d->keys);
}

TfLiteStatus lite_flex_fail(LiteFlexDocument* d, const char* message) {
    if (d->error == NULL) d->error = message;
    return kTfLiteError;
}

void* lite_flex_reserve(LiteFlexDocument* d, void* array, size_t* capacity, size_t needed, size_t element) {
    if (needed <= *capacity) return array;
    size_t bytes;
    const size_t wanted = needed < 8 ? 8 : needed;
    const bool fits = lite_size_mul(wanted, 2 * element, &bytes);
    void* larger = fits ? lite_realloc(array, bytes) : NULL;
    if (larger == NULL)
        lite_flex_fail(d, "out of memory");
    else
        *capacity = 2 * wanted;
    return larger;
}

TfLiteStatus lite_flex_append(LiteFlexDocument* d, const void* data, size_t size) {
    if (size > SIZE_MAX - d->size) return lite_flex_fail(d, "out of memory");
    uint8_t* bytes = lite_flex_reserve(d, d->bytes, &d->capacity, d->size + size, 1);
    if (bytes == NULL) return kTfLiteError;
    d->bytes = bytes;
    if (data != NULL)
        memcpy(bytes + d->size, data, size);
    else
        memset(bytes + d->size, 0, size);
    d->size += size;
    return kTfLiteOk;
}

TfLiteStatus lite_flex_append_number(LiteFlexDocument* d, uint64_t bits, unsigned log) {
    uint8_t bytes[8];
    for (unsigned i = 0; i < 8; i++) bytes[i] = (uint8_t)(bits >> (8 * i));
    return lite_flex_append(d, bytes, (size_t)1 << log);
}

TfLiteStatus lite_flex_append_float(LiteFlexDocument* d, uint64_t bits, unsigned log) {
    if (log == 3) return lite_flex_append_number(d, bits, log);
    double wide;
    uint32_t low;
    memcpy(&wide, &bits, sizeof wide);
    const float narrow = (float)wide;
    memcpy(&low, &narrow, sizeof low);
    return lite_flex_append_number(d, low, log);
}

size_t lite_flex_padding(size_t size, unsigned log) {
    return (~size + 1) & (((size_t)1 << log) - 1);
}

TfLiteStatus lite_flex_align(LiteFlexDocument* d, unsigned log) {
    const size_t zeros = lite_flex_padding(d->size, log);
    return zeros == 0 ? kTfLiteOk : lite_flex_append(d, NULL, zeros);
}

const char* lite_flex_key(const LiteFlexDocument* d, size_t place) {
    return (const char*)d->bytes + place;
}

// The slot of a key, or the empty one where it belongs.
static size_t* key_slot(const LiteFlexDocument* d, const char* key) {
    uint64_t hash = UINT64_C(14695981039346656037); // FNV-1a
    for (const char* c = key; *c != 0; c++) hash = (hash ^ (uint8_t)*c) * UINT64_C(1099511628211);
    size_t i = (size_t)(hash ^ hash >> 32) & (d->key_slots - 1);
    while (d->keys[i] != 0 && strcmp(lite_flex_key(d, d->keys[i] - 1), key) != 0)
        i = (i + 1) & (d->key_slots - 1);
    return &d->keys[i];
}

// At least half of the slots stay empty.
static TfLiteStatus reserve_key(LiteFlexDocument* d) {
    if (2 * (d->key_count + 1) <= d->key_slots) return kTfLiteOk;
    const size_t old_slots = d->key_slots;
    size_t* old = d->keys;
    size_t* keys = lite_calloc(old_slots == 0 ? 16 : 2 * old_slots, sizeof *keys);
    if (keys == NULL) return lite_flex_fail(d, "out of memory");
    d->keys = keys;
    d->key_slots = old_slots == 0 ? 16 : 2 * old_slots;
    for (size_t i = 0; i < old_slots; i++) {
        if (old[i] != 0) *key_slot(d, lite_flex_key(d, old[i] - 1)) = old[i];
    }
    lite_free(old);
    return kTfLiteOk;
}

TfLiteStatus lite_flex_store_key(LiteFlexDocument* d, const char* key, size_t* place) {
    if (reserve_key(d) != kTfLiteOk) return kTfLiteError;
    size_t* slot = key_slot(d, key);
    if (*slot == 0) {
        const size_t end = d->size;
        if (lite_flex_append(d, key, strlen(key) + 1) != kTfLiteOk) return kTfLiteError;
        *slot = end + 1;
        d->key_count++;
    }
    *place = *slot - 1;
    return kTfLiteOk;
}
