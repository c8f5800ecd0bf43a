// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/lstm_scales.h"

#include <math.h>

#define GATE_SCALE (1.0f / 4096) // of the sums of a gate without layer normalization: three integer bits

const int lite_lstm_intermediate[LITE_LSTM_GATES] = {1, 2, 3, 0};

bool lite_scale_log2(float scale, int* log2) {
    if (!(scale > 0.0f) || !isfinite(scale)) return false;
    const float exact = logf(scale) * (1.0f / logf(2.0f));
    const float rounded = roundf(exact);
    *log2 = (int)rounded;
    return fabsf(exact - rounded) < 1e-3f;
}

static LiteMultiplier multiplier(float scale) {
    return lite_quantize_multiplier((double)scale);
}

void lite_lstm_scale_common(const LiteLstmScales* s, LiteLstmQuant* q) {
    for (int g = 0; g < s->gates && s->has_norm; g++) {
        q->norm[g] = multiplier(s->norm[g]);
        const float guard = 10000.0f * s->norm[g]; // as large as keeps the sums in their types
        q->variance_guard[g] = guard > 1.0f && guard < 0x1p31f ? (int32_t)guard : 1;
    }
    q->cell_clip = q->proj_clip = 0;
    if (s->cell_clip > 0.0f) q->cell_clip = (int16_t)fminf(s->cell_clip / s->cell, INT16_MAX);
    if (s->proj_clip > 0.0f) q->proj_clip = (int8_t)fminf(s->proj_clip / s->output, INT8_MAX);
}

void lite_lstm_scale_16(const LiteLstmScales* s, const float inner[LITE_LSTM_16_INTERMEDIATES],
                        LiteLstmQuant* q) {
    const double cell = ldexp(1.0, q->cell_log2);
    for (int g = 0; g < s->gates; g++) {
        const float gate = s->has_norm ? inner[lite_lstm_intermediate[g]] : GATE_SCALE;
        q->input[g] = multiplier(s->weights[g] * s->input / gate);
        q->recurrent[g] = multiplier(s->recurrent[g] * s->state / gate);
        q->peephole[g] = multiplier((float)(cell * (double)s->peephole[g] / (double)gate));
    }
    const float hidden = inner[LITE_LSTM_HIDDEN];
    q->hidden = multiplier((float)(0x1p-15 / (double)hidden * 0x1p-15));
    if (s->has_projection) q->projection = multiplier(s->projection * hidden / s->state);
}
