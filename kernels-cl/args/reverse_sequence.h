// SPDX-License-Identifier: Apache-2.0
// The arguments of reverse_sequence.cl.
#ifndef KERNELS_CL_ARGS_REVERSE_SEQUENCE_H_
#define KERNELS_CL_ARGS_REVERSE_SEQUENCE_H_

typedef struct LiteClReverseSequenceArgs {
    int count;
    int batch;
    int batch_stride;
    int length; // of a sequence
    int stride;
    int chunk;
    int node;
} LiteClReverseSequenceArgs;

#endif
