// SPDX-License-Identifier: Apache-2.0
// Vectors of indices along one dimension of a tensor. Each vector names a place in another tensor.
// STABLEHLO_GATHER and STABLEHLO_SCATTER have such inputs.
#ifndef KERNELS_CPU_SUPPORT_INDEX_VECTORS_H_
#define KERNELS_CPU_SUPPORT_INDEX_VECTORS_H_

#include "kernels-cpu/support/size.h"

typedef struct LiteIndexVectors {
    int rank; // of the positions: the dimensions of the indices without that of the vectors
    int64_t dims[LITE_MAX_RANK];
    int64_t strides[LITE_MAX_RANK];
    int length;             // of a vector
    int64_t stride;         // along it
    int place_rank;         // dimensions of the other tensor
    int map[LITE_MAX_RANK]; // map[i]: the dimension that number i of a vector indexes
    const LiteView* indices;
} LiteIndexVectors;

// `dimension` is that of the vectors; the rank of `indices` says that each index is a vector of its own.
TfLiteStatus lite_index_vectors(TfLiteOpaqueContext* context, const char* op, const LiteView* indices,
                                int64_t dimension, const int64_t* map, int map_count, int place_rank,
                                LiteIndexVectors* vectors);

// A list of dimensions, all different, as bits; `what` names it in messages.
TfLiteStatus lite_index_dimensions(TfLiteOpaqueContext* context, const char* op, const char* what,
                                   const int64_t* dimensions, int count, int rank, uint32_t* bits);

// Position number `number`.
void lite_index_coordinates(const LiteIndexVectors* vectors, int64_t number,
                            int64_t coordinates[LITE_MAX_RANK]);

// The place that a position says; 0 along dimensions that the vectors are not about. Indices that lie outside
// any tensor are brought into the range of INT32.
void lite_index_read(const LiteIndexVectors* vectors, const int64_t coordinates[LITE_MAX_RANK],
                     int64_t place[LITE_MAX_RANK]);

#endif
