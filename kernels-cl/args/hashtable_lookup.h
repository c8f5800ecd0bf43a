// SPDX-License-Identifier: Apache-2.0
// The arguments of hashtable_lookup.cl.
#ifndef KERNELS_CL_ARGS_HASHTABLE_LOOKUP_H_
#define KERNELS_CL_ARGS_HASHTABLE_LOOKUP_H_

typedef struct LiteClTableRowsArgs {
    int wanted;
    int keys;
    int inner;
    int chunk;
} LiteClTableRowsArgs;

#endif
