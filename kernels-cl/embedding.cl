// SPDX-License-Identifier: Apache-2.0
// Rows of a table by number. Prelude: each kernel is there for what FOR_… names.
#include "kernels-cl/args/embedding.h"
#include "kernels-cl/common/common.cl"

#pragma OPENCL FP_CONTRACT OFF

#ifdef FOR_ROWS
// EMBEDDING_LOOKUP: rows of TYPE (by LOAD) copied, or multiplied by a scale of the table, of each row or,
// with BLOCKS, of each block of a row, by ROW_VALUE(v, scale) and OUT_…. Dimension 0: chunks of a row, at
// least one; dimension 1: rows.
KERNEL lookup(ITEM const LiteClEmbeddingArgs a, const __global int* restrict ids,
              const __global TYPE* restrict table, const __global float* restrict scales,
              __global OUT_TYPE* restrict y, __global int* restrict status) {
    const int i = get_global_id(1);
    if (i >= a.entries) return;
    const int row = ids[i];
    if (row < 0 || row >= a.rows) {
        atomic_max(status, a.node);
        return;
    }
#ifdef BLOCKS
#define SCALE_AT(k) scales[row * a.scale_step + (k) / a.block]
#else
    const float scale = scales[row * a.scale_step];
#define SCALE_AT(k) scale
#endif
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.length);
    for (int k = begin; k < end; k++) {
        OUT_STORE(y, i * a.length + k, ROW_VALUE(LOAD(table, row * a.length + k), SCALE_AT(k)));
    }
}
#endif

#ifdef FOR_SPARSE
// EMBEDDING_LOOKUP_SPARSE: rows of a table, weighted and summed for each row of the output. The entries of a
// row follow one another; what comes later for the same row is added to what that has become. Item: a chunk
// of the columns, for all entries; the first one looks at the entries where there are no columns.
// The output's row that an entry belongs to, -1 when an index is outside.
inline int row_of(const LiteClEmbeddingArgs* a, const __global int* restrict indices, int entry) {
    int row = 0;
    for (int d = 0; d + 1 < a->rank; d++) {
        const int index = indices[entry * a->rank + d];
        if (index < 0 || index >= a->dims[d]) return -1;
        row = row * a->dims[d] + index;
    }
    return row;
}

KERNEL lookup_sparse(ITEM const LiteClEmbeddingArgs args, const __global int* restrict ids,
                     const __global int* restrict indices, const __global float* restrict weights,
                     const __global float* restrict table, __global float* restrict y,
                     __global int* restrict status) {
    const LiteClEmbeddingArgs a = args;
    const int begin = (int)get_global_id(0) * a.chunk, end = min(begin + a.chunk, a.length);
    for (int i = 0; i < a.entries && (begin < end || begin == 0);) {
        const int row = row_of(&a, indices, i);
        float total = 0.0f, squares = 0.0f;
        for (; i < a.entries && row_of(&a, indices, i) == row; i++) {
            if (row < 0 || ids[i] < 0 || ids[i] >= a.rows) {
                atomic_max(status, a.node);
                continue;
            }
            const float weight = weights[i];
            total += weight;
            squares += weight * weight;
            for (int k = begin; k < end; k++) y[row * a.length + k] += table[ids[i] * a.length + k] * weight;
        }
        if (row < 0 || a.combiner == COMBINER_SUM) continue;
        const float divisor = a.combiner == COMBINER_MEAN ? total : sqrt(squares);
        for (int k = begin; k < end; k++) y[row * a.length + k] /= divisor;
    }
}
#endif
