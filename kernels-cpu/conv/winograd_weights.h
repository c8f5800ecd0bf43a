// SPDX-License-Identifier: Apache-2.0
// Weights of 3 x 3 filters as Winograd's way wants them.
#ifndef KERNELS_CPU_CONV_WINOGRAD_WEIGHTS_H_
#define KERNELS_CPU_CONV_WINOGRAD_WEIGHTS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Transforms weights [out_c][3][3][in_c] to planes of panels, [plane][panel][in_c][width], zeros in columns
// beyond out_c. False when weights, or what they become, are not finite.
bool lite_winograd_pack(int tile, int32_t out_c, int32_t in_c, int width, const float* weights,
                        float* packed);

// The weights of a panel for the direct way, [3 * 3][in_c][width].
void lite_winograd_pack_direct(int32_t out_c, int32_t in_c, int width, int64_t panel, const float* weights,
                               float* packed);

#endif
