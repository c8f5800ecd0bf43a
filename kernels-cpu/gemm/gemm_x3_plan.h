// SPDX-License-Identifier: Apache-2.0
// Which products of floats are computed as sums of three BFLOAT16 (gemm_x3.h), and in what pieces.
#ifndef KERNELS_CPU_GEMM_GEMM_X3_PLAN_H_
#define KERNELS_CPU_GEMM_GEMM_X3_PLAN_H_

#include "kernels-cpu/micro/micro_table.h"

// Tiles of an item, at most.
#define LITE_X3_MOST_TILES 32
#define LITE_X3_ALIGNMENT 64

typedef struct LiteX3Sizes {
    int64_t rows;
    int64_t inputs; // elements, of which windows share some
    size_t steps;
    int32_t runs; // as of LiteGemm
    int32_t run_depth;
    int32_t panels; // of a group
} LiteX3Sizes;

// Is a product with constant weights faster so? That depends on its sizes only, so that results do not depend
// on the number of threads.
bool lite_x3_suits(const LiteX3Sizes* sizes);
// For tests, before models are prepared: all products that can be.
void lite_x3_choose_all(bool all);

static inline int lite_x3_ceil_div(int x, int y) {
    return (x + y - 1) / y;
}

// Blocks of the depth that are computed together; steps > 0.
int lite_x3_chunk(size_t steps);
// Tiles of an item.
int lite_x3_most_tiles(size_t steps);
// Bytes of scratch, for all panels; a multiple of LITE_X3_ALIGNMENT.
size_t lite_x3_scratch(size_t steps, size_t panels);

// What an item takes, in nanoseconds, where a part of its inputs comes from other cores.
double lite_x3_cost(size_t steps, double rows, double panels, double remote);

#endif
