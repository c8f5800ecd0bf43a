// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/conv/winograd_weights.h"

#include <math.h>
#include <string.h>

#include "kernels-cpu/micro/micro_table.h"

// One dimension, in double precision, because this is done once. u is `step` elements apart.
static void transform(int tile, double g0, double g1, double g2, double* u, int step) {
    if (tile == 2) {
        u[0] = g0;
        u[step] = 0.5 * (g0 + g2 + g1);
        u[2 * step] = 0.5 * (g0 + g2 - g1);
        u[3 * step] = g2;
        return;
    }
    static const double half_root = 0.70710678118654752440;
    const double even = (2.0 * g0 + g2) * (-1.0 / 3.0), odd = half_root * g1 * (-2.0 / 3.0);
    const double wide_even = (g0 + 2.0 * g2) * (1.0 / 6.0), wide_odd = half_root * g1 * (1.0 / 3.0);
    u[0] = g0;
    u[step] = even + odd;
    u[2 * step] = even - odd;
    u[3 * step] = wide_even + wide_odd;
    u[4 * step] = wide_even - wide_odd;
    u[5 * step] = g2;
}

// The planes of one filter of 3 x 3, whose weights are `step` elements apart.
static void transform_filter(int tile, const float* g, size_t step, double* u) {
    const int size = tile + 2;
    double half[3 * LITE_WINOGRAD_MAX_SIZE]; // [column][line], columns are done
    for (size_t x = 0; x < 3; x++) {
        transform(tile, (double)g[x * step], (double)g[(3 + x) * step], (double)g[(6 + x) * step],
                  half + x * (size_t)size, 1);
    }
    for (int y = 0; y < size; y++) {
        transform(tile, half[y], half[size + y], half[2 * size + y], u + (ptrdiff_t)y * size, 1);
    }
}

bool lite_winograd_pack(int tile, int32_t out_c, int32_t in_c, int width, const float* weights,
                        float* packed) {
    const size_t depth = (size_t)in_c, planes = (size_t)(tile + 2) * (size_t)(tile + 2);
    const size_t panels = ((size_t)out_c + (size_t)width - 1) / (size_t)width;
    const size_t plane = panels * depth * (size_t)width;
    double check = 0.0;
    for (size_t panel = 0; panel < panels; panel++) {
        for (size_t c = 0; c < depth; c++) {
            float* to = packed + (panel * depth + c) * (size_t)width;
            for (size_t n = 0; n < (size_t)width; n++) {
                const size_t column = panel * (size_t)width + n;
                double u[LITE_WINOGRAD_MAX_SIZE * LITE_WINOGRAD_MAX_SIZE] = {0};
                if (column < (size_t)out_c) {
                    transform_filter(tile, weights + column * 9 * depth + c, depth, u);
                }
                for (size_t p = 0; p < planes; p++) {
                    to[p * plane + n] = (float)u[p];
                    check += (double)(to[p * plane + n] * 0.0f); // NaN where that is not finite
                }
            }
        }
    }
    return check == 0.0;
}

void lite_winograd_pack_direct(int32_t out_c, int32_t in_c, int width, int64_t panel, const float* weights,
                               float* packed) {
    const size_t steps = 9 * (size_t)in_c;
    for (int n = 0; n < width; n++) {
        const int64_t column = panel * width + n;
        const float* from = column < out_c ? weights + (size_t)column * steps : NULL;
        for (size_t k = 0; k < steps; k++) packed[k * (size_t)width + (size_t)n] = from == NULL ? 0 : from[k];
    }
}
