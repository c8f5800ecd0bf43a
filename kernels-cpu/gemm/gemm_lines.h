// SPDX-License-Identifier: Apache-2.0
// Rows of bytes that are read where they lie. The inputs of one filter line are a run; those of the next
// pixel begin `stride_w` pixels later, those of the next filter line one line of the input later. Only items
// that reach into the padding copy their input lines, with the padding around them.
#ifndef KERNELS_CPU_GEMM_GEMM_LINES_H_
#define KERNELS_CPU_GEMM_GEMM_LINES_H_

#include "kernels-cpu/gemm/gemm_rows.h"

// Are rows read by lines, with the shape of this inference?
bool lite_gemm_is_by_lines(const LiteGemm* gemm);
// Items of whole output lines, or parts of one, of a single image: into how many blocks rows are divided, if
// possible a multiple of `multiple`; and the rows of a block.
int64_t lite_gemm_line_blocks(const LiteGemm* gemm, int64_t multiple);
void lite_gemm_line_block(const LiteGemm* gemm, int64_t blocks, int64_t block, LiteGemmItem* item);
LiteGemmRows lite_gemm_lines(const LiteGemm* gemm, const LiteGemmInput* input, const LiteGemmItem* item);

#endif
