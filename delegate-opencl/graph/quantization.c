// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/graph/quantization.h"

#include <stdint.h>
#include <string.h>

#include "core/base/lock.h"
#include "core/base/memory.h"
#include "core/base/xxh64.h"

// Its scales and zero points lie in `words`, as TfLiteFloatArray and TfLiteIntArray have them: a count and as
// many words. Those of equal copies are equal.
typedef struct Copy {
    TfLiteAffineQuantization affine; // first: what users have is its address
    struct Copy** slot;
    struct Copy* next; // in its slot
    size_t users;
    size_t bytes;
    int words[];
} Copy;

enum { kSlots = 256 };
static LiteLock lock = LITE_LOCK_INITIALIZER; // of all below
static Copy* slots[kSlots];

// Of a list that may be absent; both kinds are alike.
static size_t bytes_of(const void* list) {
    return list != NULL ? (size_t)TfLiteIntArrayGetSizeInBytes(((const TfLiteIntArray*)list)->size) : 0;
}

static Copy* create(const TfLiteAffineQuantization* from) {
    enum { FIRST = 2 }; // the dimension, and which lists there are
    const size_t scales = bytes_of(from->scale), zero_points = bytes_of(from->zero_point);
    const size_t bytes = FIRST * sizeof(int) + scales + zero_points;
    Copy* copy = lite_malloc(sizeof *copy + bytes);
    if (copy == NULL) return NULL;
    copy->affine.quantized_dimension = copy->words[0] = from->quantized_dimension;
    copy->words[1] = (scales > 0) + 2 * (zero_points > 0);
    copy->bytes = bytes;
    unsigned char* to = (unsigned char*)(copy->words + FIRST);
    copy->affine.scale = scales > 0 ? memcpy(to, from->scale, scales) : NULL;
    copy->affine.zero_point = zero_points > 0 ? memcpy(to + scales, from->zero_point, zero_points) : NULL;
    return copy;
}

// With the lock held: a user more of the one that is equal, if there is one.
static Copy* enter(Copy* copy) {
    Copy** slot = &slots[lite_xxh64(copy->words, copy->bytes, 0) % kSlots];
    for (Copy* other = *slot; other != NULL; other = other->next) {
        if (other->bytes != copy->bytes || memcmp(other->words, copy->words, copy->bytes) != 0) continue;
        lite_free(copy);
        other->users++;
        return other;
    }
    copy->users = 1;
    copy->slot = slot;
    copy->next = *slot;
    *slot = copy;
    return copy;
}

const TfLiteAffineQuantization* lite_cl_quantization_copy(const TfLiteAffineQuantization* from) {
    Copy* copy = create(from);
    if (copy == NULL) return NULL;
    lite_lock(&lock);
    copy = enter(copy);
    lite_unlock(&lock);
    return &copy->affine;
}

void lite_cl_quantization_release(const TfLiteAffineQuantization* affine) {
    Copy* copy = (Copy*)(uintptr_t)affine;
    if (copy == NULL) return;
    lite_lock(&lock);
    if (--copy->users == 0) {
        Copy** link = copy->slot;
        while (*link != copy) link = &(*link)->next;
        *link = copy->next;
        lite_free(copy);
    }
    lite_unlock(&lock);
}
