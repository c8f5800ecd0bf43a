// SPDX-License-Identifier: Apache-2.0
// Weights of 3 x 3 filters as Winograd's way wants them.
#ifndef KERNELS_CPU_CONV_WINOGRAD_WEIGHTS_H_
#define KERNELS_CPU_CONV_WINOGRAD_WEIGHTS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels-cpu/micro/micro_table.h"

// Weights [out_c][3][3][in_c], and what they are packed for.
typedef struct LiteWinogradWeights {
    const LiteMicro* micro;
    int tile;
    int32_t out_c;
    int32_t in_c;
    const float* weights;
    LitePrecision precision;
} LiteWinogradWeights;

// Transforms weights to planes of panels, [plane][panel][in_c][micro->panel], zeros in columns beyond out_c.
// False when weights, or what they become, are not finite, halves cannot stand for them
// (gemm/gemm_pack_f32.h), or memory runs out.
bool lite_winograd_pack(const LiteWinogradWeights* w, void* packed);

// The weights of a panel for the direct way, [3 * 3][in_c][width].
void lite_winograd_pack_direct(int32_t out_c, int32_t in_c, int width, int64_t panel, const float* weights,
                               float* packed);

#endif
