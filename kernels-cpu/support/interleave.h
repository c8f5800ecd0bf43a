// SPDX-License-Identifier: Apache-2.0
// Transposes of which one side is 2, 3 or 4 elements that follow each other without gaps, as the channels of
// pictures do: loops of which compilers make shuffled vectors, at any address.
#ifndef KERNELS_CPU_SUPPORT_INTERLEAVE_H_
#define KERNELS_CPU_SUPPORT_INTERLEAVE_H_

#include "kernels-cpu/support/transpose.h"

// False, and nothing is done, when the transpose is not of that kind.
bool lite_interleave(const LiteTranspose* transpose, size_t element);

#endif
