// SPDX-License-Identifier: Apache-2.0
// Some bytes of somebody else.
#ifndef CORE_BASE_BYTES_H_
#define CORE_BASE_BYTES_H_

#include <stddef.h>

typedef struct LiteBytes {
    const void* data;
    size_t size;
} LiteBytes;

#endif
