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

// Steps [first, first + count), at most PACKED_STEPS, of `columns` columns of a panel.
static void pack_steps(const LiteGemmColumns* from, int columns, size_t first, size_t count, int panel,
                       float* to) {
    const float* row = from->first + first * from->depth_step;
    if (from->column_step == 1) {
        for (size_t k = 0; k < count; k++, to += panel, row += from->depth_step) {
            for (int n = 0; n < columns; n++) to[n] = row[n];
        }
        return;
    }
    for (int n = 0; n < columns; n++) {
        const float* column = row + (size_t)n * from->column_step;
        for (size_t k = 0; k < count; k++) to[k * (size_t)panel + (size_t)n] = column[k * from->depth_step];
    }
}

// A panel as halves, by way of a few floats. Columns that it lacks become 0.
static void pack_halves(const LiteGemm* gemm, const LiteGemmColumns* columns, int64_t number,
                        LiteHalves* halves, uint16_t* to) {
    const size_t panel = (size_t)gemm->micro->panel, steps = gemm->steps;
    const int64_t before = number * gemm->micro->panel, left = gemm->columns - before;
    const int count = left < gemm->micro->panel ? (int)left : gemm->micro->panel;
    LiteGemmColumns from = *columns;
    from.first += (size_t)before * from.column_step;
    float some[PACKED_STEPS * LITE_MICRO_MAX_PANEL];
    memset(some, 0, sizeof some);
    for (size_t first = 0; first < steps; first += PACKED_STEPS) {
        const size_t rest = steps - first, now = rest < PACKED_STEPS ? rest : PACKED_STEPS;
        pack_steps(&from, count, first, now, gemm->micro->panel, some);
        lite_halves_narrow(halves, gemm->micro, now * panel, some, to + first * panel);
    }
}

bool lite_gemm_pack_columns(const LiteGemm* gemm, const LiteGemmColumns* columns, LiteHalves* halves,
                            void* to) {
    if (halves->precision == kLitePrecisionFloat32) {
        lite_gemm_pack_panels(gemm, columns, 0, gemm->panels, to);
        return true;
    }
    for (int64_t p = 0; p < gemm->panels && !lite_halves_overflow(halves); p++) {
        pack_halves(gemm, columns, p, halves, (uint16_t*)to + (size_t)p * gemm->panel_size);
    }
    return !lite_halves_overflow(halves);
}

bool lite_gemm_pack_f32(LiteGemm* gemm, const float* weights, size_t column_step, size_t depth_step) {
    LiteHalves halves = {.precision = gemm->precision};
    const size_t size = (size_t)gemm->panels * gemm->panel_size * lite_weight_bytes(gemm->precision);
    LiteGemmColumns columns = {weights, column_step, depth_step};
    char* to = gemm->packed;
    for (int32_t g = 0; g < gemm->shape.groups; g++, to += size) {
        if (!lite_gemm_pack_columns(gemm, &columns, &halves, to)) return false;
        columns.first += (size_t)gemm->columns * column_step;
    }
    return lite_halves_fit(&halves);
}
