// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/hybrid.h"

#include <math.h>
#include <string.h>

// NaN counts as 0: the cast of anything outside the range would be undefined.
static int8_t to_int8(float x, float low) {
    if (x >= 127.0f) return 127;
    if (x <= low) return (int8_t)low;
    return x == x ? (int8_t)x : 0;
}

// Zero point in [-128, 127] such that 0 is exact: the one of the two ends with the smaller rounding error.
static int32_t choose_zero_point(double low, double high, double scale) {
    const double from_low = -128.0 - low / scale;
    const double from_high = 127.0 - high / scale;
    const double low_error = 128.0 + fabs(low / scale);
    const double high_error = 127.0 + fabs(high / scale);
    const double zero_point = low_error < high_error ? from_low : from_high;
    if (!(zero_point > -128.0)) return -128;
    return zero_point >= 127.0 ? 127 : (int32_t)round(zero_point);
}

void lite_hybrid_quantize(const float* in, int64_t count, bool asymmetric, int8_t* out, float* scale,
                          int32_t* zero_point) {
    float low = 0.0f;
    float high = 0.0f;
    for (int64_t i = 0; i < count; i++) {
        low = in[i] < low ? in[i] : low;
        high = in[i] > high ? in[i] : high;
    }
    *scale = 1.0f;
    *zero_point = 0;
    if (low == high) {
        if (count > 0) memset(out, 0, (size_t)count);
        return;
    }
    float inverse;
    if (asymmetric) {
        const double step = ((double)high - (double)low) / 255.0;
        *zero_point = choose_zero_point(low, high, step);
        *scale = (float)step;
        inverse = *scale == 0.0f ? 0.0f : 1.0f / *scale;
    } else {
        const float range = high > -low ? high : -low;
        *scale = range / 127.0f;
        inverse = 127.0f / range;
    }
    const float offset = (float)*zero_point;
    const float smallest = asymmetric ? -128.0f : -127.0f;
    for (int64_t i = 0; i < count; i++) out[i] = to_int8(offset + roundf(in[i] * inverse), smallest);
}

TfLiteStatus lite_hybrid_prepare(TfLiteOpaqueContext* context, const char* op, LiteHybrid* hybrid,
                                 int64_t batches, int64_t count, int temporaries[3]) {
    if (count > INT32_MAX || batches > INT32_MAX) {
        return lite_fail(context, "%s: the input has too many elements to be quantized", op);
    }
    const LiteShape values = {1, {(int32_t)count}};
    const LiteShape per_batch = {1, {(int32_t)batches}};
    LITE_TRY(lite_kernel_temporary(context, &hybrid->values, kTfLiteInt8, &values, false));
    LITE_TRY(lite_kernel_temporary(context, &hybrid->scales, kTfLiteFloat32, &per_batch, false));
    LITE_TRY(lite_kernel_temporary(context, &hybrid->zero_points, kTfLiteInt32, &per_batch, false));
    temporaries[0] = hybrid->values;
    temporaries[1] = hybrid->scales;
    temporaries[2] = hybrid->zero_points;
    return kTfLiteOk;
}

TfLiteStatus lite_hybrid_input(TfLiteOpaqueContext* context, const char* op, const LiteHybrid* hybrid,
                               const float* in, int64_t batches, int64_t size, bool asymmetric,
                               LiteHybridInput* out) {
    LiteView values, scales, zero_points;
    LITE_TRY(lite_kernel_temporary_view(context, op, hybrid->values, &values));
    LITE_TRY(lite_kernel_temporary_view(context, op, hybrid->scales, &scales));
    LITE_TRY(lite_kernel_temporary_view(context, op, hybrid->zero_points, &zero_points));
    out->values = values.data;
    out->scales = scales.data;
    out->zero_points = zero_points.data;
    for (int64_t b = 0; b < batches; b++) {
        lite_hybrid_quantize(in + b * size, size, asymmetric, out->values + b * size, out->scales + b,
                             out->zero_points + b);
    }
    return kTfLiteOk;
}
