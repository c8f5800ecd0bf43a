// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/gemm_panels.h"

#include <string.h>

#include "kernels-cpu/support/move.h"
#include "kernels-cpu/support/selected.h"

// Floats that are copied at once; every panel is a multiple of it.
#define COPIED 8

// A panel of rows whose columns follow each other.
static void pack_rows(const LiteGemm* gemm, const LiteGemmColumns* from, int columns, float* to) {
    const float* row = from->first;
    const int panel = gemm->micro->panel;
    for (size_t k = 0; k < gemm->steps; k++, to += panel, row += from->depth_step) {
        int n = 0;
        for (; n + COPIED <= columns; n += COPIED) memcpy(to + n, row + n, COPIED * sizeof *to);
        for (; n < columns; n++) to[n] = row[n];
    }
}

// Panels of `columns` columns each.
static void pack_columns(const LiteGemm* gemm, const LiteGemmColumns* from, int64_t panels, int columns,
                         float* to) {
    const int panel = gemm->micro->panel;
    LiteMove move = {0};
    lite_move_add(&move, panels, (int64_t)from->column_step * panel, (int64_t)gemm->panel_size);
    lite_move_add(&move, (int64_t)gemm->steps, (int64_t)from->depth_step, panel);
    lite_move_add(&move, columns, (int64_t)from->column_step, 1);
    lite_move_run(&move, from->first, to, sizeof *to, 1);
}

void lite_gemm_pack_panels(const LiteGemm* gemm, const LiteGemmColumns* columns, int64_t first, int64_t end,
                           float* to) {
    if (!LITE_HAS_TYPE(kTfLiteFloat32)) return; // so that such libraries need no moves
    const int panel = gemm->micro->panel;
    LiteGemmColumns from = *columns;
    from.first += (size_t)first * (size_t)panel * columns->column_step;
    const int64_t left = gemm->columns - first * panel, whole = left / panel;
    const int64_t panels = end - first < whole ? end - first : whole;
    const int rest = panels < end - first ? (int)(left % panel) : 0;
    if (rest > 0) memset(to + (size_t)panels * gemm->panel_size, 0, gemm->panel_size * sizeof *to);
    if (columns->column_step != 1) {
        pack_columns(gemm, &from, panels, panel, to);
        from.first += (size_t)panels * (size_t)panel * columns->column_step;
        pack_columns(gemm, &from, 1, rest, to + (size_t)panels * gemm->panel_size);
        return;
    }
    for (int64_t p = 0; p < end - first; p++, from.first += panel, to += gemm->panel_size) {
        pack_rows(gemm, &from, p < panels ? panel : rest, to);
    }
}
