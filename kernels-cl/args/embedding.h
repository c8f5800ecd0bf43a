// SPDX-License-Identifier: Apache-2.0
// The arguments of embedding.cl.
#ifndef KERNELS_CL_ARGS_EMBEDDING_H_
#define KERNELS_CL_ARGS_EMBEDDING_H_

#include "kernels-cl/args/common.h"

// Entries of a sparse tensor of dimensions `dims` and a last one, in which rows of a table are combined.
typedef struct LiteClEmbeddingArgs {
    int entries;
    int rank;
    int dims[LITE_CL_RANK];
    int rows; // of the table
    int length;
    int combiner;
    int scale_step; // of EMBEDDING_LOOKUP's scales, from row to row
    int block;      // elements that share a scale, in a table quantized in blocks
    int chunk;
    int node;
} LiteClEmbeddingArgs;

#endif
