// SPDX-License-Identifier: Apache-2.0
// Fourier transforms of lengths that are powers of two, in double precision.
#ifndef KERNELS_CPU_SUPPORT_FFT_H_
#define KERNELS_CPU_SUPPORT_FFT_H_

#include <stdint.h>

#include "core/base/memory.h"

typedef struct LiteComplex {
    double re, im;
} LiteComplex;

// exp(-2 pi i k / n) for k in [0, n), which the transforms of length n read. NULL when out of memory.
LiteComplex* lite_fft_roots(LiteArena* arena, int32_t n);

// In place, of n elements that are `stride` apart. The roots are those of length n * root_step.
void lite_fft_transform(LiteComplex* x, int64_t stride, int32_t n, const LiteComplex* roots,
                        int32_t root_step);

// Of n >= 2 real numbers, of which x holds two in each of its first n / 2 elements. Leaves the first
// n / 2 + 1 elements of the result, which the others follow from.
void lite_fft_transform_real(LiteComplex* x, int32_t n, const LiteComplex* roots);

#endif
