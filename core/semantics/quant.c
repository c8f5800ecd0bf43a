// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/quant.h"

#include <float.h>
#include <math.h>

LiteMultiplier lite_quantize_multiplier(double real) {
    LiteMultiplier m = {0, 0};
    if (real == 0.0 || !isfinite(real)) return m;
    int shift;
    const double fraction = frexp(real, &shift);
    int64_t value = (int64_t)round(fraction * (double)(INT64_C(1) << 31));
    if (value == (INT64_C(1) << 31)) {
        value /= 2;
        shift++;
    }
    if (shift < -31) return m;
    if (shift > 30) {
        shift = 30;
        value = INT32_MAX;
    }
    m.value = (int32_t)value;
    m.shift = shift;
    return m;
}

LiteMultiplier lite_divide_multiplier(LiteMultiplier m, int64_t elements) {
    int shift = 63 - __builtin_clzll((unsigned long long)elements);
    if (shift > 32) shift = 32;
    if (shift > 31 + m.shift) shift = 31 + m.shift;
    if (shift < 0) shift = 0;
    m.value = (int32_t)((int64_t)m.value * (INT64_C(1) << shift) / elements);
    m.shift -= shift;
    return m;
}

int32_t lite_multiply_i64(int64_t x, LiteMultiplier m) {
    const int32_t reduced = m.value < 0x7FFF0000 ? (m.value + (1 << 15)) >> 16 : 0x7FFF;
    const uint64_t product = (uint64_t)x * (uint64_t)(int64_t)reduced; // wraps where |x| is over the limit
    const int shift = 15 - m.shift;
    if (shift <= 0) return (int32_t)(product << -shift);
    return (int32_t)((int64_t)(product + (UINT64_C(1) << (shift - 1))) >> shift);
}

void lite_activation_range_f32(TfLiteFusedActivation activation, float* low, float* high) {
    *low = -FLT_MAX; // infinities become finite, as in the reference
    *high = FLT_MAX;
    if (activation == kTfLiteActRelu) {
        *low = 0.0f;
    } else if (activation == kTfLiteActRelu6) {
        *low = 0.0f;
        *high = 6.0f;
    } else if (activation == kTfLiteActReluN1To1) {
        *low = -1.0f;
        *high = 1.0f;
    }
}

// round(bound / scale) + zero_point, saturated to int32.
static int32_t quantize_bound(float bound, float scale, int32_t zero_point) {
    const float steps = roundf(bound / scale);
    if (!(steps > -2147483648.0f)) return INT32_MIN;
    if (steps >= 2147483648.0f) return INT32_MAX;
    const int64_t q = (int64_t)steps + zero_point;
    return q < INT32_MIN ? INT32_MIN : q > INT32_MAX ? INT32_MAX : (int32_t)q;
}

TfLiteStatus lite_activation_range_quantized(TfLiteFusedActivation activation, TfLiteType type, float scale,
                                             int32_t zero_point, int32_t* low, int32_t* high) {
    if (!lite_type_limits(type, low, high)) return kTfLiteError;
    if (activation == kTfLiteActNone) return kTfLiteOk;
    if (activation != kTfLiteActRelu && activation != kTfLiteActRelu6 && activation != kTfLiteActReluN1To1) {
        return kTfLiteError;
    }
    float real_low, real_high;
    lite_activation_range_f32(activation, &real_low, &real_high);
    const int32_t q_low = quantize_bound(real_low, scale, zero_point);
    if (q_low > *low) *low = q_low;
    if (real_high < FLT_MAX) {
        const int32_t q_high = quantize_bound(real_high, scale, zero_point);
        if (q_high < *high) *high = q_high;
    }
    return kTfLiteOk;
}

void lite_rescale_table(float scale, int32_t zero_point, float to_scale, int32_t to_zero_point,
                        uint8_t table[256]) {
    const float inverse = 1.0f / to_scale, factor = scale * inverse, bias = -(float)zero_point * factor;
    for (int i = 0; i < 256; i++) {
        const float value = roundf((float)i * factor + bias) + (float)to_zero_point;
        table[i] = value >= 255.0f ? 255 : value > 0.0f ? (uint8_t)value : 0;
    }
}
