// SPDX-License-Identifier: Apache-2.0
// The tile registers of a thread, which have one shape at a time.
#ifndef KERNELS_CPU_MICRO_MICRO_AVX512AMX_TILES_H_
#define KERNELS_CPU_MICRO_MICRO_AVX512AMX_TILES_H_

#define LITE_TILE_QUADS 16 // fours of bytes of a row

enum { kLiteAmxPairs = 255 };

// For tiles of so many rows, 1 to 16: two of inputs and two of weights, kLiteAmxPairs, or one and one, and
// others for the last steps of bytes, so many fours.
void lite_micro_shape_amx(int rows, int last);
void lite_micro_release_amx(void);

#endif
