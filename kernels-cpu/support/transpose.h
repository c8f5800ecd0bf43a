// SPDX-License-Identifier: Apache-2.0
// Transposes of blocks of elements, for moves (move.c).
#ifndef KERNELS_CPU_SUPPORT_TRANSPOSE_H_
#define KERNELS_CPU_SUPPORT_TRANSPOSE_H_

#include <stddef.h>
#include <stdint.h>

// Columns that are so many bytes apart in the source share few places in a cache.
enum { LITE_TRANSPOSE_FAR = 2048 };

// How blocks of some elements along either side are transposed, several that follow each other in the
// destination. Of each the first `count` rows are stored, all of them where the processor has wide vectors.
typedef struct LiteTranspose {
    void (*function)(const char* from, int64_t from_step, char* to, int64_t to_step, int count,
                     int64_t blocks);
    int64_t block;
} LiteTranspose;

// For `rows` of elements, neighbours in the source, of `columns` that are from_step bytes apart there;
// without a function for elements of other sizes.
LiteTranspose lite_transpose(size_t element, int64_t rows, int64_t columns, int64_t from_step);

#endif
