// SPDX-License-Identifier: Apache-2.0
// The arguments of table.cl.
#ifndef KERNELS_CL_ARGS_TABLE_H_
#define KERNELS_CL_ARGS_TABLE_H_

// y[i] = table[x[i]] over `count` elements, `chunk` an item; `node` is what the status becomes where x is
// below `lowest`.
typedef struct LiteClTableArgs {
    int count, chunk;
    int lowest, node;
} LiteClTableArgs;

#endif
