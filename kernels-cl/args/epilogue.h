// SPDX-License-Identifier: Apache-2.0
// The arguments of epilogue.cl.
#ifndef KERNELS_CL_ARGS_EPILOGUE_H_
#define KERNELS_CL_ARGS_EPILOGUE_H_

typedef struct LiteClEpilogueArgs {
    int rows;
    int columns;
    int rows_each; // of an item
    float low, high;
    float sum_low, sum_high; // of the sum with another tensor
} LiteClEpilogueArgs;

#endif
