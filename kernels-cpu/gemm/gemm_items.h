// SPDX-License-Identifier: Apache-2.0
// How a product is divided among threads.
#ifndef KERNELS_CPU_GEMM_GEMM_ITEMS_H_
#define KERNELS_CPU_GEMM_GEMM_ITEMS_H_

#include "kernels-cpu/gemm/gemm_rows.h"

typedef void (*LiteGemmItemBody)(const LiteGemm* gemm, const LiteGemmItem* item, const void* argument);

// Splits `pairs` products of one shape into items and runs them on the interpreter's threads.
TfLiteStatus lite_gemm_run_items(TfLiteOpaqueContext* context, const char* op, const LiteGemm* gemm,
                                 int64_t pairs, LiteGemmItemBody body, const void* argument);

#endif
