// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/softmax_fixed.h"

static double exponential(double x) {
    return exp(x);
}

static double one_over_one_plus(double x) {
    return 1.0 / (1.0 + x);
}

// 512 steps of [low, high]; entries are shifted by half of the interpolation error in the middle of a step,
// as the reference does, in units of 2^-15.
static void fill_table(double low, double high, double (*function)(double),
                       int16_t table[LITE_SOFTMAX_STEPS]) {
    const double step = (high - low) / 512.0;
    const double out_step = 2.0 / 65535.0; // written out as the reference rounds it
    const double unit = 65536.0 / (out_step * 32767.0 - out_step * -32768.0);
    for (int i = 0; i <= 512; i++) {
        double v = round(function(i < 512 ? low + i * step : high) * unit);
        if (i < 512) {
            const double next = function(low + (i + 1) * step) * unit;
            const double middle = round(function(low + i * step + step / 2.0) * unit);
            v -= round((round((next + v) / 2.0) - middle) / 2.0);
        }
        table[i] = (int16_t)(v < -32768.0 ? -32768.0 : v > 32767.0 ? 32767.0 : v);
    }
}

bool lite_softmax_table16(float beta, float scale, LiteSoftmaxTable16* table) {
    const double unit = 10.0 / 65535.0;
    const double real = (double)(scale * beta) / unit;
    if (!(real >= 0.0) || !isfinite(real)) return false;
    table->multiplier = lite_quantize_multiplier(real);
    fill_table(unit * (-32768 - 32767), 0.0, exponential, table->exps);
    fill_table(0.0, 1.0 / 65535.0 * (32767 + 32768), one_over_one_plus, table->reciprocals);
    return true;
}

static bool near(float x, float wanted) {
    return fabsf(x - wanted) <= wanted * 0.001f;
}

bool lite_softmax_output(TfLiteType type, float scale, int32_t zero_point) {
    if (type == kTfLiteUInt8) return true;
    const bool is_16 = type == kTfLiteInt16;
    return zero_point == (is_16 ? 0 : -128) && near(scale, is_16 ? 1.0f / 32768 : 1.0f / 256);
}

LiteMultiplier lite_log_softmax_reverse(const LiteSoftmaxScale* scale) {
    const LiteMultiplier m = scale->multiplier;
    return lite_quantize_multiplier((double)(INT64_C(1) << (31 - m.shift)) / (double)m.value);
}
