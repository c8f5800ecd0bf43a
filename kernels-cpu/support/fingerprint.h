// SPDX-License-Identifier: Apache-2.0
// FarmHash's Fingerprint64: a hash of bytes that models rely on, so it can never change.
#ifndef KERNELS_CPU_SUPPORT_FINGERPRINT_H_
#define KERNELS_CPU_SUPPORT_FINGERPRINT_H_

#include <stddef.h>
#include <stdint.h>

uint64_t lite_fingerprint64(const void* data, size_t length);

#endif
