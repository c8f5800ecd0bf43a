// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/conv/winograd_weights.h"

#include <string.h>

#include "core/base/memory.h"
#include "kernels-cpu/gemm/gemm_pack_f32.h"

// So many input channels are transformed side by side.
#define LANES 8
typedef double Doubles __attribute__((vector_size(LANES * sizeof(double))));
typedef float Floats __attribute__((vector_size(LANES * sizeof(float))));

// One dimension, in double precision, because this is done once. u is `step` elements apart.
static void transform(int tile, const Doubles* g, int g_step, Doubles* u, int step) {
    const Doubles g0 = g[0], g1 = g[g_step], g2 = g[2 * g_step];
    if (tile == 2) {
        u[0] = g0;
        u[step] = 0.5 * (g0 + g2 + g1);
        u[2 * step] = 0.5 * (g0 + g2 - g1);
        u[3 * step] = g2;
        return;
    }
    static const double half_root = 0.70710678118654752440;
    const Doubles even = (2.0 * g0 + g2) * (-1.0 / 3.0), odd = half_root * g1 * (-2.0 / 3.0);
    const Doubles wide_even = (g0 + 2.0 * g2) * (1.0 / 6.0), wide_odd = half_root * g1 * (1.0 / 3.0);
    u[0] = g0;
    u[step] = even + odd;
    u[2 * step] = even - odd;
    u[3 * step] = wide_even + wide_odd;
    u[4 * step] = wide_even - wide_odd;
    u[5 * step] = g2;
}

// The planes of filters of 3 x 3 of `count` neighbouring channels; a filter's weights are `step` apart.
static void transform_filters(int tile, const float* weights, size_t step, size_t count, Doubles* u) {
    const int size = tile + 2;
    Doubles g[9], half[3 * LITE_WINOGRAD_MAX_SIZE]; // half: [column][line], columns are done
    for (size_t i = 0; i < 9; i++) {
        Floats some = {0};
        memcpy(&some, weights + i * step, count * sizeof(float));
        g[i] = __builtin_convertvector(some, Doubles);
    }
    for (int x = 0; x < 3; x++) transform(tile, g + x, 3, half + x * size, 1);
    for (int y = 0; y < size; y++) transform(tile, half + y, size, u + y * size, 1);
}

// Column `n` of a panel, channels [c, c + count). What is not finite makes *check NaN.
static void pack_filters(int tile, const float* weights, size_t depth, size_t count, size_t width,
                         size_t plane, float* to, Floats* check) {
    Doubles u[LITE_WINOGRAD_MAX_SIZE * LITE_WINOGRAD_MAX_SIZE];
    const size_t planes = (size_t)(tile + 2) * (size_t)(tile + 2);
    transform_filters(tile, weights, depth, count, u);
    for (size_t p = 0; p < planes; p++, to += plane) {
        const Floats rounded = __builtin_convertvector(u[p], Floats);
        *check += rounded * 0.0f;
        for (size_t i = 0; i < count; i++) to[i * width] = rounded[i];
    }
}

// A panel; its planes are `plane` elements apart.
static void pack_panel(const LiteWinogradWeights* w, size_t panel, size_t plane, float* to, Floats* check) {
    const size_t depth = (size_t)w->in_c, width = (size_t)w->micro->panel, first = panel * width;
    const size_t left = (size_t)w->out_c - first;
    for (size_t c = 0; c < depth; c += LANES) {
        const size_t count = depth - c < LANES ? depth - c : LANES;
        for (size_t n = 0; n < width && n < left; n++) {
            pack_filters(w->tile, w->weights + (first + n) * 9 * depth + c, depth, count, width, plane,
                         to + c * width + n, check);
        }
    }
}

static size_t planes_of(const LiteWinogradWeights* w) {
    return (size_t)(w->tile + 2) * (size_t)(w->tile + 2);
}

static void pack_floats(const LiteWinogradWeights* w, size_t panels, float* packed, Floats* check) {
    const size_t width = (size_t)w->micro->panel, size = (size_t)w->in_c * width;
    if ((size_t)w->out_c % width != 0) memset(packed, 0, planes_of(w) * panels * size * sizeof *packed);
    for (size_t panel = 0; panel < panels; panel++) {
        pack_panel(w, panel, panels * size, packed + panel * size, check);
    }
}

// By way of the floats of a panel.
static bool pack_halves(const LiteWinogradWeights* w, size_t panels, uint16_t* packed, Floats* check) {
    const size_t size = (size_t)w->in_c * (size_t)w->micro->panel, planes = planes_of(w);
    LiteHalves halves = {.precision = w->precision};
    float* floats = lite_malloc(planes * size * sizeof *floats);
    if (floats == NULL) return false;
    for (size_t panel = 0; panel < panels && !lite_halves_overflow(&halves); panel++) {
        if (panel + 1 == panels) memset(floats, 0, planes * size * sizeof *floats);
        pack_panel(w, panel, size, floats, check);
        for (size_t p = 0; p < planes; p++) {
            lite_halves_narrow(&halves, w->micro, size, floats + p * size,
                               packed + (p * panels + panel) * size);
        }
    }
    lite_free(floats);
    return lite_halves_fit(&halves);
}

bool lite_winograd_pack(const LiteWinogradWeights* w, void* packed) {
    const size_t width = (size_t)w->micro->panel, panels = ((size_t)w->out_c + width - 1) / width;
    Floats check = {0};
    bool fits = true;
    if (w->precision == kLitePrecisionFloat32) {
        pack_floats(w, panels, packed, &check);
    } else {
        fits = pack_halves(w, panels, packed, &check);
    }
    for (int i = 0; i < LANES; i++) fits = fits && check[i] == 0.0f;
    return fits;
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
