// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/fft.h"
#include "core/base/cancel.h"

#include <math.h>

LiteComplex* lite_fft_roots(LiteArena* arena, int32_t n) {
    LiteComplex* roots = lite_arena_alloc(arena, (size_t)n, sizeof(LiteComplex));
    for (int32_t i = 0; roots != NULL && i < n; i++) {
        const double angle = -2.0 * 3.14159265358979323846 * i / n;
        roots[i] = (LiteComplex){cos(angle), sin(angle)};
    }
    return roots;
}

static LiteComplex multiply(LiteComplex a, LiteComplex b) {
    return (LiteComplex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// x times root `i` of 2 * half. Roots without a real or an imaginary part multiply nothing by 0, so that an
// infinity stays one where the sums have only such.
static LiteComplex turn(LiteComplex x, const LiteComplex* root, int32_t i, int32_t half) {
    if (i == 0) return x;
    if (2 * i == half) return (LiteComplex){x.im, -x.re};
    return multiply(x, *root);
}

// Puts each element where its index, its bits in reverse order, says.
static void reverse_bits(LiteComplex* x, int64_t stride, int32_t n) {
    for (int32_t i = 1, j = 0; i < n && !lite_cancelled_at(i); i++) {
        int32_t bit = n >> 1;
        for (; (j & bit) != 0; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i >= j) continue;
        const LiteComplex held = x[i * stride];
        x[i * stride] = x[j * stride];
        x[j * stride] = held;
    }
}

void lite_fft_transform(LiteComplex* x, int64_t stride, int32_t n, const LiteComplex* roots,
                        int32_t root_step) {
    reverse_bits(x, stride, n);
    for (int32_t half = 1; half < n; half *= 2) {
        const int64_t step = (int64_t)(n / (2 * half)) * root_step;
        for (int32_t first = 0; first < n && !lite_cancelled_at(first); first += 2 * half) {
            for (int32_t i = 0; i < half; i++) {
                LiteComplex* a = &x[(first + i) * stride];
                LiteComplex* b = &x[(first + i + half) * stride];
                const LiteComplex turned = turn(*b, &roots[i * step], i, half);
                *b = (LiteComplex){a->re - turned.re, a->im - turned.im};
                *a = (LiteComplex){a->re + turned.re, a->im + turned.im};
            }
        }
    }
}

void lite_fft_transform_real(LiteComplex* x, int32_t n, const LiteComplex* roots) {
    const int32_t half = n / 2;
    lite_fft_transform(x, 1, half, roots, 2);
    // Elements k and half - k hold together those of the transforms of the even and of the odd numbers.
    x[half] = (LiteComplex){x[0].re - x[0].im, 0.0};
    x[0] = (LiteComplex){x[0].re + x[0].im, 0.0};
    if (half > 1) x[half / 2].im = -x[half / 2].im;
    for (int32_t k = 1; k < half / 2; k++) {
        const LiteComplex a = x[k], b = x[half - k];
        const LiteComplex even = {0.5 * (a.re + b.re), 0.5 * (a.im - b.im)};
        const LiteComplex odd = {0.5 * (a.im + b.im), 0.5 * (b.re - a.re)};
        const LiteComplex turned = multiply(odd, roots[k]);
        x[k] = (LiteComplex){even.re + turned.re, even.im + turned.im};
        x[half - k] = (LiteComplex){even.re - turned.re, turned.im - even.im};
    }
}
