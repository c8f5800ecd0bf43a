// SPDX-License-Identifier: Apache-2.0
// The tile registers of a thread have one shape at a time.
#ifndef KERNELS_CPU_MICRO_AMX_TILES_H_
#define KERNELS_CPU_MICRO_AMX_TILES_H_

enum { kLiteAmxBfloat16 = 255 };

// For tiles of so many rows, 1 to 16, and bytes of which the last step has so many fours, 0: all of them; or
// kLiteAmxBfloat16.
void lite_micro_shape_amx(int rows, int last);

#endif
