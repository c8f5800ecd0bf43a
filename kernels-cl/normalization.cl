// SPDX-License-Identifier: Apache-2.0
// L2_NORMALIZATION and LOCAL_RESPONSE_NORMALIZATION. Prelude: TYPE …; QUANTIZED.
#include "kernels-cl/common/common.cl"
#include "kernels-cl/common/fixedpoint.cl"
#include "kernels-cl/common/rows.cl"

#ifdef QUANTIZED
// The output's scale, 1 / 128, is in BEFORE or in AFTER, as the reference rounds either type.
KERNEL l2_normalization(ITEM const LiteClAxisArgs a, const __global TYPE* restrict x,
                        __global TYPE* restrict y) {
    ROW_BEGIN
    uint sum = 0;
    for (int k = 0; k < a.length; k++) sum += (uint)((x[AT(k)] - a.zero_x) * (x[AT(k)] - a.zero_x));
    LiteClMultiplier m = inverse_sqrt((int)sum);
    m.shift += AFTER;
    for (int k = 0; k < a.length; k++) {
        const int scaled = multiply((x[AT(k)] - a.zero_x) * BEFORE, m);
        y[AT(k)] = CLAMP(scaled + a.zero_y, LOW, HIGH);
    }
}
#else
KERNEL l2_normalization(ITEM const LiteClAxisArgs a, const __global TYPE* restrict x,
                        __global TYPE* restrict y) {
    ROW_BEGIN
    float sum = 0.0f;
    for (int k = 0; k < a.length; k++) sum += LOAD(x, AT(k)) * LOAD(x, AT(k));
    const float root = sqrt(sum);
    const float norm =
        root < 1e-6f ? 1e-6f : root; // the reference's guard against a division by zero; NaN stays
    for (int k = 0; k < a.length; k++) STORE(y, AT(k), LOAD(x, AT(k)) / norm);
}

KERNEL local_response_normalization(ITEM const LiteClAxisArgs a, const __global TYPE* restrict x,
                                    __global TYPE* restrict y) {
    ROW_BEGIN
    for (int k = 0; k < a.length; k++) {
        const int end = min(k + a.radius + 1, a.length);
        float sum = 0.0f;
        for (int n = max(k - a.radius, 0); n < end; n++) sum += LOAD(x, AT(n)) * LOAD(x, AT(n));
        STORE(y, AT(k), LOAD(x, AT(k)) * pow(a.bias + a.alpha * sum, -a.beta));
    }
}
#endif
