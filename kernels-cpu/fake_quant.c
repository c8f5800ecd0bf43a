// SPDX-License-Identifier: Apache-2.0
// FAKE_QUANT rounds floats to values that a quantization with the given range can hold.
#include <math.h>

#include "kernels-cpu/loops/vector_math.h"
#include "kernels-cpu/support/elementwise.h"

typedef struct FakeQuantParams {
    float low; // the range, moved so that 0 is one of its steps
    float high;
    float scale;
} FakeQuantParams;

static TfLiteStatus choose_range(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node,
                                 FakeQuantParams* range) {
    const TfLiteFakeQuantParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "FAKE_QUANT: has no parameters");
    if (params->num_bits < 2 || params->num_bits > 16) {
        return lite_fail(context, "FAKE_QUANT: %d bits, expected 2 to 16", params->num_bits);
    }
    if (!(params->max > params->min) || !isfinite(params->max - params->min)) {
        return lite_fail(context, "FAKE_QUANT: range from %g to %g", (double)params->min,
                         (double)params->max);
    }
    if (params->narrow_range) {
        return lite_fail(
            context,
            "FAKE_QUANT: narrow_range FakeQuant is not currently supported at runtime. narrow_range is "
            "only meant to be applied to weights, not activations");
    }
    const float last = (float)((1 << params->num_bits) - 1);
    range->scale = (params->max - params->min) / last;
    const float exact_zero = 0.0f - params->min / range->scale;
    const float zero = exact_zero < 0.0f ? 0.0f : exact_zero > last ? last : roundf(exact_zero);
    range->low = (0.0f - zero) * range->scale;
    range->high = (last - zero) * range->scale;
    return kTfLiteOk;
}

static void fake_quant_row(const LiteRow* row) {
    const FakeQuantParams range = *(const FakeQuantParams*)row->params;
    const float inverse_scale = 1.0f / range.scale;
    const float* in = row->in[0];
    float* out = row->out;
    for (int64_t i = 0; i < row->count; i++) {
        const float x = in[i] > range.low ? in[i] : range.low;
        const float clamped = x < range.high ? x : range.high;
        const float steps = (clamped - range.low) * inverse_scale; // not negative
        const bool fits = steps < 8388608.0f;                      // others are whole, or no number
        const float rounded = (float)lite_round_to_integer(lite_choose(fits, steps, 0.0f));
        out[i] = lite_choose(fits, rounded, steps) * range.scale + range.low;
    }
}

static TfLiteStatus fake_quant_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_elementwise_prepare_unary(context, node, "FAKE_QUANT", &input, &output));
    LITE_TRY(lite_check_type(context, "FAKE_QUANT", "input", &input, kTfLiteFloat32));
    FakeQuantParams range;
    return choose_range(context, node, &range);
}

static TfLiteStatus fake_quant_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_views(context, node, "FAKE_QUANT", &input, 1, &output));
    FakeQuantParams range;
    LITE_TRY(choose_range(context, node, &range));
    return lite_elementwise_run(context, "FAKE_QUANT", fake_quant_row, &range, 2, &output, &input, 1);
}

const LiteKernel lite_kernel_FAKE_QUANT = {.prepare = fake_quant_prepare, .invoke = fake_quant_invoke};
