// SPDX-License-Identifier: Apache-2.0
// Looks for straight lines in functions from bytes to bytes.
#ifndef KERNELS_CPU_QUANTIZED_BYTE_MAP_H_
#define KERNELS_CPU_QUANTIZED_BYTE_MAP_H_

#include "kernels-cpu/loops/byte_map_loops.h"

// Finds the lines of a map whose table is known; there may be none. Bytes stand for signed numbers or for
// others. From the number `corner` on there may be another line than before.
void lite_byte_map_find_lines(LiteByteMap* map, bool signed_in, bool signed_out, int32_t corner);

#endif
