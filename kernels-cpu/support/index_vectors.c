// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/index_vectors.h"

#include "core/semantics/move.h"

TfLiteStatus lite_index_vectors(TfLiteOpaqueContext* context, const char* op, const LiteView* indices,
                                int64_t dimension, const int64_t* map, int map_count, int place_rank,
                                LiteIndexVectors* vectors) {
    const LiteShape* shape = &indices->shape;
    LITE_TRY(lite_check_types(context, op, "indices", indices, LITE_TYPE(Int32) | LITE_TYPE(Int64)));
    if (dimension < 0 || dimension > shape->rank) {
        return lite_fail(context, "%s: index_vector_dim is %lld, the indices have %d dimensions", op,
                         (long long)dimension, shape->rank);
    }
    const int length = dimension == shape->rank ? 1 : shape->dims[dimension];
    if (length != map_count) {
        return lite_fail(context, "%s: vectors of %d indices for %d dimensions", op, length, map_count);
    }
    *vectors = (LiteIndexVectors){.length = length, .place_rank = place_rank, .indices = indices};
    int64_t strides[LITE_MAX_RANK];
    lite_move_strides(shape, strides);
    for (int i = 0; i < shape->rank; i++) {
        if (i == dimension) {
            vectors->stride = strides[i];
        } else {
            vectors->dims[vectors->rank] = shape->dims[i];
            vectors->strides[vectors->rank++] = strides[i];
        }
    }
    for (int i = 0; i < length; i++) {
        if (map[i] < 0 || map[i] >= place_rank) {
            return lite_fail(context, "%s: index %d is for dimension %lld of %d", op, i, (long long)map[i],
                             place_rank);
        }
        vectors->map[i] = (int)map[i];
    }
    return kTfLiteOk;
}

TfLiteStatus lite_index_dimensions(TfLiteOpaqueContext* context, const char* op, const char* what,
                                   const int64_t* dimensions, int count, int rank, uint32_t* bits) {
    *bits = 0;
    for (int i = 0; i < count; i++) {
        if (dimensions[i] < 0 || dimensions[i] >= rank || (*bits >> dimensions[i] & 1u) != 0) {
            return lite_fail(context, "%s: entry %d of %s is %lld, expected another of %d dimensions", op, i,
                             what, (long long)dimensions[i], rank);
        }
        *bits |= 1u << dimensions[i];
    }
    return kTfLiteOk;
}

void lite_index_coordinates(const LiteIndexVectors* vectors, int64_t number,
                            int64_t coordinates[LITE_MAX_RANK]) {
    for (int i = vectors->rank - 1; i >= 0; i--) {
        coordinates[i] = number % vectors->dims[i];
        number /= vectors->dims[i];
    }
}

void lite_index_read(const LiteIndexVectors* vectors, const int64_t coordinates[LITE_MAX_RANK],
                     int64_t place[LITE_MAX_RANK]) {
    int64_t at = 0;
    for (int i = 0; i < vectors->rank; i++) at += coordinates[i] * vectors->strides[i];
    for (int i = 0; i < vectors->place_rank; i++) place[i] = 0;
    for (int i = 0; i < vectors->length; i++, at += vectors->stride) {
        const int64_t index = lite_ints_at(vectors->indices, at);
        place[vectors->map[i]] = index < INT32_MIN ? INT32_MIN : index > INT32_MAX ? INT32_MAX : index;
    }
}
