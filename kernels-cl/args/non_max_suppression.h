// SPDX-License-Identifier: Apache-2.0
// The arguments of non_max_suppression.cl.
#ifndef KERNELS_CL_ARGS_NON_MAX_SUPPRESSION_H_
#define KERNELS_CL_ARGS_NON_MAX_SUPPRESSION_H_

typedef struct LiteClSuppressionArgs {
    int boxes;
    int limit; // of boxes that are chosen
    int soft;
    int node;
} LiteClSuppressionArgs;

#endif
