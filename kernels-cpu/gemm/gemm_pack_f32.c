// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/gemm_pack_f32.h"

#include <string.h>

// Steps of a panel that are packed together, a cache line of each column.
#define PACKED_STEPS 16

// Bits of magnitudes of floats. What is rounded to infinity begins in the middle between the largest half and
// what would come after it.
enum {
    kMagnitude = 0x7FFFFFFF,
    kInfinity = 0x7F800000,
    kLeastNormalHalf = 0x38800000,
    kTooLargeForF16 = 0x477FF000,
    kTooLargeForBf16 = 0x7F7F8000,
};

void lite_halves_narrow(LiteHalves* halves, const LiteMicro* micro, size_t count, const float* in,
                        uint16_t* out) {
    int32_t largest = halves->largest;
    for (size_t i = 0; i < count; i++) {
        int32_t bits;
        memcpy(&bits, in + i, sizeof bits);
        bits &= kMagnitude;
        bits = bits < kInfinity ? bits : 0;
        largest = bits > largest ? bits : largest;
    }
    halves->largest = largest;
    micro->narrow(halves->precision, count, in, out);
}

bool lite_halves_overflow(const LiteHalves* halves) {
    return halves->largest >=
           (halves->precision == kLitePrecisionFloat16 ? kTooLargeForF16 : kTooLargeForBf16);
}

bool lite_halves_fit(const LiteHalves* halves) {
    if (halves->precision == kLitePrecisionFloat32 || halves->largest == 0) return true;
    if (lite_halves_overflow(halves)) return false;
    return halves->precision != kLitePrecisionFloat16 || halves->largest >= kLeastNormalHalf;
}

// `columns` columns of a panel, the rest of which becomes 0.
typedef struct PanelSource {
    const float* weights;
    int32_t columns;
    size_t column_step;
    size_t depth_step;
} PanelSource;

// Steps [first, first + count), at most PACKED_STEPS where columns do not follow each other.
static void pack_steps(const PanelSource* from, size_t first, size_t count, int panel, float* to) {
    const float* row = from->weights + first * from->depth_step;
    if (from->column_step == 1) {
        for (size_t k = 0; k < count; k++, to += panel, row += from->depth_step) {
            for (int n = 0; n < from->columns; n++) to[n] = row[n];
        }
        return;
    }
    for (int n = 0; n < from->columns; n++) {
        const float* column = row + (size_t)n * from->column_step;
        for (size_t k = 0; k < count; k++) to[k * (size_t)panel + (size_t)n] = column[k * from->depth_step];
    }
}

static void pack_panel(const PanelSource* from, size_t steps, const LiteMicro* micro, LiteHalves* halves,
                       void* to) {
    const size_t panel = (size_t)micro->panel;
    const bool is_half = halves->precision != kLitePrecisionFloat32;
    float some[PACKED_STEPS * LITE_MICRO_MAX_PANEL];
    if (is_half) {
        memset(some, 0, sizeof some);
    } else if (from->columns < micro->panel) {
        memset(to, 0, steps * panel * sizeof(float));
    }
    for (size_t first = 0; first < steps; first += PACKED_STEPS) {
        const size_t left = steps - first, count = left < PACKED_STEPS ? left : PACKED_STEPS;
        pack_steps(from, first, count, micro->panel, is_half ? some : (float*)to + first * panel);
        if (is_half) lite_halves_narrow(halves, micro, count * panel, some, (uint16_t*)to + first * panel);
    }
}

bool lite_gemm_pack_f32(LiteGemm* gemm, const float* weights, size_t column_step, size_t depth_step) {
    const int panel = gemm->micro->panel;
    const size_t steps = (size_t)gemm->taps * (size_t)gemm->depth;
    LiteHalves halves = {.precision = gemm->precision};
    char* to = gemm->packed;
    for (int32_t g = 0; g < gemm->shape.groups; g++) {
        for (int32_t p = 0; p < gemm->panels && !lite_halves_overflow(&halves); p++) {
            const int64_t first = (int64_t)p * panel, left = gemm->columns - first;
            const PanelSource from = {.weights = weights +
                                                 (size_t)(g * (int64_t)gemm->columns + first) * column_step,
                                      .columns = left < panel ? (int32_t)left : panel,
                                      .column_step = column_step,
                                      .depth_step = depth_step};
            pack_panel(&from, steps, gemm->micro, &halves, to);
            to += gemm->panel_size * lite_weight_bytes(gemm->precision);
        }
    }
    return lite_halves_fit(&halves);
}
