// SPDX-License-Identifier: Apache-2.0
#include "core/base/unary8.h"

#include <math.h>

int32_t lite_unary_finish(const LiteUnaryScale* s, int32_t result) {
    const int32_t sum = (int32_t)((uint32_t)result + (uint32_t)s->output_zero); // wraps around
    return lite_clamp_i32(sum, s->low, s->high);
}

int32_t lite_unary_rescale(const LiteUnaryScale* s, int32_t x) {
    return lite_unary_finish(s, lite_multiply(x - s->input_zero, s->multiplier));
}

int32_t lite_unary_absolute(const LiteUnaryScale* s, int32_t x) {
    const int32_t distance = x - s->input_zero;
    return lite_unary_finish(s, lite_multiply(distance < 0 ? -distance : distance, s->multiplier));
}

int32_t lite_unary_leaky_relu(const LiteUnaryScale* s, int32_t x) {
    const int32_t distance = x - s->input_zero;
    if (distance >= 0) return lite_unary_finish(s, lite_multiply(distance, s->multiplier));
    if (s->negative.value >= 0) return lite_unary_finish(s, lite_multiply(distance, s->negative));
    const LiteMultiplier magnitude = {-s->negative.value, s->negative.shift};
    return lite_unary_finish(s, -lite_multiply(distance, magnitude));
}

void lite_unary_relu_range(LiteUnaryScale* s, float low, float high) {
    const float low_steps = roundf(low / s->output_scale), high_steps = roundf(high / s->output_scale);
    const int32_t zero = s->output_zero;
    if (low_steps > -65536.0f && (int32_t)low_steps + zero > s->low) s->low = (int32_t)low_steps + zero;
    if (high_steps < 65536.0f && (int32_t)high_steps + zero < s->high) s->high = (int32_t)high_steps + zero;
}

int32_t lite_unary_real(const LiteUnaryScale* s, LiteFunction function, float alpha, int32_t x) {
    const float real = s->input_scale * (float)(x - s->input_zero);
    const float inverse_scale = 1.0f / s->output_scale;
    const float result = roundf(function(real, alpha) * inverse_scale) + (float)s->output_zero;
    if (isnan(result)) return 0;
    if (result <= (float)s->low) return s->low;
    return result >= (float)s->high ? s->high : (int32_t)result;
}

float lite_log_or_lowest(float x, float lowest) {
    return x <= 0.0f ? lowest : logf(x);
}
