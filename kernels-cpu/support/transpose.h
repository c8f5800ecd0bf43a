// SPDX-License-Identifier: Apache-2.0
// Transposes of matrices of elements, for moves (move.c).
#ifndef KERNELS_CPU_SUPPORT_TRANSPOSE_H_
#define KERNELS_CPU_SUPPORT_TRANSPOSE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Elements of a row are neighbours in the destination, those of a column in the source. Distances are in
// bytes, of any sign in the source.
typedef struct LiteTranspose {
    const char* from;
    int64_t from_step; // from one column to the next
    char* to;
    int64_t to_step; // from one row to the next
    int64_t rows, columns;
} LiteTranspose;

// Whether there are transposes of elements of this size.
bool lite_transpose_has(size_t element);

// How many rows are best transposed by one call: less than that many times as long as many take.
int64_t lite_transpose_rows(const LiteTranspose* all, size_t element);

void lite_transpose(const LiteTranspose* transpose, size_t element);

#endif
