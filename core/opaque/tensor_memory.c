// SPDX-License-Identifier: Apache-2.0
// The functions of common.h that own, copy and release what a TfLiteTensor points to.
// Also linked into the delegate plugin, so nothing but core/base and the public structs is used here.
#include <stddef.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/status.h"
#include "tensorflow/lite/c/common.h"

// The alignment of the arenas, so that a kernel may load vectors from any tensor. A program's allocator is
// asked for no more than malloc gives.
enum { kTensorAlignment = 64, kAskedAlignment = _Alignof(max_align_t) };

static void* default_allocate(void* data, size_t bytes, size_t alignment) {
    (void)data;
    (void)alignment;
    return lite_aligned_alloc(kTensorAlignment, bytes);
}

static void default_deallocate(void* data, void* pointer, size_t bytes, size_t alignment) {
    (void)data;
    (void)bytes;
    (void)alignment;
    lite_free(pointer);
}

static void* default_reallocate(void* data, void* pointer, size_t old_bytes, size_t new_bytes,
                                size_t alignment) {
    void* moved = default_allocate(data, new_bytes, alignment);
    if (moved == NULL) return NULL;
    memcpy(moved, pointer, old_bytes < new_bytes ? old_bytes : new_bytes);
    default_deallocate(data, pointer, old_bytes, alignment);
    return moved;
}

static const TfLiteAllocator default_allocator = {
    .allocate = default_allocate,
    .reallocate = default_reallocate,
    .deallocate = default_deallocate,
};

// Whether the tensor owns the memory of its data.
static bool owns_data(const TfLiteTensor* t) {
    return t->allocation_type == kTfLiteDynamic || t->allocation_type == kTfLitePersistentRo;
}

void TfLiteTensorDataFreeWithAllocator(TfLiteTensor* t, TfLiteAllocator* allocator) {
    if (t == NULL) return;
    const TfLiteAllocator* a = allocator ? allocator : &default_allocator;
    if (owns_data(t) && t->data.raw != NULL) a->deallocate(a->data, t->data.raw, t->bytes, kAskedAlignment);
    t->data.raw = NULL;
}

void TfLiteTensorDataFree(TfLiteTensor* t) {
    TfLiteTensorDataFreeWithAllocator(t, NULL);
}

void TfLiteQuantizationFree(TfLiteQuantization* quantization) {
    if (quantization == NULL) return;
    // Clients that say kTfLiteNoQuantization leave the parameters unset.
    void* params = quantization->type != kTfLiteNoQuantization ? quantization->params : NULL;
    if (params != NULL && quantization->type == kTfLiteAffineQuantization) {
        TfLiteAffineQuantization* affine = params;
        TfLiteFloatArrayFree(affine->scale);
        TfLiteIntArrayFree(affine->zero_point);
    }
    if (params != NULL && quantization->type == kTfLiteMultiAxisQuantization) {
        TfLiteMultiAxisQuantization* multi = params;
        TfLiteIntArrayFree(multi->quantized_dimensions);
    }
    lite_free(params);
    quantization->params = NULL;
    quantization->type = kTfLiteNoQuantization;
}

void TfLiteSparsityFree(TfLiteSparsity* sparsity) {
    if (sparsity == NULL) return;
    for (int i = 0; sparsity->dim_metadata != NULL && i < sparsity->dim_metadata_size; i++) {
        // Clients leave the arrays of a dense dimension unset.
        if (sparsity->dim_metadata[i].format != kTfLiteDimSparseCSR) continue;
        TfLiteIntArrayFree(sparsity->dim_metadata[i].array_segments);
        TfLiteIntArrayFree(sparsity->dim_metadata[i].array_indices);
    }
    TfLiteIntArrayFree(sparsity->traversal_order);
    TfLiteIntArrayFree(sparsity->block_map);
    lite_free(sparsity->dim_metadata);
    lite_free(sparsity);
}

void TfLiteTensorFree(TfLiteTensor* t) {
    if (t == NULL) return;
    TfLiteTensorDataFree(t);
    TfLiteIntArrayFree(t->dims);
    t->dims = NULL;
    TfLiteIntArrayFree((TfLiteIntArray*)t->dims_signature);
    t->dims_signature = NULL;
    TfLiteQuantizationFree(&t->quantization);
    TfLiteSparsityFree(t->sparsity);
    t->sparsity = NULL;
}

void TfLiteTensorReset(TfLiteType type, const char* name, TfLiteIntArray* dims,
                       TfLiteQuantizationParams quantization, char* buffer, size_t size,
                       TfLiteAllocationType allocation_type, const void* allocation, bool is_variable,
                       TfLiteTensor* tensor) {
    if (tensor == NULL) return;
    TfLiteTensorFree(tensor);
    tensor->type = type;
    tensor->name = name;
    tensor->dims = dims;
    tensor->params = quantization;
    tensor->data.raw = buffer;
    tensor->bytes = size;
    tensor->allocation_type = allocation_type;
    tensor->allocation = allocation;
    tensor->is_variable = is_variable;
}

TfLiteStatus TfLiteTensorCopy(const TfLiteTensor* src, TfLiteTensor* dst) {
    if (src == NULL || dst == NULL || src == dst) return kTfLiteOk;
    if (src->bytes != dst->bytes) return kTfLiteError;
    if (src->bytes > 0 && (src->data.raw == NULL || dst->data.raw == NULL)) return kTfLiteError;
    TfLiteIntArray* dims = TfLiteIntArrayCopy(src->dims);
    if (dims == NULL && src->dims != NULL) return kTfLiteError;
    TfLiteIntArrayFree(dst->dims);
    dst->dims = dims;
    dst->type = src->type;
    if (src->bytes > 0) memmove(dst->data.raw, src->data.raw, src->bytes);
    dst->buffer_handle = src->buffer_handle;
    dst->data_is_stale = src->data_is_stale;
    dst->delegate = src->delegate;
    return kTfLiteOk;
}

static bool clone_quantization(const TfLiteQuantization* src, TfLiteQuantization* dst) {
    static const size_t sizes[] = {
        [kTfLiteAffineQuantization] = sizeof(TfLiteAffineQuantization),
        [kTfLiteBlockwiseQuantization] = sizeof(TfLiteBlockwiseQuantization),
        [kTfLiteMultiAxisQuantization] = sizeof(TfLiteMultiAxisQuantization),
    };
    if ((size_t)src->type >= sizeof sizes / sizeof sizes[0] || sizes[src->type] == 0) return true;
    if (src->params == NULL) return true;
    dst->params = lite_malloc(sizes[src->type]);
    if (dst->params == NULL) return false;
    memcpy(dst->params, src->params, sizes[src->type]);
    dst->type = src->type;
    if (src->type == kTfLiteAffineQuantization) {
        const TfLiteAffineQuantization* from = src->params;
        TfLiteAffineQuantization* to = dst->params;
        to->scale = TfLiteFloatArrayCopy(from->scale);
        to->zero_point = TfLiteIntArrayCopy(from->zero_point);
        return !from->scale == !to->scale && !from->zero_point == !to->zero_point;
    }
    if (src->type == kTfLiteMultiAxisQuantization) {
        const TfLiteMultiAxisQuantization* from = src->params;
        TfLiteMultiAxisQuantization* to = dst->params;
        to->quantized_dimensions = TfLiteIntArrayCopy(from->quantized_dimensions);
        return !from->quantized_dimensions == !to->quantized_dimensions;
    }
    return true;
}

static TfLiteSparsity* clone_sparsity(const TfLiteSparsity* src) {
    TfLiteSparsity* dst = lite_calloc(1, sizeof *dst);
    if (dst == NULL) return NULL;
    const int count = src->dim_metadata != NULL && src->dim_metadata_size > 0 ? src->dim_metadata_size : 0;
    dst->traversal_order = TfLiteIntArrayCopy(src->traversal_order);
    dst->block_map = TfLiteIntArrayCopy(src->block_map);
    dst->dim_metadata = lite_calloc((size_t)count + 1, sizeof *dst->dim_metadata);
    dst->dim_metadata_size = dst->dim_metadata != NULL ? count : 0;
    bool complete = dst->dim_metadata != NULL && !src->traversal_order == !dst->traversal_order &&
                    !src->block_map == !dst->block_map;
    for (int i = 0; complete && i < count; i++) {
        const TfLiteDimensionMetadata* from = &src->dim_metadata[i];
        TfLiteDimensionMetadata* to = &dst->dim_metadata[i];
        to->format = from->format;
        to->dense_size = from->dense_size;
        if (from->format != kTfLiteDimSparseCSR) continue;
        to->array_segments = TfLiteIntArrayCopy(from->array_segments);
        to->array_indices = TfLiteIntArrayCopy(from->array_indices);
        complete = !from->array_segments == !to->array_segments && !from->array_indices == !to->array_indices;
    }
    if (complete) return dst;
    TfLiteSparsityFree(dst);
    return NULL;
}

TfLiteTensor TfLiteTensorClone(TfLiteTensor src) {
    TfLiteTensor dst = src;
    dst.data.raw = NULL;
    dst.dims = TfLiteIntArrayCopy(src.dims);
    dst.dims_signature = TfLiteIntArrayCopy(src.dims_signature);
    dst.quantization = (TfLiteQuantization){kTfLiteNoQuantization, NULL};
    dst.sparsity = src.sparsity != NULL ? clone_sparsity(src.sparsity) : NULL;
    bool complete = clone_quantization(&src.quantization, &dst.quantization) && !src.dims == !dst.dims &&
                    !src.dims_signature == !dst.dims_signature && !src.sparsity == !dst.sparsity;
    if (src.data.raw != NULL && !owns_data(&src)) {
        // Both tensors point to the memory of someone else. But an object has only one owner.
        if (src.allocation_type != kTfLiteVariantObject) dst.data = src.data;
    } else if (src.data.raw != NULL) {
        dst.data.raw = default_allocate(NULL, src.bytes > 0 ? src.bytes : 1, kAskedAlignment);
        if (dst.data.raw != NULL) memcpy(dst.data.raw, src.data.raw, src.bytes);
        complete = complete && dst.data.raw != NULL;
    }
    if (complete) return dst;
    TfLiteTensorFree(&dst);
    return (TfLiteTensor){0};
}

TfLiteStatus TfLiteTensorResizeMaybeCopyWithAllocator(size_t num_bytes, TfLiteTensor* tensor,
                                                      bool preserve_data, TfLiteAllocator* allocator) {
    if (tensor == NULL) return kTfLiteError;
    if (!owns_data(tensor)) return kTfLiteOk;
    if (num_bytes > PTRDIFF_MAX) {
        // No memory is that large. As in the reference the tensor lets go of its data, for its user to free.
        tensor->data.raw = NULL;
        tensor->bytes = 0;
        return kTfLiteError;
    }
    const TfLiteAllocator* a = allocator ? allocator : &default_allocator;
    // Even for 0 bytes there is a pointer: NULL would mean "not there yet".
    const size_t wanted = num_bytes > 0 ? num_bytes : 1;
    if (tensor->data.raw == NULL) {
        tensor->data.raw = a->allocate(a->data, wanted, kAskedAlignment);
    } else if (num_bytes > tensor->bytes && preserve_data) {
        void* moved = a->reallocate(a->data, tensor->data.raw, tensor->bytes, wanted, kAskedAlignment);
        if (moved == NULL) return kTfLiteError;
        tensor->data.raw = moved;
    } else if (num_bytes > tensor->bytes) {
        a->deallocate(a->data, tensor->data.raw, tensor->bytes, kAskedAlignment);
        tensor->data.raw = a->allocate(a->data, wanted, kAskedAlignment);
    }
    tensor->bytes = tensor->data.raw != NULL ? num_bytes : 0;
    return tensor->data.raw != NULL ? kTfLiteOk : kTfLiteError;
}

TfLiteStatus TfLiteTensorResizeMaybeCopy(size_t num_bytes, TfLiteTensor* tensor, bool preserve_data) {
    return TfLiteTensorResizeMaybeCopyWithAllocator(num_bytes, tensor, preserve_data, NULL);
}

TfLiteStatus TfLiteTensorReallocWithAllocator(size_t num_bytes, TfLiteTensor* tensor,
                                              TfLiteAllocator* allocator) {
    return TfLiteTensorResizeMaybeCopyWithAllocator(num_bytes, tensor, true, allocator);
}

TfLiteStatus TfLiteTensorRealloc(size_t num_bytes, TfLiteTensor* tensor) {
    return TfLiteTensorReallocWithAllocator(num_bytes, tensor, NULL);
}

const TfLiteIntArray* TfLiteTensorGetDimsSignature(const TfLiteTensor* t) {
    if (t == NULL) return NULL;
    return t->dims_signature != NULL && t->dims_signature->size > 0 ? t->dims_signature : t->dims;
}
