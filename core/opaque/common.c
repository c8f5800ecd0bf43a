// SPDX-License-Identifier: Apache-2.0
// The functions of common.h: arrays, delegates, and what a tensor's memory allows one to assume.
// Also linked into the delegate plugin, so nothing but core/base and the public structs is used here.
#include <string.h>

#include "core/base/memory.h"
#include "core/base/no_ints.h"
#include "core/base/shape.h"
#include "tensorflow/lite/c/common.h"

// Both kinds of array have the same functions; only the element type differs.
#define DEFINE_ARRAY(Array, element)                                                                         \
    static bool Array##_bytes(int size, size_t* bytes) {                                                     \
        if (size < 0 || !lite_size_mul((size_t)size, sizeof(element), bytes)) return false;                  \
        if (*bytes > SIZE_MAX - sizeof(Array)) return false;                                                 \
        *bytes += sizeof(Array);                                                                             \
        return true;                                                                                         \
    }                                                                                                        \
                                                                                                             \
    Array* Array##Create(int size) {                                                                         \
        size_t bytes;                                                                                        \
        if (!Array##_bytes(size, &bytes)) return NULL;                                                       \
        Array* array = lite_malloc(bytes);                                                                   \
        if (array == NULL) return NULL;                                                                      \
        array->size = size;                                                                                  \
        return array;                                                                                        \
    }                                                                                                        \
                                                                                                             \
    Array* Array##Copy(const Array* src) {                                                                   \
        if (src == NULL) return NULL;                                                                        \
        Array* copy = Array##Create(src->size);                                                              \
        if (copy == NULL) return NULL;                                                                       \
        memcpy(copy->data, src->data, (size_t)src->size * sizeof(element));                                  \
        return copy;                                                                                         \
    }                                                                                                        \
                                                                                                             \
    void Array##Free(Array* a) {                                                                             \
        if ((void*)a != (void*)lite_no_ints()) lite_free(a);                                                 \
    }

DEFINE_ARRAY(TfLiteIntArray, int)
DEFINE_ARRAY(TfLiteFloatArray, float)

size_t TfLiteIntArrayGetSizeInBytes(int size) {
    size_t bytes;
    return TfLiteIntArray_bytes(size, &bytes) ? bytes : 0;
}

int TfLiteFloatArrayGetSizeInBytes(int size) {
    size_t bytes;
    return TfLiteFloatArray_bytes(size, &bytes) && bytes <= INT32_MAX ? (int)bytes : 0;
}

int TfLiteIntArrayEqual(const TfLiteIntArray* a, const TfLiteIntArray* b) {
    if (a == b) return 1;
    if (a == NULL || b == NULL) return 0;
    return TfLiteIntArrayEqualsArray(a, b->size, b->data);
}

int TfLiteIntArrayEqualsArray(const TfLiteIntArray* a, int b_size, const int b_data[]) {
    if (a == NULL) return b_size == 0;
    if (a->size != b_size) return 0;
    return b_size <= 0 || (b_data != NULL && memcmp(a->data, b_data, (size_t)b_size * sizeof(int)) == 0);
}

const char* TfLiteTypeGetName(TfLiteType type) {
    static const char* const names[] = {
        [kTfLiteNoType] = "NOTYPE",
        [kTfLiteFloat32] = "FLOAT32",
        [kTfLiteInt32] = "INT32",
        [kTfLiteUInt8] = "UINT8",
        [kTfLiteInt64] = "INT64",
        [kTfLiteString] = "STRING",
        [kTfLiteBool] = "BOOL",
        [kTfLiteInt16] = "INT16",
        [kTfLiteComplex64] = "COMPLEX64",
        [kTfLiteInt8] = "INT8",
        [kTfLiteFloat16] = "FLOAT16",
        [kTfLiteFloat64] = "FLOAT64",
        [kTfLiteComplex128] = "COMPLEX128",
        [kTfLiteUInt64] = "UINT64",
        [kTfLiteResource] = "RESOURCE",
        [kTfLiteVariant] = "VARIANT",
        [kTfLiteUInt32] = "UINT32",
        [kTfLiteUInt16] = "UINT16",
        [kTfLiteInt4] = "INT4",
        [kTfLiteBFloat16] = "BFLOAT16",
        [kTfLiteInt2] = "INT2",
        [kTfLiteUInt4] = "UINT4",
        [kTfLiteFloat8E4M3FN] = "FLOAT8E4M3FN",
        [kTfLiteFloat8E5M2] = "FLOAT8E5M2",
    };
    const size_t index = (size_t)type;
    return index < sizeof names / sizeof names[0] ? names[index] : "Unknown type";
}

TfLiteDelegate TfLiteDelegateCreate(void) {
    const TfLiteDelegate delegate = {0};
    return delegate;
}

TfLiteOpaqueDelegate* TfLiteOpaqueDelegateCreate(const TfLiteOpaqueDelegateBuilder* opaque_delegate_builder) {
    if (opaque_delegate_builder == NULL) return NULL;
    TfLiteDelegate* delegate = lite_calloc(1, sizeof *delegate);
    TfLiteOpaqueDelegateBuilder* builder = lite_malloc(sizeof *builder);
    if (delegate == NULL || builder == NULL) {
        lite_free(delegate);
        lite_free(builder);
        return NULL;
    }
    *builder = *opaque_delegate_builder;
    delegate->opaque_delegate_builder = builder;
    return delegate;
}

void TfLiteOpaqueDelegateDelete(TfLiteOpaqueDelegate* delegate) {
    if (delegate == NULL) return;
    lite_free(delegate->opaque_delegate_builder);
    lite_free(delegate);
}

void* TfLiteOpaqueDelegateGetData(const TfLiteOpaqueDelegate* delegate) {
    if (delegate == NULL) return NULL;
    return delegate->opaque_delegate_builder ? delegate->opaque_delegate_builder->data : delegate->data_;
}

void* TfLiteKernelInitFailed(void) {
    return (void*)(intptr_t)-1;
}

// What each kind of memory says about a tensor. kTfLiteCustom and kTfLiteNonCpu belong to the program, about
// which nothing is known: the zeros of these enums.
typedef struct AllocationFacts {
    TfLiteAllocationStrategy strategy;
    TfLiteRunStability address;
    TfLiteRunStability data;
    TfLiteRunStep data_known;
    TfLiteRunStep shape_known;
} AllocationFacts;

static const AllocationFacts* allocation_facts(const TfLiteTensor* t) {
    static const AllocationFacts unknown = {0};
    static const AllocationFacts facts[] = {
        [kTfLiteMemNone] = {kTfLiteAllocationStrategyNone, kTfLiteRunStabilityAcrossRuns,
                            kTfLiteRunStabilityAcrossRuns, kTfLiteRunStepInit, kTfLiteRunStepInit},
        [kTfLiteMmapRo] = {kTfLiteAllocationStrategyMMap, kTfLiteRunStabilityAcrossRuns,
                           kTfLiteRunStabilityAcrossRuns, kTfLiteRunStepInit, kTfLiteRunStepInit},
        [kTfLiteArenaRw] = {kTfLiteAllocationStrategyArena, kTfLiteRunStabilityUnstable,
                            kTfLiteRunStabilitySingleRun, kTfLiteRunStepEval, kTfLiteRunStepPrepare},
        [kTfLiteArenaRwPersistent] = {kTfLiteAllocationStrategyArena, kTfLiteRunStabilityUnstable,
                                      kTfLiteRunStabilityAcrossRuns, kTfLiteRunStepEval,
                                      kTfLiteRunStepPrepare},
        [kTfLiteDynamic] = {kTfLiteAllocationStrategyMalloc, kTfLiteRunStabilitySingleRun,
                            kTfLiteRunStabilitySingleRun, kTfLiteRunStepEval, kTfLiteRunStepEval},
        [kTfLitePersistentRo] = {kTfLiteAllocationStrategyMalloc, kTfLiteRunStabilitySingleRun,
                                 kTfLiteRunStabilitySingleRun, kTfLiteRunStepPrepare, kTfLiteRunStepPrepare},
        [kTfLiteCustom] = {0},
        [kTfLiteVariantObject] = {kTfLiteAllocationStrategyNew, kTfLiteRunStabilityAcrossRuns,
                                  kTfLiteRunStabilitySingleRun, kTfLiteRunStepEval, kTfLiteRunStepEval},
    };
    if (t == NULL || (size_t)t->allocation_type >= sizeof facts / sizeof facts[0]) return &unknown;
    return &facts[t->allocation_type];
}

TfLiteAllocationStrategy TfLiteTensorGetAllocationStrategy(const TfLiteTensor* t) {
    return allocation_facts(t)->strategy;
}

TfLiteRunStability TfLiteTensorGetBufferAddressStability(const TfLiteTensor* t) {
    return allocation_facts(t)->address;
}

TfLiteRunStability TfLiteTensorGetDataStability(const TfLiteTensor* t) {
    return allocation_facts(t)->data;
}

TfLiteRunStep TfLiteTensorGetDataKnownStep(const TfLiteTensor* t) {
    return allocation_facts(t)->data_known;
}

TfLiteRunStep TfLiteTensorGetShapeKnownStep(const TfLiteTensor* t) {
    return allocation_facts(t)->shape_known;
}
