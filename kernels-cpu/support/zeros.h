// SPDX-License-Identifier: Apache-2.0
// Zeros in the place of what is not there: a bias, the pixels of a border.
#ifndef KERNELS_CPU_SUPPORT_ZEROS_H_
#define KERNELS_CPU_SUPPORT_ZEROS_H_

enum { kLiteZeros = 4096 };

// So many, for all to read. Who needs more has its own.
const float* lite_zeros(void);

#endif
