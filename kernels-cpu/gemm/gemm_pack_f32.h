// SPDX-License-Identifier: Apache-2.0
// Weights of products of floats are packed, also as halves.
#ifndef KERNELS_CPU_GEMM_GEMM_PACK_F32_H_
#define KERNELS_CPU_GEMM_GEMM_PACK_F32_H_

#include "kernels-cpu/gemm/gemm_panels.h"

// Whether halves may stand for floats: none of these becomes infinite, and of FLOAT16 the largest is a normal
// number, so that no weight loses more than 2^-11 of itself or of the largest. Zero-initialised for `of`
// is empty; what is packed is noted part by part.
typedef struct LiteHalves {
    LitePrecision precision;
    int32_t largest; // bits of the largest finite magnitude
} LiteHalves;
void lite_halves_narrow(LiteHalves* halves, const LiteMicro* micro, size_t count, const float* in,
                        uint16_t* out);
bool lite_halves_overflow(const LiteHalves* halves); // one becomes infinite
bool lite_halves_fit(const LiteHalves* halves);

// All panels of one group, whose columns these are. False as soon as one weight becomes infinite.
bool lite_gemm_pack_columns(const LiteGemm* gemm, const LiteGemmColumns* columns, LiteHalves* halves,
                            void* to);

// Weights w(column, k), k = tap * depth + channel, at weights[column * column_step + k * depth_step]; columns
// of all groups in a row. False where gemm->precision does not fit them (lite_halves_fit).
bool lite_gemm_pack_f32(LiteGemm* gemm, const float* weights, size_t column_step, size_t depth_step);

#endif
