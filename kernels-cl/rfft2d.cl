// SPDX-License-Identifier: Apache-2.0
// RFFT2D: transforms of the rows of real images, then of the columns, of which those are kept that do not
// follow from the others. Lengths are powers of two; roots[k] is exp(-2 pi i k / length).
#include "kernels-cl/args/rfft2d.h"
#include "kernels-cl/common/common.cl"

inline float2 product(float2 a, float2 b) {
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

inline int reversed_bits(int number, int bits) {
    int result = 0;
    for (; bits > 0; bits--, number >>= 1) result = result << 1 | (number & 1);
    return result;
}

// In place, of elements that are `step` apart and that lie where their reversed bits say.
inline void transform(__global float2* restrict x, int step, int length,
                      const __global float2* restrict roots) {
    for (int size = 1; size < length; size *= 2) {
        const int root_step = length / (2 * size);
        for (int first = 0; first < length; first += 2 * size) {
            for (int i = 0; i < size; i++) {
                __global float2 *a = x + (first + i) * step, *b = x + (first + i + size) * step;
                const float2 turned = product(*b, roots[i * root_step]);
                *b = *a - turned;
                *a += turned;
            }
        }
    }
}

// Item: a row, cropped or filled up with zeros.
KERNEL rows(ITEM const LiteClFftArgs a, const __global float* restrict x,
            const __global float2* restrict roots, __global float2* restrict y) {
    const int line = get_global_id(0);
    if (line >= a.lines) return;
    const int image = line / a.lines_per_image, number = line % a.lines_per_image;
    x += (image * a.in_lines + number) * a.in_length;
    y += line * a.length;
    for (int i = 0; i < a.length; i++) {
        const int from = reversed_bits(i, a.log_length);
        y[i] = (float2)(number < a.in_lines && from < a.in_length ? x[from] : 0.0f, 0.0f);
    }
    if (number < a.in_lines) transform(y, 1, a.length, roots);
}

// Item: a column that is kept, of rows of `in_length`.
KERNEL columns(ITEM const LiteClFftArgs a, const __global float2* restrict x,
               const __global float2* restrict roots, __global float2* restrict y) {
    const int line = get_global_id(0);
    if (line >= a.lines) return;
    const int image = line / a.kept, number = line % a.kept;
    x += image * a.length * a.in_length + number;
    y += image * a.length * a.kept + number;
    for (int i = 0; i < a.length; i++) y[i * a.kept] = x[reversed_bits(i, a.log_length) * a.in_length];
    transform(y, a.kept, a.length, roots);
}
