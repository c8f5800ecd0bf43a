// SPDX-License-Identifier: Apache-2.0
// Weights are packed for a product; those of a model's constants once for all interpreters.
#ifndef KERNELS_CPU_GEMM_GEMM_PACK_H_
#define KERNELS_CPU_GEMM_GEMM_PACK_H_

#include "kernels-cpu/gemm/gemm.h"

// As lite_gemm_pack_f32 or, unless the product is of floats, lite_gemm_pack_int has it.
typedef struct LiteGemmWeights {
    TfLiteType type;    // integers
    const void* source; // the tensor's contents: becomes gemm->source
    const void* values; // NULL: these contents
    size_t column_step;
    size_t depth_step;
    int32_t zero_point; // integers
    // How the values were made from the contents; all 0 where they are the contents. Addresses of further
    // contents may be part of it.
    int64_t order[9];
} LiteGemmWeights;

// Fails only where gemm->shared is not NULL, when out of memory.
TfLiteStatus lite_gemm_pack(TfLiteOpaqueContext* context, const char* op, LiteGemm* gemm,
                            const LiteGemmWeights* weights);

#endif
