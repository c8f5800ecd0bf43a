// SPDX-License-Identifier: Apache-2.0
// SHA-256, after FIPS 180-4.
#ifndef CORE_BASE_SHA256_H_
#define CORE_BASE_SHA256_H_

#include <stdbool.h>
#include <stddef.h>

#include "core/base/bytes.h"

enum { LITE_SHA256_BYTES = 32 };

// Computes the digest of the bytes of all parts, one after the other.
void lite_sha256(const LiteBytes* parts, size_t count, unsigned char digest[LITE_SHA256_BYTES]);

// Tests only: whether the processor's instructions for it may be used, where it has them; at first they may.
void lite_sha256_choose(bool allowed);

#endif
