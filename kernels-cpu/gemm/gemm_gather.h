// SPDX-License-Identifier: Apache-2.0
// Copies the rows of integer products together, a few at a time.
#ifndef KERNELS_CPU_GEMM_GEMM_GATHER_H_
#define KERNELS_CPU_GEMM_GEMM_GATHER_H_

#include "kernels-cpu/gemm/gemm_rows.h"

// The rows of an item. Pairs are less their zero points, with padding 0; bytes are unsigned, with padding as
// the zero point. They are in the scratch of the item or, where nothing has to change, in the input.
LiteGemmRows lite_gemm_gather(const LiteGemm* gemm, const LiteGemmInput* input, const LiteGemmItem* item,
                              int64_t group);

#endif
