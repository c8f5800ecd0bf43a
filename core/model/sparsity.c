// SPDX-License-Identifier: Apache-2.0
// Sparse constants. The dimensions of the tensor, then those of its blocks, are stored in the order of
// traversal_order. Each is dense or compressed (CSR): the children of node n of a compressed dimension are
// array_indices[array_segments[n] .. array_segments[n + 1]). Kernels use these numbers as indices, so all of
// them are checked.
#include "core/model/sparsity.h"

#include "core/base/shape.h"

// An index vector of 8, 16 or 32 bits as an array of int; NULL in *result when absent.
static TfLiteStatus read_indices(LiteLoader* loader, LiteFlatTable dimension, int type_id,
                                 TfLiteIntArray** result) {
    *result = NULL;
    const int type = lite_flat_u8(dimension, type_id);
    const LiteFlatTable table = lite_flat_child(dimension, type_id + 1);
    if (type == kSparseIndexNone || type > kSparseIndexUint8 || table.at == NULL) return kTfLiteOk;
    const LiteFlatVector vector = lite_flat_vector(table, 0);
    if (vector.data == NULL || type == kSparseIndexInt32) {
        *result = lite_load_int_array(vector);
        return kTfLiteOk;
    }
    TfLiteIntArray* array = lite_load_alloc(loader, (size_t)vector.count + 1, sizeof(int));
    if (array == NULL) return kTfLiteError;
    array->size = (int)vector.count;
    for (uint32_t i = 0; i < vector.count; i++) {
        array->data[i] = type == kSparseIndexUint8 ? vector.data[i] : lite_flat_load_u16(vector.data + 2 * i);
    }
    *result = array;
    return kTfLiteOk;
}

// `order` is a permutation of [0, order->size) with the tensor's `rank` dimensions first, then the blocks'.
static TfLiteStatus check_traversal(LiteLoader* loader, const TfLiteIntArray* order, int rank) {
    uint8_t* seen = lite_load_alloc(loader, (size_t)order->size, 1);
    if (seen == NULL) return kTfLiteError;
    for (int i = 0; i < order->size; i++) {
        const int dimension = order->data[i];
        const int first = i < rank ? 0 : rank;
        const int end = i < rank ? rank : order->size;
        if (dimension < first || dimension >= end || seen[dimension]) {
            return lite_load_fail(loader,
                                  "sparsity: traversal_order[%d] is %d, expected each of [%d, %d) once", i,
                                  dimension, first, end);
        }
        seen[dimension] = 1;
    }
    return kTfLiteOk;
}

// The compressed dimension `d` of length `length` whose parents are `nodes` nodes.
static TfLiteStatus check_compressed(LiteLoader* loader, int d, const TfLiteDimensionMetadata* dimension,
                                     int64_t nodes, int length) {
    const TfLiteIntArray* segments = dimension->array_segments;
    const TfLiteIntArray* indices = dimension->array_indices;
    if (segments == NULL || indices == NULL || segments->size != nodes + 1) {
        return lite_load_fail(loader, "sparsity: dimension %d has %d segments, expected %lld", d,
                              segments == NULL ? 0 : segments->size, (long long)nodes + 1);
    }
    LITE_TRY(lite_load_charge(loader, (size_t)segments->size + (size_t)indices->size));
    for (int i = 0; i < segments->size; i++) {
        const int least = i == 0 ? 0 : segments->data[i - 1];
        const int greatest = i == 0 ? 0 : indices->size;
        if (segments->data[i] < least || segments->data[i] > greatest) {
            return lite_load_fail(loader, "sparsity: dimension %d: array_segments[%d] is %d, not in [%d, %d]",
                                  d, i, segments->data[i], least, greatest);
        }
    }
    for (int i = 0; i < indices->size; i++) {
        if (indices->data[i] < 0 || indices->data[i] >= length) {
            return lite_load_fail(loader, "sparsity: dimension %d: array_indices[%d] is %d, not in [0, %d)",
                                  d, i, indices->data[i], length);
        }
    }
    if (segments->data[segments->size - 1] != indices->size) {
        return lite_load_fail(loader, "sparsity: dimension %d has %d indices, its segments end at %d", d,
                              indices->size, segments->data[segments->size - 1]);
    }
    return kTfLiteOk;
}

// The lengths of all dimensions, by their number. Those of the tensor are divided by those of the blocks,
// which follow.
static TfLiteStatus read_lengths(LiteLoader* loader, const LiteModelTensor* tensor,
                                 const TfLiteSparsity* sparsity, LiteFlatVector dimensions, int* lengths) {
    const int rank = tensor->shape.count;
    const int blocks = sparsity->block_map == NULL ? 0 : sparsity->block_map->size;
    for (int i = 0; i < rank; i++) lengths[i] = tensor->shape.data[i];
    for (int position = rank; position < rank + blocks; position++) {
        const int block = sparsity->traversal_order->data[position] - rank;
        const int mapped = sparsity->block_map->data[block];
        const int length =
            lite_flat_i32(lite_flat_element(dimensions, (uint32_t)position), kDimensionDenseSize, 0);
        if (mapped < 0 || mapped >= rank || length <= 0 || lengths[mapped] % length != 0) {
            return lite_load_fail(loader,
                                  "sparsity: block dimension %d of length %d cannot divide dimension %d",
                                  block, length, mapped);
        }
        lengths[rank + block] = length;
        lengths[mapped] /= length;
    }
    return kTfLiteOk;
}

// Reads and checks dimension `position` of the traversal; *nodes becomes the number of its nodes.
static TfLiteStatus read_dimension(LiteLoader* loader, LiteFlatTable source, int position, int length,
                                   TfLiteDimensionMetadata* dimension, int64_t* nodes) {
    const int format = lite_flat_u8(source, kDimensionFormat);
    if (format != kTfLiteDimDense && format != kTfLiteDimSparseCSR) {
        return lite_load_fail(loader, "sparsity: dimension %d has the unknown format %d", position, format);
    }
    dimension->format = (TfLiteDimensionType)format;
    dimension->dense_size = lite_flat_i32(source, kDimensionDenseSize, 0);
    if (format == kTfLiteDimDense) {
        if (dimension->dense_size != length) {
            return lite_load_fail(loader, "sparsity: dense_size of dimension %d is %d, expected %d", position,
                                  dimension->dense_size, length);
        }
        *nodes *= length;
        if (*nodes > INT32_MAX) return lite_load_fail(loader, "sparsity: too many elements");
        return kTfLiteOk;
    }
    LITE_TRY(read_indices(loader, source, kDimensionArraySegmentsType, &dimension->array_segments));
    LITE_TRY(read_indices(loader, source, kDimensionArrayIndicesType, &dimension->array_indices));
    LITE_TRY(check_compressed(loader, position, dimension, *nodes, length));
    *nodes = dimension->array_indices->size;
    return kTfLiteOk;
}

TfLiteStatus lite_load_sparsity(LiteLoader* loader, LiteFlatTable tensor, LiteModelTensor* result,
                                int64_t* values) {
    const LiteFlatTable table = lite_flat_child(tensor, kTensorSparsity);
    const LiteFlatVector dimensions = lite_flat_vector(table, kSparsityDimMetadata);
    TfLiteSparsity* sparsity = lite_load_alloc(loader, 1, sizeof(*sparsity));
    if (sparsity == NULL) return kTfLiteError;
    sparsity->traversal_order = lite_load_int_array(lite_flat_vector(table, kSparsityTraversalOrder));
    sparsity->block_map = lite_load_int_array(lite_flat_vector(table, kSparsityBlockMap));
    sparsity->dim_metadata_size = (int)dimensions.count;
    const int rank = result->shape.count;
    const int64_t total = (int64_t)rank + (sparsity->block_map == NULL ? 0 : sparsity->block_map->size);
    if (sparsity->traversal_order == NULL || sparsity->traversal_order->size != total ||
        dimensions.count != total) {
        return lite_load_fail(loader, "sparsity: traversal_order and dim_metadata must have %lld elements",
                              (long long)total);
    }
    LITE_TRY(check_traversal(loader, sparsity->traversal_order, rank));
    int* lengths = lite_load_alloc(loader, (size_t)total, sizeof(int));
    sparsity->dim_metadata = lite_load_alloc(loader, (size_t)total, sizeof(TfLiteDimensionMetadata));
    if (lengths == NULL || sparsity->dim_metadata == NULL) return kTfLiteError;
    LITE_TRY(read_lengths(loader, result, sparsity, dimensions, lengths));
    *values = 1;
    for (int i = 0; i < total; i++) {
        LITE_TRY(read_dimension(loader, lite_flat_element(dimensions, (uint32_t)i), i,
                                lengths[sparsity->traversal_order->data[i]], &sparsity->dim_metadata[i],
                                values));
    }
    result->sparsity = sparsity;
    return kTfLiteOk;
}
